/* Reads lines of JSON, one object per draw: {"chain": 1, "draw": 1, "lp__":
 * -3.2, "x": [1, 2]}. null, NaN, Infinity and -Infinity, also as strings, are
 * numbers. "warmup": true marks warm-up. */
#include "base/memory.h"
#include "data/json.h"
#include "io/formats/array_names.h"
#include "io/formats/head_lines.h"
#include "io/formats/text_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A key of the objects and its columns. */
typedef struct variable {
    char name[CS_DRAW_NAME + 1];
    size_t first, n; /* columns */
    size_t n_dims, dim[CS_ARRAY_DIMS];
    bool seen; /* true if the current line has it */
} variable;

typedef struct reader {
    cs_text_lines lines;
    const cs_draw_sink *sink;
    cs_column_names names;
    variable *variable; /* [n] [own] */
    size_t n, capacity;
    double *value; /* numbers of the current key, in the order of the line
                    * [own] */
    size_t values, value_capacity;
    double *row; /* [names.n] [own] */
    size_t row_capacity;
    uint64_t nulls; /* number of values null */
    /* the current line: */
    double chain;
    bool warmup;
    size_t next; /* the expected key */
} reader;

static cs_status refuse(const reader *r, cs_error *err, const char *key,
                        const char *what)
{
    return cs_text_refuse(&r->lines, err, "%.80s %s", key, what);
}

/* Reads a token that is not a list as a number. */
static bool number_of(reader *r, const cs_json_token *t, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"NaN", NAN},           {"NA", NAN},
                 {"Infinity", HUGE_VAL}, {"-Infinity", -HUGE_VAL},
                 {"Inf", HUGE_VAL},      {"-Inf", -HUGE_VAL}};
    *value = t->kind == CS_JSON_TRUE    ? 1
             : t->kind == CS_JSON_FALSE ? 0
             : t->kind == CS_JSON_NULL  ? (double)NAN
                                        : t->number;
    r->nulls += t->kind == CS_JSON_NULL;
    if (t->kind != CS_JSON_TEXT)
        return t->kind == CS_JSON_NUMBER || t->kind == CS_JSON_TRUE ||
               t->kind == CS_JSON_FALSE || t->kind == CS_JSON_NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == t->size &&
            strncasecmp(words[i].word, t->text, t->size) == 0) {
            *value = words[i].value;
            return true;
        }
    return false;
}

/* Reads a number or nested lists of numbers into r->value, and their shape
 * into *v. Lists of one depth must have one length. */
static cs_status read_value(reader *r, cs_json *j, variable *v, cs_error *err)
{
    size_t depth = 0, count[CS_ARRAY_DIMS + 1] = {0};
    bool numbers[CS_ARRAY_DIMS + 1] = {false}; /* the depth has numbers */
    r->values = 0;
    do {
        cs_json_token t;
        double value = NAN;
        cs_status status = cs_json_next(j, &t, err);
        if (status)
            return status;
        if (t.kind == CS_JSON_CLOSE_LIST && depth > 0) {
            depth--;
            if (v->dim[depth] != SIZE_MAX && v->dim[depth] != count[depth + 1])
                return refuse(r, err, v->name, "has lists of unequal length");
            v->dim[depth] = count[depth + 1];
        } else if (t.kind == CS_JSON_OPEN_LIST && depth < CS_ARRAY_DIMS) {
            if (numbers[depth])
                return refuse(r, err, v->name, "mixes numbers and lists");
            count[depth++]++;
            count[depth] = 0;
            if (v->n_dims < depth)
                v->dim[v->n_dims++] = SIZE_MAX;
        } else if (number_of(r, &t, &value)) {
            count[depth]++;
            numbers[depth] = true;
            if (depth != v->n_dims)
                return refuse(r, err, v->name, "mixes numbers and lists");
            if (!CS_EXTEND(r->value, r->values, r->value_capacity, 1))
                return cs_fail(err, CS_MEMORY, "out of memory for a line");
            r->value[r->values++] = value;
        } else {
            return refuse(r, err, v->name,
                          "is not a number or a list of "
                          "numbers");
        }
    } while (depth > 0);
    return CS_OK;
}

static variable *find_variable(reader *r, const char *key)
{
    for (size_t i = 0; i < r->n; i++) {
        variable *v = &r->variable[(r->next + i) % r->n];
        if (strcmp(v->name, key) == 0) {
            r->next = (size_t)(v - r->variable) + 1;
            return v;
        }
    }
    return NULL;
}

/* Adds the key of the first line and its columns. */
static cs_status add_variable(reader *r, const variable *v, cs_error *err)
{
    if (!CS_GROW(r->variable, r->n, r->capacity, 1))
        return cs_fail(err, CS_MEMORY, "out of memory for the keys");
    variable *own = &r->variable[r->n++];
    *own = *v;
    own->first = r->names.n;
    cs_status status =
        cs_array_names(&r->names, v->name, v->dim, v->n_dims, err);
    own->n = r->names.n - own->first;
    if (status)
        cs_where(err, r->lines.path, r->lines.line);
    return status;
}

static bool is_key(const char *key, const char *name)
{
    return strcmp(key + (*key == '.'), name) == 0;
}

/* Reads the value of a key of the current line. */
static cs_status take_key(reader *r, cs_json *j, const cs_json_token *key,
                          bool first, cs_error *err)
{
    variable is = {.n_dims = 0};
    if (key->size > CS_DRAW_NAME || key->size == 0)
        return refuse(r, err, "a key", "is empty or has more than 200 bytes");
    memcpy(is.name, key->text, key->size);
    cs_status status = read_value(r, j, &is, err);
    if (status)
        return status;
    bool scalar = is.n_dims == 0;
    if (scalar && is_key(is.name, "draw"))
        return CS_OK;
    if (scalar && is_key(is.name, "warmup")) {
        r->warmup = r->value[0] == 1;
        return CS_OK;
    }
    if (scalar && is_key(is.name, "chain")) {
        r->chain = r->value[0];
        return r->chain >= 0 && r->chain < 1e9 && r->chain == floor(r->chain)
                   ? CS_OK
                   : refuse(r, err, is.name, "is not a whole number");
    }
    if (first && find_variable(r, is.name))
        return refuse(r, err, is.name, "occurs twice");
    status = first ? add_variable(r, &is, err) : CS_OK;
    variable *v = status ? NULL : find_variable(r, is.name);
    if (status)
        return status;
    if (!v)
        return refuse(r, err, is.name, "is not a key of the first line");
    if (v->seen)
        return refuse(r, err, is.name, "occurs twice");
    if (v->n_dims != is.n_dims ||
        memcmp(v->dim, is.dim, v->n_dims * sizeof *v->dim) != 0)
        return refuse(r, err, is.name,
                      "has another shape than in the first "
                      "line");
    if (r->values != v->n)
        return refuse(r, err, is.name, "mixes numbers and lists");
    v->seen = true;
    if (first && !CS_EXTEND(r->row, v->first, r->row_capacity, v->n))
        return cs_fail(err, CS_MEMORY, "out of memory for a line");
    for (size_t i = 0; i < v->n; i++)
        r->row[v->first + cs_array_place(v->dim, v->n_dims, i)] = r->value[i];
    return CS_OK;
}

static cs_status take_object(reader *r, cs_json *j, bool first, cs_error *err)
{
    cs_json_token t;
    cs_status status = cs_json_next(j, &t, err);
    if (status == CS_OK && t.kind != CS_JSON_OPEN_OBJECT)
        return cs_text_refuse(&r->lines, err, "this line is not an object");
    while (status == CS_OK) {
        status = cs_json_next(j, &t, err);
        if (status || t.kind != CS_JSON_KEY)
            break;
        status = take_key(r, j, &t, first, err);
    }
    if (status == CS_OK)
        status = cs_json_next(j, &t, err); /* nothing may follow the object */
    return status;
}

static cs_status take_line(reader *r, cs_word_span line, bool first,
                           cs_error *err)
{
    cs_json j;
    size_t n = (size_t)(line.end - line.at);
    char *text = cs_alloc(n + 1, 1);
    if (!text)
        return cs_fail(err, CS_MEMORY, "out of memory for a line");
    memcpy(text, line.at, n);
    for (size_t i = 0; i < r->n; i++)
        r->variable[i].seen = false;
    r->chain = 1;
    r->warmup = false;
    r->next = 0;
    cs_status status = cs_json_open(&j, text, n, r->lines.path, err);
    j.line = r->lines.line;
    j.words = true;
    if (status == CS_OK)
        status = take_object(r, &j, first, err);
    if (status == CS_INPUT && r->lines.open)
        cs_text_refuse(&r->lines, err,
                       "the file ends at byte %llu in the middle of a draw",
                       (unsigned long long)r->lines.after);
    cs_json_close(&j);
    cs_free(text);
    for (size_t i = 0; i < r->n && status == CS_OK; i++)
        if (!r->variable[i].seen)
            status = refuse(r, err, r->variable[i].name, "is missing");
    return status;
}

/* Returns the next line that is not blank. */
static cs_status next_line(reader *r, cs_word_span *line, bool *more,
                           cs_error *err)
{
    cs_status status;
    do
        status = cs_text_next(&r->lines, line, more, err);
    while (status == CS_OK && *more && cs_word_trim(*line).at >= line->end);
    return status;
}

static cs_status begin(reader *r, cs_error *err)
{
    if (r->names.n == 0)
        return cs_text_refuse(&r->lines, err, "this draw has no quantities");
    cs_status status = cs_names_check(&r->names, err);
    if (status) {
        cs_where(err, r->lines.path, r->lines.line);
        return status;
    }
    return r->sink->columns(r->sink->self, (const char *const *)r->names.name,
                            r->names.n, err);
}

static cs_status read_all(reader *r, cs_error *err)
{
    cs_word_span line;
    bool more = true, first = true;
    cs_status status = next_line(r, &line, &more, err);
    while (status == CS_OK && more) {
        status = take_line(r, line, first, err);
        if (status == CS_OK && first)
            status = begin(r, err);
        first = false;
        if (status == CS_OK)
            status = r->sink->row(r->sink->self, (uint64_t)r->chain, r->warmup,
                                  r->row, err);
        if (status == CS_OK)
            status = next_line(r, &line, &more, err);
    }
    if (status == CS_OK && r->nulls)
        cs_draw_note(r->sink, "%llu value%s null: read as not a number",
                     (unsigned long long)r->nulls,
                     r->nulls == 1 ? " is" : "s are");
    if (status == CS_OK)
        cs_names_note(&r->names, r->sink);
    return status;
}

static cs_status read_file(const char *path, const cs_draw_sink *sink,
                           cs_error *err)
{
    reader r = {.sink = sink};
    cs_status status = cs_text_open(&r.lines, path, err);
    if (status == CS_OK)
        status = read_all(&r, err);
    cs_text_close(&r.lines);
    cs_names_free(&r.names);
    CS_FREE_ALL(r.variable, r.value, r.row);
    return status;
}

static bool has(cs_word_span line, const char *text)
{
    size_t n = strlen(text);
    for (; (size_t)(line.end - line.at) >= n; line.at++)
        if (memcmp(line.at, text, n) == 0)
            return true;
    return false;
}

/* Recognises an object on a line by itself. The first line of a recording (in
 * asciicast's format) is an object too, with a version. */
static bool recognise(const cs_draw_head *h)
{
    cs_word_span rest = cs_head_text(h), line = {rest.at, rest.at};
    while (line.at == line.end)
        if (!cs_head_line(&rest, h->whole, &line))
            return false;
    return *line.at == '{' && line.end - line.at > 2 && has(line, "\"") &&
           has(line, ":") && !has(line, "\"version\"");
}

const cs_draw_format cs_format_json_lines = {
    .name = "JSON lines",
    .recognise = recognise,
    .read = read_file,
};
