/* Reports of learning: rows with named columns, and their summaries. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* A row of `way`, the progress of learning: means since the previous row. */
typedef struct cs_learned_row {
    double update, data, chains; /* energies, -log_density */
} cs_learned_row;

/* A row of `judged`, one evaluation: log likelihoods per row with their
 * standard errors, which include the error of log Z. */
typedef struct cs_judgement {
    double update, log_z, error, kish, below;    /* below: mean of the
                                                  * logarithms of the weights */
    double train, train_error, test, test_error; /* NAN: no test data */
} cs_judgement;

/* Writes a line for the summary of an arm; the JSON version writes ",
 * \"learned\": {...}" with the parameters updated, the energies of data and
 * chains over time, and each evaluation. Nothing if the arm does not learn. */
void cs_learned_text(cs_run *run, size_t arm, cs_page *p);
void cs_learned_json(cs_run *run, size_t arm, cs_page *p);
