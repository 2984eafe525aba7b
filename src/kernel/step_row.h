/* The parameter row `step` of kernels on real spaces. */
#pragma once

#include "base/param.h"

#define CS_STEP_ROW(def_, help_)                                               \
    {                                                                          \
        .name = "step", .flags = CS_PARAM_LOG | CS_PARAM_SIZE, .min = 1e-12,   \
        .max = 1e100, .def = def_, .help = help_,                              \
    }
