/* The default probes of a run. */
#pragma once

#include "run/arms/spec.h"

/* Returns true if a probe is useful for some of the arms arm[n] and belongs to
 * the default probes. The caller checks whether it supports the target. */
bool cs_probe_is_usual(const cs_probe_type *type, const cs_arm_spec *arm,
                       size_t n);
