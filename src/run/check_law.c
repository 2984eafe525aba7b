/* Whether an arm's kernel keeps the law of the target, and its record. */
#include "base/clock.h"
#include "base/memory.h"
#include "model/truth.h"
#include "run/check.h"
#include "stat/distance.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, STEPS = 5, DRAWS = 20000, COMPARED = 8 };

/* ---- exact starts -------------------------------------------------------- */

/* Where exact draws come from: all states by their masses, or the target. */
typedef struct exact {
    cs_target *t;
    const cs_truth *truth; /* NULL: the target's own draws */
    double *sum;           /* [n] of the masses up to a state [own] */
    double *uniform;       /* [n_uniform] [own] */
    cs_dice dice;
} exact;

static bool is_listed(const cs_target *t)
{
    return t->space.kind != CS_CONTINUOUS &&
           cs_space_states(&t->space) <= CS_CHECK_STATES;
}

/* False: there are none. */
static bool find_exact(exact *e, cs_target *t)
{
    *e = (exact){.t = t, .dice = {.key = 23}};
    const cs_truth *truth = is_listed(t) ? cs_truth_of(t) : NULL;
    if (truth && truth->all && truth->n) {
        e->truth = truth;
        e->sum = cs_alloc(truth->n, sizeof *e->sum);
        for (size_t k = 0; e->sum && k < truth->n; k++)
            e->sum[k] = truth->p[k] + (k ? e->sum[k - 1] : 0);
        return e->sum != NULL;
    }
    if (!t->type->draw || t->n_uniform == 0)
        return false;
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
            e->uniform[k] = cs_check_uniform(&e->dice);
        e->t->type->draw(e->t, e->uniform, x);
        return;
    }
    double u = cs_check_uniform(&e->dice) * e->sum[e->truth->n - 1];
    size_t low = 0, high = e->truth->n - 1;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (e->sum[mid] > u)
            high = mid;
        else
            low = mid + 1;
    }
    cs_space_state(&e->t->space, low, x);
}

/* ---- what comes of them -------------------------------------------------- */

/* Where chains are after some steps: numbers[row][n]. */
typedef struct ends {
    size_t rows, n, room;
    double *number, *fresh; /* [rows][room] at the end, and of exact draws */
    size_t outside, failed, moved;
} ends;

/* What is compared: the number of the state, or U and some coordinates. */
static void note(const exact *e, const double *x, double *row, size_t room)
{
    if (e->truth) {
        *row = (double)cs_space_index(&e->t->space, x);
        return;
    }
    if (!cs_truth_evaluate(e->t, x, 1, row))
        *row = (double)NAN;
    for (size_t i = 0; i < e->t->space.dim && i < COMPARED; i++)
        row[(1 + i) * room] = x[i];
}

static void note_ends(exact *e, cs_block *b, ends *to, double *x)
{
    for (size_t l = 0; l < LANES && to->n < to->room; l++) {
        cs_block_state(b, l, x);
        if (b->failed[l] != 0) {
            to->failed++;
            continue;
        }
        if (!cs_space_contains(&e->t->space, x, 1) ||
            b->move.info.u[l] == -HUGE_VAL) {
            to->outside++;
            continue;
        }
        note(e, x, to->number + to->n, to->room);
        draw_one(e, x);
        note(e, x, to->fresh + to->n++, to->room);
    }
}

static bool run_chains(cs_check *c, exact *e, const cs_arm_view *arm,
                       uint64_t seed, ends *to)
{
    size_t dim = e->t->space.dim;
    double *x = cs_alloc((LANES + 1) * dim, sizeof *x);
    cs_block *b = NULL;
    double end = cs_clock() + c->seconds;
    bool good = x != NULL;
    for (uint64_t k = 0; good && to->n < to->room && cs_clock() < end; k++) {
        for (size_t l = 0; l < LANES; l++)
            draw_one(e, x + l * dim);
        if (!b)
            good = (b = cs_check_block(e->t, arm, seed, x, LANES)) != NULL;
        else
            good = cs_check_again(b, seed + k, x, LANES);
        if (!good)
            break;
        cs_check_steps(b, arm, 1 + k * STEPS, STEPS);
        note_ends(e, b, to, x + LANES * dim);
        if (to->failed > to->room)
            break;
    }
    cs_block_destroy(b);
    cs_free(x);
    return good;
}

/* The p-value of counts against the masses; rare states together. */
static double states_p(const exact *e, const ends *to, double *far)
{
    size_t n = e->truth->n;
    double *count = cs_alloc(n, sizeof *count), chi = 0, rare = 0, odd = 0;
    int cells = -1;
    if (!count)
        return (double)NAN;
    for (size_t k = 0; k < to->n; k++)
        count[(size_t)to->number[k]]++;
    *far = cs_total_variation(count, e->truth->p, n);
    for (size_t k = 0; k < n; k++) {
        double want = e->truth->p[k] * (double)to->n;
        if (want < 10) {
            rare += want;
            odd += count[k];
            continue;
        }
        chi += (count[k] - want) * (count[k] - want) / want;
        cells++;
    }
    if (rare > 5) {
        chi += (odd - rare) * (odd - rare) / rare;
        cells++;
    }
    cs_free(count);
    return cells > 0 ? gsl_cdf_chisq_Q(chi, cells) : 1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The smallest p-value of two samples, times how many were compared. */
static double samples_p(const ends *to, double *far)
{
    double least = 1;
    *far = 0;
    for (size_t r = 0; r < to->rows; r++) {
        double *a = to->number + r * to->room, *b = to->fresh + r * to->room;
        qsort(a, to->n, sizeof *a, compare);
        qsort(b, to->n, sizeof *b, compare);
        double d = cs_ks_two(a, to->n, b, to->n);
        least = fmin(least, cs_ks_p(d, 0.5 * (double)to->n));
        *far = fmax(*far, d);
    }
    return fmin(1, least * (double)to->rows);
}

void cs_check_inside(cs_check *c, const char *arm, size_t outside,
                     size_t failed)
{
    if (outside || failed)
        cs_check_say(c, arm, "inside", CS_BROKEN,
                     "%zu chains ended where U is -inf, %zu failed", outside,
                     failed);
    else
        cs_check_say(c, arm, "inside", CS_HOLDS,
                     "no chain left what is possible");
}

static void judge(cs_check *c, const exact *e, const cs_arm_view *arm,
                  const ends *to, double p, double far)
{
    const char *what = e->truth ? "total variation" : "largest distance";
    bool promised = arm->kernel->type->flags & CS_KERNEL_EXACT;
    cs_check_inside(c, arm->name, to->outside, to->failed);
    if (to->n == 0)
        return;
    if (p < 1e-4 && promised)
        cs_check_say(c, arm->name, "law", CS_BROKEN,
                     "%zu exact draws are none after %d steps: %s %.3g, "
                     "p = %.1e",
                     to->n, STEPS, what, far, p);
    else if (p < 1e-4)
        cs_check_say(c, arm->name, "law", CS_NOTED,
                     "biased, as the kernel says: %s %.3g after %d steps", what,
                     far, STEPS);
    else
        cs_check_say(c, arm->name, "law", CS_HOLDS,
                     "%zu exact draws are still that after %d steps (p = %.2g)",
                     to->n, STEPS, p);
}

static cs_status compare_ends(cs_check *c, exact *e, const cs_arm_view *arm,
                              uint64_t seed, cs_error *err)
{
    ends to = {.rows = 1, .room = DRAWS};
    double p = 0, far = 0;
    bool good = true;
    if (!e->truth)
        to.rows += e->t->space.dim < COMPARED ? e->t->space.dim : COMPARED;
    to.number = cs_alloc(2 * to.rows * to.room, sizeof *to.number);
    to.fresh = to.number ? to.number + to.rows * to.room : NULL;
    /* A second time, with other numbers, before a word is said. */
    for (int turn = 0; turn < 2 && good && p < 1e-3; turn++) {
        to.n = to.outside = to.failed = 0;
        good =
            to.number &&
            run_chains(c, e, arm, seed + 1000003 * (1 + (uint64_t)turn), &to);
        if (good && to.n)
            p = e->truth ? states_p(e, &to, &far) : samples_p(&to, &far);
        if (to.outside || to.failed)
            break;
    }
    if (good && to.n + to.outside + to.failed)
        judge(c, e, arm, &to, to.n ? p : 1, far);
    cs_free(to.number);
    return good ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory");
}

cs_status cs_check_law(cs_check *c, cs_target *t, const cs_arm_view *arm,
                       uint64_t seed, cs_error *err)
{
    exact e;
    cs_status s = CS_OK;
    if (arm->kernel->type->meet) {
        cs_check_say(c, arm->name, "law", CS_UNTRIED,
                     "its chains meet: one by one they have no law");
        return CS_OK;
    }
    if (find_exact(&e, t))
        s = compare_ends(c, &e, arm, seed, err);
    else
        s = cs_check_balance(c, t, arm, seed, err);
    lose(&e);
    return s;
}
