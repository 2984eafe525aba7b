#include "run/arm_figures.h"
#include "run/summary.h"

#include "base/memory.h"
#include "run/warned.h"
#include "run/witnesses.h"
#include "stat/worst.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL = CS_FIGURE_NAME, MOST_CELLS = 12 };

/* A row that is being filled. */
typedef struct cells {
    char text[MOST_CELLS][CELL];
    const char *at[MOST_CELLS]; /* of text */
    size_t n;
} cells;

static char *next_cell(cells *c)
{
    c->at[c->n] = c->text[c->n];
    return c->text[c->n++];
}

static void add_text(cells *c, const char *text)
{
    snprintf(next_cell(c), CELL, "%s", text);
}

static void add_count(cells *c, uint64_t n)
{
    snprintf(next_cell(c), CELL, "%llu", (unsigned long long)n);
}

static void add_number(cells *c, double x, int digits)
{
    char *out = next_cell(c);
    if (isnan(x))
        strcpy(out, "-");
    else if (digits)
        snprintf(out, CELL, "%.*f", digits, x);
    else
        snprintf(out, CELL, "%.4g", x);
}

static void put_row(const cs_markup *m, cells *c, cs_page *p)
{
    cs_markup_row(m, c->at, c->n, p);
}

/* The largest R-hat and the least bulk size of an arm. */
static void worst_of(const cs_arm_figures *d, double *rhat, double *bulk)
{
    size_t first = cs_arm_figures_first(d);
    size_t n = d->rows > first ? d->rows - first : 0;
    const cs_figures *row = n ? d->table + first : NULL;
    *rhat = cs_figures_extreme(row, n, CS_COLUMN_RHAT, true);
    *bulk = cs_figures_extreme(row, n, CS_COLUMN_BULK, false);
}

static void row_of_arm(cs_run *run, size_t arm, const cs_markup *m, cs_page *p)
{
    cells c = {.n = 0};
    bool tells;
    double rhat, bulk;
    cs_arm_view v = cs_run_arm(run, arm);
    cs_arm_figures d = cs_arm_figures_read(run, arm);
    worst_of(&d, &rhat, &bulk);
    add_text(&c, v.name);
    add_text(&c, v.kernel->type->name);
    add_count(&c, v.chains);
    add_count(&c, v.steps);
    add_number(&c, cs_arm_acceptance(run, arm, &tells), 3);
    add_count(&c, v.work.log_densities);
    add_count(&c, v.work.gradients);
    add_count(&c, v.work.data_terms);
    add_number(&c, rhat, 3);
    add_number(&c, bulk, 0);
    put_row(m, &c, p);
    cs_arm_figures_free(&d);
}

static void table_of_arms(cs_run *run, const cs_markup *m, cs_page *p)
{
    static const char *const head[] = {
        "arm",           "kernel",    "chains",     "steps", "accepted",
        "log densities", "gradients", "data terms", "R-hat", "ESS (bulk)"};
    size_t n = sizeof head / sizeof *head;
    cs_markup_table(m, head, n, 2, p);
    for (size_t i = 0; i < cs_run_arms(run); i++)
        row_of_arm(run, i, m, p);
    cs_markup_end(m, p);
}

static void row_of_figures(const cs_run *run, const cs_arm_figures *d,
                           size_t row, const cs_markup *m, cs_page *p)
{
    cells c = {.n = 0};
    size_t n;
    const cs_figure_column *columns = cs_figure_columns(d->quantiles, &n);
    cs_arm_figures_name(run, row, next_cell(&c));
    for (size_t j = 0; j < n; j++)
        add_number(&c, cs_figure_value(d, row, &columns[j]), columns[j].digits);
    for (size_t j = 0; d->quantiles && j < CS_QUANTILES; j++)
        add_number(&c, d->quantiles[row].at[j], 0);
    put_row(m, &c, p);
}

static void head_of_figures(const cs_arm_figures *d, const cs_markup *m,
                            cs_page *p)
{
    cells c = {.n = 0};
    size_t n;
    const cs_figure_column *columns = cs_figure_columns(d->quantiles, &n);
    add_text(&c, "quantity");
    for (size_t j = 0; j < n; j++)
        add_text(&c, columns[j].type->name);
    for (size_t j = 0; d->quantiles && j < CS_QUANTILES; j++)
        add_text(&c, cs_quantile_names[j]);
    cs_markup_table(m, c.at, c.n, 1, p);
}

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

static void table_of_figures(cs_run *run, size_t arm, const cs_markup *m,
                             cs_page *p)
{
    cs_arm_figures d = cs_arm_figures_read(run, arm);
    bool *shown = cs_alloc(d.rows, sizeof *shown);
    cs_page words = {0};
    if (shown && d.rows && d.kept > 0) {
        cs_arm_figures_choose(run, &d, NULL, shown);
        head_of_figures(&d, m, p);
        for (size_t i = cs_arm_figures_first(&d); i < d.rows; i++)
            if (shown[i])
                row_of_figures(run, &d, i, m, p);
        cs_markup_end(m, p);
    }
    cs_arm_words(run, arm, NULL, &words);
    put_lines(m, words.text ? words.text : "", p);
    p->full |= words.full || !shown;
    cs_free(words.text);
    cs_free(shown);
    cs_arm_figures_free(&d);
}

static const char *text_of(const cs_flat *f, size_t i, const char *key)
{
    cs_flat_entry e;
    bool there = cs_flat_find(f->base, f->used, &e, "claim/%zu/%s", i, key);
    return there && e.text ? e.text : "";
}

static void table_of_claims(const cs_flat *f, const cs_markup *m, cs_page *p)
{
    static const char *const head[] = {"arm",     "figure", "measured",
                                       "claimed", "paper",  "verdict"};
    static const char *const keys[] = {"arm",   "figure", "as_measured",
                                       "bound", "paper",  "verdict"};
    enum { COLUMNS = sizeof keys / sizeof *keys };
    cs_flat_entry e;
    if (!cs_flat_find(f->base, f->used, &e, "claim/0/arm"))
        return;
    cs_markup_heading(m, "Claims", p);
    cs_markup_table(m, head, COLUMNS, COLUMNS, p);
    for (size_t i = 0; cs_flat_find(f->base, f->used, &e, "claim/%zu/arm", i);
         i++) {
        const char *cell[COLUMNS];
        for (size_t k = 0; k < COLUMNS; k++)
            cell[k] = text_of(f, i, keys[k]);
        cs_markup_row(m, cell, COLUMNS, p);
    }
    cs_markup_end(m, p);
}

void cs_summary_tables(cs_run *run, const cs_flat *claims, const cs_markup *m,
                       cs_page *p)
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
        table_of_figures(run, i, m, p);
    }
    if (claims)
        table_of_claims(claims, m, p);
}
