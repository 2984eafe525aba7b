#include "data/lines.h"

#include "base/decimal.h"
#include "base/memory.h"
#include "files/open.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

cs_word_span cs_word_trim(cs_word_span s)
{
    while (s.at < s.end && is_blank(*s.at))
        s.at++;
    while (s.at < s.end && is_blank(s.end[-1]))
        s.end--;
    return s;
}

cs_word_span cs_word_next(cs_word_span *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    cs_word_span word = {line->at, line->at};
    while (word.end < line->end && !is_blank(*word.end))
        word.end++;
    line->at = word.end;
    return word;
}

bool cs_word_is(cs_word_span s, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(s.end - s.at) == n && memcmp(s.at, text, n) == 0;
}

bool cs_word_real(cs_word_span s, double *number)
{
    char text[64], *stop;
    size_t n = (size_t)(s.end - s.at);
    if (!n || n >= sizeof text)
        return false;
    if (cs_decimal_scan(s.at, s.end, number) == n)
        return true;
    memcpy(text, s.at, n);
    text[n] = '\0';
    *number = strtod(text, &stop);
    return *stop == '\0' && strlen(text) == n;
}

bool cs_word_number(cs_word_span s, double *number)
{
    return cs_word_real(s, number) && isfinite(*number);
}

bool cs_word_whole(cs_word_span s, double low, double high, double *number)
{
    return cs_word_number(s, number) && *number == floor(*number) &&
           *number >= low && *number <= high;
}

/* ---- lines --------------------------------------------------------------- */

static cs_status open_lines(cs_lines *l, const char *text, size_t size,
                            const char *where, cs_error *err)
{
    assert(text || size == 0);
    static const char mark[] = "\xef\xbb\xbf";
    size_t skip = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    *l = (cs_lines){.at = text + skip, .end = text + size, .where = where};
    l->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (l->plain == (locale_t)0)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", where);
    l->before = uselocale(l->plain);
    return CS_OK;
}

static void close_lines(cs_lines *l)
{
    uselocale(l->before);
    freelocale(l->plain);
}

bool cs_lines_next(cs_lines *l, cs_word_span *line)
{
    assert(l->at <= l->end);
    while (l->at < l->end) {
        const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
        *line = cs_word_trim((cs_word_span){l->at, stop ? stop : l->end});
        l->at = stop ? stop + 1 : l->end;
        l->line++;
        if (line->at < line->end && *line->at != '#')
            return true;
    }
    return false;
}

cs_status cs_lines_refuse(const cs_lines *l, cs_status status, cs_error *err,
                          const char *what, const char *hint)
{
    cs_fail(err, status, "%s", what);
    cs_where(err, l->where, l->line);
    cs_hint(err, "%s", hint);
    return status;
}

/* ---- files --------------------------------------------------------------- */

/* Functions that read the bytes of an open file. They are the functions of
 * stdio or those of zlib. */
typedef struct source {
    void *file;
    size_t (*read)(void *file, char *to, size_t capacity);
    const char *(*failed)(void *file); /* returns a hint after an error; NULL:
                                        * no error */
} source;

static const char is_folder[] = "give the path of a file, not of a folder";

static cs_status slurp(source s, const char *path, char **text, size_t *size,
                       cs_error *err)
{
    size_t capacity = 0;
    *text = NULL;
    for (*size = 0;;) {
        if (*size == capacity &&
            !CS_EXTEND(*text, *size, capacity, capacity ? capacity : 1 << 16))
            return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
        size_t got = s.read(s.file, *text + *size, capacity - *size);
        if (!got)
            break;
        *size += got;
        if (*size > CS_FILE_BYTES) {
            cs_fail(err, CS_INPUT, "the file is larger than 256 MiB");
            cs_where(err, path, 0);
            cs_hint(err, "use a smaller file");
            return CS_INPUT;
        }
    }
    const char *hint = s.failed(s.file);
    if (!hint)
        return CS_OK;
    cs_fail(err, CS_IO, "cannot read %s", path);
    cs_hint(err, "%s", hint);
    return CS_IO;
}

#if CS_HAVE_ZLIB
#include <zlib.h>

static size_t read_some(void *file, char *to, size_t capacity)
{
    unsigned most = capacity < 1u << 30 ? (unsigned)capacity : 1u << 30;
    int got = gzread(file, to, most);
    return got > 0 ? (size_t)got : 0;
}

static const char *failure(void *file)
{
    int code;
    gzerror(file, &code);
    if (code == Z_OK || code == Z_STREAM_END)
        return NULL;
    return code == Z_ERRNO ? is_folder
                           : "the file is gzipped, but damaged or incomplete: "
                             "get another copy";
}

static void *take(int file)
{
    return gzdopen(file, "rb"); /* also reads files that are not gzipped */
}

static void close_file(void *file)
{
    gzclose(file);
}
#else
static size_t read_some(void *file, char *to, size_t capacity)
{
    return fread(to, 1, capacity, file);
}

static const char *failure(void *file)
{
    return ferror(file) ? is_folder : NULL;
}

static void *take(int file)
{
    return fdopen(file, "rb");
}

static void close_file(void *file)
{
    fclose(file);
}
#endif

/* Opens only regular files: opening a pipe or a device could wait forever. */
static void *open_file(const char *path)
{
    int file = cs_open_read(path, NULL);
    void *f = file >= 0 ? take(file) : NULL;
    if (!f && file >= 0) {
        int why = errno;
        close(file);
        errno = why;
    }
    return f;
}

/* For builds without zlib: distinguishes a gzipped file from a damaged one. */
static cs_status check_unpacked(const char *text, size_t size, const char *path,
                                cs_error *err)
{
    if (size < 2 || memcmp(text, "\x1f\x8b", 2) != 0)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "cannot read %s", path);
    cs_hint(err, "the file is gzipped, and this program was built without "
                 "zlib: unpack the file with gunzip");
    return CS_UNSUPPORTED;
}

cs_status cs_data_read(const char *path, const char *kind, char **text,
                       size_t *size, cs_error *err)
{
    assert(path && kind);
    errno = 0;
    void *file = open_file(path);
    int why = errno;
    *text = NULL;
    if (!file) {
        cs_fail(err, CS_IO, "cannot open the %s: %s", kind,
                why == ESPIPE ? "it is not a regular file"
                : why         ? strerror(why)
                              : "out of memory");
        cs_where(err, path, 0);
        if (why == EISDIR)
            cs_hint(err, "%s", is_folder);
        else
            cs_hint(err, "give the path of a readable %s", kind);
        return CS_IO;
    }
    source s = {file, read_some, failure};
    cs_status status = slurp(s, path, text, size, err);
    close_file(file);
    if (!status && !CS_HAVE_ZLIB)
        status = check_unpacked(*text, *size, path, err);
    if (status) {
        cs_free(*text);
        *text = NULL;
    }
    return status;
}

cs_status cs_lines_parse(const char *text, size_t size, const char *where,
                         cs_lines_reader *reader, void *out, cs_error *err)
{
    assert(reader && out);
    cs_lines l;
    cs_status s = open_lines(&l, text, size, where, err);
    if (s)
        return s;
    s = reader(&l, out, err);
    close_lines(&l);
    return s;
}

cs_status cs_lines_read(const char *path, const char *kind,
                        cs_lines_reader *reader, void *out, cs_error *err)
{
    char *text;
    size_t size;
    cs_status s = cs_data_read(path, kind, &text, &size, err);
    if (!s)
        s = cs_lines_parse(text, size, path, reader, out, err);
    cs_free(text);
    return s;
}
