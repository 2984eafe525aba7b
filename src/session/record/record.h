/* Writes a run to a folder: one file of draws per chain (ARM_1.csv ...), a
 * checkpoint every few seconds, and a summary at the end. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_record cs_record;

typedef struct cs_record_spec {
    const char *folder;
    /* thinning interval; 0: the interval in the checkpoint or, if there is no
     * checkpoint, 1 */
    uint64_t thin;
    bool save_warmup; /* true: also write warm-up states; false: the
                              * checkpoint's value */
    bool resume;      /* true: resume from the folder's checkpoint */
    bool force;       /* true: overwrite existing files */
    bool kept;        /* true: the draws so far follow, so the files lack no
                       * draws at their start */
    /* seconds between checkpoints; NULL: an interval such that checkpoints
     * take only a small part of the time */
    const uint64_t *every;
    const char *const *part; /* [n_parts] folders of the parts to merge; n_parts
                              * 0: no merge */
    size_t n_parts;
    /* [n_set] "arm.param=value": settings with which the run was opened */
    const char *const *set;
    size_t n_set;
    const char *scenario; /* file name of the scenario; scenario_sum is the
                           * checksum of the scenario's text */
    uint64_t scenario_sum;
} cs_record_spec;

/* Starts to record `run` [borrowed]. With `resume`, loads the run from the
 * checkpoint in the folder, and removes draws after the checkpoint. If the run
 * is a part without a checkpoint, it starts from the beginning. */
cs_status cs_record_create(cs_record **out, cs_run *run,
                           const cs_record_spec *spec, cs_error *err);

/* Returns true if the resumed run was originally opened with this setting, and
 * no later setting has changed the parameter. */
bool cs_record_was_set(const cs_record *rec, const char *set);

/* Fails while draws are written, because files of draws cannot be rewound. A
 * NULL record is accepted. */
cs_status cs_record_none(const cs_record *rec, cs_error *err);

/* Returns the output folder. [borrowed] */
const char *cs_record_folder(const cs_record *rec);

/* Writes a checkpoint if one is due. Returns the first write error since the
 * last call. Call this after each quantum. */
cs_status cs_record_tend(cs_record *rec, cs_run *run, cs_error *err);

/* Functions for ranks other than the first (run/arms/world.h).
 * cs_record_failure returns the first write error. cs_record_gather sends this
 * rank's part of a checkpoint to the first rank. */
cs_status cs_record_failure(cs_record *rec, cs_error *err);
void cs_record_gather(cs_record *rec, cs_run *run);

/* Call this when a script was interrupted within a step. In this case the
 * result of the step is invalid, and cs_record_finish writes no checkpoint. A
 * NULL record is accepted. */
void cs_record_tear(cs_record *rec);

/* Writes the remaining draws, the checkpoint, and the summary with the claims
 * (NULL: none); frees the record. A NULL record is accepted. */
cs_status cs_record_finish(cs_record *rec, cs_run *run, const cs_flat *claims,
                           cs_error *err);

/* Writes the draws that a run keeps in memory to a new folder, with the
 * checkpoint, the summary and the manifest: one draw per n steps if the run
 * keeps no more. `force` overwrites the files of another run. The run
 * then continues without the files. */
cs_status cs_record_write_kept(cs_run *run, const char *folder, bool force,
                               const cs_flat *claims, cs_error *err);
