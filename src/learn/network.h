/* A feed-forward network of dense layers, trained by examples. Such networks
 * classify images (for example as digits), or learn to reproduce them.
 *
 *     a_0 = x,   a_l = max(0, W_l a_(l-1) + b_l),   y = W_L a_(L-1) + b_L
 *
 * in single precision. The result of training is determined by the seed; it is
 * the same on all instruction sets up to rounding. Cold; only cs_network_apply
 * is called while chains run. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_NETWORK_LAYERS = 6, CS_NETWORK_UNITS = 1 << 16 };

/* Layer l has unit[l] inputs and unit[l + 1] outputs. The shape of weight[l] is
 * [unit[l + 1]][stride(unit[l])], that of bias[l] is [unit[l + 1]]. */
typedef struct cs_network {
    size_t layers;
    size_t unit[CS_NETWORK_LAYERS + 1];
    size_t words;  /* number of all weights and biases together */
    float *number; /* [words] the weights and then the biases of each layer,
                      layer after layer [own] */
    float *weight[CS_NETWORK_LAYERS], *bias[CS_NETWORK_LAYERS];
} cs_network;

/* Returns the distance in floats between two rows of a layer's weights; the
 * padding is 0. */
static inline size_t cs_network_stride(size_t inputs)
{
    return (inputs + 15) / 16 * 16;
}

/* Creates a network. unit[n_units] are the numbers of units, layer by layer.
 * The weights are uniform between -sqrt(6 / inputs) and sqrt(6 / inputs) (He et
 * al. 2015), and the biases are 0. [own, cs_network_free] */
cs_status cs_network_create(cs_network *net, const size_t *unit, size_t n_units,
                            uint64_t seed, cs_error *err);
void cs_network_free(cs_network *net);

/* Examples for training. `read` writes the inputs of example number `row` to
 * x[first unit], and the wanted outputs of the example to y[last unit]. The
 * caller sets all elements of y to 0 before the call. */
typedef struct cs_examples {
    size_t n;
    void (*read)(const void *self, size_t row, float *x, float *y);
    const void *self;
} cs_examples;

typedef enum cs_loss {
    CS_LOSS_SQUARED, /* mean of (y - wanted)^2 over examples and outputs */
    CS_LOSS_ENTROPY  /* mean of -log softmax(y)[wanted] over examples */
} cs_loss;

typedef struct cs_training {
    cs_loss loss;
    size_t epochs, batch;
    double rate;   /* rate of Adam (Kingma and Ba 2015), with the usual
                      constants */
    uint64_t seed; /* seed of the order of the examples */
    /* OPTIONAL. Called after each epoch with the share of training that is done
     * and the loss of the epoch. Returning false stops the training. */
    bool (*go_on)(void *self, double done, double loss);
    void *self;
} cs_training;

/* Trains the network, starting from its current weights. Sets *loss (NULL
 * allowed) to the loss of the last epoch. Fails if memory runs out; fails with
 * CS_STOPPED if go_on returns false. */
cs_status cs_network_train(cs_network *net, const cs_examples *examples,
                           const cs_training *how, double *loss, cs_error *err);

/* Applies the network: computes y[n][outputs] from x[n][inputs]. */
cs_status cs_network_apply(const cs_network *net, const float *x, size_t n,
                           float *y, cs_error *err);

/* Returns the index of the largest of y[n]. */
size_t cs_network_class(const float *y, size_t n);

/* Write a network as text, and read such a text. The text consists of "network
 * 784 64 10", then a line for each unit of each layer. A line has the bias and
 * the weights of the unit, with `digits` significant digits [own, cs_free
 * *text]. The text is read from memory (`where` names the source in errors), or
 * from a file, which may be gzipped. */
cs_status cs_network_text(const cs_network *net, int digits, char **text,
                          cs_error *err);
cs_status cs_network_parse(cs_network *net, const char *text, size_t size,
                           const char *where, cs_error *err);
cs_status cs_network_read(cs_network *net, const char *path, cs_error *err);
