/* W5: frames per second of the screen while its run is at full speed. The
 * program runs as a child process in a hidden terminal of 200 x 60 characters.
 * A burst of output counts as a frame if it writes in the first row of the
 * screen, which shows the step number. */
#include "base/clock.h"
#include "base/install_paths.h"
#include "bench/bench.h"
#include "bench/child.h"

#include <math.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 60, COLS = 200, TAIL = 16, PATH = 1024 };

static const double opening = 10, measured = 2, apart = 0.008;

/* The scenarios with the longest reports. */
static const char *const files[] = {
    "scenarios/acs/25_modes.lua", "scenarios/targets/ising.lua",
    "scenarios/start/08_tempering.lua", "scenarios/edlp/tsp.lua"};

typedef struct screen {
    pid_t child;
    int terminal;
    char text[4096 + TAIL]; /* end of the earlier output, followed by the newest
                             * output */
    size_t kept, n;
} screen;

static bool open_screen(screen *s, const char *program, const char *file)
{
    struct winsize size = {.ws_row = ROWS, .ws_col = COLS};
    *s = (screen){.n = 0};
    s->child = forkpty(&s->terminal, NULL, NULL, &size);
    if (s->child == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        execl(program, "chainscope", file, (char *)NULL);
        _exit(127);
    }
    return s->child > 0;
}

static void close_screen(const screen *s)
{
    kill(s->child, SIGTERM);
    close(s->terminal);
    waitpid(s->child, NULL, 0);
}

/* Returns true if output arrived within the given seconds. */
static bool hear(screen *s, double seconds)
{
    struct pollfd from = {.fd = s->terminal, .events = POLLIN};
    if (poll(&from, 1, (int)(1e3 * seconds)) <= 0)
        return false;
    if (s->n > TAIL)
        memmove(s->text, s->text + s->n - TAIL, TAIL);
    s->kept = s->n > TAIL ? TAIL : s->n;
    ssize_t got =
        read(s->terminal, s->text + s->kept, sizeof s->text - 1 - s->kept);
    s->n = s->kept + (got > 0 ? (size_t)got : 0);
    s->text[s->n] = 0;
    return got > 0;
}

static bool says(const screen *s, const char *what)
{
    return strstr(s->text, what) != NULL;
}

static bool wait_for(screen *s, const char *what)
{
    for (double end = cs_clock() + opening; cs_clock() < end;)
        if (hear(s, 0.1) && says(s, what))
            return true;
    return false;
}

/* Returns true if the output moves the cursor to the first row, by any of the
 * sequences that do so. */
static bool is_first_row(const screen *s)
{
    return says(s, "\033[H") || says(s, "\033[1;") || says(s, "\033[1d");
}

/* Counts frames while the run is active. If the run ends early, counts only the
 * time until it ends. */
static double count(screen *s)
{
    double from = cs_clock(), now = from;
    size_t n = 0;
    bool first_row = false;
    while ((now = cs_clock()) - from < measured) {
        if (hear(s, apart)) {
            first_row |= is_first_row(s);
            if (says(s, "done"))
                break;
        } else {
            n += first_row;
            first_row = false;
            s->n = 0; /* discards the counted output */
        }
    }
    return (double)n / (now - from);
}

static bool measure(const char *program, const char *file, double *rate)
{
    screen s;
    if (!open_screen(&s, program, file))
        return false;
    bool good = wait_for(&s, "paused") && write(s.terminal, "= ", 2) == 2 &&
                wait_for(&s, "running");
    *rate = good ? count(&s) : 0;
    close_screen(&s);
    return good;
}

static cs_status run(const cs_bench_plan *plan, cs_error *err)
{
    double least = HUGE_VAL;
    char title[160] = "", program[PATH];
    if (!cs_bench_wants(plan, "W5"))
        return CS_OK;
    if (cs_bench_program(program, sizeof program, err))
        return CS_UNSUPPORTED;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[PATH];
        double rate;
        if (!cs_install_path(path, sizeof path, files[i]) ||
            !measure(program, path, &rate))
            return cs_fail(err, CS_INPUT, "cannot display %s", files[i]);
        if (rate < least)
            snprintf(title, sizeof title,
                     "pictures per second at full speed, 200x60; minimum over "
                     "%zu: %s",
                     sizeof files / sizeof *files, files[i]);
        least = fmin(least, rate);
    }
    cs_bench_row row = cs_bench_row_of("W5", title, "1/s");
    row.ours = least;
    row.ask = CS_ASK_LEAST;
    row.must = 8;
    cs_bench_print(&row, plan);
    return CS_OK;
}

const cs_bench_case cs_bench_case_pictures = {
    .run = run,
};
