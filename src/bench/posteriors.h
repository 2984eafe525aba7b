/* The six posteriors of W3: each as a model in Lua, and as a program of others
 * by its mathematics, of the same numbers and the same unconstrained
 * parameters; and what runs those programs (racers.c). */
#pragma once

#include "bench/models.h"

#include <stdbool.h>

typedef struct cs_bench_posterior {
    const char *id;
    /* Its chunk in Lua returns a log density, or a target on the table in the
     * file FILE. */
    const cs_bench_model *model;
    const char *stan;
    const char *jags, *monitors; /* what it monitors */
    const char *emcee; /* dim, and f(x) of x[walkers][dim] in Python */
} cs_bench_posterior;

enum { CS_BENCH_POSTERIORS = 6 };
extern const cs_bench_posterior cs_bench_posteriors[CS_BENCH_POSTERIORS];

/* A peer: its name, the program of a posterior, and a script of cs_bench_other
 * that runs it on the data, from what cs_bench_race_script puts before it:
 *   seed   of its random numbers, from 1; it makes 1000 steps of warm-up and
 *          1000 draws, of four chains (emcee: of an ensemble, and keeps one of
 *          some where they are many);
 *   data   a file of assignments of R;
 *   out    where it writes doubles: seconds of CPU with the warm-up, gradients
 *          with those of the warm-up (NaN: it does not tell), chains, draws,
 *          columns, and the draws [columns][chains][draws], log p among them
 *          (but for JAGS).
 * rstan keeps what it has compiled in the folder CS_BENCH_STAN, a variable of
 * the environment. */
#define CS_BENCH_STAN "CHAINSCOPE_STAN"

/* Effective draws of a second, of a gradient. */
enum { CS_BENCH_MEASURES = 2 };

typedef struct cs_bench_racer {
    const char *name;
    const char *(*program)(const cs_bench_posterior *p);
    const char *assign; /* between a name and its value: R, Python */
    const char *script;
    const char *const *interpreter;
    double must[CS_BENCH_MEASURES]; /* ours over its; NAN: not measured */
    bool bare;                      /* it does not tell log p */
} cs_bench_racer;

enum { CS_BENCH_RACERS = 3 };
extern const cs_bench_racer cs_bench_racers[CS_BENCH_RACERS];

/* The whole script into text[size]. */
void cs_bench_race_script(const cs_bench_racer *r, const cs_bench_posterior *p,
                          size_t seed, const char *data, const char *out,
                          char *text, size_t size);
