/* Tests the reversibility of a kernel on targets without exact draws.
 *
 * Let P be reversible for pi, and let q be any distribution. The step "y from
 * P(x, .), accepted with probability min(1, pi(x) q(y) / (q(x) pi(y))), else x"
 * is then reversible for q (Liu, Monte Carlo Strategies in Scientific
 * Computing, 2001, section 9.4.3: surrogate transitions). The test draws x from
 * a q that can be sampled. The accepted steps must then raise every statistic
 * as often as they lower it. This is an exact sign test on independent steps,
 * valid for every q. Its power depends on q, which is fitted to the kernel's
 * chains: a Gaussian around one chain, or independent sites, both restricted to
 * possible states. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/cloud.h"
#include "target/enumeration.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum {
    LANES = CS_CHECK_LANES,
    MASSES = 1 << 20,
    TRIAL = 1024,
    LEAST = 400, /* minimum number of accepted steps */
    LOOKED = 8,  /* number of coordinates that are tested */
    ROWS = 2 + LOOKED
};

/* ---- steps --------------------------------------------------------------- */

typedef struct count {
    size_t tried, taken, outside, failed, rows;
    bool decided;                /* true: some step had an acceptance
                                    probability other than 1 */
    size_t up[ROWS], down[ROWS]; /* for log p, log q and some coordinates:
                                  * number of steps that raise the value (up) or
                                  * lower it (down) */
} count;

/* Counts whether a step from x to y raises or lowers each statistic. log p of
 * both states is given. */
static void count_step(cs_cloud *q, count *n, const double *x, double logp,
                       const double *y, double v)
{
    double from = cs_cloud_log_mass(q, x), to = cs_cloud_log_mass(q, y);
    double w = (logp + to) - (v + from);
    if (!memcmp(x, y, q->dim * sizeof *x) ||
        !(log(cs_check_uniform(&q->rng)) < w))
        return;
    n->taken++;
    for (size_t r = 0; r < n->rows; r++) {
        double d = r == 0 ? v - logp : r == 1 ? to - from : y[r - 2] - x[r - 2];
        n->up[r] += d > 0;
        n->down[r] += d < 0;
    }
}

/* Counts the steps of all lanes as count_step does. The lanes started at
 * x[LANES][dim]; y[LANES][dim] is scratch. */
static void count_steps(cs_cloud *q, count *n, const cs_block *b,
                        const double *x, const double *logp, double *y)
{
    double v[LANES];
    size_t lane[LANES], inside = 0;
    for (size_t l = 0; l < LANES; l++) {
        double *to = y + inside * q->dim;
        n->tried++;
        n->decided |= b->move.info.log_ratio[l] != 0;
        cs_block_state(b, l, to);
        if (b->failed[l] != 0)
            n->failed++;
        else if (!cs_space_contains(&q->t->space, to, 1))
            n->outside++;
        else
            lane[inside++] = l;
    }
    cs_enumeration_log_densities(q->t, y, inside, v);
    for (size_t k = 0; k < inside; k++) {
        size_t l = lane[k];
        if (!(v[k] > -HUGE_VAL))
            n->outside++;
        else
            count_step(q, n, x + l * q->dim, logp[l], y + k * q->dim, v[k]);
    }
}

/* Makes at most `pairs` steps; stops when the clock reaches `end`. */
static bool walk(cs_cloud *q, count *n, const cs_arm_view *arm, uint64_t seed,
                 size_t pairs, double end)
{
    double *x = cs_alloc(2 * LANES * q->dim, sizeof *x), logp[LANES];
    cs_block *b = NULL;
    bool good = x != NULL;
    *n = (count){.rows = 2 + (q->dim < LOOKED ? q->dim : LOOKED)};
    for (uint64_t k = 0; good && n->tried < pairs && cs_clock_work() < end;
         k++) {
        if (!cs_cloud_draw(q, x, logp))
            break;
        if (!b)
            good = (b = cs_check_block(q->t, arm, seed, x, LANES)) != NULL;
        else
            good = cs_check_repeat(b, seed + k, x, LANES);
        if (!good)
            break;
        cs_check_steps(b, arm, 1 + k, 1);
        count_steps(q, n, b, x, logp, x + LANES * q->dim);
    }
    cs_block_destroy(b);
    cs_free(x);
    return good;
}

/* Chooses the width of q for which the most steps are accepted. */
static bool widen(cs_cloud *q, cs_check *c, const cs_arm_view *arm,
                  uint64_t seed)
{
    static const double widths[] = {1, 0.5, 0.2, 0.1, 2};
    size_t most = 0, tries = sizeof widths / sizeof *widths;
    double best = 1;
    bool good = true;
    for (size_t k = 0; good && !q->values && k < tries; k++) {
        count n;
        q->scale = widths[k];
        good = walk(q, &n, arm, seed + k, TRIAL,
                    cs_clock_work() + 0.03 * c->seconds);
        if (n.taken > most) {
            most = n.taken;
            best = widths[k];
        }
    }
    q->scale = best;
    return good;
}

/* Returns the smallest p-value of the sign tests, multiplied by the number of
 * tests. */
static double signs_p(const count *n)
{
    double least = 1;
    for (size_t r = 0; r < n->rows; r++) {
        size_t up = n->up[r], down = n->down[r];
        unsigned less = (unsigned)(up < down ? up : down);
        least = fmin(least,
                     2 * gsl_cdf_binomial_P(less, 0.5, (unsigned)(up + down)));
    }
    return fmin(1, least * (double)n->rows);
}

/* Returns the smallest detectable bias in the fraction of upward steps. */
static double unseen(const count *n)
{
    double most = 0;
    for (size_t r = 0; r < n->rows; r++) {
        double steps = (double)(n->up[r] + n->down[r]);
        if (steps > 0)
            most =
                fmax(most, cs_check_sds((double)n->rows) * 0.5 / sqrt(steps));
    }
    return fmin(most, 0.5);
}

static void say_holds(cs_check *c, const cs_arm_view *arm, const count *n,
                      const cs_looks *looks)
{
    const cs_detects seen = {
        looks->error, "in the share of steps that go one way", CS_CHECK_POWER};
    if (cs_check_is_in_doubt(looks))
        cs_check_say(c, arm->name, "balance", CS_UNTRIED,
                     "undecided (p = %.1e) when time ran out: "
                     "increase --seconds",
                     looks->p);
    else
        cs_check_hold(c, arm->name, "balance", seen,
                      "%zu steps weighted by the density go equally often in "
                      "both directions (p = %.2g)",
                      n->taken, looks->p);
}

/* Returns true if the kernel must be reversible. A script's kernel whose ratio
 * is always 1 has no accept step: it may be a Gibbs sampler with a fixed order,
 * or any other kernel that leaves the target invariant. */
static bool promises(const cs_arm_view *arm, const count *n)
{
    const cs_kernel_type *type = arm->kernel->type;
    return type->flags & CS_KERNEL_REVERSIBLE &&
           (n->decided || !type->instance);
}

static void judge(cs_check *c, const cs_arm_view *arm, const count *n,
                  const cs_looks *looks)
{
    bool promised = promises(arm, n);
    if (n->failed && !n->outside) /* not a fault: the starts are draws of q, and
                                     the kernel's own chains may never be in
                                     such states */
        cs_check_say(c, arm->name, "inside", CS_NOTED,
                     "%zu of %zu steps from unlikely states met NaN, which "
                     "stops a chain",
                     n->failed, n->tried);
    else
        cs_check_inside(c, arm->name, n->tried, n->outside, 0);
    if (n->tried == 0)
        cs_check_say(c, arm->name, "balance", CS_UNTRIED,
                     "the target has no exact draws, and no possible state was "
                     "found by chance");
    else if (n->taken < LEAST)
        cs_check_say(c, arm->name, "balance", CS_UNTRIED,
                     "the target has no exact draws, and of %zu steps only %zu "
                     "were accepted: too few to judge",
                     n->tried, n->taken);
    else if (!cs_check_refutes(looks))
        say_holds(c, arm, n, looks);
    else if (promised)
        cs_check_say(
            c, arm->name, "balance", CS_BROKEN,
            "not reversible, though declared so: among %zu steps weighted by "
            "the density, more go forward than back (p = %.1e)",
            n->taken, looks->p);
    else
        cs_check_say(
            c, arm->name, "balance", CS_UNTRIED,
            "among %zu steps weighted by the density, more go forward than "
            "back (p = %.1e); a kernel may keep the target without being "
            "reversible (sites in order): law stationarity decides",
            n->taken, looks->p);
}

/* Returns the reason why steps cannot be weighted, or NULL. */
static const char *obstacle(const cs_target *t, const cs_arm_view *arm)
{
    if (!cs_kernel_is_exact(arm->kernel, t))
        return "the kernel is declared biased";
    if (cs_kernel_aux_rows(arm->kernel, t) || arm->kernel->type->wraps)
        return "the kernel changes more than the state";
    if (t->space.kind == CS_MIXED)
        return "the space is mixed";
    if ((double)t->space.dim * t->space.values > MASSES)
        return "a site has too many values";
    return t->truth && t->truth->slow ? "the density takes too long" : NULL;
}

cs_status cs_check_balance(cs_check *c, cs_target *t, const cs_arm_view *arm,
                           uint64_t seed, cs_error *err)
{
    const char *why = obstacle(t, arm);
    if (why) {
        cs_check_say(c, arm->name, "balance", CS_UNTRIED,
                     "the target has no exact draws, its states (more than %d) "
                     "cannot all be summed, and %s",
                     CS_CHECK_STATES, why);
        return CS_OK;
    }
    cs_cloud q;
    count n;
    cs_looks looks = {.error = HUGE_VAL, .begin = cs_clock_work()};
    bool good = cs_cloud_open(&q, t, seed) &&
                cs_cloud_lay(&q, c, arm, seed + 3, 0.15 * c->seconds) &&
                widen(&q, c, arm, seed + 5);
    while (good && cs_check_look(c, &looks)) {
        good = walk(&q, &n, arm, seed + 1000003 * looks.look, looks.draws,
                    looks.until);
        looks.p = signs_p(&n);
        looks.error = n.taken ? fmin(looks.error, unseen(&n)) : 0;
    }
    if (good)
        judge(c, arm, &n, &looks);
    cs_free(q.memory);
    return good
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for the law 'balance'");
}
