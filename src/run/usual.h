/* The probes that a run has without being told. */
#pragma once

#include "run/run.h"

/* Whether it is of use to some of these arms, arm[n], and need not be asked
 * for. Whether it can watch their target is another question. */
bool cs_probe_is_usual(const cs_probe_type *type, const cs_arm_spec *arm,
                       size_t n);
