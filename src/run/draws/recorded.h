/* A run whose draws were made elsewhere and are read: its chains go where those
 * of the files went, a step a draw, so that all that looks at draws does so as
 * if they were made here. What it takes a kernel, a density or the work that was
 * done to know is not known. */
#pragma once

#include "run/arms/spec.h"

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

/* Whether a run is such a one: then its work says nothing. */
bool cs_run_is_recorded(const cs_run *r);

/* The target of arm[n]: the variables that all of them have, in the order of the
 * first; fails where they share none. `model` names it. *out [own,
 * cs_target_release]; nothing after a failure. */
cs_status cs_recorded_target(cs_target **out, const cs_recorded_arm *arm,
                             size_t n, const char *model, cs_error *err);
/* What moves the chains of one of its arms from row to row. */
cs_kernel cs_recorded_kernel(const cs_target *t, size_t arm);
