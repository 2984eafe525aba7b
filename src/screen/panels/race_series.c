#include "screen/panels/race_series.h"

#include "figure/distances.h"

#include <math.h>
#include <stdlib.h>

static cs_unit unit_of(const cs_racers *f)
{
    return cs_shot_unit(f->s, f->at.unit);
}

/* ---- values against the work --------------------------------------------- */

static bool find_distance(const cs_racers *f, size_t arm, cs_race_series *out)
{
    cs_distance_curve c;
    cs_figure_look at = f->at;
    at.unit = unit_of(f);
    at.of = "";
    at.option = 0;
    if (!cs_look_distance(f->s, &at, arm, &c) || !c.axis.known)
        return false;
    for (size_t i = 0; i < c.n && i < CS_RACE_POINTS; i++) {
        out->work[out->n] = cs_axis_at(&c.axis, c.time[i]);
        out->value[out->n++] = cs_distance_at(&c, i);
    }
    return out->n > 0;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Counts the modes visited by any chain: each mode is added at its first
 * visit. */
static bool find_modes(const cs_racers *f, size_t arm, cs_race_series *out)
{
    size_t chains, modes;
    const double *first =
        cs_shot_array(f->s, &chains, &modes, "arm/%zu/modes/first", arm);
    cs_axis axis = cs_axis_of(f->s, arm, unit_of(f));
    if (!first || !axis.known)
        return false;
    out->work[out->n++] = 0;
    for (size_t m = 0; m < modes && out->n + 1 < CS_RACE_POINTS; m++) {
        double step = NAN;
        for (size_t c = 0; c < chains; c++)
            step = fmin(step, first[c * modes + m]);
        if (isfinite(step))
            out->work[out->n++] = cs_axis_at(&axis, step);
    }
    qsort(out->work + 1, out->n - 1, sizeof *out->work, ascending);
    for (size_t i = 0; i < out->n; i++)
        out->value[i] = (double)i;
    out->work[out->n] = f->arm[arm].work[unit_of(f)] / f->arm[arm].chains;
    out->value[out->n] = (double)out->n - 1;
    out->n++;
    out->steps = true;
    return true;
}

/* Finds the lowest energy that any chain has reached so far. */
static bool find_energy(const cs_racers *f, size_t arm, cs_race_series *out)
{
    size_t r, n, chains, bins;
    const double *time = cs_shot_array(f->s, &r, &n, "arm/%zu/trace/time", arm);
    const double *low =
        cs_shot_array(f->s, &chains, &bins, "arm/%zu/trace/0/low", arm);
    cs_axis axis = cs_axis_of(f->s, arm, unit_of(f));
    double least = NAN;
    if (!time || !low || r * n != bins || !axis.known ||
        *cs_shot_text(f->s, "arm/%zu/trace/logp", arm))
        return false;
    for (size_t i = 0; i < bins && i < CS_RACE_POINTS; i++) {
        for (size_t c = 0; c < chains; c++)
            least = fmin(least, low[c * bins + i]);
        out->work[out->n] = cs_axis_at(&axis, time[i]);
        out->value[out->n++] = least;
    }
    out->steps = true;
    return out->n > 0;
}

/* Computes the mean over the chains for each bin of time. The last bin is left
 * out because it is not full. */
static bool find_acceptance(const cs_racers *f, size_t arm, cs_race_series *out)
{
    size_t r, n, chains, bins;
    const double *time =
        cs_shot_array(f->s, &r, &n, "arm/%zu/acceptance/time", arm);
    const double *rate =
        cs_shot_array(f->s, &chains, &bins, "arm/%zu/acceptance/rate", arm);
    cs_axis axis = cs_axis_of(f->s, arm, unit_of(f));
    if (!time || !rate || r * n != bins || !axis.known)
        return false;
    for (size_t i = 0; i + 1 < bins && i < CS_RACE_POINTS; i++) {
        double sum = 0, live = 0;
        for (size_t c = 0; c < chains; c++) {
            double v = rate[c * bins + i];
            sum += isfinite(v) ? v : 0;
            live += isfinite(v);
        }
        out->work[out->n] = cs_axis_at(&axis, time[i]);
        out->value[out->n++] = sum / live;
    }
    return out->n > 0;
}

static const struct {
    bool (*find)(const cs_racers *f, size_t arm, cs_race_series *out);
    const char *title;
    bool log; /* the values of the figure have a logarithmic axis */
} kinds[CS_RACE_FIGURES] = {
    [CS_RACE_DISTANCE] = {find_distance, "distance from exact", true},
    [CS_RACE_MODES] = {find_modes, "modes found by any chain", false},
    [CS_RACE_ENERGY] = {find_energy, "lowest energy of any chain (nats)",
                        false},
    [CS_RACE_ACCEPTANCE] = {find_acceptance, "acceptance rate", false},
};

bool cs_race_series_find(const cs_racers *f, cs_race_figure which, size_t arm,
                         cs_race_series *out)
{
    out->n = 0;
    out->steps = false;
    return which < CS_RACE_FIGURES && kinds[which].find && !f->arm[arm].out &&
           kinds[which].find(f, arm, out);
}

/* ---- plots --------------------------------------------------------------- */

/* Finds the ranges over all arms, using only positive values for a logarithmic
 * axis. */
static bool find_ranges(const cs_racers *f, cs_race_figure which, bool positive,
                        cs_scale *x, cs_scale *y)
{
    cs_race_series c;
    *x = (cs_scale){.low = HUGE_VAL, .high = -HUGE_VAL};
    *y = *x;
    for (size_t arm = 0; arm < f->n; arm++) {
        if (!cs_race_series_find(f, which, arm, &c))
            continue;
        for (size_t i = 0; i < c.n; i++) {
            double v = c.value[i];
            if (!isfinite(v) || (positive && !(v > 0)))
                continue;
            y->low = fmin(y->low, v);
            y->high = fmax(y->high, v);
        }
        x->low = fmin(x->low, c.work[0]);
        x->high = fmax(x->high, c.work[c.n - 1]);
    }
    return x->low < x->high && y->low <= y->high;
}

static void draw_series(const cs_plot *p, const cs_race_series *c, size_t arm)
{
    cs_role role = cs_theme_chain(arm);
    char mark = cs_theme_glyph(arm);
    for (size_t i = 1; i < c->n; i++) {
        double x[] = {c->work[i - 1], c->work[i], c->work[i]};
        double before = c->value[i - 1], now = c->value[i];
        double y[] = {before, c->steps ? before : now, now};
        if (!(p->log_y && (!(before > 0) || !(now > 0))))
            cs_plot_curve(p, x, y, 3, role, mark);
    }
    double end = c->work[c->n - 1];
    cs_put(&p->area, cs_plot_column(p, end < p->x1 ? end : p->x1),
           cs_plot_row(p, c->value[c->n - 1]), role, (unsigned char)mark);
}

static void draw_figure(const cs_area *a, const cs_racers *f,
                        const cs_window *w, cs_race_figure which)
{
    const cs_unit_row *unit = cs_unit_at(unit_of(f));
    bool log_y = kinds[which].log || w->log_y;
    cs_scale x, y;
    cs_race_series c;
    cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "%s", kinds[which].title);
    if (!find_ranges(f, which, log_y, &x, &y))
        return;
    y.log = log_y && y.low > 0;
    if (!kinds[which].log)
        y.low = y.low > 0 && !y.log ? 0 : y.low;
    cs_area top = cs_area_part(a, 0, 1, a->w, a->h - 2);
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_area field = cs_plot_axis_scaled(&top, y);
    cs_plot p = cs_window_plot(&field, w, w->log_x ? x.low : 0, x.high, y);
    for (size_t arm = 0; arm < f->n; arm++)
        if (cs_race_series_find(f, which, arm, &c))
            draw_series(&p, &c, arm);
    cs_plot_axis_x(&foot, &p, unit->axis);
}

static bool has_series(const cs_racers *f, cs_race_figure which)
{
    cs_race_series c;
    for (size_t arm = 0; arm < f->n; arm++)
        if (cs_race_series_find(f, which, arm, &c))
            return true;
    return false;
}

bool cs_race_series_draw(const cs_area *a, const cs_racers *f,
                         const cs_window *w, cs_race_figure first)
{
    cs_race_figure list[CS_RACE_FIGURES];
    cs_area part[CS_RACE_FIGURES];
    size_t n = 0;
    for (unsigned i = 0; i < CS_RACE_FIGURES; i++) {
        cs_race_figure k = (first + i) % CS_RACE_FIGURES;
        if (has_series(f, k))
            list[n++] = k;
    }
    n = cs_panel_tiles(a, n, (cs_tile){44, 6, 3}, part);
    for (size_t i = 0; i < n; i++)
        draw_figure(&part[i], f, w, list[i]);
    return n > 0;
}
