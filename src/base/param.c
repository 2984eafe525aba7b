#include "base/param.h"

#include "base/renamed.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cs_param_find(const cs_param *rows, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* Smallest absolute value of a bound that is treated as no bound. */
static const double open_end = 1e300;

void cs_param_text(const cs_param *row, double value, char *text, size_t size)
{
    bool named = row->kind == CS_PARAM_CHOICE && value >= 0;
    size_t i = 0;
    while (named && row->choices[i] && (double)i < value)
        i++;
    if (named && row->choices[i])
        snprintf(text, size, "%s", row->choices[i]);
    else if (row->kind == CS_PARAM_BOOL)
        snprintf(text, size, "%s", value != 0 ? "true" : "false");
    else if (fabs(value) >= open_end)
        snprintf(text, size, "%s", value > 0 ? "inf" : "-inf");
    else
        snprintf(text, size, row->kind == CS_PARAM_REAL ? "%.6g" : "%.0f",
                 value);
}

enum { NUMBER = 32 };

/* Formats a number with enough digits to identify it: 1e+09, but 1000000001.
 * NaN is written without a sign. */
static const char *exactly(double x, char text[NUMBER])
{
    int digits = 6;
    do
        snprintf(text, NUMBER, "%.*g", digits, isnan(x) ? fabs(x) : x);
    while (++digits <= 17 && !isnan(x) && strtod(text, NULL) != x);
    return text;
}

cs_status cs_param_check_number(const cs_param *row, double number,
                                cs_error *err)
{
    bool whole = row->kind == CS_PARAM_REAL || number == floor(number);
    char x[NUMBER], least[NUMBER], most[NUMBER];
    if (whole && number >= row->min && number <= row->max)
        return CS_OK;
    exactly(number, x);
    exactly(row->min, least);
    exactly(row->max, most);
    if (isnan(number))
        cs_fail(err, CS_RANGE, "%s is not a number", row->name);
    else if (!whole)
        cs_fail(err, CS_RANGE, "%s = %s must be a whole number", row->name, x);
    else
        cs_fail(err, CS_RANGE, "%s = %s is out of range", row->name, x);
    if (row->max == HUGE_VAL)
        cs_hint(err, "use a value of at least %s", least);
    else if (row->min == -HUGE_VAL)
        cs_hint(err, "use a value of at most %s", most);
    else
        cs_hint(err, "use a value from %s to %s", least, most);
    return CS_RANGE;
}

static void hint_choices(const cs_param *row, cs_error *err)
{
    char all[256] = "";
    size_t used = 0;
    for (int i = 0; row->choices[i] && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 i ? ", " : "", row->choices[i]);
    cs_hint(err, "use one of: %s", all);
}

cs_status cs_param_choose(const cs_param *row, const char *text, double *number,
                          cs_error *err)
{
    assert(row->kind == CS_PARAM_CHOICE && row->choices);
    for (int i = 0; row->choices[i]; i++)
        if (strcmp(row->choices[i], text) == 0) {
            *number = i;
            return CS_OK;
        }
    if (cs_fail_renamed(err, row->name, row->name, text))
        return CS_UNKNOWN;
    cs_fail(err, CS_RANGE, "%s cannot be '%s'", row->name, text);
    const char *near = cs_text_nearest(text, row->choices);
    if (near)
        cs_hint(err, "did you mean '%s'?", near);
    else
        hint_choices(row, err);
    return CS_RANGE;
}

static cs_status resolve_one(const char *what, const cs_param *row,
                             const cs_value *given, cs_value *out,
                             cs_error *err)
{
    static const char *const kinds[] = {"a number",          "a whole number",
                                        "true or false",     "one of its names",
                                        "a list of numbers", "a string"};
    *out = *given;
    out->name = row->name;
    out->kind = row->kind;
    out->given = 1;
    if (row->kind == CS_PARAM_CHOICE && given->kind == CS_PARAM_TEXT)
        return cs_param_choose(row, given->text, &out->number, err);
    int number = given->kind == CS_PARAM_REAL || given->kind == CS_PARAM_INT;
    int wants_number = row->kind < CS_PARAM_ARRAY && row->kind != CS_PARAM_BOOL;
    if (given->kind != row->kind && !(number && wants_number)) {
        cs_fail(err, CS_INPUT, "%s: field '%s' has the wrong type", what,
                row->name);
        cs_hint(err, "give %s", kinds[row->kind]);
        return CS_INPUT;
    }
    if (row->kind == CS_PARAM_CHOICE) {
        size_t n = 0;
        while (row->choices[n])
            n++;
        if (given->number >= 0 && given->number < (double)n &&
            given->number == floor(given->number))
            return CS_OK;
        cs_fail(err, CS_RANGE, "%s cannot be %g", row->name,
                isnan(given->number) ? fabs(given->number) : given->number);
        hint_choices(row, err);
        return CS_RANGE;
    }
    return row->kind < CS_PARAM_ARRAY
               ? cs_param_check_number(row, given->number, err)
               : CS_OK;
}

static cs_status unknown(const char *what, const cs_param *rows, size_t n,
                         const char *name, cs_error *err)
{
    if (cs_fail_renamed(err, what, what, name))
        return CS_UNKNOWN;
    cs_fail(err, CS_UNKNOWN, "%s has no field '%s'", what, name);
    const char *best = NULL;
    char all[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        best = cs_text_nearer(name, best, rows[i].name);
        if (used + strlen(rows[i].name) + 3 < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                     i ? ", " : "", rows[i].name);
    }
    if (best)
        cs_hint(err, "did you mean '%s'?", best);
    else if (n)
        cs_hint(err, "use one of: %s", all);
    return CS_UNKNOWN;
}

cs_status cs_params_resolve(const char *what, const cs_param *rows, size_t n,
                            const cs_value *given, size_t n_given,
                            cs_value *out, cs_error *err)
{
    assert(n == 0 || (rows && out));
    assert(n_given == 0 || given);
    for (size_t i = 0; i < n; i++)
        out[i] = (cs_value){
            .name = rows[i].name, .kind = rows[i].kind, .number = rows[i].def};
    for (size_t k = 0; k < n_given; k++) {
        int i = cs_param_find(rows, n, given[k].name);
        if (i < 0)
            return unknown(what, rows, n, given[k].name, err);
        cs_status s = resolve_one(what, &rows[i], &given[k], &out[i], err);
        if (s)
            return s;
    }
    for (size_t i = 0; i < n; i++)
        if ((rows[i].flags & CS_PARAM_REQUIRED) && !out[i].given) {
            cs_fail(err, CS_INPUT, "%s needs the field '%s'", what,
                    rows[i].name);
            cs_hint(err, "%s = ... -- %s", rows[i].name, rows[i].help);
            return CS_INPUT;
        }
    return CS_OK;
}
