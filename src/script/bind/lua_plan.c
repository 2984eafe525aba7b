
#include "kernel/member_metrics.h"
#include "run/tuning/tuning_view.h"
#include "run/views/view.h"
#include "script/bind/lua_kernel.h"
#include "script/bind/lua_run.h"
#include "script/bind/lua_schedule.h"
#include "script/bind/luaopen.h"
#include "script/state/path.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static void push_value(lua_State *L, const cs_param *row, double x)
{
    if (row->kind == CS_PARAM_CHOICE)
        lua_pushstring(L, row->choices[(size_t)x]);
    else if (row->kind == CS_PARAM_BOOL)
        lua_pushboolean(L, x != 0);
    else if (row->kind == CS_PARAM_INT)
        lua_pushinteger(L, (lua_Integer)x);
    else
        lua_pushnumber(L, x);
}

/* arm_plan(run, arm): returns the fields from which the arm's current kernel
 * can be created again. In these fields the schedule of a cycle is a list of
 * numbers. */
static int arm_plan(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    cs_arm_view v = cs_run_arm(run, cs_script_check_arm(L, run, 2));
    const cs_kernel_type *type = v.kernel->type;
    lua_newtable(L);
    for (size_t i = 0; i < type->n_params; i++) {
        const cs_schedule *s = cs_plan_schedule(v.plan, i);
        if (!v.plan->driven[i])
            push_value(L, &type->params[i], v.kernel->values[i]);
        else if (strcmp(s->type->name, "cycle") == 0)
            cs_script_push_numbers(L, s->values + 1, (size_t)s->values[0]);
        else
            cs_script_push_schedule(L, s);
        lua_setfield(L, -2, type->params[i].name);
    }
    cs_script_set_lists(L, v.kernel);
    return 1;
}

static void push_metric(lua_State *L, const cs_metric *g)
{
    if (g->kind == CS_METRIC_DIAGONAL) {
        cs_script_push_numbers(L, g->covariance, g->dim);
    } else {
        lua_createtable(L, (int)g->dim, 1);
        for (size_t i = 0; i < g->dim; i++) {
            cs_script_push_numbers(L, g->covariance + i * g->dim, g->dim);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
    }
    if (g->centre)
        cs_script_set_list(L, "centre", g->centre, g->dim);
}

/* Adds the metric of a member to the table on top of the stack. */
static void add_metric(void *self, const char *path, const cs_metric *g)
{
    lua_State *L = self;
    push_metric(L, g);
    lua_setfield(L, -2, path);
}

/* arm_metric(run, arm): returns a list of the variances or the rows of the
 * metric. The field `centre` of the list is the metric's centre, if there is
 * one. Returns nil for the unit metric. For a cycle or a mixture returns a table
 * of such lists, by the names of the members that have a metric. */
static int arm_metric(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    cs_arm_view v = cs_run_arm(run, cs_script_check_arm(L, run, 2));
    if (v.kernel->type->composes) {
        lua_newtable(L);
        cs_composed_show_metrics(v.kernel, v.metric, add_metric, L);
    } else if (v.metric) {
        push_metric(L, v.metric);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

static void push_trial(lua_State *L, const cs_arm_view *v,
                       const cs_trial_view *t)
{
    const cs_tuner *tuner = v->tuning.tuner;
    lua_newtable(L);
    cs_script_set_text(L, "phase", tuner->type->phases[t->phase]);
    cs_script_set_whole(L, "steps", (double)t->steps);
    cs_script_set_flag(L, "taken", t->taken);
    if (!isnan(t->acceptance))
        cs_script_set_number(L, "acceptance", t->acceptance);
    for (size_t i = 0; i < tuner->n_driven; i++)
        cs_script_set_number(L, v->kernel->type->params[tuner->param[i]].name,
                             t->value[i]);
}

/* arm_trials(run, arm): returns the trials of the arm's tuner, in order. */
static int arm_trials(lua_State *L)
{
    cs_run *run = cs_script_to_run(L, 1);
    cs_arm_view v = cs_run_arm(run, cs_script_check_arm(L, run, 2));
    lua_newtable(L);
    for (size_t i = 0; i < v.tuning.n_trials; i++) {
        push_trial(L, &v, &v.tuning.trial[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* plans(path): runs the script at `path`, and returns the value that the script
 * returns. */
static int plans(lua_State *L)
{
    cs_script_push_path(L, luaL_checkstring(L, 1));
    if (luaL_loadfilex(L, lua_tostring(L, -1), "t") != LUA_OK)
        return lua_error(L);
    cs_script *s = cs_script_of(L);
    if (s) { /* only the environment of a script has `require` */
        cs_script_environment(s);
        lua_setupvalue(L, -2, 1);
    }
    lua_call(L, 0, 1);
    return 1;
}

void cs_script_open_plan(lua_State *L)
{
    static const luaL_Reg functions[] = {{"arm_plan", arm_plan},
                                         {"arm_metric", arm_metric},
                                         {"arm_trials", arm_trials},
                                         {"plans", plans},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
