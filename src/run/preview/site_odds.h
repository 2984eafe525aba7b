/* The probabilities of a discrete proposal at each site. They are computed from
 * the kernel's log_q between states that differ at one site. The accept step
 * uses the same function. */
#pragma once

#include "chain/block.h"
#include "kernel/odds.h"

/* The state before a step, and the proposal of the step. Both are arrays [dim +
 * aux] of the coordinates, followed by the auxiliary variables. */
typedef struct cs_step_ends {
    size_t aux;
    double *x, *y; /* [borrowed] */
} cs_step_ends;

/* Computes the table for a chain before its step (`before`) and after it (`b`);
 * each block contains only this chain. The table has odds->known rows: first
 * the sites that will change, then the most probable of the others, up to 64.
 * The caller frees it. Returns NULL if the kernel has no such density or if
 * memory runs out. */
cs_site_odds *cs_site_odds_find(const cs_block *before, const cs_block *b,
                                const cs_step_ends *q, cs_proposal_odds *odds);
