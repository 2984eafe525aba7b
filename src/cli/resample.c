/* chainscope resample: weighted draws as draws that count alike. */
#include "io/resample.h"
#include "cli/line/subcommand.h"
#include "io/draw_files.h"

#include <stdio.h>

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
