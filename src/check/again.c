/* Checks that a step depends only on the state and the random numbers. State
 * that a kernel or a density keeps between calls (for example a counter in a
 * closure) breaks rewinding, resuming and the distribution itself.
 *
 * Chains are run twice from the same states with the same random numbers. A
 * counter with period n is detected unless n divides the number of calls
 * between the two runs. The number of calls is LANES * steps + 1 times the
 * calls per step of one chain, because a single chain makes one step between
 * the two runs. The test uses two numbers of steps, for which the two values of
 * LANES * steps + 1 have no common divisor. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"

#include <math.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, LENGTHS = 2 };

static const size_t lengths[LENGTHS] = {23, 13}; /* the two numbers of steps,
                                                    both prime */

/* Makes *steps steps and fills x[LANES][dim] with the final states. Stops early
 * when the clock reaches `end`. Sets *steps to the number of steps made.
 * Returns false if memory is exhausted. */
static bool walk(cs_check *c, cs_target *t, const cs_arm_view *arm,
                 uint64_t seed, double end, size_t *steps, double *x)
{
    cs_block *b = cs_check_block(t, arm, seed, c->place, c->places);
    size_t made = 0;
    if (!b)
        return false;
    while (made < *steps && (made == 0 || cs_clock_work() < end))
        cs_check_steps(b, arm, ++made, 1);
    *steps = made;
    for (size_t l = 0; l < LANES; l++) {
        cs_block_state(b, l, x + l * t->space.dim);
        if (b->failed[l] != 0) /* the state of a failed chain is arbitrary */
            memset(x + l * t->space.dim, 0, t->space.dim * sizeof *x);
    }
    cs_block_destroy(b);
    return true;
}

/* Makes one step of one chain. Returns false if memory is exhausted. */
static bool step_between(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed)
{
    cs_block *b = NULL;
    const double *start[1] = {c->place};
    if (cs_block_create(&b, t, arm->kernel, seed, 0, 1, NULL, 0, NULL))
        return false;
    cs_block_set_metric(b, arm->metric);
    if (cs_block_start(b, start, NULL) == CS_OK)
        cs_check_steps(b, arm, 1, 1);
    cs_block_destroy(b);
    return true;
}

/* Counts the chains whose final states in the first and in the second run
 * differ. Returns false if memory is exhausted. */
static bool count_other(cs_check *c, cs_target *t, const cs_arm_view *arm,
                        uint64_t seed, size_t *steps, size_t *other)
{
    size_t dim = t->space.dim, n = LANES * dim;
    double *x = cs_alloc(2 * n, sizeof *x);
    double end = cs_clock_work() + c->seconds / (2 * LENGTHS);
    bool good = x && walk(c, t, arm, seed, end, steps, x) &&
                step_between(c, t, arm, seed) &&
                walk(c, t, arm, seed, HUGE_VAL, steps, x + n);
    *other = 0;
    for (size_t l = 0; good && l < LANES; l++)
        *other += memcmp(x + l * dim, x + n + l * dim, dim * sizeof *x) != 0;
    cs_free(x);
    return good;
}

cs_status cs_check_again(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err)
{
    size_t steps[LENGTHS], other = 0;
    for (size_t k = 0; k < LENGTHS && !other; k++) {
        steps[k] = lengths[k];
        if (!count_other(c, t, arm, seed + 7 + k, &steps[k], &other))
            return cs_fail(err, CS_MEMORY, "out of memory for the law 'again'");
    }
    if (other)
        cs_check_say(c, arm->name, "again", CS_BROKEN,
                     "%zu of %d chains ended in other states when repeated "
                     "from the same states and random numbers: make a step "
                     "depend only on its arguments",
                     other, LANES);
    else
        cs_check_hold(c, arm->name, "again",
                      (cs_detects){0, "in the last bit", 1},
                      "%zu and %zu steps of %d chains from the same states and "
                      "random numbers end in the same states",
                      steps[0], steps[1], LANES);
    return CS_OK;
}
