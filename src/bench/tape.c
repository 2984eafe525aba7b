/* B12: traced log densities written in Lua, compared with the same densities
 * called as Lua functions, and with the same densities written in C. */
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/density.h"
#include "script/bind/lua_target.h"
#include "script/script.h"
#include "target/eval.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { D = CS_BENCH_DIM, LANES = 16, BY_HAND = 1, TRACE, CALL };

static const char head[] = "local cs = require 'chainscope'\n";
static const char tail[] =
    "local density, by_hand = ...\n"
    "local function target(f, traced)\n"
    "  return cs.target { space = cs.real(10), log_density = f, traced = "
    "traced }\n"
    "end\n"
    "return by_hand, function() return target(density) end,\n"
    "  function() return target(function(x) return 0 end, false) end\n";

/* One density, prepared for measuring. On the stack of L, index BY_HAND holds
 * the Lua function with its gradient; TRACE and CALL hold the functions that
 * create the targets; the targets follow. */
typedef struct stage {
    const cs_bench_density *density;
    cs_script *script;
    lua_State *L;
    double *x, *logp, *g; /* [dim][LANES], [LANES], [dim][LANES] */
    cs_eval traced, called;
    double trace; /* seconds that tracing takes */
} stage;

static cs_status load(stage *s, const char *code, int args, int results,
                      cs_error *err)
{
    char text[8192];
    snprintf(text, sizeof text, "%s%s", head, code);
    cs_status status = cs_script_load_text(s->script, text, "=bench", err);
    if (status)
        return status;
    lua_insert(s->L, -1 - args);
    return cs_script_call(s->script, args, results, 60, err);
}

/* Calls the function at stack index `maker`, which creates a target. The target
 * remains on the stack. */
static cs_status make(stage *s, int maker, cs_eval *e, cs_error *err)
{
    lua_pushvalue(s->L, maker);
    cs_status status = cs_script_call(s->script, 0, 1, 60, err);
    if (status)
        return status;
    const cs_target *t = cs_script_to_target(s->L, -1);
    size_t words = cs_eval_scratch_words(t);
    double *scratch = cs_alloc(words * LANES, sizeof *scratch);
    if (!scratch)
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    cs_eval_open(e, t, LANES, LANES, NULL, scratch);
    return CS_OK;
}

/* Measures several times how long it takes to turn a Lua function into a target
 * that chains can run. */
static cs_status time_trace(stage *s, size_t rounds, cs_error *err)
{
    double took[CS_BENCH_ROUNDS];
    for (size_t i = 0; i < rounds; i++) {
        lua_pushvalue(s->L, TRACE);
        double start = cs_clock_thread();
        cs_status status = cs_script_call(s->script, 0, 1, 60, err);
        took[i] = cs_clock_thread() - start;
        if (status)
            return status;
        lua_pop(s->L, 1);
    }
    s->trace = cs_bench_median(took, rounds);
    return CS_OK;
}

static void fill(double *x)
{
    for (size_t i = 0; i < D * LANES; i++)
        x[i] = 0.9 * sin(1.0 + 7.3 * (double)i);
}

static cs_status open_stage(stage *s, size_t rounds, cs_error *err)
{
    const cs_script_limits limits = {.trust = true};
    cs_status status = cs_script_open(&s->script, &limits, err);
    if (status)
        return status;
    s->L = cs_script_lua(s->script);
    lua_settop(s->L, 0);
    s->x = cs_alloc((2 * D + 1) * LANES, sizeof *s->x);
    if (!s->x)
        return cs_fail(err, CS_MEMORY, "out of memory for the benchmark");
    s->logp = s->x + D * LANES;
    s->g = s->logp + LANES;
    fill(s->x);
    status = load(s, s->density->code, 0, 2, err);
    if (!status)
        status = load(s, tail, 2, 3, err);
    if (!status)
        status = time_trace(s, rounds, err);
    if (!status)
        status = make(s, TRACE, &s->traced, err);
    return status ? status : make(s, CALL, &s->called, err);
}

static void close_stage(stage *s)
{
    cs_free(s->traced.scratch);
    cs_free(s->called.scratch);
    cs_script_destroy(s->script);
    cs_free(s->x);
}

/* ---- one chain at a time ------------------------------------------------- */

/* Calls the Lua function with its gradient for lane l. The function's tables
 * are reused. */
static double call_lua(lua_State *L, const double *x, size_t l, int tables,
                       double *g)
{
    lua_pushvalue(L, BY_HAND);
    lua_pushvalue(L, tables);
    lua_pushvalue(L, tables + 1);
    for (size_t d = 0; d < D; d++) {
        lua_pushnumber(L, x[d * LANES + l]);
        lua_rawseti(L, tables, (lua_Integer)d + 1);
    }
    lua_call(L, 2, 1);
    double logp = lua_tonumber(L, -1);
    lua_pop(L, 1);
    for (size_t d = 0; d < D; d++) {
        lua_rawgeti(L, tables + 1, (lua_Integer)d + 1);
        g[d] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return logp;
}

static double call_c(const stage *s, size_t l, double *g)
{
    double x[D];
    for (size_t d = 0; d < D; d++)
        x[d] = s->x[d * LANES + l];
    return s->density->by_hand(x, g);
}

/* Variable that receives a result of each measurement. This prevents the
 * compiler from removing the measured loop. */
static volatile double sink;

typedef double one_chain(const stage *s, size_t l, int tables, double *g);

static double one_lua(const stage *s, size_t l, int tables, double *g)
{
    return call_lua(s->L, s->x, l, tables, g);
}

static double one_c(const stage *s, size_t l, int tables, double *g)
{
    (void)tables;
    return call_c(s, l, g);
}

static double time_one(const stage *s, one_chain *f, size_t times)
{
    double g[D], sum = 0;
    lua_newtable(s->L);
    lua_newtable(s->L);
    int tables = lua_gettop(s->L) - 1;
    double start = cs_clock_thread();
    for (size_t k = 0; k < times; k++)
        for (size_t l = 0; l < LANES; l++)
            sum += f(s, l, tables, g) + g[0];
    double used = cs_clock_thread() - start;
    lua_settop(s->L, tables - 1);
    sink = sum;
    return used / (double)(times * LANES);
}

static double time_traced(stage *s, size_t times)
{
    double start = cs_clock_thread();
    for (size_t k = 0; k < times; k++)
        cs_eval_gradient(&s->traced, CS_NEXT, s->x, s->logp, s->g);
    return (cs_clock_thread() - start) / (double)(times * LANES);
}

static double time_call(stage *s, size_t times)
{
    double start = cs_clock_thread();
    for (size_t k = 0; k < times; k++)
        cs_eval_log_density(&s->called, CS_NEXT, s->x, s->logp);
    return (cs_clock_thread() - start) / (double)(times * LANES);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* Returns true if the traced target, the Lua callback and the C code give the
 * same results for every chain. */
static bool agree(stage *s)
{
    double lua[D], c[D];
    bool same = true;
    lua_newtable(s->L);
    lua_newtable(s->L);
    int tables = lua_gettop(s->L) - 1;
    cs_eval_gradient(&s->traced, CS_NEXT, s->x, s->logp, s->g);
    for (size_t l = 0; l < LANES; l++) {
        double logp = one_c(s, l, tables, c);
        same = same && is_near(s->logp[l], logp) &&
               is_near(one_lua(s, l, tables, lua), logp);
        for (size_t d = 0; d < D; d++)
            same = same && is_near(s->g[d * LANES + l], c[d]) &&
                   is_near(lua[d], c[d]);
    }
    lua_settop(s->L, tables - 1);
    return same;
}

/* ---- rows ---------------------------------------------------------------- */

typedef struct figures {
    double ours[CS_BENCH_ROUNDS], peer[CS_BENCH_ROUNDS];
    double ratio[CS_BENCH_ROUNDS];
} figures;

static void print(const stage *s, const char *beside, figures *f, double must,
                  const cs_bench_plan *plan)
{
    char title[128];
    snprintf(title, sizeof title, "%s, beside %s", s->density->title, beside);
    cs_bench_row row = cs_bench_row_of(s->density->id, title, "ns");
    for (size_t i = 0; i < plan->rounds; i++)
        f->ratio[i] = f->peer[i] / f->ours[i];
    row.ours = 1e9 * cs_bench_median(f->ours, plan->rounds);
    row.peer = 1e9 * cs_bench_median(f->peer, plan->rounds);
    row.ratio = cs_bench_median(f->ratio, plan->rounds);
    row.must = must;
    cs_bench_print(&row, plan);
}

static void print_most(const char *id, const char *title, const char *unit,
                       double ours, double must, const cs_bench_plan *plan)
{
    cs_bench_row row = cs_bench_row_of(id, title, unit);
    row.ours = ours;
    row.ask = CS_ASK_MOST;
    row.must = must;
    cs_bench_print(&row, plan);
}

static void measure(stage *s, const cs_bench_plan *plan)
{
    figures lua, c;
    double calls[CS_BENCH_ROUNDS];
    size_t times = s->density->times;
    for (size_t i = 0; i < plan->rounds; i++) {
        lua.ours[i] = c.ours[i] = time_traced(s, times);
        lua.peer[i] = time_one(s, one_lua, 1 + times / 20);
        c.peer[i] = time_one(s, one_c, 1 + times / 2);
        calls[i] = time_call(s, 500);
    }
    print(s, "a Lua callback", &lua, s->density->must_lua, plan);
    print(s, "C by hand", &c, s->density->must_by_hand, plan);
    print_most(s->density->id, "its tracing, checking and compiling",
               "ms, from Lua to a target", 1e3 * s->trace, 1, plan);
    if (s->density == cs_bench_densities)
        print_most("B12c", "a Lua callback that does nothing", "ns",
                   1e9 * cs_bench_median(calls, plan->rounds), 120, plan);
}

static cs_status run_cases(const cs_bench_plan *plan, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; !status && i < CS_BENCH_DENSITIES; i++) {
        stage s = {.density = &cs_bench_densities[i]};
        if (!cs_bench_wants(plan, s.density->id))
            continue;
        status = open_stage(&s, plan->rounds, err);
        if (!status && !agree(&s))
            status = cs_fail(err, CS_INPUT,
                             "%s: the traced density, the Lua callback and the "
                             "C code do not agree",
                             s.density->id);
        if (!status)
            measure(&s, plan);
        close_stage(&s);
    }
    return status;
}

const cs_bench_case cs_bench_case_tape = {
    .run = run_cases,
};
