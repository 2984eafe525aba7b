/* Principal components of a table: the directions in which its rows vary most.
 *
 *     m = mean of the rows x_i,  S = sum_i (x_i - m)(x_i - m)' / (rows - 1),
 *     S v_k = variance_k v_k,  |v_k| = 1,  variance_1 >= variance_2 >= ...
 *
 * (I. T. Jolliffe, Principal Component Analysis, 2002, chapters 1 and 3.) An
 * eigenvector has no sign of its own: here its entry of largest size is
 * positive, the first of those that are as large up to rounding. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* Columns that vary; others cost nothing. */
enum { CS_PRINCIPAL_COLUMNS = 1024 };

/* Rows, one at a time: x[cols] = row i. */
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
    double total;      /* variance of all columns: what all components have */
} cs_principal;

/* Finds the first components of a table. Refused: numbers that are not finite,
 * fewer than two rows, more components than directions in which the table
 * varies, columns beyond CS_PRINCIPAL_COLUMNS. Goes twice over the rows, in time
 * rows cols^2 + cols^3, or less than the latter where few of many components
 * are asked for. [own, cs_principal_free] Cold. */
cs_status cs_principal_fit(cs_principal *out, const cs_row_source *from,
                           size_t components, cs_error *err);

/* score[components] of x[cols]: v_k'(x - m). */
void cs_principal_score(const cs_principal *p, const double *x, double *score);

/* Frees what it owns; a zeroed struct is allowed. */
void cs_principal_free(cs_principal *p);
