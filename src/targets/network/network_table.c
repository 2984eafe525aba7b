#include "targets/network/network_table.h"

#include "rng/stream.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void cs_network_moments(const cs_table *t, size_t j, double *mean, double *sd)
{
    assert(j < t->cols && t->rows);
    size_t rows = t->rows;
    double sum = 0, square = 0;
    for (size_t i = 0; i < rows; i++)
        sum += t->data[i * t->cols + j];
    *mean = sum / (double)rows;
    for (size_t i = 0; i < rows; i++) {
        double off = t->data[i * t->cols + j] - *mean;
        square += off * off;
    }
    *sd = sqrt(square / (double)rows);
    if (!(*sd > 1e-12 * fabs(*mean)))
        *sd = 1;
}

/* Returns false if a column has different names in the two tables. A table that
 * is not from a file has no names. In a file without names the columns are
 * called x1, x2, ...; these names match any name. */
static bool named_alike(const cs_table *a, const cs_table *b)
{
    for (size_t j = 0; a->names && b->names && j < a->cols; j++) {
        char none[CS_TABLE_NAME];
        snprintf(none, sizeof none, "x%zu", j + 1);
        if (strcmp(a->names[j], b->names[j]) != 0 &&
            strcmp(a->names[j], none) != 0 && strcmp(b->names[j], none) != 0)
            return false;
    }
    return true;
}

cs_status cs_network_fits(const char *what, const cs_table *train,
                          const cs_table *test, const char *where,
                          cs_error *err)
{
    if (test->rows && test->cols != train->cols)
        cs_fail(err, CS_INPUT, "%s: %zu columns, but the training file has %zu",
                what, test->cols, train->cols);
    else if (test->rows && !named_alike(train, test))
        cs_fail(err, CS_INPUT,
                "%s: the column names differ from those of the training file",
                what);
    else
        return CS_OK;
    cs_where(err, where, 0);
    cs_hint(err, "give files with the same columns");
    return CS_INPUT;
}

static double uniform_of(uint64_t seed, uint64_t k, uint64_t word[2])
{
    cs_threefry2x64(20, (const uint64_t[]){k, 0}, (const uint64_t[]){seed, 7},
                    word);
    return ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
}

double cs_network_uniform(uint64_t seed, uint64_t k)
{
    uint64_t word[2];
    return uniform_of(seed, k, word);
}

double cs_network_normal(uint64_t seed, uint64_t k)
{
    uint64_t word[2];
    double uniform = uniform_of(seed, k, word);
    return sqrt(-2 * log(uniform)) *
           cos(6.283185307179586 * ((double)(word[1] >> 11) * 0x1p-53));
}
