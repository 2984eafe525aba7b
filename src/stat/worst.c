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

size_t cs_figures_worst(const cs_figures *row, size_t n,
                        cs_figures_column column, bool largest)
{
    size_t worst = n;
    double far = 0;
    for (size_t k = 0; k < n; k++) {
        double x = cs_figures_value(&row[k], column);
        bool worse = worst == n || (largest ? x > far : x < far);
        if (isnan(x) || !worse)
            continue;
        worst = k;
        far = x;
    }
    return worst;
}
