#include "theory/bit_chain.h"

#include "base/memory.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <string.h>

static double bit(const cs_bit_target *t, size_t a, size_t i)
{
    return (double)(a >> (t->dim - 1 - i) & 1);
}

static size_t flipped(const cs_bit_target *t, size_t a, size_t i)
{
    return a ^ (size_t)1 << (t->dim - 1 - i);
}

/* ---- constants ----------------------------------------------------------- */

/* Computes U'' at corner a: element (i, j) is the change of g_i as bit j goes
 * from 0 to 1. */
static void curvature_at(const cs_bit_target *t, size_t a, gsl_matrix *h)
{
    for (size_t j = 0; j < t->dim; j++) {
        size_t b = flipped(t, a, j), up = bit(t, a, j) > 0 ? a : b;
        size_t down = up == a ? b : a;
        for (size_t i = 0; i < t->dim; i++)
            gsl_matrix_set(h, i, j,
                           t->gradient[up * t->dim + i] -
                               t->gradient[down * t->dim + i]);
    }
}

static double length_at(const cs_bit_target *t, size_t a)
{
    double sum = 0;
    for (size_t i = 0; i < t->dim; i++)
        sum += t->gradient[a * t->dim + i] * t->gradient[a * t->dim + i];
    return sqrt(sum);
}

static double log_sum(const double *x, size_t n)
{
    double top = -HUGE_VAL, sum = 0;
    for (size_t a = 0; a < n; a++)
        top = fmax(top, x[a]);
    for (size_t a = 0; a < n; a++)
        sum += exp(x[a] - top);
    return top + log(sum);
}

cs_status cs_bit_constants_of(const cs_bit_target *t, cs_bit_constants *out,
                              cs_error *err)
{
    gsl_matrix *h = gsl_matrix_alloc(t->dim, t->dim);
    gsl_vector *value = gsl_vector_alloc(t->dim);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(t->dim);
    double least = HUGE_VAL, most = -HUGE_VAL;
    *out = (cs_bit_constants){.diameter = sqrt((double)t->dim),
                              .least_gradient = HUGE_VAL,
                              .log_z = log_sum(t->logp, t->n)};
    for (size_t a = 0; h && value && work && a < t->n; a++) {
        curvature_at(t, a, h);
        gsl_eigen_symm(h, value, work);
        least = fmin(least, gsl_vector_min(value));
        most = fmax(most, gsl_vector_max(value));
        out->least_gradient = fmin(out->least_gradient, length_at(t, a));
    }
    out->lipschitz = fmax(fabs(least), fabs(most));
    out->concavity = -most;
    bool made = h && value && work;
    gsl_matrix_free(h);
    gsl_vector_free(value);
    gsl_eigen_symm_free(work);
    return made ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for eigenvalues");
}

void cs_bit_law(const cs_bit_target *t, double *pi)
{
    double log_z = log_sum(t->logp, t->n);
    for (size_t a = 0; a < t->n; a++)
        pi[a] = exp(t->logp[a] - log_z);
}

/* ---- steps --------------------------------------------------------------- */

/* Returns log(1 + e^z). */
static double softplus(double z)
{
    return fmax(z, 0) + log1p(exp(-fabs(z)));
}

/* Adds log q(b | a), the log probability of proposing the bits of b, to
 * log_q[n]. odds[i] are the log odds of flipping bit i. */
static void add_flips(const cs_bit_target *t, size_t a, const double *odds,
                      double *log_q)
{
    double rest = 0;
    for (size_t i = 0; i < t->dim; i++)
        rest += softplus(odds[i]);
    for (size_t b = 0; b < t->n; b++) {
        log_q[b] -= rest;
        for (size_t i = 0; i < t->dim; i++)
            log_q[b] += bit(t, a, i) == bit(t, b, i) ? 0 : odds[i];
    }
}

/* Computes P from log_q[n][n], the log probabilities of the proposals. The
 * chain has an accept step if `adjusted` is true. Returns the share of accepted
 * proposals. */
static double settle(const double *log_q, const double *pi, size_t n,
                     bool adjusted, double *P)
{
    double accepted = 0;
    for (size_t a = 0; a < n; a++) {
        double left = 1;
        for (size_t b = 0; b < n; b++) {
            double there = log_q[a * n + b], back = log_q[b * n + a];
            double ratio = log(pi[b]) + back - log(pi[a]) - there;
            double move = exp(there + (adjusted ? fmin(0, ratio) : 0));
            P[a * n + b] = move;
            accepted += pi[a] * move;
            left -= move;
        }
        if (adjusted)
            P[a * n + a] += fmax(left, 0);
    }
    return accepted;
}

cs_status cs_bit_matrix(const cs_bit_target *t, const cs_bit_step *s, double *P,
                        double *acceptance, cs_error *err)
{
    size_t n = t->n;
    double odds[CS_BITS_MOST], *log_q = cs_alloc(n * n + n, sizeof *log_q),
                               *pi = log_q + n * n;
    if (!log_q)
        return cs_fail(err, CS_MEMORY, "out of memory for a matrix");
    cs_bit_law(t, pi);
    for (size_t a = 0; a < n; a++) {
        for (size_t i = 0; i < t->dim; i++)
            odds[i] = s->balance * (1 - 2 * bit(t, a, i)) *
                          t->gradient[a * t->dim + i] -
                      0.5 / s->step;
        add_flips(t, a, odds, log_q + a * n);
    }
    double accepted = settle(log_q, pi, n, s->adjusted, P);
    if (acceptance)
        *acceptance = accepted;
    cs_free(log_q);
    return CS_OK;
}

/* ---- the entropic samplers ----------------------------------------------- */

/* Returns k^dim, the number of values of theta_a. If k^dim exceeds
 * CS_ENTROPIC_MOST, the result is only some number above CS_ENTROPIC_MOST. */
static size_t places(const cs_bit_target *t, const cs_entropic_step *s)
{
    size_t n = 1;
    for (size_t i = 0; i < t->dim && n <= CS_ENTROPIC_MOST; i++)
        n *= s->k;
    return n;
}

size_t cs_entropic_states(const cs_bit_target *t, const cs_entropic_step *s)
{
    return t->n * places(t, s);
}

/* Returns coordinate i of the value of theta_a with index p. */
static double place(const cs_bit_target *t, const cs_entropic_step *s, size_t p,
                    size_t i)
{
    for (size_t j = t->dim - 1; j > i; j--)
        p /= s->k;
    return s->grid[p % s->k];
}

/* Computes log q of each coordinate of the proposed theta_a, [dim][k], given x
 * and a. The proposal is normal with mean a + (step_a / 2) (x - a) / eta and
 * variance step_a, restricted to the grid. */
static void weigh_places(const cs_bit_target *t, const cs_entropic_step *s,
                         size_t x, size_t p, double *log_q)
{
    for (size_t i = 0; i < t->dim; i++) {
        double a = place(t, s, p, i), *row = log_q + i * s->k;
        double mean = a + s->step_a / 2 * (bit(t, x, i) - a) / s->eta;
        for (size_t k = 0; k < s->k; k++)
            row[k] =
                -(s->grid[k] - mean) * (s->grid[k] - mean) / (2 * s->step_a);
        double all = log_sum(row, s->k);
        for (size_t k = 0; k < s->k; k++)
            row[k] -= all;
    }
}

/* Computes log_q[N] of all states that can be proposed from x and a. scratch[n
 * + dim * k] is working memory. */
static void propose(const cs_bit_target *t, const cs_entropic_step *s, size_t x,
                    size_t p, double *scratch, double *log_q)
{
    size_t m = places(t, s);
    double odds[CS_BITS_MOST], *bits = scratch, *row = scratch + t->n;
    memset(bits, 0, t->n * sizeof *bits);
    for (size_t i = 0; i < t->dim; i++) {
        double g = t->gradient[x * t->dim + i] -
                   (bit(t, x, i) - place(t, s, p, i)) / s->eta;
        odds[i] = 0.5 * (1 - 2 * bit(t, x, i)) * g - 0.5 / s->step;
    }
    add_flips(t, x, odds, bits);
    weigh_places(t, s, x, p, row);
    for (size_t q = 0; q < m; q++) {
        double there = 0;
        size_t digits = q;
        for (size_t i = t->dim; i-- > 0; digits /= s->k)
            there += row[i * s->k + digits % s->k];
        for (size_t y = 0; y < t->n; y++)
            log_q[y * m + q] = bits[y] + there;
    }
}

static void joint_law(const cs_bit_target *t, const cs_entropic_step *s,
                      double *pi)
{
    size_t m = places(t, s);
    for (size_t x = 0; x < t->n; x++)
        for (size_t p = 0; p < m; p++) {
            double far = 0;
            for (size_t i = 0; i < t->dim; i++)
                far += pow(bit(t, x, i) - place(t, s, p, i), 2);
            pi[x * m + p] = t->logp[x] - far / (2 * s->eta);
        }
    double log_z = log_sum(pi, t->n * m);
    for (size_t a = 0; a < t->n * m; a++)
        pi[a] = exp(pi[a] - log_z);
}

cs_status cs_entropic_matrix(const cs_bit_target *t, const cs_entropic_step *s,
                             double *P, double *pi, double *acceptance,
                             cs_error *err)
{
    size_t m = places(t, s), n = t->n * m;
    double *log_q = cs_alloc(n * n + t->n + t->dim * s->k, sizeof *log_q);
    if (!log_q)
        return cs_fail(err, CS_MEMORY, "out of memory for a matrix");
    joint_law(t, s, pi);
    for (size_t a = 0; a < n; a++)
        propose(t, s, a / m, a % m, log_q + n * n, log_q + a * n);
    double accepted = settle(log_q, pi, n, s->adjusted, P);
    if (acceptance)
        *acceptance = accepted;
    cs_free(log_q);
    return CS_OK;
}

/* The coordinates are independent, so each extreme value is found for one
 * coordinate at a time. In one coordinate, the gap is x - a. If the largest and
 * the smallest gap have opposite signs, the smallest product in (x - a).(x' -
 * a') is their product. Otherwise it is the square of the gap with the smallest
 * absolute value. */
cs_entropic_sizes cs_entropic_sizes_of(const cs_bit_target *t,
                                       const cs_entropic_step *s)
{
    double low = s->grid[0], high = s->grid[s->k - 1], d = (double)t->dim;
    double most = 1 - low, least = -high, square = HUGE_VAL;
    for (size_t k = 0; k < s->k; k++)
        square = fmin(square, fmin(s->grid[k] * s->grid[k],
                                   (1 - s->grid[k]) * (1 - s->grid[k])));
    bool both = most > 0 && least < 0;
    return (cs_entropic_sizes){.furthest =
                                   fmax(fabs(most), fabs(least)) * sqrt(d),
                               .alignment = (both ? most * least : square) * d,
                               .diameter = (high - low) * sqrt(d)};
}
