/* chainscope diff: two runs in their folders, or what recordings and journals say
 * of two. What was set otherwise, the first draw that is another, and the figures
 * beside each other: the difference of two means has the error
 *
 *     sqrt(mcse_1^2 + mcse_2^2),
 *
 * and the verdict allows for how many are compared: two means differ where that
 * would be seen by chance in one comparison of twenty at most of runs that are
 * alike (Bonferroni). Of what both runs drew alike nothing is judged. */
#include "base/markup.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/diff_draws.h"
#include "cli/diff_read.h"
#include "cli/subcommand.h"
#include "io/file.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.05

typedef struct pair {
    const char *path[2];
    cs_saved_summary run[2];
    bool journal[2]; /* it has neither arms nor draws */
    size_t compared; /* means of both */
} pair;

/* A figure of both. */
typedef struct both {
    const char *arm, *name;
    const cs_saved_figure *figure[2];
    bool same; /* the draws are the same, all of them */
} both;

typedef enum verdict { ALIKE, PERHAPS, DIFFER, UNKNOWN, SAME } verdict;

static const char *const verdicts[] = {
    "alike", "perhaps: by chance in so many, too", "differ",
    "cannot tell: no error known", "the same draws"};

/* Where a format puts things. */
typedef struct format format;
struct format {
    const char *name;
    void (*begin)(cs_page *p, const pair *d);
    void (*settings)(cs_page *p, const pair *d);
    void (*draws)(cs_page *p, const char *arm, const cs_draws_differ *d,
                  bool first);
    void (*no_draws)(cs_page *p); /* in the place of all that follows */
    void (*figures_begin)(cs_page *p);
    void (*figure)(cs_page *p, const both *b, verdict v, bool first);
    void (*end)(cs_page *p, const pair *d);
};

/* ---- figures ------------------------------------------------------------------ */

static double error_of(const both *b)
{
    return hypot(b->figure[0]->mcse, b->figure[1]->mcse);
}

static double difference_of(const both *b)
{
    return b->figure[1]->mean - b->figure[0]->mean;
}

static verdict judge(const both *b, size_t compared)
{
    double off = fabs(difference_of(b)), error = error_of(b);
    if (b->same)
        return SAME;
    if (!(error > 0) || !isfinite(off))
        return UNKNOWN;
    double p = 2 * gsl_cdf_ugaussian_Q(off / error);
    return p < LEVEL / (double)(compared ? compared : 1) ? DIFFER
           : p < LEVEL                                   ? PERHAPS
                                                         : ALIKE;
}

typedef void each_both(void *self, const both *b);

/* Those that both arms have, of arms that both runs have. */
static void walk_arm(const cs_saved_arm_summary *a,
                     const cs_saved_arm_summary *b, bool same, each_both *each,
                     void *self)
{
    for (size_t i = 0; i < a->n; i++) {
        both f = {a->name, a->figure[i].name, {&a->figure[i], NULL}, same};
        f.figure[1] = cs_saved_figure_of(b, f.name);
        if (f.figure[1])
            each(self, &f);
    }
}

static void count_one(void *self, const both *b)
{
    *(size_t *)self += isfinite(error_of(b)) && error_of(b) > 0;
}

typedef struct writer {
    cs_page *page;
    const format *how;
    const pair *d;
    bool some;
} writer;

static void write_one(void *self, const both *b)
{
    writer *w = self;
    w->how->figure(w->page, b, judge(b, w->d->compared), !w->some);
    w->some = true;
}

/* ---- settings: lines "NAME = VALUE" --------------------------------------------- */

static size_t key_of(const char *line)
{
    const char *end = strstr(line, " = ");
    size_t n = strcspn(line, "\n");
    return end && (size_t)(end - line) < n ? (size_t)(end - line) : n;
}

/* The value of that key in a text of lines, *n bytes; NULL: it has none. */
static const char *value_of(const char *text, const char *key, size_t size,
                            size_t *n)
{
    for (const char *at = text; at && *at;
         at += strcspn(at, "\n"), at += *at == '\n') {
        size_t k = key_of(at);
        if (k != size || strncmp(at, key, k) != 0)
            continue;
        at += k + (at[k] == ' ' ? strlen(" = ") : 0);
        *n = strcspn(at, "\n");
        return at;
    }
    return NULL;
}

typedef void each_setting(cs_page *p, const char *key, const char *a,
                          const char *b);

static void copy(char *to, size_t size, const char *from, size_t n)
{
    snprintf(to, size, "%.*s", from ? (int)(n < size ? n : size - 1) : 1,
             from ? from : "-");
}

/* Of the keys of run `of` those that the other has otherwise, or not at all
 * (`lacks`: only these). */
static size_t walk_settings(const pair *d, size_t of, bool lacks,
                            each_setting *each, cs_page *p)
{
    const char *mine = d->run[of].made_of.text;
    const char *other = d->run[!of].made_of.text;
    size_t found = 0;
    for (const char *at = mine; at && *at;
         at += strcspn(at, "\n"), at += *at == '\n') {
        size_t k = key_of(at), n = 0, m = 0;
        char key[200], value[2][300];
        const char *here = value_of(mine, at, k, &n);
        const char *there = value_of(other ? other : "", at, k, &m);
        bool differs =
            !there || (!lacks && (n != m || strncmp(here, there, n)));
        if (!differs || (lacks && there))
            continue;
        found++;
        copy(key, sizeof key, at, k);
        copy(value[of], sizeof value[of], here, n);
        copy(value[!of], sizeof value[!of], there, m);
        each(p, key, value[0], value[1]);
    }
    return found;
}

static bool know_settings(const pair *d)
{
    return d->run[0].made_of.text && d->run[1].made_of.text &&
           d->journal[0] == d->journal[1];
}

static const char *why_unknown(const pair *d)
{
    return d->journal[0] != d->journal[1]
               ? "Not compared: a journal does not say what the run is made of."
               : "Not known: one was written by an older chainscope.";
}

static const char without_draws[] =
    "Not compared: a journal has none. chainscope run FILE.cast --out FOLDER "
    "makes the run of a recording again.";

static size_t all_settings(const pair *d, each_setting *each, cs_page *p)
{
    return walk_settings(d, 0, false, each, p) +
           walk_settings(d, 1, true, each, p);
}

/* The first change on the way that one has and the other has not, "": none. */
static void first_change(const pair *d, size_t of, char *out, size_t size)
{
    const char *a = d->run[of].changes.text, *b = d->run[!of].changes.text;
    a = a ? a : "";
    b = b ? b : "";
    while (*a && strcspn(a, "\n") == strcspn(b, "\n") &&
           strncmp(a, b, strcspn(a, "\n")) == 0) {
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        a += *a == '\n';
        b += *b == '\n';
    }
    char *rest;
    unsigned long long step = strtoull(a, &rest, 10);
    size_t arm = strtoul(rest, &rest, 10), n = strcspn(rest, "\n");
    char name[CS_SAVED_NAME + 2] = "";
    if (arm >= 1 && arm <= d->run[of].n)
        snprintf(name, sizeof name, ", %s", d->run[of].arm[arm - 1].name);
    else if (arm >= 1)
        snprintf(name, sizeof name, ", arm %zu", arm);
    *out = 0;
    if (*a)
        snprintf(out, size, "at step %llu%s:%.*s", step, name, (int)n, rest);
}

/* ---- text and Markdown ------------------------------------------------------------ */

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
    else if (!d->chains)
        snprintf(out, size, "%.60s: no chain has draws in both", arm);
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

static void cells_of(const both *b, verdict v, char cell[CELLS][CS_SAVED_NAME])
{
    enum { S = CS_SAVED_NAME };
    snprintf(cell[0], S, "%s", b->arm);
    snprintf(cell[1], S, "%s", b->name);
    for (int i = 0; i < 2; i++) {
        measured(cell[2 + i], S, b->figure[i]->mean, b->figure[i]->mcse);
        number(cell[5 + i], S, b->figure[i]->ess_bulk);
    }
    measured(cell[4], S, difference_of(b), error_of(b));
    snprintf(cell[7], S, "%s", verdicts[v]);
}

static void name_run(const pair *d, size_t i, char *out, size_t size)
{
    if (d->journal[i])
        snprintf(out, size, "%.1000s, a journal", d->path[i]);
    else
        snprintf(out, size, "%.1000s, target %.100s, seed %.0f", d->path[i],
                 d->run[i].target, d->run[i].seed);
}

static void text_begin(cs_page *p, const pair *d)
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

static void put_changes(cs_page *p, const pair *d, const char *before,
                        const char *after)
{
    for (size_t i = 0; i < 2; i++) {
        char change[300];
        first_change(d, i, change, sizeof change);
        if (*change)
            cs_page_put(p, "%schanged on the way in the %s alone: %s%s\n",
                        before, i ? "second" : "first", change, after);
    }
}

static void text_settings(cs_page *p, const pair *d)
{
    cs_page_put(p, "\nsettings\n");
    if (!know_settings(d))
        cs_page_put(p, "  %s\n", why_unknown(d));
    else if (!all_settings(d, text_setting, p))
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
    cs_page_put(p, "  %s\n", without_draws);
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

static void text_figure(cs_page *p, const both *b, verdict v, bool first)
{
    char cell[CELLS][CS_SAVED_NAME];
    const char *list[CELLS];
    (void)first;
    cells_of(b, v, cell);
    for (size_t i = 0; i < CELLS; i++)
        list[i] = cell[i];
    put_line(p, list);
}

static void text_end(cs_page *p, const pair *d)
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

static void md_begin(cs_page *p, const pair *d)
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

static void md_settings(cs_page *p, const pair *d)
{
    static const char *const head[] = {"setting", "first", "second"};
    cs_page none = {0};
    bool some = know_settings(d) && all_settings(d, md_setting, &none);
    cs_free(none.text);
    cs_markup_heading(markdown(), "Settings", p);
    if (some) {
        cs_markup_table(markdown(), head, 3, 3, p);
        all_settings(d, md_setting, p);
        cs_markup_end(markdown(), p);
    } else {
        cs_markup_paragraph(markdown(),
                            know_settings(d) ? "The same." : why_unknown(d), p);
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
    cs_markup_paragraph(markdown(), without_draws, p);
}

static void md_figures(cs_page *p)
{
    cs_markup_heading(markdown(), "Means, with their Monte Carlo errors", p);
    cs_markup_table(markdown(), heads, CELLS, 2, p);
}

static void md_figure(cs_page *p, const both *b, verdict v, bool first)
{
    char cell[CELLS][CS_SAVED_NAME];
    const char *list[CELLS];
    (void)first;
    cells_of(b, v, cell);
    for (size_t i = 0; i < CELLS; i++)
        list[i] = cell[i];
    cs_markup_row(markdown(), list, CELLS, p);
}

static void md_end(cs_page *p, const pair *d)
{
    (void)d;
    cs_markup_end(markdown(), p);
}

/* ---- JSON ------------------------------------------------------------------------ */

static void json_begin(cs_page *p, const pair *d)
{
    cs_page_put(p, "{\"runs\": [");
    for (size_t i = 0; i < 2; i++) {
        cs_page_put(p, "%s{\"folder\": ", i ? ", " : "");
        cs_page_quoted(p, d->path[i]);
        cs_page_put(p, ", \"target\": ");
        cs_page_quoted(p, d->run[i].target);
        cs_page_put(p, ", \"seed\": ");
        cs_page_number(p, d->run[i].seed);
        cs_page_put(p, "}");
    }
    cs_page_put(p, "]");
}

static void json_setting(cs_page *p, const char *key, const char *a,
                         const char *b)
{
    cs_page_put(
        p, "%s{\"name\": ", p->used && p->text[p->used - 1] == '[' ? "" : ", ");
    cs_page_quoted(p, key);
    cs_page_put(p, ", \"first\": ");
    cs_page_quoted(p, a);
    cs_page_put(p, ", \"second\": ");
    cs_page_quoted(p, b);
    cs_page_put(p, "}");
}

static void json_settings(cs_page *p, const pair *d)
{
    cs_page_put(p, ",\n \"settings_known\": %s,\n \"settings\": [",
                know_settings(d) ? "true" : "false");
    if (know_settings(d))
        all_settings(d, json_setting, p);
    cs_page_put(p, "],\n \"first_changes\": [");
    for (size_t i = 0; i < 2; i++) {
        char change[300];
        first_change(d, i, change, sizeof change);
        cs_page_put(p, i ? ", " : "");
        if (*change)
            cs_page_quoted(p, change);
        else
            cs_page_put(p, "null");
    }
    cs_page_put(p, "],\n \"draws\": [");
}

static void json_draws(cs_page *p, const char *arm, const cs_draws_differ *d,
                       bool first)
{
    cs_page_put(p, "%s{\"arm\": ", first ? "" : ", ");
    cs_page_quoted(p, arm);
    cs_page_put(p,
                ", \"known\": %s, \"differ\": ", d->known ? "true" : "false");
    if (!d->known || d->other_columns || !d->chains)
        cs_page_put(p, "null");
    else
        cs_page_put(p, d->differ ? "true" : "false");
    if (d->differ)
        cs_page_put(p, ", \"draw\": %llu, \"chain\": %llu, \"step\": %llu",
                    (unsigned long long)d->draw, (unsigned long long)d->chain,
                    (unsigned long long)d->step);
    cs_page_put(p, "}");
}

static void json_no_draws(cs_page *p)
{
    cs_page_put(p, "],\n \"figures\": [],\n \"compared\": 0}\n");
}

static void json_figures(cs_page *p)
{
    cs_page_put(p, "],\n \"figures\": [");
}

static void json_figure(cs_page *p, const both *b, verdict v, bool first)
{
    static const char *const words[] = {"alike", "perhaps", "differ", "unknown",
                                        "same"};
    cs_page_put(p, "%s\n  {\"arm\": ", first ? "" : ",");
    cs_page_quoted(p, b->arm);
    cs_page_put(p, ", \"name\": ");
    cs_page_quoted(p, b->name);
    for (int i = 0; i < 2; i++) {
        cs_page_put(p, ", \"%s\": {\"mean\": ", i ? "second" : "first");
        cs_page_number(p, b->figure[i]->mean);
        cs_page_put(p, ", \"mcse\": ");
        cs_page_number(p, b->figure[i]->mcse);
        cs_page_put(p, ", \"ess_bulk\": ");
        cs_page_number(p, b->figure[i]->ess_bulk);
        cs_page_put(p, ", \"rhat\": ");
        cs_page_number(p, b->figure[i]->rhat);
        cs_page_put(p, "}");
    }
    cs_page_put(p, ", \"difference\": ");
    cs_page_number(p, difference_of(b));
    cs_page_put(p, ", \"error\": ");
    cs_page_number(p, error_of(b));
    cs_page_put(p, ", \"verdict\": \"%s\"}", words[v]);
}

static void json_end(cs_page *p, const pair *d)
{
    cs_page_put(p, "],\n \"compared\": %zu}\n", d->compared);
}

static const format formats[] = {
    {"text", text_begin, text_settings, text_draws, text_no_draws, text_figures,
     text_figure, text_end},
    {"markdown", md_begin, md_settings, md_draws, md_no_draws, md_figures,
     md_figure, md_end},
    {"json", json_begin, json_settings, json_draws, json_no_draws, json_figures,
     json_figure, json_end},
};

/* ---- the sub-command ---------------------------------------------------------------- */

/* What there is to say of arms that both have; same[i]: of arm i of the first all
 * draws are those of the other. */
static cs_status compare_draws(const pair *d, const format *how, bool *same,
                               cs_page *p, cs_error *err)
{
    cs_status status = CS_OK;
    bool first = true;
    for (size_t i = 0; i < d->run[0].n && status == CS_OK; i++) {
        cs_draws_differ differ;
        const char *arm = d->run[0].arm[i].name;
        if (!cs_saved_arm_of(&d->run[1], arm))
            continue;
        status = cs_draws_compare(d->path[0], d->path[1], arm, &differ, err);
        if (status)
            break;
        same[i] = differ.known && !differ.other_columns && !differ.differ &&
                  !differ.alone;
        how->draws(p, arm, &differ, first);
        first = false;
    }
    return status;
}

static void walk(const pair *d, const bool *same, each_both *each, void *self)
{
    for (size_t i = 0; i < d->run[0].n; i++) {
        const cs_saved_arm_summary *a = &d->run[0].arm[i];
        const cs_saved_arm_summary *b = cs_saved_arm_of(&d->run[1], a->name);
        if (b)
            walk_arm(a, b, same[i] && a->steps == b->steps, each, self);
    }
}

static cs_status write_all(pair *d, const format *how, cs_page *p,
                           cs_error *err)
{
    bool *same = cs_alloc(d->run[0].n, sizeof *same);
    writer w = {p, how, d, false};
    if (!same)
        return cs_fail(err, CS_MEMORY, "no memory for the arms");
    how->begin(p, d);
    how->settings(p, d);
    bool journals = d->journal[0] || d->journal[1];
    cs_status status = journals ? CS_OK : compare_draws(d, how, same, p, err);
    if (journals) {
        how->no_draws(p);
    } else if (status == CS_OK) {
        walk(d, same, count_one, &d->compared);
        how->figures_begin(p);
        walk(d, same, write_one, &w);
        how->end(p, d);
    }
    cs_free(same);
    return status == CS_OK && p->full
               ? cs_fail(err, CS_MEMORY, "no memory for the tables")
               : status;
}

static const format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name ? name : "text") == 0)
            return &formats[i];
    return NULL;
}

static int diff(const cs_args *args)
{
    cs_error err = {0};
    pair d = {.path = {args->word[0], args->word[1]}};
    cs_page p = {0};
    const char *out = cs_args_value(args, "output");
    const format *how = find_format(cs_args_value(args, "format"));
    if (!how) {
        cs_fail(&err, CS_UNKNOWN, "there is no format '%s'",
                cs_args_value(args, "format"));
        cs_hint(&err, "text, markdown or json");
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    cs_status status = cs_diff_read(d.path[0], &d.run[0], &d.journal[0], &err);
    if (status == CS_OK)
        status = cs_diff_read(d.path[1], &d.run[1], &d.journal[1], &err);
    if (status == CS_OK)
        status = write_all(&d, how, &p, &err);
    if (status == CS_OK && out)
        status = cs_file_create(out, p.text, p.used, &err);
    else if (status == CS_OK)
        cs_text_write(p.text, p.used, stdout);
    cs_saved_summary_free(&d.run[0]);
    cs_saved_summary_free(&d.run[1]);
    cs_free(p.text);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"format", "NAME", "text, markdown or json"},
    {"output", "FILE", "(-o) instead of printing; it must not be there yet"},
};

const cs_subcommand cs_subcommand_diff = {
    .name = "diff",
    .args = "FOLDER FOLDER",
    .help = "two runs: settings, the first draw that differs, figures",
    .more =
        "Reads what run --out has written; of recordings (.cast) and journals "
        "(journal.txt)\n"
        "the settings and the changes. Means are compared by their Monte "
        "Carlo errors, with\n"
        "regard to how many there are: alike, differ, or perhaps.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 2,
    .most_words = 2,
    .main = diff,
};
