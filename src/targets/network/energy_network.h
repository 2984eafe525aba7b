/* Residual energy networks: declarations shared by the hot part
 * (energy_network.c) and the cold part (energy_network_make.c). */
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

/* A layer, from maps of rows x cols numbers to maps of to_rows x to_cols:
 *
 *     out[o][r][c] = bias[o] + sum over i, u, v of
 *       weight[o][i][u][v] in[i][step r + u - size / 2][step c + v - size / 2]
 *
 * with zeros beyond the edges. A dense layer has maps of 1 x 1. */
typedef struct cs_convolution {
    size_t in, out; /* in: number of input maps; out: number of output maps */
    size_t rows, cols, to_rows, to_cols;
    size_t size;        /* side of the window, 1 or 3 */
    size_t step;        /* stride: 1, or 2 to use every other row and column */
    size_t taps;        /* in * size^2: length of a row of `weight` */
    size_t first;       /* index in `number` of the layer's weights,
                           weight[out][taps]; then comes bias[out] */
    double *transposed; /* [taps][out] transpose of the weights [own] */
} cs_convolution;

/* A residual block: a = swish(first(x)), y = swish(second(a) + shortcut(x)). If
 * the block does not change the size, the shortcut is the identity. */
typedef struct cs_energy_block {
    size_t first; /* index of the first layer; the second layer and the shortcut
                   * layer follow */
    bool halves;  /* true: the block halves rows and columns, and has a shortcut
                     layer */
} cs_energy_block;

typedef struct cs_energy_network {
    size_t rows, cols; /* size of the image in pixels */
    double scale;      /* factor from the coordinates of a state to pixels,
                        * which are from 0 to 1 */
    cs_convolution layer[CS_ENERGY_MOST_LAYERS]; /* the input layer, then the
                                                    layers of the blocks, in the
                                                    order of their weights */
    size_t layers;
    cs_energy_block block[CS_ENERGY_MOST_BLOCKS];
    size_t blocks;
    size_t channels;
    size_t last;    /* number of values in a map of the last layer */
    size_t head;    /* index of the output weights, [channels] */
    double *number; /* [numbers] all weights and biases [own] */
    size_t numbers;
    double *base;    /* [2][dim] for bits: log mass of bit 0 and of bit 1; for
                        grey values: mean and 1 / (2 variance); NULL: no base
                        measure [own] */
    size_t widest;   /* largest number of values in a layer */
    size_t window;   /* largest number of values in the windows of one row */
    size_t line;     /* largest number of values in a row of a layer */
    size_t values;   /* total number of values in all layers */
    size_t picture;  /* largest total size of a layer's windows, each padded to
                        whole vectors */
    size_t products; /* largest size of a layer's weights, each row padded to
                        whole vectors */
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

/* Computes the tables that depend on `number`. */
void cs_energy_network_changed(cs_target *t);
