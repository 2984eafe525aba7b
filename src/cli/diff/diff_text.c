/* Two runs as text, and as Markdown. */
#include "base/markup.h"
#include "base/memory.h"
#include "cli/diff/diff_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* By cs_diff_verdict. */
static const char *const verdicts[] = {
    "alike", "perhaps: by chance in so many, too", "differ",
    "cannot tell: no error known", "the same draws"};

static void sentence_of(const char *arm, const cs_draws_differ *d, char *out,
                        size_t size)
{
    char since[64] = "";
    if (d->before)
        snprintf(since, sizeof since, " that both have, from draw %llu on",
                 (unsigned long long)d->before + 1);
    if (!d->known)
        snprintf(out, size, "%.60s: one of them has no files of draws", arm);
    else if (d->other_columns)
        snprintf(out, size, "%.60s: they recorded other quantities", arm);
    else if (d->unplaced)
        snprintf(
            out, size,
            "%.60s: one was begun on the way, and has a draw at some steps "
            "alone: which of its draws is which is not known",
            arm);
    else if (!d->chains)
        snprintf(out, size, "%.60s: no chain has draws in both", arm);
    else if (!d->differ && !d->same)
        snprintf(out, size, "%.60s: they have no draws in common", arm);
    else if (d->differ && d->draw == d->before + 1)
        snprintf(out, size, "%.60s: they differ from the first draw on%s", arm,
                 since);
    else if (d->differ)
        snprintf(out, size,
                 "%.60s: the first %llu draws%s are the same, then chain %llu "
                 "differs (step %llu after the warm-up): of what both have the "
                 "errors below count twice",
                 arm, (unsigned long long)(d->draw - 1 - d->before), since,
                 (unsigned long long)d->chain, (unsigned long long)d->step);
    else
        snprintf(out, size,
                 "%.60s: the same draws bit for bit, as far as both go (%llu "
                 "of a chain%s)",
                 arm, (unsigned long long)d->same, since);
    if (d->known && d->chains && d->alone)
        snprintf(out + strlen(out), size - strlen(out),
                 "; %zu chain%s in one alone", d->alone,
                 d->alone == 1 ? " is" : "s are");
}

static void number(char *out, size_t size, double x)
{
    if (isnan(x))
        snprintf(out, size, "-");
    else
        snprintf(out, size, "%.4g", x);
}

static void measured(char *out, size_t size, double mean, double error)
{
    if (isnan(error))
        snprintf(out, size, "%.4g", mean);
    else
        snprintf(out, size, "%.4g +- %.2g", mean, error);
}

enum { CELLS = 8 };
static const char *const heads[CELLS] = {
    "arm",        "quantity",   "mean, first", "mean, second",
    "difference", "ESS, first", "ESS, second", "verdict"};

typedef struct row {
    char text[CELLS][CS_SAVED_NAME];
    const char *cell[CELLS];
} row;

static void fill_row(row *r, const cs_diff_both *b, cs_diff_verdict v)
{
    enum { S = CS_SAVED_NAME };
    snprintf(r->text[0], S, "%s", b->arm);
    snprintf(r->text[1], S, "%s", b->name);
    for (int i = 0; i < 2; i++) {
        measured(r->text[2 + i], S, b->figure[i]->mean, b->figure[i]->mcse);
        number(r->text[5 + i], S, b->figure[i]->ess_bulk);
    }
    measured(r->text[4], S, cs_diff_change(b), cs_diff_error(b));
    snprintf(r->text[7], S, "%s", verdicts[v]);
    for (size_t i = 0; i < CELLS; i++)
        r->cell[i] = r->text[i];
}

static void name_run(const cs_diff_pair *d, size_t i, char *out, size_t size)
{
    if (d->journal[i])
        snprintf(out, size, "%.1000s, a journal", d->path[i]);
    else
        snprintf(out, size, "%.1000s, target %.100s, seed %.0f", d->path[i],
                 d->run[i].target, d->run[i].seed);
}

static void text_begin(cs_page *p, const cs_diff_pair *d)
{
    static const char *const which[] = {"first: ", "second:"};
    char name[1200];
    for (size_t i = 0; i < 2; i++) {
        name_run(d, i, name, sizeof name);
        cs_page_put(p, "%s %s\n", which[i], name);
    }
}

static void text_setting(cs_page *p, const char *key, const char *a,
                         const char *b)
{
    cs_page_put(p, "  %s: %s -> %s\n", key, a, b);
}

static void put_changes(cs_page *p, const cs_diff_pair *d, const char *before,
                        const char *after)
{
    for (size_t i = 0; i < 2; i++) {
        char change[300];
        cs_diff_first_change(d, i, change, sizeof change);
        if (*change)
            cs_page_put(p, "%schanged on the way in the %s alone: %s%s\n",
                        before, i ? "second" : "first", change, after);
    }
}

static void text_settings(cs_page *p, const cs_diff_pair *d)
{
    cs_page_put(p, "\nsettings\n");
    if (!cs_diff_knows_settings(d))
        cs_page_put(p, "  %s\n", cs_diff_why_unknown(d));
    else if (!cs_diff_settings(d, text_setting, p))
        cs_page_put(p, "  the same\n");
    put_changes(p, d, "  ", "");
    cs_page_put(p, "\ndraws\n");
}

static void text_draws(cs_page *p, const char *arm, const cs_draws_differ *d,
                       bool first)
{
    char text[400];
    (void)first;
    sentence_of(arm, d, text, sizeof text);
    cs_page_put(p, "  %s\n", text);
}

static void text_no_draws(cs_page *p)
{
    cs_page_put(p, "  %s\n", cs_diff_without_draws);
}

static void put_line(cs_page *p, const char *const *cell)
{
    static const int widths[CELLS] = {10, 12, 20, 20, 20, 10, 11, 0};
    for (size_t i = 0; i < CELLS; i++)
        cs_page_put(p,
                    i < 2   ? "%-*s "
                    : i < 7 ? "%*s "
                            : " %*s",
                    widths[i], cell[i]);
    cs_page_put(p, "\n");
}

static void text_figures(cs_page *p)
{
    cs_page_put(p, "\nmeans, with their Monte Carlo errors\n");
    put_line(p, heads);
}

static void text_figure(cs_page *p, const cs_diff_both *b, cs_diff_verdict v,
                        bool first)
{
    row r;
    (void)first;
    fill_row(&r, b, v);
    put_line(p, r.cell);
}

static void text_end(cs_page *p, const cs_diff_pair *d)
{
    cs_page_put(p,
                "\n%zu means compared: of runs that are alike, one table in "
                "twenty at most says that some differ\n",
                d->compared);
}

static const cs_markup *markdown(void)
{
    return cs_markup_find("markdown");
}

static void md_begin(cs_page *p, const cs_diff_pair *d)
{
    char text[2600], name[2][1200];
    cs_markup_heading(markdown(), "Two runs", p);
    name_run(d, 0, name[0], sizeof name[0]);
    name_run(d, 1, name[1], sizeof name[1]);
    snprintf(text, sizeof text, "First: %s. Second: %s.", name[0], name[1]);
    cs_markup_paragraph(markdown(), text, p);
}

static void md_setting(cs_page *p, const char *key, const char *a,
                       const char *b)
{
    cs_markup_row(markdown(), (const char *const[]){key, a, b}, 3, p);
}

static void md_settings(cs_page *p, const cs_diff_pair *d)
{
    static const char *const head[] = {"setting", "first", "second"};
    cs_page none = {0};
    bool some =
        cs_diff_knows_settings(d) && cs_diff_settings(d, md_setting, &none);
    cs_free(none.text);
    cs_markup_heading(markdown(), "Settings", p);
    if (some) {
        cs_markup_table(markdown(), head, 3, 3, p);
        cs_diff_settings(d, md_setting, p);
        cs_markup_end(markdown(), p);
    } else {
        cs_markup_paragraph(markdown(),
                            cs_diff_knows_settings(d) ? "The same."
                                                      : cs_diff_why_unknown(d),
                            p);
    }
    put_changes(p, d, "\n", "\n");
    cs_markup_heading(markdown(), "Draws", p);
}

static void md_draws(cs_page *p, const char *arm, const cs_draws_differ *d,
                     bool first)
{
    char text[400];
    (void)first;
    sentence_of(arm, d, text, sizeof text);
    cs_markup_paragraph(markdown(), text, p);
}

static void md_no_draws(cs_page *p)
{
    cs_markup_paragraph(markdown(), cs_diff_without_draws, p);
}

static void md_figures(cs_page *p)
{
    cs_markup_heading(markdown(), "Means, with their Monte Carlo errors", p);
    cs_markup_table(markdown(), heads, CELLS, 2, p);
}

static void md_figure(cs_page *p, const cs_diff_both *b, cs_diff_verdict v,
                      bool first)
{
    row r;
    (void)first;
    fill_row(&r, b, v);
    cs_markup_row(markdown(), r.cell, CELLS, p);
}

static void md_end(cs_page *p, const cs_diff_pair *d)
{
    (void)d;
    cs_markup_end(markdown(), p);
}

const cs_diff_format cs_diff_text = {
    .name = "text",
    .begin = text_begin,
    .settings = text_settings,
    .draws = text_draws,
    .no_draws = text_no_draws,
    .figures_begin = text_figures,
    .figure = text_figure,
    .end = text_end,
};

const cs_diff_format cs_diff_markdown = {
    .name = "markdown",
    .begin = md_begin,
    .settings = md_settings,
    .draws = md_draws,
    .no_draws = md_no_draws,
    .figures_begin = md_figures,
    .figure = md_figure,
    .end = md_end,
};
