/* chainscope replay FILE.cast: plays a recording. A recording is not trusted.
 * Its content is therefore written to the terminal only through the terminal
 * emulator in screen/canvas/vt.h. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/line/stop.h"
#include "cli/line/subcommand.h"
#include "files/file.h"
#include "screen/player.h"
#include "screen/term/terminal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MARK = 2048 }; /* longest text of a mark */

/* Prints the frame after the first `end` events as text. */
static cs_status print_frame(const cs_cast *c, size_t end, cs_error *err)
{
    cs_vt v = {0};
    cs_status status = cs_player_draw(c, end, &v, err);
    if (status == CS_OK && !cs_vt_text(&v, stdout))
        status = cs_fail(err, CS_IO, "standard output cannot be written");
    cs_vt_fini(&v);
    return status;
}

/* Copies the text of the mark at event i with its continuations to out[size]. */
static void read_mark(const cs_cast *c, size_t i, char *out, size_t size)
{
    size_t used = 0;
    for (bool more = true; more && i < c->n && used < size; i++) {
        const cs_cast_event *e = &c->event[i];
        used += (size_t)snprintf(out + used, size - used, "%.*s", (int)e->size,
                                 e->text);
        more = i + 1 < c->n && e[1].code == 'n';
    }
}

/* Prints "At 3.2 s, step 400: TEXT"; further lines of the text are
 * indented. */
static void print_place(const cs_cast *c, size_t event, const char *text)
{
    char line[MARK], clean[2 * MARK];
    double step = cs_cast_step(c, event);
    printf("At %.1f s", c->event[event].time);
    if (step >= 0)
        printf(", step %.0f", step);
    for (const char *lead = ": "; *lead; lead = *text ? "  " : "") {
        size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        cs_text_clean(line, clean, sizeof clean);
        printf("%s%s\n", lead, clean);
        text += n;
        text += *text == '\n';
    }
}

/* Returns true if a mark is a step of a lesson. */
static bool has_lesson(const cs_cast *c)
{
    static const char head[] = "Lesson step ";
    for (size_t i = 0; i < c->n; i++)
        if (c->event[i].code == 'm' && c->event[i].size >= sizeof head - 1 &&
            memcmp(c->event[i].text, head, sizeof head - 1) == 0)
            return true;
    return false;
}

/* Prints all marks and the end, with the frames at these places, except for a
 * lesson, whose marks have its sentences. */
static cs_status print_marks(const cs_cast *c, cs_error *err)
{
    char text[MARK];
    cs_status status = CS_OK;
    bool frames = !has_lesson(c);
    for (size_t i = 0; i < c->n && status == CS_OK; i++) {
        const cs_cast_event *e = &c->event[i];
        bool last = i + 1 == c->n;
        if (e->code != 'm' && !last)
            continue;
        snprintf(text, sizeof text, "the end");
        if (e->code == 'm')
            read_mark(c, i, text, sizeof text);
        print_place(c, i, text);
        if (frames)
            status = print_frame(c, i + 1, err);
    }
    return status;
}

/* Replaces this process by the screen, which opens the run at this time. A step
 * would be ambiguous in a recording of several runs. */
static cs_status open_run(const char *path, double seconds, cs_error *err)
{
    char at[32];
    snprintf(at, sizeof at, "%.3fs", seconds);
    execl("/proc/self/exe", "chainscope", "screen", path, "--at", at,
          (char *)NULL);
    return cs_fail(
        err, CS_IO,
        "the run cannot be opened from the player; use chainscope FILE.cast");
}

static cs_status show(const cs_args *args, const cs_cast *c, cs_error *err)
{
    const char *at = cs_args_value(args, "at");
    char *end;
    double open, seconds = at ? strtod(at, &end) : 0;
    if (at && (end == at || *end || !(seconds >= 0)))
        return cs_fail(err, CS_INPUT,
                       "--at must be a time in seconds, not '%s'", at);
    if (at)
        return print_frame(c, cs_player_at(c, seconds), err);
    if (cs_args_value(args, "plain"))
        return print_marks(c, err);
    cs_status status = cs_player_run(c, &open, err);
    if (status == CS_STOPPED)
        cs_stop_take(cs_terminal_signal() ? cs_terminal_signal() : SIGINT);
    if (status == CS_UNSUPPORTED)
        cs_hint(err, "print one frame with --at SECONDS, or the frames at the "
                     "marks with --plain");
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
    {"at", "SECONDS", "print only the frame at this time, as text"},
    {"plain", NULL,
     "print the frames at all marks and the last frame, as text; for a lesson "
     "the sentences, questions and answers, with their times"},
};

const cs_subcommand cs_subcommand_replay = {
    .name = "replay",
    .args = "FILE.cast",
    .help = "play a recording of the screen (made by :record)",
    .more = "Keys: space pauses, . and , move by one frame, > and < move by "
            "one mark,\n"
            "+ and - change the speed, enter opens the run at the step shown, "
            "q quits.\n\n"
            "chainscope FILE.cast opens the run at the last step of the "
            "recording,\n"
            "from the scenario text stored in it. A damaged line is reported "
            "with its\n"
            "number and the file is rejected.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = replay,
};
