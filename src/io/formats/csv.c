/* Reads delimited text with a header: CmdStan CSV with any columns, and tables
 * that R, Python and spreadsheets write. A column "chain" has the number of the
 * chain; columns that count draws are left out. */
#include "base/decimal.h"
#include "base/memory.h"
#include "io/cmdstan.h"
#include "io/formats/column_names.h"
#include "io/formats/csv_field.h"
#include "io/formats/head_lines.h"
#include "io/formats/stan_header.h"
#include "io/formats/text_lines.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef enum role { VALUE, CHAIN, COUNTER, ROW_NAME } role;

typedef struct csv {
    cs_text_lines lines;
    const cs_draw_sink *sink;
    cs_csv_shape shape;
    cs_column_names names; /* names of the value columns */
    char *header;          /* text of the header [own] */
    size_t header_bytes;
    unsigned char *role; /* [shape.fields] roles of the fields [own] */
    double *row;         /* [names.n] [own] */
    uint64_t *missing;   /* [names.n] number of missing values [own] */
    uint64_t rows, commas, truths;
    size_t counters; /* number of columns that were left out */
    char counter[40];
    bool stan;   /* true if there are comments */
    bool warmup; /* true if the next rows are warm-up */
    bool chains; /* true if a column has the number of the chain */
} csv;

/* ---- header ---- */

static bool is_name(cs_word_span s, const char *name)
{
    size_t n = strlen(name);
    if (s.at < s.end && *s.at == '.')
        s.at++;
    return (size_t)(s.end - s.at) == n && strncasecmp(s.at, name, n) == 0;
}

static role role_of(cs_word_span name, size_t i)
{
    static const char *const counters[] = {"draw", "iteration", "iter",
                                           "sample", "index"};
    if (i == 0 && name.at == name.end)
        return ROW_NAME;
    if (is_name(name, "chain"))
        return CHAIN;
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
        if (is_name(name, counters[k]))
            return COUNTER;
    return VALUE;
}

static cs_status take_name(csv *c, size_t i, cs_word_span name, cs_error *err)
{
    c->role[i] = (unsigned char)role_of(name, i);
    c->chains |= c->role[i] == CHAIN;
    if (c->role[i] == COUNTER && c->counters++ == 0)
        snprintf(c->counter, sizeof c->counter, "%.*s",
                 (int)(name.end - name.at), name.at);
    return c->role[i] == VALUE ? cs_names_add(&c->names, name.at,
                                              (size_t)(name.end - name.at), err)
                               : CS_OK;
}

static cs_status take_names(csv *c, cs_error *err)
{
    cs_word_span rest = {c->header, c->header + c->header_bytes};
    bool more = true;
    cs_status status = CS_OK;
    size_t i = c->shape.row_names;
    c->role = cs_alloc(c->shape.fields, 1);
    if (!c->role)
        return cs_fail(err, CS_MEMORY, "out of memory for the columns");
    if (c->shape.row_names)
        c->role[0] = ROW_NAME;
    for (; more && i < c->shape.fields && status == CS_OK; i++)
        status =
            take_name(c, i, cs_csv_next(&rest, c->shape.separator, &more), err);
    if (status == CS_OK && c->names.n == 0)
        status = cs_fail(err, CS_INPUT, "the header has no quantities");
    if (status == CS_OK)
        status = cs_names_check(&c->names, err);
    if (status)
        cs_where(err, c->lines.path, 0);
    return status;
}

/* Reads comments until the next row of the table. A line that repeats the
 * header, as in files that were joined, is skipped. */
static cs_status next_row(csv *c, cs_word_span *line, bool *more, cs_error *err)
{
    for (;;) {
        cs_status status = cs_text_next(&c->lines, line, more, err);
        if (status || !*more)
            return status;
        size_t n = (size_t)(line->end - line->at);
        bool blank = n == 0 || cs_word_trim(*line).at == line->end;
        bool comment = n && *line->at == '#';
        if (!blank && !comment &&
            !(c->header && n == c->header_bytes &&
              memcmp(line->at, c->header, n) == 0))
            return CS_OK;
        if (!comment)
            continue;
        char text[80];
        snprintf(text, sizeof text, "%.*s", n < 79 ? (int)n : 79, line->at);
        c->stan = true;
        c->warmup = cs_cmdstan_is_warmup(text, c->warmup);
    }
}

/* Returns true if the rows have one field more than the header because they end
 * in a separator: the first field is then no name of the row. */
static bool ends_in_separator(const csv *c, cs_word_span row)
{
    cs_word_span line = cs_word_trim(row);
    return c->shape.row_names && c->shape.separator != ' ' && *line.at != '"' &&
           row.end[-1] == c->shape.separator;
}

static cs_status take_header(csv *c, cs_word_span *row, cs_error *err)
{
    bool more;
    cs_word_span line;
    cs_status status = next_row(c, &line, &more, err);
    if (status || !more)
        return status ? status
                      : cs_text_refuse(&c->lines, err, "there is no header");
    size_t n = (size_t)(line.end - line.at);
    c->header = cs_alloc(n + 1, 1);
    if (!c->header)
        return cs_fail(err, CS_MEMORY, "out of memory for the header");
    memcpy(c->header, line.at, n);
    c->header_bytes = n;
    status = next_row(c, row, &more, err);
    if (status || !more)
        return status ? status
                      : cs_text_refuse(&c->lines, err,
                                       "there are no draws after the header");
    line = (cs_word_span){c->header, c->header + n};
    if (!cs_csv_find_shape(line, *row, &c->shape))
        return cs_text_refuse(&c->lines, err,
                              "this row does not have the fields of the "
                              "header, or is not numbers");
    if (ends_in_separator(c, *row))
        return cs_text_refuse(&c->lines, err,
                              "the rows end in a separator, but the header "
                              "does not: remove it");
    return take_names(c, err);
}

/* ---- rows ---- */

static cs_status refuse_field(csv *c, cs_word_span field, size_t i,
                              cs_error *err)
{
    int n = field.end - field.at < 40 ? (int)(field.end - field.at) : 40;
    const char *name = c->role[i] == CHAIN ? "chain" : "";
    for (size_t k = 0, v = 0; k <= i && v < c->names.n; k++)
        if (c->role[k] == VALUE)
            name = k == i ? c->names.name[v++] : (v++, name);
    return cs_text_refuse(&c->lines, err,
                          "field %zu (%.80s) is '%.*s', which is not a number",
                          i + 1, name, n, field.at);
}

/* Reads field i. *v is the number of value columns before it. */
static bool take_field(csv *c, cs_word_span field, size_t i, size_t *v,
                       uint64_t *chain)
{
    double value;
    role of = (role)c->role[i];
    if (of == ROW_NAME || of == COUNTER)
        return true;
    cs_csv_kind kind = cs_csv_value(field, c->shape.separator, &value);
    if (of == CHAIN) {
        bool good = value >= 0 && value < 1e9 && value == floor(value);
        *chain = good ? (uint64_t)value : 0;
        return good;
    }
    c->commas += kind == CS_CSV_COMMA;
    c->truths += kind == CS_CSV_TRUTH;
    c->missing[*v] += kind == CS_CSV_MISSING;
    c->row[(*v)++] = value;
    return kind != CS_CSV_TEXT;
}

/* Reads plain numbers from field i on, if all fields are values: all but the last
 * field, and up to the first that is something else. */
static void take_numbers(csv *c, cs_word_span *rest, size_t *i, size_t *v)
{
    if (c->names.n != c->shape.fields || c->shape.separator == ' ')
        return;
    size_t n = cs_decimal_scan_row(&rest->at, rest->end, c->shape.separator,
                                   c->row + *v, c->shape.fields - 1 - *i);
    *i += n;
    *v += n;
}

/* Reads field i if it is a value and a plain number; most fields are. Returns
 * false, and reads nothing, for other fields. */
static bool take_number(csv *c, cs_word_span *rest, size_t i, size_t *v,
                        bool *more)
{
    double value;
    if (c->role[i] != VALUE || c->shape.separator == ' ')
        return false;
    size_t n = cs_decimal_scan(rest->at, rest->end, &value);
    const char *stop = rest->at + n;
    if (n == 0 || (stop < rest->end && *stop != c->shape.separator))
        return false;
    c->row[(*v)++] = value;
    *more = stop < rest->end;
    rest->at = stop + *more;
    return true;
}

static cs_status refuse_count(csv *c, size_t fields, cs_error *err)
{
    if (c->lines.open)
        return cs_text_refuse(
            &c->lines, err,
            "the file ends at byte %llu in the middle of a row: it has %zu of "
            "%zu fields",
            (unsigned long long)c->lines.after, fields, c->shape.fields);
    return cs_text_refuse(&c->lines, err,
                          "this row has %zu fields, but the first row has %zu",
                          fields, c->shape.fields);
}

static size_t count_fields(cs_word_span line, char separator)
{
    size_t n = 0;
    for (bool more = true; more; n++)
        cs_csv_next(&line, separator, &more);
    return n;
}

static cs_status take_row(csv *c, cs_word_span line, cs_error *err)
{
    cs_word_span rest = c->shape.separator == ' ' ? cs_word_trim(line) : line;
    const cs_word_span all = rest;
    size_t i = 0, v = 0;
    uint64_t chain = 0;
    bool more = true;
    for (; more && i < c->shape.fields; i++) {
        take_numbers(c, &rest, &i, &v);
        if (take_number(c, &rest, i, &v, &more))
            continue;
        cs_word_span field = cs_csv_next(&rest, c->shape.separator, &more);
        if (take_field(c, field, i, &v, &chain))
            continue;
        size_t n = count_fields(all, c->shape.separator);
        return n == c->shape.fields ? refuse_field(c, field, i, err)
                                    : refuse_count(c, n, err);
    }
    if (more || i < c->shape.fields)
        return refuse_count(c, count_fields(all, c->shape.separator), err);
    c->rows++;
    return c->sink->row(c->sink->self, chain, c->warmup, c->row, err);
}

/* ---- notes ---- */

static void note_missing(const csv *c)
{
    for (size_t k = 0, said = 0; k < c->names.n && said < 3; k++)
        if (c->missing[k] && ++said)
            cs_draw_note(c->sink, "%llu value%s missing in column %s",
                         (unsigned long long)c->missing[k],
                         c->missing[k] == 1 ? " is" : "s are",
                         c->names.name[k]);
}

static void note_all(const csv *c)
{
    const char *by = c->shape.separator == ';'    ? "semicolons"
                     : c->shape.separator == '\t' ? "tabs"
                     : c->shape.separator == ' '  ? "blanks"
                                                  : NULL;
    if (by)
        cs_draw_note(c->sink, "%s separate the fields%s", by,
                     c->commas ? ", and numbers have a decimal comma" : "");
    if (c->lines.mark)
        cs_draw_note(c->sink, "the file starts with a byte order mark");
    if (c->lines.crlf)
        cs_draw_note(c->sink, "lines end in CR LF");
    if (c->counters)
        cs_draw_note(c->sink, "the column %s counts draws and is left out",
                     c->counter);
    if (c->role[0] == ROW_NAME)
        cs_draw_note(c->sink, "the first column has the names of the rows and "
                              "is left out");
    if (c->truths)
        cs_draw_note(c->sink, "true is 1 and false is 0");
    if (c->lines.open)
        cs_draw_note(c->sink, "the last line has no line break: if the file "
                              "was cut, its last number is wrong");
    note_missing(c);
    cs_names_note(&c->names, c->sink);
}

static cs_status read_all(csv *c, cs_error *err)
{
    cs_word_span row;
    bool more = true;
    cs_status status = take_header(c, &row, err);
    if (status)
        return status;
    c->row = cs_alloc(c->names.n, sizeof *c->row);
    c->missing = cs_alloc(c->names.n, sizeof *c->missing);
    if (!c->row || !c->missing)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu columns",
                       c->names.n);
    status = c->sink->columns(c->sink->self, (const char *const *)c->names.name,
                              c->names.n, err);
    while (status == CS_OK && more) {
        status = take_row(c, row, err);
        if (status == CS_OK)
            status = next_row(c, &row, &more, err);
    }
    if (status == CS_OK)
        note_all(c);
    return status;
}

cs_status cs_csv_read(const char *path, const cs_draw_sink *sink, cs_error *err)
{
    csv c = {.sink = sink};
    cs_status status = cs_text_open(&c.lines, path, err);
    if (status == CS_OK)
        status = read_all(&c, err);
    cs_text_close(&c.lines);
    cs_names_free(&c.names);
    CS_FREE_ALL(c.header, c.role, c.row, c.missing);
    return status;
}

static bool recognise(const cs_draw_head *h)
{
    cs_word_span rest = cs_head_text(h), header, row;
    cs_csv_shape shape;
    return cs_head_row(&rest, h->whole, &header) &&
           cs_head_row(&rest, h->whole, &row) &&
           cs_csv_find_shape(header, row, &shape);
}

const cs_draw_format cs_format_csv = {
    .name = "CSV",
    .recognise = recognise,
    .read = cs_csv_read,
};
