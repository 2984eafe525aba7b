#include "run/views/bin_truth.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/views/report_scratch.h"
#include "stat/sort.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

/* Grid points per side, on a line or in the plane; DEAR: for an expensive
 * density (see target/enumeration.c). WIDEST: maximum number of times that the
 * width of the grid is doubled to cover high energies; each doubling halves the
 * resolution at low energies. */
enum { LINE = 1 << 18, DEAR_LINE = 900, SIDE = 512, DEAR_SIDE = 60 };
enum { WIDEST_LINE = 6, WIDEST_PLANE = 2 };
enum { LOOK = 1 << 20 }; /* size of a temporary report in bytes */
/* The last bin is complete if the grid covers energies up to this multiple of
 * the temperature above the lower border of the bin. */
static const double tail = 20;

enum { OF_ENERGY, OF_SHOWN, OF_SUM };
/* energy above the minimum, in nats, beyond which mass is negligible */
static const double far = 40;

void cs_binned_clear(cs_binned *e)
{
    CS_FREE_ALL(e->value, e->energy, e->below);
    *e = (cs_binned){
        .of = e->of, .shown = e->shown, .wanted = e->wanted, .asked = e->asked};
}

/* ---- points -------------------------------------------------------------- */

typedef struct grid {
    size_t dim, side, n;
    double *x, *logp; /* [n][dim], [n] [own] */
} grid;

static bool make_grid(const cs_target *t, unsigned wide, grid *g)
{
    const double *view = t->exact.view;
    bool dear = cs_target_is_dear(t);
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

/* Returns the smallest energy on the border of the grid. All points with a
 * lower energy are inside the grid. */
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
    return cs_space_is_real(&t->space) && dim <= 2 && !t->outputs.n &&
           view[1] > view[0] && (dim == 1 || view[3] > view[2]);
}

static double value_of(const cs_binned *e, const double *x, size_t dim,
                       double energy)
{
    double sum = 0;
    for (size_t d = 0; d < dim && e->of == OF_SUM; d++)
        sum += x[d];
    return e->of == OF_ENERGY ? energy
           : e->of == OF_SUM  ? sum
                              : x[e->shown - 1];
}

/* Sorts the points with finite log p by value. All n points have equal measure;
 * x(i) is the position of point i. */
static void sort_points(cs_binned *e, const cs_target *t, const double *logp,
                        size_t n, void (*x)(const void *, size_t, double *),
                        const void *self)
{
    size_t dim = t->space.dim, kept = 0;
    cs_sort_place *place = cs_alloc(n, sizeof *place);
    double *at = cs_alloc(dim, sizeof *at);
    e->value = cs_alloc(n, sizeof *e->value);
    e->energy = cs_alloc(n, sizeof *e->energy);
    e->below = cs_alloc(n + 1, sizeof *e->below);
    bool good = place && at && e->value && e->energy && e->below;
    for (size_t i = 0; good && i < n; i++) {
        if (!isfinite(logp[i]))
            continue;
        if (e->of != OF_ENERGY)
            x(self, i, at);
        place[kept].value = value_of(e, at, dim, -logp[i]);
        place[kept++].at = i;
    }
    if (good)
        cs_sort_places(place, kept);
    for (size_t i = 0; good && i < kept; i++) {
        e->value[i] = place[i].value;
        e->energy[i] = -logp[place[i].at];
    }
    e->n = good ? kept : 0;
    cs_free(place);
    cs_free(at);
}

static void grid_point(const void *self, size_t i, double *x)
{
    const grid *g = self;
    memcpy(x, g->x + i * g->dim, g->dim * sizeof *x);
}

/* Returns the energy up to which the grid must be complete. It is the energy of
 * the last bin, or an energy below which all relevant mass is found. */
static double reach_of(const cs_binned *e, const grid *g)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < g->n; i++)
        least = fmin(least, -g->logp[i]);
    return e->of == OF_ENERGY ? e->asked : least + far;
}

static void seek_grid(cs_binned *e, const cs_target *t)
{
    unsigned most = t->space.dim == 1 ? WIDEST_LINE : WIDEST_PLANE;
    for (e->wide = 0;; e->wide++) {
        grid g;
        bool good = make_grid(t, e->wide, &g);
        e->cover = good ? cover_of(&g) : 0;
        bool last = good && (e->wide == most || e->cover >= reach_of(e, &g));
        if (last)
            sort_points(e, t, g.logp, g.n, grid_point, &g);
        cs_free(g.x);
        cs_free(g.logp);
        if (!good || last)
            return;
    }
}

/* All states of a target. */
typedef struct states {
    const cs_target *target;
    const cs_enumeration *truth;
} states;

static void state_point(const void *self, size_t i, double *x)
{
    const states *k = self;
    cs_enumeration_point(k->target, k->truth, i, x);
}

/* Computes the shares of the mass at another temperature. */
static void weigh(cs_binned *e, double heat)
{
    double sum = 0, least = HUGE_VAL;
    e->heat = heat;
    for (size_t i = 0; i < e->n; i++)
        least = fmin(least, e->energy[i]);
    for (size_t i = 0; i < e->n; i++) {
        e->below[i] = sum;
        sum += heat < HUGE_VAL ? exp((least - e->energy[i]) / heat) : 1;
    }
    e->below[e->n] = sum;
    for (size_t i = 0; i <= e->n; i++)
        e->below[i] /= sum;
}

static void seek(cs_binned *e, const cs_target *t)
{
    bool coordinate = e->of == OF_SHOWN;
    cs_binned_clear(e);
    e->sought = true;
    e->generation = t->generation;
    e->all = cs_space_is_countable(&t->space);
    e->cover = HUGE_VAL;
    if (coordinate && (t->outputs.n || e->shown < 1 || e->shown > t->space.dim))
        return;
    if (has_view(t)) {
        seek_grid(e, t);
    } else if (e->all) {
        const states k = {t, cs_enumeration_of(t)};
        if (k.truth->n && k.truth->all)
            sort_points(e, t, k.truth->logp, k.truth->n, state_point, &k);
    }
    if (e->n)
        weigh(e, 1);
}

static bool is_due(const cs_run *r, const cs_binned *e)
{
    unsigned most = r->target->space.dim == 1 ? WIDEST_LINE : WIDEST_PLANE;
    bool short_of =
        e->of == OF_ENERGY && e->n && e->cover < e->asked && e->wide < most;
    return e->wanted &&
           (!e->sought || short_of || e->generation != r->target->generation);
}

/* ---- bins ---------------------------------------------------------------- */

/* Returns the share of the mass at values up to `most`. */
static double share_up_to(const cs_binned *e, double most)
{
    size_t low = 0, high = e->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (e->value[middle] <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return e->below[low];
}

/* The parameters of a kernel that define its bins. */
typedef struct wants {
    unsigned of;
    size_t shown;
    double heat;
    bool window;
    const double *share; /* [n_shares]; NULL: equal */
    size_t n_shares;
} wants;

/* Returns the value of a parameter at the last step. If the kernel has no such
 * parameter, returns NAN. */
static double param_of(const cs_arm *a, const char *name)
{
    const cs_kernel_type *type = a->kernel.type;
    int k = cs_param_find(type->params, type->n_params, name);
    return k < 0 ? (double)NAN
                 : a->block[0]->param[(size_t)k * a->block[0]->lanes];
}

/* Returns the chosen option of a parameter; "" if the kernel has no such
 * parameter. */
static const char *choice_of(const cs_arm *a, const char *name)
{
    const cs_kernel_type *type = a->kernel.type;
    int k = cs_param_find(type->params, type->n_params, name);
    bool chosen = k >= 0 && type->params[k].kind == CS_PARAM_CHOICE;
    return chosen ? type->params[k].choices[(size_t)a->kernel.values[k]] : "";
}

static wants wants_of(const cs_arm *a)
{
    const cs_kernel_type *type = a->kernel.type;
    const char *of = choice_of(a, "of");
    double heat = param_of(a, "temperature"), shown = param_of(a, "shown");
    wants w = {.of = strcmp(of, "shown") == 0 ? OF_SHOWN
                     : strcmp(of, "sum") == 0 ? OF_SUM
                                              : OF_ENERGY,
               .heat = heat > 0 ? heat : 1,
               .window = param_of(a, "window") == 1};
    if (w.of == OF_SHOWN)
        w.shown = (size_t)shown;
    if (strcmp(choice_of(a, "measure"), "uniform") == 0)
        w.heat = HUGE_VAL;
    for (size_t i = 0; i < type->n_lists; i++)
        if (strcmp(type->params[type->n_params + i].name, "shares") == 0)
            w.share = cs_kernel_list(&a->kernel, i, &w.n_shares);
    return w;
}

/* Converts the masses of bins to the weights to which learning converges. If
 * the desired shares are unequal, these weights differ from the masses. */
static void divide(const wants *w, size_t n, double *mass)
{
    double empty = 0, full = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        empty += mass[i] > 0 ? 0 : w->share[i];
        full += mass[i] > 0;
    }
    for (size_t i = 0; i < n; i++)
        sum += mass[i] /= w->share[i] + empty / full;
    for (size_t i = 0; i < n; i++)
        mass[i] /= sum;
}

/* Fills in the masses of the bins. The first and the last bin are unbounded,
 * unless the kernel has a window. */
static void fill(const cs_binned *e, const wants *w, const double *low,
                 const double *high, size_t n, double *to)
{
    double begin = w->window ? share_up_to(e, low[0]) : 0;
    double end = w->window ? share_up_to(e, high[n - 1]) : 1;
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n && !w->window;
        double up_to = last ? low[i] + tail * e->heat : high[i];
        double from = i ? share_up_to(e, low[i]) : begin;
        double mass = (i + 1 == n ? end : share_up_to(e, high[i])) - from;
        bool known = e->of != OF_ENERGY || up_to <= e->cover;
        to[i] = known ? fmax(mass, 0) / (end - begin) : (double)NAN;
    }
    if (w->share && w->n_shares == n)
        divide(w, n, to);
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

/* Returns the entry for a quantity. If there are too many entries, a new entry
 * replaces an old one. */
static cs_binned *binned_of(cs_run *r, const wants *w)
{
    cs_binned *e = r->reports->binned;
    for (; e < r->reports->binned + CS_BINNED - 1 && e->wanted; e++)
        if (e->of == w->of && e->shown == w->shown)
            return e;
    if (e->of != w->of || e->shown != w->shown)
        cs_binned_clear(e);
    e->of = w->of;
    e->shown = w->shown;
    e->wanted = true;
    return e;
}

static void name_function(const cs_run *r, const wants *w, const char *prefix,
                          cs_flat *out)
{
    char name[64] = "sum of the coordinates";
    if (w->of == OF_ENERGY)
        return;
    if (w->of == OF_SHOWN && w->shown >= 1 &&
        w->shown <= cs_target_shown(r->target))
        cs_target_coordinate(r->target, w->shown - 1, name, sizeof name);
    cs_flat_text(out, name, "%sbin_of", prefix);
}

void cs_bins_add_truth(cs_run *r, const cs_arm *a, const char *prefix,
                       cs_flat *out, bool now)
{
    size_t n = 0, m = 0;
    cs_flat_entry reported;
    const double *low = bins_of(out, prefix, "bin_low", &n);
    const double *high = bins_of(out, prefix, "bin_high", &m);
    if (!low || !high || n != m || n == 0 ||
        cs_flat_find(out->base, out->used, &reported, "%sbin_of", prefix))
        return; /* only the kernel can compute this quantity */
    const wants w = wants_of(a);
    bool endless =
        w.heat == HUGE_VAL && !cs_space_is_countable(&r->target->space);
    name_function(r, &w, prefix, out);
    if (endless) /* the distribution is not integrable */
        return;
    cs_binned *e = binned_of(r, &w);
    e->asked = fmax(e->asked, low[n - 1] + tail * fmin(w.heat, far));
    if (is_due(r, e) && !now)
        return;
    if (is_due(r, e))
        seek(e, r->target);
    double *to = e->n ? cs_flat_array(out, 1, n, "%sbin_truth", prefix) : NULL;
    if (!to)
        return;
    if (e->heat != w.heat)
        weigh(e, w.heat);
    fill(e, &w, low, high, n, to);
    cs_flat_text(out, e->all ? "all states" : "grid", "%sbin_truth_from",
                 prefix);
}

/* Makes the reports of all kernels to find out whether a kernel has bins. */
static void look(cs_run *r)
{
    void *memory = NULL;
    cs_flat f;
    r->reports->bins_looked = true;
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

static cs_binned *next_due(cs_run *r)
{
    for (size_t i = 0; i < CS_BINNED; i++)
        if (is_due(r, &r->reports->binned[i]))
            return &r->reports->binned[i];
    return NULL;
}

bool cs_bins_settled(cs_run *r)
{
    if (!r->reports->bins_looked)
        look(r);
    return !next_due(r);
}

void cs_bins_settle(cs_run *r)
{
    cs_binned *e = next_due(r);
    if (e)
        seek(e, r->target);
}
