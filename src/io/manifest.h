/* What a folder of draws holds: its file `manifest`, written behind each checkpoint
 * and at the end. Text, a line each, and the sum of the lines before it:
 *
 *     chainscope manifest 1
 *     run 6f0c3a5e91d2b478
 *     part 2 of 4                       (of a part)
 *     scenario 5d21... two_hills.lua    (the sum of its text)
 *     draws a_1.csv chain 1 bytes 61034 rows 1000 warmup 0 sum 8a1f...
 *     whole summary.json bytes 2586 sum 02b7...
 *     sum 77d0...
 *
 * "counted N" behind a sum is the number of steps of warm-up that the end of the run
 * wrote into the file's head.
 *
 * Of draws it is said how far they had come: there may be more by now. */
#pragma once

#include "io/cmdstan.h"

typedef struct cs_manifest_file {
    char name[200];
    uint64_t chain; /* from 1; 0: a file that is no chain's */
    cs_cmdstan_mark mark;
} cs_manifest_file;

typedef struct cs_manifest {
    uint64_t run;         /* the same for all that make the same draws */
    uint64_t part, parts; /* from 1; 0: it is no part */
    char scenario[200]; /* what the run was opened from, "": it is not known */
    uint64_t scenario_sum;
    cs_manifest_file *file; /* [n] [own] */
    size_t n, room;
} cs_manifest;

/* Adds a file of draws, or one that is whole, as it is in the folder now. */
cs_status cs_manifest_add(cs_manifest *m, const char *name, uint64_t chain,
                          const cs_cmdstan_mark *mark, cs_error *err);
cs_status cs_manifest_add_whole(cs_manifest *m, const char *folder,
                                const char *name, cs_error *err);

cs_status cs_manifest_write(const char *folder, const cs_manifest *m,
                            cs_error *err);

/* Reads that of a folder. CS_UNKNOWN: it has none. */
cs_status cs_manifest_read(cs_manifest *m, const char *folder, cs_error *err);
void cs_manifest_free(cs_manifest *m);

/* Whether the folder holds what its manifest says, and no draws besides: the first
 * file that is missing, damaged or foreign is the error. *m is what was read
 * [own: cs_manifest_free]; CS_UNKNOWN: there is no manifest. */
cs_status cs_manifest_check(cs_manifest *m, const char *folder, cs_error *err);

/* The same where a folder without a manifest, one of another program's draws, is
 * fine. NULL for what is no folder. */
cs_status cs_manifest_trust(const char *folder, cs_error *err);

/* Whether all chains are there of which a summary.json tells, for a folder without a
 * manifest; without a summary, too, that is fine. */
cs_status cs_manifest_chains(const char *folder, cs_error *err);

/* Takes into *mark what the manifest says was counted in the file of that name, where
 * both are of as many rows. */
void cs_manifest_counted(const cs_manifest *m, const char *name,
                         cs_cmdstan_mark *mark);

/* Removes the files that the manifest of a folder names, and the manifest: they are
 * made anew. */
void cs_manifest_clear(const char *folder);
