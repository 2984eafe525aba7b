/* Saving and loading an arm as bytes of a saved run. */
#pragma once

#include "chain/block.h"
#include "run/arms/spec.h"
#include "run/saved_stream.h"

/* How a run is being saved or loaded. */
typedef struct cs_saving {
    bool beside_files;  /* its draws are in files */
    double *lane_words; /* one chain being written or read [own] */
} cs_saving;

/* The step of the run, and of the arm with the most steps. */
typedef struct cs_saved_pace {
    uint64_t steps, most;
    bool behind;   /* an arm may be late: see cs_run_transfer */
    bool anew;     /* its target was changed, */
    size_t probes; /* and its probes had this many words per lane */
} cs_saved_pace;

typedef enum cs_saved_how {
    CS_SAVED_LOOK,  /* check, or write: nothing changes */
    CS_SAVED_LOAD,  /* replaces the arm by the saved one */
    CS_SAVED_PLACE, /* all but its chains */
    CS_SAVED_FILL   /* only its chains, of the stream's share */
} cs_saved_how;

/* The fields before the chains of an arm. */
typedef struct cs_saved_head {
    cs_block_work total;
    double seconds;           /* CPU time */
    uint64_t steps;           /* total */
    uint64_t warmup;          /* of which in the warm-up; UINT64_MAX: all */
    bool finished;            /* the budget is spent, or no chain lives */
    uint64_t every, used;     /* steps between kept draws; their number */
    uint64_t each, diagnosed; /* the same for diagnosed draws */
} cs_saved_head;

/* Reads or writes the chains of an arm in the stream's share. *head (may be
 * NULL) receives what was read; with CS_SAVED_PLACE it supplies the arm's work,
 * time and diagnosed draws instead. */
cs_status cs_saved_arm(stream *s, cs_run *r, cs_arm *a, cs_saved_pace *all,
                       cs_saved_how how, cs_saved_head *head, cs_error *err);

/* Transfers the chains of the stream's share from one run to the same run at
 * the same step on another rank (run/arms/world.h): their slabs, the kept and,
 * if `judged`, the diagnosed draws, and a running tuner's memory. */
cs_status cs_saved_chains(stream *s, cs_run *r, cs_arm *a, bool diagnosed,
                          cs_error *err);

/* Marks all kept rows of an arm as no draws, before its chains are filled in:
 * chains that stopped in a part that ended early have no more. */
void cs_saved_blank(cs_arm *a);

/* save.c */
/* Makes an arm equal to one of another run by saving and loading it. `anew`:
 * the target was changed, and the caller refreshes its blocks. A failure leaves
 * the arm unchanged. */
cs_status cs_arm_transfer(cs_run *r, cs_arm *a, cs_run *from, cs_arm *old,
                          bool anew, cs_error *err);
