/* Verifies that a file of draws is unchanged since it was written. */
#define _GNU_SOURCE /* for memmem */
#include "base/cancellation.h"
#include "base/hash.h"
#include "base/memory.h"
#include "files/file.h"
#include "files/open.h"
#include "io/cmdstan.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* bytes per read; the counts are in the first piece read */
enum { PIECE = 1 << 18 };

/* Counts in the header, written there at the end of a run, and the settings
 * that determine the units of the counts. */
typedef struct counts {
    char text[80];  /* [n] original text of CS_CMDSTAN_COUNTS */
    size_t n, line; /* n: length of `text`; line: number of its line in the
                     * file, from 1, or 0 if there are no counts */
    unsigned long long thin;
    int save_warmup;
} counts;

/* Replaces the counts in text[n] by 0; *c receives their original text. */
static void forget_counts(char *text, size_t n, counts *c)
{
    static const char before[] = "\n#     num_samples = ";
    char zeros[80];
    c->n = (size_t)snprintf(zeros, sizeof zeros,
                            CS_CMDSTAN_COUNTS("%-20d", "%-20d"), 0, 0);
    char *at = memmem(text, n, before, sizeof before - 1);
    if (!at || (size_t)(text + n - at) < sizeof before + c->n)
        return;
    at += sizeof before - 1;
    memcpy(c->text, at, c->n);
    memcpy(at, zeros, c->n);
    for (c->line = 1; text < at; text++)
        c->line += *text == '\n';
    char rest[100];
    size_t after = n - (size_t)(at + c->n - text);
    snprintf(rest, sizeof rest, "%.*s", (int)(after < 99 ? after : 99),
             at + c->n);
    if (sscanf(rest, " # save_warmup = %d # thin = %llu", &c->save_warmup,
               &c->thin) != 2)
        c->line = 0;
}

/* State of a pass over a file. The pass reads the file piece by piece, and
 * computes its checksum or the number of lines up to a position. */
typedef struct reading {
    uint64_t sum, lines;
} reading;

static void take(reading *r, const char *piece, size_t n)
{
    r->sum = cs_running_sum(r->sum, piece, n);
    for (const char *at = piece;
         (at = memchr(at, '\n', n - (size_t)(at - piece))); at++)
        r->lines++;
}

/* Reads the first bytes of a file and accumulates them in *r. Returns false if
 * the file has fewer bytes. */
static bool read_file(int fd, char *piece, uint64_t bytes, reading *r,
                      counts *c)
{
    *r = (reading){.sum = CS_DIGEST};
    for (uint64_t at = 0; at < bytes && !cs_cancelled();) {
        size_t wanted = bytes - at < PIECE ? (size_t)(bytes - at) : PIECE;
        size_t got = 0;
        while (got < wanted) {
            ssize_t n = pread(fd, piece + got, wanted - got, (off_t)(at + got));
            if (n <= 0)
                return false;
            got += (size_t)n;
        }
        if (at == 0)
            forget_counts(piece, got, c);
        take(r, piece, got);
        at += got;
    }
    return true;
}

/* ---- the counts ---- */

/* Returns the number of rows from the offset `from` on. A line must start at
 * this offset. */
static uint64_t rows_beyond(int fd, char *piece, uint64_t from)
{
    uint64_t rows = 0;
    bool begins = true, row = false;
    ssize_t n;
    while ((n = pread(fd, piece, PIECE, (off_t)from)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (begins)
                row = piece[i] != '#';
            begins = piece[i] == '\n';
            rows += begins && row;
        }
        from += (uint64_t)n;
    }
    return rows;
}

static bool counts_are(const counts *c, uint64_t samples, uint64_t warmup)
{
    char text[80];
    snprintf(text, sizeof text, CS_CMDSTAN_COUNTS("%-20llu", "%-20llu"),
             (unsigned long long)samples, (unsigned long long)warmup);
    return memcmp(text, c->text, c->n) == 0;
}

/* Compares the two counts in the header with the number of rows. If a count is
 * wrong, returns the number of its line, from 1; otherwise returns 0. The
 * counts of an unfinished file are 0. The counts of a finished file include the
 * rows after the mark. */
static size_t wrong_count(const counts *c, const cs_cmdstan_mark *m, int fd,
                          char *piece)
{
    unsigned long long samples = 0, warmup = 0;
    uint64_t rows = m->rows, before = m->warmup_rows;
    if (c->line == 0 || counts_are(c, 0, 0))
        return 0;
    if (sscanf(c->text, "%llu # num_warmup = %llu", &samples, &warmup) != 2 ||
        !counts_are(c, samples, warmup))
        return c->line;
    if (samples != rows * c->thin ||
        (c->save_warmup && warmup != before * c->thin)) {
        uint64_t more = rows_beyond(fd, piece, m->bytes);
        uint64_t all = samples + (c->save_warmup ? warmup : 0);
        if (more == 0 || samples < rows * c->thin ||
            all != (rows + before + more) * c->thin)
            return c->line + (samples == rows * c->thin);
        return 0;
    }
    bool known = m->counted && rows > 0 && !c->save_warmup;
    return known && warmup != m->warmup_steps ? c->line + 1 : 0;
}

static cs_status other_line(const char *path, size_t line, cs_error *err)
{
    cs_fail(err, CS_INPUT, "this line has changed since it was written");
    cs_where(err, path, (int)line);
    cs_hint(err, "restore the file, or repeat the run or part");
    return CS_INPUT;
}

static void ignore(void *self, uint64_t i, const double *row)
{
    (void)self, (void)i, (void)row;
}

/* Sets the error. If a line is not a row, the error names the first such
 * line. */
static cs_status name_line(const char *path, const cs_cmdstan_mark *upto,
                           cs_error *err)
{
    cs_cmdstan_head head;
    if (cs_cmdstan_head_read(path, &head, err))
        return CS_INPUT;
    cs_status status =
        cs_cmdstan_read(path, upto, head.columns, ignore, NULL, err);
    cs_cmdstan_head_free(&head);
    return status;
}

cs_status cs_cmdstan_verify(const char *path, const cs_cmdstan_mark *upto,
                            cs_error *err)
{
    reading r, before = {.lines = 0};
    counts c = {.line = 0}, again;
    cs_status status = cs_file_has(path, upto->bytes, err);
    int fd = status ? -1 : cs_open_read(path, NULL);
    if (status)
        return status;
    if (fd < 0)
        return cs_open_failed(path, "read", err);
    char *piece = cs_alloc(1, PIECE);
    bool whole = piece && read_file(fd, piece, upto->bytes, &r, &c);
    bool good = whole && r.sum == upto->sum, none = !piece;
    uint64_t at = whole && !good
                      ? cs_running_sum_place(upto->sum, r.sum, upto->bytes)
                      : upto->bytes;
    if (at < upto->bytes)
        read_file(fd, piece, at, &before, &again);
    size_t line = good ? wrong_count(&c, upto, fd, piece) : 0;
    cs_free(piece);
    close(fd);
    if (cs_cancelled())
        return cs_fail(err, CS_STOPPED, "while reading %s", path);
    if (none)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    if (good)
        return line ? other_line(path, line, err) : CS_OK;
    if (at < upto->bytes)
        return other_line(path, before.lines + 1, err);
    if (name_line(path, upto, err) == CS_OK) {
        cs_fail(err, CS_INPUT,
                "the file is damaged: its %llu rows have changed since they "
                "were written",
                (unsigned long long)(upto->rows + upto->warmup_rows));
        cs_where(err, path, 0);
    }
    cs_hint(err, "restore the file, or repeat the run or part");
    return CS_INPUT;
}
