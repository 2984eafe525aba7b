/* The manifest of a folder of draws: its file `manifest`, written after each
 * checkpoint and at the end. Text lines, and the checksum of the lines before it:
 *
 *     chainscope manifest 1
 *     run 6f0c3a5e91d2b478
 *     part 2 of 4                       (for a part)
 *     scenario 5d21... two_hills.lua    (checksum of its text)
 *     draws a_1.csv chain 1 bytes 61034 rows 1000 warmup 0 sum 8a1f...
 *     whole summary.json bytes 2586 sum 02b7...
 *     sum 77d0...
 *
 * "counted N" after a checksum is the number of warm-up steps that the end of the
 * run wrote to the file's header.
 *
 * For draws it records their state when it was written: the files may be longer. */
#pragma once

#include "io/cmdstan.h"

typedef struct cs_manifest_file {
    char name[200];
    uint64_t chain; /* from 1; 0: not the file of a chain */
    cs_cmdstan_mark mark;
} cs_manifest_file;

typedef struct cs_manifest {
    uint64_t run;         /* equal for all runs with the same draws */
    uint64_t part, parts; /* from 1; 0: not a part */
    char scenario[200];   /* file that the run was opened from; "": unknown */
    uint64_t scenario_sum;
    cs_manifest_file *file; /* [n] [own] */
    size_t n, room;
} cs_manifest;

/* Adds a file of draws, or a complete file, with its current state. */
cs_status cs_manifest_add(cs_manifest *m, const char *name, uint64_t chain,
                          const cs_cmdstan_mark *mark, cs_error *err);
cs_status cs_manifest_add_whole(cs_manifest *m, const char *folder,
                                const char *name, cs_error *err);

cs_status cs_manifest_write(const char *folder, const cs_manifest *m,
                            cs_error *err);

/* Reads the manifest of a folder. CS_UNKNOWN: none. */
cs_status cs_manifest_read(cs_manifest *m, const char *folder, cs_error *err);
void cs_manifest_free(cs_manifest *m);

/* Verifies that the folder holds the files of its manifest and no other draws:
 * the first missing, damaged or foreign file is the error. *m is the manifest
 * [own: cs_manifest_free]; CS_UNKNOWN: there is none. */
cs_status cs_manifest_check(cs_manifest *m, const char *folder, cs_error *err);

/* Does the same, but allows a folder without a manifest, with draws of another
 * program. Returns CS_OK for anything that is not a folder. */
cs_status cs_manifest_trust(const char *folder, cs_error *err);

/* Checks, in a folder without a manifest, that all chains in summary.json are
 * present; a missing summary is allowed. */
cs_status cs_manifest_chains(const char *folder, cs_error *err);

/* Copies the count in the manifest for the file of that name to *mark, if both
 * have the same number of rows. */
void cs_manifest_counted(const cs_manifest *m, const char *name,
                         cs_cmdstan_mark *mark);

/* Removes the files in the manifest of a folder, and the manifest, before they
 * are written again. */
void cs_manifest_clear(const char *folder);
