#include "screen/canvas/chain_bins.h"

static size_t bins_of(const cs_chain_bins *h, size_t chain)
{
    size_t n = 0;
    for (size_t b = 0; b < h->bins; b++)
        n += h->mass[chain * h->bins + b] > 0;
    return n;
}

static size_t widest_of(const cs_chain_bins *h)
{
    size_t widest = 0;
    for (size_t c = 0; c < h->chains; c++) {
        size_t n = bins_of(h, c);
        widest = n > widest ? n : widest;
    }
    return widest;
}

static bool is_wide(const cs_chain_bins *h, size_t chain, size_t widest)
{
    enum { TIMES = 20 };
    return bins_of(h, chain) * TIMES >= widest;
}

bool cs_chain_bins_move(const cs_chain_bins *h, size_t chain)
{
    return is_wide(h, chain, widest_of(h));
}

bool cs_chain_bins_sum(const cs_chain_bins *h, double *out)
{
    size_t widest = widest_of(h);
    bool all = true;
    for (size_t b = 0; b < h->bins; b++)
        out[b] = 0;
    for (size_t c = 0; c < h->chains; c++) {
        bool wide = is_wide(h, c, widest);
        all = all && wide;
        for (size_t b = 0; b < h->bins; b++)
            out[b] += wide ? h->mass[c * h->bins + b] : 0;
    }
    return all;
}
