/* Optimisers for gradient ascent on learned parameters. A type consists of
 * rows, which define its parameters, and of a step function. Rates may be
 * schedules of the update number. */
#pragma once

#include "base/param.h"
#include "schedule/schedule.h"
#include "simd/variants.h"

enum { CS_OPTIMISER_ROWS = 4, CS_OPTIMISER_RATE = 0 };

/* Parameters x[n], their gradient g[n], and the optimiser's memory, which
 * consists of arrays of [n] numbers. The parameters ascend along the
 * gradient. */
typedef struct cs_ascent {
    const double *value; /* values of the type's parameters */
    double rate;         /* rate of this update, from the schedule */
    double update;       /* number of this update, from 1 */
    size_t n;
    double *x, *memory[2];
    const double *g;
} cs_ascent;

typedef struct cs_optimiser_type {
    const char *name, *title, *ref, *help;
    const cs_param
        *params; /* the first row is `rate`, whose schedule counts updates */
    size_t n_params;
    size_t memories; /* number of arrays in the optimiser's memory, each with
                        one number per learned parameter */
    size_t step;     /* index of the type's step function in cs_optimiser_ops */
} cs_optimiser_type;

typedef struct cs_optimiser {
    const cs_optimiser_type *type;
    double value[CS_OPTIMISER_ROWS];
    bool falls; /* true: the rate follows a schedule */
    cs_schedule rate;
} cs_optimiser;

/* The inner loops, one set for each instruction set. */
enum { CS_ASCENT_SGD, CS_ASCENT_MOMENTUM, CS_ASCENT_ADAM, CS_ASCENTS };
typedef struct cs_optimiser_ops {
    void (*step[CS_ASCENTS])(const cs_ascent *a);
    /* Computes to[n], the sum over k of part[k][n]. Returns true if all sums
     * are finite. */
    bool (*sum)(double *const *part, size_t parts, size_t first, size_t n,
                double *to);
    /* Updates a running mean: mean[n] = decay mean + (1 - decay) x. */
    void (*follow)(const double *x, double decay, size_t n, double *mean);
} cs_optimiser_ops;
CS_DECLARE_VARIANTS(cs_optimiser_ops, cs_optimiser_hot)
const cs_optimiser_ops *cs_optimiser_best(void);

const cs_optimiser_type *cs_optimiser_find(const char *name);
const cs_optimiser_type *cs_optimiser_at(size_t i); /* returns NULL after the
                                                       last type */

/* Checks the given values, and sets up an optimiser of `type` from them. */
cs_status cs_optimiser_init(cs_optimiser *o, const cs_optimiser_type *type,
                            const cs_value *given, size_t n_given,
                            cs_error *err);

/* Returns the rate of update number `update`, counted from 1; the rate is at
 * least 0. */
double cs_optimiser_rate(const cs_optimiser *o, uint64_t update);
