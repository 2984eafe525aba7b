/* chainscope watch DIR: shows the run of another process on the screen. The
 * session of this program reads the files that the other process writes. */
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/front/look_options.h"
#include "cli/line/draw_words.h"
#include "cli/line/stop.h"
#include "cli/many/queue_store.h"
#include "cli/screen.h"
#include "cli/serve/serve.h"
#include "io/watched.h"

#include <stdio.h>
#include <time.h>

/* Fails if the folder contains the results of a queue, because such a folder
 * never contains draws. */
static cs_status refuse_queue(const char *folder, cs_error *err)
{
    if (!cs_store_is(folder))
        return CS_UNKNOWN;
    cs_fail(err, CS_INPUT,
            "%s holds the results of a queue of runs, but no draws", folder);
    cs_hint(err, "to show the results, repeat the command that wrote them, and "
                 "add --resume");
    return CS_INPUT;
}

static void say_waiting(const char *folder)
{
    char clean[4096];
    cs_text_clean(folder, clean, sizeof clean);
    fprintf(stderr, "chainscope: waiting for the first draws in %s\n", clean);
}

/* Checks that the folder has draws to display. This check comes before the
 * screen opens, so that errors are printed. With --wait, waits until the folder
 * has draws. */
static cs_status look(const cs_args *args, cs_error *err)
{
    const struct timespec moment = {.tv_nsec = 200000000};
    bool waits = cs_args_value(args, "wait") != NULL, said = false;
    for (;;) {
        cs_watched *w;
        cs_status status = cs_watched_open(&w, args->word[0], err);
        cs_watched_close(w);
        if (status == CS_UNKNOWN)
            status = refuse_queue(args->word[0], err);
        if (status != CS_UNKNOWN || !waits)
            return status;
        if (cs_stop_signal())
            return cs_fail(err, CS_STOPPED,
                           "before the first draws; repeat the command");
        if (!said)
            say_waiting(args->word[0]);
        said = true;
        nanosleep(&moment, NULL);
    }
}

static int show(const cs_args *args)
{
    if (cs_args_value(args, "serve"))
        return cs_serve_main(args);
    return cs_args_value(args, "plain") ? cs_plain_main(args, "run")
                                        : cs_screen_main(args, NULL, "run");
}

static int watch(const cs_args *args)
{
    cs_error err;
    if (cs_args_value(args, "serve") && cs_args_value(args, "plain")) {
        cs_fail(&err, CS_INPUT, "--serve and --plain exclude each other");
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    return look(args, &err) ? cs_complain(&err) : show(args);
}

static const cs_option options[] = {
    {"wait", NULL, "if there are no draws yet, wait for the first ones"},
    CS_DRAWS_OPTION,
    {"serve", "[=PORT]",
     "no screen: show the run as a page for a browser on this machine (8787, "
     "or a free port)"},
    CS_PLAIN_OPTIONS,
    CS_LOOK_OPTIONS,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_watch = {
    .name = "watch",
    .args = "DIR | FILES",
    .help = "show a run that another process writes to DIR, or draws in files",
    .more =
        "DIR is the folder of chainscope run --out DIR, a folder of its parts "
        "(from this\nor other machines), or a folder of CmdStan CSV files. "
        "Each step on the screen is\na draw in the files.\n\n" CS_DRAWS_HELP
        "CmdStan CSV with the first column lp__ is followed while it grows; "
        "other files are\nread once.\n\nFiles may grow, "
        "appear later, or be truncated by a resumed run; the end of a run\nand "
        "the death of its writer are reported. A chain with far fewer draws "
        "than the\nothers is left out until it has caught up.\n\n"
        "With --serve there is no screen. The page of chainscope report is "
        "shown "
        "to a\nbrowser on this machine and follows the run; the program prints "
        "its address, such\nas http://127.0.0.1:8787/, and ends at Ctrl-C. "
        "/report.html saves the page, and\n/data.json has the figures.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = watch,
    .draws = CS_TAKES_ONLY,
};
