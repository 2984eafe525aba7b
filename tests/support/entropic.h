/* The formulas of the entropic discrete Langevin kernels (Mohanty, Bhattacharya
 * and Zhang 2025, Algorithm 1 and appendix B). They are implemented
 * independently of src/kernel, with plain exponentials and for one state at a
 * time. */
#pragma once

#include "support/small.h"

#include <stdbool.h>

/* Parameters of a kernel. If `glu` is set, theta_a is constant while x moves.
 * If `hot` is set, a categorical site is coded as one bit per value. */
typedef struct entropic {
    double step, balance, eta, step_a;
    bool adjusted, glu, hot;
} entropic;

/* Capacity of theta_a: at most four sites, or three one-hot sites with three
 * values each. */
enum { ENTROPIC_ROWS = 12 };

/* Fills in `e` from a kernel's name and parameter values. Returns false if the
 * kernel is not entropic. */
bool entropic_of(const char *kernel, const double *value, cs_space_kind kind,
                 entropic *e);

/* Returns the dimension of theta_a. */
size_t entropic_rows(const entropic *e, const points *p);
/* Returns coordinate r of the centre of theta_a at x. */
double entropic_coordinate(const entropic *e, const points *p, const double *x,
                           size_t r);

bool is_entropic(const char *kernel);

/* A state with an auxiliary variable. */
typedef struct entropic_point {
    double x[4], a[ENTROPIC_ROWS], g[4], logp;
} entropic_point;

/* Returns the point of state number s and a[rows]. */
entropic_point entropic_state(const points *p, size_t s, const double *a);
/* Returns the point with the given x[dim] and a[rows]. */
entropic_point entropic_at(const points *p, const double *x, const double *a);

/* Returns q_i(v | x, a), the probability that site i is set to v. */
double entropic_site(const entropic *e, const points *p,
                     const entropic_point *from, size_t i, double v);

/* Returns log p(x, a), which is normalised only in a. */
double entropic_log_joint(const entropic *e, const points *p,
                          const entropic_point *at);
/* Returns log q(to | from), a density in the new theta_a unless theta_a is
 * constant. */
double entropic_log_q(const entropic *e, const points *p,
                      const entropic_point *from, const entropic_point *to);

/* Computes P[n][n] for a chain's first step, in which theta_a is drawn from
 * N(x, eta I). For unadjusted kernels, P is integrated by quadrature (error
 * 1e-13). For adjusted kernels, P is averaged over draws of theta_a (error
 * ENTROPIC_ERROR). For Gibbs-like kernels, P is the matrix of the chain of
 * x. */
void entropic_matrix(const entropic *e, const points *p, double *P);
#define ENTROPIC_ERROR 3e-3
