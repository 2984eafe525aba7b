/* Writes a run to a folder: a file of draws per chain (ARM_1.csv ...), a
 * checkpoint every few seconds, a summary at the end. */
#pragma once

#include "run/run.h"

typedef struct cs_record cs_record;

typedef struct cs_record_spec {
    const char *folder;
    uint64_t thin;           /* 0: 1, or as the checkpoint has it */
    bool save_warmup;        /* warm-ups are written too; false: or as the
                               checkpoint has it */
    bool resume;             /* go on from the folder's checkpoint */
    bool force;              /* write over what is there */
    const uint64_t *every;   /* seconds from one checkpoint to the next, NULL:
                               as long as it takes that they cost little */
    const char *const *part; /* [n_parts] folders of the parts that the run is
                                put together from; 0: it is not */
    size_t n_parts;
    const char *const *set; /* [n_set] "arm.param=value": what the run was
                               opened with */
    size_t n_set;
    const char *scenario; /* the name of its file, and the sum of its text */
    uint64_t scenario_sum;
} cs_record_spec;

/* Begins to record `run` [borrowed]. With `resume` the run is put where the
 * checkpoint is, and draws beyond it are cut off; a part of a run that has none
 * begins. */
cs_status cs_record_create(cs_record **out, cs_run *run,
                           const cs_record_spec *spec, cs_error *err);

/* Whether the resumed run was opened with this set before, and its name was not
 * set to another value since. */
bool cs_record_was_set(const cs_record *rec, const char *set);

/* Where it writes. [borrowed] */
const char *cs_record_folder(const cs_record *rec);

/* To be called after each quantum: returns the first error of writing since,
 * and writes a checkpoint when one is due. */
cs_status cs_record_tend(cs_record *rec, cs_run *run, cs_error *err);

/* Of a rank that follows (run/ranks.h): the first error of writing; and its part
 * of a checkpoint, when that is due. */
cs_status cs_record_failure(cs_record *rec, cs_error *err);
void cs_record_hand_in(cs_record *rec, cs_run *run);

/* To be called when a script was interrupted within a step, whose result is
 * wrong: cs_record_finish then writes no checkpoint. A NULL record is fine. */
void cs_record_tear(cs_record *rec);

/* Writes what is left, the checkpoint and the summary with the claims (NULL:
 * none); frees. A NULL record is fine. */
cs_status cs_record_finish(cs_record *rec, cs_run *run, const cs_flat *claims,
                           cs_error *err);
