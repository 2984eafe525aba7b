/* Creates a run from a table that lua/chainscope/open.lua has checked. */
#include "run/arms/arms.h"
#include "run/arms/share.h"
#include "run/draws/recall.h"
#include "run/draws/usual.h"
#include "run/run.h"
#include "run/summary/summary.h"
#include "script/bind/lua_kernel.h"
#include "script/bind/lua_learner.h"
#include "script/bind/lua_run.h"
#include "script/bind/lua_target.h"
#include "script/bind/lua_tuner.h"
#include "script/bind/luaopen.h"
#include "script/state/digest.h"
#include "script/state/path.h"
#include "script/state/random.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <string.h>

static double number_field(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    double x = lua_isnil(L, -1) ? 0 : luaL_checknumber(L, -1);
    if (!(x >= 0 && x < 1.8e19)) {
        cs_error err;
        cs_fail(&err, CS_RANGE, "%s = %g must be at least 0", name, x);
        cs_script_raise(L, &err);
    }
    lua_pop(L, 1);
    return x;
}

static uint64_t whole_field(lua_State *L, int table, const char *name)
{
    return (uint64_t)number_field(L, table, name);
}

/* Allocates memory that exists as long as the Lua list at `keep`. */
static void *keep_memory(lua_State *L, int keep, size_t size)
{
    void *memory = lua_newuserdatauv(L, size + 1, 0);
    memset(memory, 0, size + 1);
    luaL_ref(L, keep);
    return memory;
}

/* Reads the list of numbers on top of the stack. */
static const double *read_numbers(lua_State *L, int keep)
{
    size_t n = lua_rawlen(L, -1);
    double *x = keep_memory(L, keep, n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        x[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    return x;
}

/* Reads a metric from a field {kind =, numbers =, centre =}. The module
 * has checked the field; this function only checks how many numbers the
 * lists have. */
static void read_metric(lua_State *L, int keep, int arm, size_t dim,
                        cs_arm_spec *to)
{
    lua_getfield(L, arm, "metric");
    if (lua_isnil(L, -1))
        return;
    lua_getfield(L, -1, "kind");
    bool dense = strcmp(luaL_checkstring(L, -1), "dense") == 0;
    to->metric = dense ? CS_METRIC_DENSE : CS_METRIC_DIAGONAL;
    lua_getfield(L, -2, "numbers");
    size_t n = lua_rawlen(L, -1), wanted = cs_metric_words(to->metric, dim);
    if (n != wanted) {
        cs_error err;
        cs_fail(&err, CS_INPUT, "the metric of arm %s has %zu numbers, not %zu",
                to->name, n, wanted);
        cs_hint(&err, "give one variance per coordinate, or a square matrix");
        cs_script_raise(L, &err);
    }
    to->covariance = read_numbers(L, keep);
    lua_getfield(L, -3, "centre");
    to->centre = lua_isnil(L, -1) ? NULL : read_numbers(L, keep);
}

static void read_arms(lua_State *L, int keep, cs_run_spec *spec)
{
    lua_newtable(L);
    lua_getfield(L, 1, "arms");
    int list = lua_gettop(L), known = list - 1;
    size_t n = lua_rawlen(L, list);
    cs_arm_spec *arms = keep_memory(L, keep, n * sizeof *arms);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        int arm = lua_gettop(L);
        lua_getfield(L, arm, "name");
        arms[i].name = luaL_checkstring(L, -1);
        lua_getfield(L, arm, "chosen");
        arms[i].chosen = lua_tostring(L, -1); /* the arm keeps the string */
        lua_getfield(L, arm, "stream");
        arms[i].stream = lua_tostring(L, -1);
        lua_getfield(L, arm, "kernel");
        const cs_script_kernel *k = cs_script_to_kernel(L, -1);
        if (!k)
            luaL_error(L, "an arm needs a kernel");
        arms[i].kernel = k->kernel;
        arms[i].plan = k->plan;
        lua_getfield(L, arm, "tuner");
        const cs_tuner *tuner = cs_script_to_tuner(L, -1);
        if (tuner)
            arms[i].tuner = *tuner;
        lua_getfield(L, arm, "brought"); /* true for the default tuner of the
                                          * kernel */
        arms[i].tuner.usual |= lua_toboolean(L, -1);
        arms[i].chains = (size_t)whole_field(L, arm, "chains");
        read_metric(L, keep, arm, spec->target->space.dim, &arms[i]);
        if (lua_getfield(L, arm, "learn") == LUA_TTABLE) {
            arms[i].learner =
                cs_script_learner(L, lua_gettop(L), known, spec->target);
            luaL_ref(L, keep);
        }
        lua_settop(L, list);
    }
    spec->arms = arms;
    spec->n_arms = n;
    lua_pop(L, 2);
}

/* True if the probe supports the target; raises an error for an invalid
 * field. */
static bool probe_fits(lua_State *L, const cs_probe_spec *p, cs_target *target,
                       bool asked)
{
    cs_probe probe;
    cs_error err = {0};
    cs_status s =
        cs_probe_init(&probe, p->type, p->given, p->n_given, target, &err);
    if (s == CS_OK)
        cs_probe_fini(&probe);
    else if (asked || s != CS_UNSUPPORTED)
        cs_script_raise(L, &err);
    return s == CS_OK;
}

static void read_probe(lua_State *L, int keep, int at, cs_probe_spec *p)
{
    lua_getfield(L, at, "name");
    p->type = cs_probe_find(luaL_checkstring(L, -1));
    if (!p->type)
        luaL_error(L, "no such probe");
    lua_getfield(L, at, "fields");
    p->every = whole_field(L, lua_gettop(L), "every");
    lua_getfield(L, -1, "true_logp");
    p->true_logp = lua_toboolean(L, -1);
    lua_pop(L, 1);
    size_t n;
    cs_value *given = cs_script_values(L, -1, "every true_logp", &n);
    int above = lua_gettop(L);
    cs_script_resolve_paths(L, p->type->params, p->type->n_params, given, n);
    while (lua_gettop(L) >= above)
        luaL_ref(L, keep);
    if (n > CS_PROBE_PARAMS)
        luaL_error(L, "probe %s: too many fields", p->type->name);
    memcpy(p->given, given, n * sizeof *given);
    p->n_given = n;
}

static bool is_listed(const cs_probe_spec *probes, size_t n,
                      const cs_probe_type *type)
{
    for (size_t i = 0; i < n; i++)
        if (probes[i].type == type)
            return true;
    return false;
}

/* Returns true if the results of the probe are needed. The table at stack index
 * `read` lists the needed probes; if it is nil, all probes are needed. */
static bool is_read(lua_State *L, int read, const cs_probe_type *type)
{
    bool yes = !lua_istable(L, read);
    if (!yes) {
        lua_getfield(L, read, type->name);
        yes = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    return yes;
}

/* Decides whether to create a probe that the script did not request. By
 * default, the default probes are created. If the run continues another run,
 * the table `exactly` lists the probes to create. */
static bool is_there(lua_State *L, int list, const cs_probe_type *type,
                     const cs_run_spec *spec)
{
    bool there = false, exactly = false;
    if (lua_istable(L, list)) {
        exactly = lua_getfield(L, list, "exactly") == LUA_TTABLE;
        if (exactly) {
            lua_getfield(L, -1, type->name);
            there = lua_toboolean(L, -1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    return exactly ? there : cs_probe_is_usual(type, spec->arms, spec->n_arms);
}

/* Reads the list of probes in the field `probes`. If this list has the field
 * `others`, or if there is no list, also adds the default probes that fit the
 * target. If the list has a table `read`, adds only probes in that table. */
static void read_probes(lua_State *L, int keep, cs_run_spec *spec)
{
    bool all = lua_getfield(L, 1, "probes") != LUA_TTABLE;
    int list = lua_gettop(L), read = list + 1;
    if (!all) {
        lua_getfield(L, list, "others");
        all = lua_toboolean(L, -1);
        lua_settop(L, list);
        lua_getfield(L, list, "read");
    } else
        lua_pushnil(L);
    size_t asked = lua_istable(L, list) ? lua_rawlen(L, list) : 0;
    size_t n = asked, used = 0;
    for (size_t i = 0; all && cs_probe_at(i); i++)
        n++;
    cs_probe_spec *probes = keep_memory(L, keep, n * sizeof *probes);
    for (size_t i = 0; i < n; i++) {
        bool wanted = false;
        if (i < asked) {
            lua_rawgeti(L, list, (lua_Integer)i + 1);
            lua_getfield(L, -1, "if_fits");
            wanted = !lua_toboolean(L, -1);
            lua_pop(L, 1);
            read_probe(L, keep, lua_gettop(L), &probes[used]);
        } else if (!is_there(L, list, cs_probe_at(i - asked), spec) ||
                   !is_read(L, read, cs_probe_at(i - asked)) ||
                   is_listed(probes, used, cs_probe_at(i - asked))) {
            continue;
        } else {
            probes[used].type = cs_probe_at(i - asked);
        }
        used += probe_fits(L, &probes[used], spec->target, i < asked && wanted);
        lua_settop(L, read);
    }
    spec->probes = probes;
    spec->n_probes = used;
    lua_pop(L, 2);
}

static void read_start(lua_State *L, int keep, cs_run_spec *spec)
{
    if (lua_getfield(L, 1, "start") == LUA_TTABLE) {
        size_t cols;
        spec->start = cs_script_numbers(L, -1, "start", &spec->n_starts, &cols);
        luaL_ref(L, keep);
        if (spec->n_starts && cols != spec->target->space.dim)
            luaL_error(L, "'start' must hold states of %d coordinates",
                       (int)spec->target->space.dim);
    }
    lua_pop(L, 1);
}

static void read_budget(lua_State *L, cs_budget *budget)
{
    if (lua_getfield(L, 1, "budget") == LUA_TTABLE) {
        int at = lua_gettop(L);
        budget->steps = whole_field(L, at, "steps");
        budget->gradients = whole_field(L, at, "gradients");
        budget->log_densities = whole_field(L, at, "log_densities");
        budget->data_terms = whole_field(L, at, "data_terms");
        budget->seconds = number_field(L, at, "seconds");
    }
    lua_pop(L, 1);
}

/* summary_reads(target): returns the probes that the summary reads, a table
 * from name to true. */
static int summary_reads(lua_State *L)
{
    const cs_target *target = cs_script_to_target(L, 1);
    const cs_probe_type *type;
    luaL_argcheck(L, target, 1, "a target");
    lua_newtable(L);
    for (size_t i = 0; (type = cs_probe_at(i)); i++)
        cs_script_set_flag(L, type->name, cs_summary_reads(target, type->name));
    return 1;
}

/* Reads the events that a scenario sets up once its run is open. */
static const char *read_setup(lua_State *L)
{
    cs_page p = {0};
    lua_getfield(L, 1, "setup");
    cs_script_parts(L, -1, "setup", &p);
    lua_pop(L, 1);
    cs_script_push_page(L, &p);
    return lua_tostring(L, -1);
}

/* Reads the share of the run that this process computes. The field `part` of
 * the table specifies the share. If this field is "ranks", the share is the
 * part of this rank. */
static void read_share(lua_State *L, cs_run_spec *spec)
{
    cs_error err;
    lua_getfield(L, 1, "part");
    const char *text = lua_tostring(L, -1);
    if (text && strcmp(text, "ranks") == 0)
        spec->ranks = cs_script_ranks(cs_script_of(L));
    else if (text && cs_share_read(&spec->share, text, &err))
        cs_script_raise(L, &err);
}

/* If an arm learns, the known properties of the target (such as exact means)
 * are wrong for every arm. The probes then get a copy of the target without
 * these properties. */
static void forget_answers(lua_State *L, int keep, cs_run_spec *spec)
{
    bool any = false;
    cs_error err = {0};
    for (size_t i = 0; i < spec->n_arms; i++)
        any |= spec->arms[i].learner.type != NULL;
    if (!any)
        return;
    if (cs_target_learner(spec->target, &spec->target, &err))
        cs_script_raise(L, &err);
    cs_script_push_target(L, spec->target);
    luaL_ref(L, keep);
}

/* Reads the fields of the table at stack index 1. The table `keep` holds
 * everything that must exist while the run is created. */
static void read_spec(lua_State *L, int keep, cs_run_spec *spec)
{
    lua_getfield(L, 1, "target");
    spec->target = cs_script_to_target(L, -1);
    if (!spec->target)
        luaL_error(L, "a run needs a target");
    read_arms(L, keep, spec);
    forget_answers(L, keep, spec);
    read_start(L, keep, spec);
    read_budget(L, &spec->budget);
    read_probes(L, keep, spec);
    spec->chains = (size_t)whole_field(L, 1, "chains");
    if (spec->chains == 0)
        spec->chains = 4;
    spec->seed = whole_field(L, 1, "seed");
    spec->warmup = whole_field(L, 1, "warmup");
    spec->max_warmup = whole_field(L, 1, "most_warmup");
    spec->workers = (size_t)whole_field(L, 1, "workers");
    spec->block_lanes = (size_t)whole_field(L, 1, "block_lanes");
    spec->keep = (size_t)whole_field(L, 1, "keep");
    spec->rewind_bytes = whole_field(L, 1, "rewind_bytes");
    lua_getfield(L, 1, "strict");
    spec->strict = lua_toboolean(L, -1);
    lua_pop(L, 1);
    spec->script = read_setup(L);
    lua_getfield(L, 1, "together");
    spec->together = lua_tostring(L, -1);
    read_share(L, spec);
}

/* Creates the run. The time limit of the script excludes the creation of the
 * first run in each call. */
static cs_status create(lua_State *L, const cs_run_spec *spec, cs_run **run,
                        cs_error *err)
{
    cs_script *script = cs_script_of(L);
    bool excused = script && cs_script_first_run(script);
    cs_script_check(L);
    cs_script_make_room(L);
    if (excused)
        cs_script_excuse(script, true);
    cs_status s = cs_run_create(run, spec, err);
    if (excused)
        cs_script_excuse(script, false);
    if (s)
        *run = NULL;
    return s;
}

static int run_new(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_newtable(L);
    cs_run_spec spec = {0};
    read_spec(L, 2, &spec);
    cs_script_run *box = cs_script_push_run(L, NULL);
    box->own = true;
    lua_pushvalue(L, 1); /* keeps kernels and schedules alive as long as the
                          * run */
    lua_setiuservalue(L, -2, 1);
    cs_error err = {0};
    cs_callback *link = cs_callback_of(L);
    cs_callback_forget(link);
    cs_status s = create(L, &spec, &box->run, &err);
    if (s || link->halted) /* the script's error is the most precise one */
        cs_callback_raise(L);
    cs_callback_forget(link);
    if (s == CS_OK) {
        cs_script_recalls(L, box->run);
        cs_script_random_at(L, spec.seed, 0);
        cs_script_set_latest_run(L, -1);
    }
    return s ? cs_script_raise(L, &err) : 1;
}

/* run_keep_quantities(run): records all quantities of draws of a run without
 * steps if the target has generated quantities. Functions of scripts read them
 * by name. */
static int run_keep_quantities(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    const cs_target *t = cs_run_target(run);
    if (cs_target_shown(t) > t->space.dim)
        cs_run_keep_quantities(run);
    return 0;
}

/* run_data_lines(run, text): comment lines for the run's files of draws. Without
 * text returns these lines, or nil. */
static int run_data_lines(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    if (lua_isnoneornil(L, 2)) {
        lua_pushstring(L, cs_run_data_lines(run));
        return 1;
    }
    if (!cs_run_set_data_lines(run, luaL_checkstring(L, 2)))
        return luaL_error(L, "out of memory for the observed data");
    return 0;
}

void cs_script_open_run_new(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"run_new", run_new},
        {"run_keep_quantities", run_keep_quantities},
        {"run_data_lines", run_data_lines},
        {"summary_reads", summary_reads},
        {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
