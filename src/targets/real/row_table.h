/* The data of targets that are sums over rows. There is a single copy, stored
 * row after row without gaps, as in the file. A row then has only 8 `cols`
 * bytes and spans as few cache lines as possible, for random and for sequential
 * access. A vector that is loaded from a row may extend beyond the end of the
 * row; therefore the rows of the last tile have a separate padded copy. */
#pragma once

#include "base/param.h"
#include "target/target.h"

#include <float.h>
#include <math.h>

/* Number of rows that are evaluated together. */
enum { CS_ROW_TILE = 32 };

/* Parameter rows of targets that read such a table. A file that uses this macro
 * must define the indices of the rows: FILE_, TABLE, ROWS, DIM and SEED. */
#define CS_ROW_TABLE_PARAMS(file_help, rows_help, most, dim_help)              \
    [FILE_] = {.name = "file",                                                 \
               .kind = CS_PARAM_TEXT,                                          \
               .flags = CS_PARAM_FIXED | CS_PARAM_PATH,                        \
               .help =                                                         \
                   "path of a CSV file" file_help                              \
                   "; without `file` and `table`, a random table is used"},    \
    [TABLE] = {.name = "table",                                                \
               .kind = CS_PARAM_ARRAY,                                         \
               .flags = CS_PARAM_FIXED,                                        \
               .help = "the rows themselves, instead of `file`: a list of "    \
                       "lists"},                                               \
    [ROWS] = {.name = "rows",                                                  \
              .kind = CS_PARAM_INT,                                            \
              .flags = CS_PARAM_FIXED,                                         \
              .min = 1,                                                        \
              .max = 4294967295.0,                                             \
              .def = 12,                                                       \
              .help = "rows of the random table: " rows_help},                 \
    [DIM] = {.name = "dim",                                                    \
             .kind = CS_PARAM_INT,                                             \
             .flags = CS_PARAM_FIXED,                                          \
             .min = 1,                                                         \
             .max = most,                                                      \
             .def = 2,                                                         \
             .help = dim_help " in the random table"},                         \
    [SEED] = {.name = "seed",                                                  \
              .kind = CS_PARAM_INT,                                            \
              .flags = CS_PARAM_FIXED,                                         \
              .max = 9007199254740992.0,                                       \
              .def = 1,                                                        \
              .help = "seed of the random table"}

typedef struct cs_row_table {
    size_t rows, cols;
    size_t split; /* number of rows that are not copied to `tail`, a multiple of
                     CS_ROW_TILE */
    double *data; /* [rows][cols] the numbers [own] */
    double *tail; /* [2 CS_ROW_TILE][cols] the rows that start at row `split`,
                     then rows of zeros and a vector of padding [own] */
} cs_row_table;

/* Fills t->data with finite numbers. The numbers come from a CSV file or a
 * matrix, whichever is given. If neither is given, sets t->data to NULL. An
 * error names the target `who` and the row. Cold. */
cs_status cs_row_table_take(cs_row_table *t, const char *who,
                            const cs_value *file, const cs_value *array,
                            cs_error *err);

/* Makes rows of standard normals from a seed. The numbers of a row do not
 * depend on how many rows there are. Cold. */
cs_status cs_row_table_random(cs_row_table *t, const char *who, size_t rows,
                              size_t cols, uint64_t seed, cs_error *err);

/* Makes the tail copy; must be called when the numbers are final, before the
 * first pass. */
cs_status cs_row_table_close(cs_row_table *t, const char *who, cs_error *err);

/* Frees the memory of a table; a zeroed table is allowed. */
void cs_row_table_free(cs_row_table *t);

/* Returns row i < rows, padded so that a vector can be loaded from any of its
 * numbers. */
static inline const double *cs_row_at(const cs_row_table *t, size_t i)
{
    return i < t->split ? t->data + i * t->cols
                        : t->tail + (i - t->split) * t->cols;
}

/* Returns sqrt(a_1^2 + ... + a_n^2). */
static inline double cs_row_norm(const double *a, size_t n)
{
    double square = 0;
    for (size_t j = 0; j < n; j++)
        square += a[j] * a[j];
    return sqrt(square);
}

/* Returns the relative rounding error of a sum of n products and a few further
 * operations. Bounds are enlarged by this error, so that terms with rounding
 * errors are also within the bounds. */
static inline double cs_row_slack(size_t n)
{
    return 4 * (double)(n + 8) * DBL_EPSILON;
}

/* Prefetches the n rows whose numbers are row[n]. */
static inline void cs_row_fetch(const cs_row_table *t, const uint32_t *row,
                                size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const double *at = cs_row_at(t, row[k]);
        for (size_t j = 0; j < t->cols; j += 8)
            __builtin_prefetch(at + j);
        __builtin_prefetch(at + t->cols - 1);
    }
}
