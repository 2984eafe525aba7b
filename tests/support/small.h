/* Targets whose states can be enumerated, and two smooth real targets. */
#pragma once

#include "kernel/kernel.h"

/* 3 independent bits with the log-odds small_odds: log p = sum a_i x_i. */
extern const cs_target_type small_bits;
extern const double small_odds[3];
/* The distribution of 4 bits in "Entropy-Guided Sampling of Flat Modes in
 * Discrete Spaces". log p is a multilinear interpolation of the log masses. */
extern const cs_target_type small_masses;
/* 3 coupled sites with 3 values each. */
extern const cs_target_type small_sites;
/* 4 spins, and 3 sites with 3 values in a field, on graphs with bonds of both
 * signs. log p = sum of K [x_i = x_j] + sum of f_i(x_i). These targets are for
 * kernels that use bonds, and for kernels that use the target's own
 * resampling. */
extern const cs_target_type small_spins, small_colours;
typedef struct small_bond {
    int i, j;
    double strength;
} small_bond;
enum { SMALL_SPIN_BONDS = 5, SMALL_COLOUR_BONDS = 2 };
extern const small_bond small_spin_bonds[], small_colour_bonds[];
extern const double small_colour_field[3][3];
/* 2 ordinal coordinates with the 5 values 2, 3, 4, 5 and 6. */
extern const cs_target_type small_lattice;
/* A banana: log p = -x_0^2/2 - 2 (x_1 - x_0^2)^2. */
extern const cs_target_type small_banana;
/* Two wells in three coordinates. No coordinate is normal, and x_2 has long
 * tails. */
extern const cs_target_type small_wells;

/* All states of a discrete target with log p, gradient and probability. For a
 * real target n is 0, and x is an initial state. */
typedef struct points {
    cs_target *target;
    size_t n, dim;
    double *x, *logp, *g, *pi; /* [n][dim], [n], [n][dim], [n] */
    double *force;             /* [n][dim] rounded force; NULL: equals g */
} points;

points points_create(const cs_target_type *type);
void points_destroy(points *p);

/* Makes an exact draw x[dim]. */
void points_draw(const points *p, uint64_t *seed, double *x);

/* Returns log p at x[dim] by the target's formula, without an evaluator. Also
 * computes the gradient g[dim]. */
double small_log_density(const points *p, const double *x, double *g);

/* Returns a uniform number on (0, 1), independent of src/rng: SplitMix64
 * (Steele, Lea and Flood 2014). */
double small_uniform(uint64_t *seed);
/* Returns a standard normal number, by inversion. */
double small_normal(uint64_t *seed);
