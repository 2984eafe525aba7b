/* What the diagnosed draws of an arm show. */
#pragma once

#include "base/page.h"
#include "stat/diagnostics.h"

enum { CS_WARN_NAME = 64 };

/* Diagnoses of all scalars, and what they are of. */
typedef struct cs_warn_draws {
    const cs_diagnosis *d; /* [scalars]: log p, then what is shown */
    size_t scalars;
    size_t chains, draws; /* draws per chain */
    size_t failed, all;   /* chains that failed, of all */
    size_t failed_last;   /* number of the chain that lived longest, from 1 */
    size_t stuck; /* number of a chain that never moved, from 1; 0: none */
    size_t infinite,
        infinite_in;      /* draws of the first scalar with such that are
                                     not finite; chains that have some */
    size_t without, most; /* a chain without draws; the most that one has */
    bool weighted;        /* draws have weights; kish: their effective number */
    bool real;            /* the space is not discrete */
    bool constants;       /* quantities may be constant: outputs or sites */
    double kish;
    const char *no_logp; /* the reason when the kernel has no log p */
    /* The name of scalar k. */
    void (*name)(const void *self, size_t k, char name[CS_WARN_NAME]);
    const void *self;
} cs_warn_draws;

/* The sites of a discrete state together. */
typedef struct cs_sites {
    double alike; /* smallest p value times their number; NAN: not known */
    size_t least; /* the scalar that has it */
    double never; /* sites that never changed in any chain */
    double apart; /* sites that change in no chain and differ between chains */
} cs_sites;
cs_sites cs_sites_of(const cs_diagnosis *d, size_t scalars);
