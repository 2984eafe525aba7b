/* What the files of a learner by contrastive divergence share; nobody else
 * includes this. */
#pragma once

#include "learn/divergence.h"
#include "run/summary/learned_figures.h"

enum {
    CS_LEARN_LANES = 32, /* states that are looked at together */
    CS_LEARN_HALVES = 2, /* jobs of the data, and of the chains */
    CS_LEARN_JOBS = 2 * CS_LEARN_HALVES,
    CS_LEARN_SERIES = 512, /* rows kept of the way */
    CS_LEARN_JUDGED = 128  /* judgements kept */
};

struct cs_divergence {
    size_t holders;
    cs_divergence_spec spec;
    double independent, independent_error; /* of the rows judged of the test, or
                                              the data */
    double *base; /* [dim] log odds of the data's means */
};

/* What is remembered, before the optimiser's and the buffer's; all doubles. */
typedef struct cs_learn_memory {
    double refused;         /* updates whose gradient was not finite */
    double every, n, since; /* rows of the way: updates a row has, how many
                               rows; updates since the last */
    double data, chains;    /* summed energies since */
    double n_diagnosed;
    cs_learned_row row[CS_LEARN_SERIES];
    cs_judgement diagnosed[CS_LEARN_JUDGED];
} cs_learn_memory;

/* Scratch, laid out. */
typedef struct cs_learn_scratch {
    double *part[CS_LEARN_JOBS]; /* [n_learned] gradients */
    double *x;                   /* [jobs][dim][lanes] */
    double *scratch;             /* [jobs][slope_words][lanes] */
    double *logp, *weight;       /* [jobs][lanes] */
    double *energy;              /* [jobs] summed log densities */
    double *uniform;             /* [n_learned] */
    double *kept;  /* [n_learned] numbers while others are judged */
    double *order; /* [1 + rows] 1 + the epoch that it is of; the rows */
} cs_learn_scratch;

/* What numbers are drawn for. */
enum {
    CS_LEARN_ORDER,
    CS_LEARN_NUMBERS,
    CS_LEARN_STATES,
    CS_LEARN_BUFFER,
    CS_LEARN_ANNEALING
};
/* Uniform number k of an update. */
double cs_learn_uniform(const cs_learning *l, uint64_t what, uint64_t update,
                        uint64_t k);

/* The mean of the numbers, where one is kept. */
double *cs_learn_average(const cs_learning *l);

/* divergence_judge.c: judges the numbers, or their mean; `last`: that stays. */
void cs_learn_judge(const cs_learning *l, const cs_learn_scratch *r, bool last);

/* divergence_look.c */
void cs_learn_report(const cs_learning *l, const char *prefix, cs_flat *out);
void cs_learn_parts(const void *self, cs_page *p);
