/* The displayed quantities by parameter: names, kinds, marginal distributions. */
#pragma once

#include "race/shot.h"
#include "screen/canvas/canvas.h"

typedef struct cs_shown_kinds {
    const cs_row_shown *row; /* [n]; NULL: the parameters have no names */
    size_t n;
    const char *names; /* separated by blanks */
    /* [n_marginals][3 CS_QUANTILE_WORDS] quantiles of log p and the displayed
     * quantities; NULL: not known */
    const double *quantile;
    size_t n_marginals;
} cs_shown_kinds;

/* Reads the kinds from the snapshot, and the marginals of an arm. */
cs_shown_kinds cs_shown_find(const cs_shot *s, size_t arm);

/* Returns true if the state of this arm is displayed by parameter: the space has
 * parts of several kinds, or the kernel moves parts. */
bool cs_shown_by_part(const cs_shot *s, size_t arm);

/* Returns true if quantity i is a discrete coordinate. */
bool cs_shown_is_discrete(const cs_shown_kinds *k, size_t i);

/* Writes the name of quantity i; `whole`: the name of its parameter, "z" for
 * z.3. */
void cs_shown_name(const cs_shown_kinds *k, size_t i, bool whole, char *name,
                   size_t size);

/* The values to display. */
typedef struct cs_shown_state {
    const double *x;    /* [n] */
    const double *from; /* [n_from] the values before; NULL: not known */
    size_t n, n_from;
    size_t chosen; /* index of the chosen quantity */
} cs_shown_state;

/* Draws the quantities, a line per number and the elements of a vector of
 * discrete numbers in a row. If not all fit, the chosen one is among those that
 * are drawn. Returns the number of lines used. */
int cs_draw_shown(const cs_area *a, const cs_shown_kinds *k,
                  const cs_shown_state *s);

/* Returns the number of lines that cs_draw_shown needs in an area of `width`
 * columns. */
int cs_shown_lines(const cs_shown_kinds *k, const cs_shown_state *s, int width);
