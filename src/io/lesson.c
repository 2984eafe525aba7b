#include "io/lesson.h"

#include "base/memory.h"
#include "files/file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FILE_MOST = 1 << 20 };

typedef struct writer {
    char *out;
    size_t size, used;
    bool full;
} writer;

static void put(writer *w, const char *text, size_t n)
{
    w->full |= n >= w->size - w->used;
    if (w->full)
        return;
    memcpy(w->out + w->used, text, n);
    w->used += n;
}

/* Appends one line of the comment, whose n bytes do not include the dashes.
 * `open` is true inside a paragraph. Returns true if the paragraph may continue
 * on the next line. */
static bool put_line(writer *w, const char *line, size_t n, bool open)
{
    size_t indent = strspn(line, " ");
    bool example = indent > 1;
    if (indent >= n) {
        put(w, "\n\n", w->used ? open ? 2 : 1 : 0);
        return false;
    }
    if (open)
        put(w, example ? "\n" : " ", 1);
    put(w, line + (example ? 0 : indent), n - (example ? 0 : indent));
    put(w, "\n", example);
    return !example;
}

void cs_lesson_of(const char *lua, char *out, size_t size)
{
    assert(size > 0);
    writer w = {.out = out, .size = size};
    bool open = false;
    while (size && strncmp(lua, "--", 2) == 0 && strncmp(lua, "--[[", 4) != 0) {
        size_t n = strcspn(lua, "\n");
        size_t end = n && lua[n - 1] == '\r' ? n - 1 : n, kept = w.used;
        open = put_line(&w, lua + 2, end - 2, open);
        if (w.full)
            w.used = kept;
        lua += n + (lua[n] == '\n');
    }
    while (w.used && out[w.used - 1] == '\n')
        w.used--;
    if (size)
        out[w.used] = 0;
}

void cs_lesson_read(const char *path, char *out, size_t size)
{
    unsigned char *text = NULL;
    size_t n;
    if (size)
        *out = 0;
    if (!*path || cs_file_read(path, FILE_MOST, &text, &n, NULL))
        return;
    cs_lesson_of((const char *)text, out, size);
    cs_free(text);
}

bool cs_lesson_is_file(const char *lesson, const char *path)
{
    char end[128];
    snprintf(end, sizeof end, "/%s.lua", lesson);
    size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}
