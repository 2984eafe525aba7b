/* Declarations that the files of the contrastive divergence learner share.
 * Other files must not use them. */
#pragma once

#include "learn/divergence.h"
#include "run/summary/learned_figures.h"

enum {
    CS_LEARN_LANES = 32, /* number of states that are evaluated together */
    CS_LEARN_HALVES = 2, /* number of jobs for the data, and also number of jobs
                          * for the chains */
    CS_LEARN_JOBS = 2 * CS_LEARN_HALVES,
    CS_LEARN_SERIES = 512, /* number of rows of the learning curve */
    CS_LEARN_JUDGED = 128  /* number of evaluations that are stored */
};

struct cs_divergence {
    size_t holders;
    cs_divergence_spec spec;
    double independent, independent_error; /* baseline: log likelihood per row
                                            * under independent bits, and its
                                            * standard error, on the test set
                                            * (or on the data if there is no
                                            * test set) */
    double *base; /* [dim] log odds of the bits, from the means of the data */
};

/* The learner's memory. In memory, it is followed by the memory of the
 * optimiser, the mean of the parameters and the buffer. All of these are
 * doubles. */
typedef struct cs_learn_memory {
    double refused;         /* updates skipped because their gradient was not
                               finite */
    double every, n, since; /* the learning curve. every: number of updates
                             * per row; n: number of rows; since: number of
                             * updates since the last row */
    double data, chains;    /* sums of the energies since the last row */
    double n_judged;
    cs_learned_row row[CS_LEARN_SERIES];
    cs_judgement judged[CS_LEARN_JUDGED];
} cs_learn_memory;

/* Arrays of the scratch memory. */
typedef struct cs_learn_scratch {
    double *part[CS_LEARN_JOBS]; /* [n_learned] gradients of each job */
    double *x;                   /* [jobs][dim][lanes] states */
    double *scratch;             /* [jobs][slope_words][lanes] scratch of the
                                    model */
    double *logp, *weight;       /* [jobs][lanes] log densities and weights of
                                    the states */
    double *energy;              /* [jobs] the part of each job in minus the
                                  * mean log density */
    double *uniform;             /* [n_learned] uniforms for initial
                                    parameters */
    double *kept;  /* [n_learned] the parameters, saved while their mean is
                      evaluated */
    double *order; /* [1 + rows] first 1 + the number of the epoch that has
                    * this order, then the row numbers */
} cs_learn_scratch;

/* Purposes of the learner's random numbers. */
enum {
    CS_LEARN_ORDER,
    CS_LEARN_NUMBERS,
    CS_LEARN_STATES,
    CS_LEARN_BUFFER,
    CS_LEARN_ANNEALING
};
/* Returns uniform random number k of update number `update` for the purpose
 * `what`. */
double cs_learn_uniform(const cs_learning *l, uint64_t what, uint64_t update,
                        uint64_t k);

/* Returns the running mean of the parameters, if it is kept. */
double *cs_learn_average(const cs_learning *l);

/* Evaluates the running mean of the parameters, or the parameters if no mean is
 * kept. If `last` is true, the running mean then replaces the parameters.
 * Defined in divergence_judge.c. */
void cs_learn_judge(const cs_learning *l, const cs_learn_scratch *r, bool last);

/* Write the report and the fingerprint of a learner. Defined in
 * divergence_look.c. */
void cs_learn_report(const cs_learning *l, const char *prefix, cs_flat *out);
void cs_learn_parts(const void *self, cs_page *p);
