/* B11: a program from its start to its end. */
#ifndef CS_BENCH_START_H
#define CS_BENCH_START_H

#include <stdbool.h>
#include <stddef.h>

/* Runs this program `rounds` times on a scenario of one line that makes one
 * draw: the median wall time in milliseconds and the largest resident set in
 * MB, front and session (but never less than the caller's own). False when it
 * could not be run. */
bool cs_bench_start(size_t rounds, double *milliseconds, double *megabytes);

#endif
