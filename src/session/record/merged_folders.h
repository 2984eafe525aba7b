/* The folders of the parts of a run (chainscope run --part) that are to be
 * merged: found, verified, and sorted. */
#pragma once

#include "io/cmdstan.h"
#include "run/arms/spec.h"

typedef struct cs_merge cs_merge;

/* Opens the parts in folder[n], each a part or a folder of parts. Refuses, by
 * name, a folder that is not a part of `run` [borrowed], a duplicate part, and
 * an incomplete set of parts. */
cs_status cs_merge_open(cs_merge **out, cs_run *run, const char *const *folder,
                        size_t n, cs_error *err);
void cs_merge_close(cs_merge *m);

/* Returns the thinning interval of the written draws. */
uint64_t cs_merge_thin(const cs_merge *m);
bool cs_merge_save_warmup(const cs_merge *m);
const char *cs_merge_sets(const cs_merge *m); /* see cs_checkpoint */

/* Loads the final state of the parts into the fresh run. */
cs_status cs_merge_load(cs_merge *m, cs_error *err);

/* Copies the file of draws NAME of chain `chain` of arm `arm` to `path`;
 * without a path verifies that it is unmodified. Reports how many draws it
 * has. */
cs_status cs_merge_take(cs_merge *m, size_t arm, size_t chain, const char *name,
                        const char *path, cs_cmdstan_mark *mark, cs_error *err);

/* Copies NAME from the part that contains the whole run; does nothing if there
 * is no such part. */
cs_status cs_merge_copy_whole(cs_merge *m, const char *name, const char *path,
                              cs_error *err);

/* True if the folder is one of the parts. */
bool cs_merge_has(const cs_merge *m, const char *folder);
