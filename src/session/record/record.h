/* Writes a run to a folder: a file of draws per chain (ARM_1.csv ...), a
 * checkpoint every few seconds, a summary at the end. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_record cs_record;

typedef struct cs_record_spec {
    const char *folder;
    uint64_t thin;           /* 0: 1, or the checkpoint's value */
    bool save_warmup;        /* also write warm-up states; false: the
                                checkpoint's value */
    bool resume;             /* resume from the folder's checkpoint */
    bool force;              /* overwrite existing files */
    const uint64_t *every;   /* s between checkpoints; NULL: chosen so that they
                                cost little */
    const char *const *part; /* [n_parts] folders of the parts to merge; 0:
                                none */
    size_t n_parts;
    const char *const *set; /* [n_set] "arm.param=value": sets the run was
                               opened with */
    size_t n_set;
    const char *scenario; /* scenario: file name, and checksum of its text */
    uint64_t scenario_sum;
} cs_record_spec;

/* Begins to record `run` [borrowed]. With `resume` the run is loaded from the
 * checkpoint, and later draws are truncated; a part without a checkpoint starts
 * from the beginning. */
cs_status cs_record_create(cs_record **out, cs_run *run,
                           const cs_record_spec *spec, cs_error *err);

/* True if the resumed run was opened with this set before and the name was not
 * set to another value since. */
bool cs_record_was_set(const cs_record *rec, const char *set);

/* Fails while draws are written: their files cannot be rewound. A NULL record
 * is accepted. */
cs_status cs_record_none(const cs_record *rec, cs_error *err);

/* Returns the output folder. [borrowed] */
const char *cs_record_folder(const cs_record *rec);

/* Call after each quantum. Returns the first write error since the last call,
 * and writes a checkpoint when one is due. */
cs_status cs_record_tend(cs_record *rec, cs_run *run, cs_error *err);

/* For a following rank (run/arms/world.h): returns the first write error, and
 * contributes its part of a checkpoint when one is due. */
cs_status cs_record_failure(cs_record *rec, cs_error *err);
void cs_record_gather(cs_record *rec, cs_run *run);

/* Call when a script was interrupted within a step, whose result is invalid:
 * cs_record_finish then writes no checkpoint. A NULL record is accepted. */
void cs_record_tear(cs_record *rec);

/* Writes the remaining draws, the checkpoint, and the summary with the claims
 * (NULL: none); frees the record. A NULL record is accepted. */
cs_status cs_record_finish(cs_record *rec, cs_run *run, const cs_flat *claims,
                           cs_error *err);
