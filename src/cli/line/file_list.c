#include "cli/line/file_list.h"

#include "base/text.h"
#include "files/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* Copies the name of a file without folder and ending. */
static void name_of_file(const char *path, char *out, size_t size)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && path[from - 1] != '/')
        from--;
    size_t to = n;
    for (size_t i = from + 1; i < n && !cs_is_folder(path); i++)
        if (path[i] == '.')
            to = i;
    snprintf(out, size, "%.*s", (int)(to - from), path + from);
}

cs_status cs_file_list_read(const char *word, cs_file_list *out, cs_error *err)
{
    char clean[CS_LIST_NAME];
    const char *equals = exists(word) ? NULL : strchr(word, '=');
    const char *files = equals ? equals + 1 : word;
    out->n = 0;
    *out->name = 0;
    if (snprintf(out->text, sizeof out->text, "%s", files) >=
        (int)sizeof out->text)
        return cs_fail(err, CS_INPUT, "the names of the files are too long");
    bool whole = exists(files);
    char *at = out->text;
    while (at && out->n < CS_ARGS_WORDS) {
        out->path[out->n++] = at;
        at = whole ? NULL : strchr(at, ',');
        if (at)
            *at++ = 0;
    }
    if (at)
        return cs_fail(err, CS_INPUT, "a word names more than %d files",
                       CS_ARGS_WORDS);
    out->named = equals && equals > word;
    if (out->named)
        snprintf(clean, sizeof clean, "%.*s", (int)(equals - word), word);
    else
        name_of_file(out->path[0], clean, sizeof clean);
    cs_text_clean(clean, out->name, sizeof out->name);
    if (*out->path[0])
        return CS_OK;
    cs_fail(err, CS_INPUT, "'%s' names no file", word);
    cs_hint(err, "give FILE or NAME=FILE");
    return CS_INPUT;
}
