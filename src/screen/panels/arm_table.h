/* The table of arms: work done, cost and results. A row is an arm; its columns
 * are those for which some arm has a value, as far as there is room. */
#pragma once

#include "race/race.h"
#include "screen/panels/panel.h"

/* The width of the column of names. */
enum { CS_ARM_WIDTH = 13 };

/* The figures of an arm; NAN where not known. */
typedef struct cs_arm_row {
    const cs_shot *s;
    size_t arm;
    const cs_unit_row *unit; /* unit of work */
    const char *kernel;
    double chains, steps, accepted, rolling, r_hat, ess, gradients, densities;
    double ess_per_work, ess_per_second;
    double terms, terms_per_step; /* data terms; NAN: the target has no rows */
    double passes;                /* over the rows, per chain; NAN: no rows */
    double found, modes, distance, floor;
    double failed;  /* chains that failed; NAN: none */
    char which[32]; /* name of the distance */
} cs_arm_row;

cs_arm_row cs_arm_row_of(const cs_shot *s, size_t arm, cs_unit unit);

/* Returns the figures of an arm's scalars, log p first: [*rows]. NULL: none
 * yet. */
const cs_figures *cs_figures_of(const cs_shot *s, size_t arm, size_t *rows);

/* Returns the number of columns for which row[n] have a value. */
size_t cs_arm_table_columns(const cs_arm_row *row, size_t n);

/* Draws row[n], one line per arm; returns the number of lines used. */
int cs_arm_table_draw_wide(const cs_area *a, const cs_arm_row *row, size_t n,
                           size_t chosen);
/* The same with one column per arm, for a narrow panel: columns from `top`. */
void cs_arm_table_draw_tall(const cs_area *a, const cs_arm_row *row, size_t n,
                            size_t chosen, size_t top);
