/* chainscope compare MODEL ...: compares models by leave-one-out
 * cross-validation. chainscope loo MODEL ...: prints its result for each
 * observation. */
#include "base/memory.h"
#include "cli/front/front.h"
#include "cli/front/print_summary.h"
#include "cli/models/model_answer.h"
#include "cli/models/table_output.h"
#include "stat/model_comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model: an arm of a word. */
typedef struct model {
    char *name;
    size_t first, n; /* its observations in the list of all */
    cs_loo_sum sum;
} model;

typedef struct observation {
    char *name;
    cs_loo loo;
} observation;

typedef struct models {
    model *model;     /* [n] [own] */
    observation *row; /* [rows] [own] */
    size_t n, capacity, rows, row_capacity;
    bool stopped, warned;
} models;

static void free_models(models *m)
{
    for (size_t i = 0; i < m->n; i++)
        cs_free(m->model[i].name);
    for (size_t i = 0; i < m->rows; i++)
        cs_free(m->row[i].name);
    CS_FREE_ALL(m->model, m->row);
}

/* ---- reading answers ---- */

enum { ARM, NAME, ELPD, SHAPE, LPD, WAIC, ERROR, RELIABLE, FIELDS };

static cs_status add_model(models *m, const char *name, cs_error *err)
{
    if (m->n == CS_STACKED) {
        cs_fail(err, CS_RANGE, "more than %d models", CS_STACKED);
        cs_hint(err, "compare fewer models; each arm is a model");
        return CS_RANGE;
    }
    char *copy = cs_copy_text(name);
    if (!copy || !CS_GROW(m->model, m->n, m->capacity, 1)) {
        cs_free(copy);
        return cs_fail(err, CS_MEMORY, "out of memory for the models");
    }
    m->model[m->n++] = (model){.name = copy, .first = m->rows};
    return CS_OK;
}

static cs_status add_row(models *m, char *const *field, cs_error *err)
{
    char *copy = cs_copy_text(field[NAME]);
    if (!copy || !CS_GROW(m->row, m->rows, m->row_capacity, 1)) {
        cs_free(copy);
        return cs_fail(err, CS_MEMORY, "out of memory for the observations");
    }
    m->row[m->rows++] =
        (observation){copy,
                      {.elpd = strtod(field[ELPD], NULL),
                       .k = strtod(field[SHAPE], NULL),
                       .lpd = strtod(field[LPD], NULL),
                       .waic = strtod(field[WAIC], NULL),
                       .error = strtod(field[ERROR], NULL),
                       .reliable = strtod(field[RELIABLE], NULL)}};
    m->model[m->n - 1].n++;
    return CS_OK;
}

/* Gives the arms of a word the names "WORD: ARM" if it has several. */
static cs_status name_arms(models *m, size_t first, const char *word,
                           cs_error *err)
{
    bool several = m->n > first + 1;
    for (size_t i = first; i < m->n; i++) {
        char text[2 * CS_MODEL_NAME + 8];
        snprintf(text, sizeof text, "%s%s%s", word, several ? ": " : "",
                 several ? m->model[i].name : "");
        char *copy = cs_copy_text(text);
        if (!copy)
            return cs_fail(err, CS_MEMORY, "out of memory for the models");
        cs_free(m->model[i].name);
        m->model[i].name = copy;
    }
    return CS_OK;
}

static cs_status take_answer(models *m, const cs_model_answer *asked,
                             cs_error *err)
{
    char *field[FIELDS], *at = asked->text;
    size_t first = m->n;
    cs_status status = CS_OK;
    while (status == CS_OK && cs_model_line(&at, field, FIELDS)) {
        if (m->n == first || strcmp(m->model[m->n - 1].name, field[ARM]) != 0)
            status = add_model(m, field[ARM], err);
        if (status == CS_OK)
            status = add_row(m, field, err);
    }
    m->stopped |= asked->stopped;
    m->warned |= asked->warned;
    return status ? status : name_arms(m, first, asked->name, err);
}

/* Opens all models. Two words may have the same name; the whole words are then
 * the names of their models. */
static int read_models(models *m, const cs_args *args, cs_error *err)
{
    char query[512] = "loo";
    const char *quantity = cs_args_value(args, "log-lik");
    if (quantity && !cs_front_add(query, sizeof query, quantity)) {
        cs_fail(err, CS_INPUT, "the name of --log-lik is too long");
        cs_complain(err);
        return CS_EXIT_USAGE;
    }
    for (size_t i = 0; i < args->n_words; i++) {
        cs_model_answer asked;
        cs_status status = cs_model_ask(args, args->word[i], "?log_likelihood",
                                        query, &asked, err);
        for (size_t k = 0; k < m->n && status == CS_OK && !asked.named; k++)
            if (strcmp(m->model[k].name, asked.name) == 0)
                snprintf(asked.name, sizeof asked.name, "%s", args->word[i]);
        if (status == CS_OK)
            status = take_answer(m, &asked, err);
        free(asked.text);
        if (status)
            return cs_model_failed(&asked, err);
    }
    for (size_t i = 0; i < m->n; i++) {
        model *one = &m->model[i];
        cs_loo *point = cs_alloc(one->n, sizeof *point);
        for (size_t k = 0; point && k < one->n; k++)
            point[k] = m->row[one->first + k].loo;
        if (point)
            one->sum = cs_loo_total(point, one->n);
        cs_free(point);
    }
    return CS_EXIT_OK;
}

/* ---- warnings ---- */

/* Names the observations of a model whose Pareto k is too large, the first ones
 * if there are many. */
static void warn_of(const models *m, const model *one)
{
    enum { MOST = 10 };
    size_t named = 0;
    if (!one->sum.bad)
        return;
    fprintf(stderr,
            "chainscope: %s: Pareto k is above %.2g for %zu of %zu "
            "observations:",
            one->name, one->sum.reliable, one->sum.bad, one->n);
    for (size_t k = 0; k < one->n && named < MOST; k++) {
        const observation *o = &m->row[one->first + k];
        if (o->loo.k > o->loo.reliable)
            fprintf(stderr, "%s %s (%.2f)", named++ ? "," : "", o->name,
                    o->loo.k);
    }
    if (one->sum.bad > named)
        fprintf(stderr, " and %zu more", one->sum.bad - named);
    fprintf(stderr, "; their densities are unreliable: use chainscope kfold\n");
}

static int end(const cs_args *args, const models *m, const cs_error *err,
               cs_status status)
{
    size_t bad = 0;
    if (status)
        return cs_complain(err);
    for (size_t i = 0; i < m->n; i++) {
        warn_of(m, &m->model[i]);
        bad += m->model[i].sum.bad;
    }
    if (m->stopped)
        return CS_EXIT_FAILED;
    return cs_args_value(args, "strict") && (bad || m->warned) ? CS_EXIT_WARNED
                                                               : CS_EXIT_OK;
}

/* ---- compare ---- */

typedef struct line {
    const char *model;
    double elpd, elpd_error, difference, error, weight, p, p_error, waic,
        waic_error, p_waic, bad, worst, observations;
} line;

#define AT(member) CS_AT(line, member)
static const cs_column columns[] = {
    CS_COLUMN("model", "model", WORDS, 0, AT(model)),
    CS_COLUMN("elpd_loo", "elpd_loo", FIXED, 1, AT(elpd),
              .error = "se_elpd_loo"),
    CS_COLUMN("difference", "elpd_diff", FIXED, 1, AT(difference),
              .error = "se_diff"),
    CS_COLUMN("weight", "weight", FIXED, 3, AT(weight)),
    CS_COLUMN("p_loo", "p_loo", FIXED, 1, AT(p), .error = "se_p_loo"),
    CS_COLUMN("elpd_waic", "elpd_waic", FIXED, 1, AT(waic),
              .error = "se_elpd_waic"),
    CS_COLUMN("p_waic", "p_waic", FIXED, 1, AT(p_waic)),
    CS_COLUMN("bad k", "bad_k", FIXED, 0, AT(bad)),
    CS_COLUMN("largest k", "max_k", FIXED, 2, AT(worst)),
    CS_COLUMN("observations", "observations", FIXED, 0, AT(observations)),
};

static line line_of(const models *m, const cs_model_rank *rank)
{
    const model *one = &m->model[rank->model];
    const cs_loo_sum *s = &one->sum;
    return (line){.model = one->name,
                  .elpd = s->elpd,
                  .elpd_error = s->elpd_error,
                  .difference = rank->difference,
                  .error = rank->error,
                  .weight = rank->weight,
                  .p = s->p,
                  .p_error = s->p_error,
                  .waic = s->waic,
                  .waic_error = s->waic_error,
                  .p_waic = s->p_waic,
                  .bad = (double)s->bad,
                  .worst = s->worst,
                  .observations = (double)one->n};
}

static cs_status refuse_unequal(const models *m, cs_error *err)
{
    const model *first = &m->model[0];
    for (size_t i = 1; i < m->n; i++) {
        if (m->model[i].n == first->n)
            continue;
        cs_fail(err, CS_INPUT, "%s has %zu observations and %s has %zu",
                first->name, first->n, m->model[i].name, m->model[i].n);
        cs_hint(err, "compare models of the same data");
        return CS_INPUT;
    }
    return CS_OK;
}

static cs_status write_comparison(const models *m, const cs_table_output *to,
                                  cs_error *err)
{
    cs_model_rank rank[CS_STACKED];
    cs_status status = refuse_unequal(m, err);
    if (status || m->n == 0)
        return status ? status : cs_fail(err, CS_INPUT, "no arm has draws");
    size_t n = m->model[0].n;
    double *elpd = cs_alloc(m->n * n, sizeof *elpd);
    for (size_t i = 0; elpd && i < m->rows; i++)
        elpd[i] = m->row[i].loo.elpd;
    bool good = elpd && cs_models_rank(elpd, m->n, n, rank);
    cs_free(elpd);
    if (!good)
        return cs_fail(err, CS_MEMORY, "out of memory for the comparison");
    cs_cells t = cs_cells_begin(columns, sizeof columns / sizeof *columns);
    t.indent = 0;
    t.right = true;
    for (size_t i = 0; i < m->n; i++) {
        line one = line_of(m, &rank[i]);
        cs_cells_add(&t, &one);
    }
    status = cs_table_write(to, &t, "models", NULL, err);
    cs_cells_fini(&t);
    return status;
}

/* ---- loo ---- */

typedef struct point_line {
    const char *model, *name;
    double elpd, error, p, k, waic, p_waic, reliable;
} point_line;

/* Marks a shape that is too large for the number of draws. */
static void shape_of(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const point_line *l = row;
    cell->value = l->k;
    if (!(l->k > l->reliable))
        return;
    snprintf(cell->buffer, sizeof cell->buffer, "%.*f!", c->digits, l->k);
    cell->text = cell->buffer;
    cell->mark = CS_CELL_BAD;
}

#define POINT(member) CS_AT(point_line, member)
static const cs_column point_columns[] = {
    CS_COLUMN("model", "model", WORDS, 0, POINT(model)),
    CS_COLUMN("observation", "observation", WORDS, 0, POINT(name)),
    CS_COLUMN("elpd_loo", "elpd_loo", FIXED, 3, POINT(elpd),
              .error = "mcse_elpd_loo"),
    CS_COLUMN("p_loo", "p_loo", FIXED, 3, POINT(p)),
    CS_COLUMN("Pareto k", "pareto_k", FIXED, 2, .get = shape_of),
    CS_COLUMN("elpd_waic", "elpd_waic", FIXED, 3, POINT(waic)),
    CS_COLUMN("p_waic", "p_waic", FIXED, 3, POINT(p_waic)),
};

static cs_status write_points(const models *m, const cs_table_output *to,
                              cs_error *err)
{
    cs_cells t =
        cs_cells_begin(point_columns, sizeof point_columns / sizeof(cs_column));
    t.indent = 0;
    t.right = true;
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < m->model[i].n; k++) {
            const observation *o = &m->row[m->model[i].first + k];
            const cs_loo *l = &o->loo;
            point_line one = {m->model[i].name, o->name,          l->elpd,
                              l->error,         l->lpd - l->elpd, l->k,
                              l->waic,          l->lpd - l->waic, l->reliable};
            cs_cells_add(&t, &one);
        }
    cs_status status = cs_table_write(to, &t, "observations", NULL, err);
    cs_cells_fini(&t);
    return status;
}

/* ---- the sub-commands ---- */

typedef cs_status write_table(const models *m, const cs_table_output *to,
                              cs_error *err);

/* Reads the models and writes a table of them. */
static int print_models(const cs_args *args, write_table *write)
{
    cs_error err = {0};
    models m = {.n = 0};
    cs_table_output to;
    if (cs_table_choose(args, &to, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    int code = read_models(&m, args, &err);
    if (code == CS_EXIT_OK)
        code = end(args, &m, &err, write(&m, &to, &err));
    free_models(&m);
    return code;
}

static int compare(const cs_args *args)
{
    return print_models(args, write_comparison);
}

static int loo(const cs_args *args)
{
    return print_models(args, write_points);
}

#define MODELS                                                                 \
    "A MODEL is a scenario, which is run to the end of its budget, a folder "  \
    "written by\nrun --out, or files of draws (formats: see summary --help): " \
    "[NAME=]FILE[,FILE...].\nSeveral files are chains; each arm is a model. "  \
    "The draws need the log likelihood for\neach observation: a quantity "     \
    "log_lik, or the group log_likelihood of netCDF.\n\n"
#define EXITS                                                                  \
    "Observations whose Pareto k is too large (above 0.7, or less for fewer "  \
    "than 2200 draws)\nare named on stderr. Exit status 1: a file is damaged " \
    "or a chain stopped. Exit status 2:\na file is not a file of draws. Exit " \
    "status 3, with --strict: such an observation, or\nan arm has a "          \
    "warning.\n"

static const cs_option options[] = {
    {"log-lik", "NAME",
     "the quantity with the log likelihood of each "
     "observation (log_lik)"},
    CS_TABLE_OPTIONS,
    CS_MODEL_OPTIONS,
    CS_STRICT_OPTION,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_compare = {
    .name = "compare",
    .args = "MODEL MODEL ...",
    .help = "compare models by leave-one-out cross-validation",
    .more = MODELS
    "elpd_loo is the leave-one-out log predictive density (PSIS-LOO) with its "
    "standard\nerror, and difference is that to the best model, with the "
    "error of the paired\ndifferences. weight is the stacking "
    "weight.\n\n" EXITS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = compare,
};

const cs_subcommand cs_subcommand_loo = {
    .name = "loo",
    .args = "MODEL ...",
    .help = "print the leave-one-out density and Pareto k of each observation",
    .more = MODELS
    "elpd_loo has its Monte Carlo error. p_loo is the log density at the "
    "fit to all data\nminus elpd_loo.\n\n" EXITS,
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_ARGS_WORDS,
    .main = loo,
};
