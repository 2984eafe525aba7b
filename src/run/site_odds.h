/* What a discrete proposal does at each site, found by asking the kernel's log_q
 * about states that differ at one site: so it is what the step is scored with. */
#pragma once

#include "chain/block.h"
#include "kernel/odds.h"

/* A state and its proposal, [dim + aux] each, the auxiliary variables behind. */
typedef struct cs_step_ends {
    size_t aux;
    double *x, *y; /* [borrowed] */
} cs_step_ends;

/* Of a chain before its step, `before`, and after, `b`, each alone in its block:
 * the likeliest 64 sites and those that are to change, odds->known of them,
 * those that change first, then the likeliest [the caller frees]. NULL: the kernel has no such density, or
 * out of memory. */
cs_site_odds *cs_site_odds_find(const cs_block *before, const cs_block *b,
                                const cs_step_ends *q, cs_proposal_odds *odds);
