/* B10: logistic regression over the rows of a table. The built-in target, and a
 * term written in Lua, are compared with a plain loop that uses GSL. The rows
 * are x ~ N(0, I), ten numbers each, with y from a logistic model with
 * coefficients +-1 / sqrt(10); the prior is N(0, 100 I). The built-in target
 * also has an intercept. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/logistic.h"
#include "bench/others.h"
#include "bench/peer.h"
#include "files/open.h"
#include "rng/stream.h"
#include "run/draws/kept_draws.h"
#include "run/run.h"
#include "script/bind/lua_target.h"
#include "script/script.h"
#include "stat/diagnostics.h"
#include "target/eval.h"

#include <lauxlib.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { D = CS_BENCH_LOGISTIC, SEEDS = 5, STEPS = 2000, FILE_NAME = 64 };

/* The data, and both targets on these data. */
typedef struct stage {
    size_t n;
    double *x, *y, *e; /* [n][D], [n], [n] */
    char file[FILE_NAME];
    cs_script *script;
    cs_target *built_in; /* [own] */
    cs_target *term;     /* [owned by the script] */
} stage;

/* ---- data ---------------------------------------------------------------- */

static cs_status write_file(stage *s, cs_error *err)
{
    const char *folder = getenv("TMPDIR");
    snprintf(s->file, sizeof s->file, "%.40s/chainscope-XXXXXX",
             folder ? folder : "/tmp");
    bool good = cs_open_temporary(s->file, 0) &&
                cs_bench_logistic_write(s->file, s->n, s->x, s->y);
    return good ? CS_OK : cs_fail(err, CS_INPUT, "cannot write %s", s->file);
}

static cs_status open_targets(stage *s, cs_error *err)
{
    const cs_script_limits limits = {.trust = true};
    const cs_value given[] = {
        {.name = "file", .kind = CS_PARAM_TEXT, .text = s->file, .given = 1},
        {.name = "standardise", .kind = CS_PARAM_BOOL, .given = 1}};
    cs_status status = cs_target_create(cs_target_find("logistic_regression"),
                                        given, 2, &s->built_in, err);
    if (!status)
        status = cs_script_open(&s->script, &limits, err);
    if (status)
        return status;
    lua_State *L = cs_script_lua(s->script);
    lua_pushstring(L, s->file);
    lua_setglobal(L, "FILE");
    status =
        cs_script_load_text(s->script, cs_bench_logistic_code, "=bench", err);
    if (!status)
        status = cs_script_call(s->script, 0, 1, 60, err);
    if (!status)
        s->term = cs_script_to_target(L, -1);
    return status;
}

static cs_status open_stage(stage *s, size_t n, cs_error *err)
{
    *s = (stage){.n = n, .x = cs_alloc(n * (D + 2), sizeof *s->x)};
    if (!s->x)
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    s->y = s->x + n * D;
    s->e = s->y + n;
    cs_bench_logistic_make(s->n, s->x, s->y);
    cs_status status = write_file(s, err);
    if (!status)
        status = open_targets(s, err);
    unlink(s->file);
    return status;
}

static void close_stage(stage *s)
{
    cs_target_release(s->built_in);
    cs_script_destroy(s->script);
    cs_free(s->x);
}

/* ---- gradients ----------------------------------------------------------- */

/* Computes the gradient in the usual way: two products with the table, and a
 * loop between the two products. */
static double by_hand(const stage *s, const double *b, double *g)
{
    double logp = 0;
    cs_peer_product(s->x, s->n, D, false, b, s->e);
    for (size_t i = 0; i < s->n; i++) {
        double sign = s->y[i] > 0 ? 1 : -1, part = exp(-sign * s->e[i]);
        logp -= log1p(part);
        s->e[i] = sign * part / (1 + part);
    }
    cs_peer_product(s->x, s->n, D, true, s->e, g);
    for (size_t j = 0; j < D; j++) {
        logp -= b[j] * b[j] / 200;
        g[j] -= b[j] / 100;
    }
    return logp;
}

/* The memory for one chain on a target. The first coordinate of the built-in
 * target is the intercept; the other targets have no intercept. */
typedef struct one_chain {
    cs_eval e;
    double *x, *logp, *g;
    size_t skip;
} one_chain;

static bool open_chain(one_chain *c, const cs_target *t)
{
    size_t lanes = CS_PAD, dim = t->space.dim;
    c->x = cs_alloc((2 * dim + 1 + cs_eval_scratch_words(t)) * lanes,
                    sizeof *c->x);
    if (!c->x)
        return false;
    c->skip = dim - D;
    c->logp = c->x + dim * lanes;
    c->g = c->logp + lanes;
    for (size_t i = 0; i < D * lanes; i++)
        c->x[c->skip * lanes + i] = 0.1 * sin((double)(i / lanes) + 1);
    cs_eval_open(&c->e, t, lanes, 1, NULL, c->g + dim * lanes);
    return true;
}

/* Returns the seconds per gradient. The gradients are measured in trajectories
 * of ten, as in HMC; the last gradient of a trajectory also computes log p. */
static double time_chain(one_chain *c, size_t times)
{
    bool alone = c->e.target->type->gradient_alone;
    double start = cs_clock_thread();
    for (size_t k = 1; k <= 10 * times; k++)
        if (alone && k % 10)
            cs_eval_gradient_alone(&c->e, c->x, c->g);
        else
            cs_eval_gradient(&c->e, CS_NEXT, c->x, c->logp, c->g);
    return (cs_clock_thread() - start) / (double)(10 * times);
}

static volatile double sink;

static double time_peer(const stage *s, const one_chain *c, size_t times)
{
    double b[D], g[D], start = cs_clock_thread(), sum = 0;
    for (size_t j = 0; j < D; j++)
        b[j] = c->x[(c->skip + j) * CS_PAD];
    for (size_t k = 0; k < times; k++)
        sum += by_hand(s, b, g);
    sink = sum;
    return (cs_clock_thread() - start) / (double)times;
}

/* Returns true if the target and the hand-written loop give the same log
 * density and gradient. */
static bool agrees(const stage *s, one_chain *c)
{
    _Alignas(CS_ALIGN) double b[D], g[D];
    for (size_t j = 0; j < D; j++)
        b[j] = c->x[(c->skip + j) * CS_PAD];
    double logp = by_hand(s, b, g);
    cs_eval_gradient(&c->e, CS_NEXT, c->x, c->logp, c->g);
    bool same = fabs(c->logp[0] - logp) <= 1e-9 * fabs(logp);
    for (size_t j = 0; j < D; j++)
        same = same &&
               fabs(c->g[(c->skip + j) * CS_PAD] - g[j]) <= 1e-9 * (double)s->n;
    return same;
}

static cs_status compare(const stage *s, const char *id, const char *what,
                         const cs_target *t, double must,
                         const cs_bench_plan *plan, cs_error *err)
{
    double ours[CS_BENCH_ROUNDS], peer[CS_BENCH_ROUNDS];
    double ratio[CS_BENCH_ROUNDS];
    size_t times = 1 + 100000 / s->n;
    one_chain c;
    if (!open_chain(&c, t))
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    bool same = agrees(s, &c);
    for (size_t i = 0; same && i < plan->rounds; i++) {
        ours[i] = time_chain(&c, times);
        peer[i] = time_peer(s, &c, 3 * times);
        ratio[i] = peer[i] / ours[i];
    }
    cs_free(c.x);
    if (!same)
        return cs_fail(err, CS_INPUT, "%s: the two gradients differ", id);
    char title[128];
    snprintf(title, sizeof title,
             "logistic gradient of %zu rows in HMC of 10, %s", s->n, what);
    cs_bench_row row = cs_bench_row_of(id, title, "us");
    row.ours = 1e6 * cs_bench_median(ours, plan->rounds);
    row.peer = 1e6 * cs_bench_median(peer, plan->rounds);
    row.ratio = cs_bench_median(ratio, plan->rounds);
    row.must = must;
    cs_bench_print(&row, plan);
    return CS_OK;
}

/* ---- effective draws ----------------------------------------------------- */

/* Draws the number of leapfrog steps from 2 .. 6 with equal probability,
 * independently for every step. */
static void fill_leapfrogs(const cs_schedule *s, uint64_t first, size_t n,
                           double *out)
{
    (void)s;
    for (size_t i = 0; i < n; i++) {
        uint64_t word[2];
        cs_threefry2x64(20, (const uint64_t[]){first + i, 0},
                        (const uint64_t[]){1, 2}, word);
        out[i] = 2 + (double)(word[0] % 5);
    }
}

static const cs_schedule_type leapfrogs = {
    .name = "leapfrogs", .flags = CS_SCHEDULE_HIDDEN, .fill = fill_leapfrogs};

/* A sampler: HMC with a given step size, or the self-tuning No-U-Turn
 * sampler. */
typedef struct sampler {
    const char *kernel;
    bool by_hand;
    size_t warm_up;
} sampler;

static const sampler hmc = {"hmc", true, 200}, nuts = {"nuts", false, 1000};

static cs_status make_arm(const sampler *by, cs_arm_spec *arm, cs_error *err)
{
    const cs_value given[] = {
        {.name = "step", .kind = CS_PARAM_REAL, .number = 0.06, .given = 1},
        {.name = "jitter", .kind = CS_PARAM_REAL, .number = 0, .given = 1}};
    cs_kernel *k = &arm->kernel;
    cs_status status = cs_kernel_init(k, cs_kernel_find(by->kernel), given,
                                      by->by_hand ? 2 : 0, err);
    if (status || !by->by_hand)
        return status;
    int at = cs_param_find(k->type->params, k->type->n_params, "leapfrogs");
    (void)cs_plan_drive(&arm->plan, (size_t)at,
                        &(cs_schedule){.type = &leapfrogs});
    return CS_OK;
}

static cs_status open_run(const stage *s, const sampler *by, uint64_t seed,
                          cs_run **run, cs_error *err)
{
    cs_arm_spec arm = {.name = by->kernel};
    cs_status status = make_arm(by, &arm, err);
    if (status)
        return status;
    double zero[D] = {0};
    const cs_run_spec spec = {.target = s->term,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = 1,
                              .seed = seed,
                              .start = zero,
                              .n_starts = 1,
                              .workers = 1,
                              .keep = STEPS + by->warm_up,
                              .rewind_bytes = 1};
    return cs_run_create(run, &spec, err);
}

/* Measures the seconds per effective draw, for the coefficient with the fewest
 * effective draws. The number of effective draws is capped at the number of
 * steps. */
static cs_status time_effective(const stage *s, const sampler *by,
                                uint64_t seed, double *seconds, cs_error *err)
{
    enum { ROW = 1 + D };
    const size_t all = STEPS + by->warm_up;
    cs_run *run = NULL;
    uint64_t done;
    double *draws = cs_alloc(all * (ROW + 1), sizeof *draws), least = STEPS;
    cs_status status =
        draws ? open_run(s, by, seed, &run, err)
              : cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    if (!status)
        status = cs_run_advance(run, by->warm_up, &done, err);
    double start = cs_clock_thread();
    if (!status)
        status = cs_run_advance(run, STEPS, &done, err);
    double used = cs_clock_thread() - start;
    for (size_t j = 0; !status && j < D; j++) {
        size_t n = cs_run_draws(run, 0, 0, draws, &done);
        double *one = draws + all * ROW;
        for (size_t i = 0; i < STEPS; i++)
            one[i] = draws[(n - STEPS + i) * ROW + 1 + j];
        least = fmin(least, cs_ess_mean((cs_draws){one, STEPS, 1}, NULL));
    }
    *seconds = used / least;
    cs_run_destroy(run);
    cs_free(draws);
    return status;
}

/* Computes the median of a measurement over several seeds. */
static cs_status time_seeds(const stage *s, const sampler *by, double *median,
                            cs_error *err)
{
    double seconds[SEEDS];
    for (uint64_t k = 0; k < SEEDS; k++) {
        cs_status status = time_effective(s, by, k + 1, &seconds[k], err);
        if (status)
            return status;
    }
    *median = cs_bench_median(seconds, SEEDS);
    return CS_OK;
}

static cs_status effective(const stage *s, const cs_bench_plan *plan,
                           cs_error *err)
{
    double seconds;
    cs_status status = time_seeds(s, &hmc, &seconds, err);
    if (status)
        return status;
    cs_bench_row row = cs_bench_row_of(
        "B10", "HMC of the term, step 0.06: one effective draw (rstan: 95)",
        "us");
    row.ours = 1e6 * seconds;
    row.ask = CS_ASK_MOST;
    row.must = 95 / 3.0;
    cs_bench_print(&row, plan);
    return CS_OK;
}

/* ---- comparison with other programs -------------------------------------- */

/* Compares our samplers (HMC and NUTS) with another program by the time per
 * effective draw. */
static cs_status draws_beside(const stage *s, const cs_bench_other *other,
                              const cs_bench_reported *reported,
                              const cs_bench_plan *plan, cs_error *err)
{
    static const sampler *const by[] = {&hmc, &nuts};
    static const cs_bench_beside row[] = {
        {"P10", "one effective draw, HMC of the term", "us", 1e-6,
         offsetof(cs_bench_reported, ess), 3},
        {"P10", "one effective draw, NUTS of the term", "us", 1e-6,
         offsetof(cs_bench_reported, ess), 3}};
    for (size_t i = 0; i < 2; i++) {
        double seconds;
        cs_status status = time_seeds(s, by[i], &seconds, err);
        if (status)
            return status;
        cs_bench_print_beside(&row[i], other, seconds, reported, plan);
    }
    return CS_OK;
}

static cs_status beside(const stage *s, const cs_bench_plan *plan,
                        cs_error *err)
{
    static const cs_bench_beside gradient = {
        "P10", "logistic gradient of 1000 rows",       "us",
        1e-6,  offsetof(cs_bench_reported, gradients), 4.5};
    cs_bench_reported reported;
    one_chain c;
    if (!open_chain(&c, s->built_in))
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    double one = time_chain(&c, 1 + 100000 / s->n);
    cs_free(c.x);
    bool here = cs_bench_consult(&cs_bench_rstan, &reported);
    cs_bench_print_beside(&gradient, &cs_bench_rstan, one,
                          here ? &reported : NULL, plan);
    cs_status status =
        draws_beside(s, &cs_bench_rstan, here ? &reported : NULL, plan, err);
    if (status)
        return status;
    here = cs_bench_consult(&cs_bench_jags, &reported);
    return draws_beside(s, &cs_bench_jags, here ? &reported : NULL, plan, err);
}

/* ---- a batch of the rows ------------------------------------------------- */

/* The minimal work of a step on a batch. It consists of four parts: fetching
 * the rows of the batch, computing the terms of the rows and their gradient,
 * computing the prior, and drawing the normal numbers of the move. The rows are
 * prefetched, as in a kernel. */
typedef struct batch_limit {
    cs_eval e;
    cs_streams s;
    cs_batch batch;
    uint32_t *row;
    size_t *first;
    uint64_t *chain, *word;
    double *x, *g, *logp, *scratch; /* pointers into one allocation */
    size_t n, live, lanes;
} batch_limit;

static cs_status open_limit(batch_limit *b, const cs_target *t, size_t live,
                            size_t n, cs_error *err)
{
    size_t lanes = cs_pad_lanes(live);
    *b = (batch_limit){.n = n, .live = live, .lanes = lanes};
    b->row = cs_alloc(n * live, sizeof *b->row);
    b->first = cs_alloc(live + 1, sizeof *b->first);
    b->chain = cs_alloc(lanes, sizeof *b->chain);
    b->word = cs_alloc(n * lanes, sizeof *b->word);
    b->x = cs_alloc((2 * D + n + 1 + cs_eval_scratch_words(t)) * lanes,
                    sizeof *b->x);
    if (!b->row || !b->first || !b->chain || !b->word || !b->x)
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    for (size_t l = 0; l < lanes; l++)
        b->chain[l] = l < live ? l : live - 1;
    for (size_t l = 0; l <= live; l++)
        b->first[l] = l * n;
    b->g = b->x + D * lanes;
    b->logp = b->g + D * lanes;
    b->scratch = b->logp + (n + 1) * lanes;
    b->batch = (cs_batch){.row = b->row, .first = b->first};
    b->s = cs_streams_of(1, 0, b->chain, lanes, live);
    cs_eval_open(&b->e, t, lanes, live, NULL, b->scratch);
    return CS_OK;
}

static void close_limit(batch_limit *b)
{
    CS_FREE_ALL(b->row, b->first, b->chain, b->word, b->x);
}

/* Returns the seconds per chain and step. */
static double time_limit(batch_limit *b, size_t rows, size_t times)
{
    double start = cs_clock_thread();
    for (size_t k = 1; k <= times; k++) {
        b->s.step = k;
        cs_fill_words(&b->s, CS_FOR_DATA, b->n, b->word);
        for (size_t l = 0; l < b->live; l++)
            for (size_t i = 0; i < b->n; i++)
                b->row[l * b->n + i] =
                    (uint32_t)((b->word[i * b->lanes + l] >> 32) * rows >> 32);
        cs_eval_fetch(&b->e, b->row, b->n * b->live);
        cs_fill_normal(&b->s, CS_FOR_PROPOSAL, D, b->g);
        cs_eval_prior(&b->e, b->x, b->logp, b->g);
        cs_eval_slope(&b->e, b->x, &b->batch, b->logp, b->g);
    }
    return (cs_clock_thread() - start) / (double)(times * b->live);
}

static cs_status open_batches(const stage *s, size_t chains, size_t n,
                              const char *order, cs_run **run, cs_error *err)
{
    const cs_value given[] = {
        cs_bench_value("rate", 1e-6),
        cs_bench_value("batch", (double)n),
        {.name = "order", .kind = CS_PARAM_TEXT, .given = 1, .text = order}};
    cs_arm_spec arm = {.name = "sgld"};
    cs_status status =
        cs_kernel_init(&arm.kernel, cs_kernel_find("sgld"), given, 3, err);
    double zero[D] = {0};
    const cs_run_spec spec = {.target = s->term,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = chains,
                              .seed = 1,
                              .start = zero,
                              .n_starts = 1,
                              .workers = 1,
                              .keep = 2,
                              .rewind_bytes = 1};
    return status ? status : cs_run_create(run, &spec, err);
}

static cs_status batches(const stage *s, size_t chains, size_t n,
                         const char *order, const cs_bench_plan *plan,
                         cs_error *err)
{
    double ours[CS_BENCH_ROUNDS], limit[CS_BENCH_ROUNDS];
    size_t times = 1 + 400000 / (n * chains);
    cs_run *run = NULL;
    batch_limit b;
    cs_status status = open_limit(&b, s->term, chains, n, err);
    if (!status)
        status = open_batches(s, chains, n, order, &run, err);
    for (size_t i = 0; !status && i < plan->rounds; i++) {
        status = cs_bench_advance(run, times, &ours[i], err);
        ours[i] /= (double)(times * chains);
        limit[i] = time_limit(&b, s->n, times);
    }
    cs_run_destroy(run);
    close_limit(&b);
    if (status)
        return status;
    char title[128];
    snprintf(title, sizeof title, "SGLD on %zu of %zu rows, %s, %zu chain%s", n,
             s->n, order, chains, chains > 1 ? "s" : "");
    cs_bench_row row = cs_bench_row_of("batch", title, "us");
    row.ours = 1e6 * cs_bench_median(ours, plan->rounds);
    row.limit = 1e6 * cs_bench_median(limit, plan->rounds);
    row.ask = CS_ASK_MOST;
    row.must = 1.3 * row.limit;
    cs_bench_print(&row, plan);
    return CS_OK;
}

static cs_status all_batches(const stage *s, const cs_bench_plan *plan,
                             cs_error *err)
{
    static const size_t chains[] = {1, 16}, rows[] = {10, 100};
    static const char *const order[] = {"with_replacement", "epochs"};
    cs_status status = CS_OK;
    for (size_t i = 0; i < 8 && !status && cs_bench_wants(plan, "batch"); i++)
        status =
            batches(s, chains[i / 4], rows[i / 2 % 2], order[i % 2], plan, err);
    return status;
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    static const size_t sizes[] = {1000, 100000};
    cs_status status = CS_OK;
    bool gradients = cs_bench_wants(plan, "B10");
    bool steps = cs_bench_wants(plan, "batch");
    bool others = cs_bench_wants(plan, "P10");
    for (size_t k = 0; !status && k < 2 && (gradients || steps || others);
         k++) {
        stage s;
        status = open_stage(&s, sizes[k], err);
        if (!status && k == 1)
            status = all_batches(&s, plan, err);
        if (!status && gradients)
            status = compare(&s, "B10", "built in", s.built_in, 5.5, plan, err);
        if (!status && gradients)
            status =
                compare(&s, "B10", "a term in Lua", s.term, 5.5, plan, err);
        if (!status && k == 0 && gradients)
            status = effective(&s, plan, err);
        if (!status && k == 0 && others)
            status = beside(&s, plan, err);
        close_stage(&s);
    }
    return status;
}

const cs_bench_case cs_bench_case_rows = {
    .run = run_cases,
};
