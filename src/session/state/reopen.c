/* Reopens the run with other arms: opens the scenario again, and transfers the
 * state of the old run to the new run (cs_run_transfer). The result is as if
 * the run had these arms from the start: restart, :save and checkpoints include
 * them. */
#include "session/state/reopen.h"

#include "base/memory.h"
#include "data/parts.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/transfer.h"
#include "run/views/fingerprint.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "session/state/opened.h"
#include "session/state/session_state.h"

#include <stdio.h>
#include <string.h>

static size_t arm_called(const cs_run *r, const char *name)
{
    for (size_t i = 0; i < cs_run_arms(r); i++)
        if (strcmp(cs_run_arm_name(r, i), name) == 0)
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

/* Moves the selection to the new index of the selected arm. */
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
    bool running = s->move.running;
    cs_periods_keep(s, next->run);
    cs_session_take(s, next);
    follow_look(s, source, cs_run_arms(s->open.run), was);
    uint64_t end = cs_run_end(s->open.run);
    /* after a change of the target at an earlier step, obey.c places the
     * events */
    bool places = farthest && !s->periods.parted;
    s->move.farthest = places ? end : farthest;
    cs_session_placed(s, end, false);
    if (running || cs_run_behind(s->open.run))
        cs_session_go(s, running ? s->move.goal : end, false, NULL);
}

/* Restarts the arms that cannot continue. */
static cs_status begin_again(cs_session *s, cs_opened *next, cs_error *err)
{
    cs_error why = *err;
    char file[sizeof s->open.file];
    memcpy(file, s->open.file, sizeof file);
    cs_inputs *from = cs_inputs_hold(next->inputs);
    cs_session_leave(s, next);
    cs_status status = cs_session_open(
        s, file, cs_inputs_are_recorded(from) ? from : NULL, err);
    cs_inputs_drop(from);
    if (status == CS_OK)
        cs_session_say(s, "restarted from step 0: %s", why.what);
    return status;
}

/* Opens a run with the same probes as the old run, so that the probes' memories
 * can be transferred. `from` has the meaning described at cs_session_open. */
static cs_status open_anew(cs_session *s, cs_inputs *from, cs_opened *next,
                           cs_error *err)
{
    char probes[1024] = "probes=";
    const char *set[CS_SESSION_SETS + 1];
    const cs_probe_type *type;
    size_t used = strlen(probes);
    for (size_t i = 0; (type = cs_run_probe(s->open.run, i)); i++)
        if (used < sizeof probes)
            used += (size_t)snprintf(probes + used, sizeof probes - used,
                                     "%s%s", i ? "," : "", type->name);
    for (size_t i = 0; i < s->sets.n; i++)
        set[i] = s->sets.set[i];
    set[s->sets.n] = probes;
    return cs_session_make(s, s->open.file, set, s->sets.n + 1, from, next,
                           err);
}

cs_status cs_session_reopen(cs_session *s, const cs_arm_origin *origin,
                            size_t n, cs_reopen_transfer *keep, cs_error *err)
{
    uint64_t farthest = s->move.farthest;
    cs_opened *next = cs_alloc(1, sizeof *next);
    if (!next)
        return cs_fail(err, CS_MEMORY, "out of memory for the arms");
    cs_run *old = s->open.run;
    cs_status status = open_anew(s, cs_opened_recorded(&s->open), next, err);
    if (status != CS_OK) {
        cs_free(next);
        return status;
    }
    size_t arms = cs_run_arms(next->run);
    size_t *source = cs_alloc(arms, sizeof *source);
    for (size_t i = 0; source && i < arms; i++)
        source[i] = source_of(old, cs_run_arm_name(next->run, i), origin, n);
    status = source ? cs_run_transfer(next->run, old, source, err)
                    : cs_fail(err, CS_MEMORY, "out of memory for the arms");
    if (status == CS_OK)
        status = cs_run_transfer_ahead(next->run, old, source, err);
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

/* ---- reloading the file ---- */

/* Returns true if the value of "arm.name" was set after the file was opened. If
 * the value then differs between the runs, the reason is the setting, not a
 * change of the file. */
static bool is_set(const cs_session *s, const char *arm, const char *line)
{
    char name[160];
    size_t n = (size_t)snprintf(name, sizeof name, "%s.%.*s", arm,
                                (int)strcspn(line, " ="), line);
    for (size_t i = 0; i < s->sets.n; i++)
        if (n < sizeof name && strncmp(s->sets.set[i], name, n) == 0 &&
            (s->sets.set[i][n] == '=' || s->sets.set[i][n] == '.'))
            return true;
    return false;
}

/* Copies the lines of a run's provenance that are about the arm. If `arm` is
 * NULL, copies the lines that are about no arm. */
static void lines_about(const cs_session *s, const char *made, const char *arm,
                        cs_page *out)
{
    char of[80] = "";
    size_t n = arm ? (size_t)snprintf(of, sizeof of, "arm %.64s: ", arm) : 0;
    for (size_t length; *made; made += length) {
        length = strcspn(made, "\n");
        length += made[length] == '\n';
        bool about =
            arm ? strncmp(made, of, n) == 0 && !is_set(s, arm, made + n)
                : strncmp(made, "arm ", 4) && strncmp(made, "arms ", 5);
        if (about)
            cs_page_put(out, "%.*s", (int)length, made);
    }
}

/* Returns true if both runs have the same provenance for an arm. If no arm is
 * given, compares the provenance of everything except the arms. If the
 * provenances differ, words[size] describes the difference. */
static bool is_alike(const cs_session *s, const cs_run *old, const cs_run *next,
                     const char *arm, char *words, size_t size)
{
    cs_page was = {0}, is = {0};
    lines_about(s, cs_run_provenance(old), arm, &was);
    lines_about(s, cs_run_provenance(next), arm, &is);
    bool differ = was.full || is.full ||
                  cs_parts_differ(was.text ? was.text : "",
                                  is.text ? is.text : "", words, size);
    cs_free(was.text);
    cs_free(is.text);
    return !differ;
}

/* Returns the number of arms of the old run that have no counterpart in the
 * new run, and the name of the first such arm. */
static size_t lost_arms(const cs_run *old, const size_t *source, size_t n,
                        const char **name)
{
    size_t lost = 0;
    for (size_t k = cs_run_arms(old); k-- > 0;) {
        size_t i = 0;
        while (i < n && source[i] != k)
            i++;
        lost += i == n;
        *name = i == n ? cs_run_arm_name(old, k) : *name;
    }
    return lost;
}

static const char *file_name(const cs_session *s)
{
    const char *slash = strrchr(s->open.file, '/');
    return slash ? slash + 1 : s->open.file;
}

/* Continues with the new text of the file. source[arms] holds, for each new
 * arm, the old arm from which it is taken. */
static cs_status take_file(cs_session *s, cs_opened *next, const size_t *source,
                           cs_error *err)
{
    cs_run *old = s->open.run;
    uint64_t farthest = s->move.farthest;
    size_t arms = cs_run_arms(next->run), fresh = 0;
    for (size_t i = 0; i < arms; i++)
        fresh += source[i] == CS_NO_ARM;
    cs_status status = cs_run_transfer(next->run, old, source, err);
    if (status == CS_OK)
        status = cs_run_transfer_ahead(next->run, old, source, err);
    if (status != CS_OK)
        return begin_again(s, next, err);
    go_on(s, next, source, farthest);
    if (fresh)
        cs_session_say(s,
                       "%s reloaded: %zu of %zu arms start again and make the "
                       "steps that the others have made",
                       file_name(s), fresh, arms);
    else
        cs_session_say(s, "%s reloaded: all chains continue", file_name(s));
    return CS_OK;
}

/* Returns true if the run cannot continue with the new text of the file, or if
 * arms would be lost or restarted. In both cases also writes the reason. */
static bool is_refused(cs_session *s, const cs_run *next, const size_t *source,
                       bool careful)
{
    char words[200] = "";
    const char *name = "";
    const cs_run *old = s->open.run;
    if (s->record) {
        cs_session_say(s,
                       "%s was changed, but draws are being written: stop "
                       "writing with :out, then use :reload",
                       file_name(s));
        return true;
    }
    if (!is_alike(s, old, next, NULL, words, sizeof words)) {
        cs_session_say(s, "%s: %s; restart with r", file_name(s), words);
        return true;
    }
    size_t lost = lost_arms(old, source, cs_run_arms(next), &name);
    if (!careful || !lost)
        return false;
    bool gone = arm_called(next, name) == CS_NO_ARM;
    if (gone)
        snprintf(words, sizeof words, "arm %.64s is gone", name);
    else
        is_alike(s, old, next, name, words, sizeof words);
    cs_session_say(s, "%s: %s; :reload %s", file_name(s), words,
                   lost > 1 ? "removes or restarts such arms, r restarts all"
                   : gone   ? "continues without it, r restarts all"
                            : "restarts it, r restarts all");
    return true;
}

cs_status cs_session_reload(cs_session *s, bool careful, cs_error *err)
{
    char words[200];
    cs_opened *next = cs_alloc(1, sizeof *next);
    if (!next)
        return cs_fail(err, CS_MEMORY, "out of memory for the reloaded run");
    cs_status status = open_anew(s, NULL, next, err);
    if (status != CS_OK) {
        cs_free(next);
        return status;
    }
    size_t arms = cs_run_arms(next->run);
    size_t *source = cs_alloc(arms, sizeof *source);
    for (size_t i = 0; source && i < arms; i++) {
        const char *name = cs_run_arm_name(next->run, i);
        source[i] = arm_called(s->open.run, name);
        if (source[i] != CS_NO_ARM &&
            !is_alike(s, s->open.run, next->run, name, words, sizeof words))
            source[i] = CS_NO_ARM;
    }
    if (!source)
        status = cs_fail(err, CS_MEMORY, "out of memory for the reloaded run");
    if (!source || is_refused(s, next->run, source, careful))
        cs_session_leave(s, next);
    else
        status = take_file(s, next, source, err);
    cs_free(source);
    cs_free(next);
    s->show.dirty = true;
    return status;
}
