/* The folders of the parts of a run (chainscope run --part), to be put together:
 * found, looked at, in their order. */
#pragma once

#include "io/cmdstan.h"
#include "run/run.h"

typedef struct cs_merge cs_merge;

/* Those in folder[n]: parts, or folders of parts. Refuses, by name, what is no
 * part of `run` [borrowed], one that is there twice, and a run that is not
 * complete. */
cs_status cs_merge_open(cs_merge **out, cs_run *run, const char *const *folder,
                        size_t n, cs_error *err);
void cs_merge_close(cs_merge *m);

/* How their draws were written. */
uint64_t cs_merge_thin(const cs_merge *m);
bool cs_merge_save_warmup(const cs_merge *m);
const char *cs_merge_sets(const cs_merge *m); /* see cs_checkpoint */

/* Puts the fresh run where its parts have come to. */
cs_status cs_merge_load(cs_merge *m, cs_error *err);

/* A file of draws: of arm number `arm` that of its chain number `chain`, NAME. Copies
 * it to `path`; without a path looks whether it is as it was written. Says how far it
 * had come. */
cs_status cs_merge_take(cs_merge *m, size_t arm, size_t chain, const char *name,
                        const char *path, cs_cmdstan_mark *mark, cs_error *err);

/* Copies NAME of the part that has all of the run; where there is none it does
 * nothing. */
cs_status cs_merge_copy_whole(cs_merge *m, const char *name, const char *path,
                              cs_error *err);

/* Whether a file of that folder is one of the parts. */
bool cs_merge_has(const cs_merge *m, const char *folder);
