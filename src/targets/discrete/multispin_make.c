/* Constructs the tables for resampling a torus: see
 * targets/discrete/multispin.h. */
#include "base/memory.h"
#include "targets/discrete/multispin.h"

#include <assert.h>
#include <math.h>

/* Returns floor(2^64 p), at most 2^64 - 1. */
static uint64_t chance_of(double p)
{
    double scaled = p * 0x1p64;
    return scaled < 0x1p64 ? (uint64_t)scaled : UINT64_MAX;
}

static void fill_chances(cs_multispin *t, double coupling, double field)
{
    for (int k = 0; k < 5; k++) {
        double logp = coupling * (2 * k - 4) + field;
        uint64_t chance = chance_of(1 / (1 + exp(-2 * logp)));
        for (int b = 0; b < 64; b++)
            t->chance[b][k] = chance >> (63 - b) & 1 ? UINT64_MAX : 0;
    }
}

static void mark(uint64_t *mask, size_t n)
{
    mask[n / 64] |= UINT64_C(1) << n % 64;
}

static void fill_masks(cs_multispin *t)
{
    for (size_t n = 0; n < t->bits; n++) {
        size_t k = n % t->half, row = n / t->half;
        for (size_t c = 0; c < 2; c++) {
            bool odd = (row + c) % 2;
            size_t side = odd ? (k + 1 < t->half ? 1 : 3) : (k > 0 ? 0 : 2);
            mark(t->mask + (2 * side + c) * t->words, n);
        }
        mark(t->mask + 8 * t->words, n);
    }
}

cs_status cs_multispin_make(cs_multispin *t, size_t rows, size_t cols,
                            double coupling, double field, cs_error *err)
{
    assert(t && rows && cols && cols % 2 == 0);
    *t = (cs_multispin){.rows = rows, .cols = cols, .half = cols / 2};
    t->bits = rows * t->half;
    t->words = 2 * cs_pad_lanes((t->bits + 127) / 128);
    t->even = field == 0;
    t->halo = cs_pad_lanes(t->half / 64 + 2);
    t->mask = cs_alloc(9 * t->words, sizeof *t->mask);
    if (!t->mask)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu sites",
                       rows * cols);
    fill_chances(t, coupling, field);
    fill_masks(t);
    return CS_OK;
}

void cs_multispin_free(cs_multispin *t)
{
    cs_free(t->mask);
    t->mask = NULL;
}

size_t cs_multispin_scratch_words(const cs_multispin *t)
{
    return cs_rows_for(2 * (t->words + 2 * t->halo) + CS_TORUS_DRAWN + CS_PAD);
}
