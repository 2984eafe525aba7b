/* Principal components of a table: the directions in which its rows vary most.
 *
 *     m = mean of the rows x_i,  S = sum_i (x_i - m)(x_i - m)' / (rows -
 *     1),
 *     S v_k = variance_k v_k,  |v_k| = 1,  variance_1 >= variance_2 >= ...
 *
 * (I. T. Jolliffe, Principal Component Analysis, 2002, chapters 1 and 3.) The
 * sign of an eigenvector is arbitrary. Here its largest entry in absolute value
 * is positive, or the first of the largest entries if several are equal up to
 * rounding. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* Maximum number of columns that vary; constant columns do not count. */
enum { CS_PRINCIPAL_COLUMNS = 1024 };

/* Provides the rows of a table one at a time: x[cols] = row i. */
typedef struct cs_row_source {
    size_t rows, cols;
    void (*row)(const void *self, size_t i, double *x);
    const void *self;
} cs_row_source;

typedef struct cs_principal {
    size_t cols, components;
    double *mean;      /* [cols] [own] */
    double *direction; /* [components][cols] v_1, v_2, ... [own] */
    double *variance;  /* [components] [own] */
    /* variance of all columns: the sum over all components */
    double total;
} cs_principal;

/* Finds the first components of a table. Fails for numbers that are not finite,
 * for fewer than two rows, for more components than directions in which the
 * rows vary, and for more than CS_PRINCIPAL_COLUMNS varying columns. Reads the
 * rows twice. The time is proportional to rows cols^2 + cols^3; the second term
 * is smaller if only a small part of the components is requested. Not called in
 * hot loops. [own, cs_principal_free] */
cs_status cs_principal_fit(cs_principal *out, const cs_row_source *from,
                           size_t components, cs_error *err);

/* Computes score[components] of x[cols]: v_k'(x - m). */
void cs_principal_score(const cs_principal *p, const double *x, double *score);

/* Frees the arrays of p; a zeroed struct is allowed. */
void cs_principal_free(cs_principal *p);
