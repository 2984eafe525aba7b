/* Whether a file of draws is as it was written. */
#define _GNU_SOURCE /* memmem */
#include "base/hash.h"
#include "base/memory.h"
#include "base/patience.h"
#include "files/file.h"
#include "files/open.h"
#include "io/cmdstan.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 18 }; /* bytes at once; the counts lie in the first piece */

/* Puts 0 in the places that the end fills in. */
static void forget_counts(char *text, size_t n)
{
    static const char before[] = "\n#     num_samples = ";
    char zeros[80];
    int length = snprintf(zeros, sizeof zeros,
                          CS_CMDSTAN_COUNTS("%-20d", "%-20d"), 0, 0);
    char *at = memmem(text, n, before, sizeof before - 1);
    if (!at || (size_t)(text + n - at) < sizeof before - 1 + (size_t)length)
        return;
    memcpy(at + sizeof before - 1, zeros, (size_t)length);
}

/* What is made of a file piece by piece: its sum; or, up to a place in it, the number
 * of its lines. */
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

/* Reads the first bytes of a file; false: there are fewer. */
static bool read_file(int fd, char *piece, uint64_t bytes, reading *r)
{
    *r = (reading){.sum = CS_DIGEST};
    for (uint64_t at = 0; at < bytes && !cs_patience_over();) {
        size_t wanted = bytes - at < PIECE ? (size_t)(bytes - at) : PIECE;
        size_t got = 0;
        while (got < wanted) {
            ssize_t n = pread(fd, piece + got, wanted - got, (off_t)(at + got));
            if (n <= 0)
                return false;
            got += (size_t)n;
        }
        if (at == 0)
            forget_counts(piece, got);
        take(r, piece, got);
        at += got;
    }
    return true;
}

static void ignore(void *self, uint64_t i, const double *row)
{
    (void)self, (void)i, (void)row;
}

/* Which line is no row, where one is not. */
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
    cs_status status = cs_file_has(path, upto->bytes, err);
    int fd = status ? -1 : cs_open_read(path, NULL);
    if (status)
        return status;
    if (fd < 0)
        return cs_open_trouble(path, "read", err);
    char *piece = cs_alloc(1, PIECE);
    bool whole = piece && read_file(fd, piece, upto->bytes, &r);
    bool good = whole && r.sum == upto->sum, none = !piece;
    uint64_t at = whole && !good
                      ? cs_running_sum_place(upto->sum, r.sum, upto->bytes)
                      : upto->bytes;
    if (at < upto->bytes)
        read_file(fd, piece, at, &before);
    cs_free(piece);
    close(fd);
    if (cs_patience_over())
        return cs_fail(err, CS_STOPPED, "while %s was read", path);
    if (none)
        return cs_fail(err, CS_MEMORY, "no memory to read %s", path);
    if (good)
        return CS_OK;
    if (at < upto->bytes) {
        cs_fail(err, CS_INPUT, "this line is not as it was written");
        cs_where(err, path, (int)before.lines + 1);
    } else if (name_line(path, upto, err) == CS_OK) {
        cs_fail(err, CS_INPUT,
                "the file is damaged: its %llu rows are not those that were "
                "written",
                (unsigned long long)(upto->rows + upto->warmup_rows));
        cs_where(err, path, 0);
    }
    cs_hint(err,
            "put the file back as it was, or make that run, or part, anew");
    return CS_INPUT;
}
