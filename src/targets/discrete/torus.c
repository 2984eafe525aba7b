#include "targets/discrete/torus.h"

#include <assert.h>
#include <math.h>

/* One of the four products in the partition function. The product runs over r
 * = 0 .. n - 1; each factor is 2 cosh or 2 sinh of m gamma_r / 2. The struct
 * holds the product's logarithm and sign, and the derivative of the
 * logarithm. */
typedef struct product {
    double log, sign, slope;
} product;

/* Computes gamma_l, l = 2 r + odd, and the derivative of gamma_l in k: cosh
 * gamma_l = cosh 2k coth 2k - cos(pi l / n), except gamma_0 = 2k + log tanh k,
 * which may be negative. */
static double gamma_of(double k, size_t n, size_t l, double *slope)
{
    double c = cosh(2 * k), s = sinh(2 * k);
    if (l == 0) {
        *slope = 2 + 2 / s;
        return 2 * k + log(tanh(k));
    }
    double angle = 3.14159265358979324 * (double)l / (double)n;
    double gamma = acosh(fmax(c * c / s - cos(angle), 1));
    *slope = 2 * c * (1 - 1 / (s * s)) / sinh(gamma);
    return gamma;
}

/* Smallest value used for m gamma / 2. At the critical k, gamma_0 and the
 * product of sinh are 0, but the derivative of the product is not 0. The bound
 * avoids the division 0 / 0. */
static const double least_half = 1e-12;

static void multiply(product *cosines, product *sines, double half,
                     double slope)
{
    double small = fmax(fabs(half), least_half), e = exp(-2 * small);
    double sign = half < 0 ? -1 : 1;
    cosines->log += small + log1p(e);
    cosines->slope += slope * sign * (1 - e) / (1 + e);
    sines->log += small + log(-expm1(-2 * small));
    sines->slope += slope * sign * (1 + e) / -expm1(-2 * small);
    sines->sign *= sign;
}

double cs_torus_log_z(double k, size_t n, size_t m, double *mean)
{
    assert(n && m);
    product part[4] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
    double top = -HUGE_VAL, sum = 0, slope = 0, bonds = (double)(n * m);
    for (size_t l = 0; l < 2 * n; l++) {
        double rise, gamma = gamma_of(k, n, l, &rise);
        product *p = part + (l % 2 ? 0 : 2);
        multiply(p, p + 1, 0.5 * (double)m * gamma, 0.5 * (double)m * rise);
    }
    for (int i = 0; i < 4; i++)
        top = fmax(top, part[i].log);
    for (int i = 0; i < 4; i++) {
        double share = part[i].sign * exp(part[i].log - top);
        sum += share;
        slope += share * part[i].slope;
    }
    if (mean)
        *mean = bonds / tanh(2 * k) + slope / sum;
    double sinh2 = 2 * k + log1p(-exp(-4 * k)); /* sinh2 is log(2 sinh 2k) */
    return -log(2) + 0.5 * bonds * sinh2 + top + log(sum);
}
