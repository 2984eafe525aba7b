/* A sweep drawn as facets: each figure against the parameter, one curve per
 * arm. */
#include "race/race.h"
#include "screen/canvas/facets.h"
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

/* The plotted data, owned by the panel. */
typedef struct drawing {
    cs_multiple one[CS_RACE_FIGURES];
    cs_multiple_curve curve[CS_RACE_FIGURES][CS_SHOT_ARMS];
    cs_multiple_point point[CS_RACE_FIGURES][CS_SHOT_ARMS][CS_REPLICATES];
    size_t n;
} drawing;

/* Returns the index of an arm's best run. If no run has a value, or if neither
 * large nor small values of the figure are better, returns n. */
static size_t best_of(const cs_replicas *all, const cs_race *r, size_t arm)
{
    size_t best = all->n;
    double sign = r->ranking.merit == CS_MERIT_LESS ? -1 : 1, most = -INFINITY;
    for (size_t i = 0; i < all->n && r->ranking.merit != CS_MERIT_NONE; i++) {
        double v = sign * all->run[i].value[r->figure][r->unit][arm];
        if (v > most) {
            most = v;
            best = i;
        }
    }
    return best;
}

static void add_curve(drawing *d, const cs_replicas *all, const cs_race *r,
                      size_t arm, const char *name)
{
    cs_multiple_curve *c = &d->curve[d->n][arm];
    cs_multiple_point *at = d->point[d->n][arm];
    size_t best = best_of(all, r, arm);
    *c = (cs_multiple_curve){.name = name, .number = arm, .at = at};
    for (size_t i = 0; i < all->n; i++) {
        const cs_replicated *run = &all->run[i];
        double y = run->value[r->figure][r->unit][arm];
        if (isfinite(y))
            at[c->n++] =
                (cs_multiple_point){.x = all->x[i],
                                    .y = y,
                                    .low = run->low[r->figure][r->unit][arm],
                                    .high = run->high[r->figure][r->unit][arm],
                                    .best = i == best};
    }
}

/* Adds a facet for each figure that some run has, in the chosen unit of
 * work. */
static void add_figure(drawing *d, const cs_replicas *all, const cs_racers *f,
                       cs_race_figure which)
{
    cs_race r;
    size_t points = 0;
    cs_race_find(f, which, &r);
    for (size_t arm = 0; arm < f->n; arm++) {
        add_curve(d, all, &r, arm, f->arm[arm].name);
        points += d->curve[d->n][arm].n;
    }
    if (points == 0)
        return;
    cs_multiple *m = &d->one[d->n];
    snprintf(m->title, sizeof m->title, "%s", r.title);
    m->curve = d->curve[d->n];
    m->n = f->n;
    m->figure = d->n++;
}

/* Draws "small.step = 0.1 to 2: 4 of 8 runs, 0:40 left". */
static void draw_head(const cs_area *a, const cs_replicas *all)
{
    char left[40] = "", steps[48] = "";
    long s = all->left < 1e7 ? (long)ceil(all->left) : -1;
    if (all->n < all->of && s >= 0)
        snprintf(left, sizeof left, ", %ld:%02ld left", s / 60, s % 60);
    if (isfinite(all->steps))
        snprintf(steps, sizeof steps, ", %s steps each",
                 cs_count(all->steps).text);
    cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL, "%s: %zu of %zu run%s%s%s",
                 all->over, all->n, all->of, all->of == 1 ? "" : "s", left,
                 steps);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    /* one static drawing suffices, because a process has only one screen */
    static drawing d;
    cs_figure_look all_arms = cs_panel_look(at);
    cs_racers f;
    if (!at->sweep || !at->sweep->of) {
        cs_panel_idle(a, s, "No sweep is running.",
                      "Type :sweep small.step=0.1..2:log:8 to run 8 values in "
                      "the background.");
        return;
    }
    d.n = 0;
    /* uses the figures of each run, not means over seeds */
    all_arms.replicas = NULL;
    cs_race_line_up(s, &all_arms, &f);
    for (cs_race_figure k = 0; k < CS_RACE_FIGURES; k++)
        if (k != CS_RACE_CHOSEN)
            add_figure(&d, at->sweep, &f, k);
    draw_head(a, at->sweep);
    cs_area rest = cs_area_part(a, 0, 1, a->w, a->h - 1);
    cs_facets_draw(&rest, d.one, d.n,
                   (cs_facets_axis){.name = at->sweep->over,
                                    .log_x = at->sweep->log != at->window.log_x,
                                    .log_y = at->window.log_y,
                                    .x = at->sweep->x,
                                    .n_x = at->sweep->of});
}

const cs_panel_type cs_panel_sweep = {
    .name = "sweep",
    .title = "sweep: figures against a parameter",
    .help = "Each figure of the panel race (effective draws, distance from "
            "exact, modes, acceptance rate, ...) against the parameter that "
            ":sweep varies, with one curve per arm and 95 % intervals from the "
            "jackknife over chains. * is the best value of an arm. Runs in "
            "which the figure is unknown are left out.\n:sweep "
            "small.step=0.1..2:log:8 runs the scenario in the background at 8 "
            "logarithmically spaced values of the step of the arm small, with "
            "the seed and the number of steps (or the budget) of the open run. "
            "A list of values has the form 1,4, and :sweep 0 stops. u changes "
            "the unit of work, and L switches to logarithmic axes.",
    .log_values = true,
    .no_arm = true,
    .draw = draw,
};
