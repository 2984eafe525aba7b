/* The userdata of a run: functions that read it. */
#include "chain/tally.h"
#include "io/resample.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/draws/sample.h"
#include "run/history/changes.h"
#include "run/predict.h"
#include "run/summary/rows_drawn.h"
#include "run/summary/summary.h"
#include "run/views/reports.h"
#include "run/views/sorted.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "script/bind/lua_kernel.h"
#include "script/bind/lua_run.h"
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/state/random.h"
#include "script/state/value.h"
#include "stat/weighted.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

enum { REPORT_BYTES = 4 << 20 };

/* Pushes the state x[dim]; discrete coordinates are pushed as integers. */
static void push_state(lua_State *L, const cs_run *run, const double *x)
{
    const cs_space *space = &cs_run_target(run)->space;
    lua_createtable(L, (int)space->dim, 1);
    for (size_t i = 0; i < space->dim; i++) {
        cs_script_push_coordinate(L, x[i], cs_space_is_whole(space, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Pushes a list of n numbers. The first `values` numbers are the displayed
 * quantities, of which discrete coordinates are pushed as integers. */
static void push_shown(lua_State *L, const cs_run *run, const double *x,
                       size_t n, size_t values)
{
    cs_part part;
    lua_createtable(L, (int)n, 1);
    for (size_t i = 0; i < n; i++) {
        cs_script_push_coordinate(
            L, x[i],
            i < values && cs_target_shown_part(cs_run_target(run), i, &part));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void set_rows(lua_State *L, const char *name, const double *at,
                     size_t rows)
{
    lua_createtable(L, (int)rows, 0);
    for (size_t i = 0; i < rows; i++) {
        lua_pushnumber(L, at[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, name);
}

/* Sets the fields "own" and "own_proposal" of the table on top of the stack.
 * Each field is a table that maps the name of an auxiliary variable of the
 * kernel to a list. */
static void push_own(lua_State *L, cs_run *run, size_t arm,
                     const cs_chain_view *v)
{
    const cs_kernel *k = cs_run_arm(run, arm).kernel;
    const double *const from[] = {v->aux, v->aux_proposal};
    static const char *const field[] = {"own", "own_proposal"};
    const cs_target *t = cs_run_target(run);
    cs_aux_rows aux;
    double *shown = lua_newuserdatauv(L, v->aux_rows * sizeof *shown, 0);
    for (size_t i = 0; i < 2; i++) {
        if (!from[i])
            continue;
        lua_newtable(L);
        for (size_t j = 0; cs_kernel_aux(k, t, j, &aux); j++) {
            cs_kernel_aux_show(&aux, t, from[i], v->aux_stride, shown);
            set_rows(L, aux.variable->name, shown, aux.rows);
        }
        lua_setfield(L, -3, field[i]);
    }
    lua_pop(L, 1);
}

/* chain_info(run, arm, chain): returns the parts of the chain's last step. */
static int chain_info(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    cs_chain_view v = cs_run_chain(run, arm, chain);
    lua_newtable(L);
    cs_script_set_flag(L, "accepted", v.last.accepted != 0);
    cs_script_set_flag(L, "moved", v.last.moved != 0);
    cs_script_set_flag(L, "failed", v.failed);
    cs_script_set_known(L, "log_density", v.last.logp);
    cs_script_set_number(L, "log_density_proposed", v.last.logp_proposal);
    cs_script_set_number(L, "log_density_change", v.last.logp_change);
    if (v.last.estimates != 0)
        cs_script_set_number(L, "log_aux", v.last.log_aux);
    cs_script_set_number(L, "log_q_forward", v.last.log_q_forward);
    cs_script_set_number(L, "log_q_back", v.last.log_q_back);
    cs_script_set_number(L, "log_ratio", v.last.log_ratio);
    cs_script_set_number(L, "log_accept",
                         v.last.log_ratio > 0 ? 0 : v.last.log_ratio);
    cs_script_set_number(L, "log_uniform", v.last.log_uniform);
    if (v.proposal) {
        push_state(L, run, v.proposal);
        lua_setfield(L, -2, "proposal");
    }
    push_own(L, run, arm, &v);
    return 1;
}

/* chain_state(run, arm, chain): returns the chain's coordinates as a list, and
 * the log density. */
static int chain_state(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    cs_chain_view v = cs_run_chain(run, arm, chain);
    push_state(L, run, v.x);
    if (isnan(v.last.logp))
        lua_pushnil(L);
    else
        lua_pushnumber(L, v.last.logp);
    return 2;
}

/* chain_logp(run, arm, chain): returns log p of the chain's state under the
 * target. */
static int chain_logp(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    double logp;
    cs_error err = {0};
    cs_callback *link = cs_callback_of(L);
    cs_callback_forget(link);
    cs_status s = cs_run_true_logp(run, arm, chain, &logp, &err);
    cs_callback_raise(L); /* raises an error of a target that is a Lua
                           * function */
    if (s != CS_OK)
        return cs_script_raise(L, &err);
    lua_pushnumber(L, logp);
    return 1;
}

/* chain_shown(run, arm, chain): returns the recorded values of the chain's
 * state. */
static int chain_shown(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    cs_chain_view v = cs_run_chain(run, arm, chain);
    size_t n = cs_target_shown(cs_run_target(run));
    push_shown(L, run, v.shown, n, n);
    return 1;
}

/* chain_tally(run, arm, chain): returns steps, accepted, moved, divergent,
 * not_finite, rolling and ebfmi; unknown values are omitted. */
static int chain_tally(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    cs_tally t = cs_run_chain(run, arm, chain).tally;
    lua_newtable(L);
    cs_script_set_whole(L, "steps", t.steps);
    cs_script_set_whole(L, "accepted", t.accepted);
    cs_script_set_whole(L, "moved", t.moved);
    cs_script_set_whole(L, "divergent", t.divergent);
    cs_script_set_whole(L, "not_finite", t.not_finite);
    cs_script_set_number(L, "rolling", t.rolling);
    cs_script_set_known(L, "ebfmi", cs_tally_ebfmi(&t));
    return 1;
}

/* chain_draws(run, arm, chain): returns rows {x ..., auxiliary variables ...,
 * log_density =, log_weight = (if draws are weighted)}, and the number of steps
 * between rows. */
static int chain_draws(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    size_t shown = cs_target_shown(cs_run_target(run));
    size_t cols = 1 + shown + cs_run_aux(run, arm);
    uint64_t every = 1;
    size_t n = cs_run_draws(run, arm, chain, NULL, &every);
    double *rows = lua_newuserdatauv(L, n * (cols + 1) * sizeof *rows + 1, 0);
    double *log_weight = rows + n * cols;
    bool weighs = cs_run_weighs(run, arm);
    cs_run_weighed_draws(run, arm, chain, rows, log_weight, &every);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        const double *row = rows + i * cols;
        push_shown(L, run, row + 1, cols - 1, shown);
        cs_script_set_known(L, "log_density", row[0]);
        if (weighs)
            cs_script_set_number(L, "log_weight", log_weight[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, (lua_Integer)every);
    return 2;
}

/* The stored draws of several chains, one chain after the other: rows of `cols`
 * numbers, and the weights of the rows. */
typedef struct kept {
    double *row, *w;
    size_t n, cols;
} kept;

/* Reads the stored draws; pushes their owner. */
static kept keep(lua_State *L, cs_run *run, size_t arm, size_t from, size_t to)
{
    cs_arm_view v = cs_run_arm(run, arm);
    kept k = {.cols = 1 + cs_target_shown(cs_run_target(run)) +
                      cs_run_aux(run, arm)};
    for (size_t c = from; c < to; c += v.group)
        k.n += cs_run_draws(run, arm, c, NULL, NULL);
    if (k.n == 0)
        cs_script_fail(L, "there are no draws yet: run it first");
    k.row = lua_newuserdatauv(L, k.n * (k.cols + 1) * sizeof *k.row, 0);
    k.w = k.row + k.n * k.cols;
    for (size_t c = from, at = 0; c < to; c += v.group) {
        double *w = k.w + at;
        size_t n =
            cs_run_weighed_draws(run, arm, c, k.row + at * k.cols, w, NULL);
        if (n && !cs_weights_of_chains(w, 1, n, w))
            cs_script_fail(L, "chain %d has a log weight that is not a number",
                           (int)c + 1);
        at += n;
    }
    return k;
}

/* run_resample(run, arm, chain, n, seed): returns rows as chain_draws does,
 * without weights. Default chain: all chains. Default n: the effective sample
 * size of the weights. */
static int run_resample(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2), from = 0;
    size_t to = cs_run_arm(run, arm).chains, all = to;
    size_t shown = cs_target_shown(cs_run_target(run));
    if (!lua_isnoneornil(L, 3)) {
        from = cs_script_check_chain(L, run, arm, 3);
        to = from + 1;
    }
    kept k = keep(L, run, arm, from, to);
    size_t n = (size_t)fmax(cs_weight_size(k.w, k.n), 1);
    n = (size_t)luaL_optinteger(L, 4, (lua_Integer)n);
    uint64_t seed =
        (uint64_t)luaL_optinteger(L, 5, (lua_Integer)cs_run_seed(run));
    size_t *chosen = lua_newuserdatauv(L, n * sizeof *chosen, 0);
    double u = cs_resample_uniform(seed, cs_run_steps(run),
                                   to - from == all ? all : from);
    cs_resample_systematic(k.w, k.n, u, n, chosen);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        const double *row = k.row + chosen[i] * k.cols;
        push_shown(L, run, row + 1, k.cols - 1, shown);
        cs_script_set_known(L, "log_density", row[0]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void push_params(lua_State *L, const cs_arm_view *v)
{
    const cs_kernel_type *type = v->kernel->type;
    lua_newtable(L);
    for (size_t i = 0; i < type->n_params; i++)
        cs_script_set_number(L, type->params[i].name,
                             cs_arm_view_value(v, i, v->steps ? v->steps : 1));
    cs_script_set_lists(L, v->kernel);
}

/* Sets the field "observed" of the table on top of the stack. The field holds
 * the numbers of evaluations made for probes and for users. */
static void push_observed(lua_State *L, const cs_arm_view *v)
{
    lua_newtable(L);
    cs_script_set_whole(L, "log_densities", (double)v->observed.log_densities);
    cs_script_set_whole(L, "data_terms", (double)v->observed.data_terms);
    lua_setfield(L, -2, "observed");
}

/* True if the draws have a bias that depends on the step size of the kernel. */
static bool is_biased_by_step(const cs_run *run, const cs_kernel *kernel)
{
    const unsigned others = CS_KERNEL_EXACT | CS_KERNEL_ACCEPTS |
                            CS_KERNEL_DECIDES | CS_KERNEL_ESTIMATES;
    return !(kernel->type->flags & others) &&
           !cs_kernel_is_exact(kernel, cs_run_target(run));
}

/* arm_info(run, arm): returns a table that describes an arm. */
static int arm_info(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    cs_arm_view v = cs_run_arm(run, arm);
    lua_newtable(L);
    cs_script_set_text(L, "name", v.name);
    cs_script_set_text(L, "kernel", v.kernel->type->name);
    push_params(L, &v);
    lua_setfield(L, -2, "params");
    cs_script_set_whole(L, "chains", (double)v.chains);
    cs_script_set_whole(L, "group", (double)v.group);
    cs_script_set_whole(L, "steps", (double)v.steps);
    cs_script_set_whole(L, "log_densities", (double)v.work.log_densities);
    cs_script_set_whole(L, "gradients", (double)v.work.gradients);
    cs_script_set_whole(L, "site_differences", (double)v.work.site_differences);
    cs_script_set_whole(L, "data_terms", (double)v.work.data_terms);
    cs_script_set_whole(L, "simulations", (double)v.work.simulations);
    cs_script_set_whole(L, "site_updates", (double)v.work.site_updates);
    cs_script_set_number(L, "evaluations",
                         cs_work_evaluations(&v.work, cs_run_target(run)));
    cs_script_set_number(L, "passes",
                         cs_work_passes(&v.work, cs_run_target(run), v.chains));
    cs_script_set_known(L, "expected_rows", cs_run_expected_rows(run, arm));
    push_observed(L, &v);
    cs_script_set_text(L, "logp_kind", cs_logp_name(v.logp));
    cs_script_set_flag(L, "biased_by_step", is_biased_by_step(run, v.kernel));
    cs_script_set_number(L, "seconds", v.seconds);
    cs_script_set_flag(L, "finished", v.finished);
    cs_script_set_whole(L, "warm_up", (double)v.tuning.steps);
    cs_script_set_number(L, "tuned", v.tuning.part);
    cs_script_set_number(L, "learn_seconds", v.learner.seconds);
    cs_script_set_number(L, "learn_step_seconds", v.learner.step_seconds);
    return 1;
}

static void push_entry(lua_State *L, const cs_flat_entry *e)
{
    if (e->text) {
        lua_pushstring(L, e->text);
        return;
    }
    if (e->rows == 1) {
        cs_script_push_numbers(L, e->data, e->cols);
        return;
    }
    lua_createtable(L, (int)e->rows, 0);
    for (size_t r = 0; r < e->rows; r++) {
        cs_script_push_numbers(L, e->data + r * e->cols, e->cols);
        lua_rawseti(L, -2, (lua_Integer)r + 1);
    }
}

static void push_entries(lua_State *L, const cs_flat *f)
{
    cs_flat_entry e;
    lua_newtable(L);
    for (size_t at = 0; cs_flat_next(f->base, f->used, &at, &e);) {
        push_entry(L, &e);
        lua_setfield(L, -2, e.key);
    }
}

/* run_arms(run): returns the number of arms. */
static int run_arms(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)cs_run_arms(cs_script_to_run(L, 1)));
    return 1;
}

/* Registry key of the buffer for reports, which take_memory pushes. The buffer
 * is reused, because allocating 4 MiB for each call would start a garbage
 * collection each time. */
static const char report_memory;
static void take_memory(lua_State *L, cs_flat *out)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &report_memory) != LUA_TUSERDATA) {
        lua_pop(L, 1);
        lua_newuserdatauv(L, REPORT_BYTES + 8, 0);
    }
    lua_pushnil(L); /* removed while in use, so that a nested call gets its own
                     * buffer */
    lua_rawsetp(L, LUA_REGISTRYINDEX, &report_memory);
    cs_flat_begin(out, lua_touserdata(L, -1), REPORT_BYTES);
}

/* Replaces the buffer on top of the stack by a table of its entries, and stores
 * the buffer for the next report. */
static void give_back(lua_State *L, const cs_flat *out)
{
    push_entries(L, out);
    lua_insert(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &report_memory);
}

/* run_report(run): returns all reports of all probes, a table from key to rows
 * or text. */
static int run_report(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    cs_flat out;
    take_memory(L, &out);
    cs_run_report(run, &out);
    give_back(L, &out);
    return 1;
}

/* run_report_one(run, arm, probe): returns the report of one probe, as a table
 * from key to rows or text. Returns nil if the arm does not have the probe. */
static int run_report_one(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    const char *probe = luaL_checkstring(L, 3);
    cs_flat out;
    take_memory(L, &out);
    bool there = cs_run_report_one(run, arm, probe, "", &out);
    give_back(L, &out);
    return there;
}

/* run_logp_kind(run, arm): returns one word that names the kind of log p in the
 * rows of the arm's draws. */
static int run_logp_kind(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    lua_pushstring(L, cs_logp_name(cs_run_diagnosed_logp(run, arm)));
    return 1;
}

/* chain_held_out(run, arm, chain, first, last): computes the mean prediction of
 * the chain's stored draws first .. last, and scores it on held-out data. By
 * default all draws are used. If the draws are weighted, so is the mean.
 * Returns {rmse =, accuracy =, log_score =} without the unknown values. Returns
 * nil if the target predicts nothing or there are no draws. */
static int chain_held_out(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    lua_Integer n = (lua_Integer)cs_run_draws(run, arm, chain, NULL, NULL);
    lua_Integer first = luaL_optinteger(L, 4, 1),
                last = luaL_optinteger(L, 5, n);
    cs_held_out out;
    cs_error err;
    if (!cs_run_target(run)->type->held_out || first < 1 || first > last ||
        last > n)
        return 0;
    if (cs_run_predict(run, arm, chain, (size_t)first - 1, (size_t)last, &out,
                       &err) != CS_OK)
        return cs_script_raise(L, &err);
    lua_newtable(L);
    cs_script_set_known(L, "rmse", out.rmse);
    cs_script_set_known(L, "accuracy", out.accuracy);
    cs_script_set_known(L, "log_score", out.log_score);
    return 1;
}

/* run_rows(run): returns the number of data rows of the run's target; 0 if the
 * target has no data. */
static int run_rows(lua_State *L)
{
    lua_pushinteger(L,
                    (lua_Integer)cs_run_target(cs_script_to_run(L, 1))->n_rows);
    return 1;
}

/* run_summary(run): returns the summary of all arms as text. */
static int run_summary(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    cs_page p = {0};
    cs_summary_text(run, NULL, &p);
    while (p.used && p.text[p.used - 1] == '\n')
        p.used--;
    return cs_script_push_page(L, &p);
}

/* run_fault(run): returns the message of the run's fault, or nil. */
static int run_fault(lua_State *L)
{
    char text[512];
    if (cs_run_fault(cs_script_to_change(L, 1), text, sizeof text))
        lua_pushstring(L, text);
    else
        lua_pushnil(L);
    return 1;
}

/* run_random(run): seeds math.random from the run's seed and step. */
static int run_random(lua_State *L)
{
    const cs_run *run = cs_script_to_run(L, 1);
    cs_script_random_at(L, cs_run_seed(run), cs_run_steps(run));
    return 0;
}

/* run_note(run): returns a message about the run, or nil. */
static int run_note(lua_State *L)
{
    lua_pushstring(L, cs_run_note(cs_script_to_run(L, 1)));
    return 1;
}

/* run_coordinates(run): returns the names of the coordinates. */
static int run_coordinates(lua_State *L)
{
    cs_script_push_coordinates(L, cs_run_target(cs_script_to_run(L, 1)));
    return 1;
}

/* probes(): returns a table that maps each probe's name to a description. The
 * description contains the probe's parameters, title and help. It also says
 * whether the probe must be requested by name, and whether it reads log p. */
static int probe_list(lua_State *L)
{
    const cs_probe_type *type;
    lua_newtable(L);
    for (size_t i = 0; (type = cs_probe_at(i)); i++) {
        cs_script_push_rows(L, type->params, type->n_params);
        cs_script_set_text(L, "title", type->title);
        cs_script_set_text(L, "help", type->help);
        cs_script_set_flag(L, "asked", type->asked);
        cs_script_set_flag(L, "logp", type->logp);
        lua_setfield(L, -2, type->name);
    }
    return 1;
}

void cs_script_open_run_look(lua_State *L)
{
    static const luaL_Reg functions[] = {{"chain_info", chain_info},
                                         {"chain_state", chain_state},
                                         {"chain_shown", chain_shown},
                                         {"chain_logp", chain_logp},
                                         {"chain_tally", chain_tally},
                                         {"chain_draws", chain_draws},
                                         {"chain_held_out", chain_held_out},
                                         {"run_resample", run_resample},
                                         {"arm_info", arm_info},
                                         {"run_arms", run_arms},
                                         {"run_rows", run_rows},
                                         {"run_report", run_report},
                                         {"run_report_one", run_report_one},
                                         {"run_logp_kind", run_logp_kind},
                                         {"run_fault", run_fault},
                                         {"run_coordinates", run_coordinates},
                                         {"run_note", run_note},
                                         {"run_random", run_random},
                                         {"run_summary", run_summary},
                                         {"probes", probe_list},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
