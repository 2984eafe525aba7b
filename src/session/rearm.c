/* The open run with other arms: the scenario is opened again and the new run is
 * made what the old one is (cs_run_adopt). So it is the run that would have been,
 * had it had these arms from the start: restart, :save and checkpoints have them
 * too. */
#include "base/memory.h"
#include "session/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = "arms#";

static bool is_change(const char *set)
{
    return strncmp(set, key, sizeof key - 1) == 0;
}

/* The number of the newest change, 0: none. */
static size_t newest(const cs_session *s)
{
    for (size_t i = s->n_set; i-- > 0;)
        if (is_change(s->set[i]))
            return strtoul(s->set[i] + sizeof key - 1, NULL, 10);
    return 0;
}

cs_status cs_session_remember_arm(cs_session *s, const char *change,
                                  cs_error *err)
{
    char name[40];
    snprintf(name, sizeof name, "%s%zu", key, newest(s) + 1);
    return cs_session_remember(s, name, change, err);
}

static void forget(cs_session *s, size_t i)
{
    cs_free(s->set[i]);
    s->n_set--;
    memmove(&s->set[i], &s->set[i + 1], (s->n_set - i) * sizeof *s->set);
}

void cs_session_forget_set(cs_session *s, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < s->n_set; i++)
        if (strncmp(s->set[i], name, n) == 0 && s->set[i][n] == '=') {
            forget(s, i);
            return;
        }
}

bool cs_session_forget_change(cs_session *s, const char *change)
{
    for (size_t i = s->n_set; i-- > 0;)
        if (is_change(s->set[i]) &&
            strcmp(strchr(s->set[i], '=') + 1, change) == 0) {
            forget(s, i);
            return true;
        }
    return false;
}

void cs_session_forget_arm(cs_session *s)
{
    char name[40];
    snprintf(name, sizeof name, "%s%zu", key, newest(s));
    cs_session_forget_set(s, name);
}

static size_t arm_called(const cs_run *r, const char *name)
{
    for (size_t i = 0; i < cs_run_arms(r); i++)
        if (strcmp(cs_run_arm(r, i).name, name) == 0)
            return i;
    return CS_NO_ARM;
}

static size_t source_of(const cs_run *old, const char *name,
                        const cs_arm_origin *origin, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(origin[i].name, name) == 0)
            return arm_called(old, origin[i].from);
    return arm_called(old, name);
}

/* The arm that was looked at, where it is now. */
static void follow_look(cs_session *s, const size_t *source, size_t n,
                        size_t was)
{
    s->look.arm = 0;
    for (size_t i = n; i-- > 0;)
        if (source[i] == was)
            s->look.arm = i;
    if (s->look.chain >= cs_run_arm(s->open.run, s->look.arm).chains)
        s->look.chain = 0;
}

static void go_on(cs_session *s, cs_opened *next, const size_t *source,
                  uint64_t farthest)
{
    size_t was = s->look.arm;
    bool running = s->running;
    cs_session_take(s, next);
    follow_look(s, source, cs_run_arms(s->open.run), was);
    uint64_t end = cs_run_end(s->open.run);
    s->farthest = farthest ? end : 0;
    cs_session_placed(s, end, false);
    if (running || cs_run_behind(s->open.run))
        cs_session_go(s, running ? s->goal : end, false, NULL);
}

/* What cannot go on begins again. */
static cs_status begin_again(cs_session *s, cs_opened *next, cs_error *err)
{
    cs_error why = *err;
    char file[sizeof s->open.file];
    memcpy(file, s->open.file, sizeof file);
    cs_run_destroy(next->run);
    cs_status status = cs_session_open(s, file, err);
    if (status == CS_OK)
        cs_session_say(s, "begun again from step 0: %s", why.what);
    return status;
}

/* Opens it with the probes that there are: what they have seen is to go on. */
static cs_status open_anew(cs_session *s, cs_opened *next, cs_error *err)
{
    char probes[1024] = "probes=";
    const char *set[CS_SESSION_SETS + 1];
    const cs_probe_type *type;
    size_t used = strlen(probes);
    for (size_t i = 0; (type = cs_run_probe(s->open.run, i)); i++)
        if (used < sizeof probes)
            used += (size_t)snprintf(probes + used, sizeof probes - used,
                                     "%s%s", i ? "," : "", type->name);
    for (size_t i = 0; i < s->n_set; i++)
        set[i] = s->set[i];
    set[s->n_set] = probes;
    return s->host->open(s->host->self, s->open.file, set, s->n_set + 1, next,
                         err);
}

cs_status cs_session_rearm(cs_session *s, const cs_arm_origin *origin, size_t n,
                           cs_rearm_keep *keep, cs_error *err)
{
    uint64_t farthest = s->farthest;
    cs_opened *next = cs_alloc(1, sizeof *next);
    if (!next)
        return cs_fail(err, CS_MEMORY, "no memory for other arms");
    cs_run *old = s->open.run;
    cs_status status = open_anew(s, next, err);
    if (status != CS_OK) {
        cs_free(next);
        return status;
    }
    size_t arms = cs_run_arms(next->run);
    size_t *source = cs_alloc(arms, sizeof *source);
    for (size_t i = 0; source && i < arms; i++)
        source[i] = source_of(old, cs_run_arm(next->run, i).name, origin, n);
    status = source ? cs_run_adopt(next->run, old, source, err)
                    : cs_fail(err, CS_MEMORY, "no memory for other arms");
    if (status == CS_OK)
        status = cs_run_adopt_ahead(next->run, old, source, err);
    if (status == CS_OK && keep)
        status = keep(next->run, old, source, err);
    if (status == CS_OK)
        go_on(s, next, source, farthest);
    else
        status = begin_again(s, next, err);
    cs_free(source);
    cs_free(next);
    return status;
}
