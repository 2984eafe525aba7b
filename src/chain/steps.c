/* Selects the step loop for the instruction set, and drops draws after a
 * rewind. */
#include "chain/steps.h"

size_t cs_block_run(cs_block *b, const cs_driven *driven, size_t n,
                    const _Atomic bool *stop)
{
    static const cs_steps *const variant[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_block_steps)};
    return variant[0][cs_simd_level()]->run(b, driven, n, stop);
}

void cs_block_trim(cs_block *b)
{
    for (size_t i = 0; i < CS_RECORDERS; i++) {
        cs_recorder *recorder = &b->recorder[i];
        uint64_t seen = b->in_warmup ? 0 : b->step - b->warmup_steps;
        uint64_t rows = recorder->every ? seen / recorder->every : 0;
        if (recorder->thin)
            recorder->used =
                rows < recorder->valid ? (size_t)rows : recorder->valid;
    }
}
