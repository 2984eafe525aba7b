#include "base/table.h"

#include "base/lines.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    cs_lines *lines;
    size_t capacity; /* rows that fit the data */
    cs_table *table;
    cs_error *err;
} reader;

/* Cuts the next field off the line: *more says whether a comma followed. */
static cs_span next_field(cs_span *line, bool *more)
{
    const char *comma = memchr(line->at, ',', (size_t)(line->end - line->at));
    cs_span field =
        cs_span_trim((cs_span){line->at, comma ? comma : line->end});
    *more = comma != NULL;
    line->at = comma ? comma + 1 : line->end;
    if (field.end - field.at >= 2 && *field.at == '"' && field.end[-1] == '"')
        field = cs_span_trim((cs_span){field.at + 1, field.end - 1});
    return field;
}

static cs_status refuse(const reader *r, cs_status status, const char *what,
                        const char *mend)
{
    return cs_lines_refuse(r->lines, status, r->err, what, mend);
}

static cs_status no_memory(const reader *r)
{
    return refuse(r, CS_MEMORY, "out of memory for the table",
                  "use a smaller file");
}

/* The width of the table, and its names, from the first line; *header says
 * whether that line is one: a field of it is no number, not even nan or 1e999,
 * which no column is called. */
static cs_status begin(reader *r, cs_span line, bool *header)
{
    cs_table *t = r->table;
    cs_span rest = line;
    double ignored;
    *header = false;
    for (bool more = true; more; t->cols++)
        *header |= !cs_span_real(next_field(&rest, &more), &ignored);
    if (t->cols > CS_TABLE_COLUMNS)
        return refuse(r, CS_INPUT, "too many columns", "use at most 4096");
    t->names = cs_alloc(t->cols, sizeof *t->names);
    if (!t->names)
        return no_memory(r);
    for (size_t c = 0; c < t->cols; c++) {
        bool more;
        cs_span name = next_field(&line, &more);
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

static cs_status not_a_number(const reader *r, cs_span field, size_t column)
{
    int length = field.end - field.at < 32 ? (int)(field.end - field.at) : 32;
    cs_fail(r->err, CS_INPUT, "column %zu is not a number: '%.*s'", column + 1,
            length, field.at);
    cs_where(r->err, r->lines->where, r->lines->line);
    cs_mend(r->err, "use finite numbers with a decimal point");
    return CS_INPUT;
}

static cs_status add_row(reader *r, cs_span line)
{
    cs_table *t = r->table;
    if (!cs_grow((void **)&t->data, t->rows, &r->capacity, 1,
                 t->cols * sizeof(double)))
        return no_memory(r);
    size_t c = 0;
    for (bool more = true; more; c++) {
        cs_span field = next_field(&line, &more);
        if (c == t->cols || (!more && c + 1 < t->cols)) {
            cs_fail(r->err, CS_INPUT, "%s than the %zu fields of other rows",
                    more || c == t->cols ? "more" : "fewer", t->cols);
            cs_where(r->err, r->lines->where, r->lines->line);
            cs_mend(r->err, "give every row the same number of fields");
            return CS_INPUT;
        }
        if (!cs_span_number(field, &t->data[t->rows * t->cols + c]))
            return not_a_number(r, field, c);
    }
    t->rows++;
    return CS_OK;
}

static cs_status parse(reader *r)
{
    cs_span line;
    bool header;
    if (!cs_lines_next(r->lines, &line))
        return refuse(r, CS_INPUT, "the table is empty", "give it rows");
    cs_status s = begin(r, line, &header);
    if (!s && !header)
        s = add_row(r, line);
    while (!s && cs_lines_next(r->lines, &line))
        s = add_row(r, line);
    if (!s && !r->table->rows)
        return refuse(r, CS_INPUT, "the table has names but no rows",
                      "give it rows of numbers");
    return s;
}

static cs_status read_lines(cs_lines *lines, void *out, cs_error *err)
{
    reader r = {.lines = lines, .table = out, .err = err};
    cs_status s = parse(&r);
    if (s)
        cs_table_free(out);
    return s;
}

cs_status cs_table_parse(const char *text, size_t size, const char *where,
                         cs_table *out, cs_error *err)
{
    *out = (cs_table){0};
    return cs_lines_parse(text, size, where, read_lines, out, err);
}

cs_status cs_table_read(const char *path, cs_table *out, cs_error *err)
{
    *out = (cs_table){0};
    return cs_lines_read(path, "CSV file", read_lines, out, err);
}

void cs_table_free(cs_table *table)
{
    cs_free(table->data);
    cs_free(table->names);
    *table = (cs_table){0};
}
