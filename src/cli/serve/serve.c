/* watch DIR --serve: the pages of a watched run. All work is done in one loop
 * and one thread: it follows the session, and answers requests. A request
 * writes the pages again if they are old and the run has changed since; during
 * this time the session does not advance, so that all numbers of a page belong
 * to the same draws. */
#include "cli/serve/serve.h"

#include "base/clock.h"
#include "base/markup.h"
#include "base/memory.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/line/stop.h"
#include "cli/page/run_page.h"
#include "cli/serve/server.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORT = 8787, MAX_PORT = 65535 };
/* minimum seconds between two pages, and maximum share of the time that is used
 * to write pages */
#define INTERVAL 2.0
#define SHARE 0.2

/* The pages written last: all belong to one snapshot. */
typedef struct pages {
    cs_page whole;  /* the live page, for the path / */
    cs_page body;   /* the contents of the live page, for /body */
    cs_page report; /* the page without a script, for /report.html */
    char *data;     /* the figures, for /data.json [own: free] */
    char tag[64];   /* value of ETag; changes with each write */
} pages;

typedef struct server_state {
    cs_client *client;
    cs_server *server;
    const cs_args *args;
    cs_seen now;     /* newest snapshot */
    double reported; /* number of messages printed */
    double resumed;  /* time of the last command `run` */
    pages made;
    cs_seen shown;    /* snapshot of the pages */
    double at, took;  /* time and duration of the last write; at 0: no write */
    unsigned long n;  /* number of writes */
    double started;   /* makes the tags of this process unique */
    cs_status status; /* failure that ends the loop */
    cs_error err;
} server_state;

/* ---- pages ---- */

/* Asks for the contents every few seconds and replaces them, unless text is
 * selected. Keeps the positions of scrolled elements. */
static const char script[] =
    "'use strict';\n"
    "(() => {\n"
    "  const seconds = 3;\n"
    "  const report = document.getElementById('report');\n"
    "  const lost = document.getElementById('lost');\n"
    "  let tag = report.dataset.tag;\n"
    "  const scrolled = () =>\n"
    "    [...report.querySelectorAll('pre, table, figure > div')];\n"
    "  const replace = text => {\n"
    "    const y = window.scrollY;\n"
    "    const x = scrolled().map(e => e.scrollLeft);\n"
    "    report.innerHTML = text;\n"
    "    scrolled().forEach((e, i) => { if (x[i]) e.scrollLeft = x[i]; });\n"
    "    window.scrollTo(window.scrollX, y);\n"
    "  };\n"
    "  const look = async () => {\n"
    "    try {\n"
    "      const answer = await fetch('/body',\n"
    "        { headers: { 'If-None-Match': tag }, cache: 'no-store' });\n"
    "      lost.hidden = answer.status === 200 || answer.status === 304;\n"
    "      if (answer.status === 200 && getSelection().isCollapsed) {\n"
    "        const text = await answer.text();\n"
    "        tag = answer.headers.get('ETag');\n"
    "        replace(text);\n"
    "      }\n"
    "    } catch { lost.hidden = false; }\n"
    "    setTimeout(look, 1000 * seconds);\n"
    "  };\n"
    "  setTimeout(look, 1000 * seconds);\n"
    "})();\n";

static const char live_head[] =
    "<script src=\"/live.js\" defer></script>\n"
    "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n";

static const char *state_text(const char *state)
{
    static const char *const texts[][2] = {
        {"running", "new draws are being read"},
        {"waiting", "waiting for more draws"},
        {"paused", "waiting for more draws"},
        {"done", "the run has ended"},
        {"failed", "the run has failed"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i][0], state) == 0)
            return texts[i][1];
    return state;
}

/* Adds the line about the state of the run, and the links. `state` is the
 * state in which the run was before it was paused for the page. */
static void add_status(const cs_seen *s, const char *state, cs_page *out)
{
    const cs_markup *html = cs_markup_find("html");
    cs_page_put(out, "<p class=\"live\">Live page, draw %.0f: %s.", s->steps,
                state_text(state));
    if (s->messages > 1 && *s->message) { /* the first reports the opening */
        cs_page_put(out, " Last message: ");
        cs_markup_text(html, s->message, out);
        cs_page_put(out, ".");
    }
    cs_page_put(out, " Download: <a href=\"/report.html\">report.html</a>, "
                     "<a href=\"/data.json\">data.json</a>.</p>\n");
}

static void free_pages(pages *p)
{
    cs_free(p->whole.text);
    cs_free(p->body.text);
    cs_free(p->report.text);
    free(p->data);
    *p = (pages){0};
}

static const char *text_of(const cs_page *p)
{
    return p->text ? p->text : "";
}

/* Puts the pages together from the contents of the report. */
static cs_status assemble(const server_state *s, pages *p, const cs_page *body,
                          const char *state, cs_error *err)
{
    const char *title = *s->shown.title ? s->shown.title : s->args->word[0];
    snprintf(p->tag, sizeof p->tag, "\"%.6f-%lu\"", s->started, s->n);
    add_status(&s->shown, state, &p->body);
    cs_page_put(&p->body, "%s", text_of(body));
    cs_run_page_head(title, live_head, &p->whole);
    cs_page_put(
        &p->whole,
        "<p id=\"lost\" class=\"known\" hidden>The program that serves "
        "this page does not answer: the page may be old.</p>\n"
        "<main id=\"report\" data-tag='%s'>\n%s</main>\n" CS_RUN_PAGE_END,
        p->tag, text_of(&p->body));
    cs_run_page_head(title, "", &p->report);
    cs_page_put(&p->report, "%s" CS_RUN_PAGE_END, text_of(body));
    return p->whole.full || p->body.full || p->report.full
               ? cs_fail(err, CS_MEMORY, "out of memory for the page")
               : CS_OK;
}

/* Writes all pages. The run must be paused. */
static cs_status write_pages(server_state *s, const char *state, cs_error *err)
{
    pages made = {0};
    cs_page body = {0}, command = {0};
    cs_run_page_serve_command(s->args, &command);
    cs_status status = cs_run_page_body(s->client, s->args, text_of(&command),
                                        &s->shown, &body, err);
    if (status == CS_OK)
        status = cs_front_hear(s->client, "summary json", &made.data, err);
    s->n++;
    if (status == CS_OK)
        status = assemble(s, &made, &body, state, err);
    if (status == CS_OK) {
        free_pages(&s->made);
        s->made = made;
    } else {
        free_pages(&made);
    }
    cs_free(body.text);
    cs_free(command.text);
    return status;
}

/* ---- the run ---- */

static bool is_state(const server_state *s, const char *state)
{
    return strcmp(s->now.state, state) == 0;
}

/* Continues a run that is paused, and prints new messages. */
static void follow(server_state *s)
{
    char why[160];
    bool alive = cs_client_alive(s->client, why, sizeof why);
    cs_follow_see(s->client, &s->now);
    if (!alive)
        s->status = cs_fail(&s->err, CS_ENDED, "%s", why);
    cs_follow_messages(&s->now, s->now.messages, &s->reported);
    double now = cs_clock();
    if (!alive || !is_state(s, "paused") || now - s->resumed < INTERVAL / 4)
        return;
    s->resumed = now;
    cs_front_ask(s->client, "run", NULL, NULL);
}

static bool is_stale(const server_state *s)
{
    const cs_seen *a = &s->now, *b = &s->shown;
    if (s->at == 0)
        return true;
    bool same = a->steps == b->steps && a->messages == b->messages &&
                (strcmp(a->state, b->state) == 0 ||
                 strcmp(state_text(a->state), state_text(b->state)) == 0);
    return !same && cs_clock() - s->at >= fmax(INTERVAL, s->took / SHARE);
}

/* Writes the pages again if they are old. */
static cs_status refresh(server_state *s, cs_error *err)
{
    follow(s);
    if (s->status) {
        *err = s->err;
        return s->status;
    }
    if (!is_stale(s))
        return CS_OK;
    char state[sizeof s->now.state];
    bool ended = is_state(s, "done") || is_state(s, "failed");
    double start = cs_clock();
    memcpy(state, s->now.state, sizeof state);
    cs_status status =
        ended ? CS_OK : cs_front_ask(s->client, "pause", NULL, err);
    if (status == CS_OK)
        status = write_pages(s, state, err);
    memcpy(s->shown.state, state, sizeof state);
    s->took = cs_clock() - start;
    s->at = status ? 0 : cs_clock(); /* after a failure, tries again */
    s->resumed = 0;
    follow(s);
    return status;
}

/* ---- answers ---- */

typedef struct path {
    const char *path, *type, *file;
    void (*find)(const pages *p, cs_content *out);
} path;

static void give_page(const cs_page *p, cs_content *out)
{
    out->text = text_of(p);
    out->size = p->used;
}

static void give_whole(const pages *p, cs_content *out)
{
    give_page(&p->whole, out);
}

static void give_body(const pages *p, cs_content *out)
{
    give_page(&p->body, out);
}

static void give_report(const pages *p, cs_content *out)
{
    give_page(&p->report, out);
}

static void give_data(const pages *p, cs_content *out)
{
    out->text = p->data;
    out->size = strlen(p->data);
}

#define HTML "text/html; charset=utf-8"
static const path paths[] = {
    {"/", HTML, NULL, give_whole},
    {"/body", HTML, NULL, give_body},
    {"/report.html", HTML, "report.html", give_report},
    {"/data.json", "application/json", NULL, give_data},
};

static cs_status find(void *self, const char *name, cs_content *out,
                      cs_error *err)
{
    server_state *s = self;
    if (strcmp(name, "/live.js") == 0) {
        *out = (cs_content){script, sizeof script - 1,
                            "text/javascript; charset=utf-8", NULL, NULL};
        return CS_OK;
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (strcmp(name, paths[i].path) != 0)
            continue;
        cs_status status = refresh(s, err);
        if (status)
            return status == CS_UNKNOWN ? CS_IO : status;
        out->type = paths[i].type;
        out->file = paths[i].file;
        out->tag = s->made.tag;
        paths[i].find(&s->made, out);
        return CS_OK;
    }
    return cs_fail(err, CS_UNKNOWN, "no such page");
}

/* ---- the loop ---- */

static void show_status(const server_state *s, double *next)
{
    double now = cs_clock();
    if (!isatty(STDERR_FILENO) || now < *next)
        return;
    *next = now + 1;
    fprintf(stderr, "\r\033[Kdraw %.0f: %s; Ctrl-C ends the page", s->now.steps,
            state_text(s->now.state));
    fflush(stderr);
}

static void loop(server_state *s)
{
    double next = 0;
    while (!cs_stop_signal() && s->status == CS_OK) {
        int fd[2], wait = cs_server_wait(s->server);
        cs_client_fds(s->client, fd);
        struct pollfd p[] = {{.fd = cs_server_fd(s->server), .events = POLLIN},
                             {.fd = fd[0], .events = POLLIN}};
        poll(p, 2, wait < 0 || wait > 500 ? 500 : wait);
        cs_client_calm(s->client);
        follow(s);
        cs_server_tend(s->server);
        show_status(s, &next);
    }
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

/* Reads the value of --serve; without a value *port is 0 and *any is true. */
static cs_status read_port(const cs_args *args, unsigned *port, bool *any,
                           cs_error *err)
{
    uint64_t n = 0;
    const char *text = cs_args_value(args, "serve");
    *any = !*text;
    *port = PORT;
    if (*any)
        return CS_OK;
    cs_status status = cs_args_count(args, "serve", PORT, &n, err);
    if (status == CS_OK && n > MAX_PORT)
        status = cs_fail(err, CS_INPUT, "--serve: %s is not between 0 and %d",
                         text, MAX_PORT);
    *port = (unsigned)n;
    return status;
}

static cs_status open_server(server_state *s, cs_error *err)
{
    unsigned port;
    bool any;
    cs_status status = read_port(s->args, &port, &any, err);
    if (status)
        return status;
    status = cs_server_open(&s->server, port, find, s, err);
    if (status == CS_UNKNOWN && any)
        status = cs_server_open(&s->server, 0, find, s, err);
    return status == CS_UNKNOWN ? CS_INPUT : status;
}

static cs_status serve(server_state *s, cs_error *err)
{
    cs_status status = cs_front_go(s->client, s->args, NULL, err);
    if (status == CS_OK)
        status = cs_front_ask(s->client, "pictures 1000", NULL, err);
    if (status == CS_OK)
        status = cs_front_ask(s->client, "run", NULL, err);
    if (status)
        return status;
    /* the first message only reports that the folder was opened */
    cs_follow_see(s->client, &s->now);
    s->reported = fmin(1, s->now.messages);
    s->started = cs_clock();
    printf("http://127.0.0.1:%u/\n", cs_server_port(s->server));
    fflush(stdout);
    loop(s);
    if (s->status)
        *err = s->err;
    cs_stop_say("at draw %.0f: the page is no longer served", s->now.steps);
    return s->status;
}

int cs_serve_main(const cs_args *args)
{
    static server_state s;
    cs_error err;
    cs_front_options options = {0};
    s.args = args;
    /* the session is forked first, because it must not inherit the socket */
    if (cs_front_read(args, &options, &err) ||
        cs_front_create(&s.client, &options, &err))
        return cs_complain(&err);
    cs_status status = open_server(&s, &err);
    if (status == CS_OK)
        status = serve(&s, &err);
    cs_server_close(s.server);
    cs_client_close(s.client, 3000);
    cs_client_destroy(s.client);
    free_pages(&s.made);
    int code = status ? cs_complain(&err) : CS_EXIT_OK;
    return status == CS_INPUT || status == CS_UNSUPPORTED ? CS_EXIT_USAGE
                                                          : code;
}
