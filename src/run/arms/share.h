/* The share of a run that one process moves. The chains of all arms are
 * numbered consecutively, and each of n parts is a range of these numbers.
 * Chains whose draws depend on each other belong to the same part; in some runs
 * these are all chains of an arm, or all chains of the run. The draws of a
 * chain do not depend on the part to which it belongs, so all parts together
 * make the same draws as one process. */
#pragma once

#include "base/page.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_run cs_run;
typedef struct cs_run_spec cs_run_spec;

typedef struct cs_share {
    /* part: number of this part, from 0; parts: number of parts. {0, 0} and {0,
     * 1} mean the whole run */
    uint64_t part, parts;
} cs_share;

/* The chains first .. end - 1; both are 0 for no chains. */
typedef struct cs_chains {
    size_t first, end;
} cs_chains;

/* Maximum number of parts; larger numbers are rejected as mistakes. */
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

/* Writes the name of a share, as in "part 3 of 16" or "a whole run". */
void cs_share_name(cs_share s, cs_page *p);

/* Reads a share such as "3/16", the third of sixteen parts. */
cs_status cs_share_read(cs_share *out, const char *text, cs_error *err);

/* Returns the chains of an arm that belong to a share. */
cs_chains cs_share_of(const cs_run *r, cs_share share, size_t arm);
/* Returns true if the share contains at least one chain of the run. */
bool cs_share_has_any(const cs_run *r, cs_share share);

cs_share cs_run_share(const cs_run *r);
/* Returns the reason why the run cannot be divided into parts; NULL: it can. */
const char *cs_run_together(const cs_run *r);
/* Returns true if other processes move some chains of the run. In this case
 * this process has no results for the whole run. */
bool cs_run_is_part(const cs_run *r);
/* Describes the share: "part 3 of 16: chains 5 to 8 of arm small; all of arm
 * large, whose chains exchange". */
void cs_share_words(const cs_run *r, cs_page *p);
