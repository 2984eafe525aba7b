/* The six posteriors of W3. For each posterior there is a model in Lua, and one
 * program per peer. The programs have the same mathematics, the same data and
 * the same unconstrained parameters as the model. racers.c runs the
 * programs. */
#pragma once

#include "bench/models.h"

#include <stdbool.h>

typedef struct cs_bench_posterior {
    const char *id;
    /* model in Lua: a chunk that returns a log density, or a target on the
     * table in the file FILE */
    const cs_bench_model *model;
    const char *stan;
    const char *jags, *monitors; /* quantities that JAGS monitors */
    const char *emcee;           /* Python source that defines dim and f(x), for
                        * x[walkers][dim] */
} cs_bench_posterior;

enum { CS_BENCH_POSTERIORS = 6 };
extern const cs_bench_posterior cs_bench_posteriors[CS_BENCH_POSTERIORS];

/* A peer: its name, the program of a posterior, and a script (cs_bench_other)
 * that runs the program on the data. cs_bench_race_script defines three
 * variables before the script:
 *   seed   seed of the random numbers, from 1; the script makes 1000 steps
 *          of warm-up and 1000 draws, with four chains (emcee: with one
 *          ensemble, whose draws are thinned if they are many)
 *   data   file of R assignments
 *   out    file to which the script writes doubles: CPU seconds including the
 *          warm-up, gradients including those of the warm-up (NaN: not
 *          reported), chains, draws, columns, and the draws
 *          [columns][chains][draws], including log p (except for JAGS)
 * rstan keeps compiled models in the folder given by the environment variable
 * CS_BENCH_STAN. */
#define CS_BENCH_STAN "CHAINSCOPE_STAN"

/* The two measures: effective draws per second, and effective draws per
 * gradient. */
enum { CS_BENCH_MEASURES = 2 };

typedef struct cs_bench_racer {
    const char *name;
    const char *(*program)(const cs_bench_posterior *p);
    const char *assign; /* text between a name and its value, in R or Python */
    const char *script;
    const char *const *interpreter;
    double must[CS_BENCH_MEASURES]; /* required ratio of our value to the
                                     * peer's; NAN: not measured */
    bool bare;                      /* true: the peer does not report log p */
} cs_bench_racer;

enum { CS_BENCH_RACERS = 3 };
extern const cs_bench_racer cs_bench_racers[CS_BENCH_RACERS];

/* Writes the whole script into text[size]. */
void cs_bench_race_script(const cs_bench_racer *r, const cs_bench_posterior *p,
                          size_t seed, const char *data, const char *out,
                          char *text, size_t size);
