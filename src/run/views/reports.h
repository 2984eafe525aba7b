/* Reports of probes and kernels of a run: at once, or from a copy, on another
 * thread. */
#pragma once

#include "run/arms/spec.h"
#include "run/draws/sample.h"
#include "stat/diagnostics.h"

/* Makes the reports of every probe of every arm, keys "arm/<i>/<probe>/...", of
 * its kernel, "arm/<i>/kernel/...", and of its learner, "arm/<i>/learn/...". */
void cs_run_report(cs_run *r, cs_flat *out);
/* Makes the report of one probe of one arm, or of its "kernel" or "learn", with
 * keys after `prefix`; false: the run has no such probe, or the kernel no
 * report. */
bool cs_run_report_one(cs_run *r, size_t arm, const char *probe,
                       const char *prefix, cs_flat *out);
/* Does the same for a sample; NULL: all chains. */
bool cs_run_report_of(cs_run *r, size_t arm, const char *probe,
                      const cs_run_sample *sample, const char *prefix,
                      cs_flat *out);

/* Returns a probe of the run; NULL past the last. */
const cs_probe_type *cs_run_probe(const cs_run *r, size_t i);

/* Makes the report of probe number `probe` of one arm, or, past the last probe,
 * of its kernel, without slow computations. Exact answers that take long appear
 * after cs_run_settle has computed them. */
void cs_run_glance(cs_run *r, size_t arm, size_t probe, cs_flat *out);

/* Computes pending exact answers of at most `most` probes; true if all are
 * done. Changes no chain. */
bool cs_run_settle(cs_run *r, size_t most);

/* A copy, taken between steps, from which the report of one probe of one arm
 * can be made on another thread while the run continues; the run must outlive
 * it. Its memory is reused by the next copy; initially {0}. */
enum { CS_COPY_COLUMNS = 40 };
typedef struct cs_copy {
    cs_run *run; /* [borrowed] */
    size_t arm, probe, n;
    uint64_t step;
    cs_logp_kind logp; /* kind of its log p */
    double *words;     /* [own] */
    size_t n_words;
    cs_lane_memory *lane; /* [own] */
    size_t n_lanes;
    struct cs_diagnosed_view
        *diagnosed;               /* of the draws, for a report on them */
    struct cs_quantities *wanted; /* requests for the draws */
    size_t column[CS_COPY_COLUMNS], columns; /* its coordinates */
} cs_copy;

/* Copies. Past the last probe it copies the diagnosed draws for the requests of
 * cs_run_want (run/draws/quantities.h), under "arm/i/draws/". */
cs_status cs_copy_take(cs_copy *c, cs_run *r, size_t arm, size_t probe,
                       cs_error *err);
void cs_copy_report(const cs_copy *c, cs_flat *out);
void cs_copy_fini(cs_copy *c);

/* Sets the requests about single quantities: words such as "marginal=x.3" or
 * "pairs=x.1,x.2" separated by blanks; "": none. Unknown words are ignored.
 * cs_run_wanted: a number that increases when they change, or more exact
 * answers are known. */
void cs_run_want(cs_run *r, const char *words);
uint64_t cs_run_wanted(const cs_run *r);

/* Computes the row of diagnostics/table of one scalar (0: log p, then the
 * coordinates), which is fast; of a sample, NULL: of all chains. Uses all
 * steps where they are known for it; with `alike` only if they are known for
 * all scalars, as in the table, so that rows can be compared. False: no such
 * row. */
bool cs_run_diagnosis(cs_run *r, size_t arm, size_t scalar,
                      const cs_run_sample *sample, bool alike,
                      cs_figures *figures);

/* Returns the kind of log p in those rows; CS_LOGP_EXACT if there are none. */
cs_logp_kind cs_run_diagnosed_logp(const cs_run *r, size_t arm);
