/* Sixteen states with given masses, the multivariate Bernoulli distribution of
 * Mohanty, Bhattacharya and Zhang, "Entropy-Guided Sampling of Flat Modes in
 * Discrete Spaces" (ICML 2025), section 5.1:
 *
 *     log p(x) = sum_s log p_s prod_i (x_i if s_i, else 1 - x_i),
 *
 * the multilinear interpolation of the log masses, which has a gradient at and
 * between the corners. Differences from the paper: the masses have eight
 * digits, which reproduce the figures of the paper (its text gives five
 * digits), and they are normalised. Sharp modes are 0010 and 0111, flat modes
 * 0100 and 1001. */
#include "base/memory.h"
#include "simd/simd.h"
#include "target/target.h"

#include <math.h>
#include <string.h>

enum { BITS = 4, STATES = 16 };

/* Masses in the order 0000, 0001, ..., 1111; coordinate 0 is the first
 * digit. */
static const double masses[STATES] = {
    0.07688966, 0.04725621, 0.125,      0.01667631, 0.08688745, 0.07688966,
    0.07688966, 0.16756987, 0.04725621, 0.05825,    0.01667631, 0.04725621,
    0.07688966, 0.04725621, 0.019004,   0.01335262};

typedef struct bernoulli4 {
    double log_mass[STATES];
    double mass[STATES];
    double mean[BITS], variance[BITS];
    double state[STATES * BITS];
} bernoulli4;

/* Interpolates along one coordinate after the other. Along the coordinates
 * `slope` and `bend` takes the difference of the two values instead, which
 * differentiates. If `slope` or `bend` is BITS, it selects no coordinate. At
 * the corners of the cube every operation is exact. */
static cs_vd fold(const double *table, const cs_vd *x, int slope, int bend)
{
    cs_vd v[STATES];
    int n = STATES / 2;
    bool steep = slope == 0 || bend == 0;
    for (int k = 0; k < n; k++)
        v[k] = steep ? (cs_vd){0} + (table[k + n] - table[k])
                     : (1 - x[0]) * table[k] + x[0] * table[k + n];
    for (int i = 1; i < BITS; i++) {
        n /= 2;
        steep = slope == i || bend == i;
        for (int k = 0; k < n; k++)
            v[k] =
                steep ? v[k + n] - v[k] : (1 - x[i]) * v[k] + x[i] * v[k + n];
    }
    return v[0];
}

static void load(const cs_point *at, size_t l, cs_vd *x)
{
    for (size_t i = 0; i < BITS; i++)
        x[i] = *(const cs_vd *)(at->x + i * at->lanes + l);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const bernoulli4 *b = t->self;
    cs_vd x[BITS];
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        load(at, l, x);
        *(cs_vd *)(logp + l) = fold(b->log_mass, x, BITS, BITS);
    }
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const bernoulli4 *b = t->self;
    cs_vd x[BITS];
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        load(at, l, x);
        *(cs_vd *)(logp + l) = fold(b->log_mass, x, BITS, BITS);
        for (int i = 0; i < BITS; i++)
            *(cs_vd *)(g + (size_t)i * at->lanes + l) =
                fold(b->log_mass, x, i, BITS);
    }
}

/* Computes H v. The diagonal of H is 0, because log p is linear in each
 * coordinate. */
static void hessian_times(const cs_target *t, const cs_point *at,
                          const double *v, double *h)
{
    const bernoulli4 *b = t->self;
    cs_vd x[BITS];
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        load(at, l, x);
        for (int i = 0; i < BITS; i++) {
            cs_vd sum = {0};
            for (int j = 0; j < BITS; j++)
                if (j != i)
                    sum += fold(b->log_mass, x, i, j) *
                           *(const cs_vd *)(v + (size_t)j * at->lanes + l);
            *(cs_vd *)(h + (size_t)i * at->lanes + l) = sum;
        }
    }
}

static cs_status prepare_hessian(cs_target *t, cs_error *err)
{
    (void)err;
    t->hessian_words = 1; /* no scratch is needed, but 0 would mean that the
                           * hook has not been prepared */
    return CS_OK;
}

static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    const bernoulli4 *b = t->self;
    for (size_t l = 0; l < at->lanes; l++) {
        unsigned index = 0, bit = 8u >> where[l];
        for (size_t i = 0; i < BITS; i++)
            index = 2 * index + (at->x[i * at->lanes + l] != 0);
        double now = b->log_mass[index];
        d[l] = b->log_mass[index & ~bit] - now;
        d[at->lanes + l] = b->log_mass[index | bit] - now;
    }
}

static void draw(const cs_target *t, const double *uniform, double *x)
{
    const bernoulli4 *b = t->self;
    size_t s = 0;
    for (double sum = b->mass[0]; s + 1 < STATES && uniform[0] > sum; s++)
        sum += b->mass[s + 1];
    memcpy(x, b->state + s * BITS, BITS * sizeof *x);
}

static void fill(bernoulli4 *b, const cs_space *space)
{
    double total = 0;
    for (size_t s = 0; s < STATES; s++)
        total += masses[s];
    for (size_t s = 0; s < STATES; s++) {
        double *x = b->state + s * BITS;
        b->mass[s] = masses[s] / total;
        b->log_mass[s] = log(b->mass[s]);
        cs_space_state(space, s, x);
        for (size_t i = 0; i < BITS; i++)
            b->mean[i] += b->mass[s] * x[i];
    }
    for (size_t i = 0; i < BITS; i++)
        b->variance[i] = b->mean[i] * (1 - b->mean[i]);
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    (void)err;
    bernoulli4 *b = t->self;
    t->space = (cs_space){.kind = CS_BINARY, .dim = BITS, .values = 2};
    fill(b, &t->space);
    t->exact = (cs_exact){.mean = b->mean,
                          .variance = b->variance,
                          .log_z = 0,
                          .n_modes = STATES,
                          .modes = b->state,
                          .mode_weight = b->mass,
                          .shares = true,
                          .view = {-0.5, 1.5, -0.5, 1.5}};
    return CS_OK;
}

const cs_target_type CS_VARIANT(cs_target_bernoulli4) = {
    .name = "bernoulli4",
    .title = "Sixteen states, two sharp and two flat modes",
    .ref = "Mohanty, Bhattacharya and Zhang 2025, section 5.1",
    .help =
        "Four bits whose sixteen states have the probabilities stated in the "
        "entropy-guided sampling paper. All sixteen states count as modes.",
    .size = sizeof(bernoulli4),
    .create = create,
    .log_density = log_density,
    .gradient = gradient,
    .sites.site = site,
    .prepare_hessian = prepare_hessian,
    .hessian_times = hessian_times,
    .exact.n_uniform = 1,
    .exact.draw = draw,
};
