/* Handles a change of an arm after the run went back: the arm without the
 * change (its old branch) continues as a separate arm. */
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/rewind.h"
#include "run/transfer.h"
#include "run/views/view.h"
#include "session/state/session_state.h"

#include "base/count.h"
#include "base/memory.h"
#include "session/state/reopen.h"
#include "session/state/value_text.h"

#include <stdio.h>
#include <string.h>

/* maximum number of arms: the screen has no more colours and glyphs */
enum { ARMS = 16, NAME = 44 };

static bool is_taken(const cs_run *r, const char *name)
{
    for (size_t i = 0; i < cs_run_arms(r); i++)
        if (strcmp(cs_run_arm_name(r, i), name) == 0)
            return true;
    return false;
}

/* Makes the name of a branch: "acs.old", "acs.old2" ... */
static void name_branch(const cs_run *r, const char *arm, char name[NAME])
{
    snprintf(name, NAME, "%.28s.old", arm);
    for (int k = 2; is_taken(r, name); k++)
        snprintf(name, NAME, "%.28s.old%d", arm, k);
}

/* Returns the arm if all changes at the current step belong to one arm,
 * otherwise CS_NO_ARM. */
static size_t changed_arm(const cs_run *r)
{
    const cs_change *change;
    size_t n = cs_run_journal(r, &change), arm = CS_NO_ARM;
    for (size_t i = n; i-- > 0 && change[i].step == cs_run_steps(r);) {
        if (arm != CS_NO_ARM && change[i].arm != arm)
            return CS_NO_ARM;
        arm = change[i].arm;
    }
    return arm;
}

/* Returns true if the same arm was already changed at the same step, so that
 * its old branch already exists. */
static bool goes_on(cs_session *s)
{
    cs_run *r = s->open.run;
    const cs_change *change;
    size_t n = cs_run_journal(r, &change);
    return s->branched.there && s->branched.step == cs_run_steps(r) && n &&
           change[n - 1].arm == s->branched.arm &&
           change[n - 1].step == s->branched.step &&
           cs_run_keep_ahead(r, s->branched.arm, NULL) == CS_OK;
}

/* Copies the arm's settings, with their current values, to the old branch, so
 * that a restart opens both arms. */
static void copy_sets(cs_session *s, const char *was, const char *name)
{
    size_t n = strlen(was), sets = s->sets.n, arm = 0;
    while (strcmp(cs_run_arm_name(s->open.run, arm), name) != 0)
        arm++;
    const cs_arm_view v = cs_run_arm(s->open.run, arm);
    const cs_kernel_type *type = v.kernel->type;
    for (size_t i = 0; i < sets; i++) {
        const char *set = s->sets.set[i];
        char param[64], to[128];
        cs_page value = {0};
        if (strncmp(set, was, n) != 0 || set[n] != '.')
            continue;
        snprintf(param, sizeof param, "%.*s", (int)strcspn(set + n + 1, ".="),
                 set + n + 1);
        int k = cs_param_find(type->params, type->n_params, param);
        if (k >= 0)
            cs_put_value(s->open.run, arm, &type->params[k], &value);
        snprintf(to, sizeof to, "%.40s.%.60s", name, param);
        if (value.text && !value.full)
            cs_sets_put(&s->sets, to, value.text, NULL);
        cs_free(value.text);
    }
}

/* Reopens the run with the arm's old branch as an additional arm, and reports
 * this. */
static cs_status add_branch(cs_session *s, const char *was, const char *name,
                            cs_error *err)
{
    char change[128];
    snprintf(change, sizeof change, "clone %s %s", name, was);
    cs_arm_origin origin = {name, was};
    cs_status status = cs_sets_add_arm_change(&s->sets, change, err);
    if (status == CS_OK)
        status = cs_session_reopen(s, &origin, 1, cs_run_transfer_branch, err);
    if (status != CS_OK)
        cs_sets_drop_newest_arm_change(&s->sets);
    return status;
}

bool cs_session_branch(cs_session *s)
{
    cs_run *r = s->open.run;
    cs_error err;
    char name[NAME], was[NAME];
    if (goes_on(s))
        return true;
    size_t arm = changed_arm(r);
    if (arm == CS_NO_ARM || cs_run_arms(r) >= ARMS || cs_run_undo(r, &err))
        return false;
    uint64_t step = cs_run_steps(r);
    snprintf(was, sizeof was, "%.40s", cs_run_arm_name(r, arm));
    name_branch(r, was, name);
    if (add_branch(s, was, name, &err)) {
        cs_run_undo(s->open.run, &err);
        return false;
    }
    copy_sets(s, was, name);
    s->branched.there = true;
    s->branched.step = step;
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++)
        if (strcmp(cs_run_arm_name(s->open.run, i), was) == 0)
            s->branched.arm = i;
    cs_session_say(s,
                   "%s is changed from step %s on: its old branch, up to step "
                   "%s, is kept as arm %s",
                   was, cs_count((double)step).text,
                   cs_count((double)cs_run_end(s->open.run)).text, name);
    return true;
}
