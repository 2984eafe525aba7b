/* The stream of one chain, step and purpose as a gsl_rng, so that every
 * gsl_ran_* works on it: for cold code (start states, synthetic data). */
#ifndef CS_RNG_GSL_H
#define CS_RNG_GSL_H

#include "rng/stream.h"

#include <gsl/gsl_rng.h>

/* The generator type: Threefry2x64-20, sequential in its block counter.
 * gsl_rng_set(seed) is stream (seed, 0, 0, 0). */
extern const gsl_rng_type *const cs_gsl_threefry;

/* Moves `r` (made with cs_gsl_threefry) to the start of a stream. */
void cs_gsl_seek(gsl_rng *r, uint64_t seed, uint64_t chain, cs_purpose purpose,
                 uint64_t step);

#endif
