/* The table of arms: work done, cost and results. Each row is an arm. A column
 * is shown if some arm has a value in it and if it fits. */
#pragma once

#include "race/race.h"
#include "screen/panels/panel.h"

/* Width of the column of names. */
enum { CS_ARM_WIDTH = 13 };

/* The figures of an arm; NAN if not known. */
typedef struct cs_arm_row {
    const cs_shot *s;
    size_t arm;
    const cs_unit_row *unit; /* unit of work */
    const char *kernel;
    double chains, steps, accepted, rolling, r_hat, ess, gradients, densities;
    double ess_per_work, ess_per_second;
    /* number of data terms, in total and per step; NAN: the target has no rows
     * of data */
    double terms, terms_per_step;
    /* passes over the rows, per chain; NAN: no rows of data */
    double passes;
    double found, modes, distance, floor;
    double failed;  /* number of failed chains; NAN: none */
    char which[32]; /* name of the distance */
} cs_arm_row;

cs_arm_row cs_arm_row_of(const cs_shot *s, size_t arm, cs_unit unit);

/* Returns the figures of an arm's scalars as an array [*rows], log p first. If
 * the figures are not yet known, returns NULL. */
const cs_figures *cs_figures_of(const cs_shot *s, size_t arm, size_t *rows);

/* Returns the number of columns in which at least one of row[n] has a
 * value. */
size_t cs_arm_table_columns(const cs_arm_row *row, size_t n);

/* Draws row[n], one line per arm. Returns the number of lines used. */
int cs_arm_table_draw_wide(const cs_area *a, const cs_arm_row *row, size_t n,
                           size_t chosen);
/* Draws the table with one column per arm, from arm `top`, for a narrow
 * panel. */
void cs_arm_table_draw_tall(const cs_area *a, const cs_arm_row *row, size_t n,
                            size_t chosen, size_t top);
