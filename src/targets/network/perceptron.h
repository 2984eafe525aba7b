/* Perceptrons with one hidden layer: their tables, and what is not hot of their
 * target. */
#pragma once

#include "simd/simd.h"
#include "target/target.h"

enum { CS_PERCEPTRON_ROWS = 8 /* that go forward and back together */ };

/* Rows of a table as the network sees them. */
typedef struct cs_perceptron_rows {
    size_t rows;
    double *x; /* [rows][inputs] [own] */
    double *y; /* [rows] the response, or the class from 0 [own] */
} cs_perceptron_rows;

typedef struct cs_perceptron {
    size_t inputs, hidden, outputs;
    size_t padded;       /* hidden, up to whole vectors */
    size_t classes;      /* 0: regression */
    bool relu;           /* else tanh */
    double precision;    /* of the prior */
    double rate;         /* of regression: 1 / sd^2 */
    double y_mean, y_sd; /* of the response as the table has it; of classes 0
                            and 1 */
    cs_perceptron_rows train, test;
} cs_perceptron;

/* The weights of one chain as passes read them: [inputs] of each hidden unit
 * and its bias, [1 + inputs][padded], then what each output takes of the units,
 * [outputs][padded], then the biases of the outputs. */
static inline size_t cs_perceptron_words(const cs_perceptron *m)
{
    return (m->inputs + 1 + m->outputs) * m->padded + cs_pad_lanes(m->outputs);
}

/* The rows of scratch: of each of eight lanes its weights and their gradient;
 * then of one tile of rows the units, what comes back to them, and outputs. */
static inline size_t cs_perceptron_scratch(const cs_perceptron *m)
{
    return 2 * cs_perceptron_words(m) + 2 * m->padded + 2 * m->outputs + 2;
}

/* The rows of the parameters. */
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

/* The functions of the target type that are not hot. */
cs_status cs_perceptron_create(cs_target *t, const cs_value *values,
                               cs_error *err);
void cs_perceptron_destroy(cs_target *t);
void cs_perceptron_coordinate(const cs_target *t, size_t i, char *text,
                              size_t size);
void cs_perceptron_start(const cs_target *t, const double *uniform, double *x);
