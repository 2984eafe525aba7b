/* Copies one chain to a new block. A chain computes the same values in any
 * block, so the copy makes the same steps as the chain. */
#include "base/memory.h"
#include "run/arms/run_state.h"

cs_block *cs_run_copy(cs_run *r, const cs_arm *a, size_t chain)
{
    const cs_block *from = cs_arm_block(a, chain);
    cs_block *b = NULL;
    double *words = cs_alloc(from->slab_words, sizeof *words);
    if (words && cs_block_create(&b, a->target, &a->kernel, a->seed, chain, 1,
                                 r->probe, r->n_probes, NULL) == CS_OK) {
        cs_block_save_lane(from, cs_arm_lane(a, chain), words);
        cs_block_load_lane(b, 0, words);
        cs_block_set_metric(b, a->metric);
        b->step = a->steps;
        b->warmup_steps = from->warmup_steps;
        b->in_warmup = true; /* disables observers, since a warm-up has no
                                observers */
        b->unadjusted = from->unadjusted;
        b->generation = from->generation;
    }
    cs_free(words);
    return b;
}
