/* Finds, verifies and sorts the folders of the parts of a run (chainscope run
 * --part) that are to be merged. */
#pragma once

#include "io/cmdstan.h"
#include "run/arms/spec.h"

typedef struct cs_merge cs_merge;

/* Opens the parts in folder[n]. Each folder is a part or contains folders of
 * parts. Fails if a folder is not a part of `run` [borrowed], if a part occurs
 * twice, or if the set of parts is incomplete. The error names the folder. */
cs_status cs_merge_open(cs_merge **out, cs_run *run, const char *const *folder,
                        size_t n, cs_error *err);
void cs_merge_close(cs_merge *m);

/* Returns the thinning interval of the written draws. */
uint64_t cs_merge_thin(const cs_merge *m);
bool cs_merge_save_warmup(const cs_merge *m);
const char *cs_merge_sets(const cs_merge *m); /* settings of the run, see
                                               * cs_checkpoint */

/* Loads the final state of the parts into the run. The run must be at step
 * 0. */
cs_status cs_merge_load(cs_merge *m, cs_error *err);

/* Copies the draws file NAME of chain `chain` of arm `arm` to `path`; if `path`
 * is NULL, only verifies that the file is unmodified. Returns the number of
 * draws in the file. */
cs_status cs_merge_take(cs_merge *m, size_t arm, size_t chain, const char *name,
                        const char *path, cs_cmdstan_mark *mark, cs_error *err);

/* Copies the file NAME from the first part. Call it only for a run that cannot
 * be divided, which this part contains as a whole. Does nothing if the part has
 * no such file. */
cs_status cs_merge_copy_whole(cs_merge *m, const char *name, const char *path,
                              cs_error *err);

/* Returns true if the folder is one of the parts. */
bool cs_merge_has(const cs_merge *m, const char *folder);
