/* Resamples files of weighted draws to equally weighted draws, for programs
 * that do not support weights. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A resampling job. Every file is a chain, whose total weight is its number of
 * draws: a constant added to its log weights has no effect. */
typedef struct cs_resample {
    const char *const *path; /* [files] of one arm */
    size_t files;
    const char *out; /* a new file */
    uint64_t
        draws; /* requested; 0: the effective sample size of the weights (Kish) */
    uint64_t seed; /* seed of the single random number used */
    /* results */
    uint64_t had;
    double kish; /* effective sample size; NAN: all weights are 0 */
    char arm[208];
} cs_resample;

/* Resamples systematically (stat/weighted.h): a row of weight w is written
 * floor or ceil of draws w / sum w times, in the order of the files, without
 * its log weight. Files without weights are an error. */
cs_status cs_resample_files(cs_resample *job, cs_error *err);

/* Returns the random number of a resampling, in (0, 1), from a separate
 * stream. */
double cs_resample_uniform(uint64_t seed, uint64_t step, uint64_t chain);
