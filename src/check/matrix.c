/* Estimates the transition matrix of a kernel on a small space, row by row. The
 * same number of single steps is made from every possible state, whatever its
 * probability, so that rare states are tested as thoroughly as others. A step
 * that accepts or rejects a proposal counts as both outcomes. Each outcome is
 * weighted by its probability (Rao and Blackwell), so that only the randomness
 * of the proposal remains.
 *
 * Let P be the estimate, let p be the known distribution, and d = p P - p the
 * change of p by one step. Then e = d (I - P + 1 p)^-1 is, to first order, the
 * stationary distribution of P minus p (Meyer, "The role of the group
 * generalized inverse in the theory of finite Markov chains", 1975). The rows
 * are independent, so the variance of e is a sum over rows. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"
#include "kernel/rule.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* STATES: largest number of possible states. LEAST: minimum number of steps per
 * row. */
enum { LANES = CS_CHECK_LANES, STATES = 64, LEAST = 64 };

/* Sums over steps of the transition probabilities and of their squares, [n][n]
 * each. */
typedef struct tally {
    double *count, *square;
} tally;

/* SEEN: the observed steps. SHARED: the steps expected from the ratio. If a
 * kernel's decisions do not follow its ratio, only SEEN shows the error. */
enum { SEEN, SHARED, TALLIES };

typedef struct matrix {
    cs_target *t;
    size_t n, state[STATES]; /* n: number of possible states; state: indices of
                              * these states in the list of all states */
    size_t number[CS_CHECK_SMALL];
    double p[STATES];
    tally tally[TALLIES], by; /* the tallies; `by` is the tally in use */
    double *fit;              /* [n][2 n]: I - P + 1 p, then its inverse */
    double *memory;           /* memory of all arrays [own] */
    double made[STATES],
        left;    /* made: number of steps from each row; left: number of steps
                    that ended in an impossible state */
    bool shared; /* true: some step had an acceptance probability below 1 */
} matrix;

bool cs_check_is_small(const cs_check *c)
{
    size_t possible = 0;
    for (size_t k = 0; c->states && k < c->states->n; k++)
        possible += c->states->p[k] > 0;
    return c->states && c->states->n <= CS_CHECK_SMALL && possible > 1 &&
           possible <= STATES;
}

static bool open_matrix(matrix *m, const cs_check *c, cs_target *t)
{
    *m = (matrix){.t = t};
    for (size_t k = 0; k < c->states->n; k++) {
        m->number[k] = STATES;
        if (!(c->states->p[k] > 0))
            continue;
        m->number[k] = m->n;
        m->state[m->n] = k;
        m->p[m->n++] = c->states->p[k];
    }
    size_t cells = m->n * m->n;
    m->memory = cs_alloc((2 * TALLIES + 2) * cells, sizeof *m->memory);
    if (!m->memory)
        return false;
    for (size_t k = 0; k < TALLIES; k++)
        m->tally[k] =
            (tally){m->memory + 2 * k * cells, m->memory + (2 * k + 1) * cells};
    m->fit = m->memory + 2 * TALLIES * cells;
    return true;
}

/* ---- steps --------------------------------------------------------------- */

/* Returns true if the log ratio of this kernel determines its decision. */
static bool has_ratio(const cs_block *b, size_t l)
{
    unsigned flags = b->kernel->type->flags;
    return b->move.info.proposal && flags & CS_KERNEL_ACCEPTS &&
           !(flags & CS_KERNEL_OWN_RULE) && !b->kernel->type->wraps &&
           !isnan(b->move.info.log_ratio[l]) && b->failed[l] == 0;
}

/* Sets `to` to the destination of lane l or, if the kernel decides by the
 * ratio, to the proposal. Returns the probability of moving to that state. */
static double destination(const cs_block *b, size_t l, double *to)
{
    const cs_info *i = &b->move.info;
    cs_block_state(b, l, to);
    if (!has_ratio(b, l))
        return 1;
    for (size_t d = 0; d < b->move.dim; d++)
        to[d] = i->proposal[d * b->lanes + l];
    return exp(fmin(0, i->log_ratio[l]));
}

/* Adds a move from the possible state with index f to the state x to tally t,
 * with probability `share`. Returns false if x is not a possible state. */
static bool note(tally *t, const matrix *m, size_t f, const double *x,
                 double share)
{
    const cs_space *space = &m->t->space;
    bool inside = cs_space_contains(space, x, 1);
    size_t to = inside ? m->number[cs_space_index(space, x, 1)] : STATES;
    if (to == STATES)
        return share == 0;
    t->count[f * m->n + to] += share;
    t->square[f * m->n + to] += share * share;
    return true;
}

static void note_steps(matrix *m, const cs_block *b, const size_t *from)
{
    double x[64];
    for (size_t l = 0; l < LANES; l++) {
        m->made[from[l]]++;
        cs_block_state(b, l, x);
        if (b->failed[l] != 0 || !note(&m->tally[SEEN], m, from[l], x, 1)) {
            m->left++;
            continue;
        }
        double share = destination(b, l, x);
        m->shared |= share < 1;
        m->left += !note(&m->tally[SHARED], m, from[l], x, share);
    }
}

/* Makes one step from each state in turn. Repeats this `each` times, or stops
 * when the clock reaches `end`. Returns false if memory is exhausted. */
static bool step_all(matrix *m, const cs_arm_view *arm, uint64_t seed,
                     size_t each, double end)
{
    size_t dim = m->t->space.dim, from[LANES], at = 0;
    double *x = cs_alloc(LANES * dim, sizeof *x);
    cs_block *b = NULL;
    bool good = x != NULL;
    memset(m->memory, 0, 2 * TALLIES * m->n * m->n * sizeof *m->memory);
    memset(m->made, 0, sizeof m->made);
    for (uint64_t k = 0; good && k * LANES < each * m->n; k++) {
        if (k * LANES >= LEAST * m->n && cs_clock_work() > end)
            break;
        for (size_t l = 0; l < LANES; l++, at++) {
            from[l] = at % m->n;
            cs_space_state(&m->t->space, m->state[from[l]], x + l * dim);
        }
        if (b)
            good = cs_check_repeat(b, seed + k, x, LANES);
        else
            good = (b = cs_check_block(m->t, arm, seed, x, LANES)) != NULL;
        if (!good)
            break;
        cs_check_steps(b, arm, 1 + k, 1);
        note_steps(m, b, from);
    }
    cs_block_destroy(b);
    cs_free(x);
    return good;
}

/* ---- algebra ------------------------------------------------------------- */

/* Returns the probability of a step from a to b. A rejected step remains in
 * a. */
static double chance(const matrix *m, size_t a, size_t b)
{
    double there = m->by.count[a * m->n + b] / m->made[a], gone = 0;
    for (size_t c = 0; a == b && c < m->n; c++)
        gone += c == a ? 0 : m->by.count[a * m->n + c] / m->made[a];
    return a == b ? 1 - gone : there;
}

/* Eliminates the pivot's column from row r. */
static void clear_row(double *fit, size_t wide, size_t r, size_t pivot)
{
    double by = fit[r * wide + pivot] / fit[pivot * wide + pivot];
    for (size_t k = 0; by != 0 && k < wide; k++)
        fit[r * wide + k] -= by * fit[pivot * wide + k];
}

static void swap_rows(double *fit, size_t wide, size_t a, size_t b)
{
    for (size_t k = 0; a != b && k < wide; k++) {
        double kept = fit[a * wide + k];
        fit[a * wide + k] = fit[b * wide + k];
        fit[b * wide + k] = kept;
    }
}

/* Computes (I - P + 1 p)^-1 in the right half of m->fit by Gauss-Jordan
 * elimination. Returns false if some states were not connected by observed
 * steps. */
static bool invert(matrix *m)
{
    size_t n = m->n, wide = 2 * n;
    double *fit = m->fit;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            fit[a * wide + b] = (a == b) - chance(m, a, b) + m->p[b];
            fit[a * wide + n + b] = a == b;
        }
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t r = k; r < n; r++)
            if (fabs(fit[r * wide + k]) > fabs(fit[best * wide + k]))
                best = r;
        if (fabs(fit[best * wide + k]) < 1e-9)
            return false;
        swap_rows(fit, wide, k, best);
        for (size_t r = 0; r < n; r++)
            if (r != k)
                clear_row(fit, wide, r, k);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            fit[a * wide + n + b] /= fit[a * wide + a];
    return true;
}

/* Let c be the state after one step from a. Returns the mean over c of element
 * [c][b] of the inverse, and sets *variance to the variance of this mean. Some
 * transitions may not have been observed. The variance therefore includes one
 * additional step, to the element that is farthest from the mean. */
static double after(const matrix *m, size_t a, size_t b, double *variance)
{
    double mean = 0, square = 0, most = 0, made = m->made[a];
    const double *g = m->fit + m->n + b;
    double here = g[a * 2 * m->n];
    for (size_t c = 0; c < m->n; c++) {
        double off = g[c * 2 * m->n] - here;
        mean += m->by.count[a * m->n + c] / made * off;
        square += m->by.square[a * m->n + c] / made * off * off;
    }
    for (size_t c = 0; c < m->n; c++)
        most = fmax(most, fabs(g[c * 2 * m->n] - here - mean));
    *variance = (square - mean * mean + most * most / made) / made;
    return here + mean;
}

/* Returns the error of the stationary probability of state b, and sets *se to
 * its standard error. */
static double error_in(const matrix *m, size_t b, double *se)
{
    double sum = 0, squares = 0;
    for (size_t a = 0; a < m->n; a++) {
        double variance, mean = after(m, a, b, &variance);
        sum += m->p[a] * (mean - m->fit[a * 2 * m->n + m->n + b]);
        squares += m->p[a] * m->p[a] * variance;
    }
    *se = sqrt(squares);
    return sum;
}

/* ---- the law ------------------------------------------------------------- */

/* Returns the smallest p-value over all states, multiplied by the number of
 * states. Sets *seen to the error that would have been detected in each
 * state. */
static double p_of(const matrix *m, double *seen, double *worst)
{
    double least = 1;
    *seen = *worst = 0;
    for (size_t b = 0; b < m->n; b++) {
        double se, off = error_in(m, b, &se);
        *seen = fmax(*seen, cs_check_sds((double)m->n) * se);
        *worst = fmax(*worst, fabs(off));
        if (se > 0)
            least = fmin(least, 2 * gsl_cdf_ugaussian_Q(fabs(off) / se));
    }
    return fmin(1, least * (double)m->n);
}

/* Computes the results of both tallies. Returns false if some states are not
 * connected. The detectable error refers to an error in the ratio; the law
 * `record` checks that decisions follow the ratio. */
static bool judge_tallies(matrix *m, cs_looks *looks, double *worst)
{
    size_t n = m->shared ? TALLIES : 1;
    looks->p = 1;
    for (size_t k = 0; k < n; k++) {
        double seen, far;
        m->by = m->tally[k];
        if (!invert(m))
            return false;
        double p = fmin(1, (double)n * p_of(m, &seen, &far));
        if (p <= looks->p) {
            looks->p = p;
            *worst = far;
        }
        looks->error = fmin(looks->error, seen);
    }
    return true;
}

static void judge(cs_check *c, const cs_arm_view *arm, const matrix *m,
                  const cs_looks *looks, double worst)
{
    double rows = m->made[0];
    const cs_detects seen = {looks->error, "in the probability of a state",
                             CS_CHECK_POWER};
    if (m->left > 0)
        cs_check_say(c, arm->name, "transitions", CS_BROKEN,
                     "%.0f steps ended in impossible states or failed",
                     m->left);
    else if (!(looks->error < HUGE_VAL))
        cs_check_say(c, arm->name, "transitions", CS_UNTRIED,
                     "%.0f steps from each of %zu states do not connect the "
                     "states: see law reach",
                     rows, m->n);
    else if (cs_check_refutes(looks))
        cs_check_say(
            c, arm->name, "transitions",
            cs_kernel_is_exact(arm->kernel, m->t) ? CS_BROKEN : CS_NOTED,
            "%.0f steps from each of %zu states: the stationary probability of "
            "a state is off by up to %.3g (p = %.1e)",
            rows, m->n, worst, looks->p);
    else if (cs_check_is_in_doubt(looks))
        cs_check_say(c, arm->name, "transitions", CS_UNTRIED,
                     "undecided (p = %.1e) when time ran out: "
                     "increase --seconds",
                     looks->p);
    else
        cs_check_hold(c, arm->name, "transitions", seen,
                      "%.0f steps from each of %zu states keep the target "
                      "(p = %.2g)",
                      rows, m->n, looks->p);
}

cs_status cs_check_matrix(cs_check *c, cs_target *t, const cs_arm_view *arm,
                          uint64_t seed, cs_error *err)
{
    matrix m;
    cs_looks looks = {.error = HUGE_VAL};
    double worst = 0;
    bool good = open_matrix(&m, c, t);
    while (good && !(m.left > 0) && cs_check_look(c, &looks)) {
        good = step_all(&m, arm, seed + 41 + 1000003 * looks.look,
                        looks.draws / m.n + LEAST, looks.until);
        if (!good || !judge_tallies(&m, &looks, &worst))
            break;
    }
    if (good)
        judge(c, arm, &m, &looks, worst);
    cs_free(m.memory);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY,
                          "out of memory for the law 'transitions'");
}
