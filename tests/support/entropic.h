/* The entropic discrete Langevin kernels by their formulas (Mohanty,
 * Bhattacharya and Zhang 2025, Algorithm 1 and appendix B), independent of
 * src/kernel: plain exponentials, one state at a time. */
#pragma once

#include "support/small.h"

#include <stdbool.h>

/* step, balance, eta, step_a; glu: theta_a is held while x moves; hot: a
 * categorical site is one bit a value. */
typedef struct entropic {
    double step, balance, eta, step_a;
    bool adjusted, glu, hot;
} entropic;

/* Coordinates that theta_a may have: four sites, three of three values. */
enum { ENTROPIC_ROWS = 12 };

/* Fills in a kernel's name and values on a space of that kind; false: not an
 * entropic kernel. */
bool entropic_of(const char *kernel, const double *value, cs_space_kind kind,
                 entropic *e);

/* The dimension of theta_a, and coordinate r of its centre at the state x. */
size_t entropic_rows(const entropic *e, const points *p);
double entropic_coordinate(const entropic *e, const points *p, const double *x,
                           size_t r);

bool is_entropic(const char *kernel);

/* The state's point with an auxiliary variable. */
typedef struct entropic_point {
    double x[4], a[ENTROPIC_ROWS], g[4], logp;
} entropic_point;

/* x is state s, or any x[dim]; a[rows]. */
entropic_point entropic_state(const points *p, size_t s, const double *a);
entropic_point entropic_at(const points *p, const double *x, const double *a);

/* q_i(v | x, a). */
double entropic_site(const entropic *e, const points *p,
                     const entropic_point *from, size_t i, double v);

/* log of p(x, a), normalised in a only; log q(to | from), a density in a'
 * unless it is held. */
double entropic_log_joint(const entropic *e, const points *p,
                          const entropic_point *at);
double entropic_log_q(const entropic *e, const points *p,
                      const entropic_point *from, const entropic_point *to);

/* The first step of a chain whose theta_a is a draw from N(x, eta I): P[n][n],
 * by quadrature where unadjusted (good to 1e-13), else the mean over draws of
 * theta_a, good to ENTROPIC_ERROR. For the Gibbs-like versions it is the chain
 * of x itself. */
void entropic_matrix(const entropic *e, const points *p, double *P);
#define ENTROPIC_ERROR 3e-3
