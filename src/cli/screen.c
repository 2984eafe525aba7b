/* chainscope [FILE]: opens the screen. This process owns the terminal. The
 * session is its child process, which is forked before curses and readline
 * start. */
#include "cli/screen.h"
#include "cli/front/front.h"
#include "cli/front/link.h"
#include "cli/front/look_options.h"
#include "cli/line/draw_words.h"
#include "cli/line/stop.h"
#include "cli/plain/plain.h"
#include "console/line.h"
#include "screen/app.h"
#include "screen/term/terminal.h"
#include "session/client/preference_keys.h"

#include <stdio.h>
#include <unistd.h>

static char folder[1024]; /* value of the key run/folder in the last snapshot */
static double steps;      /* value of the key run/steps in the last snapshot */

static bool snapshot(void *self, const unsigned char **base, size_t *used)
{
    cs_flat_entry e;
    if (!cs_client_snapshot(self, base, used))
        return false;
    bool found = cs_flat_find(*base, *used, &e, "run/folder") && e.text;
    snprintf(folder, sizeof folder, "%s", found ? e.text : "");
    if (cs_flat_find(*base, *used, &e, "run/steps") && e.data)
        steps = e.data[0];
    return true;
}

/* Fails if the session has died. Call it after the screen was closed, so that
 * the message with the reason remains visible in the terminal. */
static cs_status check_end(cs_client *c, cs_error *err)
{
    char why[160];
    if (cs_client_alive(c, why, sizeof why) || cs_client_exit_code(c) == 0)
        return CS_OK;
    cs_fail(err, CS_IO, "%s", why);
    if (*folder)
        cs_hint(err, "the draws up to the last checkpoint are in %.200s",
                folder);
    return CS_IO;
}

static cs_status show(cs_client *c, bool gallery, const cs_shot *preferences,
                      cs_error *err)
{
    cs_app_link link = cs_link_to(c);
    link.snapshot = snapshot;
    cs_line_open(true);
    cs_status status =
        cs_screen_run(&link, &cs_link_editor, gallery, preferences, err);
    cs_line_close();
    return status;
}

int cs_screen_main(const cs_args *args, const char *const *more,
                   const char *first)
{
    cs_client *c;
    cs_error err;
    cs_front_options options = {0};
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        cs_fail(&err, CS_UNSUPPORTED, "the screen needs a terminal");
        cs_hint(&err, "use `chainscope run` or `chainscope shot`, or add "
                      "--plain for text lines");
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    static cs_look look;
    if (cs_front_read(args, &options, &err) || cs_look_read(args, &look, &err))
        return cs_complain(&err);
    if (cs_args_value(args, "layout"))
        cs_flat_text(&look.table, cs_args_value(args, "layout"), "%s",
                     CS_PREFERENCE_LAYOUT);
    look.preferences.used = look.table.used;
    cs_look_configure(&look);
    options.speed = cs_shot_number(&look.preferences, 0, CS_PREFERENCE_SPEED);
    options.workers =
        (size_t)cs_shot_number(&look.preferences, 0, CS_PREFERENCE_WORKERS);
    if (cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    cs_status status = CS_OK;
    bool refused = false; /* true if the terminal cannot show the screen */
    if (args->n_words)
        status = cs_front_go(c, args, more, &err);
    if (status == CS_OK && first)
        status = cs_front_ask(c, first, NULL, &err);
    if (status == CS_OK) {
        status = show(c, args->n_words == 0, &look.preferences, &err);
        refused = status == CS_UNSUPPORTED;
    }
    if (status == CS_OK)
        status = check_end(c, &err);
    cs_client_close(c, 10000);
    cs_client_destroy(c);
    cs_stop_take(cs_terminal_signal());
    if (*folder)
        cs_stop_say("at step %.0f: the draws so far are in %s", steps, folder);
    else
        cs_stop_say("at step %.0f: no draws were written", steps);
    int code = status ? cs_complain(&err) : CS_EXIT_OK;
    return refused ? CS_EXIT_USAGE : code;
}

int cs_plain_main(const cs_args *args, const char *first)
{
    cs_client *c;
    cs_error err;
    uint64_t every = 0;
    cs_front_options options = {0};
    if (cs_front_read(args, &options, &err) ||
        cs_args_count(args, "every", 0, &every, &err) ||
        cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    cs_status status = args->n_words ? cs_front_go(c, args, NULL, &err) : CS_OK;
    if (status == CS_OK && first)
        status = cs_front_ask(c, first, NULL, &err);
    int code = status ? cs_complain(&err) : cs_plain(c, (double)every);
    cs_client_close(c, 10000);
    cs_client_destroy(c);
    return code;
}

static int screen(const cs_args *args)
{
    if (cs_args_value(args, "plain"))
        return cs_plain_main(args, args->n_given ? "run" : NULL);
    return cs_screen_main(args, NULL, args->n_given ? "run" : NULL);
}

static const cs_option options[] = {
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    {"layout", "PANELS",
     "panels such as \"map trace=x.1\", or the name of a layout"},
    CS_DRAWS_OPTION,
    CS_PLAIN_OPTIONS,
    CS_LOOK_OPTIONS,
    CS_FRONT_GO_OPTIONS,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_screen = {
    .name = "screen",
    .args = "[FILE] [--set ARM.PARAM=V]",
    .help = "show a scenario, the run of a recording or the gallery on the "
            "screen (the same as chainscope FILE)",
    .more =
        "With --plain each input line is a command (help lists them) or the "
        "name of a\npanel, which is described in words. An empty line "
        "prints the state of the run.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = CS_ARGS_WORDS,
    .main = screen,
    .draws = CS_TAKES_OPEN,
};
