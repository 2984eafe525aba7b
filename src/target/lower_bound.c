#include "target/lower_bound.h"

#include "base/memory.h"
#include "target/eval.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void cs_lower_bound_free(cs_lower_bound *b)
{
    if (!b)
        return;
    CS_FREE_ALL(b->mode, b->row, b->slope, b->curve, b->trial, b);
}

void cs_lower_bound_add(cs_lower_bound *b, const double *by, double value,
                        double first, double second)
{
    assert(b && b->slope && b->curve && by);
    double *curve = b->curve;
    b->constant += value;
    for (size_t i = 0; i < b->dim; i++) {
        double twice = 2 * second * by[i];
        b->slope[i] += first * by[i];
        for (size_t j = 0; j < i; j++)
            curve[j] += twice * by[j];
        curve[i] += second * by[i] * by[i];
        curve += i + 1;
    }
}

/* ---- the mode ------------------------------------------------------------ */

/* Gradient ascent with the step sizes of Barzilai and Borwein, "Two-point step
 * size gradient methods" (1988). Each step is shortened until log p
 * increases. */
typedef struct climb {
    cs_eval eval;
    size_t dim;
    double *x, *g, *y, *h; /* [dim][CS_PAD] x: the state; g: gradient at x;
                              y: the trial point; h: gradient at y */
    double *logp;          /* [CS_PAD] log p at x, then [CS_PAD] log p at y */
} climb;

enum { LOOKS = 200 };

static double dot(const climb *c, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < c->dim; i++)
        sum += a[i * CS_PAD] * b[i * CS_PAD];
    return sum;
}

static void go(climb *c, double step)
{
    for (size_t i = 0; i < c->dim * CS_PAD; i++)
        c->y[i] = c->x[i] + step * c->g[i];
    cs_eval_gradient(&c->eval, CS_NEXT, c->y, c->logp + CS_PAD, c->h);
}

/* Moves the state to the trial point y. Returns the next step size. */
static double arrive(climb *c, double step)
{
    double square = dot(c, c->g, c->g), along = square - dot(c, c->g, c->h);
    double *x = c->x, *g = c->g;
    c->x = c->y;
    c->g = c->h;
    c->y = x;
    c->h = g;
    c->logp[0] = c->logp[CS_PAD];
    return along > 0.01 * square ? step * square / along : 4 * step;
}

/* Runs the ascent. Returns false if log p is not finite at the start. */
static bool reach(climb *c)
{
    cs_eval_gradient(&c->eval, CS_NEXT, c->x, c->logp, c->g);
    if (!isfinite(c->logp[0]))
        return false;
    double slope = sqrt(dot(c, c->g, c->g));
    double step = slope > 0 ? 0.1 / slope : 0;
    for (size_t k = 0; k < LOOKS; k++) {
        double rise = step * dot(c, c->g, c->g);
        if (!(rise > 1e-6))
            break;
        go(c, step);
        bool up = c->logp[CS_PAD] >= c->logp[0] + 1e-4 * rise;
        step = up ? arrive(c, step) : 0.25 * step;
    }
    return true;
}

static void open_climb(climb *c, const cs_target *t, double *scratch)
{
    c->dim = t->space.dim;
    size_t size = c->dim * CS_PAD;
    c->x = scratch;
    c->g = c->x + size;
    c->y = c->g + size;
    c->h = c->y + size;
    c->logp = c->h + size;
    double *rest = c->logp + 2 * CS_PAD;
    cs_eval_open(&c->eval, t, CS_PAD, 1, rest,
                 rest + cs_eval_cache_words(t) * CS_PAD);
}

static cs_status find_mode(const cs_target *t, cs_lower_bound *b, cs_error *err)
{
    size_t words =
        4 * b->dim + 2 + cs_eval_cache_words(t) + cs_eval_scratch_words(t);
    double *scratch = cs_alloc(words * CS_PAD, sizeof *scratch);
    climb c;
    if (!scratch)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for the mode of target %s", t->name);
    open_climb(&c, t, scratch);
    for (size_t i = 0; i < b->dim; i++)
        b->slope[i] = 0.5; /* slope[] stores the uniform numbers from which the
                              starting point is made */
    cs_target_start(t, b->slope, b->mode);
    for (size_t i = 0; i < b->dim; i++)
        for (size_t l = 0; l < CS_PAD; l++)
            c.x[i * CS_PAD + l] = b->mode[i];
    bool found = reach(&c);
    for (size_t i = 0; i < b->dim; i++) {
        b->mode[i] = c.x[i * CS_PAD];
        b->slope[i] = 0;
    }
    cs_free(scratch);
    return found ? CS_OK
                 : cs_fail(err, CS_RANGE,
                           "target %s has no lower bounds: log p is not finite "
                           "at the start of the search for its mode",
                           t->name);
}

/* ---- computing the bounds ------------------------------------------------ */

static bool is_finite(const cs_lower_bound *b)
{
    size_t n = b->dim * (b->dim + 1) / 2;
    bool good = isfinite(b->constant);
    for (size_t i = 0; i < b->dim; i++)
        good &= isfinite(b->slope[i]);
    for (size_t i = 0; i < n; i++)
        good &= isfinite(b->curve[i]);
    return good;
}

static bool allocate(cs_lower_bound *b, const cs_target *t)
{
    b->dim = t->space.dim;
    b->rows = t->n_rows;
    b->mode = cs_alloc(b->dim, sizeof *b->mode);
    b->row = cs_alloc(b->rows, sizeof *b->row);
    b->slope = cs_alloc(b->dim, sizeof *b->slope);
    b->curve = cs_alloc(b->dim * (b->dim + 1) / 2, sizeof *b->curve);
    b->trial = cs_alloc(b->dim, sizeof *b->trial);
    return b->mode && b->row && b->slope && b->curve && b->trial;
}

cs_status cs_lower_bound_make(cs_target *t, cs_error *err)
{
    assert(t && t->holders);
    if (t->lower)
        return CS_OK;
    if (!(t->row_bounds & CS_ROW_LOWER))
        return cs_fail(err, CS_UNSUPPORTED,
                       "target %s has no lower bounds on its terms", t->name);
    cs_lower_bound *b = cs_alloc(1, sizeof *b);
    cs_status s = b && allocate(b, t) ? find_mode(t, b, err) : CS_MEMORY;
    if (s == CS_MEMORY)
        cs_fail(err, s, "out of memory for the bounds of target %s", t->name);
    if (!s) {
        t->type->rows.lower(t, b);
        if (!is_finite(b))
            s = cs_fail(err, CS_RANGE,
                        "target %s: the sum of its lower bounds is not finite",
                        t->name);
    }
    if (s)
        cs_lower_bound_free(b);
    else
        t->lower = b;
    return s;
}
