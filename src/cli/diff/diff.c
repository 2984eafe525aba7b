/* chainscope diff: compares two runs in their folders, or the settings and
 * changes in two recordings or journals. The command prints the settings that
 * differ, the first draw that differs, and the means. The difference of two
 * means has the error
 *
 *     sqrt(mcse_1^2 + mcse_2^2).
 *
 * The verdict corrects for the number of comparisons (Bonferroni): for
 * equivalent runs, the probability that any means are reported to differ is at
 * most 1 in 20. Means of identical draws are not tested. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/diff/diff_format.h"
#include "cli/diff/diff_others.h"
#include "cli/line/draw_words.h"
#include "cli/line/output.h"
#include "cli/line/subcommand.h"
#include "files/file.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVEL 0.05

static const cs_diff_format *const formats[] = {
    &cs_diff_text, &cs_diff_markdown, &cs_diff_latex, &cs_diff_json,
    &cs_diff_csv};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- means --------------------------------------------------------------- */

typedef struct verdict {
    const char *word, *text;
} verdict;

static const verdict
    alike = {"alike", "alike"},
    perhaps = {"perhaps",
               "perhaps; possible by chance among this many comparisons"},
    differ = {"differ", "differ"},
    unknown = {"unknown", "cannot tell: the error is unknown"},
    same = {"same", "the same draws"};

static verdict judge(const cs_diff_row *r, size_t compared)
{
    double off = fabs(r->change[0]), error = r->change[1];
    if (r->same)
        return same;
    if (!(error > 0) || !isfinite(off))
        return unknown;
    double p = 2 * gsl_cdf_ugaussian_Q(off / error);
    return p < LEVEL / (double)(compared ? compared : 1) ? differ
           : p < LEVEL                                   ? perhaps
                                                         : alike;
}

static bool add_row(cs_diff_pair *d, const char *arm, const cs_saved_figure *a,
                    const cs_saved_figure *b, bool is_same)
{
    if (!CS_GROW(d->row, d->rows, d->capacity, 1))
        return false;
    cs_diff_row *r = &d->row[d->rows++];
    *r = (cs_diff_row){.arm = arm,
                       .name = a->name,
                       .mean = {{a->mean, a->mcse}, {b->mean, b->mcse}},
                       .change = {b->mean - a->mean, hypot(a->mcse, b->mcse)},
                       .ess = {a->ess_bulk, b->ess_bulk},
                       .rhat = {a->rhat, b->rhat},
                       .same = is_same};
    d->compared += isfinite(r->change[1]) && r->change[1] > 0;
    return true;
}

/* Adds the means of the quantities that the arm has in both runs. */
static bool add_arm(cs_diff_pair *d, const cs_saved_arm_summary *a,
                    const cs_saved_arm_summary *b, bool is_same)
{
    bool added = true;
    for (size_t i = 0; i < a->n && added; i++) {
        const cs_saved_figure *other =
            cs_saved_figure_of(b, a->figure[i].name, i);
        added = !other || add_row(d, a->name, &a->figure[i], other, is_same);
    }
    return added;
}

/* ---- the command --------------------------------------------------------- */

/* Compares the draws of the arms in both runs. Sets is_same[i] to true if all
 * draws of arm i of the first run equal those of the second run. */
static cs_status compare_arms(const cs_diff_pair *d, const cs_draw_folder *of,
                              const cs_diff_format *how, bool *is_same,
                              cs_page *p, cs_error *err)
{
    bool first = true;
    for (size_t i = 0; i < d->run[0].n; i++) {
        cs_draws_differ draws;
        const char *arm = d->run[0].arm[i].name;
        if (!cs_saved_arm_of(&d->run[1], arm, i))
            continue;
        cs_status status = cs_draws_compare(&of[0], &of[1], arm, &draws, err);
        if (status)
            return status;
        is_same[i] = cs_draws_compared(&draws) && !draws.differ && !draws.alone;
        if (how->draws)
            how->draws(how, p, arm, &draws, first);
        first = false;
    }
    return CS_OK;
}

/* Compares the draws. A folder that does not match its manifest is treated as a
 * folder without draws. */
static cs_status compare_draws(const cs_diff_pair *d, const cs_diff_format *how,
                               bool *is_same, cs_page *p, cs_error *err)
{
    cs_draw_folder of[2] = {{0}, {0}};
    for (size_t i = 0; i < 2; i++)
        if (cs_draw_folder_read(d->path[i], &of[i], NULL))
            cs_draw_folder_free(&of[i]);
    cs_status status = compare_arms(d, of, how, is_same, p, err);
    cs_draw_folder_free(&of[0]);
    cs_draw_folder_free(&of[1]);
    return status;
}

/* Compares the means. is_same[i] belongs to arm i of the first run. */
static cs_status compare_figures(cs_diff_pair *d, const bool *is_same,
                                 cs_error *err)
{
    bool added = true;
    for (size_t i = 0; i < d->run[0].n && added; i++) {
        const cs_saved_arm_summary *a = &d->run[0].arm[i];
        const cs_saved_arm_summary *b = cs_saved_arm_of(&d->run[1], a->name, i);
        added = !b || add_arm(d, a, b, is_same[i] && a->steps == b->steps);
    }
    for (size_t i = 0; i < d->rows; i++) {
        verdict v = judge(&d->row[i], d->compared);
        d->row[i].word = v.word;
        d->row[i].verdict = v.text;
    }
    return added ? CS_OK
                 : cs_fail(err, CS_MEMORY, "out of memory for the means");
}

static cs_status write_all(cs_diff_pair *d, const cs_diff_format *how,
                           cs_page *p, cs_error *err)
{
    bool *is_same = cs_alloc(d->run[0].n, sizeof *is_same);
    if (!is_same)
        return cs_fail(err, CS_MEMORY, "out of memory for the arms");
    if (how->begin)
        how->begin(how, p, d);
    if (how->settings)
        how->settings(how, p, d);
    bool journals = d->journal[0] || d->journal[1];
    cs_status status =
        journals ? CS_OK : compare_draws(d, how, is_same, p, err);
    if (status == CS_OK && !journals)
        status = compare_figures(d, is_same, err);
    if (status == CS_OK && !journals)
        how->figures(how, p, d);
    else if (how->no_draws)
        how->no_draws(how, p);
    cs_free(is_same);
    return status == CS_OK && p->full
               ? cs_fail(err, CS_MEMORY, "out of memory for the tables")
               : status;
}

static const char *name_at(size_t i)
{
    return i < FORMATS ? formats[i]->name : NULL;
}

static const char *suffix_at(size_t i)
{
    return formats[i]->suffix;
}

static int diff(const cs_args *args)
{
    cs_error err = {0};
    cs_diff_pair d = {.name = {args->word[0], args->word[1]},
                      .path = {args->word[0], args->word[1]}};
    cs_page p = {0};
    const char *out;
    size_t format;
    if (cs_output_choose(args, name_at, suffix_at, &format, &out, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    const cs_diff_format *how = formats[format];
    cs_gathered others[2] = {{.notes = {0}}, {.notes = {0}}};
    cs_status status = cs_diff_gather(args, others, d.path, d.name, &err);
    bool misused = cs_draws_misused(status, &err);
    if (status == CS_OK)
        status = cs_diff_read(d.path[0], &d.run[0], &d.journal[0], &err);
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
    cs_free(d.row);
    cs_free(p.text);
    cs_gathered_free(&others[0]);
    cs_gathered_free(&others[1]);
    int code = status ? cs_complain(&err) : CS_EXIT_OK;
    return misused ? CS_EXIT_USAGE : code;
}

static const cs_option options[] = {
    {"format", "NAME",
     "text, markdown, latex, json or csv (default: from the file name)"},
    {"output", "FILE", "(-o) a new output file instead of stdout"},
};

const cs_subcommand cs_subcommand_diff = {
    .name = "diff",
    .args = "RUN RUN",
    .help = "compare two runs: settings, first draw that differs, and means",
    .more =
        "A RUN is a folder of run --out, or files of draws (formats: see "
        "summary --help):\n[NAME=]FILE[,FILE...]. Several files are the "
        "chains of one arm. For recordings (.cast) and "
        "journals (journal.txt), only settings and changes are "
        "compared.\nDifferences of means are tested with their Monte Carlo "
        "errors, corrected for\nthe number of comparisons: alike, differ or "
        "perhaps.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 2,
    .max_words = 2,
    .main = diff,
};
