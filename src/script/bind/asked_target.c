#include "script/bind/asked_target.h"

#include "script/bind/luaopen.h"
#include "script/state/value.h"
#include "target/part_window.h"
#include "target/row_bounds.h"

#include <lauxlib.h>
#include <string.h>

static const char meta[] = "chainscope.asked";

/* ---- memory -------------------------------------------------------------- */

enum {
    SINGLES = 5
}; /* number of arrays [CS_PAD]: value, updates, past, left,
                       * inverse temperature */

/* Returns the number of coordinates of the whole of a window; 0: the target is
 * not a window. */
static size_t around_words(const cs_target *t)
{
    const cs_part_window *w = cs_part_window_of(t);
    return w ? w->whole->space.dim : 0;
}

/* Returns the number of rows of scratch memory that a block of CS_PAD
 * lanes needs. The number of rows does not depend on the size of the
 * kernel's block. */
size_t cs_asked_words(const cs_target *t)
{
    return cs_rows_for(CS_PAD * (2 * t->space.dim + SINGLES + t->n_data +
                                 t->simulate_words + cs_eval_cache_words(t) +
                                 cs_eval_scratch_words(t) + around_words(t) +
                                 3 * CS_ASKED_ROWS / CS_PAD));
}

static void spread(double *rows, size_t row, double x)
{
    for (size_t l = 0; l < CS_PAD; l++)
        rows[row * CS_PAD + l] = x;
}

static double *take(double **at, size_t rows)
{
    double *mine = *at;
    *at += rows * CS_PAD;
    return mine;
}

void cs_asked_open(cs_asked *a, cs_move *m, size_t lane, unsigned kind,
                   double *scratch)
{
    const cs_target *t = m->eval->target;
    *a = (cs_asked){.m = m, .lane = lane};
    a->bounds = kind ? cs_row_bounds_of(t, kind) : NULL;
    a->x = take(&scratch, t->space.dim);
    a->g = take(&scratch, t->space.dim);
    a->value = take(&scratch, 1);
    a->updates = take(&scratch, 1);
    a->past = take(&scratch, 1);
    a->left = take(&scratch, 1);
    double *power = take(&scratch, 1);
    a->data = take(&scratch, t->n_data);
    a->simulate = take(&scratch, t->simulate_words);
    a->term = take(&scratch, CS_ASKED_ROWS / CS_PAD);
    a->weight = take(&scratch, CS_ASKED_ROWS / CS_PAD);
    a->row = (uint32_t *)(void *)take(&scratch, CS_ASKED_ROWS / CS_PAD);
    double *around = take(&scratch, around_words(t));
    double *cache = take(&scratch, cs_eval_cache_words(t));
    cs_eval_open(&a->eval, t, CS_PAD, 1, cache, scratch);
    for (size_t l = 0; l < CS_PAD; l++) {
        a->chain[l] = m->streams.chain[lane];
        power[l] = m->eval->power ? m->eval->power[lane] : 1;
    }
    a->eval.power = m->eval->power ? power : NULL;
    a->eval.around = around_words(t) ? around : NULL;
    for (size_t i = 0; i < around_words(t); i++)
        spread(around, i, m->eval->around[i * m->lanes + lane]);
    a->streams = m->streams;
    a->streams.lanes = CS_PAD;
    a->streams.live = 1;
    a->streams.chain = a->chain;
    a->streams.ahead = NULL;
}

void cs_asked_close(cs_asked *a)
{
    a->m->eval->work = cs_work_add(a->m->eval->work, a->eval.work);
}

/* ---- between Lua and the evaluator --------------------------------------- */

/* Reads the list of n numbers at `index` into rows[n][CS_PAD]. */
static void read_list(lua_State *L, int index, const char *what, size_t n,
                      double *rows)
{
    if (!lua_istable(L, index))
        cs_script_fail(L, "%s is a %s, not a list", what,
                       luaL_typename(L, index));
    for (size_t i = 0; i < n; i++) {
        if (lua_geti(L, index, (lua_Integer)i + 1) != LUA_TNUMBER)
            cs_script_fail(L,
                           "entry %d of %s is a %s; give a list of %d numbers",
                           (int)i + 1, what, luaL_typename(L, -1), (int)n);
        spread(rows, i, lua_tonumber(L, -1));
        lua_pop(L, 1);
    }
}

void cs_asked_read_state(lua_State *L, cs_asked *a, int index)
{
    read_list(L, index, "the state", a->eval.target->space.dim, a->x);
}

void cs_asked_read_data(lua_State *L, cs_asked *a, int index)
{
    read_list(L, index, "the data", a->eval.target->n_data, a->data);
}

static void push_rows(lua_State *L, const double *rows, size_t n)
{
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushnumber(L, rows[i * CS_PAD]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void cs_asked_push_data(lua_State *L, const cs_asked *a)
{
    push_rows(L, a->data, a->eval.target->n_data);
}

double cs_asked_prior(cs_asked *a, const double *x, size_t stride)
{
    for (size_t d = 0; d < a->m->dim; d++)
        spread(a->x, d, x[d * stride]);
    cs_eval_prior(&a->eval, a->x, a->value, NULL);
    return a->value[0];
}

void cs_asked_need(lua_State *L, const cs_asked *a, bool has, const char *name,
                   const char *what)
{
    if (!has)
        cs_script_fail(L, "%s: target %s %s", name, a->eval.target->name, what);
}

/* Returns log p. Raises an error if log p is not a number, because the script's
 * density failed or the target cannot compute log p. */
static double known(lua_State *L, const cs_asked *a)
{
    if (cs_is_broken(a->value[0]))
        luaL_error(L, "the log density raised an error");
    return a->value[0];
}

static void need_density(lua_State *L, const cs_asked *a)
{
    cs_error err;
    if (cs_target_check_density(a->eval.target, &err))
        cs_script_raise(L, &err);
}

/* ---- methods ------------------------------------------------------------- */

static cs_asked *self_of(lua_State *L)
{
    cs_asked **box = luaL_checkudata(L, 1, meta);
    if (!*box)
        cs_script_fail(L, "'target' can only be used while the function that "
                          "received it is running");
    return *box;
}

/* target:log_density(x) -> log p(x) */
static int log_density(lua_State *L)
{
    cs_asked *a = self_of(L);
    need_density(L, a);
    cs_asked_read_state(L, a, 2);
    cs_eval_log_density(&a->eval, CS_NEXT, a->x, a->value);
    lua_pushnumber(L, known(L, a));
    return 1;
}

/* target:gradient(x) -> the gradient of log p, and log p(x) */
static int gradient(lua_State *L)
{
    cs_asked *a = self_of(L);
    need_density(L, a);
    cs_asked_need(L, a, a->eval.target->type->gradient, "gradient", "has none");
    cs_asked_read_state(L, a, 2);
    cs_eval_gradient(&a->eval, CS_NEXT, a->x, a->value, a->g);
    double logp = known(L, a);
    push_rows(L, a->g, a->m->dim);
    lua_pushnumber(L, logp);
    return 2;
}

/* target:log_prior(x) -> exact part of log p(x) */
static int log_prior(lua_State *L)
{
    cs_asked *a = self_of(L);
    cs_asked_read_state(L, a, 2);
    cs_eval_prior(&a->eval, a->x, a->value, NULL);
    lua_pushnumber(L, known(L, a));
    return 1;
}

/* target:prior_gradient(x) -> gradient of the log prior */
static int prior_gradient(lua_State *L)
{
    cs_asked *a = self_of(L);
    cs_asked_need(L, a, !a->eval.target->type->factor.log_factor,
                  "prior_gradient", "has none");
    cs_asked_read_state(L, a, 2);
    cs_eval_prior(&a->eval, a->x, a->value, a->g);
    push_rows(L, a->g, a->m->dim);
    return 1;
}

static void need_rows(lua_State *L, const cs_asked *a, const char *name)
{
    cs_asked_need(L, a, a->eval.target->type->rows.terms, name,
                  "is not a sum over rows");
}

/* Returns the row number at stack index `index`, converted to count from 0. */
static uint32_t row_at(lua_State *L, const cs_asked *a, int index)
{
    lua_Integer row = luaL_checkinteger(L, index);
    size_t rows = a->eval.target->n_rows;
    if (row < 1 || (size_t)row > rows)
        cs_script_fail(L, "there is no row %d: the target has %d", (int)row,
                       (int)rows);
    return (uint32_t)row - 1;
}

/* target:term(x, row) -> value of the term of one row */
static int term(lua_State *L)
{
    cs_asked *a = self_of(L);
    const size_t first[] = {0, 1};
    need_rows(L, a, "term");
    cs_asked_read_state(L, a, 2);
    for (size_t i = 0; i < CS_PAD; i++)
        a->row[i] = row_at(L, a, 3);
    cs_eval_terms(&a->eval, a->x, &(cs_batch){.row = a->row, .first = first},
                  a->term);
    lua_pushnumber(L, a->term[0]);
    return 1;
}

/* Reads n row numbers from the list at stack index 3, starting at entry `from`.
 * If `weighs` is true, also reads the weights of these rows from the list at
 * index 4. The unused places at the end get copies of the first row, with
 * weight 0. */
static size_t read_piece(lua_State *L, cs_asked *a, bool weighs, size_t from,
                         size_t all)
{
    size_t n = all - from < CS_ASKED_ROWS ? all - from : CS_ASKED_ROWS;
    for (size_t i = 0; i < n; i++) {
        lua_geti(L, 3, (lua_Integer)(from + i) + 1);
        a->row[i] = row_at(L, a, -1);
        lua_pop(L, 1);
        a->weight[i] = 1;
        if (!weighs)
            continue;
        lua_geti(L, 4, (lua_Integer)(from + i) + 1);
        a->weight[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    for (size_t i = n; i % CS_PAD; i++) {
        a->row[i] = a->row[0];
        a->weight[i] = 0;
    }
    return n;
}

/* target:terms(x, rows) -> list of the terms of these rows */
static int terms(lua_State *L)
{
    cs_asked *a = self_of(L);
    need_rows(L, a, "terms");
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    cs_asked_read_state(L, a, 2);
    size_t all = lua_rawlen(L, 3);
    lua_createtable(L, (int)all, 0);
    for (size_t from = 0; from < all; from += CS_ASKED_ROWS) {
        size_t n = read_piece(L, a, false, from, all);
        const size_t first[] = {0, n};
        cs_eval_terms(&a->eval, a->x,
                      &(cs_batch){.row = a->row, .first = first}, a->term);
        for (size_t i = 0; i < n; i++) {
            lua_pushnumber(L, a->term[i]);
            lua_rawseti(L, 4, (lua_Integer)(from + i) + 1);
        }
    }
    return 1;
}

/* target:slope(x, rows[, weights]) -> gradient of the weighted sum of terms */
static int slope(lua_State *L)
{
    cs_asked *a = self_of(L);
    need_rows(L, a, "slope");
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 4);
    cs_asked_read_state(L, a, 2);
    size_t all = lua_rawlen(L, 3), dim = a->m->dim;
    bool weighs = lua_istable(L, 4);
    double *sum = lua_newuserdatauv(L, dim * sizeof *sum, 0);
    memset(sum, 0, dim * sizeof *sum);
    for (size_t from = 0; from < all; from += CS_ASKED_ROWS) {
        const size_t first[] = {0, read_piece(L, a, weighs, from, all)};
        const cs_batch b = {.row = a->row, .first = first, .weight = a->weight};
        cs_eval_slope(&a->eval, a->x, &b, a->term, a->g);
        for (size_t d = 0; d < dim; d++)
            sum[d] += a->g[d * CS_PAD];
    }
    cs_script_push_numbers(L, sum, dim);
    return 1;
}

/* target:rows() -> number of rows */
static int rows(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)self_of(L)->eval.target->n_rows);
    return 1;
}

const cs_row_bounds *cs_asked_bounds(lua_State *L, const cs_asked *a)
{
    if (!a->bounds)
        cs_script_fail(L, "the kernel has no bounds for rows: give the kernel "
                          "rows = \"range\" or rows = \"change\"");
    return a->bounds;
}

/* target:bound(row) -> width, low; target:bound() -> the sum of the widths */
static int bound(lua_State *L)
{
    cs_asked *a = self_of(L);
    const cs_row_bounds *b = cs_asked_bounds(L, a);
    if (lua_isnoneornil(L, 2)) {
        lua_pushnumber(L, b->total);
        return 1;
    }
    const cs_row_bound *of = &b->of[row_at(L, a, 2)];
    lua_pushnumber(L, (double)of->width);
    lua_pushnumber(L, (double)of->low);
    return 2;
}

/* target:distance(x, y) -> the measure M(x, y), which scales the bounds of
 * changes */
static int distance(lua_State *L)
{
    cs_asked *a = self_of(L);
    cs_asked_need(L, a, a->eval.target->row_bounds & CS_ROW_CHANGE, "distance",
                  "has no bounds on the change of its terms");
    read_list(L, 3, "the other state", a->m->dim, a->g);
    cs_asked_read_state(L, a, 2);
    cs_row_change_measure(a->eval.target, a->x, a->g, CS_PAD, a->value);
    lua_pushnumber(L, a->value[0]);
    return 1;
}

static void need_factor(lua_State *L, const cs_asked *a, const char *name)
{
    cs_asked_need(L, a, a->eval.target->type->factor.log_factor, name,
                  "is not a model with an unknown factor");
}

/* target:log_factor(x, data) -> log f(x, data) */
static int log_factor(lua_State *L)
{
    cs_asked *a = self_of(L);
    need_factor(L, a, "log_factor");
    cs_asked_read_state(L, a, 2);
    cs_asked_read_data(L, a, 3);
    cs_eval_log_factor(&a->eval, a->x, a->data, a->value);
    lua_pushnumber(L, known(L, a));
    return 1;
}

/* target:observed() -> the observed data */
static int observed(lua_State *L)
{
    cs_asked *a = self_of(L);
    need_factor(L, a, "observed");
    cs_script_push_numbers(L, a->eval.target->data, a->eval.target->n_data);
    return 1;
}

/* ---- the object ---------------------------------------------------------- */

cs_asked **cs_asked_push(lua_State *L)
{
    cs_asked **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    luaL_setmetatable(L, meta);
    return box;
}

void cs_script_open_asked(lua_State *L)
{
    static const luaL_Reg methods[] = {{"log_density", log_density},
                                       {"gradient", gradient},
                                       {"log_prior", log_prior},
                                       {"prior_gradient", prior_gradient},
                                       {"term", term},
                                       {"terms", terms},
                                       {"slope", slope},
                                       {"rows", rows},
                                       {"bound", bound},
                                       {"distance", distance},
                                       {"log_factor", log_factor},
                                       {"observed", observed},
                                       {NULL, NULL}};
    luaL_newmetatable(L, meta);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "target");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
