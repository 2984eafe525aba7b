#include "cli/front/follow_run.h"

#include "base/clock.h"
#include "base/flat_index.h"
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/line/stop.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds until the first progress line in a file, and between two lines. */
enum { FIRST = 30, EVERY = 60 };

static double number(const cs_flat_index *x, const char *key)
{
    cs_flat_entry e;
    bool found = cs_flat_index_find_key(x, &e, key) && e.data;
    return found ? e.data[0] : (double)NAN;
}

static void text(const cs_flat_index *x, const char *key, char *out,
                 size_t size)
{
    cs_flat_entry e;
    bool found = cs_flat_index_find_key(x, &e, key) && e.text;
    snprintf(out, size, "%s", found ? e.text : "");
}

/* Appends a warning line for each arm whose bounds are too loose to be
 * useful. */
static void find_loose(const cs_flat_index *x, cs_seen *s)
{
    char name[80], why[512], key[64];
    size_t at = 0;
    text(x, "run/unsteady", s->loose, sizeof s->loose / 2);
    at = strlen(s->loose);
    if (at)
        s->loose[at++] = '\n';
    s->loose[at] = 0;
    for (double i = 0, arms = number(x, "run/arms"); i < arms; i++) {
        snprintf(key, sizeof key, "arm/%.0f/name", i);
        text(x, key, name, sizeof name);
        snprintf(key, sizeof key, "arm/%.0f/loose", i);
        text(x, key, why, sizeof why);
        if (why[0] && at < sizeof s->loose)
            at += (size_t)snprintf(s->loose + at, sizeof s->loose - at,
                                   "arm %s: %s\n", name, why);
    }
}

static void find_updates(const cs_flat_index *x, cs_seen *s)
{
    cs_flat_entry e, all;
    s->update = s->updates = 0;
    double arms = number(x, "run/arms");
    for (size_t i = 0; (double)i < arms; i++) {
        if (!cs_flat_index_find(x, &e, "arm/%zu/learn/update", i) ||
            !cs_flat_index_find(x, &all, "arm/%zu/learn/updates", i) ||
            !e.data || !all.data)
            continue;
        if (s->updates == 0 ||
            e.data[0] / all.data[0] < s->update / s->updates) {
            s->update = e.data[0];
            s->updates = all.data[0];
        }
    }
}

void cs_follow_read(const unsigned char *base, size_t used, cs_seen *s)
{
    static cs_flat_index index; /* static because it is too large for the
                                 * stack */
    const cs_flat_index *x = &index;
    cs_flat_entry e;
    cs_flat_index_make(&index, base, used);
    text(x, "run/state", s->state, sizeof s->state);
    text(x, "run/title", s->title, sizeof s->title);
    text(x, "run/name", s->run, sizeof s->run);
    text(x, "run/message", s->message, sizeof s->message);
    for (int i = 0; i < CS_SAID; i++) {
        char key[32];
        snprintf(key, sizeof key, "run/said/%d", i);
        text(x, key, s->said[i], sizeof s->said[i]);
    }
    s->watched =
        cs_flat_index_find_key(x, &e, "run/watched") && e.text && *e.text;
    s->steps = number(x, "run/steps");
    s->rate = number(x, "run/rate");
    s->progress = number(x, "run/progress");
    s->tuned = number(x, "run/tuned");
    s->eta = number(x, "run/eta");
    s->messages = number(x, "run/messages");
    s->arms = number(x, "run/arms");
    s->chains = number(x, "run/chains");
    s->stopped = number(x, "run/failed");
    s->lost = number(x, "run/lost");
    find_updates(x, s);
    find_loose(x, s);
    cs_flat_index_free(&index);
}

bool cs_follow_look(cs_client *c, cs_seen *s)
{
    const unsigned char *base;
    size_t used;
    bool newer = cs_client_snapshot(c, &base, &used);
    if (newer)
        cs_follow_read(base, used, s);
    return newer;
}

bool cs_follow_see(cs_client *c, cs_seen *s)
{
    const unsigned char *base;
    size_t used;
    bool any =
        cs_client_snapshot(c, &base, &used) || cs_client_last(c, &base, &used);
    if (any)
        cs_follow_read(base, used, s);
    return any;
}

void cs_follow_warn(const cs_seen *s)
{
    char line[1024], clean[2400];
    const char *at = s->loose;
    for (size_t n; *at; at += n + (at[n] == '\n')) {
        n = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, at);
        cs_text_clean(line, clean, sizeof clean);
        fprintf(stderr, "chainscope: %s\n", clean);
    }
}

void cs_follow_left(double seconds)
{
    long s = (long)ceil(seconds);
    if (!(seconds > 0 && seconds < 1e7))
        return;
    if (s < 60)
        fprintf(stderr, ", %ld s left", s);
    else if (s < 3600)
        fprintf(stderr, ", %ld:%02ld left", s / 60, s % 60);
    else
        fprintf(stderr, ", %ld:%02ld:%02ld left", s / 3600, s / 60 % 60,
                s % 60);
}

static void show_message(const char *text)
{
    fprintf(stderr, "%schainscope: ", isatty(STDERR_FILENO) ? "\r\033[K" : "");
    cs_text_write(text, strlen(text), stderr);
    fputc('\n', stderr);
}

/* Prints messages. The session stores the newest messages, each shortened to
 * one line. It stores the last message in full, too. */
void cs_follow_messages(const cs_seen *s, double last, double *reported)
{
    double from = fmax(*reported, s->messages - CS_SAID);
    if (from > *reported && last > from)
        fprintf(stderr, "chainscope: %.0f more messages\n", from - *reported);
    for (double i = from; i < last; i++)
        show_message(i + 1 < s->messages ? s->said[(int)fmod(i, CS_SAID)]
                                         : s->message);
    *reported = fmax(*reported, last);
}

/* Prints the progress. On a terminal, one line is rewritten; in a file, for
 * example of a batch job, a new line is printed at longer intervals. */
static void show_line(const cs_seen *s, cs_follow_show *show, void *to,
                      bool terminal, double *next)
{
    double now = cs_clock();
    if (!s->state[0] || (!terminal && now < *next))
        return;
    *next = now + EVERY;
    fputs(terminal ? "\r\033[K" : "chainscope: ", stderr);
    show(s, to);
    if (!terminal)
        fputc('\n', stderr);
    fflush(stderr);
}

/* Follows the run. A snapshot is published before the reply to `run`, so the
 * first snapshot already reports that the run has started. */
cs_status cs_follow(cs_client *c, cs_follow_show *show, void *to,
                    double *reported, cs_error *err)
{
    assert(c && reported);
    cs_seen s = {0};
    bool terminal = isatty(STDERR_FILENO);
    char why[160];
    double next = cs_clock() + FIRST;
    while (!cs_stop_signal()) {
        bool alive = cs_client_alive(c, why, sizeof why);
        bool news = cs_follow_look(c, &s), failed = !strcmp(s.state, "failed");
        if (!news && !alive)
            return cs_fail(err, CS_ENDED, "%s", why);
        /* after a failure the last message is the error; it is not printed */
        if (news)
            cs_follow_messages(&s, s.messages - failed, reported);
        if (s.state[0] && strcmp(s.state, "running") != 0)
            break;
        show_line(&s, show, to, terminal, &next);
        if (alive)
            cs_client_wait(c, 200);
    }
    if (cs_stop_signal())
        cs_client_interrupt(c); /* the run stops after the current step */
    if (terminal)
        fprintf(stderr, "\r\033[K");
    if (strcmp(s.state, "failed") == 0)
        return cs_fail(err, CS_NUMERIC, "%s", s.message);
    return CS_OK;
}

static void show_progress(const cs_seen *s, void *to)
{
    (void)to;
    fprintf(stderr, "%.0f steps, %.3g chain-steps/s", s->steps, s->rate);
    if (s->updates > 0)
        fprintf(stderr, ", update %.0f of %.0f", s->update, s->updates);
    if (s->progress >= 0)
        fprintf(stderr, ", %.0f %%", floor(100 * s->progress));
    if (s->tuned < 1)
        fprintf(stderr, ", warm-up %.0f %%", floor(100 * s->tuned));
    cs_follow_left(s->eta);
}

cs_status cs_follow_budget(cs_client *c, double *reported, cs_error *err)
{
    cs_seen s = {0};
    cs_follow_see(c, &s); /* the snapshot was published before the replies
                           * received so far */
    if (isnan(s.progress) && s.steps > 0)
        return CS_OK;
    if (isnan(s.progress) && !s.watched) {
        cs_fail(err, CS_INPUT, "the scenario has no budget");
        cs_hint(err, "add --steps N");
        return CS_INPUT;
    }
    /* The first message only reports that a folder was opened, so it is not
     * printed. Messages about rejected files are printed. */
    *reported = s.watched ? fmin(1, s.messages) : s.messages;
    cs_follow_warn(&s);
    cs_status status = cs_front_ask(c, "run", NULL, err);
    return status ? status : cs_follow(c, show_progress, NULL, reported, err);
}

cs_status cs_follow_to(cs_client *c, cs_seen *s, double step, double *reported,
                       cs_error *err)
{
    char line[64];
    cs_follow_look(c, s);
    *reported = s->messages;
    if (s->steps >= step)
        return CS_OK;
    snprintf(line, sizeof line, "run %.0f", step - s->steps);
    cs_status status = cs_front_ask(c, line, NULL, err);
    return status ? status : cs_follow(c, show_progress, NULL, reported, err);
}
