#include "support/small.h"

#include "base/memory.h"
#include "support/small_graphs.h"
#include "support/small_make.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <string.h>

const double small_odds[3] = {0.8, -0.5, 1.7};

enum { MOST_STATES = 32 };

static double bits(const double *x, double *g)
{
    double logp = 0;
    for (int i = 0; i < 3; i++) {
        logp += small_odds[i] * x[i];
        g[i] = small_odds[i];
    }
    return logp;
}

static double masses(const double *x, double *g)
{
    /* logarithms of 0.07688966, 0.04725621, 0.125, 0.01667631, 0.08688745,
       0.07688966, 0.07688966, 0.16756987, 0.04725621, 0.05825, 0.01667631,
       0.04725621, 0.07688966, 0.04725621, 0.019004, 0.01335262 */
    static const double log_mass[16] = {
        -2.5653838718492419, -3.052171205106935,  -2.0794415416798357,
        -4.0937661295465411, -2.4431416760124671, -2.5653838718492419,
        -2.5653838718492419, -1.7863548803649953, -3.052171205106935,
        -2.843011186536327,  -4.0937661295465411, -3.052171205106935,
        -2.5653838718492419, -3.052171205106935,  -3.9631057956574622,
        -4.3160426587096614};
    unsigned at = 0, bits = 0;
    for (unsigned i = 0; i < 4; i++) {
        at |= (unsigned)(x[i] == 1) << (3 - i);
        bits += x[i] == 0 || x[i] == 1;
    }
    /* at a state of bits: the gradient; the sums below would give an equal
     * result */
    for (unsigned i = 0; bits == 4 && i < 4; i++)
        g[i] = log_mass[at | 8 >> i] - log_mass[at & ~(8u >> i)];
    if (bits == 4)
        return log_mass[at];
    double logp = 0;
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
        logp += weight * log_mass[s];
        for (unsigned k = 0; k < 4; k++)
            g[k] += slope[k] * log_mass[s];
    }
    return logp;
}

static double sites(const double *x, double *g)
{
    static const double a[3] = {0.9, -0.4, 0.3}, b[3] = {-0.5, 0.1, 0.2};
    double logp = 0;
    for (int i = 0; i < 3; i++) {
        logp += a[i] * x[i] + b[i] * x[i] * x[i] + 0.3 * x[i] * x[(i + 1) % 3];
        g[i] = a[i] + 2 * b[i] * x[i] + 0.3 * (x[(i + 1) % 3] + x[(i + 2) % 3]);
    }
    return logp;
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

/* A target in three coordinates. The coordinate x_0 is in one of two wells with
 * different depths and widths. The coordinate x_1 is correlated with x_0, and
 * x_2 is independent with logistic tails. */
static const double well_at[2] = {-1.2, 1}, well_wide[2] = {0.5, 0.8};
static const double well_part[2] = {0.3, 0.7}, beside = 0.7, logistic = 0.5;

static double wells(const double *x, double *g)
{
    double r = x[1] - 0.5 * x[0], z = x[2] / logistic, e = exp(-fabs(z));
    double part[2], sum = 0, slope = 0;
    for (int k = 0; k < 2; k++) {
        double far = (x[0] - well_at[k]) / well_wide[k];
        part[k] = well_part[k] / well_wide[k] * exp(-0.5 * far * far);
        sum += part[k];
        slope -= part[k] * far / well_wide[k];
    }
    g[1] = -r / (beside * beside);
    g[0] = slope / sum - 0.5 * g[1];
    g[2] = (z > 0 ? -1 : 1) * (1 - e) / (1 + e) / logistic;
    return log(sum) - 0.5 * r * r / (beside * beside) - fabs(z) - 2 * log1p(e);
}

/* Returns a very inaccurate force: the slope rounded to a multiple of 1/4, with
 * the wrong sign for the second coordinate. Kernels must be exact even with
 * such a force. */
static float coarse(size_t i, double slope)
{
    double level = fmin(fmax(nearbyint(4 * slope), -128), 127);
    return (float)((i == 1 ? -level : level) / 4);
}

static void steer(const cs_target *t, const cs_point *at, small_density *f,
                  float *g)
{
    for (size_t l = 0; l < at->lanes; l++) {
        double x[SMALL_DIM] = {0}, slope[SMALL_DIM] = {0};
        for (size_t i = 0; i < t->space.dim; i++)
            x[i] = at->x[i * at->lanes + l];
        f(x, slope);
        for (size_t i = 0; i < t->space.dim; i++)
            g[i * at->lanes + l] = coarse(i, slope[i]);
    }
}

static void steer_banana(const cs_target *t, const cs_point *at, float *g)
{
    steer(t, at, banana, g);
}

static void steer_wells(const cs_target *t, const cs_point *at, float *g)
{
    steer(t, at, wells, g);
}

static void steer_masses(const cs_target *t, const cs_point *at, float *g)
{
    steer(t, at, masses, g);
}

/* Draws x_0 from a normal law, and x_1 - x_0^2 from a normal law of variance
 * 1/4. */
static void draw_banana(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    x[0] = gsl_cdf_ugaussian_Pinv(uniform[0]);
    x[1] = x[0] * x[0] + 0.5 * gsl_cdf_ugaussian_Pinv(uniform[1]);
}

static void draw_wells(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    int k = uniform[0] > well_part[0];
    x[0] = well_at[k] + well_wide[k] * gsl_cdf_ugaussian_Pinv(uniform[1]);
    x[1] = 0.5 * x[0] + beside * gsl_cdf_ugaussian_Pinv(uniform[2]);
    x[2] = logistic * log(uniform[3] / (1 - uniform[3]));
}

SMALL(bits, CS_BINARY, 3, 0, 2);
SMALL_STEERED(masses, CS_BINARY, 4, 0, 2, steer_masses, NULL, 0);
SMALL(sites, CS_CATEGORICAL, 3, 0, 3);
SMALL(lattice, CS_ORDINAL, 2, 2, 5);
SMALL_STEERED(banana, CS_CONTINUOUS, 2, 0, 0, steer_banana, draw_banana, 2);
SMALL_STEERED(wells, CS_CONTINUOUS, 3, 0, 0, steer_wells, draw_wells, 4);

/* Evaluates the target in one lane; sets g to NaN if the target has no
 * gradient. */
static double by_target(const cs_target *t, const double *x, double *g)
{
    double logp;
    cs_point point = {.x = x, .lanes = 1, .live = 1};
    if (t->type->gradient) {
        t->type->gradient(t, &point, &logp, g);
        return logp;
    }
    t->type->log_density(t, &point, &logp);
    for (size_t i = 0; i < t->space.dim; i++)
        g[i] = (double)NAN;
    return logp;
}

double small_log_density(const points *p, const double *x, double *g)
{
    const cs_target_type *type = p->target->type;
    if (p->target->data_terms || p->target->n_data)
        return by_target(p->target, x, g);
    small_density *f = type == &small_bits      ? bits
                       : type == &small_masses  ? masses
                       : type == &small_sites   ? sites
                       : type == &small_banana  ? banana
                       : type == &small_wells   ? wells
                       : type == &small_spins   ? spins
                       : type == &small_colours ? colours
                                                : lattice;
    return f(x, g);
}

static void evaluate(points *p)
{
    double total = 0;
    for (size_t s = 0; s < p->n; s++) {
        cs_space_state(&p->target->space, s, p->x + s * p->dim);
        p->logp[s] = small_log_density(p, p->x + s * p->dim, p->g + s * p->dim);
        total += exp(p->logp[s]);
    }
    for (size_t s = 0; s < p->n; s++)
        p->pi[s] = exp(p->logp[s]) / total;
}

/* Computes the force at every state of `masses`. */
static void weaken(points *p)
{
    if (p->target->type != &small_masses)
        return;
    p->force = cs_alloc(p->n * p->dim, sizeof(double));
    for (size_t i = 0; i < p->n * p->dim; i++)
        p->force[i] = (double)coarse(i % p->dim, p->g[i]);
}

points points_create(const cs_target_type *type)
{
    points p = {0};
    assert_int_equal(cs_target_create(type, NULL, 0, &p.target, NULL), CS_OK);
    bool real = cs_space_is_real(&p.target->space);
    p.dim = p.target->space.dim;
    p.n = real ? 0 : (size_t)cs_space_states(&p.target->space);
    assert_true(p.n <= MOST_STATES && p.dim <= SMALL_DIM);
    p.x = cs_alloc((p.n + 1) * p.dim + SMALL_DIM, sizeof(double));
    p.g = cs_alloc((p.n + 1) * p.dim, sizeof(double));
    p.logp = cs_alloc(p.n + 1, sizeof(double));
    p.pi = cs_alloc(p.n + 1, sizeof(double));
    /* Fills all SMALL_DIM coordinates, because limit_laws.c also starts targets
     * with more coordinates at this state. */
    for (size_t i = 0; real && i < SMALL_DIM; i++)
        p.x[i] = 0.3;
    evaluate(&p);
    weaken(&p);
    return p;
}

void points_draw(const points *p, uint64_t *seed, double *x)
{
    if (p->n == 0) {
        double uniform[4];
        for (size_t i = 0; i < p->target->n_uniform; i++)
            uniform[i] = small_uniform(seed);
        p->target->type->exact.draw(p->target, uniform, x);
        return;
    }
    double left = small_uniform(seed);
    size_t s = 0;
    while (s + 1 < p->n && left > p->pi[s])
        left -= p->pi[s++];
    memcpy(x, p->x + s * p->dim, p->dim * sizeof *x);
}

double small_uniform(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ z >> 31) >> 12) + 0.5) * 0x1p-52;
}

double small_normal(uint64_t *seed)
{
    return gsl_cdf_ugaussian_Pinv(small_uniform(seed));
}

void points_destroy(points *p)
{
    cs_target_release(p->target);
    cs_free(p->x);
    cs_free(p->g);
    cs_free(p->logp);
    cs_free(p->pi);
    cs_free(p->force);
}
