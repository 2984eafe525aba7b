/* Tempered kernels for tests, and runs of them. */
#pragma once

#include "run/run.h"
#include "support/small.h"

/* A ladder around `inner` with these values for its parameters
 * [own: cs_kernel_release]. */
cs_kernel around(const cs_kernel_type *inner, const double *value, double rungs,
                 double hot, double period);

/* The same of a chain whose temperature changes, after `learn` steps by frozen
 * weights. */
cs_kernel wandering(const cs_kernel_type *inner, const double *value,
                    double rungs, double hot, double period, double learn);

/* Either, with the RUNGS temperatures of the present ladder given by hand, a
 * period of 1 and, if `log_weights` is not NULL, these. */
cs_kernel by_hand(const char *outer, const cs_kernel_type *inner,
                  const double *value, const double *log_weights);

/* A run of one arm on a target without parameters. */
cs_run *open_ladders(const cs_kernel *k, const cs_target_type *type,
                     size_t ladders, uint64_t seed);

/* Two bits of unequal masses; the same at an inverse temperature; that of the
 * rungs of the present ladder, which is a geometric row to HOTTEST unless other
 * temperatures are set; NULL sets it back. */
extern const cs_target_type small_pair;
points pair_at(double beta);
enum { RUNGS = 3, STATES = 4, LADDERS = 40 };
#define HOTTEST 9.0
double beta_of(size_t rung);
void set_ladder(const double *temperatures);
