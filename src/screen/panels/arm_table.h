/* The table of arms: what each has done, what it cost, what it found. A row is an
 * arm; its columns are what the arms have something to say of, as many as there is
 * room for. */
#pragma once

#include "figure/race.h"
#include "screen/panels/panel.h"

/* A figure as text, "-" where it is not known; warn: it is bad. */
typedef struct cs_figure_text {
    char text[32];
    bool warn;
} cs_figure_text;

cs_figure_text cs_figure_number(double v); /* short: 12.3k */
cs_figure_text cs_figure_rate(double v);   /* three digits: 0.123 */

/* The width of the column of names. */
enum { CS_ARM_WIDTH = 13 };

/* What is known of an arm; NAN: it is not. */
typedef struct cs_arm_row {
    const cs_shot *s;
    size_t arm;
    const cs_unit_row *unit; /* of work */
    double work;             /* of all chains in it */
    double chains, steps, accepted, rolling, r_hat, ess, gradients, densities;
    double terms;  /* data terms */
    double passes; /* over the rows, of a chain; NAN: there are none */
    double seconds, found, modes, distance, floor, failed;
    char which[32]; /* distance it is */
} cs_arm_row;

cs_arm_row cs_arm_row_of(const cs_shot *s, size_t arm, cs_unit unit);

/* The figures of an arm's scalars, of log p first: [*rows]. NULL: none yet. */
const cs_figures *cs_figures_of(const cs_shot *s, size_t arm, size_t *rows);

/* How many columns row[n] have something to say in. */
size_t cs_arm_table_columns(const cs_arm_row *row, size_t n);

/* Draws row[n], an arm a line; returns the lines used. */
int cs_arm_table_draw_wide(const cs_area *a, const cs_arm_row *row, size_t n,
                           size_t chosen);
/* The same, an arm a column, for a narrow panel: columns from `top` on. */
void cs_arm_table_draw_tall(const cs_area *a, const cs_arm_row *row, size_t n,
                            size_t chosen, size_t top);
