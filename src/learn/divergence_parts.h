/* Declarations shared by the files of the contrastive divergence learner. Not
 * for other files. */
#pragma once

#include "learn/divergence.h"
#include "run/summary/learned_figures.h"

enum {
    CS_LEARN_LANES = 32, /* states that are evaluated together */
    CS_LEARN_HALVES = 2, /* jobs for the data, and for the chains */
    CS_LEARN_JOBS = 2 * CS_LEARN_HALVES,
    CS_LEARN_SERIES = 512, /* rows of the learning curve */
    CS_LEARN_JUDGED = 128  /* stored evaluations */
};

struct cs_divergence {
    size_t holders;
    cs_divergence_spec spec;
    double independent, independent_error; /* baseline: log likelihood per row
                                              of independent bits, on the test
                                              set or else on the data */
    double *base; /* [dim] log odds of the data's means */
};

/* The learner's memory, followed by the memory of the optimiser, the mean of
 * the parameters and the buffer. All are doubles. */
typedef struct cs_learn_memory {
    double refused;         /* updates skipped because their gradient was not
                               finite */
    double every, n, since; /* of the learning curve: updates per row, number of
                               rows, updates since the last row */
    double data, chains;    /* sums of the energies since the last row */
    double n_diagnosed;
    cs_learned_row row[CS_LEARN_SERIES];
    cs_judgement diagnosed[CS_LEARN_JUDGED];
} cs_learn_memory;

/* Arrays of the scratch memory. */
typedef struct cs_learn_scratch {
    double *part[CS_LEARN_JOBS]; /* [n_learned] gradients */
    double *x;                   /* [jobs][dim][lanes] */
    double *scratch;             /* [jobs][slope_words][lanes] */
    double *logp, *weight;       /* [jobs][lanes] */
    double *energy;              /* [jobs] part of minus the mean log density */
    double *uniform;             /* [n_learned] */
    double *kept;  /* [n_learned] the parameters, saved while their mean is
                      evaluated */
    double *order; /* [1 + rows] 1 + the epoch of this order, then the row
                      numbers */
} cs_learn_scratch;

/* Purposes of the learner's random numbers. */
enum {
    CS_LEARN_ORDER,
    CS_LEARN_NUMBERS,
    CS_LEARN_STATES,
    CS_LEARN_BUFFER,
    CS_LEARN_ANNEALING
};
/* Returns uniform number k for a purpose at an update. */
double cs_learn_uniform(const cs_learning *l, uint64_t what, uint64_t update,
                        uint64_t k);

/* Returns the running mean of the parameters, if it is kept. */
double *cs_learn_average(const cs_learning *l);

/* In divergence_judge.c: evaluates the parameters, or their running mean. With
 * `last` the running mean replaces the parameters. */
void cs_learn_judge(const cs_learning *l, const cs_learn_scratch *r, bool last);

/* Defined in divergence_look.c. */
void cs_learn_report(const cs_learning *l, const char *prefix, cs_flat *out);
void cs_learn_parts(const void *self, cs_page *p);
