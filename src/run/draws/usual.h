/* The default probes of a run. */
#pragma once

#include "run/arms/spec.h"

/* Returns true if a probe belongs to the default probes and is useful for at
 * least one of the arms arm[n]. The caller checks whether it supports the
 * target. */
bool cs_probe_is_usual(const cs_probe_type *type, const cs_arm_spec *arm,
                       size_t n);
