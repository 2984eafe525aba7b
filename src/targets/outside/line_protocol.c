#include "targets/outside/line_protocol.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DIM = 1 << 24, MOST_WHOLE = 1 << 30 };

static const char blanks[] = " \t\r";

/* Returns the next word of the line, NUL-terminated, or NULL. */
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, blanks);
    char *end = word + strcspn(word, blanks);
    *line = *end ? end + 1 : end;
    *end = 0;
    return *word ? word : NULL;
}

static bool read_number(const char *word, double *x)
{
    return word && cs_word_real((cs_word_span){word, word + strlen(word)}, x);
}

/* ---- the description ----------------------------------------------------- */

/* The rest of a line of the description, after the words that have been
 * read. */
typedef struct line {
    char *rest;
} line;

static cs_status take_version(cs_model_hello *h, line *l, cs_error *err)
{
    double version;
    if (!read_number(next_word(&l->rest), &version))
        return cs_fail(err, CS_INPUT,
                       "the version is missing after 'chainscope'");
    if (version != CS_PROTOCOL)
        return cs_fail(err, CS_INPUT,
                       "protocol version %g is not supported; expected %d",
                       version, CS_PROTOCOL);
    h->begun = true;
    return CS_OK;
}

static cs_status take_name(cs_model_hello *h, line *l, cs_error *err)
{
    l->rest += strspn(l->rest, blanks);
    if (!*l->rest)
        return cs_fail(err, CS_INPUT, "the name is missing");
    cs_text_clean(l->rest, h->name, sizeof h->name);
    l->rest += strlen(l->rest);
    return CS_OK;
}

static const struct {
    const char *name;
    cs_support support;
    int bounds; /* number of bounds that follow the keyword */
} supports[] = {
    {"real", CS_SUPPORT_REAL, 0},         {"positive", CS_SUPPORT_LOWER, 0},
    {"lower", CS_SUPPORT_LOWER, 1},       {"upper", CS_SUPPORT_UPPER, 1},
    {"interval", CS_SUPPORT_INTERVAL, 2}, {"binary", CS_SUPPORT_WHOLE, 0},
    {"integer", CS_SUPPORT_WHOLE, 2},
};
enum { SUPPORTS = sizeof supports / sizeof *supports };

static cs_status check_bounds(const cs_model_param *p, cs_error *err)
{
    bool two =
        p->support == CS_SUPPORT_INTERVAL || p->support == CS_SUPPORT_WHOLE;
    if (!isfinite(p->low) || !isfinite(p->high) || (two && !(p->low < p->high)))
        return cs_fail(err, CS_INPUT,
                       "parameter %s: the range from %g to %g is empty",
                       p->name, p->low, p->high);
    if (p->support == CS_SUPPORT_WHOLE &&
        (p->low != floor(p->low) || p->high != floor(p->high) ||
         fabs(p->low) > MOST_WHOLE || fabs(p->high) > MOST_WHOLE))
        return cs_fail(
            err, CS_INPUT,
            "parameter %s: %g and %g must be integers, and not too large",
            p->name, p->low, p->high);
    return CS_OK;
}

static cs_status take_support(cs_model_param *p, const char *word, line *l,
                              cs_error *err)
{
    const char *names[SUPPORTS + 1] = {NULL};
    size_t i = 0;
    for (size_t k = 0; k < SUPPORTS; k++)
        names[k] = supports[k].name;
    while (word && i < SUPPORTS && strcmp(word, supports[i].name) != 0)
        i++;
    if (!word || i == SUPPORTS) {
        const char *near = word ? cs_text_nearest(word, names) : NULL;
        cs_fail(err, CS_INPUT, "parameter %s: unknown support '%.40s'", p->name,
                word ? word : "");
        cs_hint(err, "write %s",
                near ? near
                     : "real, positive, lower A, upper B, interval A B, binary "
                       "or integer A B");
        return CS_INPUT;
    }
    p->support = supports[i].support;
    p->high = p->support == CS_SUPPORT_WHOLE;
    double *bound[2] = {&p->low, &p->high};
    if (p->support == CS_SUPPORT_UPPER)
        bound[0] = &p->high;
    for (int k = 0; k < supports[i].bounds; k++)
        if (!read_number(next_word(&l->rest), bound[k]))
            return cs_fail(err, CS_INPUT, "parameter %s: %s needs %d %s",
                           p->name, supports[i].name, supports[i].bounds,
                           supports[i].bounds == 1 ? "number" : "numbers");
    return check_bounds(p, err);
}

static bool is_name(const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    return word && *word != '.' && *word != '_' && !(*word < 'A') &&
           strlen(word) < sizeof((cs_model_param *)NULL)->name &&
           strspn(word, letters) == strlen(word);
}

static cs_status take_param(cs_model_hello *h, line *l, cs_error *err)
{
    const char *word = next_word(&l->rest);
    cs_model_param p = {.size = 1, .first = h->dim};
    double size;
    if (!is_name(word))
        return cs_fail(err, CS_INPUT, "'%.40s' is not a valid parameter name",
                       word ? word : "");
    snprintf(p.name, sizeof p.name, "%s", word);
    for (size_t i = 0; i < h->n_params; i++)
        if (strcmp(h->param[i].name, p.name) == 0)
            return cs_fail(err, CS_INPUT, "parameter %s is declared twice",
                           p.name);
    word = next_word(&l->rest);
    if (read_number(word, &size)) {
        if (!(size >= 1 && size <= MOST_DIM) || size != floor(size))
            return cs_fail(err, CS_INPUT,
                           "parameter %s: invalid size %g; use a positive "
                           "integer, not too large",
                           p.name, size);
        p.size = (size_t)size;
        p.vector = true;
        word = next_word(&l->rest);
    }
    cs_status status = take_support(&p, word, l, err);
    if (status)
        return status;
    if (h->dim + p.size > MOST_DIM)
        return cs_fail(err, CS_INPUT,
                       "the parameters have more than %d numbers", MOST_DIM);
    if (!CS_GROW(h->param, h->n_params, h->capacity, 1))
        return cs_fail(err, CS_MEMORY, "out of memory for parameters");
    h->param[h->n_params++] = p;
    h->dim += p.size;
    return CS_OK;
}

static cs_status take_gradient(cs_model_hello *h, line *l, cs_error *err)
{
    (void)l;
    (void)err;
    h->gradient = true;
    return CS_OK;
}

static bool is_whole(const cs_model_param *p)
{
    return p->support == CS_SUPPORT_WHOLE;
}

/* Ends the description. All parameters must be real, or all must be integers
 * with the same range. */
static cs_status take_ready(cs_model_hello *h, line *l, cs_error *err)
{
    (void)l;
    if (h->n_params == 0)
        return cs_fail(err, CS_INPUT, "no parameter was declared");
    const cs_model_param *first = &h->param[0];
    for (size_t i = 1; i < h->n_params; i++) {
        const cs_model_param *p = &h->param[i];
        bool alike =
            is_whole(p) == is_whole(first) &&
            (!is_whole(p) || (p->low == first->low && p->high == first->high));
        if (!alike)
            return cs_fail(err, CS_INPUT,
                           "parameters %s and %s must be both real, or both "
                           "integers with the same range",
                           first->name, p->name);
    }
    if (is_whole(first) && h->gradient)
        return cs_fail(err, CS_INPUT,
                       "a model of integers cannot have a gradient");
    h->ready = true;
    return CS_OK;
}

static const struct {
    const char *word;
    cs_status (*take)(cs_model_hello *h, line *l, cs_error *err);
} lines[] = {
    {"chainscope", take_version}, {"name", take_name},
    {"parameter", take_param},    {"gradient", take_gradient},
    {"ready", take_ready},
};
enum { LINES = sizeof lines / sizeof *lines };

cs_status cs_model_hello_take(cs_model_hello *h, char *text, cs_error *err)
{
    line l = {text};
    const char *word = next_word(&l.rest), *names[LINES + 1] = {NULL};
    size_t i = 0;
    for (size_t k = 0; k < LINES; k++)
        names[k] = lines[k].word;
    while (word && i < LINES && strcmp(word, lines[i].word) != 0)
        i++;
    if (!word || i == LINES || (i == 0) == h->begun) {
        const char *near = word ? cs_text_nearest(word, names) : NULL;
        cs_fail(err, CS_INPUT, "unknown line in the description");
        if (h->begun)
            cs_hint(err, "write %s",
                    near ? near : "name, parameter, gradient or ready");
        else
            cs_hint(err, "the first line must be: chainscope %d", CS_PROTOCOL);
        return CS_INPUT;
    }
    cs_status status = lines[i].take(h, &l, err);
    if (status == CS_OK && (word = next_word(&l.rest)))
        return cs_fail(err, CS_INPUT, "unexpected '%.40s'", word);
    return status;
}

void cs_model_hello_fini(cs_model_hello *h)
{
    cs_free(h->param);
    *h = (cs_model_hello){.param = NULL};
}

/* ---- answers ------------------------------------------------------------- */

cs_status cs_model_answer_take(char *text, size_t n, double *number,
                               const char **said, cs_error *err)
{
    char *at = text + strspn(text, blanks);
    *said = NULL;
    if (strncmp(at, "error", 5) == 0 && (!at[5] || strchr(blanks, at[5]))) {
        *said = at + 5 + strspn(at + 5, blanks);
        for (size_t i = 0; i < n; i++)
            number[i] = (double)NAN;
        return CS_OK;
    }
    for (size_t i = 0; i < n; i++) {
        const char *word = next_word(&at);
        if (!word)
            return cs_fail(err, CS_INPUT,
                           "the line has only %zu of %zu numbers", i, n);
        if (!read_number(word, &number[i]))
            return cs_fail(err, CS_INPUT, "'%.40s' is not a number", word);
    }
    const char *more = next_word(&at);
    if (more)
        return cs_fail(err, CS_INPUT, "unexpected '%.40s': %zu %s expected",
                       more, n, n == 1 ? "number is" : "numbers are");
    return CS_OK;
}
