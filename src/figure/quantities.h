/* The table of an arm's diagnosed quantities: the log density, number 0, and the
 * coordinates. */
#pragma once

#include "figure/figure.h"
#include "stat/worst.h"

/* The rows of all quantities; NULL, and *n = 0, where there are none. */
const cs_figures *cs_quantity_table(const cs_facts *f, size_t arm, size_t *n);

/* Column `column` of quantity k of the chains that count. With `alike` it is of the
 * same draws as those of all other quantities, as in the table; else of all steps
 * wherever they are known. NAN where there is no such row; f->err is filled in
 * where memory did not hold its draws. */
double cs_quantity_value(const cs_facts *f, size_t arm, size_t k,
                         cs_figures_column column, bool alike);

/* Whether some quantities of the table are of all steps and others of kept draws:
 * then no figure is found from several of them. */
bool cs_quantities_mix(const cs_facts *f, size_t arm);
