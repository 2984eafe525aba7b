/* chainscope handout FILE: a sheet of a lesson or an exercise for paper, as
 * Markdown, HTML or SVG. The module gives the lines of a lesson, "KEY<tab>VALUE"
 * (lua/chainscope/lesson.lua); a table has the form of each key in each
 * format. */
#include "base/markup.h"
#include "base/memory.h"
#include "cli/course/lesson_walk.h"
#include "cli/course/readings.h"
#include "cli/front/front.h"
#include "cli/page/run_page.h"
#include "files/overwrite.h"
#include "files/replace.h"
#include "io/course_done.h"
#include "screen/canvas/canvas_export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, MARGIN = 2, LINE = 1 << 16 }; /* LINE: bytes of a value */

typedef enum form { MARKDOWN, HTML, SVG, FORMS } form;

static const struct {
    const char *ending;
    cs_output_kind kind;
} forms[FORMS] = {[MARKDOWN] = {".md", CS_OUTPUT_MARKDOWN},
                  [HTML] = {".html", CS_OUTPUT_PAGE},
                  [SVG] = {".svg", CS_OUTPUT_SVG}};

/* The text before and after the value of a key in Markdown and HTML; the words
 * before it, its column and its role in SVG. `verbatim`: the value has several
 * lines of code. */
typedef struct row {
    const char *key, *around[2][2], *head;
    int column;
    cs_role role;
    bool verbatim;
} row;

static const row rows[] = {
    {"title",
     {{"# ", "\n\n<!-- a hand-out of Chainscope -->\n\n"}, {"<h1>", "</h1>\n"}},
     "",
     0,
     CS_ROLE_KEY,
     false},
    {"say", {{"", "\n\n"}, {"<p>", "</p>\n"}}, "", 0, CS_ROLE_NORMAL, false},
    {"ask",
     {{"**Question.** ", "\n\n"}, {"<p><b>Question.</b> ", "</p>\n"}},
     "Question: ",
     0,
     CS_ROLE_KEY,
     false},
    {"choice",
     {{"- [ ] ", "\n"}, {"<p class=\"choice\">&#9744; ", "</p>\n"}},
     "[ ] ",
     2,
     CS_ROLE_NORMAL,
     false},
    {"arm",
     {{"- ", "\n"}, {"<p class=\"choice\">", "</p>\n"}},
     "- ",
     2,
     CS_ROLE_NORMAL,
     false},
    {"form",
     {{"\n", "\n\n"}, {"<p class=\"choice\">", "</p>\n"}},
     "",
     2,
     CS_ROLE_NORMAL,
     false},
    {"right",
     {{"\n**Right:** ", "\n\n"}, {"<p><b>Right:</b> ", "</p>\n"}},
     "Right: ",
     2,
     CS_ROLE_VALUE,
     false},
    {"truth",
     {{"\nMeasured: ", "\n\n"}, {"<p>Measured: ", "</p>\n"}},
     "Measured: ",
     2,
     CS_ROLE_VALUE,
     false},
    {"code", {{"", ""}, {"", ""}}, "", 0, CS_ROLE_NORMAL, true},
};

static const char style[] =
    "<style>.choice { margin: .2em 0 .2em 2em; } "
    ".space { border-bottom: 1px solid var(--rule); height: 2em; }</style>";

typedef struct sheet {
    form form;
    cs_page lines; /* "KEY<tab>VALUE" lines of the sheet */
    cs_page out;
} sheet;

/* ---- writing ------------------------------------------------------------- */

static const row *find_row(const char *key, size_t n)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].key) == n && strncmp(rows[i].key, key, n) == 0)
            return &rows[i];
    return NULL;
}

/* A line of a sheet. */
typedef struct entry {
    const char *key;
    size_t n; /* bytes of the key */
    char value[LINE];
} entry;

/* Reads the next line from *at on, and restores the line breaks of its value,
 * which are carriage returns. Returns false after the last line. */
static bool next_entry(const char **at, entry *e)
{
    if (!*at || !**at)
        return false;
    size_t n = strcspn(*at, "\n"), key = strcspn(*at, "\t\n");
    size_t skip = key + (key < n);
    e->key = *at;
    e->n = key;
    snprintf(e->value, sizeof e->value, "%.*s", (int)(n - skip), *at + skip);
    for (char *c = e->value; *c; c++)
        *c = *c == '\r' ? '\n' : *c;
    *at += n + ((*at)[n] == '\n');
    return true;
}

/* Fails if a value is too long for an entry. */
static cs_status check_values(const sheet *s, cs_error *err)
{
    for (const char *at = s->lines.text; at && *at;) {
        size_t n = strcspn(at, "\n");
        if (n >= LINE)
            return cs_fail(err, CS_INPUT,
                           "a text of the sheet has more than %d bytes",
                           LINE - 1);
        at += n + (at[n] == '\n');
    }
    return CS_OK;
}

/* Writes `value` lines for an answer. */
static void put_space(sheet *s, const char *value)
{
    for (int i = atoi(value); i > 0; i--)
        cs_page_put(&s->out, "%s",
                    s->form == HTML ? "<div class=\"space\"></div>\n"
                                    : "\n\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_"
                                      "\\_\\_\\_\\_\\_\\_\\_\\_\n\n");
}

static void put_marked(sheet *s, const entry *e)
{
    const cs_markup *m = cs_markup_find(s->form == HTML ? "html" : "markdown");
    const row *r = find_row(e->key, e->n);
    if (!r) {
        put_space(s, e->value);
    } else if (r->verbatim) {
        cs_markup_code(m, e->value, &s->out);
    } else {
        cs_page_put(&s->out, "%s", r->around[s->form][0]);
        cs_markup_prose(m, e->value, &s->out);
        cs_page_put(&s->out, "%s", r->around[s->form][1]);
    }
}

/* Prints an entry on the lines from y on, and returns the line after it, with an
 * empty line before a sentence. */
static int print_entry(const cs_area *a, int y, const entry *e)
{
    char text[LINE + 32], line[COLUMNS + 1];
    const row *r = find_row(e->key, e->n);
    if (!r) {
        memset(line, '_', sizeof line);
        snprintf(text, sizeof text, "%.*s", COLUMNS / 2, line);
        for (int i = atoi(e->value); i > 0; i--, y += 2)
            cs_print(a, MARGIN + 2, y + 1, CS_ROLE_LABEL, "%s", text);
        return y;
    }
    y += r->column == 0;
    snprintf(text, sizeof text, "%s%s", r->head, e->value);
    for (char *at = text, *end; at && *at; at = end ? end + 1 : NULL) {
        end = strchr(at, '\n');
        if (end)
            *end = 0;
        cs_area part = cs_area_part(a, MARGIN + r->column, y,
                                    COLUMNS - MARGIN - r->column, a->h - y);
        y += *at ? cs_print_wrapped(&part, 0, 0, r->role, at) : 1;
    }
    return y;
}

/* Prints all entries. Returns the number of lines of the canvas. */
static int print_lines(const sheet *s, cs_canvas *c)
{
    entry e;
    cs_area a = cs_canvas_area(c);
    int y = 0;
    for (const char *at = s->lines.text; next_entry(&at, &e);)
        y = print_entry(&a, y, &e);
    return y + 1;
}

static cs_status write_svg(sheet *s, cs_error *err)
{
    cs_canvas c = {0};
    char *text = NULL;
    size_t size = 0;
    cs_status status =
        cs_canvas_init(&c, COLUMNS + MARGIN, CS_CANVAS_MAX, CS_BRAILLE, err);
    int lines = status == CS_OK ? print_lines(s, &c) : 0;
    if (status == CS_OK && lines > CS_CANVAS_MAX) {
        status = cs_fail(err, CS_INPUT, "the sheet has more than %d lines",
                         CS_CANVAS_MAX);
        cs_hint(err, "write a .md or .html file");
    }
    if (status == CS_OK)
        status = cs_canvas_resize(&c, COLUMNS + MARGIN, lines, err);
    if (status == CS_OK) {
        c.theme = cs_theme_find("light");
        print_lines(s, &c);
        FILE *out = open_memstream(&text, &size);
        bool good = out && cs_canvas_export(&c, CS_SVG, CS_TIER_TRUE, out);
        if (out && fclose(out) != 0)
            good = false;
        if (!good)
            status = cs_fail(err, CS_MEMORY, "out of memory for the sheet");
        else
            cs_page_put(&s->out, "%s", text);
    }
    free(text);
    cs_canvas_fini(&c);
    return status;
}

static void write_marked(sheet *s)
{
    entry e;
    for (const char *at = s->lines.text; next_entry(&at, &e);) {
        if (s->form == HTML && find_row(e.key, e.n) == &rows[0]) /* the title */
            cs_run_page_head(e.value, style, &s->out);
        put_marked(s, &e);
    }
}

/* ---- reading ------------------------------------------------------------- */

/* Asks for a part of an exercise, and adds it as lines with this key. */
static cs_status add_part(sheet *s, cs_client *c, const char *part,
                          const char *path, const char *key, cs_error *err)
{
    char line[1400], *text = NULL;
    snprintf(line, sizeof line, "exercise %s", part);
    if (!cs_front_add(line, sizeof line, path))
        return cs_fail(err, CS_INPUT, "the name of the file is too long");
    cs_status status = cs_front_hear(c, line, &text, err);
    for (char *at = text; status == CS_OK && *at; at++)
        if (*at == '\n')
            *at = at[1] ? '\r' : 0;
    if (status == CS_OK)
        cs_page_put(&s->lines, "%s\t%s\n", key, text);
    free(text);
    return status;
}

static cs_status read_lesson(sheet *s, cs_client *c, const cs_args *args,
                             cs_page *figures, cs_error *err)
{
    char *text = NULL;
    bool solutions = cs_args_value(args, "solutions");
    cs_status status = solutions ? cs_lesson_walk(c, err) : CS_OK;
    if (status == CS_OK)
        status = cs_front_hear(c, "results course sheet", &text, err);
    if (status == CS_OK)
        cs_page_put(&s->lines, "%s\n", text);
    free(text);
    if (status == CS_OK && solutions && s->form == HTML)
        status = cs_front_ask(c, "pictures 1000", NULL, err);
    if (status == CS_OK && solutions && s->form == HTML)
        status = cs_run_page_figures(c, args, figures, err);
    return status;
}

static cs_status read_exercise(sheet *s, cs_client *c, const cs_args *args,
                               cs_error *err)
{
    char name[CS_COURSE_NAME], sha256[CS_SHA256_HEX];
    const char *path = args->word[0];
    bool solutions = cs_args_value(args, "solutions");
    cs_course_name(path, name, sizeof name);
    cs_page_put(&s->lines, "title\tExercise %s\n", name);
    cs_status status = add_part(s, c, "text", path, "say", err);
    if (status) {
        cs_hint(err, "a hand-out needs a scenario with the field course or "
                     "exercise");
        return status;
    }
    status =
        add_part(s, c, solutions ? "solution" : "skeleton", path, "code", err);
    if (status == CS_OK && solutions)
        status = cs_reading_digest(path, sha256, err);
    return status == CS_OK && solutions
               ? cs_reading_add(sha256, name, "solution", err)
               : status;
}

static cs_status read_sheet(sheet *s, const cs_args *args, cs_page *figures,
                            cs_error *err)
{
    char step[32];
    cs_client *c;
    cs_front_options options = {0};
    cs_status status = cs_front_read(args, &options, err);
    if (status == CS_OK)
        status = cs_front_create(&c, &options, err);
    if (status)
        return status;
    status = cs_front_open(c, args, NULL, err);
    if (status == CS_OK)
        status = *cs_lesson_value(c, "step", step, sizeof step)
                     ? read_lesson(s, c, args, figures, err)
                     : read_exercise(s, c, args, err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status;
}

/* ---- the command --------------------------------------------------------- */

/* Finds the format by the ending of the output file. */
static cs_status choose_form(const cs_args *args, form *out, cs_error *err)
{
    const char *path = cs_args_value(args, "output");
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (*out = 0; *out < FORMS; ++*out)
        if (dot && strcmp(dot, forms[*out].ending) == 0)
            return cs_output_allow(path, forms[*out].kind, args->word,
                                   args->n_words, err);
    if (path)
        cs_fail(err, CS_INPUT, "'%s' has no known ending", path);
    else
        cs_fail(err, CS_INPUT, "no output file");
    cs_hint(err, "add -o with the name of a .md, .html or .svg file");
    return CS_INPUT;
}

static int handout(const cs_args *args)
{
    cs_error err;
    sheet s = {0};
    cs_page figures = {0};
    cs_status status = choose_form(args, &s.form, &err);
    if (status == CS_OK)
        status = read_sheet(&s, args, &figures, &err);
    if (status == CS_OK)
        status = check_values(&s, &err);
    if (status == CS_OK && s.form == SVG)
        status = write_svg(&s, &err);
    else if (status == CS_OK)
        write_marked(&s);
    if (status == CS_OK && s.form == HTML)
        cs_page_put(&s.out, "%s" CS_RUN_PAGE_END,
                    figures.text ? figures.text : "");
    if (status == CS_OK && (s.lines.full || s.out.full || figures.full))
        status = cs_fail(&err, CS_MEMORY, "out of memory for the sheet");
    if (status == CS_OK)
        status = cs_file_replace(cs_args_value(args, "output"), s.out.text,
                                 s.out.used, &err);
    cs_free(s.lines.text);
    cs_free(s.out.text);
    cs_free(figures.text);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"output", "FILE", "(-o) the sheet: a .md, .html or .svg file"},
    {"solutions", NULL,
     "add the right answers, measured by the lesson's run, or the solution of "
     "the exercise, which is recorded as read"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_handout = {
    .name = "handout",
    .args = "FILE -o SHEET",
    .help = "write a lesson or an exercise as a sheet for paper",
    .more = "FILE is a scenario with the field course or exercise. The sheet "
            "has the\nsentences and the questions, with space for the answers. "
            "Sentences that state a\nresult are only in the sheet with "
            "--solutions; as HTML, this also has the\npanels of the lesson at "
            "its end.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = handout,
};
