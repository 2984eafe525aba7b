#include "support/small.h"

#include "base/memory.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

const double small_odds[3] = {0.8, -0.5, 1.7};

enum { MOST_DIM = 4, MOST_STATES = 32 };

/* A density of one state and its gradient; the block goes lane by lane. */
typedef double density(const double *x, double *g);

static double bits(const double *x, double *g)
{
    double u = 0;
    for (int i = 0; i < 3; i++) {
        u += small_odds[i] * x[i];
        g[i] = small_odds[i];
    }
    return u;
}

static double masses(const double *x, double *g)
{
    static const double mass[16] = {
        0.07688966, 0.04725621, 0.125,      0.01667631, 0.08688745, 0.07688966,
        0.07688966, 0.16756987, 0.04725621, 0.05825,    0.01667631, 0.04725621,
        0.07688966, 0.04725621, 0.019004,   0.01335262};
    double u = 0;
    memset(g, 0, 4 * sizeof *g);
    for (unsigned s = 0; s < 16; s++) {
        double weight = 1, slope[4] = {1, 1, 1, 1};
        for (unsigned i = 0; i < 4; i++) {
            int bit = s >> (3 - i) & 1;
            double factor = bit ? x[i] : 1 - x[i];
            weight *= factor;
            for (unsigned k = 0; k < 4; k++)
                slope[k] *= k == i ? (bit ? 1 : -1) : factor;
        }
        u += weight * log(mass[s]);
        for (unsigned k = 0; k < 4; k++)
            g[k] += slope[k] * log(mass[s]);
    }
    return u;
}

static double sites(const double *x, double *g)
{
    static const double a[3] = {0.9, -0.4, 0.3}, b[3] = {-0.5, 0.1, 0.2};
    double u = 0;
    for (int i = 0; i < 3; i++) {
        u += a[i] * x[i] + b[i] * x[i] * x[i] + 0.3 * x[i] * x[(i + 1) % 3];
        g[i] = a[i] + 2 * b[i] * x[i] + 0.3 * (x[(i + 1) % 3] + x[(i + 2) % 3]);
    }
    return u;
}

static double lattice(const double *x, double *g)
{
    double p = x[0] - 4.2, q = x[1] - 3.5;
    g[0] = -0.6 * p + 0.2 * q;
    g[1] = -0.4 * q + 0.2 * p;
    return -0.3 * p * p - 0.2 * q * q + 0.2 * p * q;
}

static double banana(const double *x, double *g)
{
    double r = x[1] - x[0] * x[0];
    g[0] = -x[0] + 8 * r * x[0];
    g[1] = -4 * r;
    return -0.5 * x[0] * x[0] - 2 * r * r;
}

static void each_lane(const cs_target *t, const cs_point *at, double *u,
                      double *g, density *f)
{
    double x[MOST_DIM] = {0}, slope[MOST_DIM] = {0};
    for (size_t l = 0; l < at->lanes; l++) {
        for (size_t i = 0; i < t->space.dim; i++)
            x[i] = at->x[i * at->lanes + l];
        u[l] = f(x, slope);
        for (size_t i = 0; g && i < t->space.dim; i++)
            g[i * at->lanes + l] = slope[i];
    }
}

static void destroy(cs_target *t)
{
    (void)t;
}

#define SMALL(which, kind_, dim_, low_, values_)                               \
    static cs_status which##_create(cs_target *t, const cs_value *v,           \
                                    cs_error *err)                             \
    {                                                                          \
        (void)v;                                                               \
        (void)err;                                                             \
        t->space = (cs_space){kind_, dim_, low_, values_};                     \
        return CS_OK;                                                          \
    }                                                                          \
    static void which##_log_density(const cs_target *t, const cs_point *at,    \
                                    double *u)                                 \
    {                                                                          \
        each_lane(t, at, u, NULL, which);                                      \
    }                                                                          \
    static void which##_gradient(const cs_target *t, const cs_point *at,       \
                                 double *u, double *g)                         \
    {                                                                          \
        each_lane(t, at, u, g, which);                                         \
    }                                                                          \
    const cs_target_type small_##which = {.name = "small_" #which,             \
                                          .title = "small " #which,            \
                                          .create = which##_create,            \
                                          .destroy = destroy,                  \
                                          .log_density = which##_log_density,  \
                                          .gradient = which##_gradient}

SMALL(bits, CS_BINARY, 3, 0, 2);
SMALL(masses, CS_BINARY, 4, 0, 2);
SMALL(sites, CS_CATEGORICAL, 3, 0, 3);
SMALL(lattice, CS_ORDINAL, 2, 2, 5);
SMALL(banana, CS_CONTINUOUS, 2, 0, 0);

static void evaluate(points *p, density *f)
{
    double total = 0;
    for (size_t s = 0; s < p->n; s++) {
        cs_space_state(&p->target->space, s, p->x + s * p->dim);
        p->u[s] = f(p->x + s * p->dim, p->g + s * p->dim);
        total += exp(p->u[s]);
    }
    for (size_t s = 0; s < p->n; s++)
        p->pi[s] = exp(p->u[s]) / total;
}

points points_create(const cs_target_type *type)
{
    points p = {0};
    assert_int_equal(cs_target_create(type, NULL, 0, &p.target, NULL), CS_OK);
    p.dim = p.target->space.dim;
    p.n = (size_t)cs_space_states(&p.target->space);
    assert_true(p.n <= MOST_STATES && p.dim <= MOST_DIM);
    p.x = cs_alloc(p.n * p.dim, sizeof(double));
    p.g = cs_alloc(p.n * p.dim, sizeof(double));
    p.u = cs_alloc(p.n, sizeof(double));
    p.pi = cs_alloc(p.n, sizeof(double));
    evaluate(&p, type == &small_bits     ? bits
                 : type == &small_masses ? masses
                 : type == &small_sites  ? sites
                                         : lattice);
    return p;
}

void points_destroy(points *p)
{
    cs_target_release(p->target);
    cs_free(p->x);
    cs_free(p->g);
    cs_free(p->u);
    cs_free(p->pi);
}
