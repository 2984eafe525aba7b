#include "warn/warnings.h"

#include "base/memory.h"
#include "io/lesson.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    bool strict;
} severities[] = {
    [CS_SEVERITY_NONE] = {"none", false},
    [CS_SEVERITY_NOTE] = {"note", false},
    [CS_SEVERITY_WARNING] = {"warning", true},
    [CS_SEVERITY_WRONG] = {"wrong", true},
};

const char *cs_severity_name(cs_severity s)
{
    return severities[s].name;
}

bool cs_severity_is_strict(cs_severity s)
{
    return severities[s].strict;
}

void cs_warnings_free(cs_warnings *w)
{
    for (size_t i = 0; i < CS_WARNING_KINDS; i++)
        cs_free(w->text[i]);
    *w = (cs_warnings){0};
}

/* Stores the text of a page as the text of kind i. If this kind of warning was
 * not found, frees the page only. */
static void take(cs_warnings *w, size_t i, bool found, cs_page *p)
{
    w->full |= p->full;
    if (!found || !p->text) {
        cs_free(p->text);
        return;
    }
    cs_free(w->text[i]);
    w->text[i] = p->text;
}

void cs_warnings_find(cs_warnings *w, const cs_warn_facts *f)
{
    const cs_warning *k;
    for (size_t i = 0; (k = cs_warning_at(i)); i++) {
        cs_page p = {0};
        if (k->find)
            take(w, i, k->find(f, &p), &p);
    }
}

void cs_warnings_find_draws(cs_warnings *w, const cs_warn_draws *d)
{
    const cs_warning *k;
    for (size_t i = 0; (k = cs_warning_at(i)); i++) {
        cs_page p = {0};
        if (k->draws)
            take(w, i, k->draws(d, &p), &p);
    }
}

/* ---- as text ------------------------------------------------------------- */

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

void cs_warnings_put(const cs_warnings *w, cs_page *lines, cs_page *names)
{
    const cs_warning *k;
    const char *blank = "";
    for (size_t i = 0; (k = cs_warning_at(i)); i++) {
        if (!w->text[i])
            continue;
        cs_page_put(lines, "%s", w->text[i]);
        for (size_t n = count_lines(w->text[i]); names && n > 0; n--) {
            cs_page_put(names, "%s%s", blank, k->name);
            blank = " ";
        }
    }
}

void cs_warnings_put_facts(const cs_warnings *w, cs_page *lines)
{
    const cs_warning *k;
    for (size_t i = 0; (k = cs_warning_at(i)); i++)
        if (w->text[i] && k->find)
            cs_page_put(lines, "%s", w->text[i]);
}

/* Returns the kind whose name is the first n bytes of `name`; CS_WARNING_KINDS
 * if there is no such kind. */
static size_t kind_of(const char *name, size_t n)
{
    const cs_warning *k;
    for (size_t i = 0; (k = cs_warning_at(i)); i++)
        if (strlen(k->name) == n && memcmp(k->name, name, n) == 0)
            return i;
    return CS_WARNING_KINDS;
}

void cs_warnings_find_kind(cs_warnings *w, const char *name,
                           const cs_warn_facts *f)
{
    cs_page p = {0};
    size_t i = kind_of(name, strlen(name));
    assert(i < CS_WARNING_KINDS && cs_warning_at(i)->find);
    take(w, i, cs_warning_at(i)->find(f, &p), &p);
}

/* Appends a line to the text of kind i. */
static void append(cs_warnings *w, size_t i, const char *line, size_t n)
{
    cs_page p = {0};
    cs_page_put(&p, "%s%.*s\n", w->text[i] ? w->text[i] : "", (int)n, line);
    take(w, i, true, &p);
}

void cs_warnings_read(cs_warnings *w, const char *lines, const char *names)
{
    while (*lines && *names) {
        size_t n = strcspn(lines, "\n"), m = strcspn(names, " ");
        size_t i = kind_of(names, m);
        if (i < CS_WARNING_KINDS)
            append(w, i, lines, n);
        lines += n + (lines[n] == '\n');
        names += m + (names[m] == ' ');
    }
}

/* ---- causes and effects -------------------------------------------------- */

/* Removes the kinds in a space-separated list of names. */
static void hide(cs_warnings *w, const char *names)
{
    while (names && *names) {
        size_t n = strcspn(names, " "), i = kind_of(names, n);
        assert(i < CS_WARNING_KINDS);
        cs_free(w->text[i]);
        w->text[i] = NULL;
        names += n + (names[n] == ' ');
    }
}

/* Removes `remedy` from the text, if present. */
static void cut(char *text, const char *remedy)
{
    char *at = strstr(text, remedy);
    if (at)
        memmove(at, at + strlen(remedy), strlen(at + strlen(remedy)) + 1);
}

void cs_warnings_settle(cs_warnings *w)
{
    const cs_warning *k;
    bool explained = false;
    for (size_t i = 0; (k = cs_warning_at(i)); i++)
        if (w->text[i])
            hide(w, k->hides);
    for (size_t i = 0; (k = cs_warning_at(i)); i++) {
        if (w->text[i] && explained && k->remedy)
            cut(w->text[i], k->remedy);
        explained |= w->text[i] && k->explains;
    }
}

cs_severity cs_warnings_worst(const cs_warnings *w)
{
    const cs_warning *k;
    cs_severity worst = CS_SEVERITY_NONE;
    for (size_t i = 0; (k = cs_warning_at(i)); i++)
        if (w->text[i] && k->severity > worst)
            worst = k->severity;
    return worst;
}

const char *cs_warnings_text(const cs_warnings *w, const char *name)
{
    size_t i = kind_of(name, strlen(name));
    return i < CS_WARNING_KINDS ? w->text[i] : NULL;
}

bool cs_warnings_has(const cs_warnings *w, const char *name)
{
    return cs_warnings_text(w, name);
}

const char *cs_warnings_lesson(const cs_warnings *w, const char *open)
{
    const cs_warning *k;
    for (size_t i = 0; (k = cs_warning_at(i)); i++)
        if (w->text[i] && k->lesson && !cs_lesson_is_file(k->lesson, open))
            return k->lesson;
    return "";
}

void cs_warnings_json(const cs_warnings *w, cs_page *p)
{
    const cs_warning *k;
    const char *comma = "";
    cs_page_put(p, "[");
    for (size_t i = 0; (k = cs_warning_at(i)); i++) {
        if (!w->text[i])
            continue;
        cs_page line = {0};
        cs_page_put(&line, "%.*s", (int)strlen(w->text[i]) - 1, w->text[i]);
        cs_page_put(p, "%s{\"name\": \"%s\", \"severity\": \"%s\", \"text\": ",
                    comma, k->name, cs_severity_name(k->severity));
        cs_page_quoted(p, line.text ? line.text : "");
        cs_page_put(p, "}");
        cs_free(line.text);
        comma = ", ";
    }
    cs_page_put(p, "]");
}
