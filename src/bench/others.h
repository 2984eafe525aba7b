/* Programs of others as peers, where they are installed. Each runs as a child,
 * on one thread, a small script written for it, and prints its results as
 * lines of a word and a number: seconds, steps, gradients, ess. */
#pragma once

#include "base/status.h"
#include "bench/row.h"

/* NAN: it did not say. */
typedef struct cs_bench_reported {
    double seconds;   /* CPU, or one thread with a processor of its own */
    double steps;     /* of every chain: see its script */
    double gradients; /* of one chain */
    double ess;       /* effective draws of what has the fewest */
    double compile;   /* seconds of a compiler before all that */
} cs_bench_reported;

/* The script is given to the first interpreter that runs it to a good end: one
 * that lacks a library does not. */
typedef struct cs_bench_other {
    const char *name, *script;
    const char *const *interpreter; /* names or paths, NULL last */
} cs_bench_other;

/* B01: 64 chains of a random walk on N(0, I), d = 10; steps of a chain. */
extern const cs_bench_other cs_bench_emcee;
/* B05: DMALA on a Boltzmann machine 784 x 500; steps of 100 chains. */
extern const cs_bench_other cs_bench_torch;
/* B15: an epoch of 3000 images, contrastive divergence on such a machine by one
 * and by ten steps of block Gibbs; steps are epochs. */
extern const cs_bench_other cs_bench_torch_cd1, cs_bench_torch_cd10;
/* B10: a logistic regression of 1000 rows of ten numbers; gradients, ess. */
extern const cs_bench_other cs_bench_rstan;
extern const cs_bench_other cs_bench_jags; /* ess */

/* What is compared: a row of the bench, and of which of the numbers told it is
 * the seconds of one. */
typedef struct cs_bench_beside {
    const char *id, *title, *unit;
    double scale; /* of the unit, to a second */
    size_t field; /* offsetof(cs_bench_reported, ...) */
    double must;  /* the ratio */
} cs_bench_beside;

/* Runs it and reads its output. Returns false if it is missing or printed no
 * seconds. */
bool cs_bench_consult(const cs_bench_other *other, cs_bench_reported *reported);

/* Prints the row of our seconds beside the other's; `told` NULL: of ours, and
 * that the other is not here. */
void cs_bench_print_beside(const cs_bench_beside *row,
                           const cs_bench_other *other, double ours,
                           const cs_bench_reported *reported,
                           const cs_bench_plan *plan);
