#include "target/enumeration.h"

#include "base/clock.h"
#include "base/memory.h"
#include "rng/stream.h"
#include "simd/simd.h"
#include "target/grid_error.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Largest numbers of states and grid cells that are summed. Larger sums would
 * delay the first frame too long. The smaller number applies if the density is
 * expensive, because a script evaluates it or because it sums over data. */
enum { MOST_STATES = 1 << 18, DEAR_STATES = 1 << 12 };
enum { LINE = 15000, DEAR_LINE = 900, SIDE = 480, DEAR_SIDE = 60 };
/* Largest number of data terms in the sums. The limit does not apply to the
 * smallest grid, which may need more terms. */
enum { MOST_TERMS = 1 << 22 };

/* Time limit in seconds (see cs_time_limit) for all points together. It applies
 * to a density that may never return. */
#define PATIENCE 1.0

/* The grid extends beyond the view on each side by this share of the view's
 * width. The borders of the view, where a density may end, are borders of
 * cells. */
static const double margin = 0.25;

/* Largest acceptable error of a grid. A million independent draws would detect
 * errors that are about this large, but no smaller ones. */
#define GRID_FINE 5e-4

void cs_enumeration_clear(cs_enumeration *truth)
{
    cs_free(truth->p);
    cs_free(truth->logp);
    *truth = (cs_enumeration){.slow = truth->slow};
}

/* ---- evaluation ---- */

typedef struct evaluator {
    cs_eval eval;
    double *scratch, *x, *logp;
} evaluator;

static bool open_evaluator(const cs_target *t, evaluator *d)
{
    size_t dim = t->space.dim;
    size_t words = dim + 1 + cs_eval_cache_words(t) + cs_eval_scratch_words(t);
    d->scratch = cs_alloc(words * CS_PAD, sizeof(double));
    if (!d->scratch)
        return false;
    d->x = d->scratch;
    d->logp = d->x + dim * CS_PAD;
    double *cache = d->logp + CS_PAD;
    double *scratch = cache + cs_eval_cache_words(t) * CS_PAD;
    cs_eval_open(&d->eval, t, CS_PAD, CS_PAD, cache, scratch);
    return true;
}

/* Returns whether the time limit for a slow density is exceeded. */
static bool is_late(const cs_target *t, const cs_time_limit *limit)
{
    if (cs_time_is_up(limit))
        t->truth->slow = true;
    return t->truth->slow;
}

/* Evaluates n points; the function `point` writes point number i. Padding lanes
 * of the last block repeat the last point. */
static bool ask(const cs_target *t, evaluator *d,
                void (*point)(const void *self, size_t i, double *x),
                const void *self, size_t n, double *logp)
{
    size_t dim = t->space.dim;
    double *x = cs_alloc(dim, sizeof *x);
    cs_time_limit limit = {0};
    bool good = x != NULL;
    if (t->type->outside.allow)
        limit = cs_time_limit_start(PATIENCE);
    for (size_t i = 0; good && i < n; i += CS_PAD) {
        size_t live = n - i < CS_PAD ? n - i : CS_PAD;
        d->eval.live = live;
        for (size_t l = 0; l < CS_PAD; l++) {
            point(self, i + (l < live ? l : live - 1), x);
            for (size_t k = 0; k < dim; k++)
                d->x[k * CS_PAD + l] = x[k];
        }
        cs_eval_log_density(&d->eval, CS_NOW, d->x, d->logp);
        memcpy(logp + i, d->logp, live * sizeof *logp);
        for (size_t l = 0; l < live; l++)
            good = good && !isnan(d->logp[l]);
        good = !is_late(t, &limit) && good;
    }
    cs_free(x);
    return good;
}

static bool evaluate(const cs_target *t,
                     void (*point)(const void *self, size_t i, double *x),
                     const void *self, size_t n, double *logp)
{
    evaluator d;
    if (t->truth->slow || !open_evaluator(t, &d))
        return false;
    if (t->type->outside.allow)
        t->type->outside.allow(t, PATIENCE);
    bool good = ask(t, &d, point, self, n, logp);
    if (t->type->outside.allow)
        t->type->outside.allow(t, 0);
    cs_free(d.scratch);
    return good;
}

const char *cs_enumeration_note(const cs_target *t)
{
    return t->truth && t->truth->slow
               ? "exact values are skipped: enumerating the log density takes "
                 "longer than a second"
               : NULL;
}

typedef struct list {
    const double *x;
    size_t dim;
} list;

static void list_point(const void *self, size_t i, double *x)
{
    const list *k = self;
    memcpy(x, k->x + i * k->dim, k->dim * sizeof *x);
}

bool cs_enumeration_evaluate(const cs_target *t, const double *x, size_t n,
                             double *logp)
{
    assert(x && logp && n);
    list k = {x, t->space.dim};
    return evaluate(t, list_point, &k, n, logp);
}

void cs_enumeration_log_densities(const cs_target *t, const double *x, size_t n,
                                  double *logp)
{
    assert(t && (n == 0 || (x && logp)));
    if (n == 0 || cs_enumeration_evaluate(t, x, n, logp))
        return;
    for (size_t i = 0; i < n; i++) /* one by one, to find the states at which
                                      the evaluation fails */
        if (!cs_enumeration_evaluate(t, x + i * t->space.dim, 1, &logp[i]))
            logp[i] = (double)NAN;
}

bool cs_enumeration_draws(const cs_target *t, size_t n, double *x)
{
    static const uint64_t chain[CS_PAD] = {0, 1, 2, 3, 4, 5, 6, 7};
    cs_streams s = {.chain = chain, .lanes = CS_PAD, .live = CS_PAD};
    size_t uniforms = t->n_uniform, dim = t->space.dim;
    if (!t->type->exact.draw || !uniforms)
        return false;
    double *all = cs_alloc(uniforms * (CS_PAD + 1), sizeof *all);
    double *logp = all + uniforms * CS_PAD;
    for (size_t i = 0; all && i < n; i++) {
        size_t l = i % CS_PAD;
        s.step = i / CS_PAD;
        if (l == 0)
            cs_fill_uniform(&s, CS_FOR_EXACT, uniforms, all);
        for (size_t k = 0; k < uniforms; k++)
            logp[k] = all[k * CS_PAD + l];
        t->type->exact.draw(t, logp, x + i * dim);
    }
    cs_free(all);
    return all != NULL;
}

/* ---- all points ---- */

typedef struct points {
    const cs_target *target;
    const cs_enumeration *truth;
} points;

static void truth_point(const void *self, size_t i, double *x)
{
    const points *k = self;
    cs_enumeration_point(k->target, k->truth, i, x);
}

void cs_enumeration_point(const cs_target *t, const cs_enumeration *truth,
                          size_t i, double *x)
{
    assert(i < truth->n && x);
    if (truth->all) {
        cs_space_state(&t->space, i, x);
        return;
    }
    x[0] = truth->origin[0] + truth->pitch[0] * (double)(i / truth->side[1]);
    if (t->space.dim > 1)
        x[1] =
            truth->origin[1] + truth->pitch[1] * (double)(i % truth->side[1]);
}

bool cs_enumeration_normalise(const double *logp, size_t n, double *p)
{
    assert(logp && p);
    double top = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        top = logp[i] > top ? logp[i] : top;
    if (!isfinite(top))
        return false;
    for (size_t i = 0; i < n; i++)
        sum += p[i] = exp(logp[i] - top);
    for (size_t i = 0; i < n; i++)
        p[i] /= sum;
    return true;
}

static bool plan_states(const cs_target *t, cs_enumeration *truth)
{
    double states = cs_space_states(&t->space);
    if (!cs_space_is_countable(&t->space) ||
        states > (cs_target_is_dear(t) ? DEAR_STATES : MOST_STATES))
        return false;
    truth->all = true;
    truth->n = (size_t)states;
    return true;
}

/* Returns the number of cells along each side of a plane. The number is larger
 * for a density that is cheap, because it sums over only a small number of data
 * points. */
static size_t side_of(const cs_target *t)
{
    if (!cs_target_is_dear(t))
        return SIDE;
    if (!t->data_terms)
        return DEAR_SIDE;
    double side = floor(sqrt(MOST_TERMS / (double)t->data_terms));
    return (size_t)fmin(fmax(side, DEAR_SIDE), SIDE);
}

/* Ends of the grid along each axis. */
typedef struct window {
    double low[2], high[2];
} window;

static bool view_of(const cs_target *t, window *w)
{
    const double *view = t->exact.view;
    if (!cs_space_is_real(&t->space) || t->space.dim > 2 || t->outputs.n)
        return false; /* the view shows generated quantities, not the state */
    for (size_t k = 0; k < t->space.dim; k++) {
        double range = view[2 * k + 1] - view[2 * k];
        if (!(range > 0))
            return false;
        w->low[k] = view[2 * k] - range * margin;
        w->high[k] = view[2 * k + 1] + range * margin;
    }
    return true;
}

static void plan_grid(const cs_target *t, const window *w,
                      cs_enumeration *truth)
{
    size_t line = cs_target_is_dear(t) ? DEAR_LINE : LINE;
    size_t side = t->space.dim == 1 ? line : side_of(t);
    truth->side[0] = truth->side[1] = 1;
    for (size_t k = 0; k < t->space.dim; k++) {
        truth->side[k] = side;
        truth->pitch[k] = (w->high[k] - w->low[k]) / (double)side;
        truth->origin[k] = w->low[k] + truth->pitch[k] / 2;
    }
    truth->n = truth->side[0] * truth->side[1];
}

/* Sums over the planned points. Returns false, and clears `truth`, if that
 * fails. */
static bool sum_up(const cs_target *t, cs_enumeration *truth)
{
    points k = {t, truth};
    truth->p = cs_alloc(truth->n, sizeof *truth->p);
    truth->logp = cs_alloc(truth->n, sizeof *truth->logp);
    bool good = truth->p && truth->logp;
    if (good && truth->all && t->exact.logp)
        memcpy(truth->logp, t->exact.logp, truth->n * sizeof *truth->logp);
    else
        good = good && evaluate(t, truth_point, &k, truth->n, truth->logp);
    good = good && cs_enumeration_normalise(truth->logp, truth->n, truth->p);
    if (!good)
        cs_enumeration_clear(truth);
    return good;
}

/* Chooses the cells of an axis around the cells that have mass. The number of
 * chosen cells divides the number of cells along the side, so that borders of
 * cells remain borders in the finer grid. If the mass ends at a border, the
 * finer grid has a border at the same position. */
static void narrow(const cs_enumeration *truth, const cs_grid_error *e,
                   size_t axis, size_t *from, size_t *cells)
{
    size_t side = truth->side[axis], first = e->first[axis];
    size_t least = e->last[axis] - first + 3;
    for (size_t m = least; first < side && m < side; m += 2) {
        size_t before = (m - least) / 2 + 1;
        if (side % m || before > first || first - before + m > side)
            continue;
        *from = first - before;
        *cells = m;
        return;
    }
    *from = 0;
    *cells = side;
}

/* Moves the window to the cells that have mass. If there is mass beyond an end
 * of the window, extends the window at this end instead. Returns true if the
 * window has changed. */
static bool move_window(const cs_target *t, const cs_enumeration *truth,
                        const cs_grid_error *e, window *w)
{
    bool moved = false;
    for (size_t k = 0; k < t->space.dim; k++) {
        double low = w->low[k], range = w->high[k] - low;
        size_t from, cells;
        bool wider = e->beyond[k][0] > 0 || e->beyond[k][1] > 0;
        narrow(truth, e, k, &from, &cells);
        moved |= wider || cells < truth->side[k];
        if (wider) {
            w->low[k] -= e->beyond[k][0] > 0 ? range / 2 : 0;
            w->high[k] += e->beyond[k][1] > 0 ? range / 2 : 0;
        } else {
            w->low[k] = low + truth->pitch[k] * (double)from;
            w->high[k] = low + truth->pitch[k] * (double)(from + cells);
        }
    }
    return moved;
}

/* Tries other grids if only a few cells of the view have mass, or if the mass
 * extends beyond the view. Uses the best of these grids. */
static void seek_grid(const cs_target *t, window w, cs_enumeration *truth)
{
    enum { TRIES = 4 };
    cs_grid_error e;
    double best = HUGE_VAL;
    for (int i = 0; i < TRIES && best > GRID_FINE; i++) {
        cs_enumeration next = {.n = 0};
        plan_grid(t, &w, &next);
        bool good = sum_up(t, &next) && cs_grid_error_of(&next, &e);
        double sum = good ? cs_grid_error_sum(&e) : HUGE_VAL;
        if (!(sum < best)) {
            cs_enumeration_clear(&next);
            truth->slow &= i == 0; /* only a slow first grid counts */
            return;
        }
        cs_enumeration_clear(truth);
        *truth = next;
        truth->error = best = sum;
        if (!move_window(t, truth, &e, &w))
            return;
    }
}

static void seek(const cs_target *t, cs_enumeration *truth)
{
    window w = {{0}, {0}};
    if (t->flags & CS_TARGET_LEARNS)
        return;
    if (plan_states(t, truth))
        sum_up(t, truth);
    else if (view_of(t, &w))
        seek_grid(t, w, truth);
    if (truth->error >= 1)
        cs_enumeration_clear(truth); /* with an error of 1 the grid is
                                        useless */
}

const cs_enumeration *cs_enumeration_of(const cs_target *t)
{
    cs_enumeration *truth = t->truth;
    if (truth->sought && truth->generation == t->generation)
        return truth;
    cs_enumeration_clear(truth);
    seek(t, truth);
    truth->sought = true;
    truth->generation = t->generation;
    return truth;
}

/* ---- one coordinate ---- */

/* Returns the number of consecutive points that have the same value of
 * coordinate k. */
static size_t stride_of(const cs_target *t, const cs_enumeration *truth,
                        size_t k)
{
    size_t stride = 1;
    for (size_t later = t->space.dim - 1; later > k; later--)
        stride *= truth->all ? (size_t)cs_space_part(&t->space, later).values
                             : truth->side[later];
    return stride;
}

size_t cs_enumeration_axis(const cs_target *t, const cs_enumeration *truth,
                           size_t i, double *first, double *width, double *p)
{
    assert(i < t->space.dim && first && width);
    if (truth->n == 0)
        return 0;
    const cs_part part = cs_space_part(&t->space, i);
    size_t cells = truth->all ? (size_t)part.values : truth->side[i];
    *width = truth->all ? 1 : truth->pitch[i];
    *first = truth->all ? part.low - 0.5 : truth->origin[i] - *width / 2;
    if (p)
        memset(p, 0, cells * sizeof *p);
    size_t stride = stride_of(t, truth, i), v = 0;
    for (size_t s = 0; p && s < truth->n; s += stride) {
        for (size_t next = 0; next < stride; next++)
            p[v] += truth->p[s + next];
        v = v + 1 < cells ? v + 1 : 0;
    }
    return cells;
}

/* ---- error bound --------------------------------------------------------- */

double cs_enumeration_error(const cs_enumeration *truth)
{
    return truth->n ? truth->error : 1;
}

bool cs_enumeration_window(const cs_target *t, const cs_enumeration *truth,
                           size_t i, double *low, double *high)
{
    assert(i < t->space.dim && low && high);
    if (truth->n == 0 || truth->all || i >= t->space.dim)
        return false;
    *low = truth->origin[i] - truth->pitch[i] / 2;
    *high = *low + truth->pitch[i] * (double)truth->side[i];
    return true;
}
