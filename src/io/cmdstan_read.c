/* Draws read back from a file that the writer made: for a run that goes on. */
#include "base/memory.h"
#include "data/lines.h"
#include "io/cmdstan.h"

#include <stdio.h>
#include <string.h>

/* Bytes of a line: of the name of a column, which are more than a number has,
 * and of a comment. */
enum { NAME = 208, COMMENT = 4096 };

/* Most values of a binary state are single digits: reading these as any other
 * number took most of the time. */
static bool read_value(cs_word_span s, double *value)
{
    if (s.end - s.at != 1 || *s.at < '0' || *s.at > '9')
        return cs_word_real(s, value);
    *value = *s.at - '0';
    return true;
}

static bool read_row(const char *line, double *row, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        size_t n = strcspn(line, ",\n");
        bool more = line[n] == ',';
        if (more != (i + 1 < columns) ||
            !read_value((cs_word_span){line, line + n}, &row[i]))
            return false;
        line += n + more;
    }
    return true;
}

static cs_status read_rows(FILE *from, const char *path, uint64_t rows,
                           size_t columns, char *line, int room, double *row,
                           cs_cmdstan_row *take, void *self, cs_error *err)
{
    uint64_t i = 0;
    for (int at = 1; i < rows && fgets(line, room, from); at++) {
        if (*line == '#' || strncmp(line, "lp__", 4) == 0)
            continue;
        if (!strchr(line, '\n') || !read_row(line, row, columns)) {
            cs_fail(err, CS_INPUT, "this is no row of draws");
            cs_where(err, path, at);
            cs_hint(err, "put the file back as it was, or start anew");
            return CS_INPUT;
        }
        take(self, i++, row);
    }
    if (i == rows)
        return CS_OK;
    cs_fail(err, CS_IO, "%s has fewer draws than were written", path);
    cs_hint(err, "put the file back as it was, or start anew");
    return CS_IO;
}

cs_status cs_cmdstan_read(const char *path, const cs_cmdstan_mark *upto,
                          size_t columns, cs_cmdstan_row *take, void *self,
                          cs_error *err)
{
    size_t room = columns * NAME + COMMENT;
    FILE *from = fopen(path, "re");
    char *line = cs_alloc(room, 1);
    double *row = cs_alloc(columns, sizeof *row);
    cs_status status = CS_OK;
    if (!from)
        status = cs_fail(err, CS_IO, "%s cannot be read", path);
    else if (!line || !row)
        status = cs_fail(err, CS_MEMORY, "no memory to read %s", path);
    else
        status = read_rows(from, path, upto->rows, columns, line, (int)room,
                           row, take, self, err);
    cs_free(line);
    cs_free(row);
    if (from)
        fclose(from);
    return status;
}
