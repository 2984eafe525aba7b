/* The exchange algorithm (Murray, Ghahramani and MacKay 2006) on a grid of
 * couplings of a small Ising lattice, as a finite auxiliary chain. The
 * likelihood f(x) / Z = exp(theta T(x)) / Z(theta) depends on x only through T,
 * the sum of the products of neighbouring spins. The auxiliary variable omega
 * therefore needs only one value for each value of T. */
#pragma once

#include "theory/auxiliary.h"

enum { CS_LATTICE_SITES = 16, CS_LATTICE_VALUES = 32, CS_EXCHANGE_DRAWS = 6 };

/* A lattice with free boundaries, enumerated: T has the value value[k] in
 * count[k] states. */
typedef struct cs_lattice {
    size_t rows, cols, values;
    double value[CS_LATTICE_VALUES], count[CS_LATTICE_VALUES];
} cs_lattice;

/* Enumerates a lattice. Fails with CS_RANGE for more than CS_LATTICE_SITES
 * sites, or fewer than two. */
cs_status cs_lattice_make(size_t rows, size_t cols, cs_lattice *out,
                          cs_error *err);

/* Returns T of spins[rows * cols], where each spin is -1 or 1. */
double cs_lattice_sum(const cs_lattice *l, const double *spins);

/* Computes p[values] = P(T = value[k]) at coupling `coupling`. */
void cs_lattice_law(const cs_lattice *l, double coupling, double *p);

/* Computes the distribution of T after the given number of Gibbs sweeps from
 * `spins`; a sweep visits the sites in order and then in reverse order. May
 * fail with CS_MEMORY. */
cs_status cs_lattice_law_after(const cs_lattice *l, double coupling,
                               const double *spins, size_t sweeps, double *p,
                               cs_error *err);

typedef enum cs_exchange_how {
    CS_EXCHANGE_BALANCED, /* K draws from p_theta' or p_theta (see below); the
                             chain is exact */
    CS_EXCHANGE_AVERAGE,  /* mean of K ratios instead of a single ratio; the
                             chain is exact only for K = 1 */
    CS_EXCHANGE_SWEEPS    /* a draw from a chain that starts at the data; the
                             chain is not exact */
} cs_exchange_how;

/* A random walk with normal steps on the couplings low + a gap, a = 0 ... n -
 * 1. The data are spins[]. The prior is flat, or prior[n] up to a constant.
 *
 * CS_EXCHANGE_BALANCED (Andrieu, Doucet, Yildirim and Chopin 2018) tosses a
 * coin omega_1. On heads the K draws are from p_theta', and r contains the mean
 * of their ratios. On tails one draw, chosen at random, is from p_theta' and
 * the others are from p_theta; r then contains the reciprocal of the mean ratio
 * of the reverse move. Tails in a move correspond to heads in the reverse
 * move. */
typedef struct cs_exchange_setting {
    size_t n;
    double low, gap, step;
    const double *prior; /* [n] log density of the prior; NULL: the prior is
                            flat */
    const double *spins; /* [sites] the data, each -1 or 1 */
    size_t draws, sweeps;
    cs_exchange_how how;
    cs_aux_rule rule;
} cs_exchange_setting;

/* Creates the auxiliary chain of a setting. [own: cs_aux_chain_free] */
cs_status cs_exchange_chain(const cs_lattice *l, const cs_exchange_setting *s,
                            cs_aux_chain *out, cs_error *err);

/* Returns p[n][values], the distribution of T at each coupling of a chain made
 * by cs_exchange_chain. */
const double *cs_exchange_laws(const cs_aux_chain *c, size_t *values);
