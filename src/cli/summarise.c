/* chainscope summary FILES: prints the summary of draws that this or another
 * program has written, with the warnings and exit codes of `run`. */
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/front/print_summary.h"
#include "cli/line/draw_words.h"
#include "cli/line/stop.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 60000 };

/* Reads all draws of the folder that is open. */
static cs_status follow(cs_client *c, cs_error *err)
{
    double reported = 0;
    cs_status status = cs_follow_budget(c, &reported, err);
    cs_stop_finish();
    return status ? status : cs_front_ask(c, "pause", NULL, err);
}

static cs_status print(cs_client *c, const cs_args *args, bool *warned,
                       cs_error *err)
{
    static char line[LINE] = "summary";
    const char *format = cs_args_value(args, "json") ? "json" : NULL;
    cs_status status =
        format ? CS_OK : cs_print_summary_format(args, &format, err);
    if (status == CS_OK && format)
        cs_front_add(line, sizeof line, format);
    if (status == CS_OK)
        status = cs_print_summary_rows(args, line, sizeof line, err);
    if (status == CS_OK)
        status = cs_print_summary(c, line, err);
    if (status == CS_OK && !format)
        status = cs_print_answer(c, "lua run:predictive() or ''", err);
    return status ? status : cs_print_summary_warned(c, args, warned, err);
}

static int print_all(cs_client *c, const cs_args *args)
{
    cs_error err;
    cs_seen s = {0};
    bool warned = false;
    cs_status status = cs_front_ask(c, "reports", NULL, &err);
    if (status == CS_OK)
        status = cs_front_ask(c, "once", NULL, &err);
    if (status == CS_OK)
        status = cs_front_open(c, args, NULL, &err);
    if (status == CS_OK)
        status = cs_print_summary_quantiles(c, args, &err);
    if (status == CS_OK)
        status = follow(c, &err);
    if (status == CS_OK)
        status = print(c, args, &warned, &err);
    if (status)
        return cs_complain(&err);
    cs_follow_see(c, &s);
    return cs_print_summary_stopped(&s) + s.lost > 0 ? CS_EXIT_FAILED
           : warned                                  ? CS_EXIT_WARNED
                                                     : CS_EXIT_OK;
}

static int summary(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    const char *format;
    cs_front_options options = {0};
    if (cs_print_summary_format(args, &format, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (cs_front_read(args, &options, &err) ||
        cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    int code = print_all(c, args);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return code;
}

static const cs_option options[] = {
    {"json", NULL, "the same as --format json"},
    CS_SUMMARY_OPTIONS,
    CS_DRAWS_OPTION,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_summary = {
    .name = "summary",
    .args = "FILES | FOLDER",
    .help = "summarise draws of this or another program",
    .more = CS_DRAWS_HELP
    "FOLDER is a folder of run --out or of such files.\n\n"
    "Verdicts and warnings are those of `run`. Exit status 1: a file is "
    "damaged or a\nchain was left out. Exit status 2: a file is not a file of "
    "draws. Exit status 3,\nwith --strict: an arm has a warning.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = summary,
    .draws = CS_TAKES_ONLY,
};
