/* Finds the quantity that has the worst value in a column of a table. Every
 * search for the worst effective size or the worst R-hat of an arm uses these
 * functions. */
#pragma once

#include "stat/diagnostics.h"

#include <stdbool.h>

/* The columns of cs_figures, in the order of its members. */
typedef enum cs_figures_column {
    CS_COLUMN_MEAN,
    CS_COLUMN_SD,
    CS_COLUMN_RHAT,
    CS_COLUMN_BULK,
    CS_COLUMN_TAIL,
    CS_COLUMN_MCSE,
    CS_COLUMN_ESS,
    CS_COLUMN_MEDIAN,
    CS_COLUMN_MAD,
    CS_COLUMN_MCSE_SD,
    CS_COLUMN_MCSE_MEDIAN,
    CS_COLUMN_MCSE_MAD,
    CS_COLUMN_ESS_SD,
    CS_COLUMN_ESS_MEDIAN,
    CS_COLUMNS
} cs_figures_column;

double cs_figures_value(const cs_figures *row, cs_figures_column column);

/* Returns the index of the row with the largest (or smallest) value, and of the
 * first such row if there are several. NaN values are ignored; if all values
 * are NaN, returns n. */
size_t cs_figures_worst(const cs_figures *row, size_t n,
                        cs_figures_column column, bool largest);
/* Returns the largest (or smallest) value; NAN if all values are NaN. */
double cs_figures_extreme(const cs_figures *row, size_t n,
                          cs_figures_column column, bool largest);
/* Returns the index of the worst of the diagnoses d[n], as cs_figures_worst
 * does. */
size_t cs_diagnoses_worst(const cs_diagnosis *d, size_t n,
                          cs_figures_column column, bool largest);
