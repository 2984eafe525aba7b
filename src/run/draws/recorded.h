/* A run whose draws were made elsewhere and are read from files. Its chains
 * follow those of the files, a step per draw, so that all reports work as if
 * the draws were made here. Kernel, density and work are unknown. */
#pragma once

#include "run/arms/spec.h"

/* Reads draw i of a chain, from 0, to row[columns]. */
typedef enum cs_recorded_state {
    CS_RECORDED,       /* available */
    CS_RECORDED_ENDED, /* the chain has fewer draws, and will not get more */
    CS_RECORDED_UNREADABLE
} cs_recorded_state;
typedef cs_recorded_state cs_recorded_read(void *chain, uint64_t i,
                                           double *row);

typedef struct cs_recorded_arm {
    const char *name;          /* [copied] */
    const char *const *column; /* [columns] names as in CmdStan, lp__ first;
                                * names that end in __ are figures of the
                                * sampler [copied] */
    size_t columns, chains;
    cs_recorded_read *read;
    void *const *of; /* [chains] the first arguments of `read`; they outlive
                      * the run, the array need not */
} cs_recorded_arm;

/* True if the run is recorded: its work then means nothing. */
bool cs_run_is_recorded(const cs_run *r);

/* Creates the target of arm[n]: the variables that all of them have, in the
 * order of the first; fails if they share none. `model` names it. *out [own,
 * cs_target_release]; unchanged after a failure. */
cs_status cs_recorded_target(cs_target **out, const cs_recorded_arm *arm,
                             size_t n, const char *model, cs_error *err);
/* Returns the kernel that moves the chains of one of its arms from row to
 * row. */
cs_kernel cs_recorded_kernel(const cs_target *t, size_t arm);
