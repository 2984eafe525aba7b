/* The exchange algorithm (Murray, Ghahramani and MacKay 2006) on a grid of the
 * coupling of a small Ising lattice, as a finite auxiliary chain: the likelihood
 * f(x) / Z = exp(theta T(x)) / Z(theta) speaks through T alone, the sum of the
 * products of neighbours, so that omega takes as many values as T. */
#pragma once

#include "theory/auxiliary.h"

enum { CS_LATTICE_SITES = 16, CS_LATTICE_VALUES = 32, CS_EXCHANGE_DRAWS = 6 };

/* A lattice with free ends, enumerated: T takes value[k] in count[k] states. */
typedef struct cs_lattice {
    size_t rows, cols, values;
    double value[CS_LATTICE_VALUES], count[CS_LATTICE_VALUES];
} cs_lattice;

/* CS_RANGE: more than CS_LATTICE_SITES sites, or fewer than two. */
cs_status cs_lattice_make(size_t rows, size_t cols, cs_lattice *out,
                          cs_error *err);

/* T of spins[rows * cols], each -1 or 1. */
double cs_lattice_sum(const cs_lattice *l, const double *spins);

/* p[values] = P(T = value[k]) at this coupling. */
void cs_lattice_law(const cs_lattice *l, double coupling, double *p);

/* The same after `sweeps` of Gibbs sampling, site by site and back, from spins.
 * CS_MEMORY */
cs_status cs_lattice_law_after(const cs_lattice *l, double coupling,
                               const double *spins, size_t sweeps, double *p,
                               cs_error *err);

typedef enum cs_exchange_how {
    CS_EXCHANGE_BALANCED, /* K draws, one way or the other, as below: exact */
    CS_EXCHANGE_AVERAGE,  /* the mean of K ratios in place of one: not exact
                             but for K = 1 */
    CS_EXCHANGE_SWEEPS    /* one draw from a chain that starts at the data: not
                             exact */
} cs_exchange_how;

/* A random walk of normal steps on the couplings low + a gap, prior flat, or
 * prior[n] up to a constant. The data are spins[]. Balanced (Andrieu, Doucet,
 * Yildirim and Chopin 2018), of a coin omega_1: at heads the K draws are from
 * p_theta' and r has the mean of their ratios; at tails one of them, any, is, and
 * the others are from p_theta, and r has what makes up for it: the ratios at
 * tails are those at heads of the way back. */
typedef struct cs_exchange_setting {
    size_t n;
    double low, gap, step;
    const double *prior; /* [n] log density, NULL: flat */
    const double *spins; /* [sites] */
    size_t draws, sweeps;
    cs_exchange_how how;
    cs_aux_rule rule;
} cs_exchange_setting;

/* [own: cs_aux_chain_free] */
cs_status cs_exchange_chain(const cs_lattice *l, const cs_exchange_setting *s,
                            cs_aux_chain *out, cs_error *err);

/* p[n][values] of a chain made by this: the laws of T. */
const double *cs_exchange_laws(const cs_aux_chain *c, size_t *values);
