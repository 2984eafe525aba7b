#include "base/table.h"

#include "base/memory.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *at, *end, *where;
    int line;
    size_t capacity; /* rows that fit the data */
    cs_table *table;
    cs_error *err;
} reader;

typedef struct span {
    const char *at, *end;
} span;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static span trim(span s)
{
    while (s.at < s.end && is_blank(*s.at))
        s.at++;
    while (s.at < s.end && is_blank(s.end[-1]))
        s.end--;
    return s;
}

/* The next line that says something, trimmed; false at the end. */
static bool next_line(reader *r, span *line)
{
    while (r->at < r->end) {
        const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
        *line = trim((span){r->at, stop ? stop : r->end});
        r->at = stop ? stop + 1 : r->end;
        r->line++;
        if (line->at < line->end && *line->at != '#')
            return true;
    }
    return false;
}

/* Cuts the next field off the line: *more says whether a comma followed. */
static span next_field(span *line, bool *more)
{
    const char *comma = memchr(line->at, ',', (size_t)(line->end - line->at));
    span field = trim((span){line->at, comma ? comma : line->end});
    *more = comma != NULL;
    line->at = comma ? comma + 1 : line->end;
    if (field.end - field.at >= 2 && *field.at == '"' && field.end[-1] == '"')
        field = trim((span){field.at + 1, field.end - 1});
    return field;
}

static bool to_number(span field, double *number)
{
    char text[64], *stop;
    size_t n = (size_t)(field.end - field.at);
    if (!n || n >= sizeof text)
        return false;
    memcpy(text, field.at, n);
    text[n] = '\0';
    *number = strtod(text, &stop);
    return *stop == '\0' && strlen(text) == n && isfinite(*number);
}

static cs_status refuse(const reader *r, cs_status status, const char *what,
                        const char *mend)
{
    cs_fail(r->err, status, "%s", what);
    cs_where(r->err, r->where, r->line);
    cs_mend(r->err, "%s", mend);
    return status;
}

static cs_status no_memory(const reader *r)
{
    return refuse(r, CS_MEMORY, "out of memory for the table",
                  "use a smaller file");
}

/* The width of the table, and its names, from the first line; *header says
 * whether that line is one: a field of it is no number. */
static cs_status begin(reader *r, span line, bool *header)
{
    cs_table *t = r->table;
    span rest = line;
    double ignored;
    *header = false;
    for (bool more = true; more; t->cols++)
        *header |= !to_number(next_field(&rest, &more), &ignored);
    if (t->cols > CS_TABLE_COLUMNS)
        return refuse(r, CS_INPUT, "too many columns", "use at most 4096");
    t->names = cs_alloc(t->cols, sizeof *t->names);
    if (!t->names)
        return no_memory(r);
    for (size_t c = 0; c < t->cols; c++) {
        bool more;
        span name = next_field(&line, &more);
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

static cs_status not_a_number(const reader *r, span field, size_t column)
{
    int length = field.end - field.at < 32 ? (int)(field.end - field.at) : 32;
    cs_fail(r->err, CS_INPUT, "column %zu is not a number: '%.*s'", column + 1,
            length, field.at);
    cs_where(r->err, r->where, r->line);
    cs_mend(r->err, "use finite numbers with a decimal point");
    return CS_INPUT;
}

static cs_status add_row(reader *r, span line)
{
    cs_table *t = r->table;
    if (t->rows == r->capacity) {
        size_t bytes = r->capacity * t->cols * sizeof(double);
        size_t next = r->capacity ? 2 * r->capacity : 64;
        double *data =
            cs_resize(t->data, bytes, next * t->cols * sizeof(double));
        if (!data)
            return no_memory(r);
        t->data = data;
        r->capacity = next;
    }
    size_t c = 0;
    for (bool more = true; more; c++) {
        span field = next_field(&line, &more);
        if (c == t->cols || (!more && c + 1 < t->cols)) {
            cs_fail(r->err, CS_INPUT, "%s than the %zu fields of other rows",
                    more || c == t->cols ? "more" : "fewer", t->cols);
            cs_where(r->err, r->where, r->line);
            cs_mend(r->err, "give every row the same number of fields");
            return CS_INPUT;
        }
        if (!to_number(field, &t->data[t->rows * t->cols + c]))
            return not_a_number(r, field, c);
    }
    t->rows++;
    return CS_OK;
}

static cs_status parse(reader *r)
{
    span line;
    bool header;
    if (!next_line(r, &line))
        return refuse(r, CS_INPUT, "the table is empty", "give it rows");
    cs_status s = begin(r, line, &header);
    if (!s && !header)
        s = add_row(r, line);
    while (!s && next_line(r, &line))
        s = add_row(r, line);
    if (!s && !r->table->rows)
        return refuse(r, CS_INPUT, "the table has names but no rows",
                      "give it rows of numbers");
    return s;
}

cs_status cs_table_parse(const char *text, size_t size, const char *where,
                         cs_table *out, cs_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    *out = (cs_table){0};
    if (size >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        size -= 3;
    }
    reader r = {.at = text,
                .end = text + size,
                .where = where,
                .table = out,
                .err = err};
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return no_memory(&r);
    locale_t before = uselocale(plain);
    cs_status s = parse(&r);
    uselocale(before);
    freelocale(plain);
    if (s)
        cs_table_free(out);
    return s;
}

/* The bytes of an open file. [own] */
static cs_status slurp(FILE *file, const char *path, char **text, size_t *size,
                       cs_error *err)
{
    size_t capacity = 0;
    *text = NULL;
    for (*size = 0;;) {
        if (*size == capacity) {
            size_t next = capacity ? 2 * capacity : 1 << 16;
            char *more = cs_resize(*text, capacity, next);
            if (!more)
                return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
            *text = more;
            capacity = next;
        }
        size_t got = fread(*text + *size, 1, capacity - *size, file);
        if (!got)
            break;
        *size += got;
        if (*size > CS_TABLE_BYTES) {
            cs_fail(err, CS_INPUT, "the file is larger than 256 MiB");
            cs_where(err, path, 0);
            cs_mend(err, "use a smaller file");
            return CS_INPUT;
        }
    }
    return ferror(file) ? cs_fail(err, CS_IO, "cannot read %s", path) : CS_OK;
}

cs_status cs_table_read(const char *path, cs_table *out, cs_error *err)
{
    *out = (cs_table){0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        cs_fail(err, CS_IO, "cannot open the table: %s", strerror(errno));
        cs_where(err, path, 0);
        cs_mend(err, "give the path of a readable CSV file");
        return CS_IO;
    }
    char *text;
    size_t size;
    cs_status s = slurp(file, path, &text, &size, err);
    fclose(file);
    if (!s)
        s = cs_table_parse(text, size, path, out, err);
    cs_free(text);
    return s;
}

void cs_table_free(cs_table *table)
{
    cs_free(table->data);
    cs_free(table->names);
    *table = (cs_table){0};
}
