/* Learning a model by contrastive divergence, with the chains of an arm for the
 * model's expectation: see divergence.c. */
#pragma once

#include "kernel/kernel.h"
#include "learn/data_set.h"
#include "learn/optimiser.h"
#include "run/learned_figures.h"
#include "run/learner.h"

/* What is learned, and how. Numbers as `learn` of an arm has them. */
typedef struct cs_divergence_spec {
    cs_data_set *train; /* [held] */
    cs_data_set *test;  /* [held] NULL: none */
    cs_optimiser optimiser;
    size_t batch;   /* rows of an update */
    bool from_data; /* chains begin each time at the rows of the batch (CD), or
                       go on from where they were (PCD) */
    bool as_made;   /* numbers begin as the target is, not where the data say */
    size_t
        buffer; /* states among which the chains' are kept, 0: none but them */
    bool at_mean; /* these begin at bits with the data's means, else at rows */
    double average; /* memory of the mean of the numbers that are judged, and
                       stay at the end; 0: the last ones */
    size_t judge_every;        /* updates; 0: at the end alone */
    size_t runs, temperatures; /* of annealing; runs 0: nothing is judged */
    size_t judge_rows;         /* of each set, at most; 0: all */
    cs_kernel annealer; /* what anneals [its self borrowed]; of no type: the
                           model's own path */
} cs_divergence_spec;

/* A learner with one holder, for cs_learner.self; type: cs_learns_by_divergence. */
typedef struct cs_divergence cs_divergence;
cs_status cs_divergence_create(cs_divergence **out,
                               const cs_divergence_spec *spec, cs_error *err);
extern const cs_learner_type cs_learns_by_divergence;

/* Pictures of the numbers, as texts of levels 1 to CS_FILTER_LEVELS, the middle
 * one 0. */
enum { CS_FILTER_LEVELS = 9, CS_FILTERS = 16 };
