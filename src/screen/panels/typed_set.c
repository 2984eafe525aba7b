#include "screen/panels/typed_set.h"

#include "base/typed.h"
#include "chain/plan.h"
#include "schedule/typed_schedule.h"
#include "screen/canvas/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY = 160, SPAN = 240 };
#define LONGEST 1e15 /* maximum number of steps of a cycle */

/* ---- reading the line ------------------------------------------------------ */

/* Splits "set KEY VALUE" or KEY=VALUE. Returns false for any other line. */
static bool cut(const char *line, char key[KEY], const char **value)
{
    static const char word[] = "set ";
    if (strncmp(line, word, strlen(word)) != 0)
        return false;
    line += strlen(word);
    line += strspn(line, " ");
    size_t n = strcspn(line, " =");
    snprintf(key, KEY, "%.*s", (int)(n < KEY ? n : KEY - 1), line);
    *value = line + n + strspn(line + n, " =");
    return n > 0 && line[n];
}

/* Finds the kernel's parameter and the field that a key such as "acs.step.max"
 * names. */
static bool find(const cs_shot *s, const char *key, size_t look,
                 cs_typed_set *out, const char **field)
{
    char name[KEY];
    for (size_t arm = 0; arm < cs_shot_all_arms(s); arm++) {
        size_t order[CS_SHOT_PARAMS], n = cs_shot_params(s, arm, order);
        for (size_t i = 0; i < n; i++) {
            const cs_row_param *p = cs_shot_param(s, arm, order[i]);
            const char *own =
                cs_shot_text(s, "arm/%zu/param/%zu/name", arm, order[i]);
            if (!p || p->of != 0 || strchr(own, '.'))
                continue;
            snprintf(name, sizeof name, "%s.%s", cs_shot_arm(s, arm), own);
            size_t full = strlen(name), bare = strlen(own), at = full;
            if (strncmp(key, name, full) != 0 && arm == look &&
                strncmp(key, own, bare) == 0)
                at = bare;
            else if (strncmp(key, name, full) != 0)
                continue;
            if (key[at] && key[at] != '.')
                continue;
            out->arm = arm;
            out->param = order[i];
            *field = key + at + (key[at] == '.');
            return true;
        }
    }
    return false;
}

/* Finds the parameter's current schedule, or its constant value. */
static bool find_now(const cs_shot *s, const cs_row_param *p, cs_typed_set *out)
{
    size_t r, n;
    const char *kind =
        cs_shot_text(s, "arm/%zu/schedule/%zu/kind", out->arm, out->param);
    const double *value =
        cs_shot_array(s, &r, &n, CS_KEY_VALUES, out->arm, out->param);
    if (p->driven == 0) {
        out->now = cs_schedule_constant(p->value);
        return true;
    }
    out->now = (cs_schedule){.type = cs_schedule_find(kind)};
    if (!out->now.type || !value || r != 1 || n > CS_SCHEDULE_VALUES ||
        n < out->now.type->n_params)
        return false;
    memcpy(out->now.values, value, n * sizeof *value);
    return cs_schedule_used(&out->now) == n && cs_schedule_sound(&out->now);
}

static cs_status read(const cs_param *row, const char *field, const char *text,
                      cs_typed_set *out, cs_error *err)
{
    double x;
    if (*field && out->number)
        return cs_fail(err, CS_INPUT, "no schedule drives %s", row->name);
    if (*field && !out->knows_now)
        return cs_fail(err, CS_INPUT, "the schedule of %s has no fields",
                       row->name);
    out->number = false;
    if (*field)
        return cs_schedule_with(&out->now, field, text, &out->then, err);
    if (cs_schedule_is_words(text))
        return cs_schedule_from_words(&out->then, text, err);
    cs_status status = cs_param_read(row, text, &x, err);
    if (status == CS_OK)
        status = cs_param_check_number(row, x, err);
    out->number = true;
    out->then = cs_schedule_constant(x);
    return status;
}

void cs_typed_set_read(const char *line, const cs_shot *s, size_t look,
                       cs_typed_set *out)
{
    char key[KEY];
    const char *value, *field;
    cs_error err = {0};
    *out = (cs_typed_set){.valid = false};
    if (!cut(line, key, &value) || !find(s, key, look, out, &field))
        return;
    const cs_row_param *p = cs_shot_param(s, out->arm, out->param);
    const cs_param row = {
        .name = cs_shot_text(s, "arm/%zu/param/%zu/name", out->arm, out->param),
        .kind = (cs_param_kind)p->kind,
        .min = p->min,
        .max = p->max};
    bool plain = row.kind == CS_PARAM_REAL || row.kind == CS_PARAM_INT;
    if (!*value || !plain || strncmp(value, "cs.", 3) == 0)
        return;
    double steps = cs_shot_number(s, 0, "arm/%zu/steps", out->arm);
    double warm_up = cs_shot_number(s, 0, "arm/%zu/warm_up", out->arm);
    bool counted = steps - warm_up >= 0 && steps - warm_up < LONGEST;
    out->next = counted ? steps - warm_up + 1 : 1;
    out->knows_now = find_now(s, p, out);
    out->number = p->driven == 0;
    cs_status status = read(&row, field, value, out, &err);
    if (status == CS_OK)
        status = cs_plan_allows(&out->then, &row, &err);
    out->valid = status == CS_OK;
    if (status)
        cs_error_format(&err, out->why, sizeof out->why);
}

/* ---- future values ---------------------------------------------------------- */

static double period_of(const cs_schedule *s)
{
    return s->type->period ? s->type->period(s) : 0;
}

/* Returns the number of steps to show for a schedule without a cycle: the
 * largest number of steps among its fields. */
static double span_of(const cs_schedule *s)
{
    double most = SPAN;
    for (size_t i = 0; i < s->type->n_params; i++)
        if (s->type->params[i].kind == CS_PARAM_INT)
            most = fmax(most, s->values[i]);
    return most;
}

/* Returns the largest value in n steps from `first` on. */
static double largest(const cs_schedule *s, double first, double n)
{
    enum { MOST = 64 };
    double value[MOST];
    size_t steps = (size_t)fmin(fmax(n, 1), MOST);
    s->type->fill(s, (uint64_t)first, steps, value);
    for (size_t i = 1; i < steps; i++)
        value[0] = fmax(value[0], value[i]);
    return value[0];
}

void cs_typed_set_series(const cs_typed_set *set, cs_typed_series *out)
{
    double now = set->knows_now ? period_of(&set->now) : 1;
    double then = period_of(&set->then);
    double span = fmax(now, then), from = 1;
    *out = (cs_typed_series){.goes_round = now > 0 && then > 0};
    if (!out->goes_round) {
        span = fmax(span_of(&set->now), span_of(&set->then));
        from = set->next;
    } else if (span < 2) {
        span = 2; /* if both values are constant, draws two points */
    }
    span = fmin(span, LONGEST);
    out->n = (size_t)fmin(span, CS_TYPED_SERIES);
    out->first = from;
    out->last = from + span - 1;
    for (size_t i = 0; i < out->n; i++) {
        double each = span / (double)out->n;
        double step = from + floor((double)i * each);
        out->now[i] =
            set->knows_now ? largest(&set->now, step, each) : (double)NAN;
        out->then[i] = largest(&set->then, step, each);
    }
}

void cs_typed_set_tell(const cs_schedule *of, double next, char *out,
                       size_t size)
{
    double period = period_of(of), first, last;
    uint64_t end = period > 1 && period < LONGEST ? (uint64_t)period : 1;
    of->type->fill(of, period > 0 ? 1 : (uint64_t)next, 1, &first);
    of->type->fill(of, end, 1, &last);
    if (strcmp(of->type->name, "constant") == 0)
        snprintf(out, size, "%s", cs_num(first).text);
    else if (period > 0)
        snprintf(out, size, "%s, %s to %s in %s steps", of->type->name,
                 cs_num(first).text, cs_num(last).text, cs_count(period).text);
    else
        snprintf(out, size, "%s, %s at the next step", of->type->name,
                 cs_num(first).text);
}

double cs_typed_acceptance(const double *value, const double *acceptance,
                           size_t n, bool log, double at)
{
    size_t below = n, above = n;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(value[i]) || !isfinite(acceptance[i]))
            continue;
        if (value[i] <= at && (below == n || value[i] > value[below]))
            below = i;
        if (value[i] >= at && (above == n || value[i] < value[above]))
            above = i;
    }
    if (below == n || above == n)
        return (double)NAN;
    double low = value[below], high = value[above], x = at;
    if (log && low > 0) {
        low = log10(low);
        high = log10(high);
        x = log10(x);
    }
    double share = high > low ? (x - low) / (high - low) : 0;
    return acceptance[below] + share * (acceptance[above] - acceptance[below]);
}
