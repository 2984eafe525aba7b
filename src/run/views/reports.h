/* What probes and kernels report of a run: at once, or from a copy, on another
 * thread. */
#pragma once

#include "run/arms/spec.h"
#include "run/draws/sample.h"
#include "stat/diagnostics.h"

/* Reports of every probe of every arm: keys "arm/<i>/<probe>/...", and what
 * its kernel says of itself: "arm/<i>/kernel/...", its learner:
 * "arm/<i>/learn/...". */
void cs_run_report(cs_run *r, cs_flat *out);
/* That of one probe of one arm, or of its "kernel" or "learn", its keys behind
 * `prefix`; false when the run has no such probe, the kernel nothing to say. */
bool cs_run_report_one(cs_run *r, size_t arm, const char *probe,
                       const char *prefix, cs_flat *out);
/* The same of a sample; with NULL of all chains. */
bool cs_run_report_of(cs_run *r, size_t arm, const char *probe,
                      const cs_run_sample *sample, const char *prefix,
                      cs_flat *out);

/* The probes of a run; NULL past the last. */
const cs_probe_type *cs_run_probe(const cs_run *r, size_t i);

/* The report of probe number `probe` of one arm, or, past the last probe, what
 * its kernel says: as far as it is known at once. What is exact and takes long
 * to work out appears when cs_run_settle has done so. */
void cs_run_glance(cs_run *r, size_t arm, size_t probe, cs_flat *out);

/* Works out what at most `most` probes have not yet settled; whether all have.
 * It changes no chain. */
bool cs_run_settle(cs_run *r, size_t most);

/* What the report of one probe of one arm is made from, copied between steps:
 * it can be made on another thread while the run goes on, as long as the run
 * is there. Memory is kept from copy to copy; the first is {0}. */
enum { CS_COPY_COLUMNS = 40 };
typedef struct cs_copy {
    cs_run *run; /* [borrowed] */
    size_t arm, probe, n;
    uint64_t step;
    cs_logp_kind logp; /* that it is of */
    double *words;     /* [own] */
    size_t n_words;
    cs_lane_memory *lane; /* [own] */
    size_t n_lanes;
    struct cs_judged_view *judged; /* of draws, where it is of those [own] */
    struct cs_quantities *wanted;  /* what is asked for of them [own] */
    size_t column[CS_COPY_COLUMNS], columns; /* the coordinates that it has */
} cs_copy;

/* Past the last probe it is of the draws that are judged, for what cs_run_want
 * has asked for (run/draws/quantities.h), under "arm/i/draws/". */
cs_status cs_copy_take(cs_copy *c, cs_run *r, size_t arm, size_t probe,
                       cs_error *err);
void cs_copy_report(const cs_copy *c, cs_flat *out);
void cs_copy_fini(cs_copy *c);

/* What is looked at of single quantities: words like "marginal=x.3" or
 * "pairs=x.1,x.2" between blanks, "": nothing. Others than these are left out.
 * cs_run_wanted: a number that grows when they change, or more is known that is
 * exact of them. */
void cs_run_want(cs_run *r, const char *words);
uint64_t cs_run_wanted(const cs_run *r);

/* The row of diagnostics/table of one scalar alone (0: log p, then the
 * coordinates), which is soon made; of a sample, NULL: of all chains. Of all steps
 * where these are known of it; with `alike` only where they are of all scalars, as
 * in the table, so that one can be compared with another. False: there is none. */
bool cs_run_diagnosis(cs_run *r, size_t arm, size_t scalar,
                      const cs_run_sample *sample, bool alike,
                      cs_figures *figures);

/* What log p of those rows is: CS_LOGP_EXACT where there are none. */
cs_logp_kind cs_run_diagnosed_logp(const cs_run *r, size_t arm);
