/* W2: gradients of models that are written in Lua and traced, compared with
 * gradients written in C. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/models.h"
#include "script/bind/lua_target.h"
#include "script/script.h"
#include "target/eval.h"

#include <math.h>
#include <stdio.h>

enum { LANES = 8, MOST = CS_BENCH_MODEL_DIM };

static const char text_of[] =
    "local cs = require 'chainscope'\n"
    "local f = (function()\n%s end)()\n"
    "return cs.target { space = cs.real(%zu), log_density = f }\n";

typedef struct stage {
    const cs_bench_model *model;
    cs_script *script;
    cs_eval eval;
    _Alignas(CS_ALIGN) double x[MOST * LANES], g[MOST * LANES], logp[LANES];
    double alone[MOST * LANES], g_alone[MOST * LANES];
} stage;

static cs_status open_eval(stage *s, size_t chains, cs_error *err)
{
    const cs_target *t = cs_script_to_target(cs_script_lua(s->script), -1);
    double *scratch =
        cs_alloc(cs_eval_scratch_words(t) * LANES, sizeof *scratch);
    if (!scratch)
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    cs_eval_open(&s->eval, t, LANES, chains, NULL, scratch);
    return CS_OK;
}

static cs_status open_stage(stage *s, cs_error *err)
{
    const cs_script_limits limits = {.trust = true};
    char text[4096];
    size_t dim = s->model->dim;
    snprintf(text, sizeof text, text_of, s->model->code, dim);
    cs_status status = cs_script_open(&s->script, &limits, err);
    if (!status)
        status = cs_script_load_text(s->script, text, "=bench", err);
    if (!status)
        status = cs_script_call(s->script, 0, 1, 60, err);
    for (size_t i = 0; i < dim * LANES; i++)
        s->x[i] = 0.5 * sin(1.0 + 7.3 * (double)i);
    return status;
}

/* Variable that receives a result of each measurement. This prevents the
 * compiler from removing the measured loop. */
static volatile double sink;

/* Returns the seconds per gradient and chain. */
static double time_ours(stage *s, size_t times)
{
    double start = cs_clock_thread();
    for (size_t k = 0; k < times; k++)
        cs_eval_gradient(&s->eval, CS_NEXT, s->x, s->logp, s->g);
    return (cs_clock_thread() - start) / (double)(times * s->eval.live);
}

static double one_c(stage *s, size_t l)
{
    size_t dim = s->model->dim;
    for (size_t d = 0; d < dim; d++)
        s->alone[d] = s->x[d * LANES + l];
    return s->model->by_hand(s->alone, s->g_alone);
}

static double time_c(stage *s, size_t times)
{
    double start = cs_clock_thread();
    for (size_t k = 0; k < times; k++)
        sink = one_c(s, k % LANES);
    return (cs_clock_thread() - start) / (double)times;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-7 * (1 + fabs(b));
}

static bool agree(stage *s)
{
    bool same = true;
    cs_eval_gradient(&s->eval, CS_NEXT, s->x, s->logp, s->g);
    for (size_t l = 0; l < s->eval.live; l++) {
        same = same && is_near(s->logp[l], one_c(s, l));
        for (size_t d = 0; d < s->model->dim; d++)
            same = same && is_near(s->g[d * LANES + l], s->g_alone[d]);
    }
    return same;
}

static void measure(stage *s, const cs_bench_plan *plan)
{
    double ours[CS_BENCH_ROUNDS], c[CS_BENCH_ROUNDS], ratio[CS_BENCH_ROUNDS];
    size_t n = plan->rounds, chains = s->eval.live, times = s->model->times;
    char title[128], id[16];
    for (size_t i = 0; i < n; i++) {
        ours[i] = time_ours(s, times);
        c[i] = time_c(s, 2 * times);
        ratio[i] = c[i] / ours[i];
    }
    snprintf(id, sizeof id, "%s%zu", s->model->id, chains);
    snprintf(title, sizeof title, "a gradient, %s, %zu chain%s, beside C",
             s->model->title, chains, chains > 1 ? "s" : "");
    cs_bench_row row = cs_bench_row_of(id, title, "us");
    row.ours = 1e6 * cs_bench_median(ours, n);
    row.peer = 1e6 * cs_bench_median(c, n);
    row.ratio = cs_bench_median(ratio, n);
    row.must = chains > 1 ? 1 : 0.33;
    cs_bench_print(&row, plan);
}

static cs_status run_model(stage *s, const cs_bench_plan *plan, cs_error *err)
{
    cs_status status = open_stage(s, err);
    for (size_t chains = 1; !status && chains <= LANES; chains += LANES - 1) {
        status = open_eval(s, chains, err);
        if (!status && !agree(s))
            status = cs_fail(
                err, CS_INPUT,
                "%s: the traced gradient differs from the gradient in C",
                s->model->id);
        if (!status)
            measure(s, plan);
        cs_free(s->eval.scratch);
    }
    cs_script_destroy(s->script);
    return status;
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; !status && i < CS_BENCH_MODELS; i++) {
        if (!cs_bench_wants(plan, cs_bench_models[i].id))
            continue;
        stage *s = cs_alloc(1, sizeof *s);
        if (!s)
            return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
        s->model = &cs_bench_models[i];
        status = run_model(s, plan, err);
        cs_free(s);
    }
    return status;
}

const cs_bench_case cs_bench_case_traced = {
    .run = run_cases,
};
