/* Learning a restricted Boltzmann machine from binary images. */
#pragma once

#include "base/param.h"
#include "learn/images.h"
#include "learn/layers.h"

#include <stdbool.h>
#include <stdint.h>

/* A way to move chains of the machine as it stands. v[visible][lanes], bits;
 * `batch` counts the calls, from 1. */
typedef void cs_learn_advance(void *self, const cs_layers *m, float *v,
                              size_t lanes, uint64_t batch);

/* After each of the batches of an epoch, the first batch of the first epoch
 * being 1 of 1: the mean of log p over the data less that over the chains in the
 * epoch so far. False ends the training. */
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
    const cs_images *images; /* a pixel above 127 is 1 [borrowed] */
    double value[CS_LEARN_PARAMS];
    cs_learn_advance *advance; /* NULL: block Gibbs, k times */
    void *advance_self;
    cs_learn_report *report; /* OPTIONAL */
    void *report_self;
} cs_learn_spec;

/* *rows [own, cs_free] = [hidden + 1][pixels + 1]: 0, b_1, b_2, ..., then for
 * each hidden unit c_j, w_j1, w_j2, ...: what the target `rbm` takes. The
 * result is a function of the images and the values, and of the batch after
 * which the report ended it. */
cs_status cs_learn_rbm(const cs_learn_spec *spec, double **rows, cs_error *err);
