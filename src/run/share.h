/* What one process moves of a run that several share. Chains are numbered
 * through all arms, in their order; of n parts each has a range of them. Chains
 * whose draws depend on each other go to one part: all of an arm, or all of the
 * run. Nothing else depends on the share, so that the parts together make the
 * draws that one process would. */
#pragma once

#include "base/page.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_run cs_run;
typedef struct cs_run_spec cs_run_spec;

typedef struct cs_share {
    uint64_t part, parts; /* from 0; {0, 0} and {0, 1} are all of it */
} cs_share;

/* first .. end - 1; none: both 0. */
typedef struct cs_chains {
    size_t first, end;
} cs_chains;

/* More parts than that are a slip of the pen. */
#define CS_MOST_PARTS 1000000

static inline bool cs_share_is_all(cs_share s)
{
    return s.parts <= 1;
}

static inline bool cs_share_is_same(cs_share a, cs_share b)
{
    return (cs_share_is_all(a) && cs_share_is_all(b)) ||
           (a.part == b.part && a.parts == b.parts);
}

/* "part 3 of 16", "a whole run". */
void cs_share_name(cs_share s, cs_page *p);

/* "3/16": the third of sixteen. */
cs_status cs_share_read(cs_share *out, const char *text, cs_error *err);

/* Before the blocks are made: what is this run's own, and why arms, or all of
 * it, are whole. Refuses a budget whose end no two parts would find at one
 * step. */
cs_status cs_share_out(cs_run *r, const cs_run_spec *spec, cs_error *err);

/* The chains of an arm in a share. */
cs_chains cs_share_of(const cs_run *r, cs_share share, size_t arm);
/* Whether it has any chain of the run. */
bool cs_share_has_any(const cs_run *r, cs_share share);

cs_share cs_run_share(const cs_run *r);
/* Why the run is in one part, NULL: it need not be. */
const char *cs_run_together(const cs_run *r);
/* Whether there is more of it elsewhere, so that nothing can be said of the
 * whole. */
bool cs_run_is_part(const cs_run *r);
/* "part 3 of 16: chains 5 to 8 of arm small; all of arm large, whose chains
 * exchange" */
void cs_share_words(const cs_run *r, cs_page *p);
