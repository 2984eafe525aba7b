/* Commands that change parameters, and what is looked at. */
#include "base/count.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "base/renamed.h"
#include "base/text.h"
#include "chain/kernel_text.h"
#include "session/command.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cs_status find_value(const cs_param *row, const char *word, double *out,
                            cs_error *err)
{
    static const char *const truth[] = {"false", "true", NULL};
    cs_param named = *row;
    if (row->kind == CS_PARAM_BOOL) {
        named.choices = truth;
        named.kind = CS_PARAM_CHOICE;
    }
    if (!named.choices || cs_command_number(word, out, NULL) == CS_OK)
        return cs_command_number(word, out, err);
    return cs_param_choose(&named, word, out, err);
}

/* Cuts "arm.param" in two; without a point the arm looked at is meant. */
static cs_status find_param(cs_session *s, char *word, size_t *arm,
                            const cs_param **row, cs_error *err)
{
    char *point = strrchr(word, '.');
    *arm = s->look.arm;
    if (point) {
        *point = 0;
        cs_status status = cs_command_arm(s, word, arm, err);
        *point = '.';
        if (status)
            return status;
        word = point + 1;
    }
    const cs_kernel_type *type = cs_run_arm(s->open.run, *arm).kernel->type;
    int i = cs_param_find(type->params, type->n_params + type->n_lists, word);
    if (i < 0) {
        const char *names[CS_KERNEL_PARAMS + 1] = {NULL};
        for (size_t k = 0; k < type->n_params && k < CS_KERNEL_PARAMS; k++)
            names[k] = type->params[k].name;
        if (cs_fail_renamed(err, type->name, type->name, word))
            return CS_UNKNOWN;
        cs_fail(err, CS_UNKNOWN, "%s has no parameter '%s'", type->name, word);
        const cs_target_type *t = cs_run_target(s->open.run)->type;
        const char *near = cs_text_nearest(word, names);
        if (cs_param_find(t->params, t->n_params, word) >= 0)
            cs_hint(err, "it is of the target: set target.%s=VALUE", word);
        else if (near)
            cs_hint(err, "did you mean '%s'?", near);
        return CS_UNKNOWN;
    }
    *row = &type->params[i];
    return CS_OK;
}

static bool is_schedule(const char *value)
{
    return strncmp(value, "cs.", 3) == 0;
}

/* "set arm.step=1", as --set and Lua have it, or "set arm.step 1". */
static char *cut_value(char **word, size_t n, cs_error *err)
{
    char *equals = strchr(word[1], '=');
    if (equals)
        *equals = 0;
    char *value = equals  ? equals + 1
                  : n > 1 ? word[2]
                          : word[1] + strlen(word[1]);
    if (*value && is_schedule(value))
        return value;
    if (!*value || n != 2 - (equals != NULL)) {
        cs_fail(err, CS_INPUT, "set takes a parameter and its value");
        cs_hint(err, "set %s=1", word[1]);
        return NULL;
    }
    return value;
}

/* The parameter of the target that "target.beta" or "acs.target.beta" means, NULL:
 * it is none, or an arm is called target. */
static const cs_param *target_param(const cs_session *s, const char *word)
{
    static const char head[] = "target.";
    const cs_target_type *t = cs_run_target(s->open.run)->type;
    const char *at = strstr(word, head);
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++)
        if (strcmp(cs_run_arm(s->open.run, i).name, "target") == 0)
            return NULL;
    if (!at || (at != word && at[-1] != '.'))
        return NULL;
    int k = cs_param_find(t->params, t->n_params, at + sizeof head - 1);
    return k < 0 ? NULL : &t->params[k];
}

/* Not what the states are made of; not while a tuner tries what suits the
 * target. */
static cs_status may_change(const cs_session *s, const cs_param *row,
                            cs_error *err)
{
    if (row->kind != CS_PARAM_REAL) {
        cs_fail(err, CS_UNSUPPORTED,
                "%s decides what the states are: chains cannot go on",
                row->name);
        cs_hint(err, "start again with it: chainscope FILE --set target.%s=...",
                row->name);
        return CS_UNSUPPORTED;
    }
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++)
        if (cs_run_arm(s->open.run, i).tuning.active) {
            cs_fail(err, CS_UNSUPPORTED, "arm %s is in its warm-up",
                    cs_run_arm(s->open.run, i).name);
            cs_hint(err, "change the target when that is over");
            return CS_UNSUPPORTED;
        }
    return CS_OK;
}

void cs_session_write_value(const cs_param *row, double value, char *text,
                            size_t size)
{
    char digits[CS_DECIMAL];
    bool named = row->kind == CS_PARAM_CHOICE && row->choices && value >= 0;
    size_t k = 0, n = cs_decimal_put(value, digits);
    while (named && k < (size_t)value && row->choices[k])
        k++;
    if (named && row->choices[k])
        snprintf(text, size, "%s", row->choices[k]);
    else
        snprintf(text, size, "%.*s", (int)n, digits);
}

/* What a parameter is, to be set back once it is another. */
static void remember_value(const cs_session *s, size_t arm, const cs_param *row,
                           cs_page *p)
{
    char value[64];
    const cs_arm_view v = cs_run_arm(s->open.run, arm);
    size_t k = (size_t)(row - v.kernel->type->params);
    const cs_schedule *schedule = &v.plan->schedule[k];
    cs_session_write_value(row, v.kernel->values[k], value, sizeof value);
    if (!v.plan->driven[k])
        cs_page_put(p, "%s", value);
    else if (cs_schedule_has_text(schedule))
        cs_schedule_put(p, schedule);
}

/* After `name` was set, which was `was` before (NULL: what has no text). */
static void can_undo_set(cs_session *s, const char *name, const char *was)
{
    char said[200], quoted[1024];
    cs_page line = {0};
    snprintf(said, sizeof said, "%.60s back to %.60s", name,
             !was               ? "a function of the scenario"
             : is_schedule(was) ? "its schedule"
                                : was);
    if (was && cs_words_quote(was, quoted, sizeof quoted))
        cs_page_put(&line, "set %s %s", name, quoted);
    cs_session_can_undo(s, line.full ? NULL : line.text, said);
    cs_free(line.text);
}

/* Chains go on where they are, on the target with that value. */
static cs_status set_target(cs_session *s, const cs_param *row,
                            const char *text, cs_error *err)
{
    double value = 0;
    char key[80], was[512] = "", before[64];
    cs_status status = cs_command_unwritten(s, err);
    if (status == CS_OK)
        status = may_change(s, row, err);
    if (status == CS_OK)
        status = find_value(row, text, &value, err);
    if (status == CS_OK)
        status = cs_param_check_number(row, value, err);
    if (status)
        return status;
    snprintf(key, sizeof key, "target.%s", row->name);
    for (size_t i = 0, n = strlen(key); i < s->n_set; i++)
        if (strncmp(s->set[i], key, n) == 0 && s->set[i][n] == '=')
            snprintf(was, sizeof was, "%s", s->set[i] + n + 1);
    const cs_target *t = cs_run_target(s->open.run);
    cs_session_write_value(row, t->values[row - t->type->params], before,
                           sizeof before);
    status = cs_session_remember(s, key, text, err);
    if (status == CS_OK)
        status = cs_session_rearm(s, NULL, 0, NULL, err);
    if (status) {
        if (*was)
            cs_session_remember(s, key, was, NULL);
        else
            cs_session_forget_set(s, key);
        return status;
    }
    can_undo_set(s, key, before);
    cs_run_note_change(s->open.run, key, value, NULL);
    cs_session_say(s, "%s = %s from step %s: draws begin there", key, text,
                   cs_count((double)cs_run_steps(s->open.run)).text);
    cs_command_answer(s, "%s", s->message);
    return CS_OK;
}

/* A schedule, which a scenario's parameter may have too: as a script would. It
 * is not remembered for when the run is begun again: then it is as the scenario
 * has it. */
static cs_status set_schedule(cs_session *s, size_t arm, const cs_param *row,
                              const char *key, char **word, size_t n,
                              cs_error *err)
{
    cs_page p = {0};
    cs_page_put(&p, "run:arm(%zu):set(\"%s\", %s", arm + 1, row->name, word[0]);
    for (size_t i = 1; i < n; i++)
        cs_page_put(&p, " %s", word[i]);
    cs_page_put(&p, ")");
    cs_status status = p.full ? cs_fail(err, CS_MEMORY, "no memory to set it")
                              : cs_command_eval(s, p.text, err);
    cs_free(p.text);
    if (status)
        return status;
    cs_session_forget_set(s, key);
    cs_session_say(s, "%s follows a schedule from step %s", key,
                   cs_count((double)cs_run_steps(s->open.run)).text);
    cs_command_answer(s, "%s", s->message);
    return CS_OK;
}

static cs_status set_number(cs_session *s, size_t arm, const cs_param *row,
                            const char *key, const char *text, cs_error *err)
{
    double value;
    cs_status status = find_value(row, text, &value, err);
    if (status == CS_OK)
        status = cs_run_set(s->open.run, arm, row->name, value, err);
    if (status)
        return status;
    cs_session_say(s, "%s = %s from step %s", key, text,
                   cs_count((double)cs_run_steps(s->open.run)).text);
    cs_command_answer(s, "%s", s->message);
    return cs_session_remember(s, key, text, err);
}

cs_status cs_command_set(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run && n >= 1);
    size_t arm;
    const cs_param *row;
    char key[128];
    cs_page was = {0};
    char *text = cut_value(word, n, err);
    if (!text)
        return CS_INPUT;
    row = target_param(s, word[1]);
    if (row)
        return set_target(s, row, text, err);
    cs_status status = find_param(s, word[1], &arm, &row, err);
    if (status)
        return status;
    snprintf(key, sizeof key, "%s.%s", cs_run_arm(s->open.run, arm).name,
             row->name);
    remember_value(s, arm, row, &was);
    size_t more = text == word[2] ? 1 : 0; /* words before the value's rest */
    word[1 + more] = text;
    if (s->setting_back && was.text && strcmp(was.text, text) == 0) {
        cs_free(was.text);
        cs_fail(err, CS_UNSUPPORTED, "%s is %s at this step already", key,
                text);
        cs_hint(err, "it is changed later: ] goes on to there");
        return CS_UNSUPPORTED;
    }
    status = is_schedule(text) ? set_schedule(s, arm, row, key, word + 1 + more,
                                              n - more, err)
                               : set_number(s, arm, row, key, text, err);
    if (status == CS_OK)
        can_undo_set(s, key, was.text);
    cs_free(was.text);
    return status;
}

/* One of look's numbers, from 1; "=" leaves it, "+1" and "-1" go round. */
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
        return cs_fail(err, CS_RANGE, "'%s' is not from 1 to %zu", word, n);
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
    s->dirty = true;
    return status;
}

cs_status cs_command_pictures(cs_session *s, char **word, size_t n,
                              cs_error *err)
{
    uint64_t count;
    (void)n;
    cs_status status = cs_command_count(word[1], &count, err);
    if (status == CS_OK) {
        s->pictures = count < 4096 ? (size_t)count : 4096;
        s->dirty = true;
    }
    return status;
}

cs_status cs_command_reports(cs_session *s, char **word, size_t n,
                             cs_error *err)
{
    char list[sizeof s->reports] = "";
    size_t at = 0;
    for (size_t i = 1; i <= n && at < sizeof list; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s",
                               at ? " " : "", word[i]);
    if (at >= sizeof list)
        return cs_fail(err, CS_INPUT, "more reports than there are probes");
    if (strcmp(s->reports, list) != 0)
        cs_own_ask(s);
    memcpy(s->reports, list, sizeof list);
    s->dirty = true;
    return CS_OK;
}
