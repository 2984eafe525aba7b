#include "support/odd.h"

#include "support/small.h"
#include "support/support.h"
#include "target/eval.h"

#include <string.h>

static double still(double *g)
{
    memset(g, 0, SMALL_DIM * sizeof *g);
    return 0;
}

/* ---- flat, steep, fenced and narrow targets ------------------------------ */

static double flat_bits(const double *x, double *g)
{
    (void)x;
    return still(g);
}

static double flat_plane(const double *x, double *g)
{
    (void)x;
    return still(g);
}

static double steep_bits(const double *x, double *g)
{
    still(g);
    g[0] = 1e300;
    g[1] = -1e300;
    return 1e300 * (x[0] - x[1]);
}

static double steep_sites(const double *x, double *g)
{
    still(g);
    g[0] = -1e300;
    g[1] = 1e-300;
    return -1e300 * x[0] + 1e-300 * x[1];
}

/* Returns a log p whose exponential overflows everywhere. */
static double steep_lattice(const double *x, double *g)
{
    still(g);
    g[0] = -2e290 * (x[0] - 3);
    return 1e300 - 1e290 * (x[0] - 3) * (x[0] - 3);
}

static double steep_plane(const double *x, double *g)
{
    still(g);
    for (int i = 0; i < 2; i++)
        g[i] = -1e200 * x[i];
    return -5e199 * (x[0] * x[0] + x[1] * x[1]);
}

/* Returns 0 inside a boundary and -infinity beyond the boundary. The slope does
 * not indicate where the boundary is. */
static double fenced_lattice(const double *x, double *g)
{
    still(g);
    return x[0] + x[1] > 6 ? -HUGE_VAL : 0;
}

static double fenced_bits(const double *x, double *g)
{
    still(g);
    return x[0] + x[1] + x[2] > 2 ? -HUGE_VAL : 0;
}

static double fenced_plane(const double *x, double *g)
{
    still(g);
    return fabs(x[0]) + fabs(x[1]) > 1 ? -HUGE_VAL : 0;
}

static double one_bit(const double *x, double *g)
{
    still(g);
    g[0] = 0.7;
    return 0.7 * x[0];
}

static double one_site(const double *x, double *g)
{
    still(g);
    g[0] = -0.3;
    return -0.3 * x[0];
}

static double one_number(const double *x, double *g)
{
    still(g);
    g[0] = -x[0];
    return -0.5 * x[0] * x[0];
}

SMALL(flat_bits, CS_BINARY, 3, 0, 2);
SMALL(flat_plane, CS_CONTINUOUS, 2, 0, 0);
SMALL(steep_bits, CS_BINARY, 2, 0, 2);
SMALL(steep_sites, CS_CATEGORICAL, 2, 0, 3);
SMALL(steep_lattice, CS_ORDINAL, 1, 2, 5);
SMALL(steep_plane, CS_CONTINUOUS, 2, 0, 0);
SMALL(fenced_lattice, CS_ORDINAL, 2, 2, 5);
SMALL(fenced_bits, CS_BINARY, 3, 0, 2);
SMALL(fenced_plane, CS_CONTINUOUS, 2, 0, 0);
SMALL(one_bit, CS_BINARY, 1, 0, 2);
SMALL(one_site, CS_CATEGORICAL, 1, 0, 3);
SMALL(one_number, CS_CONTINUOUS, 1, 0, 0);

/* ---- wide ---------------------------------------------------------------- */

enum { WIDE = 10000 };

/* log p = -sum (x_i - 1/2)^2 / 2 */
static void wide_gradient(const cs_target *t, const cs_point *at, double *logp,
                          double *g)
{
    memset(logp, 0, at->lanes * sizeof *logp);
    for (size_t i = 0; i < t->space.dim; i++)
        for (size_t l = 0; l < at->lanes; l++) {
            double off = at->x[i * at->lanes + l] - 0.5;
            logp[l] -= off * off / 2;
            if (g)
                g[i * at->lanes + l] = -off;
        }
}

static void wide_log_density(const cs_target *t, const cs_point *at,
                             double *logp)
{
    wide_gradient(t, at, logp, NULL);
}

static void wide_site(const cs_target *t, const cs_point *at,
                      const uint32_t *site, double *d)
{
    for (int v = 0; v < t->space.values; v++)
        for (size_t l = 0; l < at->lanes; l++) {
            double to = t->space.low + v - 0.5;
            double off = at->x[site[l] * at->lanes + l] - 0.5;
            d[(size_t)v * at->lanes + l] = (off * off - to * to) / 2;
        }
}

#define WIDE_TARGET(which, kind_, low_, values_)                               \
    static cs_status which##_create(cs_target *t, const cs_value *v,           \
                                    cs_error *err)                             \
    {                                                                          \
        (void)v;                                                               \
        (void)err;                                                             \
        t->space = (cs_space){                                                 \
            .kind = kind_, .dim = WIDE, .low = low_, .values = values_};       \
        return CS_OK;                                                          \
    }                                                                          \
    static const cs_target_type which = {.name = #which,                       \
                                         .title = #which,                      \
                                         .create = which##_create,             \
                                         .destroy = small_destroy,             \
                                         .log_density = wide_log_density,      \
                                         .gradient = wide_gradient,            \
                                         .sites.site = wide_site}
WIDE_TARGET(wide_bits, CS_BINARY, 0, 2);
WIDE_TARGET(wide_sites, CS_CATEGORICAL, 0, 3);
WIDE_TARGET(wide_lattice, CS_ORDINAL, -1, 3);
WIDE_TARGET(wide_numbers, CS_CONTINUOUS, 0, 0);

const odd_target odd_targets[] = {{&small_flat_bits, CS_BINARY, false},
                                  {&small_flat_plane, CS_CONTINUOUS, false},
                                  {&small_steep_bits, CS_BINARY, false},
                                  {&small_steep_sites, CS_CATEGORICAL, false},
                                  {&small_steep_lattice, CS_ORDINAL, false},
                                  {&small_steep_plane, CS_CONTINUOUS, false},
                                  {&small_fenced_lattice, CS_ORDINAL, false},
                                  {&small_fenced_bits, CS_BINARY, false},
                                  {&small_fenced_plane, CS_CONTINUOUS, false},
                                  {&small_one_bit, CS_BINARY, false},
                                  {&small_one_site, CS_CATEGORICAL, false},
                                  {&small_one_number, CS_CONTINUOUS, false},
                                  {&wide_bits, CS_BINARY, true},
                                  {&wide_sites, CS_CATEGORICAL, true},
                                  {&wide_lattice, CS_ORDINAL, true},
                                  {&wide_numbers, CS_CONTINUOUS, true},
                                  {NULL, 0, false}};

/* ---- holes --------------------------------------------------------------- */

/* Returns true if x is in the hole, the region where each coordinate is at
 * least `top`. Outside the hole log p is constant; in the hole it is NaN. */
static bool in_hole(const double *x, size_t dim, double top)
{
    for (size_t i = 0; i < dim; i++)
        if (x[i] < top)
            return false;
    return true;
}

static double hole_bits(const double *x, double *g)
{
    still(g);
    return in_hole(x, 3, 1) ? (double)NAN : 0;
}

static double hole_sites(const double *x, double *g)
{
    still(g);
    return in_hole(x, 3, 2) ? (double)NAN : 0;
}

static double hole_lattice(const double *x, double *g)
{
    still(g);
    return in_hole(x, 2, 5) ? (double)NAN : 0;
}

static double hole_plane(const double *x, double *g)
{
    still(g);
    for (int i = 0; i < 2; i++)
        g[i] = -x[i];
    return in_hole(x, 2, 0.7) ? (double)NAN
                              : -0.5 * (x[0] * x[0] + x[1] * x[1]);
}

/* Defines a target with a hole in which log p = `value` instead of NaN. */
#define INSTEAD(name, space, value)                                            \
    static double name##_##space(const double *x, double *g)                   \
    {                                                                          \
        double logp = hole_##space(x, g);                                      \
        return isnan(logp) ? value : logp;                                     \
    }
INSTEAD(wall, bits, -HUGE_VAL)
INSTEAD(wall, sites, -HUGE_VAL)
INSTEAD(wall, lattice, -HUGE_VAL)
INSTEAD(wall, plane, -HUGE_VAL)
INSTEAD(peak, bits, HUGE_VAL)
INSTEAD(peak, sites, HUGE_VAL)
INSTEAD(peak, lattice, HUGE_VAL)
INSTEAD(peak, plane, HUGE_VAL)

/* Defines a target with a hole in which log p is finite and the gradient is
 * NaN. */
#define BLIND(space)                                                           \
    static double blind_##space(const double *x, double *g)                    \
    {                                                                          \
        double logp = hole_##space(x, g);                                      \
        if (isnan(logp))                                                       \
            g[0] = logp;                                                       \
        return isnan(logp) ? 0 : logp;                                         \
    }
BLIND(bits)
BLIND(sites)
BLIND(lattice)
BLIND(plane)

SMALL(hole_bits, CS_BINARY, 3, 0, 2);
SMALL(hole_sites, CS_CATEGORICAL, 3, 0, 3);
SMALL(hole_lattice, CS_ORDINAL, 2, 2, 5);
SMALL(hole_plane, CS_CONTINUOUS, 2, 0, 0);
SMALL(wall_bits, CS_BINARY, 3, 0, 2);
SMALL(wall_sites, CS_CATEGORICAL, 3, 0, 3);
SMALL(wall_lattice, CS_ORDINAL, 2, 2, 5);
SMALL(wall_plane, CS_CONTINUOUS, 2, 0, 0);
SMALL(peak_bits, CS_BINARY, 3, 0, 2);
SMALL(peak_sites, CS_CATEGORICAL, 3, 0, 3);
SMALL(peak_lattice, CS_ORDINAL, 2, 2, 5);
SMALL(peak_plane, CS_CONTINUOUS, 2, 0, 0);
SMALL(blind_bits, CS_BINARY, 3, 0, 2);
SMALL(blind_sites, CS_CATEGORICAL, 3, 0, 3);
SMALL(blind_lattice, CS_ORDINAL, 2, 2, 5);
SMALL(blind_plane, CS_CONTINUOUS, 2, 0, 0);

const cs_target_type *hole_like(cs_space_kind kind)
{
    return kind == CS_BINARY        ? &small_hole_bits
           : kind == CS_CATEGORICAL ? &small_hole_sites
           : kind == CS_ORDINAL     ? &small_hole_lattice
                                    : &small_hole_plane;
}

const cs_target_type *wall_like(cs_space_kind kind)
{
    return kind == CS_BINARY        ? &small_wall_bits
           : kind == CS_CATEGORICAL ? &small_wall_sites
           : kind == CS_ORDINAL     ? &small_wall_lattice
                                    : &small_wall_plane;
}

const cs_target_type *peak_like(cs_space_kind kind)
{
    return kind == CS_BINARY        ? &small_peak_bits
           : kind == CS_CATEGORICAL ? &small_peak_sites
           : kind == CS_ORDINAL     ? &small_peak_lattice
                                    : &small_peak_plane;
}

const cs_target_type *blind_like(cs_space_kind kind)
{
    return kind == CS_BINARY        ? &small_blind_bits
           : kind == CS_CATEGORICAL ? &small_blind_sites
           : kind == CS_ORDINAL     ? &small_blind_lattice
                                    : &small_blind_plane;
}

/* ---- counting ------------------------------------------------------------ */

static const cs_target_type *counted;
static cs_work calls;

/* Returns the number of live lanes that have not failed. */
static size_t asked(const cs_point *at)
{
    size_t n = 0;
    for (size_t l = 0; l < at->live; l++)
        n += !(at->failed && at->failed[l]);
    return n;
}

static void count_log_density(const cs_target *t, const cs_point *at,
                              double *logp)
{
    calls.log_densities += asked(at);
    calls.data_terms += asked(at) * t->data_terms;
    counted->log_density(t, at, logp);
}

static void count_gradient(const cs_target *t, const cs_point *at, double *logp,
                           double *g)
{
    calls.gradients += asked(at);
    calls.data_terms += asked(at) * t->data_terms;
    counted->gradient(t, at, logp, g);
}

static void count_gradient_alone(const cs_target *t, const cs_point *at,
                                 double *g)
{
    calls.gradients += asked(at);
    calls.data_terms += asked(at) * t->data_terms;
    counted->gradient_alone(t, at, g);
}

static void count_force(const cs_target *t, const cs_point *at, float *g)
{
    calls.gradients += asked(at);
    calls.data_terms += asked(at) * t->data_terms;
    counted->force(t, at, g);
}

static void count_site(const cs_target *t, const cs_point *at,
                       const uint32_t *site, double *d)
{
    calls.site_differences += asked(at);
    calls.data_terms += asked(at) * t->data_terms;
    counted->sites.site(t, at, site, d);
}

static void count_neighbours(const cs_target *t, const cs_point *at, double *d)
{
    calls.site_differences += asked(at) * t->space.dim;
    counted->sites.neighbours(t, at, d);
}

static void count_resample(const cs_target *t, const cs_point *at,
                           const cs_streams *s, size_t times, double *x,
                           bool *moved)
{
    calls.site_differences += asked(at) * times * t->space.dim;
    counted->sites.resample(t, at, s, times, x, moved);
}

static cs_site_bonds count_bonds(const cs_target *t, size_t site)
{
    calls.site_differences++;
    return counted->sites.bonds(t, site);
}

static void count_terms(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp)
{
    calls.data_terms += b->first[at->live];
    counted->rows.terms(t, at, b, logp);
}

static void count_slope(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *g)
{
    calls.data_terms += b->first[at->live];
    counted->rows.slope(t, at, b, logp, g);
}

static void count_lower_terms(const cs_target *t, const cs_point *at,
                              const cs_batch *b, double *logp, double *log_b)
{
    calls.data_terms += b->first[at->live];
    counted->rows.lower_terms(t, at, b, logp, log_b);
}

static void count_log_factor(const cs_target *t, const cs_point *at,
                             const double *data, double *log_f)
{
    calls.log_densities += asked(at);
    counted->factor.log_factor(t, at, data, log_f);
}

static void count_updates(const cs_point *at, const cs_simulation *s)
{
    for (size_t l = 0; l < at->live; l++)
        if (!(at->failed && at->failed[l]))
            calls.site_updates += (uint64_t)s->updates[l];
}

static void count_simulate(const cs_target *t, const cs_point *at,
                           const cs_simulation *s)
{
    calls.simulations += asked(at);
    counted->factor.simulate(t, at, s);
    count_updates(at, s);
}

static void count_sweep(const cs_target *t, const cs_point *at,
                        const cs_simulation *s)
{
    counted->factor.sweep(t, at, s);
    count_updates(at, s);
}

const cs_target_type *counting_type(const cs_target_type *type)
{
    static cs_target_type wrapped;
    counted = type;
    calls = (cs_work){0};
    wrapped = *type;
    wrapped.log_density = count_log_density;
    wrapped.gradient = type->gradient ? count_gradient : NULL;
    wrapped.gradient_alone = type->gradient_alone ? count_gradient_alone : NULL;
    wrapped.force = type->force ? count_force : NULL;
    wrapped.rows.terms = type->rows.terms ? count_terms : NULL;
    wrapped.rows.slope = type->rows.slope ? count_slope : NULL;
    wrapped.rows.lower_terms =
        type->rows.lower_terms ? count_lower_terms : NULL;
    wrapped.factor.log_factor =
        type->factor.log_factor ? count_log_factor : NULL;
    wrapped.factor.simulate = type->factor.simulate ? count_simulate : NULL;
    wrapped.factor.sweep = type->factor.sweep ? count_sweep : NULL;
    wrapped.sites.site = type->sites.site ? count_site : NULL;
    wrapped.sites.resample = type->sites.resample ? count_resample : NULL;
    wrapped.sites.bonds = type->sites.bonds ? count_bonds : NULL;
    wrapped.sites.neighbours = type->sites.neighbours ? count_neighbours : NULL;
    return &wrapped;
}

cs_work counting_calls(void)
{
    return calls;
}
