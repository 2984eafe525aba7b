#include "script/headline.h"

#include "kernel/kernel.h"
#include "target/target.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef enum kind { END, WORD, STRING, MARK } kind;

/* A token text[from .. end - 1]: a word, a number, a string with its quotes, or
 * one punctuation mark. */
typedef struct token {
    kind kind;
    size_t from, end;
} token;

typedef struct reader {
    const char *text;
    size_t size, at;
    token t;         /* the last token */
    unsigned depth;  /* nesting of blocks and brackets */
    unsigned inside; /* bit d is set if nesting level d is a function */
    bool lost;       /* true if the text is not valid Lua, or nested too
                      * deeply */
} reader;

/* Returns the end of a long bracket that starts at `at`, or `at` if no long
 * bracket starts there. */
static size_t long_end(const reader *r, size_t at)
{
    size_t k = at + 1, level = 0;
    for (; k < r->size && r->text[k] == '='; k++)
        level++;
    if (r->text[at] != '[' || k >= r->size || r->text[k] != '[')
        return at;
    for (k++; k + level + 1 < r->size; k++) {
        size_t n = 0;
        if (r->text[k] != ']')
            continue;
        while (n < level && r->text[k + 1 + n] == '=')
            n++;
        if (n == level && r->text[k + 1 + n] == ']')
            return k + level + 2;
    }
    return r->size;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->size) {
        const char *p = r->text + r->at;
        if (isspace((unsigned char)*p)) {
            r->at++;
        } else if (r->size - r->at > 1 && p[0] == '-' && p[1] == '-') {
            size_t end = r->at + 2;
            if (end < r->size)
                end = long_end(r, end);
            if (end == r->at + 2)
                while (end < r->size && r->text[end] != '\n')
                    end++;
            r->at = end;
        } else {
            return;
        }
    }
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t quoted_end(const reader *r, size_t at)
{
    char quote = r->text[at];
    for (at++; at < r->size && r->text[at] != quote; at++)
        at += r->text[at] == '\\';
    return at < r->size ? at + 1 : r->size;
}

static bool is(const reader *r, const char *what)
{
    size_t n = r->t.end - r->t.from;
    return r->t.kind != STRING && strlen(what) == n &&
           memcmp(r->text + r->t.from, what, n) == 0;
}

static bool is_one_of(const reader *r, const char *const *list)
{
    while (*list && !is(r, *list))
        list++;
    return *list != NULL;
}

/* Tracks the nesting of blocks and brackets; the block of `for` and `while`
 * starts at `do`. */
static void nest(reader *r)
{
    static const char *const opens[] = {"(",  "[",  "{",      "function",
                                        "if", "do", "repeat", NULL};
    static const char *const closes[] = {")", "]", "}", "end", "until", NULL};
    if (is_one_of(r, opens)) {
        r->lost |= r->depth == 31;
        if (r->depth < 31)
            r->inside |= (unsigned)is(r, "function") << r->depth++;
    } else if (is_one_of(r, closes)) {
        r->lost |= r->depth == 0;
        r->depth -= r->depth > 0;
        r->inside &= (1u << r->depth) - 1;
    }
}

static void next(reader *r)
{
    skip_blanks(r);
    size_t at = r->at, end = at;
    kind what = END;
    if (at < r->size) {
        char c = r->text[at];
        what = STRING;
        end = c == '"' || c == '\'' ? quoted_end(r, at) : long_end(r, at);
        if (end == at && in_word(c)) {
            what = WORD;
            while (end < r->size && in_word(r->text[end]))
                end++;
        } else if (end == at) {
            what = MARK;
            end++;
        }
    }
    r->t = (token){what, at, end};
    r->at = end;
    if (what != STRING)
        nest(r);
}

static bool take(reader *r, const char *what)
{
    if (!is(r, what))
        return false;
    next(r);
    return true;
}

/* Copies the current string token to out[size]. Returns false if it has escapes
 * or is too long. */
static bool copy_string(const reader *r, char *out, size_t size)
{
    size_t end = r->t.end - 1, n = 0;
    const char *text = r->text;
    char quote = text[r->t.from];
    if (quote == '[' || text[end] != quote || end == r->t.from)
        return false;
    for (size_t i = r->t.from + 1; i < end; i++) {
        char c = text[i];
        if (c == '\n' || n + 1 >= size)
            return false;
        if (c == '\\') {
            c = text[++i];
            if (c == 'n')
                c = '\n';
            else if (c != '\\' && c != '"' && c != '\'')
                return false;
        }
        out[n++] = c;
    }
    out[n] = 0;
    return true;
}

/* Returns whether a scenario can name a kernel or target so. The kernel that is
 * chosen from the model is in no registry. */
static bool is_known(const char *name)
{
    return strcmp(name, "auto") == 0 || cs_kernel_find(name) ||
           cs_target_find(name);
}

/* Adds the current token (a string, or a word after a point) to h->names if the
 * token is the name of a kernel or target. */
static void add_name(const reader *r, cs_headline *h)
{
    char name[32];
    size_t from = r->t.from, n = r->t.end - from;
    if (r->t.kind == STRING && n > 2) {
        from++;
        n -= 2;
    } else if (r->t.kind != WORD || from == 0 || r->text[from - 1] != '.') {
        return;
    }
    if (n >= sizeof name)
        return;
    memcpy(name, r->text + from, n);
    name[n] = 0;
    if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789")])
        return;
    size_t used = strlen(h->names);
    if (is_known(name) && !strstr(h->names, name) &&
        used + n + 2 < sizeof h->names)
        snprintf(h->names + used, sizeof h->names - used, "%s%s",
                 used ? " " : "", name);
}

/* Reads `name = "..."` from the table, if `name` is the next token. */
static bool read_field(reader *r, const char *name, char *out, size_t size)
{
    if (!is(r, name))
        return true;
    next(r);
    if (!is(r, "="))
        return true;
    next(r);
    bool copied = !*out && r->t.kind == STRING && copy_string(r, out, size);
    next(r);
    return copied && (is(r, ",") || is(r, ";") || is(r, "}"));
}

/* Reads the scenario's table from its opening brace to its closing brace. */
static bool read_table(reader *r, cs_headline *h)
{
    unsigned depth = r->depth;
    bool good = is(r, "{"), begins = true;
    next(r);
    while (good && !r->lost && r->depth >= depth && r->t.kind != END) {
        if (r->depth == depth && begins)
            good = read_field(r, "title", h->title, sizeof h->title) &&
                   read_field(r, "shows", h->shows, sizeof h->shows) &&
                   read_field(r, "source", h->source, sizeof h->source) &&
                   read_field(r, "tags", h->tags, sizeof h->tags);
        add_name(r, h);
        begins = is(r, ",") || is(r, ";");
        if (!is(r, "}") || r->depth >= depth)
            next(r);
    }
    return good && take(r, "}");
}

/* Reads the tokens after `return`, up to the end of the file. */
static bool read_return(reader *r, cs_headline *h)
{
    bool call = take(r, "cs");
    if (call && !(take(r, ".") && take(r, "scenario")))
        return false;
    bool bracket = call && take(r, "(");
    if (!read_table(r, h) || (bracket && !take(r, ")")))
        return false;
    take(r, ";");
    return r->t.kind == END && r->depth == 0 && !r->lost;
}

bool cs_headline_read(const char *text, size_t size, cs_headline *out)
{
    assert(text && out);
    reader r = {.text = text, .size = size};
    *out = (cs_headline){0};
    for (next(&r); r.t.kind != END && !r.lost; next(&r)) {
        add_name(&r, out);
        if (!is(&r, "return") || r.inside)
            continue;
        if (r.depth > 0) /* the `return` is inside a block */
            return false;
        next(&r);
        return read_return(&r, out) && *out->title;
    }
    return false;
}
