/* The plane of two coordinates in the panel map, and the marks drawn over
 * it. */
#pragma once

#include "screen/panels/panel.h"

typedef struct cs_map_plane {
    const double *counts, *truth;
    const cs_row_view *view;
    size_t rows, cols;
    size_t axis[2];
    const double *modes; /* [n_modes][dim], modes of the target, or NULL */
    size_t n_modes, dim;
    cs_scale shown[2]; /* displayed range of each axis */
    /* grid of the picture (cs_map_fit). cells: number of cells per axis, on
     * the vertical axis two per line; zoom: columns or half lines that each
     * cell covers */
    int cells[2], zoom[2];
    bool symbols; /* known modes are distorted or touch: draw them as symbols */
} cs_map_plane;

/* Finds the plane of an arm. Returns false if the plane is not recorded. */
bool cs_map_find(const cs_shot *s, size_t arm, cs_map_plane *p);

/* Returns the position of v in the displayed range of an axis, from 0 to 1. */
double cs_map_share(const cs_scale *s, double v);

/* Finds the cell of a point. Returns false if the point is outside the
 * displayed range. */
bool cs_map_cell(const cs_area *a, const cs_map_plane *p, const double *x,
                 int *at);

/* Draws a mark over the colour of a cell's upper or lower half. */
void cs_map_over(const cs_area *a, const int *at, bool lower, cs_role role,
                 unsigned glyph);

/* Writes the name of a coordinate, counted from 0. */
void cs_map_axis_name(const cs_shot *s, size_t axis, char *out, size_t size);

/* Marks the draws whose trajectory diverged. For each chain only the newest
 * of these draws are known. */
void cs_map_divergent(const cs_area *a, const cs_shot *s, const cs_map_plane *p,
                      size_t arm);

/* Draws the chosen chain, if it belongs to this arm: its newest steps, its
 * state (@) and the preview of the next step. */
void cs_map_chain(const cs_area *a, const cs_shot *s, const cs_map_plane *p,
                  size_t arm);
