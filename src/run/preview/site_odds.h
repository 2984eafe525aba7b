/* The probabilities of a discrete proposal at each site, from the kernel's
 * log_q of states that differ at one site: the same function that scores the
 * step. */
#pragma once

#include "chain/block.h"
#include "kernel/odds.h"

/* A state and its proposal, [dim + aux] each, followed by the auxiliary
 * variables. */
typedef struct cs_step_ends {
    size_t aux;
    double *x, *y; /* [borrowed] */
} cs_step_ends;

/* Computes the table of a chain before its step, `before`, and after, `b`, each
 * the only chain of its block: the likeliest 64 sites and those that will
 * change, odds->known in total; changing sites first, then the likeliest [the
 * caller frees]. NULL: the kernel has no such density, or out of memory. */
cs_site_odds *cs_site_odds_find(const cs_block *before, const cs_block *b,
                                const cs_step_ends *q, cs_proposal_odds *odds);
