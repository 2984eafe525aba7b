/* The share of a run that one process moves. Chains are numbered through all
 * arms, in order, and each of n parts has a range of them. Chains whose draws
 * depend on each other belong to one part: all of an arm, or all of the run.
 * Nothing else depends on the share, so the parts together make the draws that
 * one process would. */
#pragma once

#include "base/page.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_run cs_run;
typedef struct cs_run_spec cs_run_spec;

typedef struct cs_share {
    uint64_t part, parts; /* from 0; {0, 0} and {0, 1}: the whole run */
} cs_share;

/* first .. end - 1; none: both 0. */
typedef struct cs_chains {
    size_t first, end;
} cs_chains;

/* Maximum number of parts; larger numbers are mistakes. */
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

/* Returns the chains of an arm in a share. */
cs_chains cs_share_of(const cs_run *r, cs_share share, size_t arm);
/* True if the share has any chain of the run. */
bool cs_share_has_any(const cs_run *r, cs_share share);

cs_share cs_run_share(const cs_run *r);
/* Returns why the run cannot be shared out; NULL: it can. */
const char *cs_run_together(const cs_run *r);
/* True if other processes move other chains, so that nothing is known about the
 * whole run. */
bool cs_run_is_part(const cs_run *r);
/* "part 3 of 16: chains 5 to 8 of arm small; all of arm large, whose chains
 * exchange" */
void cs_share_words(const cs_run *r, cs_page *p);
