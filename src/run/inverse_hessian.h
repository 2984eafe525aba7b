/* The inverse Hessian that a quasi-Newton path has learned, as a product from
 * which normal draws can be made:
 *
 *   H = A_n .. A_1 D A_1' .. A_n',   A_i = I + s_i w_i',
 *   w_i = (t_i B s_i - y_i) / s_i'y_i,   t_i = sqrt(s_i'y_i / s_i'B s_i),
 *
 * B the inverse of the product before A_i. That is the BFGS update of each pair,
 * H+ y = s (Brodlie, Gourlay and Greenstadt, "Rank-one and rank-two corrections
 * to positive definite matrices expressed in product form", 1973), and
 * log det H = log det D - 2 sum log t_i. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CS_PAIRS = 6 }; /* the last so many */

typedef struct cs_inverse_hessian {
    size_t dim, n;
    double *diagonal;  /* D [dim] [borrowed], as all of these */
    double *s, *y, *w; /* [CS_PAIRS][dim] in the order of their pairs */
    double t[CS_PAIRS], log_det;
} cs_inverse_hessian;

/* The doubles of its arrays. */
size_t cs_inverse_hessian_words(size_t dim);

/* The unit matrix, over room[cs_inverse_hessian_words]. */
void cs_inverse_hessian_begin(cs_inverse_hessian *h, size_t dim, double *room);

/* Takes in that over a step s[dim] the slope of -log p grew by y[dim]; the
 * diagonal by the update of Gilbert and Lemarechal ("Some numerical experiments
 * with variable-storage quasi-Newton algorithms", 1989) that Pathfinder has. With
 * room[dim]. False, and it stays as it was: s'y is not above 0, or not finite. */
bool cs_inverse_hessian_add(cs_inverse_hessian *h, const double *s,
                            const double *y, double *room);

/* v = H v. */
void cs_inverse_hessian_times(const cs_inverse_hessian *h, double *v);
/* v = C v, C C' = H. */
void cs_inverse_hessian_root(const cs_inverse_hessian *h, double *v);
