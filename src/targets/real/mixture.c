/* A mixture of spherical Gaussians in any dimension,
 *
 *     log p(x) = log sum_k w_k N(x; m_k, s_k^2 I)
 *     grad log p = sum_k r_k (m_k - x) / s_k^2,  r_k = w_k N_k / sum_j w_j N_j,
 *
 * normalised, so that log Z = 0. The default is the one-dimensional mixture 0.4
 * N(-6, 1) + 0.6 N(4, 1) of Deng, Lin and Liang 2020 (contour SGLD), section
 * 4.1. Each component is a mode, and its weight is w_k. */
#include "targets/real/mixture.h"

#include "base/memory.h"
#include "simd/simd.h"
#include "simd/vmath.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { WEIGHTS, MEANS, SD, SDS, N_PARAMS };

/* Computes the log terms of eight lanes, term[n]; returns the log of the sum of
 * their exponentials. */
static cs_vd log_terms(const cs_mixture *m, size_t dim, const cs_point *at,
                       size_t l, cs_vd *term)
{
    cs_vd top = cs_vset(-HUGE_VAL), sum = cs_vset(0);
    for (size_t k = 0; k < m->n; k++) {
        cs_vd square = cs_vset(0);
        for (size_t i = 0; i < dim; i++) {
            cs_vd r = *(const cs_vd *)(at->x + i * at->lanes + l) -
                      m->means[k * dim + i];
            square += r * r;
        }
        term[k] = m->height[k] - 0.5 * m->rate[k] * square;
        top = cs_vmax(term[k], top);
    }
    cs_vd base = cs_vselect(top == -HUGE_VAL, cs_vset(0), top);
    for (size_t k = 0; k < m->n; k++)
        sum += cs_vexp(term[k] - base);
    return base + cs_vlog(sum);
}

/* Returns the memory for the terms of a vector of lanes; the vector starts at
 * lane l. The scratch holds n vectors of terms for each vector of lanes. */
static cs_vd *terms_of(const cs_mixture *m, const cs_point *at, size_t l)
{
    return (cs_vd *)(at->scratch + l * m->n);
}

/* ---- single chain: components in the lanes, with the same bits ----------- */

/* Computes the log terms, term[whole], for a single chain; returns the log of
 * the sum of their exponentials. */
static double log_terms_alone(const cs_mixture *m, size_t dim,
                              const cs_point *at, double *term)
{
    const double *height = m->across, *rate = height + m->whole;
    const double *mean = rate + m->whole;
    double top = -HUGE_VAL, sum = 0;
    for (size_t k = 0; k < m->whole; k += CS_VECTOR) {
        cs_vd square = cs_vset(0);
        for (size_t i = 0; i < dim; i++) {
            cs_vd r = at->x[i * at->lanes] - cs_load(mean + i * m->whole + k);
            square += r * r;
        }
        cs_store(term + k,
                 cs_load(height + k) - 0.5 * cs_load(rate + k) * square);
    }
    for (size_t k = 0; k < m->n; k++)
        top = term[k] > top ? term[k] : top;
    double base = top == -HUGE_VAL ? 0 : top;
    for (size_t k = 0; k < m->n; k += CS_VECTOR) {
        cs_vd part = cs_vexp(cs_load(term + k) - base);
        for (size_t e = 0; e < CS_VECTOR && k + e < m->n; e++)
            sum += part[e];
    }
    return base + cs_vlog(cs_vset(sum))[0];
}

static double gradient_alone_of(const cs_mixture *m, size_t dim,
                                const cs_point *at, double *g)
{
    const double *rate = m->across + m->whole, *mean = rate + m->whole;
    double *term = at->scratch, total = log_terms_alone(m, dim, at, term);
    for (size_t k = 0; k < m->whole; k += CS_VECTOR)
        cs_store(term + k,
                 cs_vexp(cs_load(term + k) - total) * cs_load(rate + k));
    for (size_t i = 0; i < dim; i++, mean += m->whole) {
        double x = at->x[i * at->lanes], sum = 0;
        for (size_t k = 0; k < m->n; k += CS_VECTOR) {
            cs_vd part = cs_load(term + k) * (cs_load(mean + k) - x);
            for (size_t e = 0; e < CS_VECTOR && k + e < m->n; e++)
                sum += part[e];
        }
        for (size_t l = 0; l < at->lanes; l += CS_VECTOR)
            cs_store(g + i * at->lanes + l, cs_vset(sum));
    }
    return total;
}

static void fill_lanes(double *row, size_t lanes, double value)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        cs_store(row + l, cs_vset(value));
}

/* ---- any number of chains ------------------------------------------------ */

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const cs_mixture *m = t->self;
    if (at->live == 1) {
        fill_lanes(logp, at->lanes,
                   log_terms_alone(m, t->space.dim, at, at->scratch));
        return;
    }
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR)
        *(cs_vd *)(logp + l) =
            log_terms(m, t->space.dim, at, l, terms_of(m, at, l));
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const cs_mixture *m = t->self;
    size_t dim = t->space.dim, lanes = at->lanes;
    if (at->live == 1) {
        fill_lanes(logp, lanes, gradient_alone_of(m, dim, at, g));
        return;
    }
    log_density(t, at, logp);
    memset(g, 0, dim * lanes * sizeof *g);
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd total = *(cs_vd *)(logp + l);
        for (size_t k = 0; k < m->n; k++) {
            cs_vd share = cs_vexp(terms_of(m, at, l)[k] - total) * m->rate[k];
            for (size_t i = 0; i < dim; i++)
                *(cs_vd *)(g + i * lanes + l) +=
                    share * (m->means[k * dim + i] -
                             *(const cs_vd *)(at->x + i * lanes + l));
        }
    }
}

static void draw(const cs_target *t, const double *uniform, double *x)
{
    const cs_mixture *m = t->self;
    size_t dim = t->space.dim, k = 0;
    for (double sum = m->weight[0]; k + 1 < m->n && uniform[0] > sum; k++)
        sum += m->weight[k + 1];
    for (size_t i = 0; i < dim; i++)
        x[i] = m->means[k * dim + i] +
               m->sd[k] * gsl_cdf_ugaussian_Pinv(uniform[i + 1]);
}

static double marginal(const cs_target *t, size_t i, double value)
{
    const cs_mixture *m = t->self;
    double sum = 0;
    for (size_t k = 0; k < m->n; k++)
        sum += m->weight[k] *
               gsl_cdf_ugaussian_P((value - m->means[k * t->space.dim + i]) /
                                   m->sd[k]);
    return sum;
}

/* Returns the marginal density of two coordinates, which is also a mixture. */
static double pair(const cs_target *t, size_t i, size_t j, double x, double y)
{
    const cs_mixture *m = t->self;
    double sum = 0;
    for (size_t k = 0; k < m->n; k++) {
        double p = x - m->means[k * t->space.dim + i];
        double q = y - m->means[k * t->space.dim + j];
        sum += m->weight[k] * m->rate[k] *
               exp(-0.5 * m->rate[k] * (p * p + q * q));
    }
    return sum;
}

static void destroy(cs_target *t)
{
    cs_mixture *m = t->self;
    CS_FREE_ALL(m->means, m->weight, m->sd, m->height, m->rate, m->mean,
                m->variance, m->across);
}

/* Computes the moments, and a view that contains all components. */
static void summarise(cs_target *t)
{
    cs_mixture *m = t->self;
    size_t dim = t->space.dim;
    double *view = t->exact.view;
    for (size_t i = 0; i < dim; i++) {
        for (size_t k = 0; k < m->n; k++)
            m->mean[i] += m->weight[k] * m->means[k * dim + i];
        for (size_t k = 0; k < m->n; k++) {
            double r = m->means[k * dim + i] - m->mean[i];
            m->variance[i] += m->weight[k] * (m->sd[k] * m->sd[k] + r * r);
        }
    }
    for (size_t a = 0; a < 2; a++) {
        size_t i = a < dim ? a : 0;
        view[2 * a] = HUGE_VAL;
        view[2 * a + 1] = -HUGE_VAL;
        for (size_t k = 0; k < m->n; k++) {
            double c = m->means[k * dim + i], reach = 3.5 * m->sd[k];
            view[2 * a] = fmin(view[2 * a], c - reach);
            view[2 * a + 1] = fmax(view[2 * a + 1], c + reach);
        }
    }
    t->exact.log_z = 0;
    t->exact.mean = m->mean;
    t->exact.variance = m->variance;
    t->exact.n_modes = m->n;
    t->exact.modes = m->means;
    t->exact.mode_weight = m->weight;
}

static void lay_across(cs_mixture *m, size_t dim)
{
    for (size_t k = 0; k < m->whole; k++) {
        bool is = k < m->n;
        m->across[k] = is ? m->height[k] : -HUGE_VAL;
        m->across[m->whole + k] = is ? m->rate[k] : 0;
        for (size_t i = 0; i < dim; i++)
            m->across[(2 + i) * m->whole + k] = is ? m->means[k * dim + i] : 0;
    }
}

static cs_status fill(cs_target *t, const cs_value *v, const double *means,
                      const double *weights, cs_error *err)
{
    cs_mixture *m = t->self;
    size_t dim = t->space.dim;
    double total = 0;
    memcpy(m->means, means, m->n * dim * sizeof *means);
    for (size_t k = 0; k < m->n; k++)
        total += m->weight[k] = weights ? weights[k] : 1;
    for (size_t k = 0; k < m->n; k++) {
        double s = m->sd[k] = v[SDS].given ? v[SDS].array[k] : v[SD].number;
        bool good = s > 0 && isfinite(s) && m->weight[k] > 0 && isfinite(total);
        for (size_t i = 0; i < dim; i++)
            good = good && isfinite(means[k * dim + i]);
        if (!good) {
            cs_fail(err, CS_RANGE, "mixture: component %zu is out of range",
                    k + 1);
            cs_hint(err, "use weights > 0, sd > 0 and finite means");
            return CS_RANGE;
        }
        m->weight[k] /= total;
        m->rate[k] = 1 / (s * s);
        m->height[k] =
            log(m->weight[k]) - (double)dim * (log(s) + 0.5 * log(2 * M_PI));
    }
    summarise(t);
    lay_across(m, dim);
    return CS_OK;
}

static cs_status wrong_length(cs_error *err, const char *name, size_t n)
{
    cs_fail(err, CS_INPUT,
            "mixture: the size of `%s` does not match %zu components", name, n);
    cs_hint(err, "give one entry of weights, means and sds per component");
    return CS_INPUT;
}

static size_t entries(const cs_value *v)
{
    return v->rows * v->cols;
}

/* Finds the number of components and the dimension. The number of components is
 * the number of weights, or, without weights, the number of rows of the means.
 * The dimension is that of the means. */
static cs_status shape(const cs_value *v, size_t *n, size_t *dim, cs_error *err)
{
    *n = 2;
    *dim = 1;
    if (v[MEANS].given)
        *n = v[MEANS].rows;
    if (v[WEIGHTS].given)
        *n = entries(&v[WEIGHTS]);
    if (!*n)
        return wrong_length(err, "weights", 0);
    size_t given = v[MEANS].given ? entries(&v[MEANS]) : 2;
    *dim = given / *n;
    if (*dim * *n != given || !given)
        return wrong_length(err, "means", *n);
    if (v[SDS].given && entries(&v[SDS]) != *n)
        return wrong_length(err, "sds", *n);
    return CS_OK;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    static const double means[2] = {-6, 4}, weights[2] = {0.4, 0.6};
    size_t n, dim;
    cs_status s = shape(v, &n, &dim, err);
    if (s)
        return s;
    cs_mixture *m = t->self;
    m->n = n;
    m->whole = cs_pad_lanes(n);
    m->across = cs_alloc((2 + dim) * m->whole, sizeof *m->across);
    double **const fields[] = {&m->weight, &m->sd,       &m->height, &m->rate,
                               &m->mean,   &m->variance, &m->means};
    bool all = m->across != NULL;
    for (size_t i = 0; i < 7; i++) {
        *fields[i] = cs_alloc(i < 4   ? n
                              : i < 6 ? dim
                                      : n * dim,
                              sizeof(double));
        all = all && *fields[i];
    }
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = dim};
    t->scratch_words = n > 1 ? n : cs_rows_for(m->whole);
    t->n_uniform = dim + 1;
    bool plain = !v[MEANS].given && !v[WEIGHTS].given;
    return all ? fill(t, v, v[MEANS].given ? v[MEANS].array : means,
                      plain ? weights : v[WEIGHTS].array, err)
               : cs_fail(err, CS_MEMORY, "out of memory for target mixture");
}

static const cs_param params[N_PARAMS] = {
    [WEIGHTS] = {.name = "weights",
                 CS_FIXED(ARRAY),
                 .help =
                     "weight of each component, normalised; equal by default"},
    [MEANS] = {.name = "means",
               CS_FIXED(ARRAY),
               .help =
                   "mean of each component, one per row; -6 and 4 by default"},
    [SD] = {.name = "sd",
            CS_FIXED_SCALE,
            CS_PARAM_RANGE(1e-100, 1e100, 1),
            .help = "standard deviation of every component"},
    [SDS] = {.name = "sds",
             CS_FIXED(ARRAY),
             .help = "standard deviation of each component, instead of sd"},
};

const cs_target_type CS_VARIANT(cs_target_mixture) = {
    .name = "mixture",
    .title = "Gaussian mixture",
    .flags = CS_TARGET_ALONE,
    .ref = "",
    .help = "A mixture of any number of spherical Gaussian components in any "
            "dimension. Exact values are known for all quantities.",
    CS_PARAM_TABLE(params),
    .size = sizeof(cs_mixture),
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .exact.draw = draw,
    .exact.marginal = marginal,
    .exact.pair = pair,
};
