/* Diagnoses draws: completes the report of a probe that uses diagnosed draws,
 * after its own report. Works on an arm as it is now, or on a copy. */
#pragma once

#include "run/draws/diagnosed.h"
#include "run/draws/sample.h"

/* Diagnoses one scalar (0: log p, then the coordinates) of a sample of the
 * chains or, with NULL, of all. `alike`: from the same draws as all other
 * scalars, as in the table. `all`: the probe's own report of the same chains.
 * False: no such row, or out of memory. */
bool cs_diagnose_one(cs_run *r, const cs_arm *a, size_t scalar,
                     const cs_run_sample *sample, bool alike,
                     const cs_flat *all, cs_figures *figures);

/* Reports the whole table and what belongs to it under `prefix`; returns the
 * worst row, as run/draws/size_errors.h needs it. */
cs_worst cs_diagnose_arm(cs_run *r, cs_arm *a, const char *prefix,
                         cs_flat *out);
cs_worst cs_diagnose_copy(const cs_target *t, cs_diagnosed_view *v,
                          const char *prefix, cs_flat *out);
