#include "run/views/coupling.h"

#include "base/memory.h"
#include "run/arms/run_state.h"

#include <string.h>

/* Returns true if a step simulates data only once, by an exact draw at the
 * proposal (see the kernel exchange). */
static bool draws_once(const cs_kernel *k)
{
    static const struct {
        const char *name;
        double value;
    } of[] = {{"simulations", 1}, {"inner", 0}};
    const cs_kernel_type *type = k->type;
    bool once = type->flags & CS_KERNEL_SIMULATES;
    for (size_t i = 0; once && i < sizeof of / sizeof *of; i++) {
        int row = cs_param_find(type->params, type->n_params, of[i].name);
        once = row >= 0 && k->values[row] == of[i].value;
    }
    return once;
}

/* Returns the proposal of lane l, repeated in CS_PAD lanes. Scratch for the
 * simulation follows the proposal [own]. NULL: out of memory. */
static double *gather(const cs_block *b, size_t l)
{
    size_t dim = b->move.dim, words = dim + b->target->simulate_words;
    double *x = cs_alloc(words * CS_PAD, sizeof *x);
    for (size_t i = 0; x && i < dim * CS_PAD; i++)
        x[i] = b->move.info.proposal[i / CS_PAD * b->lanes + l];
    return x;
}

bool cs_run_coupling(const cs_run *r, size_t arm, size_t chain,
                     const cs_coupling *c)
{
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    size_t l = cs_arm_lane(a, chain);
    const cs_target_type *type = r->target->type;
    if (!type->factor.coupling || !draws_once(&a->kernel) || b->step == 0 ||
        !b->move.info.proposal || b->failed[l] != 0)
        return false;
    double *x = gather(b, l);
    if (!x)
        return false;
    uint64_t number[CS_PAD];
    for (size_t k = 0; k < CS_PAD; k++)
        number[k] = b->chain[l];
    cs_streams streams = b->move.streams;
    streams.chain = number;
    streams.lanes = CS_PAD;
    streams.live = 1;
    streams.ahead = NULL;
    const cs_point at = {.x = x,
                         .scratch = x + b->move.dim * CS_PAD,
                         .lanes = CS_PAD,
                         .live = 1};
    const cs_simulation s = {.streams = &streams};
    type->factor.coupling(r->target, &at, &s, c);
    cs_free(x);
    return true;
}
