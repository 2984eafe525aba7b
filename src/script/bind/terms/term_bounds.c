#include "script/bind/terms/term_bounds.h"

#include "base/memory.h"
#include "rng/stream.h"
#include "script/bind/terms/term_row.h"
#include "script/math/tracing.h"
#include "script/state/value.h"
#include "simd/simd.h"
#include "target/eval.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double most = 1e30; /* largest bound that is accepted */

/* ---- the region ---------------------------------------------------------- */

/* Returns the list of space->dim numbers in the field `name` of the table on
 * top of the stack. */
static double *read_side(lua_State *L, const char *name)
{
    size_t rows, cols;
    lua_getfield(L, -1, name);
    double *v = cs_script_numbers(L, -1, "box", &rows, &cols);
    lua_insert(L, -3); /* moves the owner of v below the table */
    lua_pop(L, 1);
    return v;
}

/* Reads region = { ball = R, low = { ... }, high = { ... } }, in the form that
 * the module passes. */
static void read_region(lua_State *L, int fields, const cs_space *space,
                        cs_region *r)
{
    *r = (cs_region){.radius = HUGE_VAL};
    if (lua_getfield(L, fields, "region") != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    r->dim = space->dim;
    r->low = read_side(L, "low");
    r->high = read_side(L, "high");
    if (lua_getfield(L, -1, "ball") == LUA_TNUMBER)
        r->radius = lua_tonumber(L, -1);
    lua_pop(L, 2);
}

/* ---- functions of a row -------------------------------------------------- */

typedef struct task {
    const char *name;
    const cs_term_data *data;
    double *to;
    size_t each; /* numbers per row: 2 for bound, 1 for lipschitz */
} task;

static int refuse(lua_State *L, const task *k, size_t row, const char *what)
{
    cs_error err;
    cs_fail(&err, CS_SCRIPT, "%s: row %zu: %s", k->name, row + 1, what);
    cs_hint(&err, "%s",
            k->each == 2
                ? "return low, high: finite numbers with low <= term "
                  "<= high"
                : "return c: a finite number, at least 0, with |term(x) "
                  "- term(y)| <= c |x - y|");
    return cs_script_raise(L, &err);
}

/* Reads the results of the function for a row: the last `each` values on the
 * stack. */
static void take(lua_State *L, const task *k, size_t row)
{
    char text[96];
    double *v = k->to + row * k->each;
    for (size_t i = 0; i < k->each; i++) {
        int at = (int)i - (int)k->each;
        if (lua_type(L, at) != LUA_TNUMBER) {
            snprintf(text, sizeof text, "the function returned a %s",
                     lua_isnil(L, at) ? "nothing" : luaL_typename(L, at));
            refuse(L, k, row,
                   lua_isnil(L, at) ? "the function returned too few values"
                                    : text);
        }
        v[i] = lua_tonumber(L, at);
        if (!(fabs(v[i]) <= most)) {
            snprintf(text, sizeof text, "the function returned %g", v[i]);
            refuse(L, k, row, text);
        }
    }
    if (k->each == 2 ? v[0] > v[1] : v[0] < 0) {
        snprintf(text, sizeof text,
                 k->each == 2 ? "low = %g is above high = %g"
                              : "the function returned %g",
                 v[0], v[k->each - 1]);
        refuse(L, k, row, text);
    }
}

/* Calls the function for each row. Lua arguments: function, task. */
static int call_rows(lua_State *L)
{
    task *k = lua_touserdata(L, 2);
    lua_settop(L, 1);
    cs_script_push_row(L, k->data, 0);
    for (size_t r = 0; r < k->data->rows; r++) {
        if (r)
            cs_script_change_row(L, 2, k->data, r);
        lua_pushvalue(L, 1);
        lua_pushvalue(L, 2);
        lua_call(L, 1, (int)k->each);
        take(L, k, r);
        lua_settop(L, 2);
    }
    return 0;
}

/* Returns [rows][each] results of the function in the field `name`; NULL if the
 * field is missing. */
static double *read_function(lua_State *L, int fields, const cs_term_data *data,
                             const char *name, size_t each)
{
    if (lua_getfield(L, fields, name) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return NULL;
    }
    task k = {.name = name, .data = data, .each = each};
    k.to = lua_newuserdatauv(L, data->rows * each * sizeof *k.to, 0);
    lua_insert(L, -2); /* moves the memory below the function */
    if (!cs_script_run_traced(L, NULL, call_rows, lua_gettop(L), &k))
        lua_error(L);
    lua_pop(L, 1);
    return k.to;
}

void cs_script_read_bounds(lua_State *L, int fields, const cs_term_data *data,
                           const cs_space *space, cs_script_bounds *out)
{
    read_region(L, fields, space, &out->region);
    out->range = read_function(L, fields, data, "bound", 2);
    out->change = read_function(L, fields, data, "lipschitz", 1);
}

/* ---- the check ----------------------------------------------------------- */

enum { STATES = CS_PAD, ROWS = 64 };

typedef struct checker {
    const cs_script_bounds *b;
    const cs_target *t;
    cs_eval eval;
    double *x, *prior, *term; /* x[dim][STATES], prior[STATES],
                               * term[STATES][ROWS] */
    uint32_t row[STATES * ROWS];
    size_t first[STATES + 1];
} checker;

/* Returns uniform number `i` of state k, in (0, 1). */
static double uniform(uint64_t k, uint64_t i)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){k, i}, (const uint64_t[]){17, 1},
                    word);
    return ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
}

/* Chooses test state k: an initial state of chains, or a state on the boundary
 * of the region. */
static void choose_state(const checker *c, uint64_t k, double *x)
{
    const cs_region *r = &c->b->region;
    size_t dim = c->t->space.dim;
    for (size_t i = 0; i < dim; i++)
        x[i] = uniform(k, i);
    if (k % 2 == 0 || !r->dim) {
        double *from = x + dim;
        memcpy(from, x, dim * sizeof *x);
        cs_target_start(c->t, from, x);
        return;
    }
    for (size_t i = 0; i < dim; i++)
        x[i] = 2e3 * (x[i] - 0.5);
    cs_region_squeeze(r, x);
}

static void choose_all(checker *c, double *point)
{
    size_t dim = c->t->space.dim;
    for (size_t k = 0; k < STATES; k++) {
        choose_state(c, k, point);
        for (size_t i = 0; i < dim; i++)
            c->x[i * STATES + k] = point[i];
        c->first[k + 1] = (k + 1) * ROWS;
        for (size_t i = 0; i < ROWS; i++)
            c->row[k * ROWS + i] =
                (uint32_t)((c->t->n_rows <= ROWS ? i : i * 2654435761u) %
                           c->t->n_rows);
    }
}

/* Reports the value that exceeds its bound, and the state where it does so. */
static bool beyond(const checker *c, size_t k, size_t i, const char *what,
                   cs_error *err)
{
    char at[96] = "";
    size_t used = 0, dim = c->t->space.dim;
    for (size_t j = 0; j < dim && j < 4; j++)
        used += (size_t)snprintf(at + used, sizeof at - used, "%s%.4g",
                                 j ? ", " : "", c->x[j * STATES + k]);
    cs_fail(err, CS_SCRIPT, "%s at x = { %s%s }, row %u", what, at,
            dim > 4 ? ", ..." : "", c->row[k * ROWS + i] + 1);
    cs_hint(err,
            "widen the bound to hold wherever the prior is finite, or make "
            "the region smaller");
    return false;
}

static bool is_within(const checker *c, size_t k, size_t i, cs_error *err)
{
    char what[128];
    const double *b = c->b->range + 2 * c->row[k * ROWS + i];
    double v = c->term[k * ROWS + i], little = 1e-9 * (1 + fabs(v));
    if (b[0] - little <= v && v <= b[1] + little)
        return true;
    snprintf(what, sizeof what,
             "bound: the term is %.6g, outside the range %.6g to %.6g,", v,
             b[0], b[1]);
    return beyond(c, k, i, what, err);
}

/* Returns true if the change of a term between state `other` and state k is
 * within its bound. Otherwise reports the change. */
static bool is_slow(const checker *c, size_t k, size_t other, size_t i,
                    cs_error *err)
{
    char what[160];
    double v = c->term[k * ROWS + i], u = c->term[other * ROWS + i], sum = 0;
    double rate = c->b->change[c->row[k * ROWS + i]];
    for (size_t j = 0; j < c->t->space.dim; j++) {
        const double *x = c->x + j * STATES;
        sum += (x[k] - x[other]) * (x[k] - x[other]);
    }
    if (fabs(v - u) <= rate * sqrt(sum) + 1e-9 * (1 + fabs(v) + fabs(u)))
        return true;
    snprintf(
        what, sizeof what,
        "lipschitz: the term changes by %.6g over a distance of %.6g, more "
        "than %.6g times that,",
        fabs(v - u), sqrt(sum), rate);
    return beyond(c, k, i, what, err);
}

static bool check(checker *c, cs_error *err)
{
    cs_batch batch = {.row = c->row, .first = c->first};
    cs_eval_prior(&c->eval, c->x, c->prior, NULL);
    cs_eval_terms(&c->eval, c->x, &batch, c->term);
    for (size_t k = 0; k < STATES; k++)
        for (size_t i = 0; isfinite(c->prior[k]) && i < ROWS; i++) {
            if (c->b->range && !is_within(c, k, i, err))
                return false;
            for (size_t other = 0; c->b->change && other < k; other++)
                if (isfinite(c->prior[other]) && !is_slow(c, k, other, i, err))
                    return false;
        }
    return true;
}

void cs_script_check_bounds(lua_State *L, const cs_script_bounds *b,
                            const cs_target *t)
{
    cs_error err;
    size_t dim = t->space.dim;
    if (!b->range && !b->change)
        return;
    checker c = {.b = b, .t = t};
    double *room =
        cs_alloc((dim + 1 + ROWS + cs_eval_scratch_words(t)) * STATES + 2 * dim,
                 sizeof *room);
    if (!room)
        luaL_error(L, "out of memory for the expression");
    c.x = room;
    c.prior = c.x + dim * STATES;
    c.term = c.prior + STATES;
    double *scratch = c.term + STATES * ROWS;
    cs_eval_open(&c.eval, t, STATES, STATES, NULL, scratch);
    choose_all(&c, scratch + cs_eval_scratch_words(t) * STATES);
    bool good = check(&c, &err);
    cs_free(room);
    if (!good)
        cs_script_raise(L, &err);
}
