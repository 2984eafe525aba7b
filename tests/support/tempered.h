/* Tempered kernels for tests, and runs of them. */
#pragma once

#include "run/arms/spec.h"
#include "support/small.h"

/* Creates parallel tempering around `inner` with the parameter values `value`.
 * [own: cs_kernel_release] */
cs_kernel around(const cs_kernel_type *inner, const double *value, double rungs,
                 double hot, double period);

/* Creates simulated tempering around `inner`. The weights of the temperatures
 * are frozen after `learn` steps. */
cs_kernel wandering(const cs_kernel_type *inner, const double *value,
                    double rungs, double hot, double period, double learn);

/* Creates the wrapper `outer` with the RUNGS temperatures of the current
 * ladder, a period of 1, and the log weights `log_weights`. If `log_weights` is
 * NULL, this parameter is not given. */
cs_kernel by_hand(const char *outer, const cs_kernel_type *inner,
                  const double *value, const double *log_weights);

/* Opens a run of one arm on a target without parameters. */
cs_run *open_ladders(const cs_kernel *k, const cs_target_type *type,
                     size_t ladders, uint64_t seed);

/* Two bits with unequal probabilities. */
extern const cs_target_type small_pair;
/* Returns the points of small_pair at an inverse temperature. */
points pair_at(double beta);
enum { RUNGS = 3, STATES = 4, LADDERS = 40 };
#define HOTTEST 9.0
/* Returns the inverse temperature of a rung in the current ladder. */
double beta_of(size_t rung);
/* Sets the temperatures of the ladder; NULL restores the default, a geometric
 * sequence up to HOTTEST. */
void set_ladder(const double *temperatures);
