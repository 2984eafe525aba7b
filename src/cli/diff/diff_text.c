/* Prints the comparison of two runs as text, Markdown and LaTeX, and the means
 * as CSV. */
#include "cli/diff/diff_format.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void sentence_of(const char *arm, const cs_draws_differ *d, char *out,
                        size_t size)
{
    char since[64] = "";
    if (d->before)
        snprintf(since, sizeof since, " in both runs, from draw %llu on",
                 (unsigned long long)d->before + 1);
    if (!d->known)
        snprintf(out, size, "%.60s: one run has no files of draws", arm);
    else if (d->other_columns)
        snprintf(out, size, "%.60s: no recorded quantity is in both runs", arm);
    else if (d->unplaced)
        snprintf(
            out, size,
            "%.60s: one run was resumed and records draws only at some steps, "
            "so the numbers of its draws are unknown",
            arm);
    else if (!d->chains)
        snprintf(out, size, "%.60s: no chain has draws in both runs", arm);
    else if (!d->differ && !d->same)
        snprintf(out, size, "%.60s: the runs have no draws in common", arm);
    else if (d->differ && d->draw == d->before + 1)
        snprintf(out, size, "%.60s: all draws differ from the first on%s", arm,
                 since);
    else if (d->differ)
        snprintf(out, size,
                 "%.60s: the first %llu draws%s are equal, then chain %llu "
                 "differs (step %llu after the warm-up); the errors below "
                 "count the shared draws twice",
                 arm, (unsigned long long)(d->draw - 1 - d->before), since,
                 (unsigned long long)d->chain, (unsigned long long)d->step);
    else
        snprintf(out, size,
                 "%.60s: the draws are equal bit for bit, up to the shorter "
                 "run (%llu "
                 "per chain%s)",
                 arm, (unsigned long long)d->same, since);
    if (d->known && d->chains && d->alone)
        snprintf(out + strlen(out), size - strlen(out),
                 "; %zu chain%s in only one run", d->alone,
                 d->alone == 1 ? " is" : "s are");
    if (cs_draws_compared(d) && d->shared)
        snprintf(out + strlen(out), size - strlen(out),
                 "; only the %zu quantities of both files are compared",
                 d->shared);
}

static void name_run(const cs_diff_pair *d, size_t i, char *out, size_t size)
{
    if (d->journal[i])
        snprintf(out, size, "%.1000s, a journal", d->name[i]);
    else
        snprintf(out, size, "%.1000s, target %.100s, seed %.0f", d->name[i],
                 d->run[i].target, d->run[i].seed);
}

/* ---- words, as plain text or in a markup ---- */

static const cs_markup *markup_of(const cs_diff_format *how)
{
    return how->markup ? cs_markup_find(how->markup) : NULL;
}

static void put_heading(const cs_diff_format *how, cs_page *p,
                        const char *title)
{
    if (how->markup)
        cs_markup_heading(markup_of(how), title, p);
    else
        cs_page_put(p, "\n%c%s\n", tolower((unsigned char)*title), title + 1);
}

static void put_line(const cs_diff_format *how, cs_page *p, const char *text)
{
    if (how->markup)
        cs_markup_paragraph(markup_of(how), text, p);
    else
        cs_page_put(p, "  %s\n", text);
}

static void begin(const cs_diff_format *how, cs_page *p, const cs_diff_pair *d)
{
    char text[2600], name[2][1200];
    name_run(d, 0, name[0], sizeof name[0]);
    name_run(d, 1, name[1], sizeof name[1]);
    if (!how->markup) {
        cs_page_put(p, "first:  %s\nsecond: %s\n", name[0], name[1]);
        return;
    }
    put_heading(how, p, "Comparison of two runs");
    snprintf(text, sizeof text, "First: %s. Second: %s.", name[0], name[1]);
    put_line(how, p, text);
}

static void put_changes(const cs_diff_format *how, cs_page *p,
                        const cs_diff_pair *d)
{
    for (size_t i = 0; i < 2; i++) {
        char change[300], text[400];
        cs_diff_first_change(d, i, change, sizeof change);
        snprintf(text, sizeof text, "changed only in the %s run: %s",
                 i ? "second" : "first", change);
        if (*change)
            put_line(how, p, text);
    }
}

static void put_settings(const cs_diff_format *how, cs_page *p,
                         const cs_diff_pair *d)
{
    cs_cells t = cs_diff_settings(d);
    put_heading(how, p, "Settings");
    if (!cs_diff_knows_settings(d))
        put_line(how, p, cs_diff_why_unknown(d));
    else if (!t.rows)
        put_line(how, p, how->markup ? "None differ." : "none differ");
    else if (how->markup)
        cs_cells_put(&t, markup_of(how), p);
    for (size_t i = 0; i < t.rows && !how->markup; i++)
        cs_page_put(p, "  %s: %s -> %s\n", t.cell[3 * i].text,
                    t.cell[3 * i + 1].text, t.cell[3 * i + 2].text);
    p->full |= t.full;
    cs_cells_fini(&t);
    put_changes(how, p, d);
    put_heading(how, p, "Draws");
}

static void put_draws(const cs_diff_format *how, cs_page *p, const char *arm,
                      const cs_draws_differ *d, bool first)
{
    char text[400];
    (void)first;
    sentence_of(arm, d, text, sizeof text);
    put_line(how, p, text);
}

static void put_no_draws(const cs_diff_format *how, cs_page *p)
{
    put_line(how, p, cs_diff_without_draws);
}

/* ---- means ---- */

#define AT(member) CS_AT(cs_diff_row, member)
static const cs_column columns[] = {
    CS_COLUMN("arm", "arm", WORDS, 0, AT(arm), .width = 10),
    CS_COLUMN("quantity", "quantity", WORDS, 0, AT(name), .width = 12),
    CS_COLUMN("mean, first", "mean_first", NUMBER, 4, AT(mean[0]),
              .error = "mcse_first", .width = 20),
    CS_COLUMN("mean, second", "mean_second", NUMBER, 4, AT(mean[1]),
              .error = "mcse_second", .width = 20),
    CS_COLUMN("difference", "difference", NUMBER, 4, AT(change),
              .error = "error", .width = 20),
    CS_COLUMN("ESS, first", "ess_bulk_first", NUMBER, 4, AT(ess[0])),
    CS_COLUMN("ESS, second", "ess_bulk_second", NUMBER, 4, AT(ess[1])),
    CS_COLUMN(NULL, "rhat_first", NUMBER, 4, AT(rhat[0])),
    CS_COLUMN(NULL, "rhat_second", NUMBER, 4, AT(rhat[1])),
    CS_COLUMN("verdict", NULL, WORDS, 0, AT(verdict)),
    CS_COLUMN(NULL, "verdict", WORDS, 0, AT(word)),
};

static cs_cells table_of(const cs_diff_pair *d)
{
    cs_cells t = cs_cells_begin(columns, sizeof columns / sizeof *columns);
    t.indent = 0;
    t.gap = 1;
    t.right = true;
    for (size_t i = 0; i < d->rows; i++)
        cs_cells_add(&t, &d->row[i]);
    return t;
}

static void put_figures(const cs_diff_format *how, cs_page *p,
                        const cs_diff_pair *d)
{
    cs_cells t = table_of(d);
    put_heading(how, p, "Means, with their Monte Carlo errors");
    cs_cells_put(&t, markup_of(how), p);
    if (!how->markup)
        cs_page_put(p,
                    "\n%zu means compared; for equivalent runs, at most one "
                    "table in twenty reports a difference\n",
                    d->compared);
    cs_cells_fini(&t);
}

static void csv_figures(const cs_diff_format *how, cs_page *p,
                        const cs_diff_pair *d)
{
    (void)how;
    cs_cells t = table_of(d);
    cs_cells_csv(&t, p);
    cs_cells_fini(&t);
}

#define WORDS(called, ending, in)                                              \
    {                                                                          \
        .name = called, .suffix = ending, .markup = in, .begin = begin,        \
        .settings = put_settings, .draws = put_draws,                          \
        .no_draws = put_no_draws, .figures = put_figures                       \
    }
const cs_diff_format cs_diff_text = WORDS("text", ".txt", NULL);
const cs_diff_format cs_diff_markdown = WORDS("markdown", ".md", "markdown");
const cs_diff_format cs_diff_latex = WORDS("latex", ".tex", "latex");
const cs_diff_format cs_diff_csv = {
    .name = "csv", .suffix = ".csv", .figures = csv_figures};
