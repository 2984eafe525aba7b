/* Tables of binary networks, and the cold functions of the target. */
#pragma once

#include "target/target.h"

/* Number of rows that are evaluated together, and the stride between the
 * outputs of two units. The stride is not a power of two, because powers of two
 * cause cache conflicts. */
enum { CS_NET_BLOCK = 96, CS_NET_STRIDE = CS_NET_BLOCK + 2 };

/* Rows of a table for passes, padded to a multiple of 8 with rows of weight
 * 0. */
typedef struct cs_binary_rows {
    size_t rows, padded;
    void *x;        /* [padded / 8][inputs][8] doubles or floats [own] */
    double *y;      /* [padded] responses [own] */
    double *counts; /* [padded] 1, or 0 for padding rows [own] */
} cs_binary_rows;

typedef struct cs_binary {
    size_t inputs, hidden, padded; /* padded: hidden, rounded up to even */
    double scale;
    bool single; /* true: the network uses single precision */
    cs_binary_rows train, test;
} cs_binary;

/* Returns the number of groups of four into which the inputs of a unit and its
 * bias are divided. */
static inline size_t cs_binary_quads(const cs_binary *m)
{
    return (m->inputs + 4) / 4;
}

/* Returns the number of scratch rows that a pass needs (see
 * targets/network/binary_pass.h). */
static inline size_t cs_binary_scratch(const cs_binary *m)
{
    size_t unit = m->inputs + 2;
    return m->padded * unit + 1 + 2 * unit + 2 * CS_NET_BLOCK +
           CS_NET_STRIDE * m->padded + CS_NET_BLOCK * cs_binary_quads(m);
}

/* The parameter rows of the target binary_network. */
enum {
    CS_NET_FILE,
    CS_NET_HELD_OUT,
    CS_NET_WITHOUT,
    CS_NET_SHARE,
    CS_NET_THIN,
    CS_NET_HIDDEN,
    CS_NET_SCALE,
    CS_NET_STANDARDISE,
    CS_NET_PRECISION,
    CS_NET_INPUTS,
    CS_NET_ROWS,
    CS_NET_SEED
};

/* The cold functions of the target type. */
cs_status cs_binary_create(cs_target *t, const cs_value *values, cs_error *err);
void cs_binary_destroy(cs_target *t);
void cs_binary_coordinate(const cs_target *t, size_t i, char *text,
                          size_t size);
