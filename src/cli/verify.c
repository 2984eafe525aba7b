/* chainscope verify FOLDER: tests whether files of draws are unchanged since
 * they were written. */
#include "cli/line/subcommand.h"
#include "files/open.h"
#include "io/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 4096 };

static void tell(const char *folder, const cs_manifest *m)
{
    uint64_t rows = 0;
    size_t chains = 0;
    for (size_t i = 0; i < m->n; i++) {
        rows += m->file[i].mark.rows;
        chains += m->file[i].chain > 0;
    }
    printf("%s: run %016" PRIx64, folder, m->run);
    if (m->parts)
        printf(", part %" PRIu64 " of %" PRIu64, m->part, m->parts);
    printf(": %zu file%s with draws, %" PRIu64 " draw%s, unchanged\n", chains,
           chains == 1 ? "" : "s", rows, rows == 1 ? "" : "s");
}

static bool has_manifest(const char *folder)
{
    char path[PATH];
    struct stat about;
    return snprintf(path, PATH, "%s/manifest", folder) < PATH &&
           stat(path, &about) == 0;
}

static bool verify_one(const char *folder)
{
    cs_manifest m;
    cs_error err;
    if (cs_manifest_check(&m, folder, &err)) {
        cs_complain(&err);
        return false;
    }
    tell(folder, &m);
    cs_manifest_free(&m);
    return true;
}

/* Verifies a folder; without a manifest, verifies its subfolders (the parts of
 * a run). */
static bool verify(const char *folder)
{
    struct dirent **entry;
    size_t found = 0;
    bool good = true;
    if (has_manifest(folder))
        return verify_one(folder);
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[PATH];
        if (entry[i]->d_name[0] != '.' &&
            snprintf(path, PATH, "%s/%s", folder, entry[i]->d_name) < PATH &&
            has_manifest(path)) {
            found++;
            good &= verify_one(path);
        }
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return found ? good : verify_one(folder);
}

static int verify_all(const cs_args *args)
{
    bool good = true;
    for (size_t i = 0; i < args->n_words; i++)
        good &= verify(args->word[i]);
    return good ? CS_EXIT_OK : CS_EXIT_FAILED;
}

const cs_subcommand cs_subcommand_verify = {
    .name = "verify",
    .args = "FOLDER ...",
    .help = "test whether the draws in a folder are unchanged",
    .more = "Compares each file with the manifest that run --out writes to the "
            "folder of draws; a\nfolder of parts is verified part by part. The "
            "exit code is 1 if a file is missing,\ndamaged or from another "
            "run, or if there is no manifest. report, export, diff,\nmerge and "
            "--resume also verify draws and reject changed files.\n",
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = verify_all,
};
