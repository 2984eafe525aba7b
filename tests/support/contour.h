/* Contour SGLD on a line by the formulas of Deng, Lin and Liang, "A contour
 * stochastic gradient Langevin dynamics algorithm for simulations of
 * multi-modal distributions" (2020): bins, multiplier, Psi; and its stationary
 * values, by quadrature for small steps and by the exact law of the Euler chain
 * for given ones. Independent of src. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CONTOUR_BINS = 400 };

typedef struct contour {
    double (*log_density)(double x, double *slope);
    double low, high; /* ends of the line; negligible mass beyond */
    bool boxed;       /* moves out of it are rejected */
    double rate, temperature, zeta, first, width;
    double
        clamp; /* of the multiplier, which is 1 in the last bin; 0: neither */
    double gradient_noise, energy_noise; /* standard deviations */
    size_t bins;
    bool forward; /* the multiplier of D.1 */
    bool plain;   /* Eq. 15 in place of Eq. 10 */
    bool by_rho;  /* Eq. 57, of sum 1 again after each update, with this rho */
    double rho;
    bool moving; /* with a velocity, of which this is left after a step */
    double momentum;
    const double *border; /* [bins - 1] in place of first and width, or NULL */
} contour;

/* The bin of an energy, from 0. */
size_t contour_bin(const contour *c, double energy);

/* The multiplier of the gradient in bin j (Eq. 6; D.1 with (j + 1) ^ m
 * meant). */
double contour_multiplier(const contour *c, const double *theta, size_t j);

/* log Psi (Eq. 5), whose slope over the energy is what the multiplier has beside
 * 1 unless it is clamped; constant in the last bin, if that has 1. */
double contour_log_psi(const contour *c, const double *theta, double energy);

/* Eq. 10, 15 or 57, all of theta[bins], arriving in bin j; by n chains, each in
 * its bin j[n], the mean of their changes (Deng et al. 2022). */
void contour_update(const contour *c, double *theta, size_t j, double gain);
void contour_meet(const contour *c, double *theta, const size_t *j, size_t n,
                  double gain);

/* A law of x and of its bin. */
typedef struct contour_law {
    double share[CONTOUR_BINS]; /* of the visits, by bin */
    double weight, mean;        /* E w, and E w x / E w, of w = theta(J)^zeta */
    double weight_by_energy, mean_by_energy; /* of w = Psi(U)^zeta */
} contour_law;

/* theta frozen: for small steps p / Psi(U)^zeta, where no multiplier is
 * clamped; for the Euler chain with the rate and the noises of c. */
contour_law contour_limit(const contour *c, const double *theta);
contour_law contour_chain(const contour *c, const double *theta);

/* theta[bins] where the mean of its update is 0, under either; returns the law
 * there. */
contour_law contour_rest_of_limit(const contour *c, double *theta);
contour_law contour_rest_of_chain(const contour *c, double *theta);
