/* chainscope resample: resamples weighted draws to equally weighted draws. */
#include "io/resample.h"
#include "cli/line/draw_words.h"
#include "io/draw_files.h"

#include <stdio.h>

static void report(const cs_resample *job)
{
    printf("%llu draws of %zu chain%s have an effective sample size of %.0f "
           "(Kish)\nwrote %llu of them to %s\n",
           (unsigned long long)job->had, job->files, job->files == 1 ? "" : "s",
           job->kish, (unsigned long long)job->draws, job->out);
    if ((double)job->draws > job->kish)
        printf("this exceeds the effective sample size: some draws are "
               "repeated\n");
}

/* Reads the options; all errors are usage errors. */
static cs_status read_options(const cs_args *args, cs_resample *job,
                              cs_error *err)
{
    job->out = cs_args_value(args, "out");
    if (!job->out) {
        cs_fail(err, CS_INPUT, "no output file");
        cs_hint(err, "add --out FILE.csv");
        return CS_INPUT;
    }
    cs_status status = cs_args_count(args, "draws", 0, &job->draws, err);
    if (status == CS_OK && cs_args_value(args, "draws") && job->draws == 0)
        status = cs_fail(err, CS_INPUT, "--draws must be at least 1");
    return status ? status : cs_args_count(args, "seed", 1, &job->seed, err);
}

static int resample(const cs_args *args)
{
    cs_error err = {0};
    cs_resample job = {0};
    cs_draw_files f = {0};
    if (read_options(args, &job, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    cs_status status = cs_draw_files_find(args->word, args->n_words,
                                          cs_args_value(args, "arm"), &f, &err);
    if (status == CS_OK) {
        job.path = (const char *const *)f.path;
        job.files = f.n;
        status = cs_resample_files(&job, &err);
    }
    if (status == CS_OK)
        report(&job);
    cs_draw_files_free(&f);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"out", "FILE", "a new CSV file for the draws"},
    {"draws", "M",
     "number of draws (default: the effective sample size of the weights, "
     "Kish)"},
    {"seed", "S", "seed of the single random number used (1)"},
    {"arm", "NAME", "the arm to resample, if the folder has several"},
    CS_DRAWS_OPTION,
};

const cs_subcommand cs_subcommand_resample = {
    .name = "resample",
    .args = "FOLDER | FILES",
    .help = "resample weighted draws to equally weighted draws",
    .more =
        "Reads the output of run --out: a folder, or the CSV files of one "
        "arm (one per\n"
        "chain), with a column log_weight__. A draw of weight w is written "
        "floor or ceil of\n"
        "M w / sum w times (systematic resampling). Each chain has a total "
        "weight equal to\n"
        "its number of draws, so a constant added to its log weights has no "
        "effect.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = resample,
    .draws = CS_TAKES_LIST,
};
