/* chainscope export: writes draws in formats that other programs read. */
#include "io/export.h"

#include "cli/line/draw_words.h"
#include "io/formats/gather_files.h"
#include "io/join_netcdf.h"

#include <stdio.h>

static void print_counts(uint64_t draws, uint64_t chains, uint64_t most,
                         const char *run, const char *out)
{
    printf("%llu draws of %llu chain%s%s%s to %s\n", (unsigned long long)draws,
           (unsigned long long)chains, chains == 1 ? "" : "s",
           *run ? " of run " : "", run, out);
    if (most > draws)
        printf("the longest chain has %llu draws: all chains were cut to the "
               "length of the shortest\n",
               (unsigned long long)most);
}

/* `prior` has no files if no draws of the prior are given. */
static cs_status write_draws(const cs_draw_files *f, const cs_draw_files *prior,
                             const char *out, cs_error *err)
{
    cs_export e, before = {0};
    cs_status status = cs_export_open(&e, f, err);
    if (status == CS_OK && prior->n) {
        status = cs_export_open(&before, prior, err);
        e.prior = &before;
    }
    if (status == CS_OK)
        status = cs_export_write(&e, out, err);
    if (status == CS_OK)
        print_counts(e.draws, f->n, e.most, e.head.run, out);
    cs_draw_notes_print(e.notes.text);
    cs_export_close(&e);
    cs_export_close(&before);
    return status;
}

static void print_joined(const cs_joined *done, const char *out)
{
    print_counts(done->draws, done->chains, done->most, "", out);
    printf("groups: %s\n", done->groups);
    if (*done->left)
        printf("left out, because their types are not copied: %s\n",
               done->left);
}

/* Copies files in ArviZ's layout to one of this layout, with all groups. */
static bool copy_netcdf(const cs_args *args, int *code)
{
    const char *out = cs_args_value(args, "output");
    cs_error err = {0};
    cs_joined done;
    if (!out || !cs_export_is_netcdf(out) || cs_args_value(args, "arm") ||
        cs_args_value(args, "prior") || cs_args_value(args, "groups"))
        return false;
    cs_draw_files f;
    if (cs_gather_list(args->word, args->n_words, &cs_format_netcdf, &f,
                       NULL)) {
        cs_draw_files_free(&f); /* the error is reported when they are read */
        return false;
    }
    cs_status status =
        cs_netcdf_join((const char *const *)f.path, f.n, out, &done, &err);
    cs_draw_files_free(&f);
    *code = status ? cs_complain(&err) : CS_EXIT_OK;
    if (status == CS_OK && done.known)
        print_joined(&done, out);
    return status || done.known;
}

static int export_draws(const cs_args *args)
{
    cs_error err;
    cs_draw_files f, prior = {0};
    const char *folder = cs_args_value(args, "prior");
    const char *out = cs_args_value(args, "output");
    if (!out) {
        cs_fail(&err, CS_INPUT, "no output file");
        cs_hint(&err,
                "add -o FILE with one of these endings: " CS_EXPORT_ENDINGS);
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    cs_status status = cs_draw_files_find(args->word, args->n_words,
                                          cs_args_value(args, "arm"), &f, &err);
    if (status == CS_OK && folder)
        status = cs_draw_files_find(&folder, 1, cs_args_value(args, "arm"),
                                    &prior, &err);
    if (status == CS_OK)
        status = write_draws(&f, &prior, out, &err);
    cs_draw_files_free(&f);
    cs_draw_files_free(&prior);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"output", "FILE", "(-o) a new file: FILE.nc, FILE.jsonl or index.txt"},
    {"arm", "NAME", "the arm to export, if the folder has several"},
    {"prior", "FOLDER", "draws of the prior, for the groups of netCDF"},
    CS_DRAWS_OPTION,
};

const cs_subcommand cs_subcommand_export = {
    .name = "export",
    .args = "FOLDER | FILES -o FILE",
    .help = "write draws as netCDF for ArviZ, as CODA, or as lines of JSON",
    .more = "Reads the output of run --out: a folder, or the CSV files of one "
            "arm (one per chain).\n" CS_DRAWS_HELP
            "Columns x.1, x.2, ... become one variable. JSON files have one "
            "line per draw; null\n"
            "replaces values that are not finite. netCDF files have ArviZ's "
            "groups posterior and\n"
            "sample_stats, the same of a saved warm-up (warmup_posterior, "
            "warmup_sample_stats),\n"
            "and for a scenario with predictive checks log_likelihood, "
            "posterior_predictive,\n"
            "observed_data and constant_data. --prior adds prior and "
            "prior_predictive. They are\n"
            "read by arviz.from_netcdf. If all FILES are netCDF in ArviZ's "
            "layout, all their groups\nare copied, and their chains joined. "
            "CODA is an index, STEMindex.txt, and its files\nof chains, "
            "STEMchain1.txt ...; R's coda::read.coda reads them.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = export_draws,
    .draws = CS_TAKES_LIST,
    .direct = copy_netcdf,
};
