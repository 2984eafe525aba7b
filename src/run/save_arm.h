/* How an arm goes into the bytes of a saved run, and out of them. */
#pragma once

#include "chain/block.h"
#include "run/share.h"
#include "run/stream.h"

typedef struct cs_arm cs_arm;

/* The steps of the run, and of the arm that has come farthest. */
typedef struct cs_saved_pace {
    uint64_t steps, most;
    bool behind;   /* an arm may be behind the run: see cs_run_adopt ... */
    bool anew;     /* ... and its target another one, */
    size_t probes; /* whose probes had so many words a lane */
} cs_saved_pace;

typedef enum cs_saved_how {
    CS_SAVED_LOOK,  /* or write: nothing changes */
    CS_SAVED_LOAD,  /* the arm becomes what was saved */
    CS_SAVED_PLACE, /* but for its chains */
    CS_SAVED_FILL   /* its chains alone, of the stream's share */
} cs_saved_how;

/* What stands before the chains of an arm. */
typedef struct cs_saved_head {
    cs_block_work total;
    double seconds;        /* of CPU time */
    uint64_t steps;        /* made ... */
    uint64_t warmup;       /* ... of them of the warm-up, UINT64_MAX: all */
    bool finished;         /* its budget is spent, or no chain lives */
    uint64_t every, used;  /* steps between two draws that are kept; how many */
    uint64_t each, judged; /* the same of draws that are judged */
} cs_saved_head;

/* Reads or writes the chains of an arm that are of the stream's share. *head
 * (NULL: nobody asks) is what was read; with CS_SAVED_PLACE the work, the time
 * and the judged draws that the arm gets instead. */
cs_status cs_saved_arm(stream *s, cs_run *r, cs_arm *a, cs_saved_pace *all,
                       cs_saved_how how, cs_saved_head *head, cs_error *err);

/* The chains of the stream's share alone, from one run to the same at the same
 * step on another rank (run/ranks.h): their slabs, the draws that are kept and,
 * if so, judged, what a tuner at work remembers. */
cs_status cs_saved_chains(stream *s, cs_run *r, cs_arm *a, bool judged,
                          cs_error *err);

/* None of the rows that an arm keeps is a draw, until its chains are filled in:
 * those that stopped in a part which ended early have no more. */
void cs_saved_blank(cs_arm *a);
