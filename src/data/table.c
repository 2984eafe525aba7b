#include "data/table.h"

#include "base/memory.h"
#include "data/lines.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    cs_lines *lines;
    size_t capacity; /* number of rows for which `data` has space */
    cs_table *table;
    cs_error *err;
    size_t every, seen; /* every: one row out of this many is stored; seen:
                         * number of rows read */
    char separator;     /* character between fields */
    const char *begin;  /* start of the text */
} reader;

/* Returns the end of a quoted field at the start of the line. Two quotes inside
 * the field stand for one quote. */
static const char *behind_quotes(cs_word_span line)
{
    const char *begin = line.at;
    line = cs_word_trim(line);
    const char *at = line.at;
    if (at == line.end || *at != '"')
        return begin;
    for (at++; at < line.end; at++) {
        if (*at != '"')
            continue;
        if (at + 1 == line.end || at[1] != '"')
            return at + 1;
        at++;
    }
    return begin; /* not reached */
}

/* Removes the next field from the line and returns it. *more becomes true if a
 * separator follows the field. */
static cs_word_span next_field(cs_word_span *line, char separator, bool *more)
{
    const char *from = behind_quotes(*line);
    const char *cut = memchr(from, separator, (size_t)(line->end - from));
    cs_word_span field =
        cs_word_trim((cs_word_span){line->at, cut ? cut : line->end});
    *more = cut != NULL;
    line->at = cut ? cut + 1 : line->end;
    if (field.end - field.at >= 2 && *field.at == '"' && field.end[-1] == '"')
        field = cs_word_trim((cs_word_span){field.at + 1, field.end - 1});
    return field;
}

static cs_status refuse(const reader *r, cs_status status, const char *what,
                        const char *hint)
{
    return cs_lines_refuse(r->lines, status, r->err, what, hint);
}

static cs_status no_memory(const reader *r)
{
    return refuse(r, CS_MEMORY, "out of memory for the table",
                  "use a smaller file");
}

/* Reads a number. Accepts a decimal comma unless commas separate fields. */
static bool read_number(cs_word_span field, char separator, double *number)
{
    char text[64];
    size_t n = (size_t)(field.end - field.at);
    if (cs_word_real(field, number))
        return true;
    char *comma = n < sizeof text ? memchr(field.at, ',', n) : NULL;
    if (separator == ',' || !comma)
        return false;
    memcpy(text, field.at, n);
    text[comma - field.at] = '.';
    return cs_word_real((cs_word_span){text, text + n}, number);
}

/* Splits the line at `separator`, and returns the number of fields. Sets
 * *numbers to true if all fields are numbers. */
static size_t count_fields(cs_word_span line, char separator, bool *numbers)
{
    size_t n = 0;
    double ignored;
    *numbers = true;
    for (bool more = true; more; n++)
        *numbers &= read_number(next_field(&line, separator, &more), separator,
                                &ignored);
    return n;
}

/* Returns the separator. Semicolon and tab are tried first. Such a character is
 * the separator if it separates the line into fields, and if the line has no
 * commas or only decimal commas. (If all commas are decimal commas, all these
 * fields are numbers.) Otherwise the separator is a comma. */
static char separator_of(cs_word_span line)
{
    bool numbers;
    bool commas = count_fields(line, ',', &numbers) > 1;
    for (const char *c = ";\t"; *c; c++)
        if (count_fields(line, *c, &numbers) > 1 && (!commas || numbers))
            return *c;
    return ',';
}

/* Extends the trimmed line by the tabs at its ends, because these tabs separate
 * empty fields. */
static cs_word_span with_tabs(const reader *r, cs_word_span line)
{
    if (r->separator != '\t')
        return line;
    while (line.end < r->lines->end && *line.end == '\t')
        line.end++;
    while (line.at > r->begin && line.at[-1] == '\t')
        line.at--;
    return line;
}

/* Reads the width of the table, and the names, from the first line. Sets
 * *header to true if the line contains names, that is, if some field is not a
 * number. (nan and 1e999 count as numbers, since no column has such a name.) */
static cs_status begin(reader *r, cs_word_span line, bool *header)
{
    cs_table *t = r->table;
    cs_word_span rest = line;
    double ignored;
    *header = false;
    r->separator = separator_of(line);
    rest = line = with_tabs(r, line);
    for (bool more = true; more; t->cols++)
        *header |= !read_number(next_field(&rest, r->separator, &more),
                                r->separator, &ignored);
    if (t->cols > CS_TABLE_COLUMNS)
        return refuse(r, CS_INPUT, "too many columns", "use at most 131072");
    t->names = cs_alloc(t->cols, sizeof *t->names);
    if (!t->names)
        return no_memory(r);
    for (size_t c = 0; c < t->cols; c++) {
        bool more;
        cs_word_span name = next_field(&line, r->separator, &more);
        int length =
            (int)(name.end - name.at < CS_TABLE_NAME ? name.end - name.at
                                                     : CS_TABLE_NAME - 1);
        if (*header && length)
            snprintf(t->names[c], CS_TABLE_NAME, "%.*s", length, name.at);
        else
            snprintf(t->names[c], CS_TABLE_NAME, "x%zu", c + 1);
    }
    return CS_OK;
}

static cs_status not_a_number(const reader *r, cs_word_span field,
                              size_t column)
{
    int length = field.end - field.at < 32 ? (int)(field.end - field.at) : 32;
    cs_fail(r->err, CS_INPUT, "the entry in column %zu is not a number: '%.*s'",
            column + 1, length, field.at);
    cs_where(r->err, r->lines->where, r->lines->line);
    cs_hint(r->err, length == 2 && memcmp(field.at, "NA", 2) == 0
                        ? "leave out rows with missing values, or use "
                          "cs.read_table, which returns NaN for missing values"
                        : "use finite numbers with a decimal point");
    return CS_INPUT;
}

static cs_status wrong_width(const reader *r, size_t cols, bool more)
{
    cs_fail(r->err, CS_INPUT,
            "this row has %s than the %zu fields of other rows",
            more ? "more" : "fewer", cols);
    cs_where(r->err, r->lines->where, r->lines->line);
    cs_hint(r->err, "give every row the same number of fields");
    return CS_INPUT;
}

static cs_status add_row(reader *r, cs_word_span line)
{
    cs_table *t = r->table;
    if (!cs_extend((void **)&t->data, t->rows, &r->capacity, 1,
                   t->cols * sizeof(double)))
        return no_memory(r);
    size_t c = 0;
    line = with_tabs(r, line);
    for (bool more = true; more; c++) {
        cs_word_span field = next_field(&line, r->separator, &more);
        if (c == t->cols || (!more && c + 1 < t->cols))
            return wrong_width(r, t->cols, more || c == t->cols);
        double *number = &t->data[t->rows * t->cols + c];
        if (!read_number(field, r->separator, number) || !isfinite(*number))
            return not_a_number(r, field, c);
    }
    t->rows++;
    return CS_OK;
}

static cs_status parse(reader *r)
{
    cs_word_span line;
    bool header;
    if (!cs_lines_next(r->lines, &line))
        return refuse(r, CS_INPUT, "the table is empty", "give it rows");
    cs_status s = begin(r, line, &header);
    bool row = !s && !header;
    while (row || (!s && cs_lines_next(r->lines, &line))) {
        if (r->seen++ % r->every == 0)
            s = add_row(r, line);
        row = false;
    }
    if (!s && !r->table->rows)
        return refuse(r, CS_INPUT, "the table has names but no rows",
                      "add rows of numbers");
    return s;
}

/* The selected rows of a table, and their number. */
typedef struct thinned {
    cs_table *table;
    size_t every, rows;
} thinned;

static cs_status read_lines(cs_lines *lines, void *out, cs_error *err)
{
    thinned *t = out;
    reader r = {.lines = lines,
                .begin = lines->at,
                .table = t->table,
                .every = t->every,
                .err = err};
    cs_status s = parse(&r);
    t->rows = r.seen;
    if (s)
        cs_table_free(t->table);
    return s;
}

cs_status cs_table_parse(const char *text, size_t size, const char *where,
                         cs_table *out, cs_error *err)
{
    thinned all = {.table = out, .every = 1};
    *out = (cs_table){0};
    return cs_lines_parse(text, size, where, read_lines, &all, err);
}

cs_status cs_table_read_thinned(const char *path, size_t every, cs_table *out,
                                size_t *rows, cs_error *err)
{
    assert(every > 0);
    thinned t = {.table = out, .every = every};
    *out = (cs_table){0};
    cs_status s = cs_lines_read(path, "CSV file", read_lines, &t, err);
    *rows = t.rows;
    return s;
}

cs_status cs_table_read(const char *path, cs_table *out, cs_error *err)
{
    size_t rows;
    return cs_table_read_thinned(path, 1, out, &rows, err);
}

/* ---- tables of strings and numbers --------------------------------------- */

typedef struct records_reader {
    cs_records *records;
    size_t capacity;
} records_reader;

static cs_status add_record(const reader *r, records_reader *to,
                            cs_word_span line)
{
    cs_records *t = to->records;
    if (!cs_grow((void **)&t->field, t->rows, &to->capacity, 1,
                 t->cols * sizeof *t->field))
        return no_memory(r);
    size_t c = 0;
    line = with_tabs(r, line);
    for (bool more = true; more; c++) {
        cs_word_span field = next_field(&line, r->separator, &more);
        if (c == t->cols || (!more && c + 1 < t->cols))
            return wrong_width(r, t->cols, more || c == t->cols);
        t->field[t->rows * t->cols + c] = field;
    }
    t->rows++;
    return CS_OK;
}

static cs_status read_records(cs_lines *lines, void *out, cs_error *err)
{
    cs_table head = {0};
    reader r = {.lines = lines, .begin = lines->at, .table = &head, .err = err};
    records_reader to = {.records = out};
    cs_word_span line;
    bool header;
    if (!cs_lines_next(lines, &line))
        return refuse(&r, CS_INPUT, "the table is empty", "give it rows");
    cs_status s = begin(&r, line, &header);
    to.records->names = head.names;
    to.records->cols = head.cols;
    to.records->separator = r.separator;
    if (!s && !header)
        s = add_record(&r, &to, line);
    while (!s && cs_lines_next(lines, &line))
        s = add_record(&r, &to, line);
    if (!s && !to.records->rows)
        return refuse(&r, CS_INPUT, "the table has names but no rows",
                      "give it rows");
    return s;
}

cs_status cs_records_parse(char *text, size_t size, const char *where,
                           cs_records *out, cs_error *err)
{
    *out = (cs_records){.text = text};
    cs_status s = cs_lines_parse(text, size, where, read_records, out, err);
    if (s)
        cs_records_free(out);
    return s;
}

cs_status cs_records_read(const char *path, cs_records *out, cs_error *err)
{
    size_t size;
    char *text;
    *out = (cs_records){0};
    cs_status s = cs_data_read(path, "CSV file", &text, &size, err);
    return s ? s : cs_records_parse(text, size, path, out, err);
}

void cs_records_free(cs_records *records)
{
    CS_FREE_ALL(records->names, records->field, records->text);
    *records = (cs_records){0};
}

bool cs_records_number(const cs_records *t, size_t row, size_t col,
                       double *number)
{
    assert(row < t->rows && col < t->cols);
    return read_number(t->field[row * t->cols + col], t->separator, number);
}

size_t cs_records_unquote(cs_word_span field, char *out)
{
    assert(field.at <= field.end);
    size_t n = 0;
    for (const char *at = field.at; at < field.end; at++) {
        out[n++] = *at;
        at += *at == '"' && at + 1 < field.end && at[1] == '"';
    }
    return n;
}

void cs_table_free(cs_table *table)
{
    cs_free(table->data);
    cs_free(table->names);
    *table = (cs_table){0};
}
