/* Tables of perceptrons with one hidden layer, and the cold functions of the
 * target. */
#pragma once

#include "simd/simd.h"
#include "target/target.h"

enum { CS_PERCEPTRON_ROWS = 8 /* number of rows evaluated together */ };

/* Rows of a table as the network reads them. */
typedef struct cs_perceptron_rows {
    size_t rows;
    double *x; /* [rows][inputs] inputs of the rows [own] */
    double *y; /* [rows] the response, or the class from 0 [own] */
} cs_perceptron_rows;

typedef struct cs_perceptron {
    size_t inputs, hidden, outputs;
    size_t padded;       /* number of hidden units, padded to whole vectors */
    size_t classes;      /* number of classes; 0: regression */
    bool relu;           /* true: the activation is relu; false: tanh */
    double precision;    /* precision (1 / variance) of the prior */
    double rate;         /* for regression: 1 / noise^2 */
    double y_mean, y_sd; /* mean and standard deviation of the response in the
                            table; 0 and 1 for classes */
    cs_perceptron_rows train, test;
} cs_perceptron;

/* Returns the number of doubles that hold the weights of one chain. In the
 * layout of a pass they are, in this order: the input weights and the bias of
 * each hidden unit, [inputs + 1][padded]; the weights from the units to each
 * output, [outputs][padded]; the biases of the outputs. */
static inline size_t cs_perceptron_words(const cs_perceptron *m)
{
    return (m->inputs + 1 + m->outputs) * m->padded + cs_pad_lanes(m->outputs);
}

/* Returns the number of scratch rows. The scratch holds the weights of each of
 * eight lanes and their gradient; it also holds, for one tile of rows, the
 * units, their backpropagated errors, and the outputs. */
static inline size_t cs_perceptron_scratch(const cs_perceptron *m)
{
    return 2 * cs_perceptron_words(m) + 2 * m->padded + 2 * m->outputs + 2;
}

/* The parameter rows of the target perceptron. */
enum {
    CS_PERCEPTRON_FILE,
    CS_PERCEPTRON_HELD_OUT,
    CS_PERCEPTRON_TABLE,
    CS_PERCEPTRON_HELD_TABLE,
    CS_PERCEPTRON_CLASSES,
    CS_PERCEPTRON_HIDDEN,
    CS_PERCEPTRON_ACTIVATION,
    CS_PERCEPTRON_NOISE,
    CS_PERCEPTRON_PRECISION,
    CS_PERCEPTRON_STANDARDISE,
    CS_PERCEPTRON_INPUTS,
    CS_PERCEPTRON_RANDOM_ROWS,
    CS_PERCEPTRON_SEED,
    CS_PERCEPTRON_PARAMS
};
extern const cs_param cs_perceptron_params[CS_PERCEPTRON_PARAMS];

/* The cold functions of the target type. */
cs_status cs_perceptron_create(cs_target *t, const cs_value *values,
                               cs_error *err);
void cs_perceptron_destroy(cs_target *t);
void cs_perceptron_coordinate(const cs_target *t, size_t i, char *text,
                              size_t size);
void cs_perceptron_start(const cs_target *t, const double *uniform, double *x);
