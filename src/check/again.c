/* Whether a step follows from the state and the random numbers alone: what a
 * kernel or a density keeps for itself between calls (a counter in a closure,
 * say) breaks rewind, resume and the distribution itself. */
#include "base/memory.h"
#include "check/laws.h"

#include <string.h>

enum { LANES = CS_CHECK_LANES, STEPS = 24 };

/* Fills x[dim][lanes] with where chains from the same places get. False when
 * out of memory. */
static bool walk(cs_check *c, cs_target *t, const cs_arm_view *arm,
                 uint64_t seed, double *x)
{
    cs_block *b = cs_check_block(t, arm, seed, c->place, c->places);
    if (!b)
        return false;
    cs_check_steps(b, arm, 1, STEPS);
    for (size_t l = 0; l < LANES; l++) {
        cs_block_state(b, l, x + l * t->space.dim);
        if (b->failed[l] != 0) /* and is anywhere */
            memset(x + l * t->space.dim, 0, t->space.dim * sizeof *x);
    }
    cs_block_destroy(b);
    return true;
}

cs_status cs_check_again(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err)
{
    size_t n = LANES * t->space.dim, other = 0;
    double *x = cs_alloc(2 * n, sizeof *x);
    bool good =
        x && walk(c, t, arm, seed + 7, x) && walk(c, t, arm, seed + 7, x + n);
    for (size_t l = 0; good && l < LANES; l++)
        other += memcmp(x + l * t->space.dim, x + n + l * t->space.dim,
                        t->space.dim * sizeof *x) != 0;
    cs_free(x);
    if (!good)
        return cs_fail(err, CS_MEMORY, "out of memory");
    if (other)
        cs_check_say(c, arm->name, "again", CS_BROKEN,
                     "%zu of %d chains went elsewhere when they began again "
                     "from the same states and random numbers: a step may "
                     "depend on its arguments alone, on nothing kept between "
                     "calls",
                     other, LANES);
    else
        cs_check_say(c, arm->name, "again", CS_HOLDS,
                     "%d steps from the same states and random numbers end "
                     "where they did",
                     STEPS);
    return CS_OK;
}
