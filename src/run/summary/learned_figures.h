/* The reports of learning as rows with named columns, and their summaries. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* A row under the key `way`, which describes the progress of learning. The
 * values are means since the previous row. */
typedef struct cs_learned_row {
    /* update: number of updates; data, chains: mean energies -log_density of
     * the data and of the chains */
    double update, data, chains;
} cs_learned_row;

/* A row under the key `judged`, which describes one evaluation. It contains
 * mean log likelihoods per row of data, and the standard errors of these means.
 * The standard errors include the error of log Z. */
typedef struct cs_judgement {
    /* below: mean of the log weights */
    double update, log_z, error, kish, below;
    double train, train_error, test, test_error; /* NAN: no test data */
} cs_judgement;

/* Write a line for the summary of an arm, or the JSON field ", \"learned\":
 * {...}" with the parameters updated, the energies of data and chains over
 * time, and each evaluation. Write nothing if the arm does not learn. */
void cs_learned_text(cs_run *run, size_t arm, cs_page *p);
void cs_learned_json(cs_run *run, size_t arm, cs_page *p);
