/* The fingerprint of a run when it is opened. It is a part of summaries, and
 * runs are compared by it. */
#pragma once

#include "run/arms/spec.h"

/* Returns lines such as "arm small: step = 0.5" (see data/parts.h).
 * [borrowed] */
const char *cs_run_provenance(const cs_run *r);

/* Returns a digest of the fingerprint and the seed. Runs that make the same
 * draws have the same digest, whole or in parts, on any machine. Reports and
 * files use the digest to identify the run. */
uint64_t cs_run_identity(const cs_run *r);

/* Writes the fingerprint of a run that is being created. */
cs_status cs_run_parts(cs_run *r, const cs_run_spec *spec, cs_error *err);
