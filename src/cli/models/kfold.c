/* chainscope kfold FILE ...: exact cross-validation. A scenario runs once per
 * fold of its data, without the rows of the fold, and is judged by the log
 * predictive densities of these rows (lua/chainscope/kfold.lua). The folds of all
 * scenarios are jobs of a queue (cli/many/queue.h). */
#include "base/memory.h"
#include "cli/front/front.h"
#include "cli/many/queue.h"
#include "cli/models/model_answer.h"
#include "cli/models/table_output.h"
#include "stat/model_comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FOLDS = 100000 };

/* A scenario: its first job, and the number of its folds. */
typedef struct model {
    char name[CS_MODEL_NAME];
    size_t first, folds;
    cs_loo_sum sum;
    double mcse; /* Monte Carlo error of the sum */
} model;

typedef struct folding {
    const cs_args *args;
    model model[CS_STACKED];
    size_t n, rows; /* number of models; rows of each */
    double *elpd;   /* [n][rows] [own] */
    cs_queue *queue;
} folding;

/* ---- the jobs ---- */

static const model *model_of(const folding *f, size_t job)
{
    size_t k = f->n - 1;
    while (k > 0 && job < f->model[k].first)
        k--;
    return &f->model[k];
}

static const char *path_of(const folding *f, const model *m)
{
    return f->args->word[m - f->model];
}

static const char *file_of(void *of, size_t i)
{
    const folding *f = of;
    return path_of(f, model_of(f, i));
}

static bool write_job(const folding *f, const model *m, size_t fold,
                      cs_job *job)
{
    static const char *const fields[] = {"steps", "chains", "seed"};
    const char *folds = cs_args_value(f->args, "folds");
    bool fits = cs_queue_job(job, path_of(f, m), f->args);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *value = cs_args_value(f->args, fields[i]);
        if (value)
            fits = fits && cs_job_set(job, "%s=%s", fields[i], value);
    }
    return fits && cs_job_set(job, "fold=%zu/%s", fold + 1, folds ? folds : "");
}

static cs_status describe(void *of, size_t i, cs_job *job, cs_error *err)
{
    const folding *f = of;
    const model *m = model_of(f, i);
    snprintf(job->name, sizeof job->name, "%.100s without fold %zu", m->name,
             i - m->first + 1);
    job->query = "results fold";
    return write_job(f, m, i - m->first, job)
               ? CS_OK
               : cs_fail(err, CS_INPUT, "too many settings for one run");
}

/* Opens a model without its first fold, and reads the numbers of its rows and
 * folds. */
static cs_status ask_model(folding *f, model *m, size_t *rows, cs_error *err)
{
    static cs_job job;
    char *text = NULL;
    cs_status status = describe(f, m->first, &job, err);
    if (status == CS_OK)
        status = cs_queue_ask(f->args, &job, "results folds", &text, err);
    if (status == CS_OK && sscanf(text, "%zu %zu", rows, &m->folds) != 2)
        status = cs_fail(err, CS_INTERNAL,
                         "unexpected answer from the session: '%s'", text);
    free(text);
    return status;
}

static cs_status ask_models(folding *f, cs_error *err)
{
    size_t jobs = 0, rows = 0;
    cs_status status = CS_OK;
    for (size_t i = 0; i < f->args->n_words && status == CS_OK; i++) {
        model *m = &f->model[f->n++];
        const char *path = f->args->word[i], *name = strrchr(path, '/');
        snprintf(m->name, sizeof m->name, "%s", name ? name + 1 : path);
        m->name[strcspn(m->name, ".")] = 0;
        m->first = jobs;
        status = ask_model(f, m, &rows, err);
        jobs += m->folds;
        if (status == CS_OK && i > 0 && rows != f->rows) {
            cs_fail(err, CS_INPUT, "%s has %zu rows and %s has %zu",
                    f->model[0].name, f->rows, m->name, rows);
            cs_hint(err, "compare models of the same data");
            status = CS_INPUT;
        }
        f->rows = rows;
    }
    if (status == CS_OK && jobs > MOST_FOLDS)
        status = cs_fail(err, CS_RANGE, "more than %d folds", MOST_FOLDS);
    return status;
}

/* ---- results ---- */

/* Adds the lines "row density error" of a fold. */
static cs_status take_fold(folding *f, model *m, size_t job, cs_loo *point,
                           cs_error *err)
{
    enum { ROW, DENSITY, ERROR, FIELDS };
    const cs_result *r = cs_queue_result(f->queue, job);
    char *copy = r->text ? cs_copy_text(r->text) : NULL, *at = copy;
    char *field[FIELDS];
    if (!copy)
        return cs_fail(err, r->failure ? CS_INPUT : CS_MEMORY,
                       "%s without fold %zu: %s", m->name, job - m->first + 1,
                       r->failure ? r->failure : "out of memory");
    while (cs_model_line(&at, field, FIELDS)) {
        size_t row = strtoul(field[ROW], NULL, 10);
        if (row < 1 || row > f->rows)
            continue;
        double error = strtod(field[ERROR], NULL);
        point[row - 1] = (cs_loo){.elpd = strtod(field[DENSITY], NULL)};
        m->mcse += error * error;
    }
    cs_free(copy);
    return CS_OK;
}

static cs_status gather(folding *f, cs_error *err)
{
    cs_loo *point = cs_alloc(f->rows, sizeof *point);
    f->elpd = cs_alloc(f->n * f->rows, sizeof *f->elpd);
    cs_status status = point && f->elpd ? CS_OK
                                        : cs_fail(err, CS_MEMORY,
                                                  "out of memory for the rows");
    for (size_t k = 0; k < f->n && status == CS_OK; k++) {
        model *m = &f->model[k];
        for (size_t i = 0; i < f->rows; i++)
            point[i] = (cs_loo){.elpd = (double)NAN};
        for (size_t i = 0; i < m->folds && status == CS_OK; i++)
            status = take_fold(f, m, m->first + i, point, err);
        m->sum = cs_loo_total(point, f->rows);
        m->mcse = sqrt(m->mcse);
        for (size_t i = 0; i < f->rows; i++)
            f->elpd[k * f->rows + i] = point[i].elpd;
    }
    cs_free(point);
    return status;
}

typedef struct line {
    const char *model;
    double elpd, elpd_error, mcse, difference, error, weight, folds,
        observations;
} line;

#define AT(member) CS_AT(line, member)
static const cs_column columns[] = {
    CS_COLUMN("model", "model", WORDS, 0, AT(model)),
    CS_COLUMN("elpd_kfold", "elpd_kfold", FIXED, 1, AT(elpd),
              .error = "se_elpd_kfold"),
    CS_COLUMN("mcse", "mcse_elpd_kfold", FIXED, 3, AT(mcse)),
    CS_COLUMN("difference", "elpd_diff", FIXED, 1, AT(difference),
              .error = "se_diff"),
    CS_COLUMN("weight", "weight", FIXED, 3, AT(weight)),
    CS_COLUMN("folds", "folds", FIXED, 0, AT(folds)),
    CS_COLUMN("observations", "observations", FIXED, 0, AT(observations)),
};

static cs_status write_table(folding *f, const cs_table_output *to,
                             cs_error *err)
{
    cs_model_rank rank[CS_STACKED];
    cs_status status = gather(f, err);
    if (status)
        return status;
    if (!cs_models_rank(f->elpd, f->n, f->rows, rank))
        return cs_fail(err, CS_MEMORY, "out of memory for the comparison");
    cs_cells t = cs_cells_begin(columns, sizeof columns / sizeof *columns);
    t.indent = 0;
    t.right = true;
    for (size_t i = 0; i < f->n; i++) {
        const model *m = &f->model[rank[i].model];
        line one = {m->name,        m->sum.elpd,        m->sum.elpd_error,
                    m->mcse,        rank[i].difference, rank[i].error,
                    rank[i].weight, (double)m->folds,   (double)f->rows};
        cs_cells_add(&t, &one);
    }
    status = cs_table_write(to, &t, "models", NULL, err);
    cs_cells_fini(&t);
    return status;
}

/* ---- the command ---- */

static int run_folds(folding *f, const cs_table_output *to)
{
    cs_error err = {0};
    if (ask_models(f, &err))
        return cs_complain(&err);
    const model *last = &f->model[f->n - 1];
    const cs_queue_spec spec = {.args = f->args,
                                .jobs = last->first + last->folds,
                                .describe = describe,
                                .file = file_of,
                                .of = f};
    if (cs_queue_open(&f->queue, &spec, &err))
        return cs_complain(&err);
    cs_status status = cs_queue_work(f->queue, &err);
    int code = cs_queue_say_end(f->queue, status, &err);
    if (code >= 0)
        return code;
    return write_table(f, to, &err) ? cs_complain(&err) : CS_EXIT_OK;
}

static cs_status check_folds(const cs_args *args, cs_error *err)
{
    uint64_t folds;
    cs_status status = cs_args_count(args, "folds", 0, &folds, err);
    if (status == CS_OK && cs_args_value(args, "folds") && folds < 2)
        status = cs_fail(err, CS_RANGE, "--folds must be at least 2");
    return status;
}

static int kfold(const cs_args *args)
{
    static folding f;
    cs_error err = {0};
    cs_table_output to;
    f = (folding){.args = args};
    if (cs_table_choose(args, &to, &err) || check_folds(args, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    int code = run_folds(&f, &to);
    cs_queue_close(f.queue);
    cs_free(f.elpd);
    return code;
}

static const cs_option options[] = {
    {"folds", "N",
     "number of folds (default: the scenario's value, or 10); the number of "
     "rows for leave-one-out"},
    {"steps", "N", "steps per chain, instead of the scenario's budget"},
    {"chains", "N", "chains per arm"},
    {"seed", "N", "seed of the runs; the folds do not depend on it"},
    {"set", "ARM.PARAM=V", "change a parameter of all runs; may be repeated"},
    CS_TABLE_OPTIONS,
    CS_QUEUE_OPTIONS,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_kfold = {
    .name = "kfold",
    .args = "FILE ...",
    .help = "compare models by exact cross-validation",
    .more =
        "Each fold of the rows is a separate run, without these rows. A "
        "target with\nlog_lik = \"terms\" is divided by rows; other "
        "scenarios have the field `kfold`\n(cs.help \"kfold\"), with the "
        "number of rows and a model of some of them.\n\n"
        "elpd_kfold is the sum of the log predictive densities of all rows, "
        "with its\nstandard error; mcse is its Monte Carlo error. "
        "difference is that to the best\nmodel, and weight the stacking "
        "weight. All models have the same folds, if they\nhave the same "
        "rows.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = CS_STACKED,
    .main = kfold,
};
