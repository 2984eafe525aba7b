/* The parameter row gradient_precision, for kernels with an accept step whose
 * proposals use a gradient. Its choices are in kernel.h. */
#pragma once

#include "kernel/kernel.h"

#define CS_GRADIENT_PRECISION_ROW                                              \
    {                                                                          \
        .name = "gradient_precision", .unit = "", .kind = CS_PARAM_CHOICE,     \
        .flags = CS_PARAM_SHARED | CS_PARAM_FIXED, .max = CS_GRADIENT_FLOAT,   \
        .def = CS_GRADIENT_DOUBLE, .choices = cs_gradient_precision_names,     \
        .help = "floating-point precision of the gradient used in "            \
                "proposals; the draws are exact with single and with "         \
                "double precision",                                            \
    }
