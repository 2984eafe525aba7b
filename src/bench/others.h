/* Other programs as peers, if they are installed. Each program runs as a child
 * process on one thread, with a small script that is written for this program.
 * The script prints its results in lines. Each line consists of a word
 * (seconds, steps, gradients, ess) and a number. */
#pragma once

#include "base/status.h"
#include "bench/row.h"

/* Results of a peer. A result is NAN if the peer does not report it. */
typedef struct cs_bench_reported {
    double seconds;   /* CPU seconds, or wall seconds of one thread that has a
                       * processor of its own */
    double steps;     /* number of steps, defined for each peer below */
    double gradients; /* number of gradients that one chain computed */
    double ess;       /* effective draws of the quantity with the fewest
                       * effective draws */
    double compile;   /* seconds that a compiler needs before the run */
} cs_bench_reported;

/* A peer. Its script is given to the interpreters in order, until one of them
 * runs the script without an error. (An interpreter fails if a required library
 * is missing.) */
typedef struct cs_bench_other {
    const char *name, *script;
    const char *const *interpreter; /* names or paths, NULL last */
} cs_bench_other;

/* B01: random walk on N(0, I), d = 10, 64 chains. `steps` counts steps of one
 * chain. */
extern const cs_bench_other cs_bench_emcee;
/* B05: DMALA on a Boltzmann machine, 784 x 500. `steps` counts steps of all 100
 * chains. */
extern const cs_bench_other cs_bench_torch;
/* B15: an epoch of contrastive divergence with 3000 images, on the same machine
 * as B05, with one or with ten steps of block Gibbs. `steps` counts epochs. */
extern const cs_bench_other cs_bench_torch_cd1, cs_bench_torch_cd10;
/* B10: logistic regression with 1000 rows of ten numbers; reports gradients and
 * ess. */
extern const cs_bench_other cs_bench_rstan;
extern const cs_bench_other cs_bench_jags; /* B10, like rstan; reports ess */

/* A comparison of a row of the bench with a peer. The peer's seconds are
 * divided by one field of the peer's results, for example its number of
 * steps. */
typedef struct cs_bench_beside {
    const char *id, *title, *unit;
    double scale; /* factor from the unit to seconds */
    size_t field; /* offset of the field, offsetof(cs_bench_reported, ...) */
    double must;  /* required ratio */
} cs_bench_beside;

/* Runs the peer and reads its output. Returns false if it is missing or printed
 * no seconds. */
bool cs_bench_consult(const cs_bench_other *other, cs_bench_reported *reported);

/* Prints a row with our seconds and the peer's seconds. If `reported` is NULL,
 * prints only our seconds, and a note that the peer is not installed. */
void cs_bench_print_beside(const cs_bench_beside *row,
                           const cs_bench_other *other, double ours,
                           const cs_bench_reported *reported,
                           const cs_bench_plan *plan);
