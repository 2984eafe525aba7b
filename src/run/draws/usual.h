/* The default probes of a run. */
#pragma once

#include "run/arms/spec.h"

/* True if the probe is useful for some of these arms, arm[n], and need not be
 * requested. Whether it can watch their target is checked elsewhere. */
bool cs_probe_is_usual(const cs_probe_type *type, const cs_arm_spec *arm,
                       size_t n);
