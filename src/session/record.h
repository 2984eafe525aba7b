/* A run on its way to a folder: a file of draws per chain (ARM_1.csv ...), a
 * checkpoint every few seconds, a summary at the end. */
#ifndef CS_SESSION_RECORD_H
#define CS_SESSION_RECORD_H

#include "run/run.h"

typedef struct cs_record cs_record;

typedef struct cs_record_spec {
    const char *folder;
    uint64_t thin;          /* 0: 1, or as the checkpoint has it */
    bool resume;            /* go on from the folder's checkpoint */
    bool force;             /* write over what is there */
    const char *const *set; /* [n_set] "arm.param=value": what the run was
                               opened with */
    size_t n_set;
} cs_record_spec;

/* Begins to record `run` [borrowed]. With `resume` the run is put where the
 * checkpoint is, and draws beyond it are cut off. */
cs_status cs_record_create(cs_record **out, cs_run *run,
                           const cs_record_spec *spec, cs_error *err);

/* Whether the resumed run has been opened with this set before, the last time
 * that its name was set: then it has been done. */
bool cs_record_was_set(const cs_record *rec, const char *set);

/* Where it writes. [borrowed] */
const char *cs_record_folder(const cs_record *rec);

/* After each quantum: tells what went wrong since, keeps a checkpoint when
 * one is due. */
cs_status cs_record_tend(cs_record *rec, cs_run *run, cs_error *err);

/* The run has lost a step (a script was torn out of it): the checkpoint that
 * is there stays the last. NULL is fine. */
void cs_record_tear(cs_record *rec);

/* Writes what is left, the checkpoint and the summary with the claims (NULL:
 * none); frees. A NULL record is fine. */
cs_status cs_record_finish(cs_record *rec, cs_run *run, const cs_flat *claims,
                           cs_error *err);

#endif
