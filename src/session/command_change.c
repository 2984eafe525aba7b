/* Commands that change parameters, and what is looked at. */
#include "base/renamed.h"
#include "base/text.h"
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

/* "set arm.step=1", as --set and Lua have it, or "set arm.step 1". */
static const char *cut_value(char **word, size_t n, cs_error *err)
{
    char *equals = strchr(word[1], '=');
    if (equals)
        *equals = 0;
    const char *value = equals ? equals + 1 : n > 1 ? word[2] : "";
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

/* Chains go on where they are, on the target with that value. */
static cs_status set_target(cs_session *s, const cs_param *row,
                            const char *text, cs_error *err)
{
    double value = 0;
    char key[80], was[512] = "";
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
    cs_run_note_change(s->open.run, key, value, NULL);
    cs_session_say(s, "%s = %s from step %llu: draws begin there", key, text,
                   (unsigned long long)cs_run_steps(s->open.run));
    cs_command_answer(s, "%s", s->message);
    return CS_OK;
}

cs_status cs_command_set(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run && n >= 1);
    size_t arm;
    const cs_param *row;
    double value;
    char key[128];
    const char *text = cut_value(word, n, err);
    if (!text)
        return CS_INPUT;
    row = target_param(s, word[1]);
    if (row)
        return set_target(s, row, text, err);
    cs_status status = find_param(s, word[1], &arm, &row, err);
    if (status == CS_OK)
        status = find_value(row, text, &value, err);
    if (status == CS_OK)
        status = cs_run_set(s->open.run, arm, row->name, value, err);
    if (status)
        return status;
    snprintf(key, sizeof key, "%s.%s", cs_run_arm(s->open.run, arm).name,
             row->name);
    cs_session_say(s, "%s = %s from step %llu", key, text,
                   (unsigned long long)cs_run_steps(s->open.run));
    cs_command_answer(s, "%s", s->message);
    return cs_session_remember(s, key, text, err);
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
    memcpy(s->reports, list, sizeof list);
    s->dirty = true;
    return CS_OK;
}
