/* Files of weighted draws made into one of draws that count alike: what
 * programs read that know no weights. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Every file is a chain: whatever constant its log weights are off by, it
 * counts as many draws as it has. */
typedef struct cs_resample {
    const char *const *path; /* [files] of one arm */
    size_t files;
    const char *out; /* is not yet there */
    uint64_t draws;  /* wanted; 0: as many as the weights leave (Kish) */
    uint64_t seed;   /* of the one random number that is drawn */
    /* found */
    uint64_t had;
    double kish; /* NAN: no draw has weight */
    char arm[208];
} cs_resample;

/* By systematic resampling (stat/weighted.h): a row of weight w is written
 * floor or ceil of draws w / sum w times, in the order of the files, without
 * its log weight. Draws that have none are an error. */
cs_status cs_resample_files(cs_resample *job, cs_error *err);

/* The random number of a resampling, in (0, 1): a stream of its own. */
double cs_resample_uniform(uint64_t seed, uint64_t step, uint64_t chain);
