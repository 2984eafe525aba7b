/* Residual energy networks: what the hot part (energy_network.c) and the cold
 * part (energy_network_make.c) share. */
#pragma once

#include "base/param.h"
#include "target/target.h"

enum {
    CS_ENERGY_ROWS,
    CS_ENERGY_COLS,
    CS_ENERGY_LEVELS,
    CS_ENERGY_KIND,
    CS_ENERGY_CHANNELS,
    CS_ENERGY_BLOCKS,
    CS_ENERGY_HALVINGS,
    CS_ENERGY_GAIN,
    CS_ENERGY_SEED,
    CS_ENERGY_MEAN,
    CS_ENERGY_WEIGHTS,
    CS_ENERGY_FILE,
    CS_ENERGY_PARAMS
};

enum {
    CS_ENERGY_MOST_BLOCKS = 16,
    CS_ENERGY_MOST_LAYERS = 1 + 3 * CS_ENERGY_MOST_BLOCKS
};

/* One layer, from maps of rows x cols numbers to maps of to_rows x to_cols:
 *
 *     out[o][r][c] = bias[o] + sum over i, u, v of
 *         weight[o][i][u][v] in[i][step r + u - size / 2][step c + v - size / 2]
 *
 * with zeros beyond the edges. A dense layer is the case of maps of 1 x 1. */
typedef struct cs_convolution {
    size_t in, out; /* maps */
    size_t rows, cols, to_rows, to_cols;
    size_t size;        /* of the window, 1 or 3 */
    size_t step;        /* 1, or 2: every other row and column */
    size_t taps;        /* in size^2: the numbers of a row of `weight` */
    size_t first;       /* of its numbers: weight[out][taps], bias[out] */
    double *transposed; /* [taps][out] [own] */
} cs_convolution;

/* a = swish(first(x)),  y = swish(second(a) + shortcut(x)), the shortcut x
 * itself where the block keeps the size. */
typedef struct cs_energy_block {
    size_t first; /* this layer, then the second, then the shortcut */
    bool halves;  /* it has a shortcut, and maps of half the rows */
} cs_energy_block;

typedef struct cs_energy_network {
    size_t rows, cols; /* of the picture */
    double scale;      /* of a state: a pixel is scale x, 0 to 1 */
    cs_convolution layer[CS_ENERGY_MOST_LAYERS]; /* the one that enters, then
                           those of the blocks, in the order of their numbers */
    size_t layers;
    cs_energy_block block[CS_ENERGY_MOST_BLOCKS];
    size_t blocks;
    size_t channels;
    size_t last;    /* numbers of one of the last maps */
    size_t head;    /* where the weights of their means begin, [channels] */
    double *number; /* [numbers] all weights and biases [own] */
    size_t numbers;
    double *base;    /* [2][dim] log mass of bit 0 and of bit 1; of grey
                           values mean and 1 / (2 variance); NULL [own] */
    size_t widest;   /* the most numbers of a layer's values */
    size_t window;   /* the most numbers of a row of windows */
    size_t line;     /* and of a row of a layer's values */
    size_t values;   /* of all layers together */
    size_t picture;  /* the most numbers of all windows of a picture, each in
                           whole vectors */
    size_t products; /* and of a layer's weights, row by row so */
} cs_energy_network;

extern const cs_param cs_energy_network_params[CS_ENERGY_PARAMS];

/* The cold functions of the target type. */
cs_status cs_energy_network_create(cs_target *t, const cs_value *v,
                                   cs_error *err);
void cs_energy_network_destroy(cs_target *t);
cs_status cs_energy_network_copy(const cs_target *t, cs_target *to,
                                 cs_error *err);
bool cs_energy_network_filter(const cs_target *t, size_t i, double *out);
void cs_energy_network_coordinate(const cs_target *t, size_t i, char *text,
                                  size_t size);

/* Makes anew what follows from `number` and is kept beside it. */
void cs_energy_network_changed(cs_target *t);
