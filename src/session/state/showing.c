#include "run/views/view.h"
#include "session/state/session_state.h"

#include <string.h>

/* Returns true if a list of words, separated by blanks, contains the word
 * `name`. */
static bool has_word(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; *at; at += *at == ' ') {
        size_t word = strcspn(at, " ");
        if (word == n && strncmp(at, name, n) == 0)
            return true;
        at += word;
    }
    return false;
}

bool cs_session_reports(const void *self, const char *probe)
{
    const cs_session *s = self;
    if (strcmp(probe, CS_DRAWS_REPORT) == 0)
        return strchr(s->show.reports, '=') != NULL;
    return s->show.reports[0] == '*' || has_word(s->show.reports, probe) ||
           cs_breaks_read(&s->breaks, probe);
}

bool cs_session_wants(const cs_session *s, const char *report,
                      const char *panel)
{
    size_t n = strlen(panel);
    if (s->show.reports[0] != '*' || has_word(s->show.reports, report))
        return cs_session_reports(s, report);
    for (size_t i = 0; i < s->open.n_panels; i++)
        if (strncmp(s->open.panel[i], panel, n) == 0)
            return true;
    return false;
}

bool cs_session_is_quick(const cs_session *s)
{
    static const double most = 0.002; /* maximum seconds per step of a chain */
    cs_arm_view arm = cs_run_arm(s->open.run, s->look.arm);
    double steps = (double)arm.steps * (double)arm.chains;
    return steps > 0 && arm.seconds < most * steps;
}
