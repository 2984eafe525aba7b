/* The quantity of a table that is the worst by one of its columns: the only place
 * where the worst effective size, or R-hat, of an arm is looked for. */
#pragma once

#include "stat/diagnostics.h"

#include <stdbool.h>

/* The columns of cs_figures, in their order. */
typedef enum cs_figures_column {
    CS_COLUMN_MEAN,
    CS_COLUMN_SD,
    CS_COLUMN_RHAT,
    CS_COLUMN_BULK,
    CS_COLUMN_TAIL,
    CS_COLUMN_MCSE,
    CS_COLUMN_ESS,
    CS_COLUMNS
} cs_figures_column;

double cs_figures_value(const cs_figures *row, cs_figures_column column);

/* The first of row[n] whose value is the largest (else the smallest) of those that
 * are numbers; n: none is. */
size_t cs_figures_worst(const cs_figures *row, size_t n,
                        cs_figures_column column, bool largest);
/* Its value; NAN: none is a number. */
double cs_figures_extreme(const cs_figures *row, size_t n,
                          cs_figures_column column, bool largest);
/* The same of the rows in d[n]. */
size_t cs_diagnoses_worst(const cs_diagnosis *d, size_t n,
                          cs_figures_column column, bool largest);
