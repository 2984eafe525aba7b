/* Implements `check`. The command "check [SECONDS] [law NAME] [arm NAME]
 * [format json]" tests the laws on the target and the arms of the open run;
 * "check kept" prints the findings stored by another process. */
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "check/check.h"
#include "run/arms/arms.h"
#include "session/commands/command.h"
#include "session/commands/lesson_steps.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 24 };

/* The output of `check` so far, with one line per arm. */
typedef struct sheet {
    cs_printer p;
    cs_session *session;
    const cs_host *host;
    char arm[64];
    char broken[160]; /* the first broken law: "law of `arm`" */
    bool json;        /* true: each finding is a JSON object on one line */
} sheet;

/* Prints a string on one line. Names and messages come from the script, so line
 * breaks are removed. */
static void print(sheet *s, const char *text)
{
    char clean[1000];
    size_t n = cs_text_clean(text, clean, sizeof clean - 1);
    clean[n++] = '\n';
    cs_printer_print(&s->p, clean, n);
}

static const char *const verdicts[] = {[CS_HOLDS] = "holds",
                                       [CS_BROKEN] = "BROKEN",
                                       [CS_NOTED] = "noted",
                                       [CS_UNTRIED] = "-"};

static void put_text(cs_page *p, const char *key, const char *text)
{
    cs_page_put(p, "%s\"%s\": ", p->used > 1 ? ", " : "", key);
    if (text)
        cs_page_quoted(p, text);
    else
        cs_page_put(p, "null");
}

/* Prints a finding as JSON. The error and the power are null if the law did not
 * measure them. */
static void print_json(sheet *s, const cs_finding *f)
{
    static const char *const names[] = {[CS_HOLDS] = "holds",
                                        [CS_BROKEN] = "broken",
                                        [CS_NOTED] = "noted",
                                        [CS_UNTRIED] = "untried"};
    cs_page p = {0};
    cs_page_put(&p, "{");
    put_text(&p, "arm", f->arm);
    put_text(&p, "law", f->law);
    put_text(&p, "verdict", names[f->verdict]);
    cs_page_put(&p, ", \"error\": ");
    cs_page_number(&p, f->seen.unit ? f->seen.error : (double)NAN);
    put_text(&p, "unit", f->seen.unit);
    cs_page_put(&p, ", \"power\": ");
    cs_page_number(&p, f->seen.unit ? f->seen.power : (double)NAN);
    put_text(&p, "text", f->text);
    cs_page_put(&p, "}\n");
    if (!p.full)
        cs_printer_print(&s->p, p.text, p.used);
    cs_free(p.text);
}

/* Stores a finding in the session. */
static void note(cs_session *s, const cs_finding *f)
{
    if (f->verdict == CS_HOLDS && f->arm)
        cs_session_hold(s, f->arm, f->law);
    else if (f->verdict == CS_BROKEN && f->arm)
        cs_session_mark(s, f->arm, f->law);
    else if (f->verdict == CS_BROKEN)
        snprintf(s->checked.target, sizeof s->checked.target, "%s", f->law);
    s->show.dirty = true;
}

/* Stores the name of the first broken law. */
static void name_broken(sheet *s, const cs_finding *f)
{
    if (f->verdict != CS_BROKEN || *s->broken)
        return;
    snprintf(s->broken, sizeof s->broken, "%s of %s%.60s%s", f->law,
             f->arm ? "`" : "the target", f->arm ? f->arm : "",
             f->arm ? "`" : "");
}

static void say(void *to, const cs_finding *f)
{
    sheet *s = to;
    char line[600];
    name_broken(s, f);
    if (s->json) {
        print_json(s, f);
        note(s->session, f);
        return;
    }
    if (f->arm && strcmp(f->arm, s->arm) != 0) {
        snprintf(s->arm, sizeof s->arm, "%s", f->arm);
        snprintf(line, sizeof line, "arm %s", f->arm);
        print(s, line);
    }
    snprintf(line, sizeof line, "  %-12s %-7s %s", f->law, verdicts[f->verdict],
             f->text);
    print(s, line);
    note(s->session, f);
    char why[512];
    if (f->verdict != CS_BROKEN || !s->host->fault ||
        !s->host->fault(s->host->self, why, sizeof why))
        return;
    snprintf(line, sizeof line, "%15sa script: %s", "", why);
    print(s, line);
}

static cs_status read_law(const char *word, cs_check *c, cs_error *err)
{
    char all[200] = "";
    size_t used = 0;
    c->law = word;
    if (cs_law_find(word))
        return CS_OK;
    const cs_law *const books[] = {cs_target_laws, cs_arm_laws, cs_member_laws};
    for (size_t k = 0; k < sizeof books / sizeof *books; k++)
        for (const cs_law *law = books[k]; law->name; law++)
            if (used < sizeof all)
                used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                         used ? ", " : "", law->name);
    cs_fail(err, CS_UNKNOWN, "unknown law '%s'", word);
    cs_hint(err, "use one of: %s", all);
    return CS_UNKNOWN;
}

static cs_status read_format(const char *word, bool *json, cs_error *err)
{
    *json = strcmp(word, "json") == 0;
    if (*json || strcmp(word, "text") == 0)
        return CS_OK;
    cs_fail(err, CS_UNKNOWN, "unknown format '%s'", word);
    cs_hint(err, "use text or json");
    return CS_UNKNOWN;
}

static cs_status read_words(cs_session *s, char **word, size_t n, cs_check *c,
                            bool *json, cs_error *err)
{
    cs_status status = CS_OK;
    size_t at = 1, arm;
    if (n % 2)
        status = cs_command_number(word[at++], &c->seconds, err);
    for (; !status && at < n; at += 2)
        if (strcmp(word[at], "law") == 0) {
            status = read_law(word[at + 1], c, err);
        } else if (strcmp(word[at], "format") == 0) {
            status = read_format(word[at + 1], json, err);
        } else if (strcmp(word[at], "arm") == 0) {
            status = cs_command_arm(s, word[at + 1], &arm, err);
            if (!status)
                c->arm = cs_run_arm_name(s->open.run, arm);
        } else {
            status = cs_fail(err, CS_INPUT,
                             "expected `law`, `arm` or `format`, not '%s'",
                             word[at]);
            cs_hint(err, "for example `check 20 law record arm 1`");
        }
    return status;
}

cs_status cs_command_check(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    if (n == 1 && strcmp(word[1], "kept") == 0) {
        if (!cs_session_is_checked(s))
            cs_session_recall(s);
        return CS_OK;
    }
    sheet out = {.session = s, .host = s->host};
    char line[200];
    cs_check c = {.say = say, .to = &out, .seconds = 5};
    cs_status status = cs_course_refuse(s, "check", err);
    if (!status)
        status = read_words(s, word, n, &c, &out.json, err);
    if (status)
        return status;
    if (!c.law)
        cs_session_mark(s, c.arm, NULL);
    if (!c.law && !c.arm)
        *s->checked.target = 0;
    s->show.dirty = true;
    cs_printer_begin(&out.p, s, true);
    snprintf(line, sizeof line, "target %s", cs_run_target(s->open.run)->name);
    if (!out.json)
        print(&out, line);
    if (s->host->afresh)
        s->host->afresh(s->host->self);
    status = cs_check_run(s->open.run, &c, err);
    if (s->host->forget)
        s->host->forget(s->host->self);
    cs_printer_end(&out.p);
    if (status == CS_OK) {
        s->checked.whole |= !c.law && !c.arm;
        cs_session_keep_checked(s);
    }
    if (status || !c.broken)
        return status;
    return c.broken == 1
               ? cs_fail(err, CS_INPUT, "a law is broken: %s", out.broken)
               : cs_fail(err, CS_INPUT, "%zu laws are broken, first %s",
                         c.broken, out.broken);
}
