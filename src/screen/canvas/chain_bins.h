/* Histograms with one row per chain, and the scale that their chains set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_chain_bins {
    const double *mass; /* [chains][bins] [borrowed] */
    size_t chains, bins;
} cs_chain_bins;

/* Returns true if a chain is in at least a twentieth of the number of bins that
 * the widest chain is in. A chain that is not hardly moves, and sets no
 * scale. */
bool cs_chain_bins_move(const cs_chain_bins *h, size_t chain);

/* Writes to out[bins] the sum of the masses of the chains that move. Returns
 * true if all chains move. */
bool cs_chain_bins_sum(const cs_chain_bins *h, double *out);
