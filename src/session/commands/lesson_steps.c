#include "session/commands/lesson_steps.h"

#include "base/memory.h"
#include "io/course_done.h"
#include "run/arms/arms.h"
#include "session/commands/command.h"
#include "session/commands/lesson_stages.h"
#include "session/state/opened.h"
#include "session/state/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024 };

static void collect(void *to, const char *text, size_t n)
{
    cs_page_put(to, "%.*s", (int)n, text);
}

/* Sends a request to the script host. On success *out [own] is its answer. */
static cs_status query(cs_session *s, const char *request, cs_page *out,
                       cs_error *err)
{
    cs_page line = {0};
    *out = (cs_page){0};
    if (!s->host->results)
        return cs_fail(err, CS_UNSUPPORTED, "the session has no script");
    cs_page_put(&line, "course %s", request);
    cs_status status =
        line.full
            ? cs_fail(err, CS_MEMORY, "out of memory for the lesson")
            : s->host->results(s->host->self, line.text, collect, out, err);
    cs_free(line.text);
    if (status == CS_OK && out->full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the lesson");
    if (status) {
        cs_free(out->text);
        *out = (cs_page){0};
    }
    return status;
}

/* Shows the panels of the step: words separated by blanks. */
static void show_panels(cs_session *s)
{
    char words[CS_OPENED_PANELS * CS_OPENED_PANEL];
    if (!cs_course_value(&s->course, "panels", words, sizeof words))
        return;
    s->open.n_panels = 0;
    for (char *at = words; *at && s->open.n_panels < CS_OPENED_PANELS;) {
        size_t n = strcspn(at, " ");
        snprintf(s->open.panel[s->open.n_panels++], CS_OPENED_PANEL, "%.*s",
                 (int)n, at);
        at += n;
        at += strspn(at, " ");
    }
}

/* Stores in the state that the present step has failed. */
static void fail(cs_session *s, const cs_error *why)
{
    char text[LINE], request[LINE + 16];
    cs_error err;
    cs_page lines;
    cs_error_format(why, text, sizeof text);
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    snprintf(request, sizeof request, "broken %s", text);
    if (query(s, request, &lines, &err) == CS_OK)
        cs_course_store(s, &lines);
}

static void execute(cs_session *s);

/* Executes `stage NAME` or `unstage`, and then the commands of the step with
 * this stage, or of the step before it. */
static cs_status change_stage(cs_session *s, const char *line, cs_error *err)
{
    cs_page lines;
    bool back = strcmp(line, "unstage") == 0;
    cs_status status = back ? cs_stage_back(s, err)
                            : cs_stage_open(s, line + strlen("stage "), err);
    if (status == CS_OK)
        status = query(s, back ? "unstaged" : "staged", &lines, err);
    if (status)
        return status;
    cs_course_store(s, &lines);
    show_panels(s);
    execute(s);
    return CS_OK;
}

static cs_status obey(cs_session *s, char *line, cs_error *err)
{
    bool stages =
        strncmp(line, "stage ", 6) == 0 || strcmp(line, "unstage") == 0;
    return stages ? change_stage(s, line, err) : cs_session_do(s, line, err);
}

/* Executes the commands of the step. A change at a step in the past discards
 * the later steps, instead of keeping them as a separate arm. */
static void execute(cs_session *s)
{
    cs_error err;
    size_t n;
    char *commands = NULL;
    cs_page all = {0};
    for (const char *at = s->course.lines.text;
         (at = cs_course_find(at, "do", &n)); at += n)
        cs_page_put(&all, "%.*s\n", (int)n, at);
    commands = all.text;
    for (char *line = commands, *end; line && *line; line = end + 1) {
        end = strchr(line, '\n');
        if (!end) /* out of memory: the last line is not complete */
            break;
        *end = 0;
        if (strncmp(line, "rewind", 6) != 0)
            s->move.farthest = 0;
        if (strncmp(line, "look", 4) == 0)
            s->breaks.shown++; /* the screen then selects this arm */
        if (obey(s, line, &err)) {
            fail(s, &err);
            break;
        }
    }
    cs_free(commands);
}

/* Stores the result of a lesson that has ended in the user's state folder; a
 * failure is ignored. */
static void note_done(const cs_session *s)
{
    char points[64], over[8];
    cs_error err;
    if (cs_course_value(&s->course, "over", over, sizeof over) &&
        cs_course_value(&s->course, "points", points, sizeof points))
        cs_course_done_add(s->open.file, points, &err);
}

cs_status cs_course_do(cs_session *s, const char *request, cs_error *err)
{
    cs_page lines;
    cs_status status = query(s, request, &lines, err);
    if (status)
        return status;
    cs_course_store(s, &lines);
    show_panels(s);
    execute(s);
    note_done(s);
    s->front.out.size = 0;
    return CS_OK;
}

cs_status cs_course_print(cs_session *s, const char *request, cs_error *err)
{
    cs_page lines;
    cs_status status = query(s, request, &lines, err);
    if (status)
        return status;
    if (lines.used)
        cs_printer_page(s, &lines);
    cs_free(lines.text);
    return CS_OK;
}

void cs_course_settle(cs_session *s)
{
    char text[LINE];
    cs_error err;
    if (!s->course.later || s->move.running)
        return;
    s->course.later = false;
    s->show.dirty = true;
    if (cs_signals_asked())
        return;
    if (cs_course_do(s, "next", &err)) {
        cs_error_format(&err, text, sizeof text);
        cs_session_say(s, "%s", text);
    }
}

void cs_course_start(cs_session *s, bool acts)
{
    cs_error err;
    char text[LINE];
    s->course.later = false;
    cs_course_store(s, &(cs_page){0});
    if (!s->host->results || !s->open.run || s->open.watch)
        return;
    cs_page lines;
    cs_status status = query(s, "start", &lines, &err);
    if (status) {
        cs_error_format(&err, text, sizeof text);
        cs_session_say(s, "the lesson cannot start: %s", text);
        return;
    }
    if (!lines.used) {
        cs_free(lines.text);
        return;
    }
    cs_course_store(s, &lines);
    show_panels(s);
    if (acts)
        execute(s);
}

cs_status cs_course_refuse(const cs_session *s, const char *name, cs_error *err)
{
    if (!cs_course_asks(&s->course))
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "%s: a question of the lesson is open", name);
    cs_hint(err, "go to the next steps until the answer is revealed");
    return CS_UNSUPPORTED;
}

/* ---- journal ----------------------------------------------------------------- */

static const char mark[] = "# course ";

void cs_course_put_journal(cs_session *s, cs_page *p)
{
    cs_error err;
    cs_page lines;
    if (!s->course.lines.used || query(s, "journal", &lines, &err))
        return;
    cs_stages_put_journal(s, p);
    for (const char *at = lines.text; at && *at;) {
        size_t n = strcspn(at, "\n");
        cs_page_put(p, "%s%.*s\n", mark, (int)n, at);
        at += n;
        at += *at == '\n';
    }
    cs_free(lines.text);
}

void cs_course_replay(cs_session *s, const char *journal)
{
    cs_error err;
    cs_page request = {0}, lines;
    bool found = false;
    if (!s->course.lines.used)
        return;
    cs_page_put(&request, "restore");
    for (const char *at = journal; at && *at;) {
        size_t n = strcspn(at, "\n"), head = strlen(mark);
        if (strncmp(at, mark, head) == 0) {
            cs_page_put(&request, "\n%.*s", (int)(n - head), at + head);
            found = true;
        }
        at += n;
        at += *at == '\n';
    }
    if (found && !request.full &&
        query(s, request.text, &lines, &err) == CS_OK) {
        cs_course_store(s, &lines);
        show_panels(s);
    }
    cs_free(request.text);
}
