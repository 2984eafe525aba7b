/* check [SECONDS]: the laws, on the open run's target and arms. */
#include "base/text.h"
#include "check/check.h"
#include "session/command.h"

#include <stdio.h>
#include <string.h>

enum { LABEL = 24 };

/* What is printed so far: arms have a line of their own. */
typedef struct sheet {
    cs_printer p;
    const cs_host *host;
    char arm[64];
} sheet;

/* Names and messages are a stranger's: one line stays one. */
static void print(sheet *s, const char *text)
{
    char clean[1000];
    size_t n = cs_text_clean(text, clean, sizeof clean - 1);
    clean[n++] = '\n';
    cs_printer_print(&s->p, clean, n);
}

static void say(void *to, const cs_finding *f)
{
    static const char *const verdicts[] = {[CS_HOLDS] = "holds",
                                           [CS_BROKEN] = "BROKEN",
                                           [CS_NOTED] = "noted",
                                           [CS_UNTRIED] = "-"};
    sheet *s = to;
    char line[600];
    if (f->arm && strcmp(f->arm, s->arm) != 0) {
        snprintf(s->arm, sizeof s->arm, "%s", f->arm);
        snprintf(line, sizeof line, "arm %s", f->arm);
        print(s, line);
    }
    snprintf(line, sizeof line, "  %-12s %-7s %s", f->law, verdicts[f->verdict],
             f->text);
    print(s, line);
    char why[512];
    if (f->verdict != CS_BROKEN || !s->host->fault ||
        !s->host->fault(s->host->self, why, sizeof why))
        return;
    snprintf(line, sizeof line, "%15sa script: %s", "", why);
    print(s, line);
}

cs_status cs_command_check(cs_session *s, char **word, size_t n, cs_error *err)
{
    double seconds = 5;
    cs_status status = n ? cs_command_number(word[1], &seconds, err) : CS_OK;
    if (status)
        return status;
    sheet out = {.host = s->host, .arm = ""};
    char line[200];
    cs_check c = {.say = say, .to = &out, .seconds = seconds};
    cs_printer_begin(&out.p, s, true);
    snprintf(line, sizeof line, "target %s", cs_run_target(s->open.run)->name);
    print(&out, line);
    if (s->host->afresh)
        s->host->afresh(s->host->self);
    status = cs_check_run(s->open.run, &c, err);
    if (s->host->forget)
        s->host->forget(s->host->self);
    cs_printer_end(&out.p);
    if (status || !c.broken)
        return status;
    cs_fail(err, CS_INPUT, "%zu of the laws %s broken", c.broken,
            c.broken == 1 ? "is" : "are");
    cs_hint(err, "see the lines above");
    return CS_INPUT;
}
