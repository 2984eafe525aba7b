/* chainscope watch DIR: the screen, of a run that others write. Its files are
 * read in the session's process, like a scenario. */
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/front/look_options.h"
#include "cli/line/stop.h"
#include "cli/many/queue_store.h"
#include "cli/screen.h"
#include "io/watched.h"

#include <stdio.h>
#include <time.h>

/* A folder without draws in which there will never be any. */
static cs_status refuse_queue(const char *folder, cs_error *err)
{
    if (!cs_store_is(folder))
        return CS_UNKNOWN;
    cs_fail(err, CS_INPUT,
            "%s holds results of a queue of runs, and not their draws", folder);
    cs_hint(err, "the command that made it shows them, with --resume");
    return CS_INPUT;
}

static void say_waiting(const char *folder)
{
    char clean[4096];
    cs_text_clean(folder, clean, sizeof clean);
    fprintf(stderr, "chainscope: waiting for the first draws in %s\n", clean);
}

/* Whether there is something to see, so that what is wrong is said before a
 * screen is opened; with --wait, once there is. */
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
                           "before there were draws: give the command again");
        if (!said)
            say_waiting(args->word[0]);
        said = true;
        nanosleep(&moment, NULL);
    }
}

static int watch(const cs_args *args)
{
    cs_error err;
    cs_status status = look(args, &err);
    if (status == CS_OK)
        return cs_args_value(args, "plain") ? cs_plain_main(args, "run")
                                            : cs_screen_main(args, "run");
    cs_complain(&err);
    return status == CS_INPUT || status == CS_UNKNOWN ? CS_EXIT_USAGE
                                                      : CS_EXIT_FAILED;
}

static const cs_option options[] = {
    {"wait", NULL, "where there are no draws yet, wait for the first"},
    CS_PLAIN_OPTIONS,
    CS_LOOK_OPTIONS,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_watch = {
    .name = "watch",
    .args = "DIR",
    .help = "the screen, of a run that another process writes to DIR",
    .more =
        "DIR is the folder of chainscope run --out DIR, or one with the "
        "folders of its\nparts, be they written on this machine or on others, "
        "or with the CSV files of\nCmdStan. Each step on the screen is a draw "
        "of the files. They may grow, come\nlater, be cut by a run that is "
        "resumed; when a run ends, or who writes it dies,\nit is said. A chain "
        "far behind the others is left out until it has caught up.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .most_words = 1,
    .main = watch,
};
