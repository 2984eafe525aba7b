/* The manifest of a folder of draws: its file `manifest`, written after each
 * checkpoint and at the end. The file consists of lines of text; the last line
 * is the checksum of the lines before it:
 *
 *     chainscope manifest 1
 *     run 6f0c3a5e91d2b478
 *     part 2 of 4                       (for a part)
 *     scenario 5d21... two_hills.lua    (checksum of its text)
 *     draws a_1.csv chain 1 bytes 61034 rows 1000 warmup 0 sum 8a1f...
 *     whole summary.json bytes 2586 sum 02b7...
 *     sum 77d0...
 *
 * "counted N" after a checksum is the number of warm-up steps that was written
 * to the file's header at the end of the run.
 *
 * A line `draws` gives the file's state when the manifest was written; the file
 * may be longer now. */
#pragma once

#include "io/cmdstan.h"

typedef struct cs_manifest_file {
    char name[200];
    uint64_t chain; /* number of the chain, from 1; 0: the file does not belong
                     * to a chain */
    cs_cmdstan_mark mark;
} cs_manifest_file;

typedef struct cs_manifest {
    uint64_t run;         /* number of the run, equal for all runs with the same
                           * draws */
    uint64_t part, parts; /* part: number of this part, from 1 (0: the run is
                           * not a part); parts: number of parts */
    char scenario[200];   /* file name of the scenario; "": unknown */
    uint64_t scenario_sum;
    cs_manifest_file *file; /* [n] the listed files [own] */
    size_t n, capacity;
} cs_manifest;

/* cs_manifest_add adds a file of draws whose state is `mark`.
 * cs_manifest_add_whole adds a complete file in its current state. */
cs_status cs_manifest_add(cs_manifest *m, const char *name, uint64_t chain,
                          const cs_cmdstan_mark *mark, cs_error *err);
cs_status cs_manifest_add_whole(cs_manifest *m, const char *folder,
                                const char *name, cs_error *err);

cs_status cs_manifest_write(const char *folder, const cs_manifest *m,
                            cs_error *err);

/* Reads the manifest of a folder. CS_UNKNOWN: the folder has no manifest. */
cs_status cs_manifest_read(cs_manifest *m, const char *folder, cs_error *err);
void cs_manifest_free(cs_manifest *m);

/* Verifies that the folder contains the files that its manifest lists, and no
 * other draws. The error names the first file that is missing, damaged or not
 * listed. *m receives the manifest [own: cs_manifest_free]. CS_UNKNOWN: the
 * folder has no manifest. */
cs_status cs_manifest_check(cs_manifest *m, const char *folder, cs_error *err);

/* Verifies a folder like cs_manifest_check, but accepts a folder without a
 * manifest, because another program may have written the draws. Returns CS_OK
 * for a path that is not a folder. */
cs_status cs_manifest_trust(const char *folder, cs_error *err);

/* Checks, in a folder without a manifest, that the files of all chains listed
 * in summary.json exist; summary.json may be missing. */
cs_status cs_manifest_chains(const char *folder, cs_error *err);

/* If the manifest and *mark agree on the number of rows of the file `name`,
 * copies the file's number of warm-up steps from the manifest to *mark. */
void cs_manifest_counted(const cs_manifest *m, const char *name,
                         cs_cmdstan_mark *mark);

/* Removes the files listed in the manifest of a folder, and the manifest. Call
 * this function before these files are written again. */
void cs_manifest_clear(const char *folder);
