/* The inverse Hessian estimated along a quasi-Newton path, as a product from
 * which normal draws can be made:
 *
 *   H = A_n .. A_1 D A_1' .. A_n',   A_i = I + s_i w_i',
 *   w_i = (t_i B s_i - y_i) / s_i'y_i,   t_i = sqrt(s_i'y_i / s_i'B s_i),
 *
 * where B is the inverse of the product before A_i. Each factor is the BFGS
 * update H+ y = s for one pair (Brodlie, Gourlay and Greenstadt, "Rank-one and
 * rank-two corrections to positive definite matrices expressed in product
 * form", 1973). log det H = log det D - 2 sum log t_i. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CS_PAIRS = 6 }; /* number of newest pairs that are kept */

typedef struct cs_inverse_hessian {
    size_t dim, n;
    double *diagonal;  /* D [dim]; all arrays are [borrowed] */
    double *s, *y, *w; /* [CS_PAIRS][dim] oldest pair first */
    double t[CS_PAIRS], log_det;
} cs_inverse_hessian;

/* Returns the number of doubles in the arrays. */
size_t cs_inverse_hessian_words(size_t dim);

/* Sets H to the unit matrix. The arrays are stored in
 * scratch[cs_inverse_hessian_words]. */
void cs_inverse_hessian_begin(cs_inverse_hessian *h, size_t dim,
                              double *scratch);

/* Updates H by a pair s[dim], y[dim]: when x changed by s, the gradient of -log
 * p changed by y. The diagonal uses the update of Gilbert and Lemarechal ("Some
 * numerical experiments with variable-storage quasi-Newton algorithms", 1989),
 * as Pathfinder does. Overwrites scratch[dim]. Returns false, and does not
 * change H, if s'y is not positive and finite. */
bool cs_inverse_hessian_add(cs_inverse_hessian *h, const double *s,
                            const double *y, double *scratch);

/* Computes v = H v. */
void cs_inverse_hessian_times(const cs_inverse_hessian *h, double *v);
/* Computes v = C v, where C C' = H. */
void cs_inverse_hessian_root(const cs_inverse_hessian *h, double *v);
