/* Resamples files of weighted draws to equally weighted draws, for programs
 * that do not support weights. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* A resampling job. Each file is a chain. The weights of a chain are scaled so
 * that their sum is the chain's number of draws. Therefore a constant added to
 * a chain's log weights has no effect. */
typedef struct cs_resample {
    const char *const *path; /* [files] files of one arm */
    size_t files;
    const char *out; /* path of the output, which must not exist */
    /* requested number of draws; 0: the effective sample size of the weights
     * (Kish) */
    uint64_t draws;
    uint64_t seed; /* seed of the only random number that is used */
    /* results: number of draws in the files */
    uint64_t had;
    double kish; /* effective sample size of the weights; NAN: all weights are
                  * 0 */
    char arm[208];
} cs_resample;

/* Resamples systematically (stat/weighted.h). With v = draws * w / (sum of the
 * weights), a row of weight w is written floor(v) or ceil(v) times. The rows
 * are written in the order of the files, without their log weights. Fails if a
 * file has no weights. */
cs_status cs_resample_files(cs_resample *job, cs_error *err);

/* Returns the random number that a resampling uses, in (0, 1). Nothing else
 * uses the stream of this number. */
double cs_resample_uniform(uint64_t seed, uint64_t step, uint64_t chain);
