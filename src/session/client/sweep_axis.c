#include "session/client/sweep_axis.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool counts(const char *name)
{
    static const char *const names[] = {
        "chains",    "seed",          "steps",     "warmup",
        "gradients", "log_densities", "data_terms"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool read_number(const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*x);
}

/* Returns true for "nan". */
static bool is_no_number(const char *text)
{
    char *end;
    double x = strtod(text, &end);
    return end != text && *end == 0 && isnan(x);
}

static cs_status refuse(const char *what, cs_error *err)
{
    cs_fail(err, CS_INPUT, "'%s' is not a list of values", what);
    cs_hint(err, "write 1,4 or 0.1..2:12, or 0.1..2:log:12");
    return CS_INPUT;
}

static cs_status add(cs_sweep_axis *a, const char *text, cs_error *err)
{
    if (a->n == CS_SWEEP_AXIS_VALUES)
        return cs_fail(err, CS_RANGE, "%s: more than %d values", a->name,
                       CS_SWEEP_AXIS_VALUES);
    double x;
    bool number = read_number(text, &x);
    if (!*text || strlen(text) >= CS_SWEEP_AXIS_VALUE || is_no_number(text) ||
        (counts(a->name) && !number))
        return refuse(text, err);
    for (size_t i = 0; i < a->n; i++)
        if (strcmp(a->text[i], text) == 0)
            return CS_OK;
    strcpy(a->text[a->n], text);
    a->x[a->n++] = x;
    a->numbers &= number;
    return CS_OK;
}

static cs_status add_number(cs_sweep_axis *a, double x, cs_error *err)
{
    char text[CS_SWEEP_AXIS_VALUE];
    if (counts(a->name))
        snprintf(text, sizeof text, "%.0f", x);
    else
        snprintf(text, sizeof text, "%.6g", x);
    return add(a, text, err);
}

/* Parses "0.1..2:log:12" in place; sets *range to true if the word is a
 * range. */
static cs_status add_range(cs_sweep_axis *a, char *word, bool *range,
                           cs_error *err)
{
    char whole[100];
    char *dots = strstr(word, ".."), *colon = strchr(word, ':');
    double low, high, n = 10;
    bool log_scale = false;
    *range = dots != NULL;
    snprintf(whole, sizeof whole, "%s", word);
    if (!dots)
        return CS_OK;
    while (colon) {
        char *next = strchr(colon + 1, ':');
        *colon = 0;
        if (next)
            *next = 0;
        if (strcmp(colon + 1, "log") == 0)
            log_scale = true;
        else if (strcmp(colon + 1, "lin") != 0 &&
                 !(read_number(colon + 1, &n) && n >= 2 && n == floor(n) &&
                   n <= CS_SWEEP_AXIS_VALUES))
            return refuse(whole, err);
        colon = next;
    }
    *dots = 0;
    if (!read_number(word, &low) || !read_number(dots + 2, &high) ||
        !(low < high))
        return refuse(whole, err);
    if (log_scale && !(low > 0)) {
        cs_fail(err, CS_RANGE, "%s: the logarithmic range %s must be above 0",
                a->name, whole);
        cs_hint(err, "leave out :log, or start above 0");
        return CS_RANGE;
    }
    a->log |= log_scale;
    cs_status status = CS_OK;
    for (double i = 0; i < n && status == CS_OK; i++) {
        double s = i / (n - 1);
        double x =
            log_scale ? low * pow(high / low, s) : low + s * (high - low);
        status = add_number(a, i == n - 1 ? high : x, err);
    }
    return status;
}

static int by_value(const void *a, const void *b)
{
    double x = strtod(a, NULL), y = strtod(b, NULL);
    return (x > y) - (x < y);
}

/* Sorts the values if they are numbers; keeps words in the given order. */
static void put_in_order(cs_sweep_axis *a)
{
    if (a->numbers)
        qsort(a->text, a->n, sizeof *a->text, by_value);
    for (size_t i = 0; i < a->n; i++)
        a->x[i] = a->numbers ? strtod(a->text[i], NULL) : (double)(i + 1);
}

cs_status cs_sweep_axis_read(cs_sweep_axis *out, const char *text,
                             cs_error *err)
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    *out = (cs_sweep_axis){.numbers = true};
    if (length == 0 || length >= CS_SWEEP_AXIS_NAME)
        return cs_fail(err, CS_INPUT, "%s does not name a parameter", text);
    memcpy(out->name, text, length);
    out->text = cs_alloc(CS_SWEEP_AXIS_VALUES, sizeof *out->text);
    out->x = cs_alloc(CS_SWEEP_AXIS_VALUES, sizeof *out->x);
    char *words = cs_copy_text(equals + 1), *at = words;
    cs_status status = CS_OK;
    if (!out->text || !out->x || !words)
        status = cs_fail(err, CS_MEMORY, "out of memory for the values");
    while (status == CS_OK && at) {
        char *comma = strchr(at, ',');
        bool range;
        if (comma)
            *comma = 0;
        status = add_range(out, at, &range, err);
        if (status == CS_OK && !range)
            status = add(out, at, err);
        at = comma ? comma + 1 : NULL;
    }
    cs_free(words);
    if (status == CS_OK)
        put_in_order(out);
    return status;
}

void cs_sweep_axis_fini(cs_sweep_axis *a)
{
    cs_free(a->text);
    cs_free(a->x);
    *a = (cs_sweep_axis){0};
}

bool cs_sweep_axis_arm(const cs_sweep_axis *a, char arm[CS_SWEEP_AXIS_NAME])
{
    const char *point = strrchr(a->name, '.');
    if (!point || strncmp(a->name, "target.", 7) == 0)
        return false;
    snprintf(arm, CS_SWEEP_AXIS_NAME, "%.*s", (int)(point - a->name), a->name);
    return true;
}
