#include "data/parts.h"

#include "base/hash.h"
#include "base/text.h"
#include "files/open.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 64, NAME = 160, VALUE = 240, PIECE = 1 << 16 };

void cs_parts_spell(double x, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            return;
    }
}

/* Writes a string on one line. A string that is too long is cut. In this case a
 * digest follows, so that the line still identifies the whole string. */
void cs_parts_text(cs_page *p, const char *name, const char *text)
{
    char clean[VALUE];
    size_t n = strlen(text);
    cs_text_clean(text, clean, sizeof clean);
    cs_page_put(p, "%s = %s", name, clean);
    if (n >= VALUE / 4 || strcmp(clean, text) != 0)
        cs_page_put(p, " (%016llx)",
                    (unsigned long long)cs_digest(CS_DIGEST, text, n));
    cs_page_put(p, "\n");
}

void cs_parts_number(cs_page *p, const char *name, double x)
{
    char text[40];
    cs_parts_spell(x, text, sizeof text);
    cs_page_put(p, "%s = %s\n", name, text);
}

void cs_parts_digest(cs_page *p, const char *name, const char *kind,
                     uint64_t digest)
{
    cs_page_put(p, "%s = %s %016llx\n", name, kind, (unsigned long long)digest);
}

void cs_parts_numbers(cs_page *p, const char *name, const double *x,
                      size_t rows, size_t cols)
{
    assert(x || rows * cols == 0);
    char one[NAME];
    size_t n = rows * cols;
    if (cols == 1)
        cs_page_put(p, "%s.length = %zu\n", name, rows);
    else
        cs_page_put(p, "%s.size = %zu x %zu\n", name, rows, cols);
    for (size_t i = 0; i < n && i < LISTED; i++) {
        if (cols == 1)
            snprintf(one, sizeof one, "%s.%zu", name, i + 1);
        else
            snprintf(one, sizeof one, "%s.%zu.%zu", name, i / cols + 1,
                     i % cols + 1);
        cs_parts_number(p, one, x[i]);
    }
    if (n <= LISTED)
        return;
    snprintf(one, sizeof one, "%s.rest", name);
    cs_parts_digest(p, one, "digest",
                    cs_digest(CS_DIGEST, x + LISTED, (n - LISTED) * sizeof *x));
}

void cs_parts_file(cs_page *p, const char *name, const char *path)
{
    char piece[PIECE];
    uint64_t h = CS_DIGEST;
    FILE *f = cs_open_stream(path);
    if (!f) {
        cs_parts_text(p, name, path);
        return;
    }
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        h = cs_digest(h, piece, n);
    fclose(f);
    cs_parts_digest(p, name, "a file of digest", h);
}

void cs_parts_value(cs_page *p, const cs_param *row, const cs_value *v)
{
    if (row->kind == CS_PARAM_ARRAY) {
        if (v->given)
            cs_parts_numbers(p, row->name, v->array, v->rows, v->cols);
    } else if (row->kind == CS_PARAM_TEXT) {
        if (v->given && (row->flags & CS_PARAM_PATH))
            cs_parts_file(p, row->name, v->text);
        else if (v->given)
            cs_parts_text(p, row->name, v->text);
    } else if (row->kind == CS_PARAM_CHOICE) {
        cs_parts_text(p, row->name, row->choices[(size_t)v->number]);
    } else {
        cs_parts_number(p, row->name, v->number);
    }
}

void cs_parts_of(cs_page *p, const char *where, const char *text)
{
    while (text && *text) {
        size_t n = strcspn(text, "\n");
        cs_page_put(p, "%s: %.*s\n", where, (int)n, text);
        text += n + (text[n] == '\n');
    }
}

/* ---- differences --------------------------------------------------------- */

typedef struct line {
    const char *name, *value; /* `value` is NULL if no line has this name */
    int name_size, value_size;
} line;

static line cut(const char *at)
{
    int n = (int)strcspn(at, "\n");
    const char *equals = strstr(at, " = ");
    if (!equals || equals - at > n)
        return (line){at, at + n, n, 0};
    return (line){at, equals + 3, (int)(equals - at),
                  n - (int)(equals + 3 - at)};
}

static bool same_name(line a, line b)
{
    return a.name_size == b.name_size &&
           memcmp(a.name, b.name, (size_t)a.name_size) == 0;
}

static bool same_value(line a, line b)
{
    return a.value_size == b.value_size &&
           memcmp(a.value, b.value, (size_t)a.value_size) == 0;
}

static const char *next(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

static line find(const char *text, line what)
{
    for (; *text; text = next(text))
        if (same_name(cut(text), what))
            return cut(text);
    return (line){.value = NULL};
}

bool cs_parts_differ(const char *was, const char *is, char *text, size_t size)
{
    line old = {.value = NULL}, new = {.value = NULL};
    while (*was && *is && same_name(cut(was), cut(is)) &&
           same_value(cut(was), cut(is))) {
        was = next(was);
        is = next(is);
    }
    if (!*was && !*is)
        return false;
    if (*was) {
        old = cut(was);
        new = find(is, old);
    }
    if (!old.value || (new.value &&same_value(old, new))) {
        new = cut(is); /* the line was inserted */
        old = (line){.value = NULL};
    }
    const line named = old.value ? old : new;
    snprintf(
        text, size, "%.*s was %.*s, is %.*s", named.name_size, named.name,
        old.value ? old.value_size : 9, old.value ? old.value : "not given",
        new.value ? new.value_size : 9, new.value ? new.value : "not given");
    return true;
}
