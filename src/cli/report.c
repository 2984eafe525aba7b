/* chainscope report FILE -o FILE.html: writes one HTML page for a reader: the
 * scenario's statement, sentences about the run, the lesson, a figure per panel
 * in light and dark colours, the tables and claims, the journal as a section on
 * the method, and the command that reproduces the page. The page loads nothing
 * from other files or sites. */
#include "base/markup.h"
#include "base/memory.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/front/link.h"
#include "cli/front/look_options.h"
#include "cli/line/draw_words.h"
#include "cli/line/stop.h"
#include "cli/line/subcommand.h"
#include "console/line.h"
#include "files/file.h"
#include "files/overwrite.h"
#include "files/replace.h"
#include "io/lesson.h"
#include "io/manifest.h"
#include "screen/canvas/canvas_export.h"
#include "screen/headless.h"
#include "screen/panels/sentence.h"
#include "screen/state/preferences.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 120, HEIGHT = 36, SCENARIO_MOST = 1 << 20, PANELS = 2048 };

/* The page that is written and the session that answers the queries. */
typedef struct page {
    cs_client *client;
    const cs_markup *html;
    cs_page text;
    cs_seen seen;
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
    "} "
    "}\n"
    "@media print { .dark { display: none; } figure, tr { break-inside: avoid; "
    "} "
    "}\n"
    "body { font: 16px/1.5 sans-serif; margin: 2em auto; max-width: 60em; "
    "padding: 0 1em; color: var(--ink); background: var(--page); }\n"
    ".shows { font-size: 1.2em; } .known { font-weight: bold; }\n"
    "figure { margin: 1.5em 0; } figcaption { margin-top: .3em; }\n"
    "svg { width: 100%; height: auto; }\n"
    "table { border-collapse: collapse; margin: 1em 0; display: block; "
    "overflow-x: auto; }\n"
    "th, td { padding: .15em .8em; border-bottom: 1px solid var(--rule); "
    "text-align: left; font-variant-numeric: tabular-nums; }\n"
    "pre { background: var(--code); padding: 1em; overflow-x: auto; }\n"
    "</style>\n";

/* ---- answers of the session ---- */

static cs_status add_answer(page *p, const char *line, bool is_html,
                            cs_error *err)
{
    char *text;
    cs_status status = cs_front_hear(p->client, line, &text, err);
    if (status == CS_OK && is_html)
        cs_page_put(&p->text, "%s", text);
    else if (status == CS_OK)
        cs_markup_code(p->html, text, &p->text);
    free(text);
    return status;
}

/* ---- the command that reproduces the page ---- */

static void add_command(page *p, const cs_args *args)
{
    cs_page line = {0};
    cs_page_put(&line, "chainscope report");
    for (size_t i = 0; i < args->n_given; i++)
        cs_page_put(&line, " %s", args->given[i]);
    if (args->n_given == 0)
        cs_page_put(&line, " %s", args->word[0]);
    for (size_t i = 0; i < args->n_set; i++)
        cs_page_put(&line, " --set %s", args->set[i]);
    for (size_t i = 0; i < args->sub->n_options; i++) {
        const cs_option *o = &args->sub->options[i];
        if (args->value[i] && strcmp(o->name, "output") != 0)
            cs_page_put(&line, o->arg ? " --%s %s" : " --%s", o->name,
                        args->value[i]);
    }
    cs_page_put(&line, " -o %s", cs_args_value(args, "output"));
    cs_markup_heading(p->html, "How to reproduce this page", &p->text);
    cs_markup_code(p->html, line.text ? line.text : "", &p->text);
    p->text.full |= line.full;
    cs_free(line.text);
}

/* Adds the number of the run. For a folder of draws, reads it from the folder's
 * manifest. */
static void add_name(page *p, const cs_args *args)
{
    char text[64];
    cs_manifest m;
    if (cs_manifest_read(&m, args->word[0], NULL) == CS_OK) {
        snprintf(p->seen.run, sizeof p->seen.run, "%016llx",
                 (unsigned long long)m.run);
        cs_manifest_free(&m);
    }
    snprintf(text, sizeof text, "Run %s.", p->seen.run);
    if (*p->seen.run)
        cs_markup_paragraph(p->html, text, &p->text);
}

/* Adds the assumptions under which files of other programs were read. */
static void add_notes(page *p, const char *notes)
{
    if (!notes || !*notes)
        return;
    cs_markup_paragraph(p->html, "How the files were read:", &p->text);
    cs_markup_code(p->html, notes, &p->text);
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
    cs_markup_paragraph(p->html, "The scenario:", &p->text);
    cs_markup_code(p->html, (const char *)text, &p->text);
    cs_free(text);
}

static cs_status add_past(page *p, const cs_args *args, cs_error *err)
{
    add_command(p, args);
    add_name(p, args);
    add_notes(p, args->notes);
    cs_markup_heading(p->html, "Method", &p->text);
    cs_markup_paragraph(p->html,
                        "The settings and the changes during the run, with "
                        "their steps:",
                        &p->text);
    cs_status status = add_answer(p, "journal", false, err);
    add_scenario(p, args->word[0]);
    return status;
}

/* ---- sentences ---- */

/* Adds the paragraphs of a lesson (io/lesson.h): a line per paragraph; an
 * indented line is an example. */
static void add_lesson(page *p, const char *lesson)
{
    char line[CS_LESSON_BYTES];
    for (const char *at = lesson; *at; at += *at == '\n') {
        size_t n = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, at);
        if (*line == ' ')
            cs_markup_code(p->html, line, &p->text);
        else if (*line)
            cs_markup_paragraph(p->html, line, &p->text);
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
    cs_page_put(&p->text, "<p class=\"shows\">");
    cs_markup_text(p->html, cs_shot_text(s, "run/shows"), &p->text);
    cs_page_put(&p->text, "</p>\n");
    for (size_t i = 0; i < 2; i++) {
        cs_page_put(&p->text, "<p class=\"known\">");
        cs_markup_text(p->html, known.text[i], &p->text);
        cs_page_put(&p->text, "</p>\n");
    }
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
        cs_page_put(&p->text, "<div class=\"%s\">%s</div>\n", kind, svg);
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

/* Adds one figure per panel of the scenario that is not text, for all arms. */
static cs_status add_panels(page *p, cs_headless *h, cs_error *err)
{
    char panels[PANELS], keys[200], title[128] = "";
    size_t number = 0;
    /* figures compare all arms */
    cs_status status = cs_headless_press(h, "x", err);
    cs_headless_panels(h, panels, sizeof panels);
    for (char *rest = panels, *name;
         status == CS_OK && (name = strtok_r(rest, " ", &rest));) {
        const cs_panel_type *type = cs_panel_read(NULL, name).type;
        if (type && type->text)
            continue;
        snprintf(keys, sizeof keys, ":layout %.150s<enter>z", name);
        status = cs_headless_press(h, keys, err);
        cs_page_put(&p->text, "<figure>\n");
        if (status == CS_OK)
            status = add_theme(p, h, "light", title, sizeof title, err);
        if (status == CS_OK)
            status = add_theme(p, h, "dark", title, sizeof title, err);
        cs_page_put(&p->text, "<figcaption>Figure %zu: ", ++number);
        cs_markup_text(p->html, title, &p->text);
        cs_page_put(&p->text, ".</figcaption></figure>\n");
    }
    return status;
}

static cs_status draw(page *p, const cs_args *args, cs_error *err)
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
    if (status == CS_OK) {
        add_lead(p, cs_headless_shot(h));
        status = add_panels(p, h, err);
    }
    cs_headless_destroy(h);
    cs_line_close();
    return status;
}

/* ---- the run ---- */

/* Runs the scenario to the end of its budget; draws of the warm-up are not
 * kept. A checkpoint, journal or recording is opened at its last step. */
static cs_status open_run(cs_client *c, const cs_args *args, cs_error *err)
{
    uint64_t steps;
    char line[64];
    const char *more[] = {"default_warmup=usual", NULL, NULL};
    bool placed = cs_front_is_placed(args);
    cs_status status = cs_args_count(args, "steps", 0, &steps, err);
    snprintf(line, sizeof line, placed ? "step %llu" : "steps=%llu",
             (unsigned long long)steps);
    if (steps)
        more[1] = line;
    if (status == CS_OK)
        status = cs_front_go(c, args, placed ? NULL : more, err);
    return status == CS_OK && placed && steps ? cs_front_ask(c, line, NULL, err)
                                              : status;
}

static cs_status go(cs_client *c, cs_error *err)
{
    double reported = 0;
    cs_status status = cs_follow_budget(c, &reported, err);
    cs_stop_finish();
    return status ? status : cs_front_ask(c, "pause", NULL, err);
}

static void add_title(page *p, const char *title)
{
    cs_page_put(&p->text, "%s<title>", head);
    cs_markup_text(p->html, title, &p->text);
    cs_page_put(&p->text, "</title></head><body>\n<h1>");
    cs_markup_text(p->html, title, &p->text);
    cs_page_put(&p->text, "</h1>\n");
}

static cs_status write_page(page *p, const cs_args *args, cs_error *err)
{
    cs_follow_see(p->client, &p->seen);
    add_title(p, *p->seen.title ? p->seen.title : args->word[0]);
    cs_status status = draw(p, args, err);
    if (status == CS_OK)
        status = add_answer(p, "summary html", true, err);
    if (status == CS_OK)
        status = add_past(p, args, err);
    cs_page_put(&p->text, "</body></html>\n");
    if (status == CS_OK && p->text.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the report");
    if (status == CS_OK)
        status = cs_file_replace(cs_args_value(args, "output"), p->text.text,
                                 p->text.used, err);
    if (status == CS_OK)
        cs_stop_say("at step %.0f: %s shows the run so far; repeat the command "
                    "for the whole run",
                    p->seen.steps, cs_args_value(args, "output"));
    return status;
}

static cs_status check_output(const cs_args *args, cs_error *err)
{
    const char *path = cs_args_value(args, "output");
    if (path)
        return args->n_given ? cs_output_allow(path, CS_OUTPUT_PAGE,
                                               args->given, args->n_given, err)
                             : cs_output_allow(path, CS_OUTPUT_PAGE, args->word,
                                               args->n_words, err);
    cs_fail(err, CS_INPUT, "no output file");
    cs_hint(err, "add -o FILE.html");
    return CS_INPUT;
}

static int report(const cs_args *args)
{
    cs_error err;
    page p = {.html = cs_markup_find("html")};
    cs_front_options options = {0};
    if (check_output(args, &err) || cs_front_read(args, &options, &err) ||
        cs_front_create(&p.client, &options, &err))
        return cs_complain(&err);
    cs_status status = open_run(p.client, args, &err);
    if (status == CS_OK)
        status = cs_front_ask(p.client, "pictures 1000", NULL, &err);
    if (status == CS_OK && !cs_front_is_placed(args))
        status = go(p.client, &err);
    cs_stop_finish();
    if (status == CS_OK)
        status = write_page(&p, args, &err);
    cs_client_close(p.client, 3000);
    cs_client_destroy(p.client);
    cs_free(p.text.text);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"output", "FILE.html", "(-o) the page to write"},
    {"steps", "N", "run N steps instead of the scenario's budget"},
    CS_FRONT_GO_OPTIONS,
    CS_DRAWS_OPTION,
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_report = {
    .name = "report",
    .args = "FILE -o FILE.html ...",
    .help = "write a run as one HTML page with pictures and tables",
    .more = "The run continues to the end of its budget. With --load, "
            "--replay, --at or a\nrecording it stays at the point reached, "
            "or --steps steps after it. Ctrl-C\nwrites the page of the run so "
            "far.\n\nThe page is one file with the panels of the scenario as "
            "pictures, the tables of\n:summary html, the claims, the changes "
            "during the run and the scenario text.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = report,
    .draws = CS_TAKES_OPEN,
};
