/* Whether an arm's kernel keeps the distribution of the target: chains that
 * start from exact draws are exact draws after some steps. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"
#include "target/enumeration.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, STEPS = 5, COMPARED = 16, MANY = 4096 };
enum { UNEVEN = 8 }; /* nats between weights */

/* ---- exact starts -------------------------------------------------------- */

/* Where exact draws come from: all states by their masses, or the target. */
typedef struct exact {
    cs_target *t;
    const cs_enumeration *truth; /* NULL: the target's own draws */
    double *sum;                 /* [n] of the masses up to a state [own] */
    double *uniform;             /* [n_uniform] [own] */
    cs_check_rng rng;
} exact;

bool cs_check_can_draw(const cs_check *c, const cs_target *t)
{
    return c->states || (t->type->draw && t->n_uniform > 0);
}

/* False when out of memory. */
static bool find_exact(exact *e, const cs_check *c, cs_target *t, uint64_t seed)
{
    *e = (exact){.t = t, .rng = {.key = seed + 23}};
    const cs_enumeration *truth = c->states;
    if (truth) {
        e->truth = truth;
        e->sum = cs_alloc(truth->n, sizeof *e->sum);
        for (size_t k = 0; e->sum && k < truth->n; k++)
            e->sum[k] = truth->p[k] + (k ? e->sum[k - 1] : 0);
        return e->sum != NULL;
    }
    e->uniform = cs_alloc(t->n_uniform, sizeof *e->uniform);
    return e->uniform != NULL;
}

static void lose(exact *e)
{
    cs_free(e->sum);
    cs_free(e->uniform);
}

static void draw_one(exact *e, double *x)
{
    if (!e->truth) {
        for (size_t k = 0; k < e->t->n_uniform; k++)
            e->uniform[k] = cs_check_uniform(&e->rng);
        e->t->type->draw(e->t, e->uniform, x);
        return;
    }
    double uniform = cs_check_uniform(&e->rng) * e->sum[e->truth->n - 1];
    size_t low = 0, high = e->truth->n - 1;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (e->sum[mid] > uniform)
            high = mid;
        else
            low = mid + 1;
    }
    cs_space_state(&e->t->space, low, x);
}

/* ---- what comes of them -------------------------------------------------- */

/* Where chains are after some steps: how often in each state, or numbers that
 * are compared with those of as many exact draws, log p and some coordinates. */
typedef struct ends {
    size_t rows, n, room;
    double *count;          /* [states], NULL: these cannot be listed [own] */
    double *number, *fresh; /* [rows][room] at the end, and of exact draws
                               [own] the first */
    size_t outside, failed;
    /* Of a kernel whose draws have weights w: chains that began at exact draws
     * keep p / w, and those that are kept with chance w(end) / w(start) over its
     * bound are exact draws again. log w of the starts, log of the bound. */
    const double *start;
    double bound;
} ends;

static bool open_ends(ends *to, const exact *e, size_t room)
{
    size_t dim = e->t->space.dim;
    *to = (ends){.room = room, .rows = 1 + (dim < COMPARED ? dim : COMPARED)};
    if (e->truth) {
        to->count = cs_alloc(e->truth->n, sizeof *to->count);
        return to->count != NULL;
    }
    to->number = cs_alloc(2 * to->rows * room, sizeof *to->number);
    to->fresh = to->number ? to->number + to->rows * room : NULL;
    return to->number != NULL;
}

static void close_ends(ends *to)
{
    cs_free(to->count);
    cs_free(to->number);
    to->count = to->number = NULL;
}

/* Notes n states x[n][dim] in columns of `row`. */
static void note(const exact *e, const double *x, size_t n, double *row,
                 size_t room)
{
    size_t dim = e->t->space.dim;
    cs_check_log_densities(e->t, x, n, row);
    for (size_t l = 0; l < n; l++)
        for (size_t i = 0; i < dim && i < COMPARED; i++)
            row[(1 + i) * room + l] = x[l * dim + i];
}

/* Notes that n chains have come to x[n][dim], and as many exact draws. */
static void note_numbers(exact *e, ends *to, const double *x,
                         const double *fresh, size_t n)
{
    note(e, x, n, to->number + to->n, to->room);
    note(e, fresh, n, to->fresh + to->n, to->room);
    to->n += n;
}

/* Whether lane l ends at a draw of the target. */
static bool is_kept(exact *e, const cs_block *b, const ends *to, size_t l)
{
    const double *weight = b->move.info.log_weight;
    if (!weight || !b->is_weighed)
        return !weight || weight[l] > -HUGE_VAL;
    double ratio = weight[l] - to->start[l] - to->bound;
    return ratio > -HUGE_VAL && log(cs_check_uniform(&e->rng)) < ratio;
}

/* x [2][LANES][dim] is written to. */
static void note_ends(exact *e, cs_block *b, ends *to, double *x)
{
    size_t dim = e->t->space.dim, n = 0;
    double *first = x, *fresh = x + LANES * dim;
    for (size_t l = 0; l < LANES && to->n + n < to->room; l++) {
        if (!is_kept(e, b, to, l))
            continue;
        cs_block_state(b, l, x);
        if (b->failed[l] != 0) {
            to->failed++;
            continue;
        }
        if (!cs_space_contains(&e->t->space, x, 1) ||
            (b->logp_kind == CS_LOGP_EXACT &&
             b->move.info.logp[l] == -HUGE_VAL)) {
            to->outside++;
            continue;
        }
        if (to->count) {
            to->count[cs_space_index(&e->t->space, x)]++;
            to->n++;
            continue;
        }
        draw_one(e, fresh + n++ * dim);
        x += dim;
    }
    if (n)
        note_numbers(e, to, first, fresh, n);
}

static bool run_chains(cs_check *c, exact *e, const cs_arm_view *arm,
                       uint64_t seed, ends *to)
{
    size_t dim = e->t->space.dim;
    double *x = cs_alloc(3 * LANES * dim, sizeof *x), weight[LANES];
    cs_block *b = NULL;
    double end = cs_clock() + c->seconds;
    to->start = weight;
    bool good = x != NULL;
    for (uint64_t k = 0; good && to->n < to->room && cs_clock() < end; k++) {
        for (size_t l = 0; l < LANES; l++)
            draw_one(e, x + l * dim);
        if (!b)
            good = (b = cs_check_block(e->t, arm, seed, x, LANES)) != NULL;
        else
            good = cs_check_repeat(b, seed + k, x, LANES);
        if (!good)
            break;
        if (b->is_weighed)
            memcpy(weight, b->move.info.log_weight, sizeof weight);
        cs_check_steps(b, arm, 1 + k * STEPS, STEPS);
        note_ends(e, b, to, x + LANES * dim);
        if (to->failed > to->room)
            break;
    }
    cs_block_destroy(b);
    cs_free(x);
    return good;
}

/* The smallest p-value of two samples, times how many were compared. */
static double samples_p(const ends *to, cs_distance *worst)
{
    double least = 1;
    *worst = (cs_distance){.what = "largest distance"};
    for (size_t r = 0; r < to->rows; r++) {
        double d, p = cs_check_samples_p(to->number + r * to->room,
                                         to->fresh + r * to->room, to->n, &d);
        least = fmin(least, p);
        worst->far = fmax(worst->far, d);
    }
    return fmin(1, least * (double)to->rows);
}

void cs_check_inside(cs_check *c, const char *arm, size_t outside,
                     size_t failed)
{
    if (outside || failed)
        cs_check_say(c, arm, "inside", CS_BROKEN,
                     "%zu chains ended where log p is -inf, %zu failed",
                     outside, failed);
    else
        cs_check_say(c, arm, "inside", CS_HOLDS,
                     "no chain left what is possible");
}

static void judge(cs_check *c, const cs_target *t, const cs_arm_view *arm,
                  const ends *to, const cs_looks *looks,
                  const cs_distance *worst)
{
    bool promised = cs_kernel_is_exact(arm->kernel, t);
    cs_check_inside(c, arm->name, to->outside, to->failed);
    if (to->n == 0)
        return;
    if (!cs_check_refutes(looks))
        cs_check_say(c, arm->name, "stationarity", CS_HOLDS,
                     "%zu exact draws are still that after %d steps (p = %.2g)",
                     to->n, STEPS, looks->p);
    else if (promised)
        cs_check_say(c, arm->name, "stationarity", CS_BROKEN,
                     "%zu exact draws are none after %d steps: %s %.3g, "
                     "p = %.1e",
                     to->n, STEPS, worst->what, worst->far, looks->p);
    else
        cs_check_say(c, arm->name, "stationarity", CS_NOTED,
                     "biased, as the kernel says: %s %.3g after %d steps",
                     worst->what, worst->far, STEPS);
}

/* log of the largest ratio of two weights of states, or of many exact draws and
 * then half as much again; 0 where all draws count alike. False when out of
 * memory. */
static bool find_bound(exact *e, const cs_arm_view *arm, double *bound)
{
    size_t dim = e->t->space.dim, n = e->truth ? e->truth->n : MANY;
    double *x = cs_alloc(LANES * dim, sizeof *x);
    double least = HUGE_VAL, most = -HUGE_VAL;
    cs_block *b = NULL;
    bool good = x != NULL;
    *bound = 0;
    for (size_t k = 0; good && k < n && (!b || b->is_weighed); k += LANES) {
        for (size_t l = 0; l < LANES; l++)
            if (e->truth && e->truth->p[(k + l) % n] > 0)
                cs_space_state(&e->t->space, (k + l) % n, x + l * dim);
            else
                draw_one(e, x + l * dim);
        good = b ? cs_check_repeat(b, 1, x, LANES)
                 : (b = cs_check_block(e->t, arm, 1, x, LANES)) != NULL;
        for (size_t l = 0; good && b->is_weighed && l < LANES; l++) {
            least = fmin(least, b->move.info.log_weight[l]);
            most = fmax(most, b->move.info.log_weight[l]);
        }
    }
    if (most > -HUGE_VAL)
        *bound = (most - least) * (e->truth ? 1 : 1.5);
    else if (b && b->is_weighed) /* no state is a draw as yet */
        *bound = HUGE_VAL;
    cs_block_destroy(b);
    cs_free(x);
    return good;
}

/* One look. False when out of memory. */
static bool look(cs_check *c, exact *e, const cs_arm_view *arm, uint64_t seed,
                 cs_looks *looks, ends *to, cs_distance *worst)
{
    double bound = to->bound;
    bool good = open_ends(to, e, looks->draws);
    to->bound = bound;
    good = good && run_chains(c, e, arm, seed + 1000003 * looks->look, to);
    if (good && to->n)
        looks->p = to->count ? cs_check_counts_p(e->t, e->truth, to->count,
                                                 to->n, worst)
                             : samples_p(to, worst);
    close_ends(to);
    return good && !isnan(looks->p);
}

static cs_status compare_ends(cs_check *c, exact *e, const cs_arm_view *arm,
                              uint64_t seed, cs_error *err)
{
    cs_looks looks = {0};
    ends to = {0};
    cs_distance worst = {.what = ""};
    bool good = find_bound(e, arm, &to.bound);
    if (good && to.bound > UNEVEN) {
        cs_check_say(c, arm->name, "stationarity", CS_UNTRIED,
                     "its weights are still being learned, or too uneven");
        return CS_OK;
    }
    while (good && !to.outside && !to.failed && cs_check_look(c, &looks))
        good = look(c, e, arm, seed, &looks, &to, &worst);
    if (good && to.n + to.outside + to.failed)
        judge(c, e->t, arm, &to, &looks, &worst);
    return good ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory");
}

cs_status cs_check_stationarity(cs_check *c, cs_target *t,
                                const cs_arm_view *arm, uint64_t seed,
                                cs_error *err)
{
    const cs_kernel_type *type = arm->kernel->type;
    exact e;
    if (cs_check_is_joint(type)) {
        cs_check_say(c, arm->name, "stationarity", CS_UNTRIED,
                     "its temperature is part of the state: exact draws of x "
                     "alone are none of both");
        return CS_OK;
    }
    cs_status s = find_exact(&e, c, t, seed)
                      ? compare_ends(c, &e, arm, seed, err)
                      : cs_fail(err, CS_MEMORY, "out of memory");
    lose(&e);
    return s;
}
