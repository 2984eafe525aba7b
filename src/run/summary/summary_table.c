#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/draws/kept_draws.h"
#include "run/summary/arm_figures.h"
#include "run/summary/summary.h"
#include "run/summary/warned.h"
#include "run/summary/witnesses.h"
#include "run/views/view.h"
#include "stat/worst.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- arms ---- */

typedef struct arm_line {
    const char *name, *kernel;
    double chains, steps, accepted, log_densities, gradients, data_terms;
    double rhat, bulk; /* worst values over all quantities */
} arm_line;

static const cs_column arm_columns[] = {
    CS_COLUMN("arm", NULL, WORDS, 0, CS_AT(arm_line, name)),
    CS_COLUMN("kernel", NULL, WORDS, 0, CS_AT(arm_line, kernel)),
    CS_COLUMN("chains", NULL, FIXED, 0, CS_AT(arm_line, chains)),
    CS_COLUMN("steps", NULL, FIXED, 0, CS_AT(arm_line, steps)),
    CS_COLUMN("accepted", NULL, FIXED, 3, CS_AT(arm_line, accepted)),
    CS_COLUMN("log densities", NULL, FIXED, 0, CS_AT(arm_line, log_densities)),
    CS_COLUMN("gradients", NULL, FIXED, 0, CS_AT(arm_line, gradients)),
    CS_COLUMN("data terms", NULL, FIXED, 0, CS_AT(arm_line, data_terms)),
    CS_COLUMN("R-hat", NULL, FIXED, 3, CS_AT(arm_line, rhat)),
    CS_COLUMN("ESS (bulk)", NULL, NUMBER, 4, CS_AT(arm_line, bulk)),
};

/* Finds the largest R-hat and the smallest bulk ESS of an arm. */
static void worst_of(const cs_arm_figures *d, double *rhat, double *bulk)
{
    size_t first = cs_arm_figures_first(d);
    size_t n = d->rows > first ? d->rows - first : 0;
    const cs_figures *row = n ? d->table + first : NULL;
    *rhat = cs_figures_extreme(row, n, CS_COLUMN_RHAT, true);
    *bulk = cs_figures_extreme(row, n, CS_COLUMN_BULK, false);
}

static arm_line line_of_arm(cs_run *run, size_t arm)
{
    bool tells;
    cs_arm_view v = cs_run_arm(run, arm);
    cs_arm_figures d = cs_arm_figures_read(run, arm);
    arm_line line = {.name = v.name,
                     .kernel = v.kernel->type->name,
                     .chains = (double)v.chains,
                     .steps = (double)v.steps,
                     .accepted = cs_arm_acceptance(run, arm, &tells),
                     .log_densities = (double)v.work.log_densities,
                     .gradients = (double)v.work.gradients,
                     .data_terms = (double)v.work.data_terms};
    worst_of(&d, &line.rhat, &line.bulk);
    cs_arm_figures_free(&d);
    return line;
}

static void table_of_arms(cs_run *run, const cs_markup *m, cs_page *p)
{
    cs_cells t =
        cs_cells_begin(arm_columns, sizeof arm_columns / sizeof *arm_columns);
    for (size_t i = 0; i < cs_run_arms(run); i++) {
        arm_line line = line_of_arm(run, i);
        cs_cells_add(&t, &line);
    }
    cs_cells_put(&t, m, p);
    cs_cells_fini(&t);
}

/* ---- quantities ---- */

typedef struct quantity {
    const char *arm, *name;
    cs_figures figures;
    cs_quantile_figures quantile[CS_QUANTILES_MOST];
} quantity;

enum { WIDTH = 9 }; /* minimum width of a number */
#define AT(member) CS_AT(quantity, member)

/* Returns true if the figure is defined for the draws; some figures are
 * undefined for weighted draws. */
static bool has_column(bool weighted, const char *name)
{
    size_t n;
    const cs_figure_column *c = cs_figure_columns(weighted, &n);
    for (size_t j = 0; j < n; j++)
        if (strcmp(c[j].type->name, name) == 0)
            return true;
    return false;
}

/* Adds the columns of a quantile: its value and, in CSV, its error and its
 * effective size. */
static void add_quantile(double p, size_t j, cs_summary_head *out)
{
    size_t at = offsetof(quantity, quantile) + j * sizeof(cs_quantile_figures);
    cs_quantile_name(p, out->name[j]);
    snprintf(out->error[j], sizeof out->error[j], "%s_mcse", out->name[j]);
    snprintf(out->size[j], sizeof out->size[j], "%s_ess", out->name[j]);
    out->column[out->n++] = (cs_column)CS_COLUMN(
        out->name[j], out->name[j], NUMBER, 0, .at = at, .width = WIDTH);
    out->column[out->n++] =
        (cs_column)CS_COLUMN(NULL, out->error[j], NUMBER, 0,
                             .at = at + offsetof(cs_quantile_figures, mcse));
    out->column[out->n++] =
        (cs_column)CS_COLUMN(NULL, out->size[j], NUMBER, 0,
                             .at = at + offsetof(cs_quantile_figures, ess));
}

/* Adds the columns of cs_figures that are printed, or the others. */
static void add_figures(bool weighted, bool printed, cs_summary_head *out)
{
    size_t n;
    const cs_figure_column *c = cs_figure_columns(false, &n);
    for (size_t j = 0; j < n; j++) {
        const char *name = c[j].type->name;
        if (c[j].printed != printed)
            continue;
        cs_column *column = &out->column[out->n++];
        *column = (cs_column)CS_COLUMN(NULL, name, NUMBER, c[j].digits,
                                       AT(figures), .width = WIDTH);
        if (printed && has_column(weighted, name))
            column->name = name;
        column->at += c[j].type->column * sizeof(double);
        if (c[j].digits)
            column->kind = CS_COLUMN_FIXED;
    }
}

void cs_summary_columns(bool weighted, const cs_probabilities *p,
                        const char *head, cs_summary_head *out)
{
    out->n = 0;
    out->column[out->n++] =
        (cs_column)CS_COLUMN(NULL, "arm", WORDS, 0, AT(arm));
    out->column[out->n++] =
        (cs_column)CS_COLUMN(head, "quantity", WORDS, 0, AT(name), .width = 12);
    add_figures(weighted, true, out);
    for (size_t j = 0; j < p->n; j++)
        add_quantile(p->p[j], j, out);
    add_figures(weighted, false, out);
}

void cs_summary_rows(cs_run *run, size_t arm, const cs_arm_figures *d,
                     const bool *shown, cs_cells *t)
{
    char name[CS_FIGURE_NAME];
    for (size_t i = cs_arm_figures_first(d); i < d->rows; i++) {
        quantity q = {.arm = cs_run_arm_name(run, arm),
                      .name = name,
                      .figures = d->table[i]};
        for (size_t j = 0; j < CS_QUANTILES_MOST; j++)
            q.quantile[j] = cs_arm_figures_quantile(d, i, j);
        cs_arm_figures_name(run, i, name);
        if (!shown || shown[i])
            cs_cells_add(t, &q);
    }
}

void cs_summary_csv(cs_run *run, cs_page *p)
{
    cs_summary_head head;
    bool weighted = false;
    for (size_t i = 0; i < cs_run_arms(run); i++) {
        cs_arm_figures d = cs_arm_figures_read(run, i);
        weighted |= cs_arm_figures_weighted(&d);
        cs_arm_figures_free(&d);
    }
    cs_summary_columns(weighted, cs_run_quantiles(run), "quantity", &head);
    cs_cells t = cs_cells_begin(head.column, head.n);
    for (size_t i = 0; i < cs_run_arms(run); i++) {
        cs_arm_figures d = cs_arm_figures_read(run, i);
        if (d.kept > 0)
            cs_summary_rows(run, i, &d, NULL, &t);
        cs_arm_figures_free(&d);
    }
    cs_cells_csv(&t, p);
    cs_cells_fini(&t);
}

/* ---- tables ---- */

static void put_lines(const cs_markup *m, const char *words, cs_page *p)
{
    char line[1024];
    while (*words) {
        words += strspn(words, " \n");
        size_t n = strcspn(words, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, words);
        if (n)
            cs_markup_paragraph(m, line, p);
        words += n;
    }
}

static void table_of_figures(cs_run *run, size_t arm, const char *also,
                             const cs_markup *m, cs_page *p)
{
    cs_arm_figures d = cs_arm_figures_read(run, arm);
    bool *shown = cs_alloc(d.rows, sizeof *shown);
    cs_page words = {0};
    if (shown && d.rows && d.kept > 0) {
        cs_summary_head head;
        cs_summary_columns(cs_arm_figures_weighted(&d), &d.probabilities,
                           "quantity", &head);
        cs_cells t = cs_cells_begin(head.column, head.n);
        cs_arm_figures_choose(run, &d, also, shown);
        cs_summary_rows(run, arm, &d, shown, &t);
        cs_cells_put(&t, m, p);
        cs_cells_fini(&t);
    }
    cs_arm_words(run, arm, NULL, &words);
    put_lines(m, words.text ? words.text : "", p);
    p->full |= words.full || !shown;
    cs_free(words.text);
    cs_free(shown);
    cs_arm_figures_free(&d);
}

typedef struct claim {
    const cs_flat *f;
    size_t i;
} claim;

static void claim_cell(const cs_column *c, const void *row,
                       cs_column_cell *cell)
{
    const claim *at = row;
    cs_flat_entry e;
    if (cs_flat_find(at->f->base, at->f->used, &e, "claim/%zu/%s", at->i,
                     c->key))
        cell->text = e.text;
}

static void table_of_claims(const cs_flat *f, const cs_markup *m, cs_page *p)
{
    static const cs_column columns[] = {
        {.name = "arm", .key = "arm", .get = claim_cell},
        {.name = "figure", .key = "figure", .get = claim_cell},
        {.name = "measured", .key = "as_measured", .get = claim_cell},
        {.name = "claimed", .key = "bound", .get = claim_cell},
        {.name = "paper", .key = "paper", .get = claim_cell},
        {.name = "verdict", .key = "verdict", .get = claim_cell},
    };
    cs_flat_entry e;
    cs_cells t = cs_cells_begin(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; cs_flat_find(f->base, f->used, &e, "claim/%zu/arm", i);
         i++)
        cs_cells_add(&t, &(claim){f, i});
    if (t.rows) {
        cs_markup_heading(m, "Claims", p);
        cs_cells_put(&t, m, p);
    }
    cs_cells_fini(&t);
}

void cs_summary_tables(cs_run *run, const cs_flat *claims, const char *also,
                       const cs_markup *m, cs_page *p)
{
    char line[256];
    cs_witnesses_look(run, NULL);
    snprintf(line, sizeof line,
             "Target %.100s; %llu steps, seed %llu; chainscope %s",
             cs_run_target(run)->name, (unsigned long long)cs_run_steps(run),
             (unsigned long long)cs_run_seed(run), CS_VERSION);
    cs_markup_paragraph(m, line, p);
    if (cs_run_ended(run))
        cs_markup_paragraph(m, cs_run_ended(run), p);
    table_of_arms(run, m, p);
    for (size_t i = 0; i < cs_run_arms(run); i++) {
        cs_markup_heading(m, cs_run_arm_name(run, i), p);
        table_of_figures(run, i, also, m, p);
    }
    if (claims)
        table_of_claims(claims, m, p);
}
