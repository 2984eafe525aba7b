/* B07 and B08: minibatch kernels on tall data, compared with our own MALA on
 * all rows. There are two targets (Yuan and Wang 2026, sections 5.1 and 5.2):
 * robust regression with 1e5 (and 1e6) rows of ten predictors in a ball, and
 * the mean of 1e5 normal rows of twenty coordinates in a cube. Each kernel has
 * its best step size. The case compares three results: the time per step, the
 * effective draws per second, and the effective draws per data term. Effective
 * draws are those of the coordinate with the fewest effective draws. */
#include "base/memory.h"
#include "bench/bench.h"
#include "run/draws/kept_draws.h"
#include "run/run.h"
#include "run/views/view.h"
#include "stat/diagnostics.h"

#include <math.h>
#include <stdio.h>

enum { WARM_UP = 500, DIM = 20 };

/* A kernel, its step size, the number of steps that are timed per round, and
 * the number of steps from which effective draws are estimated. */
typedef struct player {
    const char *kernel;
    double step;
    size_t timed, counted;
} player;

typedef struct tall_case {
    const char *id, *title;
    const char *target;
    double rows, dim, beta, lambda;
    player ours, peer;
    double must_time, must_draws, must_terms; /* required ratios of the time, of
                                               * effective draws per second, and
                                               * of effective draws per data
                                               * term; NAN: no requirement */
    const char *bound;                        /* bound on the terms, or NULL */
} tall_case;

#define ROBUST(n, b) "robust_regression", n, 10, b, 0.01
#define NORMAL "truncated_gaussian", 1e5, 20, 1e-5, 0.0005

static const double none = (double)NAN;
static const tall_case cases[] = {
    {"B07",
     "robust regression, 1e5 rows: poisson_mala, mala",
     ROBUST(1e5, 1e-4),
     {"poisson_mala", 0.5, 2000, 20000},
     {"mala", 0.5, 150, 3000},
     none,
     20,
     90,
     NULL},
    {"B07",
     "robust regression, 1e5 rows: poisson_mala, poisson_mh",
     ROBUST(1e5, 1e-4),
     {"poisson_mala", 0.5, 2000, 20000},
     {"poisson_mh", 0.25, 2000, 60000},
     none,
     4.5,
     none,
     NULL},
    {"B07m",
     "robust regression, 1e6 rows: poisson_mala, mala",
     ROBUST(1e6, 1e-5),
     {"poisson_mala", 0.5, 1000, 20000},
     {"mala", 0.5, 15, 0},
     200,
     none,
     none,
     NULL},
    {"B08",
     "normal rows in a cube: poisson_mala, mala",
     NORMAL,
     {"poisson_mala", 0.33, 300, 8000},
     {"mala", 0.33, 100, 3000},
     none,
     2.5,
     8,
     "eigenvalue"},
    {"B08s",
     "B08 with sharp bounds: poisson_mala, mala",
     NORMAL,
     {"poisson_mala", 0.33, 300, 8000},
     {"mala", 0.33, 100, 3000},
     none,
     none,
     none,
     "coordinates"},
};

static cs_status open_run(const tall_case *c, const player *p, size_t keep,
                          cs_run **run, cs_error *err)
{
    const cs_value target[] = {cs_bench_value("rows", c->rows),
                               cs_bench_value("dim", c->dim),
                               cs_bench_value("beta", c->beta),
                               {.name = "bound",
                                .kind = CS_PARAM_TEXT,
                                .text = c->bound,
                                .given = c->bound != NULL}};
    const cs_value kernel[] = {cs_bench_value("step", p->step),
                               cs_bench_value("lambda", c->lambda)};
    bool draws_rows = p->kernel[0] == 'p';
    double start[DIM] = {0};
    for (size_t j = 0; j < DIM && c->dim == 10; j++)
        start[j] = 1;
    return cs_bench_open(
        &(cs_bench_setting){.target = c->target,
                            .target_values = target,
                            .n_target_values = c->bound ? 4 : 3,
                            .kernel = p->kernel,
                            .kernel_values = kernel,
                            .n_kernel_values = draws_rows + 1,
                            .chains = 1,
                            .keep = keep,
                            .start = start},
        run, err);
}

/* Measures two results: the effective draws per step, for the coordinate with
 * the fewest effective draws, and the data terms per step. */
static cs_status count_draws(const tall_case *c, const player *p, double *draws,
                             double *terms, cs_error *err)
{
    size_t n = p->counted, dim = (size_t)c->dim, row = 1 + dim;
    cs_run *run = NULL;
    uint64_t done;
    double *kept = cs_alloc((n + WARM_UP) * (row + 1), sizeof *kept);
    cs_status s =
        kept ? open_run(c, p, n + WARM_UP, &run, err)
             : cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    if (!s)
        s = cs_run_advance(run, n + WARM_UP, &done, err);
    double least = (double)n, *one = kept ? kept + (n + WARM_UP) * row : NULL;
    size_t got = s ? 0 : cs_run_draws(run, 0, 0, kept, &done);
    for (size_t j = 0; got >= n && j < dim; j++) {
        for (size_t i = 0; i < n; i++)
            one[i] = kept[(got - n + i) * row + 1 + j];
        least = fmin(least, cs_ess_mean((cs_draws){one, n, 1}, NULL));
    }
    *draws = got >= n ? least / (double)n : (double)NAN;
    if (!s)
        *terms =
            (double)cs_run_arm(run, 0).work.data_terms / (double)(n + WARM_UP);
    cs_run_destroy(run);
    cs_free(kept);
    return s;
}

/* Measures the seconds per step of both kernels. The runs of the two kernels
 * alternate. */
static cs_status time_steps(const tall_case *c, const cs_bench_plan *plan,
                            cs_bench_row *row, cs_error *err)
{
    double seconds[2][CS_BENCH_ROUNDS], ratio[CS_BENCH_ROUNDS];
    const player *const p[] = {&c->ours, &c->peer};
    cs_run *run[2] = {NULL, NULL};
    cs_status s = CS_OK;
    for (size_t k = 0; !s && k < 2; k++) {
        s = open_run(c, p[k], 2, &run[k], err);
        if (!s)
            s = cs_bench_advance(run[k], p[k]->timed, &seconds[k][0], err);
    }
    for (size_t i = 0; !s && i < plan->rounds; i++) {
        for (size_t k = 0; !s && k < 2; k++) {
            s = cs_bench_advance(run[k], p[k]->timed, &seconds[k][i], err);
            seconds[k][i] /= (double)p[k]->timed;
        }
        ratio[i] = seconds[1][i] / seconds[0][i];
    }
    cs_run_destroy(run[0]);
    cs_run_destroy(run[1]);
    if (s)
        return s;
    row->ours = 1e6 * cs_bench_median(seconds[0], plan->rounds);
    row->peer = 1e6 * cs_bench_median(seconds[1], plan->rounds);
    row->ratio = cs_bench_median(ratio, plan->rounds);
    return CS_OK;
}

static void print(const tall_case *c, const char *what, const char *unit,
                  double ours, double peer, double must,
                  const cs_bench_plan *plan)
{
    char title[128];
    snprintf(title, sizeof title, "%s, %s", c->title, what);
    cs_bench_row row = cs_bench_row_of(c->id, title, unit);
    row.ours = ours;
    row.peer = peer;
    row.ratio = peer / ours;
    row.must = must;
    cs_bench_print(&row, plan);
}

static cs_status run_case(const tall_case *c, const cs_bench_plan *plan,
                          cs_error *err)
{
    cs_bench_row time = cs_bench_row_of(c->id, c->title, "us");
    double draws[2], terms[2];
    cs_status s = time_steps(c, plan, &time, err);
    if (s)
        return s;
    print(c, "a step", "us", time.ours, time.peer, c->must_time, plan);
    if (!c->peer.counted)
        return CS_OK;
    s = count_draws(c, &c->ours, &draws[0], &terms[0], err);
    if (!s)
        s = count_draws(c, &c->peer, &draws[1], &terms[1], err);
    if (s)
        return s;
    print(c, "an effective draw", "us", time.ours / draws[0],
          time.peer / draws[1], c->must_draws, plan);
    print(c, "terms for one", "terms", terms[0] / draws[0], terms[1] / draws[1],
          c->must_terms, plan);
    return CS_OK;
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    cs_status s = CS_OK;
    for (size_t i = 0; !s && i < sizeof cases / sizeof *cases; i++)
        if (cs_bench_wants(plan, cases[i].id))
            s = run_case(&cases[i], plan, err);
    return s;
}

const cs_bench_case cs_bench_case_tall = {
    .run = run_cases,
};
