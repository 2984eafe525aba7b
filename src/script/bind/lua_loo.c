/* Leave-one-out predictive densities, the comparison of models, and
 * sensitivities to the power of prior and likelihood. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/summary/log_lik.h"
#include "script/bind/lua_run.h"
#include "script/bind/luaopen.h"
#include "script/state/value.h"

#include <lauxlib.h>

/* Sets a field of the table on top to the list of one member of the results. */
static void set_list(lua_State *L, const char *field, const cs_run_loo *l,
                     size_t offset)
{
    lua_createtable(L, (int)l->of.n, 0);
    for (size_t i = 0; i < l->of.n; i++) {
        const char *point = (const char *)&l->point[i];
        lua_pushnumber(L, *(const double *)(const void *)(point + offset));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, field);
}

static void push_loo(lua_State *L, const cs_run *run, const cs_run_loo *l)
{
    cs_loo_sum s = cs_loo_total(l->point, l->of.n);
    lua_newtable(L);
    cs_script_set_number(L, "elpd", s.elpd);
    cs_script_set_number(L, "error", s.elpd_error);
    cs_script_set_number(L, "p", s.p);
    cs_script_set_number(L, "waic", s.waic);
    cs_script_set_number(L, "waic_error", s.waic_error);
    cs_script_set_number(L, "p_waic", s.p_waic);
    cs_script_set_number(L, "bad", (double)s.bad);
    cs_script_set_number(L, "worst", s.worst);
    cs_script_set_number(L, "reliable", s.reliable);
    set_list(L, "pointwise", l, offsetof(cs_loo, elpd));
    set_list(L, "k", l, offsetof(cs_loo, k));
    set_list(L, "lpd", l, offsetof(cs_loo, lpd));
    set_list(L, "waic_pointwise", l, offsetof(cs_loo, waic));
    set_list(L, "mcse", l, offsetof(cs_loo, error));
    set_list(L, "lpd_mcse", l, offsetof(cs_loo, lpd_error));
    lua_createtable(L, (int)l->of.n, 0);
    for (size_t i = 0; i < l->of.n; i++) {
        char name[CS_PART_NAME];
        cs_target_coordinate(cs_run_target(run), l->of.scalar[i] - 1, name,
                             sizeof name);
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "observations");
}

/* run_loo(run, arm, quantity, left_out): returns a table with sums and with
 * lists that have an element per observation. */
static int run_loo(lua_State *L)
{
    cs_error err;
    cs_run_loo l;
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    const cs_loo_ask ask = {.name = luaL_optstring(L, 3, NULL),
                            .left_out = lua_toboolean(L, 4)};
    cs_status status = cs_run_loo_find(run, arm, &ask, &l, &err);
    if (status == CS_OK)
        push_loo(L, run, &l);
    cs_run_loo_free(&l);
    return status ? cs_script_raise(L, &err) : 1;
}

/* Pushes the list of models, the best first. */
static void push_ranks(lua_State *L, const cs_model_rank *rank, size_t models)
{
    lua_createtable(L, (int)models, 0);
    for (size_t k = 0; k < models; k++) {
        lua_newtable(L);
        cs_script_set_number(L, "elpd", rank[k].elpd);
        cs_script_set_number(L, "difference", rank[k].difference);
        cs_script_set_number(L, "error", rank[k].error);
        cs_script_set_number(L, "weight", rank[k].weight);
        lua_pushinteger(L, (lua_Integer)rank[k].model + 1);
        lua_setfield(L, -2, "model");
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
}

/* rank_models(list): the list has a list of elpd per model, of equal lengths.
 * Returns the ranks, the best first. */
static int rank_models(lua_State *L)
{
    cs_model_rank rank[CS_STACKED];
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t models = lua_rawlen(L, 1), n = 0;
    luaL_argcheck(L, models > 0 && models <= CS_STACKED, 1, "too many models");
    lua_rawgeti(L, 1, 1);
    n = lua_rawlen(L, -1);
    double *elpd = lua_newuserdatauv(L, (models * n + 1) * sizeof *elpd, 0);
    for (size_t k = 0; k < models; k++) {
        lua_rawgeti(L, 1, (lua_Integer)k + 1);
        for (size_t i = 0; i < n; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            elpd[k * n + i] = luaL_checknumber(L, -1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    if (!cs_models_rank(elpd, models, n, rank))
        return luaL_error(L, "out of memory for stacking weights");
    push_ranks(L, rank, models);
    return 1;
}

/* Pushes the list of sensitivities. */
static void push_power(lua_State *L, const cs_run *run, const cs_run_power *p)
{
    lua_createtable(L, (int)p->n, 2);
    cs_script_set_number(L, "k_prior", p->k[0]);
    cs_script_set_number(L, "k_likelihood", p->k[1]);
    for (size_t i = 0; i < p->n; i++) {
        char name[CS_PART_NAME];
        cs_target_coordinate(cs_run_target(run), p->scalar[i] - 1, name,
                             sizeof name);
        lua_newtable(L);
        cs_script_set_number(L, "prior", p->prior[i]);
        cs_script_set_number(L, "likelihood", p->likelihood[i]);
        lua_pushstring(L, name);
        lua_setfield(L, -2, "quantity");
        lua_pushstring(L, cs_power_verdict(p->prior[i], p->likelihood[i]));
        lua_setfield(L, -2, "verdict");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* run_sensitivity(run, arm, power, prior, likelihood): returns a list with
 * the sensitivities of each quantity. */
static int run_sensitivity(lua_State *L)
{
    cs_error err;
    cs_run_power p;
    cs_run *run = cs_script_to_run(L, 1);
    size_t arm = cs_script_check_arm(L, run, 2);
    const cs_power_ask ask = {.prior = luaL_optstring(L, 4, NULL),
                              .likelihood = luaL_optstring(L, 5, NULL),
                              .alpha = luaL_optnumber(L, 3, CS_POWER)};
    luaL_argcheck(L, ask.alpha > 1 && ask.alpha <= 2, 3,
                  "the power must be above 1 and at most 2");
    cs_status status = cs_run_power_find(run, arm, &ask, &p, &err);
    if (status == CS_OK)
        push_power(L, run, &p);
    cs_run_power_free(&p);
    return status ? cs_script_raise(L, &err) : 1;
}

void cs_script_open_loo(lua_State *L)
{
    static const luaL_Reg functions[] = {{"run_loo", run_loo},
                                         {"rank_models", rank_models},
                                         {"run_sensitivity", run_sensitivity},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
