/* The userdata of a run: what looks at it. */
#include "chain/tally.h"
#include "io/resample.h"
#include "run/summary/rows_drawn.h"
#include "run/summary/summary.h"
#include "run/views/sorted.h"
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

static void set_number(lua_State *L, const char *key, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

/* Log p, but where the kernel has none. */
static void set_known(lua_State *L, const char *key, double x)
{
    if (!isnan(x))
        set_number(L, key, x);
}

static void set_whole(lua_State *L, const char *key, double x)
{
    lua_pushinteger(L, (lua_Integer)x);
    lua_setfield(L, -2, key);
}

static void set_flag(lua_State *L, const char *key, bool flag)
{
    lua_pushboolean(L, flag);
    lua_setfield(L, -2, key);
}

/* A list of n numbers. In a discrete space the first `values` of them are the
 * state's, which are whole. */
static void push_state(lua_State *L, const cs_run *run, const double *x,
                       size_t n, size_t values)
{
    bool whole = cs_run_target(run)->space.kind & CS_DISCRETE;
    lua_createtable(L, (int)n, 1);
    for (size_t i = 0; i < n; i++) {
        cs_script_push_coordinate(L, x[i], whole && i < values);
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

/* Sets fields "own" and "own_proposal": name -> list, of the kernel's auxiliary
 * variables. */
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

/* chain_info(run, arm, chain): the parts of its last step. */
static int chain_info(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    cs_chain_view v = cs_run_chain(run, arm, chain);
    lua_newtable(L);
    set_flag(L, "accepted", v.last.accepted != 0);
    set_flag(L, "moved", v.last.moved != 0);
    set_flag(L, "failed", v.failed);
    set_known(L, "log_density", v.last.logp);
    set_number(L, "log_density_proposed", v.last.logp_proposal);
    set_number(L, "log_density_change", v.last.logp_change);
    if (v.last.estimates != 0)
        set_number(L, "log_aux", v.last.log_aux);
    set_number(L, "log_q_forward", v.last.log_q_forward);
    set_number(L, "log_q_back", v.last.log_q_back);
    set_number(L, "log_ratio", v.last.log_ratio);
    set_number(L, "log_accept", v.last.log_ratio > 0 ? 0 : v.last.log_ratio);
    set_number(L, "log_uniform", v.last.log_uniform);
    if (v.proposal) {
        size_t dim = cs_run_target(run)->space.dim;
        push_state(L, run, v.proposal, dim, dim);
        lua_setfield(L, -2, "proposal");
    }
    push_own(L, run, arm, &v);
    return 1;
}

/* chain_state(run, arm, chain): a list of coordinates, and the log density. */
static int chain_state(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    cs_chain_view v = cs_run_chain(run, arm, chain);
    size_t dim = cs_run_target(run)->space.dim;
    push_state(L, run, v.x, dim, dim);
    if (isnan(v.last.logp))
        lua_pushnil(L);
    else
        lua_pushnumber(L, v.last.logp);
    return 2;
}

/* chain_logp(run, arm, chain): that of its state by the target. */
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
    cs_callback_raise(L); /* of a target that is a function */
    if (s != CS_OK)
        return cs_script_raise(L, &err);
    lua_pushnumber(L, logp);
    return 1;
}

/* chain_shown(run, arm, chain): what is shown and recorded of its state. */
static int chain_shown(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    cs_chain_view v = cs_run_chain(run, arm, chain);
    size_t n = cs_target_shown(cs_run_target(run));
    push_state(L, run, v.shown, n, n);
    return 1;
}

/* chain_tally(run, arm, chain): steps, accepted, moved, divergent, not_finite,
 * rolling, ebfmi (where known). */
static int chain_tally(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    cs_tally t = cs_run_chain(run, arm, chain).tally;
    lua_newtable(L);
    set_whole(L, "steps", t.steps);
    set_whole(L, "accepted", t.accepted);
    set_whole(L, "moved", t.moved);
    set_whole(L, "divergent", t.divergent);
    set_whole(L, "not_finite", t.not_finite);
    set_number(L, "rolling", t.rolling);
    set_known(L, "ebfmi", cs_tally_ebfmi(&t));
    return 1;
}

/* chain_draws(run, arm, chain): rows {x ..., auxiliary variables ..., log_density =,
 * log_weight = (where draws have one)}, and the steps between. */
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
        push_state(L, run, row + 1, cols - 1, shown);
        set_known(L, "log_density", row[0]);
        if (weighs)
            set_number(L, "log_weight", log_weight[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, (lua_Integer)every);
    return 2;
}

/* The kept draws of some chains, one behind the other: rows of `cols`, and what
 * they count. */
typedef struct kept {
    double *row, *w;
    size_t n, cols;
} kept;

/* Pushes what holds them. */
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
            cs_script_fail(L, "chain %d has a log weight that is no number",
                           (int)c + 1);
        at += n;
    }
    return k;
}

/* run_resample(run, arm, chain, n, seed): rows as above, without weights; of
 * all chains without chain, as many as the weights leave without n. */
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
        push_state(L, run, row + 1, k.cols - 1, shown);
        set_known(L, "log_density", row[0]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void push_params(lua_State *L, const cs_arm_view *v)
{
    const cs_kernel_type *type = v->kernel->type;
    lua_newtable(L);
    for (size_t i = 0; i < type->n_params; i++)
        set_number(L, type->params[i].name,
                   cs_arm_view_value(v, i, v->steps ? v->steps : 1));
    cs_script_set_lists(L, v->kernel);
}

/* Sets the field "observed". */
static void push_observed(lua_State *L, const cs_arm_view *v)
{
    lua_newtable(L);
    set_whole(L, "log_densities", (double)v->observed.log_densities);
    set_whole(L, "data_terms", (double)v->observed.data_terms);
    lua_setfield(L, -2, "observed");
}

/* Whether an arm's draws are off by what its step makes of them. */
static bool is_biased_by_step(const cs_run *run, const cs_kernel *kernel)
{
    const unsigned others = CS_KERNEL_EXACT | CS_KERNEL_ACCEPTS |
                            CS_KERNEL_DECIDES | CS_KERNEL_ESTIMATES;
    return !(kernel->type->flags & others) &&
           !cs_kernel_is_exact(kernel, cs_run_target(run));
}

/* arm_info(run, arm) */
static int arm_info(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    cs_arm_view v = cs_run_arm(run, arm);
    lua_newtable(L);
    lua_pushstring(L, v.name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, v.kernel->type->name);
    lua_setfield(L, -2, "kernel");
    push_params(L, &v);
    lua_setfield(L, -2, "params");
    set_whole(L, "chains", (double)v.chains);
    set_whole(L, "group", (double)v.group);
    set_whole(L, "steps", (double)v.steps);
    set_whole(L, "log_densities", (double)v.work.log_densities);
    set_whole(L, "gradients", (double)v.work.gradients);
    set_whole(L, "site_differences", (double)v.work.site_differences);
    set_whole(L, "data_terms", (double)v.work.data_terms);
    set_whole(L, "simulations", (double)v.work.simulations);
    set_whole(L, "site_updates", (double)v.work.site_updates);
    set_number(L, "evaluations",
               cs_work_evaluations(&v.work, cs_run_target(run)));
    set_number(L, "passes",
               cs_work_passes(&v.work, cs_run_target(run), v.chains));
    set_known(L, "expected_rows", cs_run_expected_rows(run, arm));
    push_observed(L, &v);
    lua_pushstring(L, cs_logp_name(v.logp));
    lua_setfield(L, -2, "logp_kind");
    set_flag(L, "biased_by_step", is_biased_by_step(run, v.kernel));
    set_number(L, "seconds", v.seconds);
    set_flag(L, "finished", v.finished);
    set_whole(L, "warm_up", (double)v.tuning.steps);
    set_number(L, "tuned", v.tuning.part);
    set_number(L, "learn_seconds", v.learner.seconds);
    set_number(L, "learn_step_seconds", v.learner.step_seconds);
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

/* run_arms(run): how many there are. */
static int run_arms(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)cs_run_arms(cs_script_to_run(L, 1)));
    return 1;
}

/* Pushes the memory of reports. Each call takes that of the call before: as new
 * garbage of 4 MiB it would start a collection per call. */
static const char report_memory;
static void take_memory(lua_State *L, cs_flat *out)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &report_memory) != LUA_TUSERDATA) {
        lua_pop(L, 1);
        lua_newuserdatauv(L, REPORT_BYTES + 8, 0);
    }
    lua_pushnil(L); /* a call within this one has its own */
    lua_rawsetp(L, LUA_REGISTRYINDEX, &report_memory);
    cs_flat_begin(out, lua_touserdata(L, -1), REPORT_BYTES);
}

/* Replaces the memory on the top of the stack by the entries. */
static void give_back(lua_State *L, const cs_flat *out)
{
    push_entries(L, out);
    lua_insert(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &report_memory);
}

/* run_report(run): all reports of all probes, key -> rows or text. */
static int run_report(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    cs_flat out;
    take_memory(L, &out);
    cs_run_report(run, &out);
    give_back(L, &out);
    return 1;
}

/* The list at `at`: groups from 1; false: none is given. */
static bool read_sample(lua_State *L, int at, size_t units, cs_run_sample *s)
{
    if (lua_isnoneornil(L, at))
        return false;
    s->groups = (size_t)luaL_checkinteger(L, at + 1);
    s->n = (size_t)luaL_len(L, at);
    luaL_argcheck(L,
                  s->groups <= units && s->groups <= CS_RUN_GROUPS &&
                      s->n <= s->groups,
                  at, "too many groups");
    for (size_t i = 0; i < s->n; i++) {
        lua_rawgeti(L, at, (lua_Integer)i + 1);
        s->group[i] = (size_t)luaL_checkinteger(L, -1) - 1;
        luaL_argcheck(L, s->group[i] < s->groups, at, "no such group");
        lua_pop(L, 1);
    }
    return true;
}

/* run_report_one(run, arm, probe, sample, groups): that of one probe, key ->
 * rows or text; nil when there is none. With a list of groups, from 1, of just
 * these: group k has the chains k, k + groups ... */
static int run_report_one(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    const char *probe = luaL_checkstring(L, 3);
    cs_run_sample sample;
    cs_arm_view v = cs_run_arm(run, arm);
    bool sampled = read_sample(L, 4, v.chains / v.group, &sample);
    cs_flat out;
    take_memory(L, &out);
    bool there =
        cs_run_report_of(run, arm, probe, sampled ? &sample : NULL, "", &out);
    give_back(L, &out);
    return there;
}

/* run_diagnosis(run, arm, scalar, sample, groups, alike): the row of
 * diagnostics/table of one scalar, of a sample as above, and `alike` as
 * cs_run_diagnosis has it; nil when there is none. */
static int run_diagnosis(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    lua_Integer scalar = luaL_checkinteger(L, 3);
    cs_run_sample sample;
    cs_arm_view v = cs_run_arm(run, arm);
    bool sampled = read_sample(L, 4, v.chains / v.group, &sample);
    cs_figures figures;
    if (scalar < 0 ||
        !cs_run_diagnosis(run, arm, (size_t)scalar, sampled ? &sample : NULL,
                          lua_toboolean(L, 6), &figures))
        return 0;
    cs_script_push_numbers(L, &figures.mean, sizeof figures / sizeof(double));
    return 1;
}

/* run_logp_kind(run, arm): what log p of those rows is, in a word. */
static int run_logp_kind(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    lua_pushstring(L, cs_logp_name(cs_run_diagnosed_logp(run, arm)));
    return 1;
}

/* ---- draws in order ---- */

static const char sorted_name[] = "chainscope.sorted";

static int sorted_gc(lua_State *L)
{
    cs_sorted_end(luaL_checkudata(L, 1, sorted_name));
    return 0;
}

/* run_sorted(run, arm, reference): what run_ks takes; nil where there is nothing
 * to compare with. reference: number of an arm, nil: what is exact. */
static int run_sorted(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    size_t of =
        lua_isnoneornil(L, 3) ? CS_NO_ARM : cs_script_check_arm(L, run, 3);
    cs_sorted *s = lua_newuserdatauv(L, sizeof *s, 0);
    *s = (cs_sorted){0};
    if (luaL_newmetatable(L, sorted_name)) {
        lua_pushcfunction(L, sorted_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    cs_error err;
    return cs_sorted_make(s, run, arm, of, &err) == CS_OK;
}

/* run_ks(sorted, group, sample, groups): the distance of each coordinate, of all
 * chains or of a sample as above, `group` of which belong together. */
static int run_ks(lua_State *L)
{
    const cs_sorted *s = luaL_checkudata(L, 1, sorted_name);
    size_t group = (size_t)luaL_checkinteger(L, 2);
    cs_run_sample sample;
    bool sampled = read_sample(L, 3, s->chains / group, &sample);
    double *times = lua_newuserdatauv(L, s->chains * sizeof *times + 8, 0);
    double *ks = lua_newuserdatauv(L, s->coordinates * sizeof *ks + 8, 0);
    for (size_t c = 0; c < s->chains; c++) {
        times[c] = !sampled;
        for (size_t i = 0; sampled && i < sample.n; i++)
            times[c] += c / group % sample.groups == sample.group[i];
    }
    cs_sorted_distance(s, times, ks);
    cs_script_push_numbers(L, ks, s->coordinates);
    return 1;
}

/* run_held_out(run, arm, groups): how the chains' mean predicts what was held
 * out, then without each of the groups of chains in turn; nil when the target
 * predicts nothing. Chains that belong together stay together. */
static int run_held_out(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    const cs_target *t = cs_run_target(run);
    size_t arm = cs_script_check_arm(L, run, 2), dim = t->space.dim;
    size_t groups = (size_t)luaL_optinteger(L, 3, 0);
    cs_arm_view v = cs_run_arm(run, arm);
    if (!t->type->held_out)
        return 0;
    double *x = lua_newuserdatauv(L, v.chains * dim * sizeof *x, 0);
    size_t *group = lua_newuserdatauv(L, v.chains * sizeof *group, 0);
    cs_held_out *out = lua_newuserdatauv(L, (1 + groups) * sizeof *out, 0);
    double *error = lua_newuserdatauv(L, (1 + groups) * sizeof *error, 0);
    for (size_t c = 0; c < v.chains; c++) {
        group[c] = groups ? c / v.group % groups : 0;
        memcpy(x + c * dim, cs_run_chain(run, arm, c).x, dim * sizeof *x);
    }
    t->type->held_out(t, x, NULL, v.chains, group, groups, out);
    for (size_t g = 0; g <= groups; g++)
        error[g] = out[g].rmse;
    cs_script_push_numbers(L, error, 1 + groups);
    return 1;
}

/* chain_held_out(run, arm, chain, first, last): the same of the chain's kept
 * draws first .. last, all of them by default, by their weights: {rmse =,
 * accuracy =, log_score =}, what is known of them; nil when the target predicts
 * nothing or there are no such draws. */
static int chain_held_out(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    const cs_target *t = cs_run_target(run);
    size_t arm = cs_script_check_arm(L, run, 2), dim = t->space.dim;
    size_t chain = cs_script_check_chain(L, run, arm, 3);
    lua_Integer n = (lua_Integer)cs_run_draws(run, arm, chain, NULL, NULL);
    lua_Integer first = luaL_optinteger(L, 4, 1),
                last = luaL_optinteger(L, 5, n);
    if (!t->type->held_out || first < 1 || first > last || last > n)
        return 0;
    if (t->outputs.n)
        return cs_script_fail(
            L, "the draws hold generated quantities, not the weights");
    kept k = keep(L, run, arm, chain, chain + 1);
    double *x = lua_newuserdatauv(L, k.n * dim * sizeof *x, 0);
    for (size_t i = 0; i < k.n; i++) {
        memcpy(x + i * dim, k.row + i * k.cols + 1, dim * sizeof *x);
        k.w[i] = log(k.w[i]);
    }
    size_t from = (size_t)(first - 1);
    cs_held_out out;
    t->type->held_out(t, x + from * dim, k.w + from, (size_t)(last - first) + 1,
                      NULL, 0, &out);
    lua_newtable(L);
    set_known(L, "rmse", out.rmse);
    set_known(L, "accuracy", out.accuracy);
    set_known(L, "log_score", out.log_score);
    return 1;
}

/* run_rows(run): the rows of data of its target, 0: it has none. */
static int run_rows(lua_State *L)
{
    lua_pushinteger(L,
                    (lua_Integer)cs_run_target(cs_script_to_run(L, 1))->n_rows);
    return 1;
}

/* run_summary(run): what all arms say so far, as a text. */
static int run_summary(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    cs_page p = {0};
    cs_summary_text(run, NULL, &p);
    while (p.used && p.text[p.used - 1] == '\n')
        p.used--;
    return cs_script_push_page(L, &p);
}

/* run_fault(run): a text, or nil. */
static int run_fault(lua_State *L)
{
    char text[512];
    if (cs_run_fault(cs_script_to_change(L, 1), text, sizeof text))
        lua_pushstring(L, text);
    else
        lua_pushnil(L);
    return 1;
}

/* run_random(run): math.random follows from the run's seed and step. */
static int run_random(lua_State *L)
{
    const cs_run *run = cs_script_to_run(L, 1);
    cs_script_random_at(L, cs_run_seed(run), cs_run_steps(run));
    return 0;
}

/* run_note(run): a text, or nil. */
static int run_note(lua_State *L)
{
    lua_pushstring(L, cs_run_note(cs_script_to_run(L, 1)));
    return 1;
}

/* run_coordinates(run): the names of the coordinates. */
static int run_coordinates(lua_State *L)
{
    cs_script_push_coordinates(L, cs_run_target(cs_script_to_run(L, 1)));
    return 1;
}

/* probes(): name -> rows, title, help, whether it must be asked for, whether it
 * looks at log p. */
static int probe_list(lua_State *L)
{
    const cs_probe_type *type;
    lua_newtable(L);
    for (size_t i = 0; (type = cs_probe_at(i)); i++) {
        cs_script_push_rows(L, type->params, type->n_params);
        lua_pushstring(L, type->title);
        lua_setfield(L, -2, "title");
        lua_pushstring(L, type->help);
        lua_setfield(L, -2, "help");
        set_flag(L, "asked", type->asked);
        set_flag(L, "logp", type->logp);
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
                                         {"run_diagnosis", run_diagnosis},
                                         {"run_logp_kind", run_logp_kind},
                                         {"run_sorted", run_sorted},
                                         {"run_ks", run_ks},
                                         {"run_held_out", run_held_out},
                                         {"run_fault", run_fault},
                                         {"run_coordinates", run_coordinates},
                                         {"run_note", run_note},
                                         {"run_random", run_random},
                                         {"run_summary", run_summary},
                                         {"probes", probe_list},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
