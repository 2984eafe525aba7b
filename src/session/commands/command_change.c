/* Implements the commands that change parameters and the selection. */
#include "base/count.h"
#include "base/memory.h"
#include "base/renamed.h"
#include "base/text.h"
#include "base/typed.h"
#include "chain/kernel_text.h"
#include "kernel/members.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/views/view.h"
#include "schedule/typed_schedule.h"
#include "session/commands/command.h"
#include "session/state/reopen.h"
#include "session/state/value_text.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if the first n bytes of `word` name an arm. */
static bool is_arm(const cs_session *s, const char *word, size_t n, size_t *arm)
{
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++) {
        const char *name = cs_run_arm_name(s->open.run, i);
        if (strlen(name) != n || strncmp(name, word, n) != 0)
            continue;
        *arm = i;
        return true;
    }
    return false;
}

static const cs_param *row_of(const cs_session *s, size_t arm, const char *name)
{
    const cs_kernel_type *type = cs_run_arm(s->open.run, arm).kernel->type;
    size_t n = cs_kernel_param_length(type, name);
    for (size_t i = 0; i < type->n_params + type->n_lists; i++)
        if (strlen(type->params[i].name) == n &&
            strncmp(type->params[i].name, name, n) == 0)
            return &type->params[i];
    return NULL;
}

/* Removes the arm's name from "arm.param" or "arm.param.field"; the arm's name
 * may contain dots. If the word has no arm's name, the parameter belongs to the
 * selected arm. */
static cs_status find_arm(cs_session *s, char *word, size_t *arm,
                          const char **name, cs_error *err)
{
    char *point = strrchr(word, '.'), *before = NULL;
    *arm = s->look.arm;
    *name = word;
    for (char *c = word; point && c < point; c++)
        before = *c == '.' ? c : before;
    for (char *end = point; end && end > word; end--)
        if (*end == '.' && is_arm(s, word, (size_t)(end - word), arm)) {
            *name = end + 1;
            return CS_OK;
        }
    if (!point || row_of(s, *arm, word))
        return CS_OK;
    char *end = before && isdigit((unsigned char)*word) ? before : point;
    *name = end + 1;
    *end = 0;
    cs_status status = cs_command_arm(s, word, arm, err);
    *end = '.';
    return status;
}

static cs_status unknown(const cs_session *s, size_t arm, const char *name,
                         cs_error *err)
{
    const cs_kernel_type *type = cs_run_arm(s->open.run, arm).kernel->type;
    const char *names[CS_KERNEL_PARAMS + 1] = {NULL};
    for (size_t k = 0; k < type->n_params && k < CS_KERNEL_PARAMS; k++)
        names[k] = type->params[k].name;
    if (cs_fail_renamed(err, type->name, type->name, name))
        return CS_UNKNOWN;
    cs_fail(err, CS_UNKNOWN, "%s has no parameter '%s'", type->name, name);
    const cs_target_type *t = cs_run_target(s->open.run)->type;
    const char *near = cs_text_nearest(name, names);
    if (cs_param_find(t->params, t->n_params, name) >= 0)
        cs_hint(err, "set the parameter of the target: set target.%s=VALUE",
                name);
    else if (near)
        cs_hint(err, "did you mean '%s'?", near);
    return CS_UNKNOWN;
}

static bool is_lua(const char *value)
{
    return strncmp(value, "cs.", 3) == 0;
}

/* Handles "target.0.6" or "walk.0.6", a value without its parameter: suggests
 * the parameter that was probably meant. Returns false if the word does not
 * have this form. */
static bool lacks_param(const cs_session *s, const char *word, cs_error *err)
{
    const cs_run *r = s->open.run;
    const char *point = strchr(word, '.');
    char *end = NULL, names[160] = "";
    while (point && !(isdigit((unsigned char)point[1]) || point[1] == '-'))
        point = strchr(point + 1, '.');
    if (!point || (strtod(point + 1, &end), *end))
        return false;
    size_t arm, n = (size_t)(point - word), used = 0, first = SIZE_MAX;
    bool target = n == strlen("target") && !strncmp(word, "target", n);
    if (!target && !is_arm(s, word, n, &arm))
        return false;
    const cs_param *row = target ? cs_run_target(r)->type->params
                                 : cs_run_arm(r, arm).kernel->type->params;
    size_t rows = target ? cs_run_target(r)->type->n_params
                         : cs_run_arm(r, arm).kernel->type->n_params;
    for (size_t i = 0; i < rows; i++) {
        if (row[i].kind != CS_PARAM_REAL || used + 60 > sizeof names)
            continue;
        first = first == SIZE_MAX ? i : first;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 used ? ", " : "", row[i].name);
    }
    cs_fail(err, CS_INPUT,
            "set: name the parameter of %.*s that gets the value %s", (int)n,
            word, point + 1);
    if (first == SIZE_MAX)
        cs_hint(err, "there are no numeric parameters to set");
    else
        cs_hint(err,
                "for example `set %.*s.%s=%s`; the numeric parameters are %s",
                (int)n, word, row[first].name, point + 1, names);
    return true;
}

/* Splits "set arm.step=1" or "set arm.step 1" into name and value. The first
 * form is used by --set and Lua. A schedule consists of several words. */
static cs_status cut_value(const cs_session *s, char **word, size_t n,
                           cs_page *value, cs_error *err)
{
    char *equals = strchr(word[1], '=');
    size_t words = n - 1;
    if (equals && equals[1]) {
        cs_page_put(value, "%s", equals + 1);
        words++;
    }
    if (equals)
        *equals = 0;
    for (size_t i = 2; i <= n; i++)
        cs_page_put(value, "%s%s", value->used ? " " : "", word[i]);
    const char *text = value->text ? value->text : "";
    if (value->full)
        return cs_fail(err, CS_MEMORY, "out of memory for the value");
    if (words == 1 || (words > 1 && (strpbrk(text, "={") || is_lua(text) ||
                                     cs_schedule_is_words(text))))
        return CS_OK;
    if (words == 0 && lacks_param(s, word[1], err))
        return CS_INPUT;
    cs_fail(err, CS_INPUT, "`set` needs a parameter and its value");
    cs_hint(err, "set %s=1", word[1]);
    return CS_INPUT;
}

/* Returns the target's parameter for "target.beta" or "acs.target.beta".
 * Returns NULL if there is no such parameter, or if an arm has the name
 * "target". */
static const cs_param *target_param(const cs_session *s, const char *word)
{
    static const char head[] = "target.";
    const cs_target_type *t = cs_run_target(s->open.run)->type;
    const char *at = strstr(word, head);
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++)
        if (strcmp(cs_run_arm_name(s->open.run, i), "target") == 0)
            return NULL;
    if (!at || (at != word && at[-1] != '.'))
        return NULL;
    int k = cs_param_find(t->params, t->n_params, at + sizeof head - 1);
    return k < 0 ? NULL : &t->params[k];
}

/* Fails for parameters that define the space of states. While a tuner runs
 * trials on the target, fails for all parameters. */
static cs_status may_change(const cs_session *s, const cs_param *row,
                            cs_error *err)
{
    if (row->kind != CS_PARAM_REAL) {
        cs_fail(err, CS_UNSUPPORTED,
                "%s defines the state space: chains cannot continue with "
                "another value",
                row->name);
        cs_hint(err, "start a new run: chainscope FILE --set target.%s=...",
                row->name);
        return CS_UNSUPPORTED;
    }
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++)
        if (cs_run_arm(s->open.run, i).tuning.active) {
            cs_fail(err, CS_UNSUPPORTED, "arm %s is in its warm-up",
                    cs_run_arm_name(s->open.run, i));
            cs_hint(err, "change the target after the warm-up");
            return CS_UNSUPPORTED;
        }
    return CS_OK;
}

/* Stores the undo command of a change that set `name` from `was` to `now`. If
 * no command can restore the old value, `was` is NULL. `field`
 * describes a change of a single field of a schedule; for other changes `field`
 * is "". */
static void can_undo_set(cs_session *s, const char *name, const char *was,
                         const char *now, const char *field)
{
    /* QUOTED: maximum number of bytes of a quoted schedule, which may contain
     * many numbers. SHOWN: maximum length of a value that is repeated in a
     * message */
    enum { QUOTED = 1 << 12, SHOWN = 90 };
    char said[240], quoted[QUOTED];
    cs_page line = {0};
    bool brief = was && strlen(was) < SHOWN;
    if (*field)
        snprintf(said, sizeof said, "%s", field);
    else
        snprintf(said, sizeof said, "%.60s%s%.40s back to %s", name,
                 strlen(now) <= 40 ? " from " : "",
                 strlen(now) <= 40 ? now : "",
                 !was    ? "a function of the scenario"
                 : brief ? was
                         : "its schedule");
    if (was && cs_words_quote(was, quoted, sizeof quoted))
        cs_page_put(&line, "set %s %s", name, quoted);
    cs_way_back_add(&s->back, line.full ? NULL : line.text, said);
    cs_free(line.text);
}

/* Fails to undo a change that is later than the current step. */
static cs_status already(const char *key, const char *text, cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED, "%s is already %s at this step", key, text);
    cs_hint(err, "the change is at a later step: go there with ]");
    return CS_UNSUPPORTED;
}

/* Sets a parameter of the target. The chains continue from their states. */
static cs_status set_target(cs_session *s, const cs_param *row,
                            const char *text, cs_error *err)
{
    double value = 0;
    char key[80], was[512] = "", before[64];
    cs_status status = cs_record_none(s->record, err);
    if (status == CS_OK)
        status = may_change(s, row, err);
    if (status == CS_OK)
        status = cs_param_read(row, text, &value, err);
    if (status == CS_OK)
        status = cs_param_check_number(row, value, err);
    if (status)
        return status;
    snprintf(key, sizeof key, "target.%s", row->name);
    for (size_t i = 0, n = strlen(key); i < s->sets.n; i++)
        if (strncmp(s->sets.set[i], key, n) == 0 && s->sets.set[i][n] == '=')
            snprintf(was, sizeof was, "%s", s->sets.set[i] + n + 1);
    const cs_target *t = cs_run_target(s->open.run);
    cs_put_number(row, t->values[row - t->type->params], before, sizeof before);
    if (s->back.under_way && value == t->values[row - t->type->params])
        return already(key, text, err);
    status = cs_sets_put(&s->sets, key, text, err);
    if (status == CS_OK)
        status = cs_session_reopen(s, NULL, 0, NULL, err);
    if (status) {
        if (*was)
            cs_sets_put(&s->sets, key, was, NULL);
        else
            cs_sets_drop(&s->sets, key);
        return status;
    }
    can_undo_set(s, key, before, text, "");
    cs_run_note_change(s->open.run, key, value, NULL);
    cs_session_say(s, "%s = %s from step %s: draws begin at this step", key,
                   text, cs_count((double)cs_run_steps(s->open.run)).text);
    cs_command_answer(s, "%s", s->reported.newest);
    return CS_OK;
}

/* Creates a schedule from an expression or a function in Lua, in the same
 * way as a script. */
static cs_status set_in_lua(cs_session *s, size_t arm, const char *name,
                            const char *text, cs_error *err)
{
    cs_page p = {0};
    cs_page_put(&p, "run:arm(%zu):set(\"%s\", %s)", arm + 1, name, text);
    cs_status status =
        p.full ? cs_fail(err, CS_MEMORY, "out of memory for the value")
               : cs_command_eval(s, p.text, err);
    cs_free(p.text);
    return status;
}

static bool is_remembered(const cs_session *s, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i < s->sets.n; i++)
        if (strncmp(s->sets.set[i], key, n) == 0 && s->sets.set[i][n] == '=')
            return true;
    return false;
}

/* Stores the new value as a setting for restarts. The value is a number or a
 * complete schedule. If it is a single field (`whole` is false) of a list that
 * a tuner has found, it is not stored: on a restart the tuner starts again, and
 * the setting would disable it. */
static cs_status remember_set(cs_session *s, size_t arm, const cs_param *row,
                              const char *key, bool whole, cs_error *err)
{
    cs_page text = {0};
    const cs_arm_view v = cs_run_arm(s->open.run, arm);
    size_t k = (size_t)(row - v.kernel->type->params);
    char field[160];
    cs_status status = CS_OK;
    bool tuned = !whole && !is_remembered(s, key) && v.plan->driven[k] &&
                 cs_tuner_drives(v.tuning.tuner, k);
    cs_put_value(s->open.run, arm, row, &text);
    /* removes earlier settings of the schedule's fields, such as
     * "arm.step.max=3" */
    for (size_t i = s->sets.n; i-- > 0;) {
        snprintf(field, sizeof field, "%s.", key);
        if (strncmp(s->sets.set[i], field, strlen(field)) != 0)
            continue;
        snprintf(field, sizeof field, "%.*s", (int)strcspn(s->sets.set[i], "="),
                 s->sets.set[i]);
        cs_sets_drop(&s->sets, field);
    }
    if (text.text && !tuned)
        status = cs_sets_put(&s->sets, key, text.text, err);
    else
        cs_sets_drop(&s->sets, key);
    cs_free(text.text);
    return status;
}

/* Returns whether a name is that of a parameter, and not of a field of its
 * schedule. */
static bool is_whole(const cs_session *s, size_t arm, const char *name)
{
    const cs_kernel_type *type = cs_run_arm(s->open.run, arm).kernel->type;
    return !name[cs_kernel_param_length(type, name)];
}

static void say_set(cs_session *s, size_t arm, const cs_param *row,
                    const char *name, const char *text)
{
    const cs_arm_view v = cs_run_arm(s->open.run, arm);
    size_t k = (size_t)(row - v.kernel->type->params);
    cs_number from = cs_count((double)cs_run_steps(s->open.run));
    bool driven = v.plan->driven[k] && is_whole(s, arm, name);
    if (driven)
        cs_session_say(s, "%s.%s follows a schedule from step %s: %s", v.name,
                       name, from.text,
                       cs_plan_schedule(v.plan, k)->type->name);
    else
        cs_session_say(s, "%s.%s = %s from step %s", v.name, name, text,
                       from.text);
    cs_command_answer(s, "%s", s->reported.newest);
}

/* Returns the schedule that drives a parameter of an arm. If the parameter has
 * no schedule, returns NULL. */
static const cs_schedule *driver_of(const cs_session *s, size_t arm,
                                    const cs_param *row)
{
    const cs_arm_view v = cs_run_arm(s->open.run, arm);
    size_t k = (size_t)(row - v.kernel->type->params);
    bool driven = k < v.kernel->type->n_params && v.plan->driven[k];
    return driven ? cs_plan_schedule(v.plan, k) : NULL;
}

/* Writes "acs.step.max from 3 back to 5" if the two schedules differ in only
 * one number, otherwise "". */
static void say_field(const char *key, const cs_schedule *was,
                      const cs_schedule *now, char *text, size_t size)
{
    size_t n = cs_schedule_used(was), rows = was->type->n_params, at = n;
    char value[2][64], number[24];
    *text = 0;
    if (now->type != was->type || cs_schedule_used(now) != n)
        return;
    for (size_t i = n, found = 0; i-- > 0;)
        if (now->values[i] != was->values[i])
            at = found++ ? n : i;
    if (at == n)
        return;
    const cs_param *list = cs_schedule_list(was->type);
    const cs_param *of = at < rows ? &was->type->params[at] : list;
    snprintf(number, sizeof number, "%zu", at < rows ? at : at - rows + 1);
    cs_put_number(of, now->values[at], value[0], sizeof value[0]);
    cs_put_number(of, was->values[at], value[1], sizeof value[1]);
    snprintf(text, size, "%.60s.%.40s from %.36s back to %.36s", key,
             at < rows ? of->name : number, value[0], value[1]);
}

/* Sets a parameter of an arm, or a field of the schedule that drives it. */
static cs_status set_of_arm(cs_session *s, size_t arm, const cs_param *row,
                            const char *name, const char *text, cs_error *err)
{
    char key[128], field[200] = "";
    cs_page was = {0};
    cs_schedule before = {0};
    const cs_schedule *driver = driver_of(s, arm, row);
    snprintf(key, sizeof key, "%s.%s", cs_run_arm_name(s->open.run, arm),
             row->name);
    cs_put_value(s->open.run, arm, row, &was);
    if (driver)
        /* copies the numbers, since the old schedule may be destroyed below */
        before = *driver;
    if (s->back.under_way && was.text && strcmp(was.text, text) == 0) {
        cs_free(was.text);
        return already(key, text, err);
    }
    bool lua = is_lua(text) && is_whole(s, arm, name);
    cs_status status = lua ? set_in_lua(s, arm, name, text, err)
                           : cs_run_set_text(s->open.run, arm, name, text, err);
    if (status == CS_OK) {
        driver = driver_of(s, arm, row);
        if (before.type && driver)
            say_field(key, &before, driver, field, sizeof field);
        say_set(s, arm, row, name, text);
        status = remember_set(s, arm, row, key, is_whole(s, arm, name), err);
        can_undo_set(s, key, was.text, text, field);
    }
    cs_free(was.text);
    return status;
}

cs_status cs_command_set(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run && n >= 1);
    size_t arm;
    const char *name;
    cs_page value = {0};
    cs_status status = cut_value(s, word, n, &value, err);
    const cs_param *row = status ? NULL : target_param(s, word[1]);
    if (row) {
        status = set_target(s, row, value.text, err);
    } else if (status == CS_OK) {
        status = find_arm(s, word[1], &arm, &name, err);
        row = status ? NULL : row_of(s, arm, name);
        if (row)
            status = set_of_arm(s, arm, row, name, value.text, err);
        else if (status == CS_OK)
            status = unknown(s, arm, name, err);
    }
    cs_free(value.text);
    return status;
}

/* Parses an index, counted from 1, in the command `look`. "=" keeps the current
 * index. "+1" goes to the next index, and "-1" to the previous index; both wrap
 * around. */
static cs_status turn(const char *word, size_t n, size_t *at, cs_error *err)
{
    if (strcmp(word, "=") == 0 || n == 0)
        return CS_OK;
    char *end;
    long k = strtol(word, &end, 10);
    bool relative = *word == '+' || *word == '-';
    if (end == word || *end)
        return cs_fail(err, CS_INPUT, "'%s' is not a number", word);
    long to = relative ? (long)*at + k % (long)n : k - 1;
    if (relative)
        to = (to + (long)n) % (long)n;
    if (to < 0 || to >= (long)n)
        return cs_fail(err, CS_RANGE, "'%s' is outside the range from 1 to %zu",
                       word, n);
    *at = (size_t)to;
    return CS_OK;
}

cs_status cs_command_look(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run && n >= 1);
    cs_look_at at = s->look;
    cs_status status = CS_OK;
    if (strcmp(word[1], "=") && word[1][0] != '+' && word[1][0] != '-')
        status = cs_command_arm(s, word[1], &at.arm, err);
    else
        status = turn(word[1], cs_run_arms(s->open.run), &at.arm, err);
    if (status)
        return status;
    size_t chains = cs_run_arm(s->open.run, at.arm).chains;
    if (at.chain >= chains)
        at.chain = 0;
    if (n > 1)
        status = turn(word[2], chains, &at.chain, err);
    if (status == CS_OK && n > 2)
        status = turn(word[3], cs_run_target(s->open.run)->space.dim,
                      &at.coordinate, err);
    if (status == CS_OK)
        s->look = at;
    s->show.dirty = true;
    return status;
}

cs_status cs_command_pictures(cs_session *s, char **word, size_t n,
                              cs_error *err)
{
    uint64_t count;
    (void)n;
    cs_status status = cs_command_count(word[1], &count, err);
    if (status == CS_OK) {
        s->show.pictures = count < 4096 ? (size_t)count : 4096;
        s->show.dirty = true;
    }
    return status;
}

cs_status cs_command_once(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word;
    (void)n;
    (void)err;
    s->once = true;
    return CS_OK;
}

cs_status cs_command_reports(cs_session *s, char **word, size_t n,
                             cs_error *err)
{
    char list[sizeof s->show.reports] = "";
    size_t at = 0;
    for (size_t i = 1; i <= n && at < sizeof list; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s",
                               at ? " " : "", word[i]);
    if (at >= sizeof list)
        return cs_fail(err, CS_INPUT, "too many reports");
    if (strcmp(s->show.reports, list) != 0)
        cs_own_ask(&s->own);
    memcpy(s->show.reports, list, sizeof list);
    s->show.dirty = true;
    return CS_OK;
}
