/* The table of an arm's diagnosed quantities: the log density, number 0, and
 * the coordinates. */
#pragma once

#include "figure/figure.h"
#include "stat/worst.h"

/* Returns the rows of all quantities. Returns NULL and sets *n = 0 if the facts
 * have no such table. */
const cs_figures *cs_quantity_table(const cs_facts *f, size_t arm, size_t *n);

/* Returns column `column` of quantity k for the chains of the sample. If
 * `alike` is true, uses equal draws for all quantities, as the table does.
 * Otherwise uses all steps if they are known. Returns NAN if there is no such
 * row, and sets f->err if the draws did not fit in memory. */
double cs_quantity_value(const cs_facts *f, size_t arm, size_t k,
                         cs_figures_column column, bool alike);

/* Returns true if some quantities of the table use all steps and others only
 * kept draws. No figure is then computed from several quantities. */
bool cs_quantities_mix(const cs_facts *f, size_t arm);
