/* chainscope replay FILE.cast: a recording, played again. What is recorded is
 * not trusted: it reaches the terminal by screen/vt.h alone. */
#include "base/memory.h"
#include "cli/stop.h"
#include "cli/subcommand.h"
#include "files/file.h"
#include "screen/player.h"
#include "screen/terminal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The frame at a time, as text. */
static cs_status print_frame(const cs_cast *c, double seconds, cs_error *err)
{
    cs_vt v = {0};
    cs_status status = cs_player_draw(c, cs_player_at(c, seconds), &v, err);
    if (status == CS_OK && !cs_vt_text(&v, stdout))
        status = cs_fail(err, CS_IO, "standard output cannot be written");
    cs_vt_fini(&v);
    return status;
}

/* This process goes on as the screen. */
static cs_status open_run(const char *path, double step, cs_error *err)
{
    char at[32];
    snprintf(at, sizeof at, "%.0f", step);
    execl("/proc/self/exe", "chainscope", "screen", path, "--at", at,
          (char *)NULL);
    return cs_fail(err, CS_IO,
                   "the run cannot be opened: try chainscope "
                   "FILE.cast");
}

static cs_status show(const cs_args *args, const cs_cast *c, cs_error *err)
{
    const char *at = cs_args_value(args, "at");
    char *end;
    double open, seconds = at ? strtod(at, &end) : 0;
    if (at && (end == at || *end || !(seconds >= 0)))
        return cs_fail(err, CS_INPUT, "--at %s is no time in seconds", at);
    if (at)
        return print_frame(c, seconds, err);
    cs_status status = cs_player_run(c, &open, err);
    if (status == CS_STOPPED)
        cs_stop_take(cs_terminal_signal() ? cs_terminal_signal() : SIGINT);
    if (status == CS_UNSUPPORTED)
        cs_hint(err, "--at SECONDS prints one frame");
    if (status == CS_OK && open >= 0)
        status = open_run(args->word[0], open, err);
    return status;
}

static int replay(const cs_args *args)
{
    cs_cast c;
    cs_error err;
    unsigned char *text = NULL;
    size_t size;
    cs_status status =
        cs_file_read(args->word[0], CS_CAST_MOST, &text, &size, &err);
    if (status == CS_OK)
        status = cs_cast_read(&c, (char *)text, size, args->word[0], &err);
    if (status == CS_OK) {
        status = show(args, &c, &err);
        cs_cast_fini(&c);
    }
    cs_free(text);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"at", "SECONDS", "print the frame at this time as text instead"},
};

const cs_subcommand cs_subcommand_replay = {
    .name = "replay",
    .args = "FILE.cast",
    .help = "play a recording of the screen (:record) again",
    .more =
        "space pauses, . and , are one frame on and back, > and < the next "
        "and\nthe last mark, + and - the speed, enter opens the run at the "
        "step that\nis shown, q leaves. chainscope FILE.cast opens the run "
        "at the step at\nwhich the recording ends, from the scenario's text "
        "that it carries. A line\nthat is damaged is refused by its number.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .most_words = 1,
    .main = replay,
};
