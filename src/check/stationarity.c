/* Checks that the target distribution is stationary for an arm's kernel. Chains
 * that start from independent draws (check/origin.h) must end at independent
 * draws. The means of functions must not differ between start and end
 * (check/shift.h). If all states are enumerated, the counts of the final states
 * are also compared with the probabilities of the states. The final states of
 * chains from exact draws are compared with an equal number of other exact
 * draws. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/shift.h"

#include <math.h>
#include <string.h>

/* STEPS: number of steps per chain. The number is multiplied by four as long as
 * the chains have not moved. */
enum { LANES = CS_CHECK_LANES, STEPS = 5, MOST_STEPS = 320, MANY = 4096 };
enum { COMPARED = 16, LEAST = 400 /* smallest number of weighted starts */ };
enum { UNEVEN = 8 }; /* largest log ratio of weights */

/* ---- final states -------------------------------------------------------- */

/* Final states of the chains: counts per state, or numbers (log p and some
 * coordinates) that are compared with those of an equal number of exact
 * draws. */
typedef struct ends {
    size_t rows, n, capacity, steps;
    double *count; /* [states] counts of the final states; NULL: the
                               states cannot be enumerated [own] */
    double *number,
        *fresh; /* [rows][capacity] values of the final states [own],
                               and of exact draws; NULL: the starts have
                               weights */
    size_t outside, failed;
    bool shifts;    /* true: starts and ends are compared as pairs */
    cs_shift shift; /* changes of means between starts and ends */
    /* Used for a kernel whose draws have weights w. The starts are exact draws
     * of p, but the chains sample p / w. A final state is therefore kept only
     * with probability w(end) / w(start) / bound. With this rule the kept
     * states are exact draws of p. `start` holds log w of the starts, and
     * `bound` is stored as a logarithm. */
    const double *start;
    double bound;
} ends;

/* Scratch for the starts and ends of a block. */
typedef struct batch {
    double *x, *y, *fresh; /* [LANES][dim] x: starts; y: ends; fresh: exact
                            * draws [own: x] */
    double logp[LANES], weight[LANES], v[LANES];
    size_t lane[LANES], n; /* indices of the n lanes whose final state is
                              kept */
} batch;

/* Allocates the arrays for `capacity` starts and ends. Returns false if memory
 * is exhausted. */
static bool open_ends(ends *to, const cs_origin *o, size_t capacity)
{
    size_t dim = o->t->space.dim;
    to->capacity = capacity;
    to->rows = 1 + (dim < COMPARED ? dim : COMPARED);
    to->n = 0;
    cs_shift_clear(&to->shift);
    if (o->weighted)
        return true;
    if (o->truth) {
        to->count = cs_alloc(o->truth->n, sizeof *to->count);
        return to->count != NULL;
    }
    to->number = cs_alloc(2 * to->rows * capacity, sizeof *to->number);
    to->fresh = to->number ? to->number + to->rows * capacity : NULL;
    return to->number != NULL;
}

static void close_ends(ends *to)
{
    cs_free(to->count);
    cs_free(to->number);
    to->count = to->number = NULL;
}

static bool open_round(batch *r, size_t dim)
{
    *r = (batch){.x = cs_alloc(3 * LANES * dim, sizeof *r->x)};
    r->y = r->x ? r->x + LANES * dim : NULL;
    r->fresh = r->x ? r->y + LANES * dim : NULL;
    return r->x != NULL;
}

/* Stores log p of n states x[n][dim] and some of their coordinates in n
 * columns, from `row` on. */
static void note(const cs_origin *o, const double *x, const double *logp,
                 size_t n, double *row, size_t capacity)
{
    size_t dim = o->t->space.dim;
    memcpy(row, logp, n * sizeof *row);
    for (size_t l = 0; l < n; l++)
        for (size_t i = 0; i < dim && i < COMPARED; i++)
            row[(1 + i) * capacity + l] = x[l * dim + i];
}

/* Stores values of the final states r->y of a block, and of an equal number of
 * exact draws. */
static void note_numbers(cs_origin *o, ends *to, batch *r)
{
    double logp[LANES], weight;
    for (size_t k = 0; k < r->n; k++)
        cs_origin_draw(o, r->fresh + k * o->t->space.dim, &logp[k], &weight);
    note(o, r->y, r->v, r->n, to->number + to->n, to->capacity);
    note(o, r->fresh, logp, r->n, to->fresh + to->n, to->capacity);
}

/* Returns true if the final state of lane l is a draw of the target. */
static bool is_kept(cs_origin *o, const cs_block *b, const ends *to, size_t l)
{
    const double *weight = b->move.info.log_weight;
    if (!weight || !b->weights.are_numbers)
        return !weight || weight[l] > -HUGE_VAL;
    double ratio = weight[l] - to->start[l] - to->bound;
    return ratio > -HUGE_VAL && log(cs_check_uniform(&o->rng)) < ratio;
}

/* Copies the kept final states to r->y, and log p of each. */
static void read_ends(cs_origin *o, const cs_block *b, ends *to, batch *r)
{
    size_t dim = o->t->space.dim;
    r->n = 0;
    for (size_t l = 0; l < LANES && to->n + r->n < to->capacity; l++) {
        double *y = r->y + r->n * dim;
        if (!is_kept(o, b, to, l))
            continue;
        cs_block_state(b, l, y);
        if (b->failed[l] != 0)
            to->failed++;
        else if (!cs_space_contains(&o->t->space, y, 1) ||
                 (b->logp_kind == CS_LOGP_EXACT &&
                  b->move.info.logp[l] == -HUGE_VAL))
            to->outside++;
        else
            r->lane[r->n++] = l;
    }
    for (size_t k = 0; o->truth && k < r->n; k++)
        r->v[k] =
            o->truth->logp[cs_space_index(&o->t->space, r->y + k * dim, 1)];
    if (!o->truth)
        cs_enumeration_log_densities(o->t, r->y, r->n, r->v);
}

static void note_ends(cs_origin *o, const cs_block *b, ends *to, batch *r)
{
    size_t dim = o->t->space.dim;
    read_ends(o, b, to, r);
    for (size_t k = 0; to->shifts && k < r->n; k++) {
        size_t l = r->lane[k];
        cs_shift_note(&to->shift, r->x + l * dim, r->logp[l], r->y + k * dim,
                      r->v[k], r->weight[l]);
    }
    if (to->shift.grouped)
        cs_shift_end_group(&to->shift);
    for (size_t k = 0; to->count && k < r->n; k++)
        to->count[cs_space_index(&o->t->space, r->y + k * dim, 1)]++;
    if (to->number && r->n)
        note_numbers(o, to, r);
    to->n += r->n;
}

static bool draw_starts(cs_origin *o, batch *r)
{
    bool found = true;
    for (size_t l = 0; l < LANES && found; l++)
        found = cs_origin_draw(o, r->x + l * o->t->space.dim, &r->logp[l],
                               &r->weight[l]);
    return found;
}

/* Starts or restarts the chains at the states r->x. Returns false if memory is
 * exhausted. */
static bool begin(cs_block **b, cs_origin *o, const cs_arm_view *arm,
                  uint64_t seed, const batch *r)
{
    if (*b)
        return cs_check_repeat(*b, seed, r->x, LANES);
    *b = cs_check_block(o->t, arm, seed, r->x, LANES);
    return *b != NULL;
}

/* Makes n steps. Returns false if the time limit was reached before the end. */
static bool walk(cs_block *b, const cs_arm_view *arm, uint64_t from, size_t n,
                 double end)
{
    for (size_t k = 0; k < n; k++) {
        if (k && cs_clock_work() > end)
            return false;
        cs_check_steps(b, arm, from + k, 1);
    }
    return true;
}

/* Collects up to to->capacity starts and ends; stops when the clock reaches
 * `until`. Returns false if memory is exhausted. */
static bool run_chains(cs_origin *o, const cs_arm_view *arm, uint64_t seed,
                       ends *to, double until)
{
    double first[LANES];
    batch r;
    cs_block *b = NULL;
    bool good = open_round(&r, o->t->space.dim);
    to->start = first;
    for (uint64_t k = 0;
         good && to->n < to->capacity && cs_clock_work() < until; k++) {
        if (!draw_starts(o, &r))
            break;
        good = begin(&b, o, arm, seed + k, &r);
        if (!good)
            break;
        if (b->weights.are_numbers)
            memcpy(first, b->move.info.log_weight, sizeof first);
        if (!walk(b, arm, 1 + k * to->steps, to->steps, until))
            break;
        note_ends(o, b, to, &r);
        if (to->failed > to->capacity)
            break;
    }
    cs_block_destroy(b);
    cs_free(r.x);
    return good;
}

/* Returns the smallest p-value of the two-sample tests, multiplied by the
 * number of tests. */
static double samples_p(const ends *to, cs_distance *worst)
{
    double least = 1;
    *worst = (cs_distance){.what = "largest distance"};
    for (size_t r = 0; r < to->rows; r++) {
        double d,
            p = cs_check_samples_p(to->number + r * to->capacity,
                                   to->fresh + r * to->capacity, to->n, &d);
        least = fmin(least, p);
        worst->far = fmax(worst->far, d);
    }
    return fmin(1, least * (double)to->rows);
}

/* Returns one p-value, which combines the p-value of the counts or samples with
 * the p-value of the shifts. */
static double p_of(const cs_origin *o, const ends *to, cs_distance *worst)
{
    cs_distance moved;
    double p = to->count
                   ? cs_check_counts_p(o->t, o->truth, to->count, to->n, worst)
               : to->number ? samples_p(to, worst)
                            : 1;
    double shifted = to->shifts ? cs_shift_p(&to->shift, &moved) : 1;
    if (to->shifts && (shifted < p || o->weighted))
        *worst = moved;
    bool both = to->shifts && !o->weighted;
    return isnan(p) ? p : fmin(1, fmin(p, shifted) * (both ? 2 : 1));
}

/* ---- findings ------------------------------------------------------------ */

void cs_check_inside(cs_check *c, const char *arm, size_t seen, size_t outside,
                     size_t failed)
{
    /* approximate solution p of (1 - p)^seen = 1 - CS_CHECK_POWER */
    double least = -log(1 - CS_CHECK_POWER) / fmax(1, (double)seen);
    if (outside || failed)
        cs_check_say(c, arm, "inside", CS_BROKEN,
                     "%zu chains ended where log p is -inf, %zu failed",
                     outside, failed);
    else if (seen)
        cs_check_hold(c, arm, "inside",
                      (cs_detects){fmin(1, least),
                                   "in the probability of leaving the support",
                                   CS_CHECK_POWER},
                      "no chain left the support");
}

static void say_holds(cs_check *c, const cs_origin *o, const cs_arm_view *arm,
                      const ends *to, const cs_looks *looks)
{
    bool bits = cs_space_is_discrete(&o->t->space);
    const cs_detects seen = {looks->error,
                             bits ? "sds in the mean of a coordinate"
                                  : "sds in the mean or the sd of a coordinate",
                             CS_CHECK_POWER};
    if (cs_check_is_in_doubt(looks))
        cs_check_say(c, arm->name, "stationarity", CS_UNTRIED,
                     "undecided (p = %.1e) when time ran out: "
                     "increase --seconds",
                     looks->p);
    else if (!(looks->error <= CS_CHECK_BLIND) && !c->draws)
        cs_check_say(c, arm->name, "stationarity", CS_UNTRIED,
                     "%zu %s draws, %zu steps: too few to detect an error "
                     "below %.2g sds: increase --seconds",
                     to->n, o->weighted ? "weighted" : "exact", to->steps,
                     looks->error);
    else
        cs_check_hold(
            c, arm->name, "stationarity", seen,
            "%zu %s draws still follow the target after %zu steps (p = %.2g)",
            to->n, o->weighted ? "weighted" : "exact", to->steps, looks->p);
}

/* Returns true if there are too few draws, or if a few of them have most of the
 * weight. */
static bool cannot_judge(const cs_origin *o, const ends *to)
{
    return to->n == 0 || (o->weighted && to->n < LEAST) ||
           cs_origin_is_uneven(o);
}

static void judge(cs_check *c, const cs_origin *o, const cs_arm_view *arm,
                  const ends *to, const cs_looks *looks,
                  const cs_distance *worst)
{
    bool promised = cs_kernel_is_exact(arm->kernel, o->t);
    if (!o->weighted)
        cs_check_inside(c, arm->name, looks->all, to->outside, to->failed);
    if (cannot_judge(o, to))
        cs_check_say(c, arm->name, "stationarity", CS_UNTRIED,
                     "the target has no exact draws, and of %zu states around "
                     "the chains %zu could be weighted: too few, or too uneven",
                     o->tried, o->kept);
    else if (!cs_check_refutes(looks))
        say_holds(c, o, arm, to, looks);
    else if (promised)
        cs_check_say(c, arm->name, "stationarity", CS_BROKEN,
                     "%zu %s draws no longer follow the target after %zu "
                     "steps: %s %.3g, p = %.1e",
                     to->n, o->weighted ? "weighted" : "exact", to->steps,
                     worst->what, worst->far, looks->p);
    else
        cs_check_say(c, arm->name, "stationarity", CS_NOTED,
                     "biased, as the kernel declares: %s %.3g after %zu steps",
                     worst->what, worst->far, to->steps);
}

/* Computes the log of the largest ratio of the weights of two states. If the
 * starts are exact draws without an enumeration, increases the largest observed
 * log ratio by half. The result is 0 if all draws have equal weights. Returns
 * false if memory is exhausted. */
static bool find_bound(cs_origin *o, const cs_arm_view *arm, double end,
                       double *bound)
{
    size_t dim = o->t->space.dim, n = o->truth ? o->truth->n : MANY;
    double *x = cs_alloc(LANES * dim, sizeof *x), logp, weight;
    double least = HUGE_VAL, most = -HUGE_VAL;
    cs_block *b = NULL;
    bool good = x != NULL;
    *bound = 0;
    for (size_t k = 0; good && k < n && (!b || b->weights.are_numbers);
         k += LANES) {
        if (k && cs_clock_work() > end) { /* the time does not suffice for all
                                        states or draws */
            *bound = HUGE_VAL;
            break;
        }
        for (size_t l = 0; l < LANES; l++)
            if (o->truth && o->truth->p[(k + l) % n] > 0)
                cs_space_state(&o->t->space, (k + l) % n, x + l * dim);
            else
                cs_origin_draw(o, x + l * dim, &logp, &weight);
        good = b ? cs_check_repeat(b, 1, x, LANES)
                 : (b = cs_check_block(o->t, arm, 1, x, LANES)) != NULL;
        for (size_t l = 0; good && b->weights.are_numbers && l < LANES; l++) {
            least = fmin(least, b->move.info.log_weight[l]);
            most = fmax(most, b->move.info.log_weight[l]);
        }
    }
    if (*bound < HUGE_VAL && most > -HUGE_VAL)
        *bound = (most - least) * (o->truth ? 1 : 1.5);
    else if (b && b->weights.are_numbers) /* no state had a weight above 0 */
        *bound = HUGE_VAL;
    cs_block_destroy(b);
    cs_free(x);
    return good;
}

/* Runs one round ("look") of the test. Returns false if memory is exhausted. */
static bool look(cs_check *c, cs_origin *o, const cs_arm_view *arm,
                 uint64_t seed, cs_looks *looks, ends *to, cs_distance *worst)
{
    bool good = open_ends(to, o, looks->draws);
    good = good &&
           run_chains(o, arm, seed + 1000003 * looks->look, to, looks->until);
    if (good && to->n) {
        looks->p = p_of(o, to, worst);
        looks->error =
            to->shifts ? fmin(looks->error, cs_shift_error(&to->shift)) : 0;
        looks->all += to->n;
    }
    if (good && cannot_judge(o, to)) /* more draws make the weights even */
        looks->p = 1;
    close_ends(to);
    if (!c->draws && looks->error > 3 * CS_CHECK_AIM &&
        4 * to->steps <= MOST_STEPS && to->n == looks->draws)
        to->steps *= 4;
    return good && !isnan(looks->p);
}

static cs_status compare_ends(cs_check *c, cs_origin *o, const cs_arm_view *arm,
                              uint64_t seed, double begin, cs_error *err)
{
    cs_looks looks = {.error = HUGE_VAL, .begin = begin};
    ends to = {.steps = STEPS};
    cs_distance worst = {.what = ""};
    unsigned flags = arm->kernel->type->flags;
    bool weighs = flags & CS_KERNEL_WEIGHS, good = true;
    if (weighs)
        good =
            find_bound(o, arm, cs_clock_work() + 0.1 * c->seconds, &to.bound);
    if (good && to.bound > UNEVEN) {
        cs_check_say(c, arm->name, "stationarity", CS_UNTRIED,
                     "its weights are still being learned, or too uneven");
        return CS_OK;
    }
    to.shifts = !weighs;
    /* If the number of draws is given, there is no time limit. */
    double until = c->draws ? HUGE_VAL : begin + 0.4 * c->seconds;
    good =
        good && cs_shift_open(&to.shift, o, flags & CS_KERNEL_ENSEMBLE, until);
    while (good && !to.outside && !to.failed && cs_check_look(c, &looks))
        good = look(c, o, arm, seed, &looks, &to, &worst);
    if (good && (o->weighted || to.n + to.outside + to.failed))
        judge(c, o, arm, &to, &looks, &worst);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY,
                          "out of memory for the law 'stationarity'");
}

/* Returns the reason why starts are not draws of the kernel's distribution, or
 * NULL. */
static const char *obstacle(const cs_check *c, const cs_target *t,
                            const cs_arm_view *arm)
{
    if (cs_check_is_joint(arm->kernel->type))
        return "its temperature is part of the state, and exact draws of x do "
               "not include it";
    if (!cs_check_can_draw(c, t) && !cs_kernel_is_exact(arm->kernel, t))
        return "the target has no exact draws, and the kernel is declared "
               "biased";
    return NULL;
}

cs_status cs_check_stationarity(cs_check *c, cs_target *t,
                                const cs_arm_view *arm, uint64_t seed,
                                cs_error *err)
{
    cs_origin o;
    double begin = cs_clock_work();
    const char *why = obstacle(c, t, arm);
    if (why) {
        cs_check_say(c, arm->name, "stationarity", CS_UNTRIED, "%s", why);
        return CS_OK;
    }
    cs_status s = cs_origin_open(&o, c, t, arm, seed)
                      ? compare_ends(c, &o, arm, seed, begin, err)
                      : cs_fail(err, CS_MEMORY,
                                "out of memory for the law 'stationarity'");
    cs_origin_close(&o);
    return s;
}
