#include "run/draws/joint_size.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/draws/size_errors.h"
#include "stat/multivariate_size.h"

#include <math.h>

static const char too_many[] =
    "the multivariate effective size is computed for at most 64 quantities";
_Static_assert(CS_MULTIVARIATE_MOST == 64, "the number in the text");

/* The error needs the size without each group of chains. It is omitted if the size
 * itself needs more products than this. */
enum { PRODUCTS = 1 << 26 };

typedef struct sums {
    cs_multivariate *m;
    const cs_diagnosed_view *view;
    void (*add)(cs_multivariate *m, const double *row);
} sums;

static bool add_row(void *self, const double *row)
{
    sums *s = self;
    double x[CS_MULTIVARIATE_MOST];
    for (size_t k = 0; k < s->view->quantities; k++)
        x[k] = cs_diagnosed_number(s->view, row, s->view->lead + k);
    s->add(s->m, x);
    return true;
}

/* Computes the size of the chains whose number is not `without` modulo
 * `groups`. */
static cs_joint_size size_without(const cs_chosen *g, size_t groups,
                                  size_t without)
{
    cs_joint_size out = {.size = NAN, .error = NAN};
    void (*const passes[])(cs_multivariate *, const double *) = {
        cs_multivariate_mean, cs_multivariate_add};
    sums s = {cs_multivariate_new(g->view->quantities, g->draws), g->view,
              NULL};
    for (size_t pass = 0; s.m && pass < 2; pass++) {
        s.add = passes[pass];
        for (size_t i = 0; i < g->n; i++)
            if (i % groups != without)
                cs_chosen_rows(g, i, add_row, &s);
    }
    size_t used = 0;
    if (s.m)
        out.size = cs_multivariate_size(s.m, &used, &out.why);
    else
        out.why = cs_why_no_memory;
    out.used = (double)used;
    cs_multivariate_free(s.m);
    return out;
}

static const char *unusable(const cs_chosen *g)
{
    const cs_diagnosed_view *v = g->view;
    if (g->why || !g->draws)
        return g->why ? g->why : "there are no draws";
    if (g->w)
        return "draws with unequal weights have no multivariate effective size";
    if (v->quantities < cs_target_shown(g->target))
        return "only some of the quantities are recorded";
    return v->quantities > CS_MULTIVARIATE_MOST ? too_many : NULL;
}

/* Returns true if the products of quantities are few enough to be summed once for
 * each group of chains. */
static bool is_cheap(const cs_chosen *g)
{
    double of_row = (double)(g->view->quantities * g->view->quantities);
    return (double)(g->n * g->draws) * of_row <= PRODUCTS;
}

cs_joint_size cs_joint_size_of(const cs_chosen *g, bool with_error)
{
    double without[CS_JACKKNIFE_MOST];
    const char *why = unusable(g);
    if (why)
        return (cs_joint_size){.size = NAN, .error = NAN, .why = why};
    with_error = with_error && is_cheap(g);
    size_t groups = cs_jackknife_groups(g->n);
    cs_joint_size out = size_without(g, g->n, g->n);
    for (size_t i = 0; with_error && !out.why && i < groups; i++) {
        size_t left = g->n - (g->n - i + groups - 1) / groups;
        without[i] = log(size_without(g, groups, i).size / (double)left);
    }
    if (with_error && !out.why)
        out.error = cs_jackknife_error(without, groups);
    return out;
}

cs_joint_size cs_run_joint_size(cs_run *r, size_t arm,
                                const cs_run_sample *sample)
{
    cs_diagnosed_view v;
    cs_joint_size out = {
        .size = NAN, .error = NAN, .why = "there are no draws"};
    const cs_arm *a = &r->arm[arm];
    if (!a->diagnosed->rows || !cs_diagnosed_look(a, sample, &v))
        return out;
    cs_chosen g = cs_choose(r->target, &v);
    cs_chosen_weigh(&g);
    out = cs_joint_size_of(&g, false);
    cs_free(g.w);
    cs_diagnosed_end(&v);
    return out;
}
