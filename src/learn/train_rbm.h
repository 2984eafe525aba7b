/* Training of a restricted Boltzmann machine on binary images. */
#pragma once

#include "base/param.h"
#include "learn/images.h"
#include "learn/layers.h"

#include <stdbool.h>
#include <stdint.h>

/* Moves chains by the current parameters of the machine. v[visible][lanes] are
 * bits. `batch` is the number of this call, counted from 1. */
typedef void cs_learn_advance(void *self, const cs_layers *m, float *v,
                              size_t lanes, uint64_t batch);

/* Called after each batch. Batches and epochs are numbered from 1. `gap` is a
 * mean over the batches of the epoch so far: the mean log p of the data minus
 * the mean log p of the chains. Returning false ends the training. */
typedef bool cs_learn_report(void *self, size_t epoch, size_t batch,
                             size_t batches, double gap);

enum {
    CS_LEARN_HIDDEN,
    CS_LEARN_K,
    CS_LEARN_CHAINS,
    CS_LEARN_EPOCHS,
    CS_LEARN_BATCH,
    CS_LEARN_RATE,
    CS_LEARN_RATE_DECAY,
    CS_LEARN_SEED,
    CS_LEARN_PARAMS
};
extern const cs_param cs_learn_params[CS_LEARN_PARAMS];

typedef struct cs_learn_spec {
    const cs_images *images; /* a pixel above 127 becomes 1 [borrowed] */
    double value[CS_LEARN_PARAMS];
    cs_learn_advance *advance; /* NULL: k steps of block Gibbs are used */
    void *advance_self;
    cs_learn_report *report; /* OPTIONAL. Called after each batch. */
    void *report_self;
} cs_learn_spec;

/* Trains a machine. The result is *rows [own, cs_free], an array [hidden +
 * 1][pixels + 1]. The array contains 0, b_1, b_2, ..., then for each hidden
 * unit c_j, w_j1, w_j2, ...; the target `rbm` accepts it as input. The result
 * depends only on the images, the values, and the batch after which `report`
 * ended the training. */
cs_status cs_learn_rbm(const cs_learn_spec *spec, double **rows, cs_error *err);
