/* Saves and loads an arm as a part of a saved run. */
#pragma once

#include "chain/block.h"
#include "run/arms/spec.h"
#include "run/saved_stream.h"

/* Options for saving or loading a run. */
typedef struct cs_saving {
    bool beside_files;  /* the draws are in files */
    double *lane_words; /* words of the chain being written or read [own] */
} cs_saving;

/* steps: number of steps of the run; most: number of steps of the arm with the
 * most steps. */
typedef struct cs_saved_pace {
    uint64_t steps, most;
    bool behind;   /* some arms may have fewer steps: see cs_run_transfer */
    bool anew;     /* the target was changed */
    size_t probes; /* words per lane of the earlier probes, if `anew` */
} cs_saved_pace;

typedef enum cs_saved_how {
    CS_SAVED_LOOK,  /* check, or write; changes nothing */
    CS_SAVED_LOAD,  /* replaces the arm by the saved arm */
    CS_SAVED_PLACE, /* replaces all except the chains */
    CS_SAVED_FILL   /* replaces only the chains in the stream's share */
} cs_saved_how;

/* The fields that precede the chains of an arm. */
typedef struct cs_saved_head {
    cs_block_work total;
    double seconds;       /* CPU time */
    uint64_t steps;       /* total steps */
    uint64_t warmup;      /* steps in the warm-up; UINT64_MAX: all steps */
    bool finished;        /* the budget is spent, or no chain lives */
    uint64_t every, used; /* steps between kept draws; number of kept draws */
    /* steps between diagnosed draws; number of diagnosed draws */
    uint64_t each, diagnosed;
} cs_saved_head;

/* Reads or writes the chains of an arm that are in the stream's share. If
 * `head` is not NULL, *head receives the head of the arm. With CS_SAVED_PLACE,
 * *head is an input: it supplies the arm's work, time and diagnosed draws. */
cs_status cs_saved_arm(stream *s, cs_run *r, cs_arm *a, cs_saved_pace *all,
                       cs_saved_how how, cs_saved_head *head, cs_error *err);

/* Copies the chains in the stream's share to the same run at the same step on
 * another rank (run/arms/world.h). Writes or reads their slabs, their kept
 * draws, the memory of a running tuner and, if `diagnosed` is true, their
 * diagnosed draws. */
cs_status cs_saved_chains(stream *s, cs_run *r, cs_arm *a, bool diagnosed,
                          cs_error *err);

/* Marks all kept rows of an arm as rows without a draw. Call it before the
 * arm's chains are filled in, since chains that stopped early in a part have
 * fewer rows. */
void cs_saved_blank(cs_arm *a);

/* Defined in save.c. */
/* Makes an arm equal to an arm of another run by saving and loading it. `anew`:
 * the target was changed, and the caller evaluates the changed target again.
 * After a failure the arm is unchanged. */
cs_status cs_arm_transfer(cs_run *r, cs_arm *a, cs_run *from, cs_arm *old,
                          bool anew, cs_error *err);
