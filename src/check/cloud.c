/* Distribution fitted to the chains of a kernel (check/cloud.h). */
#include "check/cloud.h"

#include "base/clock.h"
#include "base/memory.h"
#include "stat/cholesky.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum {
    LANES = CS_CHECK_LANES,
    PILOT = 1000,   /* number of steps of the pilot run */
    CORRELATED = 64 /* largest number of coordinates for a full covariance
                       matrix */
};

bool cs_cloud_open(cs_cloud *q, cs_target *t, uint64_t seed)
{
    size_t dim = t->space.dim, values = (size_t)t->space.values;
    *q = (cs_cloud){.t = t,
                    .dim = dim,
                    .values = values,
                    .scale = 1,
                    .rng = {.key = seed + 29}};
    q->full = values == 0 && dim <= CORRELATED;
    q->words = values ? dim * values : dim * (LANES + 1 + (q->full ? dim : 1));
    q->memory = cs_alloc(q->words, sizeof *q->memory);
    if (!q->memory)
        return false;
    q->mass = q->z = q->memory;
    if (!values) {
        q->mean = q->z + dim;
        q->factor = q->mean + dim * LANES;
    }
    return true;
}

/* Adds the n-th state of a lane in the pilot run to the mean of the lane. Adds
 * the deviation of this state from the mean to the sums of squares or
 * products. */
static void add_deviation(cs_cloud *q, const cs_block *b, size_t lane, double n)
{
    double *mean = q->mean + lane * q->dim;
    for (size_t i = 0; i < q->dim; i++) {
        q->z[i] = b->move.x[i * b->lanes + lane] - mean[i];
        mean[i] += q->z[i] / n;
    }
    for (size_t i = 0; i < q->dim; i++) {
        double part = (1 - 1 / n) * q->z[i];
        if (!q->full)
            q->factor[i] += part * q->z[i];
        for (size_t j = 0; q->full && j <= i; j++)
            q->factor[i * q->dim + j] += part * q->z[j];
    }
}

static void add_values(cs_cloud *q, const cs_block *b, size_t lane)
{
    for (size_t i = 0; i < q->dim; i++) {
        double v = b->move.x[i * b->lanes + lane] - q->t->space.low;
        q->mass[i * q->values + (size_t)v]++;
    }
}

/* Computes the fitted distribution from the sums over n states per lane. */
static void shape(cs_cloud *q, double n)
{
    size_t entries = q->dim * (q->full ? q->dim : 1);
    if (q->values) {
        for (size_t i = 0; i < q->dim * q->values; i++)
            q->mass[i] = (q->mass[i] + 1) / (n * LANES + (double)q->values);
        return;
    }
    for (size_t i = 0; i < entries; i++)
        q->factor[i] /= n * LANES;
    for (size_t i = 0; i < q->dim; i++) { /* keeps widths positive if chains did
                                             not move */
        double least = 1e-6 * (1 + fabs(q->mean[i]));
        double *aux = &q->factor[q->full ? i * q->dim + i : i];
        *aux = *aux * (1 + 1e-10) + least * least;
    }
    if (q->full)
        cs_cholesky(q->factor, q->dim);
    for (size_t i = 0; !q->full && i < q->dim; i++)
        q->factor[i] = sqrt(q->factor[i]);
}

bool cs_cloud_lay(cs_cloud *q, cs_check *c, const cs_arm_view *arm,
                  uint64_t seed, double seconds)
{
    assert(c->places && seconds >= 0);
    cs_block *b = cs_check_block(q->t, arm, seed, c->place, c->places);
    double end = cs_clock_work() + seconds, n = 0;
    for (uint64_t k = 1; b && k <= PILOT && cs_clock_work() < end; k++) {
        cs_check_steps(b, arm, k, 1);
        if ((k & (k - 1)) == 0) {
            memset(q->memory, 0, q->words * sizeof *q->memory);
            n = 0;
        }
        n++;
        for (size_t l = 0; l < LANES; l++)
            if (q->values)
                add_values(q, b, l);
            else
                add_deviation(q, b, l, n);
    }
    if (b)
        shape(q, n);
    cs_block_destroy(b);
    return b != NULL;
}

static void draw_real(cs_cloud *q, double *x)
{
    double scale = q->scale;
    if (q->freedom > 0)
        scale *= sqrt(q->freedom / gsl_cdf_chisq_Pinv(cs_check_uniform(&q->rng),
                                                      q->freedom));
    for (size_t i = 0; i < q->dim; i++)
        q->z[i] = scale * gsl_cdf_ugaussian_Pinv(cs_check_uniform(&q->rng));
    for (size_t i = 0; i < q->dim; i++) {
        const double *row = q->factor + (q->full ? i * q->dim : i);
        x[i] = q->mean[i] + row[q->full ? i : 0] * q->z[i];
        for (size_t j = 0; q->full && j < i; j++)
            x[i] += row[j] * q->z[j];
    }
}

static void draw_discrete(cs_cloud *q, double *x)
{
    for (size_t i = 0; i < q->dim; i++) {
        double uniform = cs_check_uniform(&q->rng);
        size_t v = 0;
        while (v + 1 < q->values && (uniform -= q->mass[i * q->values + v]) > 0)
            v++;
        x[i] = q->t->space.low + (double)v;
    }
}

/* Sets x to a draw and *logp to its log p. Returns false if no possible state
 * was found. */
static bool draw_place(cs_cloud *q, double *x, double *logp)
{
    for (int try = 0; try < 1000; try++) {
        if (q->values)
            draw_discrete(q, x);
        else
            draw_real(q, x);
        if (cs_enumeration_evaluate(q->t, x, 1, logp) && *logp > -HUGE_VAL)
            return true;
    }
    return false;
}

bool cs_cloud_draw(cs_cloud *q, double *x, double *logp)
{
    assert(q->t && x && logp);
    const cs_check_rng rng = q->rng;
    bool possible = true;
    for (size_t l = 0; l < LANES; l++)
        if (q->values)
            draw_discrete(q, x + l * q->dim);
        else
            draw_real(q, x + l * q->dim);
    cs_enumeration_log_densities(q->t, x, LANES, logp);
    for (size_t l = 0; l < LANES; l++)
        possible = possible && logp[l] > -HUGE_VAL;
    if (possible)
        return true;
    q->rng = rng;
    possible = true;
    for (size_t l = 0; l < LANES && possible; l++)
        possible = draw_place(q, x + l * q->dim, &logp[l]);
    return possible;
}

/* Returns the log density of a standard Gaussian or t in dim dimensions. */
static double log_standard(const cs_cloud *q, double squares)
{
    double n = (double)q->dim, nu = q->freedom;
    return nu > 0 ? -0.5 * (nu + n) * log1p(squares / nu) : -0.5 * squares;
}

double cs_cloud_log_mass(cs_cloud *q, const double *x)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < q->dim; i++) {
        if (q->values) {
            size_t v = (size_t)(x[i] - q->t->space.low);
            sum += log(q->mass[i * q->values + v]);
            continue;
        }
        const double *row = q->factor + (q->full ? i * q->dim : i);
        double off = x[i] - q->mean[i];
        for (size_t j = 0; q->full && j < i; j++)
            off -= row[j] * q->z[j];
        q->z[i] = off / row[q->full ? i : 0];
        squares += q->z[i] * q->z[i] / (q->scale * q->scale);
    }
    return q->values ? sum : log_standard(q, squares);
}
