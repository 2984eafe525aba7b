#include "figure/quantity_table.h"

#include <math.h>

const cs_figures *cs_quantity_table(const cs_facts *f, size_t arm, size_t *n)
{
    return CS_FACT_ROWS(f, arm, cs_figures, n, "diagnostics/table");
}

/* Finds the diagnosis of quantity k for the chains of the sample. Falls back to
 * the table of all chains. */
static const cs_figures *row_of(const cs_facts *f, size_t arm, size_t k,
                                bool alike)
{
    size_t n;
    const cs_figures *row =
        CS_FACT_ROWS(f, arm, cs_figures, &n, "%s/%zu",
                     alike ? "quantity_alike" : "quantity", k);
    if (row)
        return row;
    row = cs_quantity_table(f, arm, &n);
    return row && k < n ? &row[k] : NULL;
}

double cs_quantity_value(const cs_facts *f, size_t arm, size_t k,
                         cs_figures_column column, bool alike)
{
    const cs_figures *row = row_of(f, arm, k, alike);
    if (row)
        return cs_figures_value(row, column);
    if (k > 0 && row_of(f, arm, 0, false)) {
        cs_fail(f->err, CS_RANGE,
                "the draws of coordinate %zu did not fit in memory", k);
        cs_hint(f->err, "use fewer chains");
    }
    return (double)NAN;
}

bool cs_quantities_mix(const cs_facts *f, size_t arm)
{
    size_t n;
    double known = cs_fact(f, arm, 0, "diagnostics/known");
    return cs_fact(f, arm, 1, "diagnostics/whole") == 0 && known > 0 &&
           cs_quantity_table(f, arm, &n) && known < (double)n;
}
