/* The plane of two coordinates as the panel map shows it, and what is drawn over
 * it. */
#pragma once

#include "screen/panels/panel.h"

typedef struct cs_map_plane {
    const double *counts, *truth;
    const cs_row_view *view;
    size_t rows, cols;
    size_t axis[2];
    const double *modes; /* [n_modes][dim] of the target, or NULL */
    size_t n_modes, dim;
    cs_scale shown[2]; /* of the axes: what of the view is shown */
} cs_map_plane;

/* The share 0 .. 1 of what is shown of an axis at which v stands. */
double cs_map_share(const cs_scale *s, double v);

/* The cell of a point, false when it is outside. */
bool cs_map_cell(const cs_area *a, const cs_map_plane *p, const double *x,
                 int *at);

/* A mark on the colour that is there: of a cell's upper or its lower half. */
void cs_map_over(const cs_area *a, const int *at, bool lower, cs_role role,
                 unsigned glyph);

/* The name of a coordinate, from 0. */
void cs_map_axis_name(const cs_shot *s, size_t axis, char *out, size_t size);

/* Draws whose trajectory diverged, the newest of each chain. */
void cs_map_divergent(const cs_area *a, const cs_shot *s, const cs_map_plane *p,
                      size_t arm);

/* The chosen chain, if it is of this arm: its newest steps, where it is (@), the
 * step to come. (map_chain.c, as the two below and the three above) */
void cs_map_chain(const cs_area *a, const cs_shot *s, const cs_map_plane *p,
                  size_t arm);

/* Whether there are marks to be explained, and what they mean, in a line. */
bool cs_map_has_marks(const cs_shot *s, const cs_map_plane *p, size_t arm);
void cs_map_tell_marks(const cs_area *a, const cs_shot *s,
                       const cs_map_plane *p, size_t arm);
