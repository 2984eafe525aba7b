/* The program without a screen. Each input line is a command for the session,
 * or the name of a panel to be described in sentences; events are printed as
 * they happen. The cursor is never moved, so screen readers, dumb terminals and
 * pipes receive whole lines in order. */
#include "cli/plain/plain.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/front/last_line.h"
#include "cli/line/stop.h"
#include "cli/plain/tell.h"
#include "screen/parts/tell_course.h"
#include "session/client/wire.h"
#include "session/commands/command.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = CS_WIRE_BYTES, LESSON = 600 };

typedef struct plain {
    cs_client *client;
    double every, next; /* seconds between progress lines, and time of the next
                         * line */
    bool terminal;      /* true if stdin is a terminal */
    bool over, failed;
    unsigned stops;      /* number of Ctrl-C processed so far */
    cs_shot shot;        /* newest snapshot [borrowed] from the client */
    cs_flat_index index; /* index of the keys in `shot` */
    double reported;     /* number of messages printed so far */
    char newest[256];    /* the newest message printed */
    char buffer[LINE];   /* input that is not yet processed */
    size_t used;
    bool skips; /* true while the rest of a line that is too long is skipped */
    bool ended; /* true at the end of the input */
} plain;

static void say(const char *text)
{
    size_t n = strlen(text);
    cs_text_write(text, n, stdout);
    if (n && text[n - 1] != '\n')
        putchar('\n');
    fflush(stdout);
}

static bool runs(const plain *p)
{
    return strcmp(cs_shot_text(&p->shot, "run/state"), "running") == 0;
}

/* Prints the events that have happened since the last call, each with its
 * step. */
static void say_events(plain *p)
{
    double n = cs_shot_number(&p->shot, 0, "run/messages");
    size_t rows, cols;
    const double *at = cs_shot_array(&p->shot, &rows, &cols, "run/said_at");
    if (n - p->reported > CS_SAID)
        p->reported = n - CS_SAID;
    for (; p->reported < n; p->reported++) {
        size_t i = (size_t)fmod(p->reported, CS_SAID);
        char line[400];
        snprintf(p->newest, sizeof p->newest, "%s",
                 cs_shot_text(&p->shot, "run/said/%zu", i));
        snprintf(line, sizeof line, "Step %.0f: %s.",
                 at && i < cols ? at[i] : (double)NAN, p->newest);
        say(line);
    }
}

static void tell(plain *p, const cs_teller *t)
{
    cs_page page = {0};
    t->tell(&p->shot, &page);
    say(page.text && page.used ? page.text
                               : "This run reports no such quantity.");
    cs_free(page.text);
}

static void look(plain *p)
{
    char why[160];
    cs_client_calm(p->client);
    bool ran = runs(p);
    while (cs_client_snapshot(p->client, &p->shot.base, &p->shot.used)) {
        cs_flat_index_make(&p->index, p->shot.base, p->shot.used);
        p->shot.index = &p->index;
        say_events(p);
    }
    if (ran && !runs(p))
        tell(p, cs_teller_find("status"));
    if (!cs_client_alive(p->client, why, sizeof why) && !p->over) {
        say(why);
        p->over = p->failed = true;
    }
}

static void complain(plain *p, const cs_error *err)
{
    char text[1200];
    cs_error_format(err, text, sizeof text);
    say(text);
    p->failed = true;
}

/* Sends a line and prints the answer. */
static bool ask(plain *p, const char *line)
{
    char *text = NULL;
    cs_error err;
    *p->newest = 0;
    cs_status status = cs_front_hear(p->client, line, &text, &err);
    look(p);
    if (text) /* the last line tells other fronts how a game has ended */
        cs_last_line(text);
    if (status)
        complain(p, &err);
    else if (text && *text && strncmp(text, p->newest, 250) != 0)
        /* if the answer equals the newest event, it was already printed with
         * that event */
        say(text);
    free(text);
    return status == CS_OK;
}

/* Prints the words and numbers of a panel, after requesting the quantities that
 * it shows. */
static void tell_panel(plain *p, const cs_panel_type *type)
{
    /* milliseconds between looks, and number of looks for a report that is being
     * computed */
    enum { WAIT = 200, PATIENCE = 50 };
    char words[512] = "", line[600];
    cs_page page = {0};
    cs_selection at;
    look(p);
    at = cs_tell_look(&p->shot, type);
    if (type->ask && cs_shot_arms(&p->shot))
        type->ask(&p->shot, &at, words, sizeof words);
    snprintf(line, sizeof line, "reports * %s", words);
    ask(p, line);
    for (int i = 0; i < PATIENCE && !p->over; i++) {
        cs_client_wait(p->client, WAIT);
        look(p);
        page.used = 0;
        if (!cs_tell_panel(&p->shot, type, &page) ||
            !strstr(page.text, "still being computed"))
            break;
    }
    if (page.text)
        say(page.text);
    cs_free(page.text);
}

/* Handles Ctrl-C: interrupts the run, which then pauses. */
static void take_stops(plain *p)
{
    unsigned now = cs_stop_count();
    if (now == p->stops)
        return;
    p->stops = now;
    if (cs_stop_signal() != 2 /* SIGINT */) {
        p->over = true;
        return;
    }
    cs_stop_forget();
    cs_client_interrupt(p->client);
    ask(p, "pause");
    say("Interrupted. Type quit to exit.");
}

/* Waits up to a few seconds for reports of the current step. */
static void wait_for_reports(plain *p)
{
    double end = cs_clock() + 5;
    while (!p->over && cs_clock() < end &&
           (cs_shot_number(&p->shot, 1, "run/reported") == 0 ||
            cs_shot_number(&p->shot, 1, "run/settled") == 0)) {
        cs_client_wait(p->client, 100);
        look(p);
    }
}

/* Waits until the run pauses, printing progress lines. */
static void wait_for_run(plain *p)
{
    look(p);
    while (runs(p) && !p->over) {
        cs_client_wait(p->client, 100);
        look(p);
        take_stops(p);
        if (p->every > 0 && runs(p) && cs_clock() >= p->next) {
            tell(p, cs_teller_find("status"));
            p->next = cs_clock() + p->every;
        }
    }
    wait_for_reports(p);
}

/* ---- lines ------------------------------------------------------------------------ */

static void help(plain *p)
{
    const cs_teller *t;
    say("Type a command or one of these words; an empty line prints the state "
        "of the run.");
    for (size_t i = 0; (t = cs_teller_at(i)); i++) {
        char line[160];
        snprintf(line, sizeof line, "%s: %s.", t->name, t->help);
        say(line);
    }
    if (cs_tells_course(&p->shot))
        say("next, or an empty line: the next step of the lesson. back: the "
            "step before. answer ANSWER: answer the question.");
    say("panel NAME, or only NAME: the words and numbers of another panel:");
    char names[700] = "";
    size_t used = 0;
    for (size_t i = 0; cs_panel_at(i) && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i ? ", " : "", cs_panel_at(i)->name);
    say(names);
    say("wait: wait until the run pauses. ; followed by Lua: run the Lua. "
        "quit: exit. commands: list all commands, such as run, pause, step "
        "100, rewind -100, set small.step 1, look large 2, event next, break, "
        "summary, claims.");
}

/* Returns true for a command that starts a run which ends by itself. If the
 * input is not a terminal, the program waits for the end of such a run. */
static bool is_finite(const char *line)
{
    static const char *const words[] = {"step", "rewind", "event", "run"};
    size_t n = strcspn(line, " ");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && strncmp(line, words[i], n) == 0)
            return i < 3 || line[n];
    return false;
}

static void say_commands(void)
{
    const cs_command *c;
    for (size_t i = 0; (c = cs_command_at(i)); i++) {
        char line[700];
        snprintf(line, sizeof line, "%s %s: %s.", c->name, c->args, c->help);
        say(line);
    }
}

/* Sends a line without printing its answer; prints an error. */
static bool order(plain *p, const char *line)
{
    char *text = NULL;
    cs_error err;
    cs_status status = cs_front_hear(p->client, line, &text, &err);
    free(text);
    look(p);
    if (status)
        complain(p, &err);
    return status == CS_OK;
}

/* Executes a command of the lesson: prints the step, or the answer that it gave
 * to the question, and waits for the steps of the chains that it starts. */
static void learn(plain *p, const char *line)
{
    cs_page page = {0};
    double before = cs_shot_number(&p->shot, 0, "run/steps");
    if (!order(p, line))
        return;
    if (strncmp(line, "answer ", 7) == 0)
        cs_tell_answer(&p->shot, &page);
    else
        cs_tell_course(&p->shot, &page);
    if (page.text)
        say(page.text);
    cs_free(page.text);
    if (runs(p)) {
        if (!p->terminal) /* the steps are not watched */
            order(p, "speed 0");
        wait_for_run(p);
    } else if (cs_shot_number(&p->shot, 0, "run/steps") > before) {
        tell(p, cs_teller_find("status")); /* the steps are already made */
    }
}

static void obey(plain *p, const char *line)
{
    char lesson[LESSON];
    static char lua[LINE + 8]; /* static, since a process reads only one
                                * input */
    const char *panel = strncmp(line, "tell ", 5) == 0    ? line + 5
                        : strncmp(line, "panel ", 6) == 0 ? line + 6
                                                          : line;
    const cs_teller *t = cs_teller_find(panel);
    if (cs_course_line(&p->shot, line, lesson, sizeof lesson)) {
        if (cs_shot_is_game(&p->shot))
            ask(p, lesson);
        else
            learn(p, lesson);
    } else if (strncmp(line, "course", 6) == 0 ||
               strncmp(line, "answer ", 7) == 0) {
        learn(p, line);
    } else if (t) {
        look(p);
        tell(p, t);
    } else if (cs_panel_find(panel) &&
               (panel != line || !cs_command_named(line))) {
        tell_panel(p, cs_panel_find(panel));
    } else if (panel != line) {
        say("There is no such panel: help lists the panels.");
    } else if (*line == ';') {
        snprintf(lua, sizeof lua, "lua %s", line + 1);
        ask(p, lua);
    } else if (strcmp(line, "quit") == 0) {
        p->over = true;
    } else if (strcmp(line, "wait") == 0) {
        wait_for_run(p);
    } else if (strcmp(line, "help") == 0) {
        help(p);
    } else if (strcmp(line, "commands") == 0) {
        say_commands();
    } else if (ask(p, line) && (is_finite(line) || !p->terminal)) {
        if (is_finite(line))
            wait_for_run(p);
    }
}

static void take_line(plain *p, char *line)
{
    line[strcspn(line, "\r")] = 0;
    line += strspn(line, " \t:");
    size_t n = strlen(line);
    while (n && line[n - 1] == ' ')
        line[--n] = 0;
    if (*line == '#')
        return;
    if (*line || cs_tells_course(&p->shot)) {
        obey(p, line);
        return;
    }
    look(p);
    tell(p, cs_teller_find("status"));
}

/* Reports a line that is damaged and therefore not executed. */
static void refuse_line(plain *p, const char *why)
{
    cs_error err;
    cs_fail(&err, CS_INPUT, "ignored a line that %s", why);
    complain(p, &err);
}

/* Executes the complete lines in the buffer. */
static void take_lines(plain *p)
{
    static char line[LINE]; /* static, since a process reads only one input */
    char *end;
    while (!p->over && (end = memchr(p->buffer, '\n', p->used))) {
        size_t n = (size_t)(end - p->buffer);
        bool skips = p->skips;
        memcpy(line, p->buffer, n);
        line[n] = 0;
        p->used -= n + 1;
        memmove(p->buffer, end + 1, p->used);
        p->skips = false;
        if (!skips && strlen(line) < n)
            refuse_line(p, "contains a zero byte");
        else if (!skips)
            take_line(p, line);
    }
}

static void read_more(plain *p)
{
    ssize_t n = read(STDIN_FILENO, p->buffer + p->used, LINE - 1 - p->used);
    if (n > 0)
        p->used += (size_t)n;
    bool broken = n < 0 && errno != EINTR && errno != EAGAIN;
    p->ended = n == 0 || broken;
    if (p->ended && p->used)
        p->buffer[p->used++] = '\n';
    if (p->used < LINE - 1 || memchr(p->buffer, '\n', p->used))
        return;
    if (!p->skips)
        refuse_line(p, "is longer than 98000 bytes");
    p->skips = true;
    p->used = 0;
}

static void greet(plain *p)
{
    char line[512];
    const char *title = cs_shot_text(&p->shot, "run/title");
    size_t n = strlen(title);
    const char *stop = n && strchr(".?!", title[n - 1]) ? "" : ".";
    /* The sentence `shows` of a lesson would answer its questions. */
    if (cs_tells_course(&p->shot))
        snprintf(line, sizeof line, "%.120s%s", title, stop);
    else
        snprintf(line, sizeof line, "%.120s%s %.250s.", title, stop,
                 cs_shot_text(&p->shot, "run/shows"));
    say(*title ? line : "Chainscope. open FILE opens a scenario.");
    if (*title) {
        tell(p, cs_teller_find("status"));
        tell(p, cs_teller_find("arms"));
    }
    if (cs_shot_is_game(&p->shot))
        learn(p, "course");
    else if (cs_tells_course(&p->shot)) {
        say("Press enter for the next step of the lesson, or type back for the "
            "step before. Answer a question by a number or a text.");
        learn(p, "course");
    }
    if (p->terminal)
        say("Type help for the list of commands.");
}

static void serve(plain *p)
{
    while (!p->over && (!p->ended || p->used)) {
        int fd[2], wait = p->every > 0 && runs(p)
                              ? (int)fmax(0, 1e3 * (p->next - cs_clock()))
                              : 1000;
        take_lines(p);
        if (p->over || p->ended)
            break;
        cs_client_fds(p->client, fd);
        struct pollfd f[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = fd[0], .events = POLLIN}};
        int n = poll(f, 2, wait);
        take_stops(p);
        look(p);
        if (n > 0 && f[0].revents)
            read_more(p);
        if (p->every > 0 && runs(p) && cs_clock() >= p->next) {
            tell(p, cs_teller_find("status"));
            p->next = cs_clock() + p->every;
        }
    }
    take_lines(p);
}

int cs_plain(cs_client *c, double every)
{
    static plain p;
    p = (plain){.client = c,
                .every = every,
                .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    p.next = cs_clock() + every;
    ask(&p, "reports *");
    wait_for_run(&p); /* waits until the step of --at is reached */
    p.failed = false;
    greet(&p);
    serve(&p);
    /* At the end of a pipe, a run with a budget continues to the end of the
     * budget. */
    bool ends = !isnan(cs_shot_number(&p.shot, (double)NAN, "run/progress"));
    if (!p.over && p.ended && runs(&p) && ends)
        wait_for_run(&p);
    cs_stop_say("at step %.0f", cs_shot_number(&p.shot, 0, "run/steps"));
    cs_flat_index_free(&p.index);
    return p.failed && !p.terminal ? CS_EXIT_FAILED : CS_EXIT_OK;
}
