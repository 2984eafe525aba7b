/* Small data models whose states can be enumerated, for tests of exact
 * draws. */
#pragma once

#include "targets/intractable/binary_field.h"
#include "targets/intractable/edge_field.h"
#include "targets/intractable/potts_field.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SMALL_DATA = 10, SMALL_STATES = 1024, SMALL_THETA = 3 };

typedef enum small_shape {
    PATH,
    CYCLE,
    TRIANGLE,
    GRID,
    STAR,
    COMPLETE,
    TWICE, /* two sites joined by two bonds, and a third site */
    SHAPES
} small_shape;

typedef enum small_kind { SPINS, BITS, POTTS, EDGES } small_kind;

typedef struct small_model {
    small_kind kind;
    small_shape shape; /* unused for EDGES */
    size_t vertices;   /* number of vertices for EDGES */
    size_t parameters, values;
    double theta[SMALL_THETA];
} small_model;

/* The last entry has parameters = 0. */
extern const small_model small_models[];

/* A model that is open. [own: small_close] */
typedef struct small_open {
    small_model m;
    cs_site_graph graph;
    cs_binary_field bits;
    cs_potts_field potts;
    cs_edge_field edges;
    uint8_t pair[SMALL_DATA][2];
    size_t n_data, bins;
    cs_past_model exact, sweep; /* with a given instruction set */
    double p[SMALL_STATES];     /* probability of each bin; sums to 1 */
    bool whole;                 /* each bin contains one state */
    char name[64];
} small_open;
void small_open_model(small_open *s, const small_model *m, int level);
void small_close(small_open *s);

/* Returns the bin of the data y[i * stride]. */
size_t small_bin(const small_open *s, const double *y, size_t stride);

/* Returns log f(theta, y). */
double small_log_f(const small_open *s, const double *y);

/* Returns the p-value of a chi-square test of count[bins]. Bins with an
 * expected count below five are pooled. */
double small_chi_square(const double *count, const double *p, size_t bins);
