/* What is found of the draws that are judged: the rest of the report of a probe
 * that is `judged`, behind what it has reported itself. Of an arm as of now, or
 * of a copy. */
#pragma once

#include "run/judged.h"

/* The row of one scalar alone (0: log p, then the coordinates), of a sample or, with
 * NULL, of all chains; `alike`: of the same draws as those of all other scalars, as
 * in the table; `all`: what the probe itself reports of the same chains.
 * False: there is none, or memory is wanting. */
bool cs_diagnose_one(cs_run *r, const cs_arm *a, size_t scalar,
                     const cs_run_sample *sample, bool alike,
                     const cs_flat *all, cs_figures *figures);

/* The whole table, and what goes with it, under `prefix`; returns which row is worst,
 * as run/size_errors.h wants it. */
cs_worst cs_diagnose_arm(cs_run *r, cs_arm *a, const char *prefix,
                         cs_flat *out);
cs_worst cs_diagnose_copy(const cs_target *t, cs_judged_view *v,
                          const char *prefix, cs_flat *out);
