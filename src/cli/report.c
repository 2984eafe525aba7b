/* chainscope report FILE -o FILE.html: writes one HTML page for a reader
 * (cli/page/run_page.h), with the command that reproduces the page. */
#include "base/memory.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/front/print_summary.h"
#include "cli/line/draw_words.h"
#include "cli/line/stop.h"
#include "cli/line/subcommand.h"
#include "cli/page/run_page.h"
#include "files/overwrite.h"
#include "files/replace.h"

#include <stdio.h>

/* Runs the scenario to the end of its budget; draws of the warm-up are not
 * kept. A checkpoint, journal or recording is opened at its last step. */
static cs_status open_run(cs_client *c, const cs_args *args, cs_error *err)
{
    uint64_t steps;
    char line[64];
    const char *more[] = {"default_warmup=usual", NULL, NULL};
    bool placed = cs_front_is_placed(args);
    cs_status status = cs_args_count(args, "steps", 0, &steps, err);
    snprintf(line, sizeof line, placed ? "step %llu" : "steps=%llu",
             (unsigned long long)steps);
    if (steps)
        more[1] = line;
    if (status == CS_OK)
        status = cs_front_go(c, args, placed ? NULL : more, err);
    return status == CS_OK && placed && steps ? cs_front_ask(c, line, NULL, err)
                                              : status;
}

static cs_status go(cs_client *c, cs_error *err)
{
    double reported = 0;
    cs_status status = cs_follow_budget(c, &reported, err);
    cs_stop_finish();
    return status ? status : cs_front_ask(c, "pause", NULL, err);
}

static cs_status write_page(cs_client *c, const cs_args *args, cs_error *err)
{
    cs_page text = {0}, body = {0}, command = {0};
    cs_seen seen = {0};
    const char *path = cs_args_value(args, "output");
    cs_run_page_command(args, &command);
    cs_status status = cs_run_page_body(
        c, args, command.text ? command.text : "", &seen, &body, err);
    cs_run_page_head(*seen.title ? seen.title : args->word[0], "", &text);
    cs_page_put(&text, "%s" CS_RUN_PAGE_END, body.text ? body.text : "");
    if (status == CS_OK && (text.full || command.full))
        status = cs_fail(err, CS_MEMORY, "out of memory for the report");
    if (status == CS_OK)
        status = cs_file_replace(path, text.text, text.used, err);
    if (status == CS_OK)
        cs_stop_say("at step %.0f: %s shows the run so far; repeat the command "
                    "for the whole run",
                    seen.steps, path);
    cs_free(text.text);
    cs_free(body.text);
    cs_free(command.text);
    return status;
}

static cs_status check_output(const cs_args *args, cs_error *err)
{
    const char *path = cs_args_value(args, "output");
    return args->n_given ? cs_output_allow(path, CS_OUTPUT_PAGE, args->given,
                                           args->n_given, err)
                         : cs_output_allow(path, CS_OUTPUT_PAGE, args->word,
                                           args->n_words, err);
}

static int report(const cs_args *args)
{
    cs_error err;
    cs_client *c;
    cs_front_options options = {0};
    if (!cs_args_value(args, "output")) {
        cs_fail(&err, CS_INPUT, "no output file");
        cs_hint(&err, "add -o FILE.html");
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (check_output(args, &err) || cs_front_read(args, &options, &err) ||
        cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    cs_status status = open_run(c, args, &err);
    if (status == CS_OK)
        status = cs_print_summary_quantiles(c, args, &err);
    if (status == CS_OK)
        status = cs_front_ask(c, "pictures 1000", NULL, &err);
    if (status == CS_OK && !cs_front_is_placed(args))
        status = go(c, &err);
    cs_stop_finish();
    if (status == CS_OK)
        status = write_page(c, args, &err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"output", "FILE.html", "(-o) the page to write"},
    {"steps", "N", "run N steps instead of the scenario's budget"},
    CS_QUANTILES_OPTION,
    CS_FRONT_GO_OPTIONS,
    CS_DRAWS_OPTION,
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_report = {
    .name = "report",
    .args = "FILE -o FILE.html ...",
    .help = "write a run as one HTML page with pictures and tables",
    .more = "The run continues to the end of its budget. With --load, "
            "--replay, --at or a\nrecording it stays at the point reached, "
            "or --steps steps after it. Ctrl-C\nwrites the page of the run so "
            "far.\n\nThe page is one file with the panels of the scenario as "
            "pictures, its predictive checks,\nthe tables of :summary html, "
            "the claims, the changes "
            "during the run and the scenario text.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = report,
    .draws = CS_TAKES_OPEN,
};
