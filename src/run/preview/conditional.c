/* Conditional distributions, by evaluations of the target along a coordinate. */
#include "run/preview/conditional.h"

#include "base/memory.h"
#include "target/density_line.h"
#include "target/parameters.h"

#include <math.h>
#include <string.h>

/* DROP: densities below exp(-DROP) times the largest are not shown. */
enum { POINTS = CS_CONDITIONAL_POINTS, DROP = 6 };

typedef struct search {
    const cs_target *t;
    size_t coordinate;
    size_t shown;         /* displayed quantity with the coordinate's
                                    scale; cs_target_shown(t): none */
    double *x, *quantity; /* [dim], [shown] */
} search;

static bool begin(search *s, const cs_target *t, const double *x,
                  size_t coordinate)
{
    size_t dim = t->space.dim, shown = cs_target_shown(t), i = 0;
    *s = (search){.t = t, .coordinate = coordinate};
    while (i < shown && cs_target_shown_coordinate(t, i) != coordinate)
        i++;
    s->shown = i;
    s->x = cs_alloc(dim + shown, sizeof *s->x);
    if (!s->x)
        return false;
    s->quantity = s->x + dim;
    memcpy(s->x, x, dim * sizeof *x);
    return true;
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

static bool find_discrete(const cs_density_line *line, cs_conditional *out)
{
    out->n = line->n;
    memcpy(out->value, line->x, line->n * sizeof *line->x);
    memcpy(out->density, line->logp, line->n * sizeof *line->logp);
    return scale(out->density, out->n);
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

static bool find_real(const search *s, cs_density_line *line,
                      cs_conditional *out)
{
    double grid[POINTS], low, high;
    if (!cs_density_line_range(line, DROP, &low, &high))
        return false;
    for (size_t i = 0; i < POINTS; i++)
        grid[i] = low + (high - low) * (double)i / (POINTS - 1);
    cs_density_line_evaluate(line, s->t, s->x, s->coordinate, grid, POINTS,
                             out->density);
    out->n = POINTS;
    transform(s, out, grid);
    return scale(out->density, POINTS);
}

bool cs_conditional_find(const cs_target *t, const double *x, size_t coordinate,
                         double from, double to, cs_conditional *out)
{
    search s = {0};
    assert(t && x && out && coordinate < t->space.dim);
    *out = (cs_conditional){.n = 0};
    if (t->flags & (CS_TARGET_MAIN_THREAD | CS_TARGET_UNNORMALISED))
        return false;
    const cs_part p = cs_space_part(&t->space, coordinate);
    cs_density_line line = {0};
    out->discrete = p.kind != CS_CONTINUOUS;
    bool good =
        p.values <= POINTS && begin(&s, t, x, coordinate) &&
        cs_density_line_find(&line, t, x, coordinate) &&
        (out->discrete ? find_discrete(&line, out) : find_real(&s, &line, out));
    if (good) {
        out->from = display(&s, from);
        out->to = display(&s, to);
    } else {
        out->n = 0;
    }
    cs_density_line_free(&line);
    cs_free(s.x);
    return good;
}
