/* Pictures of states and of data sets: pixels, a graph or a tour. Several are
 * drawn side by side, each with a line of text above it. */
#pragma once

#include "race/shot.h"
#include "screen/canvas/graph_layout.h"
#include "screen/canvas/theme.h"
#include "screen/canvas/tiling.h"
#include "session/client/snapshot.h"
#include "target/target.h"

/* A validated cs_row_picture. */
typedef struct cs_field {
    size_t kind, rows, cols, layers, n, values;
    double low, high, first;
    bool classes;
    cs_graph_layout places;
} cs_field;

/* A picture and the line of text above it. */
typedef struct cs_picture_tile {
    cs_pixels pixels;
    /* was: the current state, if the tile shows a proposal */
    const double *tour, *was;
    char text[80];
    cs_role role;
    bool chosen;
} cs_picture_tile;

/* Finds the picture of states ("picture") or of data ("data"). Returns false if
 * the snapshot does not have this picture. */
bool cs_field_find(const cs_shot *s, const char *of, cs_field *out);

/* Returns level[n] [borrowed] as pixels. */
cs_pixels cs_field_pixels(const cs_field *p, const unsigned char *level);

/* Arranges n pictures in an area. */
cs_tiling cs_field_tiling(const cs_area *a, const cs_field *p, size_t n);

/* Draws tile i. */
void cs_field_draw(const cs_area *a, const cs_field *p, const cs_tiling *f,
                   const cs_picture_tile *t, size_t i);
