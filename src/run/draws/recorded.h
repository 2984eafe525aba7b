/* A run whose draws are read from files. The files are written, or were
 * written, by another process, which may run Chainscope or another program.
 * Each step reads one draw, so all reports work as in other runs. The kernel,
 * the density and the work are unknown. */
#pragma once

#include "run/arms/spec.h"

/* Result of reading draw i (from 0) of a chain to row[columns]. */
typedef enum cs_recorded_state {
    CS_RECORDED,       /* the draw was read */
    CS_RECORDED_ENDED, /* the chain has ended and will get no more draws */
    CS_RECORDED_UNREADABLE
} cs_recorded_state;
typedef cs_recorded_state cs_recorded_read(void *chain, uint64_t i,
                                           double *row);

typedef struct cs_recorded_arm {
    const char *name; /* [copied] */
    /* [columns] names as in CmdStan, lp__ first; names ending in __ are
     * sampler columns [copied] */
    const char *const *column;
    size_t columns, chains;
    cs_recorded_read *read;
    /* [chains] first arguments of `read`. The objects must exist as long as the
     * run; the array is copied */
    void *const *of;
} cs_recorded_arm;

/* Returns true if the draws of the run are read from files. The work of such a
 * run is meaningless. */
bool cs_run_is_recorded(const cs_run *r);

/* Creates the target of arm[n] from the variables that all arms have, in the
 * order of the first arm. Fails if no variable is common to all arms. `model`
 * is the target's name. *out is [own, cs_target_release]; after a failure *out
 * is unchanged. */
cs_status cs_recorded_target(cs_target **out, const cs_recorded_arm *arm,
                             size_t n, const char *model, cs_error *err);
/* Returns the kernel that moves the chains of an arm to the next row. */
cs_kernel cs_recorded_kernel(const cs_target *t, size_t arm);
