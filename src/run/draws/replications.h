/* Replicated data sets among the diagnosed draws (run/draws/diagnosed.h): a
 * generated quantity with one number per observation. Must not be called while
 * the run advances. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_run_replications {
    double *rep; /* [m][n] a replication per row, chain by chain [own] */
    size_t n, m;
    size_t chains;   /* chains of equal length that make up rep; 0: the lengths
                      * differ */
    size_t left_out; /* draws with numbers that are not finite, which are not
                      * in rep */
} cs_run_replications;

/* Copies quantities first .. first + n - 1 of at most `most` draws, chosen
 * evenly over the chains that did not fail. A weighted draw is chosen with a
 * probability proportional to its weight (systematic resampling). Fails
 * if the arm has no such draws. Call cs_run_replications_free afterwards, also
 * after a failure. */
cs_status cs_run_replications_copy(cs_run *r, size_t arm, size_t first,
                                   size_t n, size_t most,
                                   cs_run_replications *out, cs_error *err);
void cs_run_replications_free(cs_run_replications *p);
