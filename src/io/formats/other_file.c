#include "io/formats/other_file.h"

#include "files/open.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 1 << 16 }; /* number of bytes that are read to recognise a file */

typedef struct start {
    const char *text;
    size_t n;
    const char *what;
    bool own;
} start;

#define START(text, what, own)                                                 \
    {                                                                          \
        text, sizeof text - 1, what, own                                       \
    }
static const start starts[] = {
    START("CSKEPT", "a checkpoint", true),
    START("# chainscope journal", "a journal", true),
    START("\x89PNG", "a PNG picture", false),
    START("GIF8", "a GIF picture", false),
    START("\xff\xd8\xff", "a JPEG picture", false),
    START("%PDF", "a PDF document", false),
    START("\x7f"
          "ELF",
          "an executable or a library", false),
    START("<", "HTML, SVG or XML", false),
};

/* Returns true if there are control characters other than those of text. */
static bool is_binary(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' && !strchr("\t\n\v\f\r\033", text[i]))
            return true;
    return memchr(text, 0, n) != NULL;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Returns true if the text has a word of Lua without which it can be no
 * scenario: a scenario returns a table or calls a function. */
static bool may_be_lua(const char *text)
{
    static const char *const words[] = {"return", "require", "local",
                                        "function"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        for (const char *at = text; (at = strstr(at, words[i])); at += n) {
            unsigned char before = at > text ? (unsigned char)at[-1] : ' ';
            unsigned char after = (unsigned char)at[n];
            if (!isalnum(before) && before != '_' && !isalnum(after) &&
                after != '_')
                return true;
        }
    }
    return strchr(text, '=') && strchr(text, '(');
}

static const char *kind_of_text(const char *text, bool *own)
{
    const char *at = skip_blanks(text);
    size_t line = strcspn(at, "\r\n");
    if (!*at)
        return "empty";
    if (*at == '{' || *at == '[') {
        *own = strstr(text, "\"version\"") && strstr(text, "\"width\"");
        return *own ? "a recording" : "JSON";
    }
    if (may_be_lua(text))
        return NULL;
    return strcspn(at, ",;\t") < line ? "a table" : "text";
}

const char *cs_other_file(const char *path, bool *own)
{
    static char text[HEAD + 1];
    const char *dot = strrchr(path, '.');
    /* scenarios and recordings are reported by their own readers */
    bool named = dot && (strcmp(dot, ".lua") == 0 || strcmp(dot, ".cast") == 0);
    FILE *f = named ? NULL : cs_open_stream(path);
    *own = false;
    if (!f)
        return NULL;
    size_t n = fread(text, 1, HEAD, f);
    fclose(f);
    text[n] = 0;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (n >= starts[i].n &&
            memcmp(text, starts[i].text, starts[i].n) == 0) {
            *own = starts[i].own;
            return starts[i].what;
        }
    return is_binary(text, n) ? "binary" : kind_of_text(text, own);
}

cs_status cs_other_file_refuse(const char *path, bool own, cs_error *err)
{
    bool is_own;
    const char *what = cs_other_file(path, &is_own);
    if (!what || (own && is_own))
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "%.300s is %s, and neither a scenario nor draws in a known format",
            path, what);
    cs_hint(err, "give a Lua file that returns cs.scenario { ... }, or draws "
                 "(formats: chainscope summary --help)");
    return CS_INPUT;
}
