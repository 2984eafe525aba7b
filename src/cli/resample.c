/* chainscope resample: weighted draws as draws that count alike. */
#include "io/resample.h"
#include "base/memory.h"
#include "cli/subcommand.h"
#include "io/cmdstan.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

/* The files of one arm. */
typedef struct files {
    char **path; /* [n] [own], each too */
    size_t n, room;
    char arm[208]; /* that is wanted, or "" and then the first file's */
    bool other;    /* there is another arm than that */
    char name[208];
} files;

static void free_files(files *f)
{
    for (size_t i = 0; i < f->n; i++)
        cs_free(f->path[i]);
    cs_free(f->path);
}

static cs_status add(files *f, const char *path, cs_error *err)
{
    char *copy = cs_copy_text(path);
    if (copy && CS_GROW(f->path, f->n, f->room, 1)) {
        f->path[f->n++] = copy;
        return CS_OK;
    }
    cs_free(copy);
    return cs_fail(err, CS_MEMORY, "no memory for the files");
}

/* a_2.csv before a_10.csv. */
static int by_number(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    size_t n = strlen(x), m = strlen(y);
    return n != m ? (n > m) - (n < m) : strcmp(x, y);
}

/* A file of a folder, if it is of draws of the arm that is wanted. */
static cs_status look_at(files *f, const char *path, cs_error *err)
{
    cs_cmdstan_head h;
    if (cs_cmdstan_head_read(path, &h, NULL) != CS_OK)
        return CS_OK; /* another table */
    bool first = !f->arm[0];
    if (first)
        snprintf(f->arm, sizeof f->arm, "%s", h.arm);
    bool wanted = strcmp(h.arm, f->arm) == 0;
    if (!wanted) {
        f->other = true;
        snprintf(f->name, sizeof f->name, "%s", h.arm);
    }
    cs_cmdstan_head_free(&h);
    return wanted ? add(f, path, err) : CS_OK;
}

static cs_status take_folder(files *f, DIR *d, const char *folder, bool told,
                             cs_error *err)
{
    cs_status status = CS_OK;
    for (const struct dirent *e; status == CS_OK && (e = readdir(d));) {
        char path[PATH];
        const char *dot = strrchr(e->d_name, '.');
        int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (dot && strcmp(dot, ".csv") == 0 && n > 0 && n < PATH)
            status = look_at(f, path, err);
    }
    if (status)
        return status;
    if (f->n == 0 && f->other) {
        cs_fail(err, CS_INPUT, "%s has no draws of arm %s", folder, f->arm);
        cs_hint(err, "--arm %s", f->name);
    } else if (f->n == 0) {
        cs_fail(err, CS_INPUT, "%s has no files of draws", folder);
        cs_hint(err, "name the folder that chainscope run --out has made");
    } else if (f->other && !told) {
        cs_fail(err, CS_INPUT, "%s has draws of several arms", folder);
        cs_hint(err, "--arm %s, or --arm %s", f->arm, f->name);
    } else {
        qsort(f->path, f->n, sizeof *f->path, by_number);
        return CS_OK;
    }
    return CS_INPUT;
}

static cs_status find_files(const cs_args *args, files *f, cs_error *err)
{
    const char *arm = cs_args_value(args, "arm");
    DIR *d = args->n_words == 1 ? opendir(args->word[0]) : NULL;
    snprintf(f->arm, sizeof f->arm, "%s", arm ? arm : "");
    if (d) {
        cs_status status = take_folder(f, d, args->word[0], arm != NULL, err);
        closedir(d);
        return status;
    }
    if (arm) {
        cs_fail(err, CS_INPUT, "--arm is for a folder");
        cs_hint(err, "name the files of one arm alone");
        return CS_INPUT;
    }
    cs_status status = CS_OK;
    for (size_t i = 0; i < args->n_words && status == CS_OK; i++)
        status = add(f, args->word[i], err);
    return status;
}

static void report(const cs_resample *job)
{
    printf("%llu draws of %zu chain%s are worth %.0f that count alike (Kish's "
           "size)\n%llu of them to %s\n",
           (unsigned long long)job->had, job->files, job->files == 1 ? "" : "s",
           job->kish, (unsigned long long)job->draws, job->out);
    if ((double)job->draws > job->kish)
        printf("more than they are worth: some are there more than once\n");
}

/* The options; what is wrong with them is a mistake in usage. */
static cs_status read_options(const cs_args *args, cs_resample *job,
                              cs_error *err)
{
    job->out = cs_args_value(args, "out");
    if (!job->out) {
        cs_fail(err, CS_INPUT, "resample needs --out");
        cs_hint(err, "chainscope resample FOLDER --out FILE.csv");
        return CS_INPUT;
    }
    cs_status status = cs_args_count(args, "draws", 0, &job->draws, err);
    if (status == CS_OK && cs_args_value(args, "draws") && job->draws == 0)
        status = cs_fail(err, CS_INPUT, "--draws 0 leaves nothing");
    return status ? status : cs_args_count(args, "seed", 1, &job->seed, err);
}

static int resample(const cs_args *args)
{
    cs_error err = {0};
    cs_resample job = {0};
    files f = {0};
    if (read_options(args, &job, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    cs_status status = find_files(args, &f, &err);
    if (status == CS_OK) {
        job.path = (const char *const *)f.path;
        job.files = f.n;
        status = cs_resample_files(&job, &err);
    }
    if (status == CS_OK)
        report(&job);
    free_files(&f);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"out", "FILE", "where the draws go, as CSV; it must not be there yet"},
    {"draws", "M", "how many (as many as the weights leave: Kish's size)"},
    {"seed", "S", "of the one random number that is drawn (1)"},
    {"arm", "NAME", "of a folder that has several"},
};

const cs_subcommand cs_subcommand_resample = {
    .name = "resample",
    .args = "FOLDER | FILES",
    .help = "draws with weights as fewer draws that count alike",
    .more = "Reads what run --out has written: a folder, or the CSV files of "
            "one arm, a chain each,\n"
            "that have a column log_weight__. A draw of weight w is written "
            "floor or ceil of\n"
            "M w / sum w times (systematic resampling); each chain counts as "
            "many draws as it\n"
            "has, whatever constant its log weights are off by.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .most_words = CS_ARGS_WORDS,
    .main = resample,
};
