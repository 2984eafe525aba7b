#include "run/tuning/window_metrics.h"

#include "kernel/member_metrics.h"
#include "run/arms/run_state.h"
#include "run/tuning/state_moments.h"
#include "run/tuning/tune.h"

#include <string.h>

/* Returns the layout of the moments for metric p. */
static cs_moments_shape shape_of(const cs_arm *a, size_t p)
{
    const cs_tuner_part *part = &a->tuning->tuner.part[p];
    return (cs_moments_shape){.kind = part->kind,
                              .dim = part->dim,
                              .chains = a->chains,
                              .chooses = part->chooses};
}

void cs_window_place(cs_arm *a)
{
    cs_tuning *g = a->tuning;
    g->n_moments = 0;
    for (size_t p = 0; p < g->tuner.n_parts; p++) {
        const cs_moments_shape shape = shape_of(a, p);
        g->moments_at[p] = g->n_moments;
        g->n_moments += cs_moments_words(&shape);
    }
}

/* Returns the coordinates of metric p in a chain's state x. */
static const double *part_of(const cs_tuning *g, size_t p, const double *x)
{
    const cs_tuner_part *part = &g->tuner.part[p];
    if (!part->coordinate)
        return x;
    for (size_t i = 0; i < part->dim; i++)
        g->part[i] = x[part->coordinate[i]];
    return g->part;
}

/* Returns whether the trajectories of metric p have one gradient. */
static bool is_single(const cs_tuning *g, size_t p)
{
    size_t i = g->tuner.part[p].driven;
    return i != CS_NO_ROW && g->trial.single >> i & 1;
}

void cs_window_add(cs_arm *a, size_t chain, const double *x, const double *deep)
{
    const cs_tuning *g = a->tuning;
    for (size_t p = 0; p < g->tuner.n_parts; p++) {
        const cs_moments_shape shape = shape_of(a, p);
        cs_moments_add(&shape, cs_tuning_moments(a) + g->moments_at[p], chain,
                       part_of(g, p, x), deep[p] != 0 && !is_single(g, p));
    }
}

/* Gives the arm the metrics found[p]; NULL keeps the previous metric. */
static void set_found(cs_arm *a, cs_metric *const *found)
{
    const cs_tuner *t = &a->tuning->tuner;
    const cs_composed *c = cs_composed_of(&a->kernel);
    size_t leaf[CS_TUNER_PARTS];
    for (size_t p = 0; p < t->n_parts; p++)
        leaf[p] = t->part[p].leaf;
    cs_metric *metric =
        c ? cs_composed_metrics(c, a->metric, leaf, found, t->n_parts)
          : cs_metric_hold(found[0]);
    if (metric)
        cs_arm_set_metric(a, metric);
    cs_metric_let_go(metric);
}

void cs_window_close(cs_arm *a)
{
    const cs_tuning *g = a->tuning;
    const cs_composed *c = cs_composed_of(&a->kernel);
    cs_metric *found[CS_TUNER_PARTS] = {NULL};
    double *words = cs_tuning_moments(a);
    for (size_t p = 0; p < g->tuner.n_parts; p++) {
        const cs_moments_shape shape = shape_of(a, p);
        const cs_metric *before =
            c ? cs_composed_metric(c, a->metric, g->tuner.part[p].leaf)
              : a->metric;
        found[p] = cs_moments_metric(&shape, words + g->moments_at[p], before);
    }
    set_found(a, found);
    for (size_t p = 0; p < g->tuner.n_parts; p++)
        cs_metric_let_go(found[p]);
    memset(words, 0, g->n_moments * sizeof *words);
}
