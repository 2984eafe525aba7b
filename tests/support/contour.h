/* Contour SGLD in one dimension, implemented independently of src. The formulas
 * for bins, multiplier and Psi are those of Deng, Lin and Liang, "A contour
 * stochastic gradient Langevin dynamics algorithm for simulations of
 * multi-modal distributions" (2020). Stationary values are computed in two
 * ways: by quadrature for the limit of small steps, and from the exact law of
 * the Euler chain for given steps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CONTOUR_BINS = 400 };

typedef struct contour {
    double (*log_density)(double x, double *slope);
    double low, high; /* the mass outside this interval is negligible */
    bool boxed;       /* a move out of the interval is rejected */
    double rate, temperature, zeta, first, width;
    double clamp; /* bound on the multiplier, which is then 1 in the last bin;
                   * 0: no bound */
    double gradient_noise, energy_noise; /* standard deviations */
    size_t bins;
    bool forward; /* use the multiplier of appendix D.1 */
    bool plain;   /* use Eq. 15 instead of Eq. 10 */
    bool by_rho;  /* use Eq. 57 with rho, and normalise theta after each
                   * update */
    double rho;
    bool moving; /* has a velocity, multiplied by `momentum` per step */
    double momentum;
    const double *border; /* [bins - 1] replaces first and width, or NULL */
} contour;

/* Returns the bin of an energy, counted from 0. */
size_t contour_bin(const contour *c, double energy);

/* Returns the multiplier of the gradient in bin j (Eq. 6, or D.1 read as (j +
 * 1) ^ m). */
double contour_multiplier(const contour *c, const double *theta, size_t j);

/* Returns log Psi (Eq. 5). If the multiplier is not clamped, the slope of log
 * Psi in the energy is the multiplier minus 1. If the multiplier is 1 in the
 * last bin, log Psi is constant in the last bin. */
double contour_log_psi(const contour *c, const double *theta, double energy);

/* Updates theta[bins] after a visit to bin j, by Eq. 10, 15 or 57. */
void contour_update(const contour *c, double *theta, size_t j, double gain);
/* Updates theta[bins] by the mean of the changes of n chains; chain i is in bin
 * j[i] (Deng et al. 2022). */
void contour_meet(const contour *c, double *theta, const size_t *j, size_t n,
                  double gain);

/* A law of x and of its bin J. */
typedef struct contour_law {
    double share[CONTOUR_BINS]; /* share of visits per bin */
    double weight, mean; /* weight: E w; mean: E wx / E w; w = theta(J)^zeta */
    double weight_by_energy, mean_by_energy; /* the same with the weight w =
                                              * Psi(U)^zeta */
} contour_law;

/* Returns the law p / Psi(U)^zeta for small steps at fixed theta. The
 * multiplier must not be clamped. */
contour_law contour_limit(const contour *c, const double *theta);
/* Returns the law of the Euler chain at fixed theta, with the rate and the
 * noises in c. */
contour_law contour_chain(const contour *c, const double *theta);

/* Finds theta[bins] for which the mean update under the limit law is 0. Returns
 * the limit law at this theta. */
contour_law contour_rest_of_limit(const contour *c, double *theta);
/* Finds theta[bins] for which the mean update under the law of the Euler chain
 * is 0. Returns the law of the Euler chain at this theta. */
contour_law contour_rest_of_chain(const contour *c, double *theta);
