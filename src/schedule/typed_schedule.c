#include "schedule/typed_schedule.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, GIVEN = 2 * CS_SCHEDULE_ROWS };

static const char between[] = " \t,";

/* State of the parser: the given values, and space for the numbers of a
 * list. */
typedef struct reader {
    const cs_schedule_type *type;
    cs_value value[GIVEN];
    char name[GIVEN][WORD], text[GIVEN][WORD];
    size_t n;
    double list[CS_SCHEDULE_LIST];
    size_t listed;
} reader;

static bool read_number(const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    return end != text && !*end;
}

/* Adds a hint that shows the form of a schedule of this type: "cosine max=...
 * min=...". */
static void hint_form(const cs_schedule_type *type, cs_error *err)
{
    char form[200];
    size_t at = (size_t)snprintf(form, sizeof form, "write %s", type->name);
    for (size_t i = 0; i < type->n_params && at < sizeof form; i++) {
        const cs_param *row = &type->params[i];
        if (i == 0 || (row->flags & CS_PARAM_REQUIRED))
            at += (size_t)snprintf(
                form + at, sizeof form - at, " %s=%s", row->name,
                row->kind == CS_PARAM_ARRAY ? "{ ... }" : "...");
    }
    cs_hint(err, "%s", form);
}

/* ---- lists --------------------------------------------------------------- */

static cs_status add_number(reader *r, const char *text, cs_error *err)
{
    if (r->listed == CS_SCHEDULE_LIST)
        return cs_fail(err, CS_RANGE, "the list has more than %d numbers",
                       CS_SCHEDULE_LIST);
    if (read_number(text, &r->list[r->listed++]))
        return CS_OK;
    return cs_fail(err, CS_INPUT,
                   "entry %zu of the list, '%s', is not a number", r->listed,
                   text);
}

/* Copies the next word, up to one of the characters of `ends`. Returns its
 * length. */
static size_t cut(const char **at, const char *ends, char word[WORD])
{
    *at += strspn(*at, between);
    size_t n = strcspn(*at, ends);
    snprintf(word, WORD, "%.*s", (int)(n < WORD ? n : WORD - 1), *at);
    *at += n;
    return n;
}

/* Reads a list such as "{ 5, 2, 1 }" and advances *at past it. */
static cs_status read_list(reader *r, const char **at, cs_error *err)
{
    char word[WORD];
    const char *from = *at;
    cs_status status = CS_OK;
    for (++*at; status == CS_OK;) {
        if (cut(at, " \t,{}", word))
            status = add_number(r, word, err);
        else if (**at != '}')
            return cs_fail(err, CS_INPUT, "the list '%s' has no closing brace",
                           from);
        else
            return ++*at, CS_OK;
    }
    return status;
}

static cs_value *give(reader *r, const char *name, cs_error *err)
{
    if (r->n == GIVEN) {
        cs_fail(err, CS_INPUT, "too many fields of %s", r->type->name);
        return NULL;
    }
    snprintf(r->name[r->n], WORD, "%s", name);
    cs_value *v = &r->value[r->n];
    *v = (cs_value){
        .name = r->name[r->n], .kind = CS_PARAM_REAL, .given = 1, .cols = 1};
    r->n++;
    return v;
}

static cs_status give_list(reader *r, cs_error *err)
{
    cs_value *v = give(r, cs_schedule_list(r->type)->name, err);
    if (!v)
        return CS_INPUT;
    v->kind = CS_PARAM_ARRAY;
    v->array = r->list;
    v->rows = r->listed;
    return CS_OK;
}

/* ---- fields -------------------------------------------------------------- */

/* Adds a string to the given values of the parser. Also adds unknown fields:
 * the code that resolves the values reports them, and lists the known
 * fields. */
static cs_status give_text(reader *r, const char *name, const char *text,
                           cs_error *err)
{
    cs_value *v = give(r, name, err);
    if (!v)
        return CS_INPUT;
    int i = cs_param_find(r->type->params, r->type->n_params, name);
    bool number = read_number(text, &v->number);
    if (number || i < 0)
        return CS_OK;
    if (r->type->params[i].kind == CS_PARAM_CHOICE) {
        char *copy = r->text[r->n - 1];
        size_t quoted = strspn(text, "\"'");
        snprintf(copy, WORD, "%s", text + quoted);
        copy[strcspn(copy, "\"'")] = 0;
        v->kind = CS_PARAM_TEXT;
        v->text = copy;
        return CS_OK;
    }
    cs_fail(err, CS_INPUT, "%s of %s: '%s' is not a number", name,
            r->type->name, text);
    cs_hint(err, "%s: %s", name, r->type->params[i].help);
    return CS_INPUT;
}

/* Reads NAME=VALUE, with optional spaces around =. If a list is the only
 * parameter of the schedule, its numbers may also be given without a name. */
static cs_status read_field(reader *r, const char **at, cs_error *err)
{
    char name[WORD], text[WORD];
    const cs_param *list = cs_schedule_list(r->type);
    cut(at, " \t,=", name);
    const char *equals = *at + strspn(*at, " \t");
    if (*equals != '=') {
        if (list && r->type->n_params == 1)
            return add_number(r, name, err);
        cs_fail(err, CS_INPUT, "'%s' is not FIELD=VALUE", name);
        hint_form(r->type, err);
        return CS_INPUT;
    }
    *at = equals + 1 + strspn(equals + 1, " \t");
    if (list && strcmp(name, list->name) == 0 && **at == '{')
        return read_list(r, at, err);
    cut(at, between, text);
    return list && strcmp(name, list->name) == 0
               ? add_number(r, text, err)
               : give_text(r, name, text, err);
}

static cs_status resolve(reader *r, cs_schedule *s, cs_error *err)
{
    cs_status status = CS_OK;
    if (r->listed)
        status = give_list(r, err);
    return status ? status : cs_schedule_init(s, r->type, r->value, r->n, err);
}

static cs_status unknown(const char *name, cs_error *err)
{
    char all[200] = "";
    const char *best = NULL;
    const cs_schedule_type *type;
    for (size_t i = 0, at = 0; (type = cs_schedule_at(i)); i++) {
        best = cs_text_nearer(name, best, type->name);
        if (at < sizeof all)
            at += (size_t)snprintf(all + at, sizeof all - at, "%s%s",
                                   i ? ", " : "", type->name);
    }
    cs_fail(err, CS_UNKNOWN, "unknown schedule '%s'", name);
    cs_hint(err, best ? "did you mean '%s'?" : "use one of: %s",
            best ? best : all);
    return CS_UNKNOWN;
}

bool cs_schedule_is_words(const char *text)
{
    char word[WORD];
    cut(&text, between, word);
    bool more = text[strspn(text, between)] != 0;
    return more || *word == '{' || cs_schedule_find(word);
}

cs_status cs_schedule_from_words(cs_schedule *s, const char *text,
                                 cs_error *err)
{
    char word[WORD] = "cycle";
    reader r = {.n = 0};
    cs_status status = CS_OK;
    text += strspn(text, between);
    bool bare = *text == '{';
    if (!bare)
        cut(&text, between, word);
    r.type = cs_schedule_find(word);
    if (!r.type)
        return unknown(word, err);
    if (bare)
        status = read_list(&r, &text, err);
    while (status == CS_OK && *(text += strspn(text, between)))
        status = bare ? cs_fail(err, CS_INPUT, "unexpected '%s' after the list",
                                text)
                      : read_field(&r, &text, err);
    return status ? status : resolve(&r, s, err);
}

/* ---- one field ----------------------------------------------------------- */

/* Returns the list entry that a field such as "3" names, counted from 1; 0 if
 * the field does not name an entry. */
static size_t entry_of(const cs_schedule *s, const char *field)
{
    size_t rows = s->type->n_params, n = cs_schedule_used(s) - rows;
    char *end;
    if (!cs_schedule_list(s->type) || !isdigit((unsigned char)*field))
        return 0;
    unsigned long i = strtoul(field, &end, 10);
    return *end || i > n ? 0 : (size_t)i;
}

/* Adds all current values of the schedule to the given values of the parser.
 * Values that are added later replace these values. */
static cs_status give_all(reader *r, const cs_schedule *s, cs_error *err)
{
    size_t rows = s->type->n_params;
    for (size_t i = 0; i < rows; i++) {
        const cs_param *row = &s->type->params[i];
        if (row->kind == CS_PARAM_ARRAY)
            continue;
        cs_value *v = give(r, row->name, err);
        if (!v)
            return CS_INPUT;
        v->kind = row->kind;
        v->number = s->values[i];
    }
    r->listed = cs_schedule_used(s) - rows;
    memcpy(r->list, s->values + rows, r->listed * sizeof *r->list);
    return CS_OK;
}

static cs_status set_entry(reader *r, const cs_schedule *s, const char *field,
                           const char *text, cs_error *err)
{
    size_t i = entry_of(s, field);
    if (!i) {
        cs_fail(err, CS_RANGE, "the list has no entry %s", field);
        cs_hint(err, "use an index from 1 to %zu", r->listed);
        return CS_RANGE;
    }
    if (read_number(text, &r->list[i - 1]))
        return CS_OK;
    return cs_fail(err, CS_INPUT, "'%s' is not a number", text);
}

static cs_status set_list(reader *r, const char *text, cs_error *err)
{
    text += strspn(text, between);
    r->listed = 0;
    if (*text == '{')
        return read_list(r, &text, err);
    cs_fail(err, CS_INPUT, "'%s' is not a list", text);
    cs_hint(err, "write { 5, 2, 1 }");
    return CS_INPUT;
}

cs_status cs_schedule_with(const cs_schedule *now, const char *field,
                           const char *text, cs_schedule *out, cs_error *err)
{
    const cs_param *list = cs_schedule_list(now->type);
    reader r = {.type = now->type};
    cs_status status = give_all(&r, now, err);
    if (status)
        return status;
    if (list && isdigit((unsigned char)*field))
        status = set_entry(&r, now, field, text, err);
    else if (list && strcmp(field, list->name) == 0)
        status = set_list(&r, text, err);
    else
        status = give_text(&r, field, text, err);
    return status ? status : resolve(&r, out, err);
}
