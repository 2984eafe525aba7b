/* Estimated and true acceptance ratios of one chain of a block, computed on
 * request: log p of the state before each step and of its proposal, by the
 * observer's evaluator, so that the chain's own work and its random numbers
 * stay the same to the bit. For kernels that estimate their ratio
 * (CS_KERNEL_ESTIMATES). */
#pragma once

#include "chain/block.h"
#include "kernel/decision.h"

enum { CS_RATIOS = 512 }; /* number of newest ratios kept */

struct cs_ratios {
    size_t lane;
    uint64_t n; /* how many so far: number i is row[i % CS_RATIOS] */
    cs_ratio row[CS_RATIOS];
    bool known; /* log p of the present state */
    double logp;
    double *x, *y, *out;   /* [dim][lanes], [dim][lanes], [lanes] [own: x] */
    bool *asked, *skipped; /* [lanes] [own: asked] */
};

/* Starts with lane l, and restarts if the lane changed; ends with `lane` >=
 * live. */
cs_status cs_block_compare(cs_block *b, size_t lane, cs_error *err);

/* What the step loop calls, before a step and after it. */
void cs_ratios_before(cs_block *b);
void cs_ratios_after(cs_block *b);

/* to[CS_RATIOS] = the newest ones up to the present step, the oldest first;
 * returns how many. */
size_t cs_block_ratios(const cs_block *b, cs_ratio *to);

/* Frees them. */
void cs_ratios_destroy(cs_ratios *r);
