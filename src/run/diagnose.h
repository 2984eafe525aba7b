/* What is found of the draws that are judged: the rest of the report of a probe
 * that is `judged`, behind what it has reported itself. Of an arm as of now, or
 * of a copy. */
#ifndef CS_RUN_DIAGNOSE_H
#define CS_RUN_DIAGNOSE_H

#include "run/judged.h"

bool cs_diagnose_one(cs_run *r, const cs_arm *a, size_t scalar,
                     const cs_run_sample *sample, const cs_flat *all,
                     cs_figures *figures);

cs_worst cs_diagnose_arm(cs_run *r, cs_arm *a, const char *prefix,
                         cs_flat *out);
cs_worst cs_diagnose_copy(const cs_target *t, cs_judged_view *v,
                          const char *prefix, cs_flat *out);

#endif
