/* Computes the path of the next step on a copy of the chain. A chain computes
 * the same values in any block, so these are the points that it will
 * evaluate. */
#include "run/preview/step_path.h"
#include "base/memory.h"
#include "kernel/step_trace.h"
#include "run/arms/run_state.h"
#include "run/tuning/tune.h"

/* Converts rows of coordinates to rows of quantities. */
static bool show_points(const cs_target *t, const double *x, size_t n,
                        double *shown)
{
    bool good = true;
    for (size_t i = 0; i < n && good; i++)
        good = cs_target_show(t, x + i * t->space.dim,
                              shown + i * cs_target_shown(t));
    return good;
}

bool cs_run_path(cs_run *r, size_t arm, size_t chain, size_t capacity,
                 double *point, size_t *n, double *end)
{
    cs_arm *a = &r->arm[arm];
    size_t dim = r->target->space.dim;
    bool scripted = (r->target->flags & CS_TARGET_MAIN_THREAD) ||
                    (a->kernel.type->flags & CS_KERNEL_MAIN_THREAD);
    *n = 0;
    if (scripted || cs_arm_block(a, chain)->failed[cs_arm_lane(a, chain)] != 0)
        return false;
    cs_step_trace notes = {
        .watch = {.point = cs_alloc((capacity + 1) * dim, sizeof(double)),
                  .capacity = capacity}};
    cs_eval_watch *watch = &notes.watch;
    cs_block *b = watch->point ? cs_run_copy(r, a, chain) : NULL;
    bool good = b && cs_arm_fill(a, a->steps + 1, 1) == 1;
    if (good) {
        b->eval.watch = watch;
        cs_block_run(b, &a->round.driven, 1, NULL);
        *n = watch->n;
        double *x = watch->point + capacity * dim;
        cs_block_state(b, 0, x);
        good = show_points(r->target, watch->point,
                           watch->n < capacity ? watch->n : capacity, point) &&
               cs_target_show(r->target, x, end);
    }
    cs_block_destroy(b);
    cs_free(watch->point);
    return good;
}
