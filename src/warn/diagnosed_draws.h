/* Input of the warnings found from the diagnosed draws of an arm. */
#pragma once

#include "base/page.h"
#include "stat/diagnostics.h"

enum { CS_WARN_NAME = 64 };

/* Labels whose values may be exchanged, and a vector of parameters, one for each
 * value, whose means have different orders in two chains. */
typedef struct cs_warn_labels {
    char labels[CS_WARN_NAME], vector[CS_WARN_NAME];
    size_t chain[2]; /* numbers of the chains, from 1 */
} cs_warn_labels;

/* The diagnoses of all scalars, and facts about their draws. */
typedef struct cs_warn_draws {
    const cs_diagnosis *d; /* [scalars] log p, then the quantities */
    size_t scalars;
    size_t chains, draws; /* draws: number of draws per chain */
    size_t failed, all;   /* number of failed chains; number of all chains */
    size_t failed_last;   /* number of the chain that failed last, from 1 */
    size_t stuck; /* number of a chain that never moved, from 1; 0: all moved */
    /* For the first scalar with draws that are not finite: the number of these
     * draws, and the number of chains that contain them. */
    size_t infinite, infinite_in;
    /* without: number of a chain that has no draws, from 1; most: number of
     * draws of the longest chain */
    size_t without, most;
    bool weighted;  /* the draws have weights; kish: ESS of the weights */
    bool real;      /* the state space is not discrete */
    bool constants; /* quantities may be constant: outputs or sites */
    const cs_warn_labels *labels; /* NULL: no sign of exchangeable labels */
    double kish;
    const char *no_logp; /* reason why log p is missing, or NULL */
    /* Writes the name of scalar k. */
    void (*name)(const void *self, size_t k, char name[CS_WARN_NAME]);
    const void *self;
} cs_warn_draws;

/* Differences between chains over all sites of a discrete state. */
typedef struct cs_sites {
    double alike; /* smallest p value times the number of sites; NAN: unknown */
    size_t least; /* index of the scalar with the smallest p value */
    double never; /* number of sites that never changed in any chain */
    double apart; /* number of constant sites that differ between chains */
} cs_sites;
cs_sites cs_sites_of(const cs_diagnosis *d, size_t scalars);
