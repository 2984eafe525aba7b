/* The data of logistic_regression: rows of predictors with a response of 0 or 1
 * last, and held-out rows. */
#pragma once

#include "data/table.h"
#include "targets/real/row_table.h"

typedef struct cs_logistic_data {
    cs_row_table t;               /* x_1 ... x_p, y of each row;
                                     cs_row_table_close has not been called
                                     yet */
    char (*names)[CS_TABLE_NAME]; /* [cols] names of the columns [own] */
    cs_row_table test;            /* held-out rows, in the layout of t; rows =
                                     0: none are given */
    double *test_y;               /* [test.rows] held-out responses [own] */
} cs_logistic_data;

/* Reads the rows from a file (by default the built-in data, challenger) or from
 * a table. If there are held-out rows, reads these rows from a table. If
 * `standard` is true, scales predictors to mean 0 and standard deviation 1 over
 * the rows of t. An error names the column or the row. The caller must free m,
 * even on failure. Cold. */
cs_status cs_logistic_data_take(cs_logistic_data *m, const cs_value *file,
                                const cs_value *table, const cs_value *held_out,
                                bool standard, cs_error *err);
void cs_logistic_data_free(cs_logistic_data *m);
