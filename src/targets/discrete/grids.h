/* The graphs of lattice models: grids with open or periodic boundaries, or
 * given graphs, with couplings J on their bonds. */
#pragma once

#include "data/edges.h"
#include "target/target.h"

/* The first parameter rows of lattice models, in this order. */
enum {
    CS_GRID_ROWS,
    CS_GRID_COLS,
    CS_GRID_LAYERS,
    CS_GRID_PERIODIC,
    CS_GRID_COUPLING,
    CS_GRID_SEED,
    CS_GRID_FILE,
    CS_GRID_PARAMS
};

enum { CS_GRID_SITES = 1 << 20 /* maximum number of sites */ };

/* The choices of the parameter coupling. */
enum { CS_FERROMAGNET, CS_ANTIFERROMAGNET, CS_SIGNS, CS_NORMAL_BONDS };
extern const char *const cs_grid_couplings[]; /* ends with NULL */

/* clang-format off */
#define CS_GRID_SIDE(name_, def_, help_)                                       \
    {.name = name_, .kind = CS_PARAM_INT, .flags = CS_PARAM_FIXED, .min = 1,   \
     .max = CS_GRID_SITES, .def = def_, .help = help_}
#define CS_GRID_PARAM_ROWS                                                     \
    [CS_GRID_ROWS] = CS_GRID_SIDE("rows", 8, "rows of the grid"),              \
    [CS_GRID_COLS] = CS_GRID_SIDE("cols", 8,                                   \
        "columns of the grid; equal to rows by default"),                      \
    [CS_GRID_LAYERS] = {.name = "layers", .kind = CS_PARAM_INT,                \
        .flags = CS_PARAM_FIXED, .min = 1, .max = 1024, .def = 1,              \
        .help = "number of layers of the grid; more than 1 for a " \
                "three-dimensional grid"},       \
    [CS_GRID_PERIODIC] = {.name = "periodic", .kind = CS_PARAM_BOOL,           \
        .flags = CS_PARAM_FIXED, .min = 0, .max = 1, .def = 1,                 \
        .help = "true: opposite borders of the grid are joined (a torus)"},                           \
    [CS_GRID_COUPLING] = {.name = "coupling", .kind = CS_PARAM_CHOICE,         \
        .flags = CS_PARAM_FIXED, .max = 3, .choices = cs_grid_couplings,       \
        .help = "coupling J of the bonds. ferromagnet: 1; "                           \
                "antiferromagnet: -1; signs: random signs; normal: normal "    \
                "random numbers (signs and normal are spin glasses)"},                                     \
    [CS_GRID_SEED] = {.name = "seed", .kind = CS_PARAM_INT,                    \
        .flags = CS_PARAM_FIXED, .min = 0, .max = 1e9, .def = 1,               \
        .help = "seed of random couplings"},                                   \
    [CS_GRID_FILE] = {.name = "file", .kind = CS_PARAM_TEXT,                  \
        .flags = CS_PARAM_FIXED | CS_PARAM_PATH,                               \
        .help = "path of a file that contains a graph (G-set, Biq Mac or " \
                "DIMACS), instead of a grid; the weights of its edges are " \
                "the couplings J, unless `coupling` is given"}
/* clang-format on */

/* Sides of a grid. rows = 0 means that a graph is given instead. */
typedef struct cs_grid {
    size_t rows, cols, layers;
} cs_grid;

/* Returns the grid given by these parameters, and sets its bonds with weights
 * J. In a torus of two rows, two bonds join the two sites of a column. [own,
 * cs_edges_free] */
cs_status cs_grid_given(const char *target, const cs_value *values,
                        cs_grid *grid, cs_edges *bonds, cs_error *err);

/* Returns the bonds of a grid, all with weight 1. In a torus of two rows, bonds
 * between the rows occur twice in the list. [own, cs_edges_free] */
cs_status cs_grid_bonds(const char *target, const cs_grid *grid, bool periodic,
                        cs_edges *bonds, cs_error *err);

/* Writes the name of site i: "x.row.column". */
void cs_grid_name(const cs_grid *grid, size_t i, char *text, size_t size);

/* Returns the picture of a state: pixels for a grid, no picture for a given
 * graph. */
cs_picture cs_grid_picture(const cs_grid *grid);
