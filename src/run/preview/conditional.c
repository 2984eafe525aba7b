/* Conditional distributions, by evaluations of the target along a coordinate. */
#include "run/preview/conditional.h"

#include "base/memory.h"
#include "run/draws/points.h"
#include "target/parameters.h"

#include <math.h>
#include <string.h>

/* DROP: densities below exp(-DROP) times the largest are not shown. */
enum { POINTS = CS_CONDITIONAL_POINTS, DROP = 6, DOUBLINGS = 40, HALVINGS = 6 };

typedef struct search {
    const cs_target *t;
    cs_points points;
    size_t coordinate;
    size_t shown;                /* displayed quantity with the coordinate's
                                    scale; cs_target_shown(t): none */
    double *x, *grid, *quantity; /* [dim], [POINTS][dim], [shown] */
} search;

static bool begin(search *s, const cs_target *t, const double *x,
                  size_t coordinate)
{
    size_t dim = t->space.dim, shown = cs_target_shown(t), i = 0;
    *s = (search){.t = t, .coordinate = coordinate};
    while (i < shown && cs_target_shown_coordinate(t, i) != coordinate)
        i++;
    s->shown = i;
    s->x = cs_alloc((POINTS + 1) * dim + shown, sizeof *s->x);
    if (!s->x || !cs_points_begin(&s->points, t))
        return false;
    s->grid = s->x + dim;
    s->quantity = s->grid + POINTS * dim;
    memcpy(s->x, x, dim * sizeof *x);
    return true;
}

static void end(search *s)
{
    cs_points_end(&s->points);
    cs_free(s->x);
}

/* Computes logp[n] at the values u[n] of the coordinate. */
static void ask(const search *s, const double *u, size_t n, double *logp)
{
    size_t dim = s->t->space.dim;
    for (size_t i = 0; i < n; i++) {
        memcpy(s->grid + i * dim, s->x, dim * sizeof *s->x);
        s->grid[i * dim + s->coordinate] = u[i];
    }
    cs_points_ask(&s->points, s->grid, n, logp, NULL);
}

static double logp_at(const search *s, double u)
{
    double logp;
    ask(s, &u, 1, &logp);
    return logp;
}

/* Returns the value as it is displayed. */
static double display(const search *s, double u)
{
    double was = s->x[s->coordinate], value = u;
    if (s->shown >= cs_target_shown(s->t))
        return u;
    s->x[s->coordinate] = u;
    if (cs_target_show(s->t, s->x, s->quantity))
        value = s->quantity[s->shown];
    s->x[s->coordinate] = was;
    return value;
}

/* Divides by the largest density. Returns false if none is finite. */
static bool scale(double *logp, size_t n)
{
    double most = -HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        most = logp[i] > most ? logp[i] : most;
    if (!isfinite(most))
        return false;
    for (size_t i = 0; i < n; i++)
        logp[i] = isnan(logp[i]) ? 0 : exp(logp[i] - most);
    return true;
}

static bool find_discrete(const search *s, const cs_part *p,
                          cs_conditional *out)
{
    if (p->values > POINTS)
        return false;
    out->n = (size_t)p->values;
    for (size_t i = 0; i < out->n; i++)
        out->value[i] = p->low + (double)i;
    ask(s, out->value, out->n, out->density);
    return scale(out->density, out->n);
}

/* Returns the distance from u, in the direction of `sign`, at which log p has
 * fallen by DROP: first doubles it, then halves the interval. */
static double find_end(const search *s, double u, double logp, double sign)
{
    double low = 0, high = 1e-3 * (1 + fabs(u));
    for (int i = 0; i < DOUBLINGS; i++, high *= 2) {
        if (!(logp_at(s, u + sign * high) > logp - DROP))
            break;
        low = high;
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        if (logp_at(s, u + sign * middle) > logp - DROP)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Fills a grid from the point u, and returns the point of its largest log p. */
static double fill(const search *s, double u, double logp, double *grid,
                   double *to)
{
    double left = u - find_end(s, u, logp, -1),
           right = u + find_end(s, u, logp, 1);
    size_t best = 0;
    for (size_t i = 0; i < POINTS; i++)
        grid[i] = left + (right - left) * (double)i / (POINTS - 1);
    ask(s, grid, POINTS, to);
    for (size_t i = 0; i < POINTS; i++)
        best = to[i] > to[best] || isnan(to[best]) ? i : best;
    return grid[best];
}

/* Changes the densities to the scale of the displayed values. */
static void transform(const search *s, cs_conditional *out, const double *grid)
{
    double slope[POINTS];
    bool falls = display(s, grid[POINTS - 1]) < display(s, grid[0]);
    for (size_t i = 0; i < POINTS; i++)
        out->value[i] = display(s, grid[i]);
    for (size_t i = 0; i < POINTS; i++) {
        size_t a = i ? i - 1 : 0, b = i + 1 < POINTS ? i + 1 : i;
        slope[i] = (out->value[b] - out->value[a]) / (grid[b] - grid[a]);
    }
    for (size_t i = 0; i < POINTS; i++)
        out->density[i] -= log(fabs(slope[i]));
    for (size_t i = 0; falls && i < POINTS / 2; i++) {
        size_t k = POINTS - 1 - i;
        double v = out->value[i], d = out->density[i];
        out->value[i] = out->value[k];
        out->density[i] = out->density[k];
        out->value[k] = v;
        out->density[k] = d;
    }
}

static bool find_real(const search *s, double u, cs_conditional *out)
{
    double grid[POINTS], logp = logp_at(s, u);
    if (!isfinite(logp))
        return false;
    double best = fill(s, u, logp, grid, out->density);
    logp = logp_at(s, best);
    if (!isfinite(logp))
        return false;
    fill(s, best, logp, grid, out->density);
    out->n = POINTS;
    transform(s, out, grid);
    return scale(out->density, POINTS);
}

bool cs_conditional_find(const cs_target *t, const double *x, size_t coordinate,
                         double from, double to, cs_conditional *out)
{
    search s;
    assert(t && x && out && coordinate < t->space.dim);
    *out = (cs_conditional){.n = 0};
    if (t->flags & (CS_TARGET_MAIN_THREAD | CS_TARGET_UNNORMALISED))
        return false;
    const cs_part p = cs_space_part(&t->space, coordinate);
    bool good = begin(&s, t, x, coordinate);
    out->discrete = p.kind != CS_CONTINUOUS;
    good = good && (out->discrete ? find_discrete(&s, &p, out)
                                  : find_real(&s, x[coordinate], out));
    if (good) {
        out->from = display(&s, from);
        out->to = display(&s, to);
    } else {
        out->n = 0;
    }
    end(&s);
    return good;
}
