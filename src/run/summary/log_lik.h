/* Quantities of the draws that hold parts of the log density: the log
 * likelihood of each observation, and the log prior. They are found by the
 * names that models give them here and in other programs. */
#pragma once

#include "run/arms/spec.h"
#include "run/draws/sample.h"
#include "stat/model_comparison.h"
#include "stat/power_scale.h"

enum { CS_PART_NAME = 208 };

/* Which quantities to use if the user names none. */
typedef enum cs_part_kind {
    CS_PART_LIKELIHOOD, /* log_lik, log_likelihood, log_likelihood_NAME */
    CS_PART_PRIOR       /* log_prior, lprior, log_prior_NAME */
} cs_part_kind;

/* The elements of a quantity, in order. */
typedef struct cs_part_quantities {
    size_t *scalar; /* [n] numbers of the quantities, from 1 [own: cs_free] */
    size_t n;
} cs_part_quantities;

/* Finds the quantity `name` of the target and its elements `name`.1 and so on.
 * If `name` is NULL, finds the quantity of this kind. If there are several
 * (log_likelihood_a and log_likelihood_b), returns all of them if `all` is
 * true, and fails otherwise. Returns CS_UNKNOWN if the target has no such
 * quantity. */
cs_status cs_part_find(const cs_target *t, cs_part_kind kind, const char *name,
                       bool all, cs_part_quantities *out, cs_error *err);

/* Leave-one-out results of the observations of an arm. */
typedef struct cs_run_loo {
    cs_part_quantities of;
    cs_loo *point; /* [of.n] [own] */
} cs_run_loo;

typedef struct cs_loo_ask {
    const char *name;            /* the quantity; NULL: the usual one */
    const cs_run_sample *sample; /* chains; NULL: all */
    /* the model was fitted without the observations, so that draws may have a
     * likelihood of 0, and only lpd and its error are used */
    bool left_out;
} cs_loo_ask;

/* Computes the results for each observation. Fails if the draws have weights, or
 * if a log likelihood is not finite (-infinity is allowed if left_out is true).
 * Call cs_run_loo_free afterwards, also after a failure. */
cs_status cs_run_loo_find(cs_run *r, size_t arm, const cs_loo_ask *ask,
                          cs_run_loo *out, cs_error *err);
void cs_run_loo_free(cs_run_loo *l);

/* The names of the components, and the power, of an analysis of sensitivity. */
typedef struct cs_power_ask {
    const char *prior, *likelihood; /* quantities; NULL: usual names */
    double alpha;                   /* above 1 */
    const cs_run_sample *sample;    /* chains; NULL: all */
    size_t only; /* number of the only quantity, from 1; 0: all quantities */
} cs_power_ask;

/* Sensitivities of the quantities of an arm to the powers of both components.
 * Constant quantities, and the components themselves, are left out. */
typedef struct cs_run_power {
    size_t *scalar;             /* [n] as in cs_part_quantities [own] */
    double *prior, *likelihood; /* [n] sensitivities [own] */
    size_t n;
    double k[2]; /* largest Pareto shapes, for the prior and the likelihood;
                  * NAN: not defined */
} cs_run_power;

cs_status cs_run_power_find(cs_run *r, size_t arm, const cs_power_ask *ask,
                            cs_run_power *out, cs_error *err);
void cs_run_power_free(cs_run_power *p);
