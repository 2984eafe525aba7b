/* A run whose draws were made elsewhere and are read: its chains go where those
 * of the files went, a step a draw, so that all that looks at draws does so as
 * if they were made here. What it takes a kernel, a density or the work that was
 * done to know is not known. */
#pragma once

#include "run/run.h"

/* Draw i of a chain, from 0, into row[columns]. */
typedef enum cs_recorded_state {
    CS_RECORDED,       /* it is there */
    CS_RECORDED_ENDED, /* the chain has fewer draws, and will not have more */
    CS_RECORDED_UNREADABLE
} cs_recorded_state;
typedef cs_recorded_state cs_recorded_read(void *chain, uint64_t i,
                                           double *row);

typedef struct cs_recorded_arm {
    const char *name;          /* [copied] */
    const char *const *column; /* [columns] names as CmdStan's, lp__ first; of
                                  those that end in __ the sampler's figures are
                                  taken [copied] */
    size_t columns, chains;
    cs_recorded_read *read;
    void *const *of; /* [chains] the first arguments of `read`; they outlive the
                        run, the list need not */
} cs_recorded_arm;

/* A run of arm[n] on the variables that all of them have, in the order of the
 * first; fails where they share none. `model` names it. All draws are kept for
 * the figures, as where a run writes files. An arm goes no farther than is said
 * by cs_run_limit: nowhere at first. [own, cs_run_destroy] */
cs_status cs_recorded_open(cs_run **out, const cs_recorded_arm *arm, size_t n,
                           const char *model, uint64_t seed, cs_error *err);

/* Whether a run is such a one: then its work says nothing. */
bool cs_run_is_recorded(const cs_run *r);
