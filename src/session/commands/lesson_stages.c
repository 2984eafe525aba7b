#include "session/commands/lesson_stages.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "session/commands/command.h"
#include "session/state/opened.h"
#include "session/state/session_state.h"
#include "session/state/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char setting[] = "stage", comment[] = "# before ";

/* ---- the runs before ------------------------------------------------------- */

static void drop_newest(cs_session *s)
{
    cs_earlier_run *e = s->course.earlier;
    s->course.earlier = e->next;
    cs_way_back_clear(&e->back);
    cs_free(e->journal);
    cs_free(e);
}

/* Adds a run whose journal is `journal` [own: also on failure]. */
static cs_status add_earlier(cs_session *s, char *journal, cs_error *err)
{
    cs_earlier_run *e = journal ? cs_alloc(1, sizeof *e) : NULL;
    if (!e) {
        cs_free(journal);
        return cs_fail(err, CS_MEMORY, "out of memory for the journal");
    }
    *e = (cs_earlier_run){.journal = journal, .next = s->course.earlier};
    s->course.earlier = e;
    return CS_OK;
}

/* Copies the stage of a journal's run to out[size]; "": no stage. */
static void read_stage(const char *journal, char *out, size_t size)
{
    static const char head[] = "\n# set stage=";
    const char *at = strstr(journal, head);
    at = at ? at + sizeof head - 1 : "";
    snprintf(out, size, "%.*s", (int)strcspn(at, "\r\n"), at);
}

static cs_status set_stage(cs_session *s, const char *name, cs_error *err)
{
    if (*name)
        return cs_sets_put(&s->sets, setting, name, err);
    cs_sets_drop(&s->sets, setting);
    return CS_OK;
}

void cs_stages_forget(cs_session *s)
{
    char first[64] = "";
    if (!s->course.earlier)
        return;
    while (s->course.earlier) {
        read_stage(s->course.earlier->journal, first, sizeof first);
        drop_newest(s);
    }
    set_stage(s, first, NULL);
}

/* ---- opening --------------------------------------------------------------- */

cs_status cs_stage_open(cs_session *s, const char *name, cs_error *err)
{
    cs_page journal = {0};
    cs_sets sets = {.n = 0};
    cs_status status = cs_command_put_journal(s, false, &journal, err);
    if (status == CS_OK)
        status = add_earlier(s, journal.text, err);
    else
        cs_free(journal.text);
    if (status)
        return status;
    /* settings of arms and of the target belong to the run before */
    for (size_t i = 0; i < s->sets.n && status == CS_OK; i++) {
        char text[512], *equals;
        snprintf(text, sizeof text, "%s", s->sets.set[i]);
        equals = strchr(text, '=');
        *equals = 0;
        if (!strpbrk(text, ".#") && strcmp(text, setting) != 0)
            status = cs_sets_put(&sets, text, equals + 1, err);
    }
    if (status == CS_OK)
        status = cs_sets_put(&sets, setting, name, err);
    cs_sets was = s->sets;
    s->sets = sets;
    if (status == CS_OK)
        status = cs_session_open_again(s, err);
    if (status) {
        cs_sets_clear(&s->sets);
        s->sets = was;
        drop_newest(s);
        return status;
    }
    cs_sets_clear(&was);
    s->course.earlier->back = s->back;
    s->back = (cs_way_back){.changes = s->back.changes};
    cs_session_say(s, "stage %s: the run starts over", name);
    return CS_OK;
}

cs_status cs_stage_back(cs_session *s, cs_error *err)
{
    cs_earlier_run *e = s->course.earlier;
    if (!e) {
        cs_fail(err, CS_UNSUPPORTED,
                "the run of the stage before is not known");
        cs_hint(err, "open the scenario without --set stage");
        return CS_UNSUPPORTED;
    }
    cs_status status = cs_command_recall_sets(s, e->journal, err);
    if (status == CS_OK)
        status = cs_session_open_again(s, err);
    if (status == CS_OK)
        status = cs_session_replay(s, e->journal, err);
    if (status)
        return status;
    cs_session_placed(s, cs_run_steps(s->open.run), false);
    cs_way_back_clear(&s->back);
    e->back.changes = s->back.changes;
    s->back = e->back;
    e->back = (cs_way_back){.changes = 0};
    drop_newest(s);
    return CS_OK;
}

/* ---- journals -------------------------------------------------------------- */

static size_t number_of(const cs_earlier_run *e)
{
    return e ? 1 + number_of(e->next) : 0;
}

/* Writes the oldest run first. */
static void put_earlier(const cs_earlier_run *e, cs_page *p)
{
    if (!e)
        return;
    put_earlier(e->next, p);
    for (const char *at = e->journal; *at; at += *at == '\n') {
        size_t n = strcspn(at, "\n");
        cs_page_put(p, "%s%zu %.*s\n", comment, number_of(e), (int)n, at);
        at += n;
    }
}

void cs_stages_put_journal(const cs_session *s, cs_page *p)
{
    put_earlier(s->course.earlier, p);
}

/* Reads the journal of run k from the comments of a journal; NULL: there is no
 * such run, or memory runs out. [own] */
static char *read_earlier(const char *journal, size_t k)
{
    char head[40];
    cs_page p = {0};
    size_t n = (size_t)snprintf(head, sizeof head, "%s%zu ", comment, k);
    for (const char *at = journal; *at; at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        if (strncmp(at, head, n) == 0)
            cs_page_put(&p, "%.*s\n", (int)(length - n), at + n);
        at += length;
    }
    if (p.full) {
        cs_free(p.text);
        return NULL;
    }
    return p.text;
}

static cs_status read_all_earlier(cs_session *s, const char *journal,
                                  cs_error *err)
{
    char *earlier;
    cs_status status = CS_OK;
    for (size_t k = 1; !status && (earlier = read_earlier(journal, k)); k++)
        status = add_earlier(s, earlier, err);
    return status;
}

/* Opens the stage of the journal's run, unless the run is at this stage. On
 * failure the setting `stage` is unchanged. */
static cs_status open_stage_of(cs_session *s, const char *journal,
                               cs_error *err)
{
    char stage[64], was[64] = "";
    read_stage(journal, stage, sizeof stage);
    for (size_t i = 0; i < s->sets.n; i++)
        if (strncmp(s->sets.set[i], "stage=", 6) == 0)
            snprintf(was, sizeof was, "%s", s->sets.set[i] + 6);
    if (strcmp(stage, was) == 0)
        return CS_OK;
    cs_status status = set_stage(s, stage, err);
    if (status == CS_OK)
        status = cs_session_open_again(s, err);
    if (status)
        set_stage(s, was, NULL);
    return status;
}

cs_status cs_stages_replay(cs_session *s, const char *journal, cs_error *err)
{
    cs_earlier_run *known = s->course.earlier, *kept = NULL;
    cs_status status = CS_OK;
    if (s->course.lines.used) {
        s->course.earlier = NULL;
        status = read_all_earlier(s, journal, err);
        if (status == CS_OK)
            status = open_stage_of(s, journal, err);
        kept = status ? known : s->course.earlier;
        s->course.earlier = status ? s->course.earlier : known;
    }
    while (s->course.earlier)
        drop_newest(s);
    s->course.earlier = kept;
    return status;
}
