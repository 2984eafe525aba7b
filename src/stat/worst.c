#include "stat/worst.h"

#include <assert.h>
#include <math.h>

_Static_assert(sizeof(cs_figures) == CS_COLUMNS * sizeof(double),
               "the columns are those of a row");

double cs_figures_value(const cs_figures *row, cs_figures_column column)
{
    assert(column < CS_COLUMNS);
    return (&row->mean)[column];
}

/* Finds the worst row; rows are `bytes` apart. */
static size_t find_worst(const cs_figures *first, size_t n, size_t bytes,
                         cs_figures_column column, bool largest)
{
    size_t worst = n;
    double far = 0;
    const char *at = (const char *)first;
    for (size_t k = 0; k < n; k++, at += bytes) {
        double x = cs_figures_value((const void *)at, column);
        bool worse = worst == n || (largest ? x > far : x < far);
        if (isnan(x) || !worse)
            continue;
        worst = k;
        far = x;
    }
    return worst;
}

size_t cs_figures_worst(const cs_figures *row, size_t n,
                        cs_figures_column column, bool largest)
{
    return find_worst(row, n, sizeof *row, column, largest);
}

double cs_figures_extreme(const cs_figures *row, size_t n,
                          cs_figures_column column, bool largest)
{
    size_t worst = cs_figures_worst(row, n, column, largest);
    return worst < n ? cs_figures_value(&row[worst], column) : (double)NAN;
}

size_t cs_diagnoses_worst(const cs_diagnosis *d, size_t n,
                          cs_figures_column column, bool largest)
{
    return n ? find_worst(&d->figures, n, sizeof *d, column, largest) : 0;
}
