#include "run/views/ratio_watch.h"

#include "run/arms/run_state.h"

#include <assert.h>

cs_status cs_run_compare(cs_run *r, size_t arm, size_t chain, bool on,
                         cs_error *err)
{
    cs_arm *a = &r->arm[arm];
    assert(arm < r->n_arms && chain < a->chains);
    const cs_block *mine = cs_arm_block(a, chain);
    if (on && !(a->kernel.type->flags & CS_KERNEL_ESTIMATES)) {
        cs_fail(err, CS_UNSUPPORTED,
                "kernel %s of arm %s does not estimate acceptance ratios",
                a->kernel.type->name, a->name);
        cs_hint(
            err,
            "choose an arm whose kernel draws rows of data or simulates data");
        return CS_UNSUPPORTED;
    }
    cs_status status = on ? cs_target_check_density(r->target, err) : CS_OK;
    for (size_t i = 0; i < a->n_blocks && status == CS_OK; i++) {
        cs_block *b = a->block[i];
        size_t lane = on && b == mine ? cs_arm_lane(a, chain) : b->live;
        status = cs_block_compare(b, lane, err);
    }
    return status;
}

size_t cs_run_ratios(const cs_run *r, size_t arm, size_t chain, cs_ratio *to)
{
    const cs_block *b = cs_arm_block(&r->arm[arm], chain);
    bool mine =
        b->ratios && b->ratios->lane == cs_arm_lane(&r->arm[arm], chain);
    return mine ? cs_block_ratios(b, to) : 0;
}
