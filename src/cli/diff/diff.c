/* chainscope diff: two runs in their folders, or what recordings and journals say
 * of two. What was set otherwise, the first draw that is another, and the figures
 * beside each other: the difference of two means has the error
 *
 *     sqrt(mcse_1^2 + mcse_2^2),
 *
 * and the verdict allows for how many are compared: two means differ where that
 * would be seen by chance in one comparison of twenty at most of runs that are
 * alike (Bonferroni). Of what both runs drew alike nothing is judged. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/diff/diff_format.h"
#include "cli/line/subcommand.h"
#include "files/file.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVEL 0.05

static const cs_diff_format *const formats[] = {
    &cs_diff_text, &cs_diff_markdown, &cs_diff_json};

/* ---- figures ------------------------------------------------------------------ */

double cs_diff_error(const cs_diff_both *b)
{
    return hypot(b->figure[0]->mcse, b->figure[1]->mcse);
}

double cs_diff_change(const cs_diff_both *b)
{
    return b->figure[1]->mean - b->figure[0]->mean;
}

static cs_diff_verdict judge(const cs_diff_both *b, size_t compared)
{
    double off = fabs(cs_diff_change(b)), error = cs_diff_error(b);
    if (b->same)
        return CS_DIFF_SAME;
    if (!(error > 0) || !isfinite(off))
        return CS_DIFF_UNKNOWN;
    double p = 2 * gsl_cdf_ugaussian_Q(off / error);
    return p < LEVEL / (double)(compared ? compared : 1) ? CS_DIFF_DIFFER
           : p < LEVEL                                   ? CS_DIFF_PERHAPS
                                                         : CS_DIFF_ALIKE;
}

typedef void each_both(void *self, const cs_diff_both *b);

/* Those that both arms have, of arms that both runs have. */
static void walk_arm(const cs_saved_arm_summary *a,
                     const cs_saved_arm_summary *b, bool same, each_both *each,
                     void *self)
{
    for (size_t i = 0; i < a->n; i++) {
        cs_diff_both f = {
            a->name, a->figure[i].name, {&a->figure[i], NULL}, same};
        f.figure[1] = cs_saved_figure_of(b, f.name, i);
        if (f.figure[1])
            each(self, &f);
    }
}

static void count_one(void *self, const cs_diff_both *b)
{
    *(size_t *)self += isfinite(cs_diff_error(b)) && cs_diff_error(b) > 0;
}

typedef struct writer {
    cs_page *page;
    const cs_diff_format *how;
    const cs_diff_pair *d;
    bool some;
} writer;

static void write_one(void *self, const cs_diff_both *b)
{
    writer *w = self;
    w->how->figure(w->page, b, judge(b, w->d->compared), !w->some);
    w->some = true;
}

/* ---- the sub-command ---------------------------------------------------------------- */

/* What there is to say of arms that both have; same[i]: of arm i of the first all
 * draws are those of the other. */
static cs_status compare_arms(const cs_diff_pair *d, const cs_draw_folder *of,
                              const cs_diff_format *how, bool *same, cs_page *p,
                              cs_error *err)
{
    bool first = true;
    for (size_t i = 0; i < d->run[0].n; i++) {
        cs_draws_differ differ;
        const char *arm = d->run[0].arm[i].name;
        if (!cs_saved_arm_of(&d->run[1], arm, i))
            continue;
        cs_status status = cs_draws_compare(&of[0], &of[1], arm, &differ, err);
        if (status)
            return status;
        same[i] = cs_draws_compared(&differ) && !differ.differ && !differ.alone;
        how->draws(p, arm, &differ, first);
        first = false;
    }
    return CS_OK;
}

/* Of a folder that is not as its manifest says no draws are compared. */
static cs_status compare_draws(const cs_diff_pair *d, const cs_diff_format *how,
                               bool *same, cs_page *p, cs_error *err)
{
    cs_draw_folder of[2] = {{0}, {0}};
    for (size_t i = 0; i < 2; i++)
        if (cs_draw_folder_read(d->path[i], &of[i], NULL))
            cs_draw_folder_free(&of[i]);
    cs_status status = compare_arms(d, of, how, same, p, err);
    cs_draw_folder_free(&of[0]);
    cs_draw_folder_free(&of[1]);
    return status;
}

static void walk(const cs_diff_pair *d, const bool *same, each_both *each,
                 void *self)
{
    for (size_t i = 0; i < d->run[0].n; i++) {
        const cs_saved_arm_summary *a = &d->run[0].arm[i];
        const cs_saved_arm_summary *b = cs_saved_arm_of(&d->run[1], a->name, i);
        if (b)
            walk_arm(a, b, same[i] && a->steps == b->steps, each, self);
    }
}

static cs_status write_all(cs_diff_pair *d, const cs_diff_format *how,
                           cs_page *p, cs_error *err)
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

static const cs_diff_format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i]->name, name ? name : "text") == 0)
            return formats[i];
    return NULL;
}

static int diff(const cs_args *args)
{
    cs_error err = {0};
    cs_diff_pair d = {.path = {args->word[0], args->word[1]}};
    cs_page p = {0};
    const char *out = cs_args_value(args, "output");
    const cs_diff_format *how = find_format(cs_args_value(args, "format"));
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
