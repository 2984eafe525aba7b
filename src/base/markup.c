#include "base/markup.h"

#include <string.h>

typedef struct escape {
    char c;
    const char *as;
} escape;

struct cs_markup {
    const char *name;
    const char *heading[2], *paragraph[2], *code[2], *inline_code[2];
    bool code_is_escaped;        /* also inline code */
    const char *table[2], *body; /* table: text before and text after a table;
                                  * body: text between the head and the rows */
    const char *words, *numbers; /* words: specification of a column of words;
                                  * numbers: specification of a column of
                                  * numbers */
    const char *columns; /* text after the specifications; the head follows it.
                          * NULL: the specifications are a row after the head */
    const char *row[2], *head[2], *cell[2], *between;
    const escape *escapes; /* an entry with c == 0 ends the array */
};

static const escape of_markdown[] = {
    {'|', "\\|"},   {'*', "\\*"}, {'_', "\\_"}, {'<', "\\<"}, {'`', "\\`"},
    {'\\', "\\\\"}, {'[', "\\["}, {']', "\\]"}, {'!', "\\!"}, {'>', "\\>"},
    {'&', "\\&"},   {'\n', " "},  {0, NULL}};
static const escape of_latex[] = {{'&', "\\&"},
                                  {'%', "\\%"},
                                  {'$', "\\$"},
                                  {'#', "\\#"},
                                  {'_', "\\_"},
                                  {'{', "\\{"},
                                  {'}', "\\}"},
                                  {'<', "$<$"},
                                  {'>', "$>$"},
                                  {'|', "$|$"},
                                  {'~', "\\textasciitilde{}"},
                                  {'^', "\\textasciicircum{}"},
                                  {'\\', "\\textbackslash{}"},
                                  {'\n', " "},
                                  {0, NULL}};
static const escape of_html[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {0, NULL}};

static const cs_markup markups[] = {
    {.name = "markdown",
     .heading = {"## ", "\n\n"},
     .paragraph = {"", "\n\n"},
     .code = {"```\n", "\n```\n\n"},
     .inline_code = {"`", "`"},
     .table = {"", "\n"},
     .body = "",
     .words = " --- |",
     .numbers = " ---: |",
     .row = {"|", "\n"},
     .head = {" ", " |"},
     .cell = {" ", " |"},
     .between = "",
     .escapes = of_markdown},
    {.name = "latex",
     .heading = {"\\subsection*{", "}\n"},
     .paragraph = {"", "\n\n"},
     .code = {"\\begin{verbatim}\n", "\n\\end{verbatim}\n\n"},
     .inline_code = {"\\verb`", "`"},
     .table = {"\\begin{tabular}{", "\\hline\n\\end{tabular}\n\n"},
     .body = "\\hline\n",
     .words = "l",
     .numbers = "r",
     .columns = "}\n\\hline\n",
     .row = {"", " \\\\\n"},
     .head = {"", ""},
     .cell = {"", ""},
     .between = " & ",
     .escapes = of_latex},
    {.name = "html",
     .heading = {"<h2>", "</h2>\n"},
     .paragraph = {"<p>", "</p>\n"},
     .code = {"<pre>", "</pre>\n"},
     .inline_code = {"<code>", "</code>"},
     .code_is_escaped = true,
     .table = {"<table>\n<colgroup>", "</tbody></table>\n"},
     .body = "</thead><tbody>\n",
     .words = "<col class=\"words\">",
     .numbers = "<col>",
     .columns = "</colgroup><thead>\n",
     .row = {"<tr>", "</tr>\n"},
     .head = {"<th>", "</th>"},
     .cell = {"<td>", "</td>"},
     .between = "",
     .escapes = of_html},
};

const cs_markup *cs_markup_find(const char *name)
{
    for (size_t i = 0; i < sizeof markups / sizeof *markups; i++)
        if (strcmp(markups[i].name, name) == 0)
            return &markups[i];
    return NULL;
}

static void put_escaped(const cs_markup *m, const char *text, size_t n,
                        cs_page *p)
{
    for (size_t i = 0; i < n; i++) {
        const escape *e = m->escapes;
        while (e->c && e->c != text[i])
            e++;
        if (e->c)
            cs_page_put(p, "%s", e->as);
        else
            cs_page_put(p, "%c", text[i]);
    }
}

void cs_markup_text(const cs_markup *m, const char *text, cs_page *p)
{
    put_escaped(m, text, strlen(text), p);
}

static void put_code(const cs_markup *m, const char *text, size_t n, cs_page *p)
{
    cs_page_put(p, "%s", m->inline_code[0]);
    if (m->code_is_escaped)
        put_escaped(m, text, n, p);
    else
        cs_page_put(p, "%.*s", (int)n, text);
    cs_page_put(p, "%s", m->inline_code[1]);
}

void cs_markup_prose(const cs_markup *m, const char *text, cs_page *p)
{
    for (;;) {
        size_t n = strcspn(text, "`");
        put_escaped(m, text, n, p);
        text += n;
        size_t name = *text ? strcspn(text + 1, "`") : 0;
        if (!name || !text[1 + name]) /* the backquotes do not enclose a name */
            break;
        put_code(m, text + 1, name, p);
        text += name + 2;
    }
    put_escaped(m, text, strlen(text), p);
}

static void put_between(const cs_markup *m, const char *const around[2],
                        const char *text, cs_page *p)
{
    cs_page_put(p, "%s", around[0]);
    cs_markup_text(m, text, p);
    cs_page_put(p, "%s", around[1]);
}

void cs_markup_heading(const cs_markup *m, const char *text, cs_page *p)
{
    put_between(m, m->heading, text, p);
}

void cs_markup_paragraph(const cs_markup *m, const char *text, cs_page *p)
{
    put_between(m, m->paragraph, text, p);
}

void cs_markup_code(const cs_markup *m, const char *text, cs_page *p)
{
    if (m->code_is_escaped)
        put_between(m, m->code, text, p);
    else
        cs_page_put(p, "%s%s%s", m->code[0], text, m->code[1]);
}

static void put_row(const cs_markup *m, const char *const around[2],
                    const char *const *cell, size_t n, cs_page *p)
{
    cs_page_put(p, "%s", m->row[0]);
    for (size_t i = 0; i < n; i++) {
        cs_page_put(p, "%s", i ? m->between : "");
        put_between(m, around, cell[i], p);
    }
    cs_page_put(p, "%s", m->row[1]);
}

static void put_columns(const cs_markup *m, const bool *right, size_t n,
                        cs_page *p)
{
    for (size_t i = 0; i < n; i++)
        cs_page_put(p, "%s", right[i] ? m->numbers : m->words);
}

void cs_markup_table(const cs_markup *m, const char *const *head,
                     const bool *right, size_t n, cs_page *p)
{
    cs_page_put(p, "%s", m->table[0]);
    if (m->columns) {
        put_columns(m, right, n, p);
        cs_page_put(p, "%s", m->columns);
    }
    put_row(m, m->head, head, n, p);
    if (!m->columns) {
        cs_page_put(p, "%s", m->row[0]);
        put_columns(m, right, n, p);
        cs_page_put(p, "%s", m->row[1]);
    }
    cs_page_put(p, "%s", m->body);
}

void cs_markup_row(const cs_markup *m, const char *const *cell, size_t n,
                   cs_page *p)
{
    put_row(m, m->cell, cell, n, p);
}

void cs_markup_end(const cs_markup *m, cs_page *p)
{
    cs_page_put(p, "%s", m->table[1]);
}

void cs_markup_page(cs_page *p, const char *title)
{
    cs_page_put(p, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
                   "charset=\"utf-8\"><title>");
    cs_markup_text(cs_markup_find("html"), title, p);
    cs_page_put(
        p, "</title>\n<style>body { font: 16px/1.5 sans-serif; margin: 2em "
           "auto; max-width: 78em; } svg { max-width: 100%%; height: auto; "
           "} th, td { padding: .15em .8em; border-bottom: 1px solid #ccc; "
           "text-align: left; }</style></head><body>\n");
}
