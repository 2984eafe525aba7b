/* A learner that fits a model by contrastive divergence. The chains of an arm
 * estimate the model's expectation (see divergence.c). */
#pragma once

#include "kernel/kernel.h"
#include "learn/data_set.h"
#include "learn/optimiser.h"
#include "run/arms/learner.h"

/* Settings of a learner, as given by `learn` of an arm. */
typedef struct cs_divergence_spec {
    cs_data_set *train; /* data to learn from [held] */
    cs_data_set *test;  /* test data; NULL: none [held] */
    cs_optimiser optimiser;
    size_t batch;   /* number of rows per update */
    bool from_data; /* true: at each update chains start from the rows of the
                     * batch (contrastive divergence, CD); false: they continue
                     * from their last states (persistent CD, PCD) */
    bool as_made;   /* true: learning starts from the target's parameters;
                     * false: it starts from values computed from the data */
    size_t buffer;  /* number of states in the buffer; 0: no buffer */
    bool at_mean; /* true: states of the buffer start from independent bits that
                   * have the data's means; false: they start from rows of the
                   * data */
    double average;     /* decay of the running mean of the parameters; at the
                         * end this mean is evaluated and replaces the
                         * parameters. 0: no mean, so that the last parameters
                         * are kept */
    size_t judge_every; /* number of updates between evaluations; 0: evaluate
                           only at the end */
    size_t runs, temperatures; /* runs: number of annealing runs (0: no
                                * evaluation); temperatures: number of
                                * temperatures per run */
    size_t judge_rows;         /* largest number of rows used from each set; 0:
                                * all */
    cs_kernel annealer; /* kernel for annealing [its `self` is borrowed]; if its
                         * type is NULL, the model's own path is used */
} cs_divergence_spec;

/* Creates a learner with one holder. The learner is for cs_learner.self, with
 * the type cs_learns_by_divergence. */
typedef struct cs_divergence cs_divergence;
cs_status cs_divergence_create(cs_divergence **out,
                               const cs_divergence_spec *spec, cs_error *err);
extern const cs_learner_type cs_learns_by_divergence;

/* Pictures of the filters are strings of levels from 1 to CS_FILTER_LEVELS; the
 * middle level means 0. */
enum { CS_FILTER_LEVELS = 9, CS_FILTERS = 16 };
