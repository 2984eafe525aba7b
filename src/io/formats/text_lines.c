#include "io/formats/text_lines.h"

#include "base/cancellation.h"
#include "base/memory.h"
#include "files/open.h"

#include <stdarg.h>
#include <string.h>

enum { PIECE = 1 << 18, LONGEST = 64 << 20 };

cs_status cs_text_open(cs_text_lines *t, const char *path, cs_error *err)
{
    *t = (cs_text_lines){.path = path, .file = cs_open_stream(path)};
    return t->file ? CS_OK : cs_open_failed(path, "read", err);
}

void cs_text_close(cs_text_lines *t)
{
    if (t->file)
        fclose(t->file);
    cs_free(t->text);
    *t = (cs_text_lines){.path = t->path};
}

cs_status cs_text_refuse(const cs_text_lines *t, cs_error *err,
                         const char *format, ...)
{
    char text[400];
    va_list more;
    va_start(more, format);
    vsnprintf(text, sizeof text, format, more);
    va_end(more);
    cs_fail(err, CS_INPUT, "%s", text);
    cs_where(err, t->path, t->line);
    return CS_INPUT;
}

/* Reads the next piece after the bytes that have not been returned. Returns
 * false at the end of the file, and sets *status if the reading failed. */
static bool fill(cs_text_lines *t, cs_status *status, cs_error *err)
{
    size_t left = t->used - t->begin;
    if (t->begin && left)
        memmove(t->text, t->text + t->begin, left);
    t->begin = 0;
    t->used = left;
    if (left > LONGEST)
        *status = cs_text_refuse(t, err,
                                 "the line after this one, at byte %llu, has "
                                 "more than 64 MiB",
                                 (unsigned long long)t->after);
    else if (!CS_EXTEND(t->text, left, t->capacity, PIECE))
        *status = cs_fail(err, CS_MEMORY, "out of memory for %s", t->path);
    else if (cs_cancelled())
        *status = cs_fail(err, CS_STOPPED, "while %s was read", t->path);
    if (*status)
        return false;
    size_t got = fread(t->text + left, 1, PIECE, t->file);
    t->used += got;
    if (got == 0 && ferror(t->file))
        *status = cs_open_failed(t->path, "read", err);
    return got > 0;
}

/* Skips a byte order mark at the start of the file. */
static void skip_mark(cs_text_lines *t)
{
    if (t->after != 0 || t->used < 3 || memcmp(t->text, "\xef\xbb\xbf", 3) != 0)
        return;
    t->mark = true;
    t->begin = 3;
    t->after = 3;
}

/* Returns the n bytes of the next line, which follow the byte at t->begin. */
static cs_status take(cs_text_lines *t, size_t n, cs_word_span *line,
                      cs_error *err)
{
    const char *at = t->text + t->begin;
    t->line++;
    t->at = t->after;
    const char *zero = n ? memchr(at, 0, n) : NULL;
    if (zero)
        return cs_text_refuse(
            t, err, "byte %llu is zero: this is not text",
            (unsigned long long)(t->at + (uint64_t)(zero - at)));
    bool cr = n && at[n - 1] == '\r';
    t->crlf |= cr;
    *line = (cs_word_span){at, at + n - cr};
    return CS_OK;
}

cs_status cs_text_next(cs_text_lines *t, cs_word_span *line, bool *more,
                       cs_error *err)
{
    size_t looked = 0;
    cs_status status = CS_OK;
    *more = false;
    for (;;) {
        size_t n = t->used - t->begin;
        const char *at = n ? t->text + t->begin : NULL;
        const char *end =
            n > looked ? memchr(at + looked, '\n', n - looked) : NULL;
        bool last = !end && !fill(t, &status, err);
        if (status || (last && t->used == t->begin))
            return status;
        if (!end && !last) {
            looked = n;
            skip_mark(t);
            looked = looked > t->used - t->begin ? 0 : looked;
            continue;
        }
        n = end ? (size_t)(end - at) : t->used - t->begin;
        *more = true;
        t->open = last;
        status = take(t, n, line, err);
        t->begin += n + !last;
        t->after += n + !last;
        return status;
    }
}
