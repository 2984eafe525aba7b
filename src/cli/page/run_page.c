#include "cli/page/run_page.h"

#include "base/markup.h"
#include "base/memory.h"
#include "cli/front/front.h"
#include "cli/front/link.h"
#include "cli/front/look_options.h"
#include "console/line.h"
#include "files/file.h"
#include "io/lesson.h"
#include "io/manifest.h"
#include "screen/canvas/canvas_export.h"
#include "screen/headless.h"
#include "screen/panels/sentence.h"
#include "screen/state/preferences.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 120, HEIGHT = 36, SCENARIO_MOST = 1 << 20, PANELS = 2048 };

/* The page that is written and the session that answers the queries. */
typedef struct page {
    cs_client *client;
    const cs_markup *html;
    cs_page *text;  /* [borrowed] */
    cs_seen *seen;  /* [borrowed] */
    size_t figures; /* number of figures so far */
    bool checks;    /* the run has predictive checks */
} page;

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<style>\n"
    ":root { --ink: #1c1c1c; --page: #fafafa; --rule: #ccc; --code: #f0f0f0; "
    "}\n"
    "@media screen and (prefers-color-scheme: dark) {\n"
    "  :root { --ink: #dadada; --page: #101014; --rule: #444; --code: #1c1c22; "
    "}\n  .light { display: none; }\n}\n"
    "@media screen and (prefers-color-scheme: light) { .dark { display: none; "
    "} }\n"
    "body { font: 16px/1.5 sans-serif; margin: 2em auto; max-width: 60em; "
    "padding: 0 1em; color: var(--ink); background: var(--page); }\n"
    "h1, p, figcaption { overflow-wrap: anywhere; }\n"
    ".shows { font-size: 1.2em; } .known { font-weight: bold; }\n"
    ".live { font-size: .9em; padding-bottom: .5em; "
    "border-bottom: 1px solid var(--rule); }\n"
    "figure { margin: 1.5em 0; } figure > div { overflow-x: auto; } "
    "figcaption { margin-top: .3em; }\n"
    "svg { width: 100%; height: auto; min-width: 42em; }\n"
    "svg rect { shape-rendering: crispEdges; }\n"
    "table { border-collapse: collapse; margin: 1em 0; display: block; "
    "overflow-x: auto; }\n"
    "th, td { padding: .15em .8em; border-bottom: 1px solid var(--rule); "
    "text-align: left; font-variant-numeric: tabular-nums; }\n"
    "pre { background: var(--code); padding: 1em; overflow-x: auto; }\n"
    "@media print { :root { --page: #fff; } "
    ".dark, .live { display: none; } "
    "svg { min-width: 0; max-height: 8cm; } "
    "table { display: table; font-size: .8em; } "
    "th, td { padding: .15em .4em; } "
    "pre { white-space: pre-wrap; } "
    "h1, h2 { break-after: avoid; } "
    "figure, tr { break-inside: avoid; } }\n"
    "</style>\n";

/* ---- answers of the session ---- */

static cs_status add_answer(page *p, const char *line, cs_error *err)
{
    char *text;
    cs_status status = cs_front_hear(p->client, line, &text, err);
    if (status == CS_OK)
        cs_page_put(p->text, "%s", text);
    free(text);
    return status;
}

/* ---- the command that reproduces the page ---- */

static void add_words(const cs_args *args, cs_page *out)
{
    cs_page_put(out, "chainscope report");
    for (size_t i = 0; i < args->n_given; i++)
        cs_page_put(out, " %s", args->given[i]);
    if (args->n_given == 0)
        cs_page_put(out, " %s", args->word[0]);
}

void cs_run_page_serve_command(const cs_args *args, cs_page *out)
{
    const char *groups = cs_args_value(args, "groups");
    add_words(args, out);
    if (groups)
        cs_page_put(out, " --groups %s", groups);
    cs_page_put(out, " -o report.html");
}

void cs_run_page_command(const cs_args *args, cs_page *out)
{
    add_words(args, out);
    for (size_t i = 0; i < args->n_set; i++)
        cs_page_put(out, " --set %s", args->set[i]);
    for (size_t i = 0; i < args->sub->n_options; i++) {
        const cs_option *o = &args->sub->options[i];
        if (args->value[i] && strcmp(o->name, "output") != 0)
            cs_page_put(out, o->arg ? " --%s %s" : " --%s", o->name,
                        args->value[i]);
    }
    cs_page_put(out, " -o %s", cs_args_value(args, "output"));
}

/* Adds the number of the run. For a folder of draws, reads it from the folder's
 * manifest. */
static void add_name(page *p, const cs_args *args)
{
    char text[64];
    cs_manifest m;
    if (cs_manifest_read(&m, args->word[0], NULL) == CS_OK) {
        snprintf(p->seen->run, sizeof p->seen->run, "%016llx",
                 (unsigned long long)m.run);
        cs_manifest_free(&m);
    }
    snprintf(text, sizeof text, "Run %s.", p->seen->run);
    if (*p->seen->run)
        cs_markup_paragraph(p->html, text, p->text);
}

/* Adds the assumptions under which files of other programs were read. */
static void add_notes(page *p, const char *notes)
{
    if (!notes || !*notes)
        return;
    cs_markup_paragraph(p->html, "How the files were read:", p->text);
    cs_markup_code(p->html, notes, p->text);
}

/* Adds the current text of the scenario, if the scenario is a text file. */
static void add_scenario(page *p, const char *path)
{
    unsigned char *text;
    size_t size;
    const char *dot = strrchr(path, '.');
    if (!dot || strcmp(dot, ".lua") != 0 ||
        cs_file_read(path, SCENARIO_MOST, &text, &size, NULL))
        return;
    cs_markup_paragraph(p->html, "The scenario:", p->text);
    cs_markup_code(p->html, (const char *)text, p->text);
    cs_free(text);
}

/* Adds the journal. A temporary folder in it is replaced by the files that the
 * user gave. */
static cs_status add_journal(page *p, const cs_args *args, cs_error *err)
{
    char *text;
    cs_page named = {0};
    const char *folder = args->word[0];
    cs_status status = cs_front_hear(p->client, "journal", &text, err);
    if (status)
        return status;
    const char *at = text, *found;
    while (args->n_given && (found = strstr(at, folder))) {
        cs_page_put(&named, "%.*s", (int)(found - at), at);
        for (size_t i = 0; i < args->n_given; i++)
            cs_page_put(&named, "%s%s", i ? " " : "", args->given[i]);
        at = found + strlen(folder);
    }
    cs_page_put(&named, "%s", at);
    cs_markup_code(p->html, named.text ? named.text : "", p->text);
    p->text->full |= named.full;
    cs_free(named.text);
    free(text);
    return status;
}

static cs_status add_past(page *p, const cs_args *args, const char *command,
                          cs_error *err)
{
    cs_markup_heading(p->html, "How to reproduce this page", p->text);
    cs_markup_code(p->html, command, p->text);
    add_name(p, args);
    add_notes(p, args->notes);
    cs_markup_heading(p->html, "Method", p->text);
    cs_markup_paragraph(p->html,
                        "The settings and the changes during the run, with "
                        "their steps:",
                        p->text);
    cs_status status = add_journal(p, args, err);
    add_scenario(p, args->word[0]);
    return status;
}

/* ---- sentences ---- */

/* Adds a paragraph. Names in backquotes are marked as code. */
static void add_prose(page *p, const char *kind, const char *text)
{
    cs_page_put(p->text, "<p%s>", kind);
    cs_markup_prose(p->html, text, p->text);
    cs_page_put(p->text, "</p>\n");
}

/* Adds the paragraphs of a lesson (io/lesson.h): a line per paragraph; an
 * indented line is an example. */
static void add_lesson(page *p, const char *lesson)
{
    char line[CS_LESSON_BYTES];
    for (const char *at = lesson; *at; at += *at == '\n') {
        size_t n = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, at);
        if (*line == ' ')
            cs_markup_code(p->html, line, p->text);
        else if (*line)
            add_prose(p, "", line);
        at += n;
    }
}

/* Adds the statement of the scenario, the sentences about the run, and the
 * lesson. */
static void add_lead(page *p, const cs_shot *s)
{
    const cs_row_look *look = cs_shot_look(s);
    const cs_selection at = {
        .arm = look ? cs_shot_whole(look->arm, CS_SHOT_ARMS) : 0,
        .pinned = CS_NO_PIN,
        .of = ""};
    cs_run_sentences known;
    cs_sentences_write(s, &at, &known);
    add_prose(p, " class=\"shows\"", cs_shot_text(s, "run/shows"));
    for (size_t i = 0; i < 2 && *known.text[i]; i++)
        add_prose(p, " class=\"known\"", known.text[i]);
    add_lesson(p, cs_shot_text(s, "run/lesson"));
}

/* ---- figures ---- */

static cs_status add_picture(page *p, const cs_canvas *picture,
                             const char *kind, cs_error *err)
{
    char *svg = NULL;
    size_t size;
    FILE *out = open_memstream(&svg, &size);
    bool good = out && cs_canvas_export(picture, CS_SVG, CS_TIER_TRUE, out);
    if (out && fclose(out) != 0)
        good = false;
    if (good)
        cs_page_put(p->text, "<div class=\"%s\">%s</div>\n", kind, svg);
    free(svg);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for a picture");
}

/* Adds the focused panel in the colours of a theme, and its title in
 * title[size]. */
static cs_status add_theme(page *p, cs_headless *h, const char *theme,
                           char *title, size_t size, cs_error *err)
{
    char keys[64];
    const cs_canvas *frame;
    cs_canvas panel = {0};
    snprintf(keys, sizeof keys, ":theme %s<enter>", theme);
    cs_status status = cs_headless_press(h, keys, err);
    if (status == CS_OK)
        status = cs_headless_frame(h, INFINITY, &frame, err);
    if (status == CS_OK)
        status = cs_headless_panel(h, &panel, title, size, err);
    if (status == CS_OK)
        status = add_picture(p, &panel, theme, err);
    cs_canvas_fini(&panel);
    return status;
}

/* Adds a figure of a panel (screen/panels/panel.h) for all arms. `more` is added
 * to its title; "": nothing. */
static cs_status add_figure(page *p, cs_headless *h, const char *panel,
                            const char *more, cs_error *err)
{
    char keys[200], title[128] = "";
    snprintf(keys, sizeof keys, ":layout %.150s<enter>z", panel);
    cs_status status = cs_headless_press(h, keys, err);
    cs_page_put(p->text, "<figure>\n");
    if (status == CS_OK)
        status = add_theme(p, h, "light", title, sizeof title, err);
    if (status == CS_OK)
        status = add_theme(p, h, "dark", title, sizeof title, err);
    cs_page_put(p->text, "<figcaption>Figure %zu: ", ++p->figures);
    cs_markup_text(p->html, title, p->text);
    cs_page_put(p->text, *more ? " " : "");
    cs_markup_text(p->html, more, p->text);
    cs_page_put(p->text, ".</figcaption></figure>\n");
    return status;
}

/* Adds one figure per panel of the scenario that is not text, except predictive
 * checks. */
static cs_status add_panels(page *p, cs_headless *h, cs_error *err)
{
    char panels[PANELS];
    /* figures compare all arms */
    cs_status status = cs_headless_press(h, "x", err);
    cs_headless_panels(h, panels, sizeof panels);
    for (char *rest = panels, *name;
         status == CS_OK && (name = strtok_r(rest, " ", &rest));) {
        const cs_panel_type *type = cs_panel_read(NULL, name).type;
        if (type && (type->text || strcmp(type->name, "predictive") == 0))
            continue;
        status = add_figure(p, h, name, "", err);
    }
    return status;
}

/* Adds the section on the predictive checks of the scenario: a figure per check
 * and the table of the statistics. */
static cs_status add_checks(page *p, cs_headless *h, cs_error *err)
{
    cs_status status = CS_OK;
    char panel[64];
    const char *name;
    for (size_t k = 0;
         status == CS_OK &&
         *(name = cs_shot_text(cs_headless_shot(h), "predictive/%zu/name", k));
         k++) {
        if (k == 0)
            cs_markup_heading(p->html, "Predictive checks", p->text);
        snprintf(panel, sizeof panel, "predictive=%.40s", name);
        status = add_figure(p, h, panel, strchr(panel, '=') + 1, err);
        p->checks = true;
    }
    return status;
}

/* Adds the table of the checks, and the leave-one-out densities. Draws that were
 * read from files may have these without checks. */
static cs_status add_predictive(page *p, cs_error *err)
{
    char *text;
    cs_status status =
        cs_front_hear(p->client, "lua run:predictive() or ''", &text, err);
    if (status == CS_OK && *text && !p->checks)
        cs_markup_heading(p->html, "Leave-one-out cross-validation", p->text);
    if (status == CS_OK && *text)
        cs_markup_code(p->html, text, p->text);
    free(text);
    return status;
}

/* Draws the panels of the scenario. If `whole` is true, writes the lead before
 * them and the predictive checks after them. */
static cs_status draw(page *p, const cs_args *args, bool whole, cs_error *err)
{
    static cs_look look;
    cs_headless *h = NULL;
    cs_app_link link = cs_link_to(p->client);
    cs_headless_spec spec = {.width = WIDTH,
                             .height = HEIGHT,
                             .tier = CS_TIER_TRUE,
                             .glyphs = CS_BRAILLE,
                             .preferences = &look.preferences};
    cs_status status = cs_look_read(args, &look, err);
    if (status)
        return status;
    cs_line_open(false);
    status = cs_headless_create(&h, &link, &cs_link_editor, &spec, err);
    if (status == CS_OK && whole)
        add_lead(p, cs_headless_shot(h));
    if (status == CS_OK)
        status = add_panels(p, h, err);
    if (status == CS_OK && whole)
        status = add_checks(p, h, err);
    if (status == CS_OK && whole)
        status = add_predictive(p, err);
    cs_headless_destroy(h);
    cs_line_close();
    return status;
}

cs_status cs_run_page_figures(cs_client *c, const cs_args *args, cs_page *out,
                              cs_error *err)
{
    page p = {.client = c, .html = cs_markup_find("html"), .text = out};
    return draw(&p, args, false, err);
}

/* ---- the page ---- */

void cs_run_page_head(const char *title, const char *more, cs_page *out)
{
    cs_page_put(out, "%s<title>", head);
    cs_markup_text(cs_markup_find("html"), title, out);
    cs_page_put(out, "</title>%s</head><body>\n", more);
}

cs_status cs_run_page_body(cs_client *c, const cs_args *args,
                           const char *command, cs_seen *seen, cs_page *out,
                           cs_error *err)
{
    assert(c && args->n_words > 0 && seen && out);
    page p = {c, cs_markup_find("html"), out, seen, 0, false};
    cs_follow_see(c, seen);
    cs_page_put(out, "<h1>");
    cs_markup_text(p.html, *seen->title ? seen->title : args->word[0], out);
    cs_page_put(out, "</h1>\n");
    cs_status status = draw(&p, args, true, err);
    if (status == CS_OK)
        status = add_answer(&p, "summary html", err);
    if (status == CS_OK)
        status = add_past(&p, args, command, err);
    if (status == CS_OK && out->full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the page");
    return status;
}
