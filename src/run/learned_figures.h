/* What is reported of learning: rows whose columns have names, and what
 * summaries say of them. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* A row of `way`, what is kept of the way: means since the row before. */
typedef struct cs_learned_row {
    double update, data, chains; /* energies, -log_density */
} cs_learned_row;

/* A row of `judged`, one judgement: log likelihoods per row with their standard
 * errors, the error of log Z in them. */
typedef struct cs_judgement {
    double update, log_z, error, kish, below;    /* below: the mean of the
                                                 logarithms of the weights */
    double train, train_error, test, test_error; /* NAN: there is no test */
} cs_judgement;

/* A line of the summary of an arm; ", \"learned\": {...}" with what was updated,
 * the energies of data and chains on the way, and each judgement. Nothing where it
 * does not learn. */
void cs_learned_text(cs_run *run, size_t arm, cs_page *p);
void cs_learned_json(cs_run *run, size_t arm, cs_page *p);
