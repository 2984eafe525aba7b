/* The grid of cells of the panel map: its fit to the known modes, and the mass
 * under its cells. */
#pragma once

#include "screen/panels/map_plane.h"

/* The cells over the plane, by columns from the left and rows from the top:
 * the start of each cell in bins of the plane (the last entry is the end of
 * the last cell), and the first bin that each cell overlaps. */
typedef struct cs_map_mesh {
    int w, h;
    double x[CS_CANVAS_MAX + 1], y[2 * CS_CANVAS_MAX + 1];
    size_t column[CS_CANVAS_MAX + 1], row[2 * CS_CANVAS_MAX + 1];
} cs_map_mesh;

/* Computes the cells from p->shown and p->cells. */
void cs_map_mesh_make(cs_map_mesh *m, const cs_map_plane *p);

/* cs_map_span returns the width (axis 0) or the height (axis 1) of the view.
 * The second function returns the sum of mass[rows][cols]. The third returns
 * the density in a bin with mass 1. */
double cs_map_span(const cs_map_plane *p, int axis);
double cs_map_total(const double *mass, const cs_map_plane *p);
double cs_map_density(const cs_map_plane *p);

/* Returns the mass per bin under a cell. Each bin contributes in proportion
 * to its part that the cell covers. Cells differ in size on a logarithmic
 * axis. */
double cs_map_level(const double *mass, const cs_map_plane *p,
                    const cs_map_mesh *m, int x, int y);

/* Both return a level of the cells as a share of the total mass.
 * cs_map_largest returns the largest level. cs_map_upper returns the level
 * that the cells with 9/10 of the mass do not exceed, so it does not depend
 * on a single chain that stays in one cell. */
double cs_map_largest(const cs_map_plane *p, const double *mass);
double cs_map_upper(const cs_map_plane *p, const double *mass);

/* Chooses the grid of an area, p->cells and p->zoom. Returns the part of the
 * area that the grid covers, at the left and the bottom. If possible each known
 * mode is in the middle of a cell. In this case cells can be larger than half a
 * character, and p->shown is extended to whole cells. Otherwise there is one
 * cell per half character. p->symbols is set if known modes do not look alike
 * in the grid, or if they are less than two characters apart. */
cs_area cs_map_fit(const cs_area *a, cs_map_plane *p);

/* Computes, for each mode, the share of the mass that is nearer to it than
 * to any other mode. */
void cs_map_shares(const cs_map_plane *p, const double *mass, double *share);
