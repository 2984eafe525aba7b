/* chainscope run FILE: a scenario without a screen. Draws, checkpoint and
 * summary go to a folder, the summary to stdout, a line of progress to
 * stderr when that is a terminal. */
#include "cli/host.h"
#include "cli/subcommand.h"
#include "session/words.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 60000 };

static volatile sig_atomic_t stopped; /* the signal, 0 = none */

static void on_stop(int signal_number)
{
    stopped = signal_number;
}

static void catch_signals(void)
{
    struct sigaction act = {.sa_handler = on_stop};
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
}

static bool add(char *line, const char *text)
{
    size_t at = strlen(line);
    if (at + 2 >= LINE)
        return false;
    line[at] = ' ';
    return cs_words_quote(text, line + at + 1, LINE - at - 1);
}

/* "open FILE set ... seed=N": the run's own fields are sets without a point.*/
static cs_status open_scenario(cs_client *c, const cs_args *args, cs_error *err)
{
    static const char *const fields[] = {"steps", "seed", "chains", "workers"};
    static char line[LINE];
    strcpy(line, "open");
    bool fits = add(line, args->word[0]);
    for (size_t i = 0; i < args->n_set; i++)
        fits = fits && add(line, args->set[i]);
    for (size_t i = 0; i < 4; i++) {
        uint64_t n;
        char text[64];
        cs_status status = cs_args_count(args, fields[i], 0, &n, err);
        if (status)
            return status;
        if (!cs_args_value(args, fields[i]) || i == 0)
            continue;
        snprintf(text, sizeof text, "%s=%llu", fields[i],
                 (unsigned long long)n);
        fits = fits && add(line, text);
    }
    if (!fits)
        return cs_fail(err, CS_INPUT, "too much is set");
    return cs_front_ask(c, line, NULL, err);
}

static cs_status begin_files(cs_client *c, const cs_args *args, cs_error *err)
{
    static char line[LINE];
    uint64_t thin;
    char text[64];
    const char *folder = cs_args_value(args, "out");
    cs_status status = cs_args_count(args, "thin", 1, &thin, err);
    if (status || !folder)
        return status;
    strcpy(line, "write");
    snprintf(text, sizeof text, "thin=%llu", (unsigned long long)thin);
    if (!add(line, folder) || !add(line, text))
        return cs_fail(err, CS_INPUT, "the folder's name is too long");
    if (cs_args_value(args, "resume"))
        add(line, "resume");
    if (cs_args_value(args, "force"))
        add(line, "force");
    return cs_front_ask(c, line, NULL, err);
}

typedef struct seen {
    char state[16], message[1024];
    double steps, rate, progress, eta;
} seen;

static double number(const unsigned char *base, size_t used, const char *key)
{
    cs_flat_entry e;
    bool found = cs_flat_find(base, used, &e, "%s", key) && e.data;
    return found ? e.data[0] : (double)NAN;
}

static void text(const unsigned char *base, size_t used, const char *key,
                 char *out, size_t size)
{
    cs_flat_entry e;
    bool found = cs_flat_find(base, used, &e, "%s", key) && e.text;
    snprintf(out, size, "%s", found ? e.text : "");
}

static bool look(cs_client *c, seen *s)
{
    const unsigned char *base;
    size_t used;
    if (!cs_client_snapshot(c, &base, &used))
        return false;
    text(base, used, "run/state", s->state, sizeof s->state);
    text(base, used, "run/message", s->message, sizeof s->message);
    s->steps = number(base, used, "run/steps");
    s->rate = number(base, used, "run/rate");
    s->progress = number(base, used, "run/progress");
    s->eta = number(base, used, "run/eta");
    return true;
}

static void show_progress(const seen *s, double goal)
{
    double done = goal > 0 ? s->steps / goal : s->progress;
    fprintf(stderr, "\r\033[K%.0f steps, %.3g chain-steps/s", s->steps,
            s->rate);
    if (done > 0 && done <= 1)
        fprintf(stderr, ", %.0f %%", 100 * done);
    if (goal <= 0 && s->eta > 0)
        fprintf(stderr, ", %.0f s left", s->eta);
    fflush(stderr);
}

/* Waits until the run has stopped by itself, or was asked to. */
static cs_status follow(cs_client *c, double goal, cs_error *err)
{
    seen s = {0};
    bool terminal = isatty(STDERR_FILENO);
    char why[160];
    while (!stopped) {
        bool alive = cs_client_alive(c, why, sizeof why);
        if (!look(c, &s) && !alive)
            return cs_fail(err, CS_IO, "%s", why);
        if (s.state[0] && strcmp(s.state, "running") != 0)
            break;
        if (terminal && s.state[0])
            show_progress(&s, goal);
        if (alive)
            cs_client_wait(c, 200);
    }
    if (terminal)
        fprintf(stderr, "\r\033[K");
    if (strcmp(s.state, "failed") == 0)
        return cs_fail(err, CS_NUMERIC, "%s", s.message);
    return CS_OK;
}

/* Steps still to make: --steps counts from the start of the run, so that a
 * resumed run ends where an unbroken one does. */
static cs_status go(cs_client *c, const cs_args *args, double *goal,
                    cs_error *err)
{
    uint64_t steps;
    char line[64] = "run";
    seen s = {0};
    cs_status status = cs_args_count(args, "steps", 0, &steps, err);
    if (status)
        return status;
    look(c, &s); /* published before the replies so far */
    *goal = (double)steps;
    if (steps && s.steps >= (double)steps)
        return CS_OK;
    if (!steps && isnan(s.progress)) {
        cs_fail(err, CS_INPUT, "the scenario has no budget");
        cs_mend(err, "say how long with --steps N");
        return CS_INPUT;
    }
    if (steps)
        snprintf(line, sizeof line, "run %.0f", *goal - s.steps);
    status = cs_front_ask(c, line, NULL, err);
    return status ? status : follow(c, *goal, err);
}

static int end_files(cs_client *c, cs_error *err)
{
    const cs_message *m;
    cs_status status = cs_front_ask(c, "pause", NULL, err);
    if (status == CS_OK)
        status = cs_front_ask(c, "write", NULL, err);
    if (status == CS_OK)
        status = cs_front_ask(c, "summary", &m, err);
    if (status)
        return cs_complain(err);
    fwrite(m->body, 1, m->size, stdout);
    return CS_EXIT_OK;
}

static int run(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    cs_front_options options = {.trust = cs_args_value(args, "trust") != NULL};
    double goal;
    if (cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    catch_signals();
    cs_status status = open_scenario(c, args, &err);
    if (status == CS_OK)
        status = begin_files(c, args, &err);
    int code = CS_EXIT_OK;
    if (status) {
        code = cs_complain(&err);
    } else {
        status = go(c, args, &goal, &err);
        if (status)
            code = cs_complain(&err);
        /* A run that never began has nothing to say. */
        int end = status == CS_INPUT ? code : end_files(c, &err);
        code = code ? code : end;
    }
    cs_client_close(c, 10000);
    cs_client_destroy(c);
    return stopped ? 128 + stopped : code;
}

static const cs_option options[] = {
    {"out", "DIR", "draws (ARM_1.csv ...), checkpoint and summary go here"},
    {"steps", "N", "steps of every chain; else the scenario's budget"},
    {"thin", "N", "write one draw each N steps"},
    {"seed", "N", "instead of the scenario's"},
    {"chains", "N", "chains of every arm, instead of the scenario's"},
    {"workers", "N", "threads; results do not depend on them"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    {"resume", NULL, "go on from the checkpoint in DIR, bit for bit"},
    {"force", NULL, "write over what is in DIR"},
    {"trust", NULL, "let the scenario use all of Lua"},
};

const cs_subcommand cs_subcommand_run = {
    .name = "run",
    .args = "FILE [--out DIR] [--steps N] ...",
    .help = "a scenario without a screen",
    .more = "Ctrl-C stops at the next step and keeps everything.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .most_words = 1,
    .main = run,
};
