#include "run/bins.h"

#include "base/memory.h"
#include "run/internal.h"
#include "stat/sort.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

/* Points of a grid a side; of a density that is dear, fewer (see
 * target/enumeration.c). How often the view is doubled, at most: to cover high
 * energies costs resolution of the low ones. */
enum { LINE = 1 << 18, DEAR_LINE = 900, SIDE = 512, DEAR_SIDE = 60 };
enum { WIDEST_LINE = 6, WIDEST_PLANE = 2 };
enum { LOOK = 1 << 20 }; /* bytes of a report that is only looked at */
/* The last bin is whole where the grid covers so many temperatures more. */
static const double tail = 20;

void cs_energies_clear(cs_energies *e)
{
    cs_free(e->energy);
    cs_free(e->below);
    *e = (cs_energies){
        .wanted = e->wanted, .looked = e->looked, .asked = e->asked};
}

/* ---- points -------------------------------------------------------------- */

typedef struct grid {
    size_t dim, side, n;
    double *x, *logp; /* [n][dim], [n] [own] */
} grid;

static bool make_grid(const cs_target *t, unsigned wide, grid *g)
{
    const double *view = t->exact.view;
    bool dear = (t->flags & CS_TARGET_MAIN_THREAD) || t->data_terms;
    g->dim = t->space.dim;
    g->side =
        g->dim == 1 ? (dear ? DEAR_LINE : LINE) : (dear ? DEAR_SIDE : SIDE);
    g->n = g->dim == 1 ? g->side : g->side * g->side;
    g->x = cs_alloc(g->n * g->dim, sizeof *g->x);
    g->logp = cs_alloc(g->n, sizeof *g->logp);
    for (size_t i = 0; g->x && i < g->n * g->dim; i++) {
        size_t k = i % g->dim, at = i / g->dim;
        at = g->dim == 1 ? at : k ? at % g->side : at / g->side;
        double middle = (view[2 * k] + view[2 * k + 1]) / 2;
        double half = ldexp(view[2 * k + 1] - view[2 * k], (int)wide) / 2;
        double share = ((double)at + 0.5) / (double)g->side;
        g->x[i] = middle + half * (2 * share - 1);
    }
    return g->x && g->logp && cs_enumeration_evaluate(t, g->x, g->n, g->logp);
}

/* The least energy on the border of the grid: all points below it are inside. */
static double cover_of(const grid *g)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < g->n; i++) {
        size_t row = i / g->side, col = i % g->side;
        bool rim = col == 0 || col + 1 == g->side ||
                   (g->dim == 2 && (row == 0 || row + 1 == g->side));
        if (rim)
            least = fmin(least, -g->logp[i]);
    }
    return least;
}

static bool has_view(const cs_target *t)
{
    const double *view = t->exact.view;
    size_t dim = t->space.dim;
    return t->space.kind == CS_CONTINUOUS && dim <= 2 && !t->outputs.n &&
           view[1] > view[0] && (dim == 1 || view[3] > view[2]);
}

/* The energies of n points of equal measure, in order. */
static bool sort_energies(cs_energies *e, const double *logp, size_t n)
{
    cs_sort_place *place = cs_alloc(n, sizeof *place);
    size_t kept = 0;
    e->energy = cs_alloc(n, sizeof *e->energy);
    e->below = cs_alloc(n + 1, sizeof *e->below);
    for (size_t i = 0; place && i < n; i++)
        if (isfinite(logp[i]))
            place[kept++].value = -logp[i];
    bool good = place && e->energy && e->below && kept > 0;
    if (good)
        cs_sort_places(place, kept);
    for (size_t i = 0; good && i < kept; i++)
        e->energy[i] = place[i].value;
    e->n = good ? kept : 0;
    cs_free(place);
    return good;
}

static void seek_grid(cs_energies *e, const cs_target *t)
{
    unsigned most = t->space.dim == 1 ? WIDEST_LINE : WIDEST_PLANE;
    for (e->wide = 0;; e->wide++) {
        grid g;
        bool good = make_grid(t, e->wide, &g);
        e->cover = good ? cover_of(&g) : 0;
        bool last = e->wide == most || e->cover >= e->asked;
        if (good && last)
            sort_energies(e, g.logp, g.n);
        cs_free(g.x);
        cs_free(g.logp);
        if (!good || last)
            return;
    }
}

/* Shares at another temperature. */
static void weigh(cs_energies *e, double temperature)
{
    double sum = 0;
    e->temperature = temperature;
    for (size_t i = 0; i < e->n; i++) {
        e->below[i] = sum;
        sum += exp((e->energy[0] - e->energy[i]) / temperature);
    }
    e->below[e->n] = sum;
    for (size_t i = 0; i <= e->n; i++)
        e->below[i] /= sum;
}

static void seek(cs_energies *e, const cs_target *t)
{
    cs_energies_clear(e);
    e->sought = true;
    e->generation = t->generation;
    e->all = t->space.kind != CS_CONTINUOUS;
    e->cover = HUGE_VAL;
    if (has_view(t)) {
        seek_grid(e, t);
    } else if (e->all) {
        const cs_enumeration *truth = cs_enumeration_of(t);
        if (truth->n && truth->all)
            sort_energies(e, truth->logp, truth->n);
    }
    if (e->n)
        weigh(e, 1);
}

static bool is_due(const cs_run *r)
{
    const cs_energies *e = &r->energies;
    unsigned most = r->target->space.dim == 1 ? WIDEST_LINE : WIDEST_PLANE;
    bool short_of = e->n && e->cover < e->asked && e->wide < most;
    return e->wanted &&
           (!e->sought || short_of || e->generation != r->target->generation);
}

/* ---- bins ---------------------------------------------------------------- */

/* The share of the mass with an energy up to `most`. */
static double share_up_to(const cs_energies *e, double most)
{
    size_t low = 0, high = e->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (e->energy[middle] <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return e->below[low];
}

/* The first bin and the last are open at their ends. */
static void fill(const cs_energies *e, const double *low, const double *high,
                 size_t n, double *to)
{
    for (size_t i = 0; i < n; i++) {
        bool first = i == 0, last = i + 1 == n;
        double up_to = last ? low[i] + tail * e->temperature : high[i];
        double from = first ? 0 : share_up_to(e, low[i]);
        double mass = (last ? 1 : share_up_to(e, high[i])) - from;
        to[i] = up_to <= e->cover ? fmax(mass, 0) : (double)NAN;
    }
}

/* The temperature of the chain's target: a parameter, of its last step. */
static double temperature_of(const cs_arm *a)
{
    const cs_kernel_type *type = a->kernel.type;
    int k = cs_param_find(type->params, type->n_params, "temperature");
    double t = k < 0 ? 1 : a->block[0]->param[(size_t)k * a->block[0]->lanes];
    return t > 0 ? t : 1;
}

static const double *bins_of(const cs_flat *f, const char *prefix,
                             const char *key, size_t *n)
{
    cs_flat_entry e;
    if (!cs_flat_find(f->base, f->used, &e, "%s%s", prefix, key) || !e.data)
        return NULL;
    *n = e.rows * e.cols;
    return e.data;
}

void cs_bins_add_truth(cs_run *r, const cs_arm *a, const char *prefix,
                       cs_flat *out, bool now)
{
    cs_energies *e = &r->energies;
    cs_flat_entry other;
    size_t n = 0, m = 0;
    const double *low = bins_of(out, prefix, "bin_low", &n);
    const double *high = bins_of(out, prefix, "bin_high", &m);
    if (!low || !high || n != m || n == 0 ||
        cs_flat_find(out->base, out->used, &other, "%sbin_of", prefix) ||
        cs_flat_find(out->base, out->used, &other, "%sbin_truth", prefix))
        return;
    e->wanted = true;
    e->asked = fmax(e->asked, low[n - 1] + tail * temperature_of(a));
    if (is_due(r) && !now)
        return;
    if (is_due(r))
        seek(e, r->target);
    double *to = e->n ? cs_flat_array(out, 1, n, "%sbin_truth", prefix) : NULL;
    if (!to)
        return;
    if (e->temperature != temperature_of(a))
        weigh(e, temperature_of(a));
    fill(e, low, high, n, to);
    cs_flat_text(out, e->all ? "all states" : "grid", "%sbin_truth_from",
                 prefix);
}

/* Whether some kernel has bins is known from what it reports. */
static void look(cs_run *r)
{
    void *memory = NULL;
    cs_flat f;
    r->energies.looked = true;
    for (size_t i = 0; i < r->n_arms; i++) {
        if (!r->arm[i].kernel.type->report)
            continue;
        memory = memory ? memory : cs_alloc(LOOK, 1);
        if (!memory)
            return;
        cs_flat_begin(&f, memory, LOOK);
        cs_arm_report(r, &r->arm[i], "", false, &f);
    }
    cs_free(memory);
}

bool cs_bins_settled(cs_run *r)
{
    if (!r->energies.looked)
        look(r);
    return !is_due(r);
}

void cs_bins_settle(cs_run *r)
{
    if (is_due(r))
        seek(&r->energies, r->target);
}
