/* Estimated and true acceptance ratios of one chain of a block, computed on
 * request. For kernels that estimate their ratio (CS_KERNEL_ESTIMATES). The
 * observer evaluates log p of the state before each step and log p of the
 * proposal. The work and the random numbers of the chain therefore do not
 * change. */
#pragma once

#include "chain/block.h"
#include "kernel/decision.h"

/* Number of ratios that are kept; older ones are overwritten. */
enum { CS_RATIOS = 512 };

struct cs_ratios {
    size_t lane;
    uint64_t n; /* number of ratios so far; ratio i is stored in row[i %
                   CS_RATIOS] */
    cs_ratio row[CS_RATIOS];
    bool known; /* true: log p of the current state is known */
    double logp;
    double *x, *y, *out;   /* x[dim][lanes]: state before the step;
                              y[dim][lanes]: proposal; out[lanes]: log p [own:
                              x] */
    bool *asked, *skipped; /* [lanes] masks. asked: the evaluated lane; skipped:
                              all other lanes [own: asked] */
};

/* Starts to compare ratios in lane `lane`. If another lane was compared before,
 * discards the ratios of that lane. If `lane` >= live, stops the comparison. */
cs_status cs_block_compare(cs_block *b, size_t lane, cs_error *err);

/* Called by the step loop: cs_ratios_before before a step, and cs_ratios_after
 * after it. */
void cs_ratios_before(cs_block *b);
void cs_ratios_after(cs_block *b);

/* Fills to[CS_RATIOS] with the newest ratios up to the current step, oldest
 * first. Returns the number of ratios. */
size_t cs_block_ratios(const cs_block *b, cs_ratio *to);

/* Frees the ratios; r may be NULL. */
void cs_ratios_destroy(cs_ratios *r);
