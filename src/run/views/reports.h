/* Reports by the probes and kernels of a run, made directly or from a copy on
 * another thread. */
#pragma once

#include "run/arms/spec.h"
#include "run/draws/sample.h"
#include "stat/diagnostics.h"

/* Makes all reports on every arm: "arm/<i>/<probe>/..." by each probe,
 * "arm/<i>/kernel/..." by its kernel, and "arm/<i>/learn/..." by its
 * learner. */
void cs_run_report(cs_run *r, cs_flat *out);
/* Makes the report on an arm by one probe, by the arm's kernel (`probe` is
 * "kernel") or by the arm's learner ("learn"). The keys of the report start
 * with `prefix`. Returns false if the run has no such probe or if the kernel
 * has no report. */
bool cs_run_report_one(cs_run *r, size_t arm, const char *probe,
                       const char *prefix, cs_flat *out);
/* Makes the report of cs_run_report_one for a sample of the chains; NULL: all
 * chains. */
bool cs_run_report_of(cs_run *r, size_t arm, const char *probe,
                      const cs_run_sample *sample, const char *prefix,
                      cs_flat *out);

/* Returns probe i of the run; NULL if i is too large. */
const cs_probe_type *cs_run_probe(const cs_run *r, size_t i);

/* Makes a report on an arm without slow computations. `probe` is the index of a
 * probe. If `probe` is the number of probes, makes the kernel's report. Slow
 * exact answers are included after cs_run_settle has computed them. */
void cs_run_glance(cs_run *r, size_t arm, size_t probe, cs_flat *out);

/* Computes the missing exact answers of at most `most` probes. Returns true if
 * all exact answers, including those for bins and quantities, are then known.
 * Changes no chain. */
bool cs_run_settle(cs_run *r, size_t most);

enum { CS_COPY_COLUMNS = 40 };

/* Continues to compute the first missing exact answer. If the computation can
 * be interrupted, stops after some milliseconds. Returns true if the answer is
 * now known. Returns false if the answer is not yet known, or if no answer was
 * missing. */
bool cs_run_settle_part(cs_run *r);
/* A copy of an arm's data, made between steps. Another thread can make the
 * report of one probe from the copy while the run continues. The run must
 * outlive the copy. A later copy reuses the memory of an earlier one.
 * Initialize it with {0}. */
typedef struct cs_copy {
    cs_run *run; /* [borrowed] */
    size_t arm, probe, n;
    uint64_t step;
    cs_logp_kind logp; /* kind of log p in the draws */
    double *words;     /* [own] */
    size_t n_words;
    cs_lane_memory *lane; /* [own] */
    size_t n_lanes;
    /* copied view of the diagnosed draws, for a report on them [own] */
    struct cs_diagnosed_view *diagnosed;
    /* requests for reports on the draws [own] */
    struct cs_quantities *wanted;
    size_t column[CS_COPY_COLUMNS], columns; /* coordinates in `diagnosed` */
} cs_copy;

/* Makes a copy. If `probe` is the number of probes, copies the diagnosed draws
 * for the requests of cs_run_want (run/draws/quantities.h). The report on these
 * draws has the prefix "arm/<i>/draws/". */
cs_status cs_copy_take(cs_copy *c, cs_run *r, size_t arm, size_t probe,
                       cs_error *err);
void cs_copy_report(const cs_copy *c, cs_flat *out);
void cs_copy_fini(cs_copy *c);

/* Sets the requests for reports on quantities: "marginal=x.3", "pairs=x.1,x.2"
 * and so on, separated by blanks; "": none. Unknown requests are ignored.
 * cs_run_wanted returns a number that increases if the requests change or if
 * further exact answers become known. */
void cs_run_want(cs_run *r, const char *words);
uint64_t cs_run_wanted(const cs_run *r);

/* Computes the row of diagnostics/table for one scalar (0: log p, then the
 * coordinates), which is fast. `sample`: NULL for all chains. Uses the figures
 * from all steps if these figures are known for the scalar. If `alike` is true,
 * uses them only if they are known for all scalars; rows are then comparable,
 * as in the table. Returns false if the row does not exist. */
bool cs_run_diagnosis(cs_run *r, size_t arm, size_t scalar,
                      const cs_run_sample *sample, bool alike,
                      cs_figures *figures);

/* Returns the kind of log p in the diagnosed draws; CS_LOGP_EXACT before the
 * first draw. */
cs_logp_kind cs_run_diagnosed_logp(const cs_run *r, size_t arm);
