/* Reads draws from a file, either to resume a run or to resample the draws. */
#include "base/cancellation.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "data/lines.h"
#include "files/open.h"
#include "io/cmdstan.h"
#include "io/data_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* NAME: maximum length of a column's name in bytes, which is longer than any
 * number. COMMENT: maximum length of a comment in bytes. */
enum { NAME = 208, COMMENT = 4096 };
enum { LOOK = 256 }; /* number of draws between two checks for cancellation */

static bool ends_value(char c)
{
    return c == ',' || c == '\n' || c == 0;
}

/* Reads the value with which text[end - text] starts, up to the next comma.
 * Returns the number of bytes read; 0: this is not a number. Binary states
 * consist of single digits, which are read separately: reading them like other
 * numbers would take most of the time. */
static size_t read_value(const char *text, const char *end, double *value)
{
    if (*text >= '0' && *text <= '9' && ends_value(text[1])) {
        *value = *text - '0';
        return 1;
    }
    size_t n = cs_decimal_scan(text, end, value);
    if (n && ends_value(text[n]))
        return n;
    while (!ends_value(text[n]))
        n++;
    return cs_word_real((cs_word_span){text, text + n}, value) ? n : 0;
}

bool cs_cmdstan_values(const char *line, double *row, size_t columns)
{
    const char *end = line + strlen(line);
    for (size_t i = 0; i < columns; i++) {
        i += cs_decimal_scan_row(&line, end, ',', row + i, columns - i);
        if (i == columns)
            return false;
        size_t n = read_value(line, end, &row[i]);
        bool more = line[n] == ',';
        if (n == 0 || more != (i + 1 < columns))
            return false;
        line += n + more;
    }
    return true;
}

/* Returns true for the comment "#   KEY = VALUE ...". The number of blanks is
 * not significant: rstan writes "# save_warmup=1". */
static bool is_setting(const char *line, const char *key, const char *value)
{
    size_t n = strlen(key), m = strlen(value);
    line += strspn(line, "# ");
    if (strncmp(line, key, n) != 0)
        return false;
    line += n + strspn(line + n, " ");
    if (*line != '=')
        return false;
    line += 1 + strspn(line + 1, " ");
    return strncmp(line, value, m) == 0 && !isalnum((unsigned char)line[m]) &&
           line[m] != '_';
}

bool cs_cmdstan_is_binary(const char *line)
{
    const size_t n = sizeof CS_CMDSTAN_BINARY - 1;
    return strncmp(line, CS_CMDSTAN_BINARY, n) == 0 && strchr("\n", line[n]);
}

/* The algorithm fixed_param has no adaptation, and therefore no warm-up. */
bool cs_cmdstan_is_warmup(const char *line, bool before)
{
    bool over =
        strncmp(line, CS_CMDSTAN_ADAPTED, sizeof CS_CMDSTAN_ADAPTED - 2) == 0 ||
        (before && is_setting(line, "algorithm", "fixed_param"));
    return !over && (before || is_setting(line, "save_warmup", "1") ||
                     is_setting(line, "save_warmup", "true"));
}

static cs_status refuse_stop(const char *path, uint64_t draw, cs_error *err)
{
    cs_fail(err, CS_STOPPED, "at draw %llu of %s", (unsigned long long)draw,
            path);
    cs_hint(err, "nothing was written; repeat the command");
    return CS_STOPPED;
}

/* The rows that are read: at most `rows` draws, or the warm-up. */
typedef struct wanted {
    uint64_t rows; /* UINT64_MAX: all */
    bool warmup;
    size_t columns;
    cs_cmdstan_row *take;
    void *self;
} wanted;

/* Reads rows of doubles up to the end of the file. They have no warm-up. */
static cs_status read_binary(FILE *from, const char *path, const wanted *w,
                             double *row, cs_error *err)
{
    uint64_t i = 0, rows = w->warmup ? 0 : w->rows;
    while (i < rows &&
           fread(row, sizeof *row, w->columns, from) == w->columns) {
        w->take(w->self, i++, row);
        if (i % LOOK == 0 && cs_cancelled())
            return refuse_stop(path, i, err);
    }
    if (i == rows || (rows == UINT64_MAX && !ferror(from)))
        return CS_OK;
    return cs_fail(err, CS_IO, "%s cannot be read completely", path);
}

/* Returns true if the line is complete. Removes a carriage return before its
 * end. */
static bool ends_line(char *line)
{
    char *end = strchr(line, '\n');
    if (end && end > line && end[-1] == '\r') {
        end[-1] = '\n';
        *end = 0;
    }
    return end != NULL;
}

static cs_status read_rows(FILE *from, const char *path, const wanted *w,
                           char *line, int capacity, double *row, cs_error *err)
{
    uint64_t i = 0, rows = w->rows;
    bool all = rows == UINT64_MAX, warmup = false, binary = false;
    bool header = true;
    for (int at = 1; i < rows && fgets(line, capacity, from); at++) {
        if (*line == '#')
            warmup = cs_cmdstan_is_warmup(line, warmup);
        binary |= header && cs_cmdstan_is_binary(line);
        header &= *line == '#';
        if (binary && !header)
            return read_binary(from, path, w, row, err);
        if (*line == '#' || warmup != w->warmup ||
            strncmp(line, "lp__", 4) == 0)
            continue;
        if (!ends_line(line) || !cs_cmdstan_values(line, row, w->columns)) {
            cs_fail(err, CS_INPUT, "this is not a row of draws");
            cs_where(err, path, at);
            cs_hint(err, "restore the file or repeat the run");
            return CS_INPUT;
        }
        w->take(w->self, i++, row);
        if (i % LOOK == 0 && cs_cancelled())
            return refuse_stop(path, i, err);
    }
    if (i == rows || all)
        return CS_OK;
    cs_fail(err, CS_IO, "%s has fewer draws than were written", path);
    cs_hint(err, "restore the file or repeat the run");
    return CS_IO;
}

static cs_status read_file(const char *path, const wanted *w, cs_error *err)
{
    size_t capacity = w->columns * NAME + COMMENT;
    FILE *from = cs_open_stream(path);
    char *line = cs_alloc(capacity, 1);
    double *row = cs_alloc(w->columns, sizeof *row);
    cs_status status = CS_OK;
    if (!from)
        status = cs_open_failed(path, "read", err);
    else if (!line || !row)
        status = cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    else
        status = read_rows(from, path, w, line, (int)capacity, row, err);
    cs_free(line);
    cs_free(row);
    if (from)
        fclose(from);
    return status;
}

cs_status cs_cmdstan_read(const char *path, const cs_cmdstan_mark *upto,
                          size_t columns, cs_cmdstan_row *take, void *self,
                          cs_error *err)
{
    const wanted w = {upto ? upto->rows : UINT64_MAX, false, columns, take,
                      self};
    return read_file(path, &w, err);
}

cs_status cs_cmdstan_read_warmup(const char *path, size_t columns,
                                 cs_cmdstan_row *take, void *self,
                                 cs_error *err)
{
    const wanted w = {UINT64_MAX, true, columns, take, self};
    return read_file(path, &w, err);
}

/* ---- the header ---------------------------------------------------------- */

enum { MOST = 1 << 24 /* maximum bytes of all names */ };

/* Reads a line without its newline into *text. [own] Returns false at the end
 * of the file or if memory runs out. */
static bool read_line(FILE *from, char **text, size_t *capacity)
{
    size_t n = 0;
    int c = fgetc(from);
    bool good = c != EOF;
    for (; good && c != EOF && c != '\n'; c = fgetc(from)) {
        good = n < MOST && CS_EXTEND(*text, n, *capacity, 2);
        if (good && c != '\r')
            (*text)[n++] = (char)c;
    }
    good = good && CS_EXTEND(*text, n, *capacity, 1);
    if (good)
        (*text)[n] = 0;
    return good;
}

/* Copies the rest of a line that begins with `key`, for example "# arm = ". */
static void take_comment(const char *line, const char *key, char *to,
                         size_t size)
{
    size_t n = strlen(key);
    if (strncmp(line, key, n) == 0)
        snprintf(to, size, "%s", line + n);
}

/* Appends a line about observed data or groups (io/data_lines.h). */
static bool take_data_line(const char *line, char **lines, size_t *used,
                           size_t *capacity)
{
    size_t n = strlen(line);
    if (!cs_data_line_is(line))
        return true;
    if (!CS_EXTEND(*lines, *used, *capacity, n + 2))
        return false;
    memcpy(*lines + *used, line, n);
    memcpy(*lines + *used + n, "\n", 2);
    *used += n + 1;
    return true;
}

static cs_status take_names(cs_cmdstan_head *h, const char *path, cs_error *err)
{
    h->columns = 1;
    for (const char *c = h->text; *c; c++)
        h->columns += *c == ',';
    h->name = cs_alloc(h->columns, sizeof *h->name);
    if (!h->name)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    char *at = h->text;
    for (size_t k = 0; k < h->columns; k++) {
        h->name[k] = at;
        at += strcspn(at, ",");
        *at++ = 0;
    }
    if (strcmp(h->name[0], "lp__") == 0)
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s is not a file of draws: its first column is %s",
            path, h->name[0]);
    cs_hint(err, "give CSV files written by chainscope run --out");
    return CS_INPUT;
}

static cs_status read_head(FILE *from, const char *path, cs_cmdstan_head *h,
                           cs_error *err)
{
    size_t capacity = 0, used = 0, room = 0;
    while (read_line(from, &h->text, &capacity)) {
        if (*h->text && *h->text != '#')
            return take_names(h, path, err);
        take_comment(h->text, "# model = ", h->model, sizeof h->model);
        take_comment(h->text, "# arm = ", h->arm, sizeof h->arm);
        take_comment(h->text, "# run = ", h->run, sizeof h->run);
        take_comment(h->text, "# integers = ", h->integers, sizeof h->integers);
        if (!take_data_line(h->text, &h->data_lines, &used, &room))
            return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    }
    return cs_fail(err, CS_INPUT, "%s has no draws", path);
}

cs_status cs_cmdstan_head_read(const char *path, cs_cmdstan_head *h,
                               cs_error *err)
{
    FILE *from = cs_open_stream(path);
    *h = (cs_cmdstan_head){.columns = 0};
    if (!from)
        return cs_open_failed(path, "read", err);
    cs_status status = read_head(from, path, h, err);
    fclose(from);
    if (status)
        cs_cmdstan_head_free(h);
    return status;
}

void cs_cmdstan_head_free(cs_cmdstan_head *h)
{
    cs_free(h->name);
    cs_free(h->text);
    cs_free(h->data_lines);
    *h = (cs_cmdstan_head){.columns = 0};
}
