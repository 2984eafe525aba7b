/* Copies the slab of a block, or of one of its lanes. */
#include "chain/block.h"

#include <assert.h>
#include <string.h>

void cs_block_loaded(cs_block *b)
{
    for (size_t l = 0; l < b->lanes; l++)
        b->move.failed[l] = b->failed[l] != 0;
}

void cs_block_save_lane(const cs_block *b, size_t lane, double *words)
{
    assert(lane < b->lanes && words);
    for (size_t w = 0; w < b->slab_words; w++)
        words[w] = b->slab[w * b->lanes + lane];
}

void cs_block_load_lane(cs_block *b, size_t lane, const double *words)
{
    assert(lane < b->live && words);
    size_t end = lane + 1 == b->live ? b->lanes : lane + 1;
    for (size_t w = 0; w < b->slab_words; w++)
        for (size_t l = lane; l < end; l++)
            b->slab[w * b->lanes + l] = words[w];
    cs_block_loaded(b);
}

void cs_block_save(const cs_block *b, double *words)
{
    assert(words);
    memcpy(words, b->slab, b->slab_words * b->lanes * sizeof(double));
}

void cs_block_load(cs_block *b, const double *words)
{
    assert(words);
    memcpy(b->slab, words, b->slab_words * b->lanes * sizeof(double));
    cs_block_loaded(b);
}
