#include "io/formats/other_file.h"

#include "files/open.h"
#include "io/formats/formats.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { HEAD = 1 << 16 }; /* number of bytes that are read to recognise a file */

/* A kind of files. */
typedef struct kind {
    const char *what;
    const char *remedy; /* NULL: none */
    bool own;           /* true: some sub-commands read the file */
} kind;

static const char resume[] = "continue its run with chainscope run SCENARIO "
                             "--out FOLDER --resume",
                  replay[] = "repeat its run with chainscope run SCENARIO "
                             "--replay JOURNAL",
                  compile[] = "compile it with BridgeStan, and write cs.target "
                              "{ stan = \"NAME_model.so\", data = "
                              "\"NAME.json\" } in a scenario",
                  process[] =
                      "write the model in Lua, or call the program from "
                      "a scenario: cs.target { process = { ... } }";

#define START(text, what, remedy, own)                                         \
    {                                                                          \
        text, sizeof text - 1,                                                 \
        {                                                                      \
            what, remedy, own                                                  \
        }                                                                      \
    }
static const struct {
    const char *text;
    size_t n;
    kind kind;
} starts[] = {
    START("CSKEPT", "a checkpoint", resume, true),
    START("# chainscope journal", "a journal", replay, true),
    START("\x89PNG", "a PNG picture", NULL, false),
    START("GIF8", "a GIF picture", NULL, false),
    START("\xff\xd8\xff", "a JPEG picture", NULL, false),
    START("%PDF", "a PDF document", NULL, false),
    START("\x7f"
          "ELF",
          "an executable or a library", NULL, false),
    START("<", "HTML, SVG or XML", NULL, false),
};

/* Words at the start of a line of a program in another language, followed by
 * `next`, before which there may be blanks, and a word later in the line. */
static const struct {
    const char *word, *next, *later;
    kind kind;
} programs[] = {
    {"parameters", "{", "", {"a Stan program", compile, false}},
    {"transformed", "parameters", "", {"a Stan program", compile, false}},
    {"generated", "quantities", "", {"a Stan program", compile, false}},
    {"model", "{", "", {"a model of Stan, JAGS or BUGS", process, false}},
    {"import ", "", "", {"a Python program", process, false}},
    {"from ", "", " import ", {"a Python program", process, false}},
    {"library(", "", "", {"an R program", process, false}},
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

static bool line_has(const char *line, const char *word)
{
    const char *found = strstr(line, word);
    return found && found <= line + strcspn(line, "\n");
}

/* Recognises a program in another language. A scenario may contain one in a
 * string, but then also has the name of the library. */
static kind program_of(const char *text)
{
    if (strstr(text, "chainscope"))
        return (kind){NULL};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        size_t n = strlen(programs[i].word), m = strlen(programs[i].next);
        for (const char *at = text; at; at = strchr(at, '\n')) {
            at += *at == '\n';
            if (strncmp(at, programs[i].word, n) == 0 &&
                strncmp(skip_blanks(at + n), programs[i].next, m) == 0 &&
                line_has(at, programs[i].later))
                return programs[i].kind;
        }
    }
    return (kind){NULL};
}

static kind kind_of_text(const char *text)
{
    const char *at = skip_blanks(text);
    size_t line = strcspn(at, "\r\n");
    if (!*at)
        return (kind){"empty", NULL, false};
    if (*at == '{' || *at == '[') {
        bool own = strstr(text, "\"version\"") && strstr(text, "\"width\"");
        return own ? (kind){"a recording", "play it with chainscope replay",
                            true}
                   : (kind){"JSON", "read data in a scenario with cs.read_json",
                            false};
    }
    kind program = program_of(text);
    if (program.what || may_be_lua(text))
        return program;
    return (kind){strcspn(at, ",;\t") < line ? "a table" : "text", NULL, false};
}

/* Returns the kind of the file; `what` is NULL if the file may be a scenario, or
 * cannot be read. A name that ends in .lua is always a scenario, and one named
 * *.cast a recording: these are reported by their own readers. */
static kind kind_of(const char *path)
{
    static char text[HEAD + 1];
    const char *dot = strrchr(path, '.');
    bool named = dot && (strcmp(dot, ".lua") == 0 || strcmp(dot, ".cast") == 0);
    FILE *f = named ? NULL : cs_open_stream(path);
    if (!f)
        return (kind){NULL};
    size_t n = fread(text, 1, HEAD, f);
    fclose(f);
    text[n] = 0;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (n >= starts[i].n && memcmp(text, starts[i].text, starts[i].n) == 0)
            return starts[i].kind;
    return is_binary(text, n) ? (kind){"binary", NULL, false}
                              : kind_of_text(text);
}

const char *cs_other_file(const char *path)
{
    return kind_of(path).what;
}

cs_status cs_other_file_refuse(const char *path, bool own, cs_error *err)
{
    kind k = kind_of(path);
    if (!k.what || (own && k.own))
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "%.300s is %s, and neither a scenario nor draws in a known format",
            path, k.what);
    cs_hint(err, "%s",
            k.remedy ? k.remedy
                     : "give a Lua file that returns cs.scenario { ... }, or "
                       "draws (formats: chainscope summary --help)");
    return CS_INPUT;
}

/* Fails for draws. A table or JSON may also be the data of a model. */
static cs_status refuse_format(const char *path, const cs_draw_format *f,
                               cs_error *err)
{
    const char *data = f == &cs_format_csv          ? "cs.read_table"
                       : f == &cs_format_json_lines ? "cs.read_json"
                                                    : NULL;
    cs_fail(err, CS_INPUT, "%.300s is not a scenario: its format is %s", path,
            f->name);
    if (data)
        cs_hint(err,
                "read draws with chainscope summary, and data in a scenario "
                "with %s",
                data);
    else
        cs_hint(err,
                "read its draws with chainscope summary%s, or show them "
                "with chainscope watch",
                f->companion ? " and the files of the chains" : "");
    return CS_INPUT;
}

cs_status cs_other_file_refuse_draws(const char *path, cs_error *err)
{
    const cs_draw_format *f;
    bool native;
    cs_error why = {0};
    cs_status status = cs_draw_format_find(path, &f, &native, &why);
    if (status == CS_OK && f)
        return refuse_format(path, f, err);
    if (status == CS_INPUT && err)
        *err = why;
    return status == CS_INPUT ? status : CS_OK;
}
