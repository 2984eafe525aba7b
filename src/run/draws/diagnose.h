/* Diagnoses draws, and completes the report of a probe that needs diagnosed
 * draws. The functions use an arm in its present state, or a copy of the arm's
 * draws. */
#pragma once

#include "run/draws/diagnosed.h"
#include "run/draws/sample.h"

/* Diagnoses one scalar (0: log p, then the coordinates) for a sample of the
 * chains; if `sample` is NULL, for all chains. If `alike` is true, uses the
 * same draws for all scalars, as the diagnostics table does. `all` is the
 * probe's own report on these chains. Returns false if the row does not exist
 * or if memory runs out. */
bool cs_diagnose_one(cs_run *r, const cs_arm *a, size_t scalar,
                     const cs_run_sample *sample, bool alike,
                     const cs_flat *all, cs_figures *figures);

/* Writes the table, and the entries that accompany the table, with the key
 * prefix `prefix`. Returns the row with the smallest ESS, for
 * run/draws/size_errors.h. */
cs_worst cs_diagnose_arm(cs_run *r, cs_arm *a, const char *prefix,
                         cs_flat *out);
cs_worst cs_diagnose_copy(const cs_target *t, cs_diagnosed_view *v,
                          const char *prefix, cs_flat *out);
