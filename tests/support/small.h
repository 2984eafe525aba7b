/* Targets small enough to be enumerated, and two smooth real ones. */
#pragma once

#include "kernel/kernel.h"

/* 3 independent bits of log-odds small_odds: log p = sum a_i x_i. */
extern const cs_target_type small_bits;
extern const double small_odds[3];
/* The 4-bit law of "Entropy-Guided Sampling of Flat Modes in Discrete
 * Spaces", log p interpolated multilinearly between the log masses. */
extern const cs_target_type small_masses;
/* 3 sites of 3 values with a coupling. */
extern const cs_target_type small_sites;
/* 4 spins and 3 sites of 3 values on graphs with bonds of both signs, the
 * latter in a field: log p = sum of K [x_i = x_j] + sum of f_i(x_i). For kernels
 * that need a target's bonds, or that it resamples itself. */
extern const cs_target_type small_spins, small_colours;
typedef struct small_bond {
    int i, j;
    double strength;
} small_bond;
enum { SMALL_SPIN_BONDS = 5, SMALL_COLOUR_BONDS = 2 };
extern const small_bond small_spin_bonds[], small_colour_bonds[];
extern const double small_colour_field[3][3];
/* 2 coordinates of 5 ordinal values, 2 .. 6. */
extern const cs_target_type small_lattice;
/* A banana: log p = -x_0^2/2 - 2 (x_1 - x_0^2)^2. */
extern const cs_target_type small_banana;
/* Two wells in three coordinates: none is normal, and x_2 has long tails. */
extern const cs_target_type small_wells;

/* Every state of a discrete target with log p, gradient and probability; of a
 * real one (n = 0) x is a place to start from. */
typedef struct points {
    cs_target *target;
    size_t n, dim;
    double *x, *logp, *g, *pi; /* [n][dim], [n], [n][dim], [n] */
    /* [n][dim] by CS_GRADIENT_FLOAT and CS_GRADIENT_INT8; NULL: as g. */
    double *force[CS_GRADIENT_INT8 + 1];
} points;

points points_create(const cs_target_type *type);
void points_destroy(points *p);

/* x[dim] = an exact draw. */
void points_draw(const points *p, uint64_t *seed, double *x);

/* The target's formula at x[dim], without an evaluator; its gradient g[dim]. */
double small_log_density(const points *p, const double *x, double *g);

/* Numbers for tests that owe nothing to src/rng: SplitMix64 (Steele, Lea and
 * Flood 2014), uniform on (0, 1), and standard normals by inversion. */
double small_uniform(uint64_t *seed);
double small_normal(uint64_t *seed);
