/* Lua methods that evaluate a target at a point. Each call opens an evaluator,
 * evaluates, and closes it; memory is on the Lua stack. */
#include "script/bind/lua_target.h"
#include "script/bind/luaopen.h"
#include "script/state/callback.h"
#include "script/state/value.h"
#include "target/derivatives.h"
#include "target/eval.h"

#include <string.h>

enum {
    MOST_HESSIAN = 2000
}; /* maximum number of coordinates for which the matrix fits in memory */

typedef struct question {
    cs_target *t;
    const double *x, *v;
    double logp, *out, *h; /* out: [dim] or [values]; h: [dim][dim] */
    size_t i;              /* a coordinate, from 0 */
    bool exact;
    cs_error err;
} question;

typedef cs_status (*answerer)(question *q, cs_derivatives *s);

typedef struct method {
    const char *name;
    answerer answer;
    const char *second; /* second argument: "v" for a point, "i" for a
                         * coordinate, NULL for none */
    cs_derivative_order order;
    bool matrix; /* true if the method needs all second derivatives */
    int (*push)(lua_State *L, const question *q);
} method;

static size_t dim_of(const question *q)
{
    return q->t->space.dim;
}

/* Returns the number of coordinates of the second derivatives. */
static size_t count_second(const question *q)
{
    size_t n = 0;
    for (size_t i = 0; i < dim_of(q); i++)
        n += cs_derivatives_has_second(q->t, i);
    return n;
}

/* Moves the numbers of the coordinates that second derivatives have to the front
 * of x[dim]. */
static void keep_bent(const question *q, double *x)
{
    for (size_t i = 0, n = 0; i < dim_of(q); i++)
        if (cs_derivatives_has_second(q->t, i))
            x[n++] = x[i];
}

/* Computes the Hessian, h[n][n] for n = count_second. */
static void find_hessian(question *q, cs_derivatives *s)
{
    size_t dim = dim_of(q), n = count_second(q), row = 0;
    cs_derivatives_hessian(s, q->x, q->h);
    for (size_t i = 0; i < dim; i++) {
        if (!cs_derivatives_has_second(q->t, i))
            continue;
        keep_bent(q, q->h + i * dim);
        memmove(q->h + row++ * n, q->h + i * dim, n * sizeof *q->h);
    }
}

/* ---- answers ------------------------------------------------------------- */

static cs_status answer_value(question *q, cs_derivatives *s)
{
    q->logp = cs_derivatives_value(s, q->x);
    return CS_OK;
}

static cs_status answer_differences(question *q, cs_derivatives *s)
{
    cs_derivatives_differences(s, q->x, q->i, q->out);
    return CS_OK;
}

static cs_status answer_gradient(question *q, cs_derivatives *s)
{
    q->logp = cs_derivatives_gradient(s, q->x, q->out);
    return CS_OK;
}

static cs_status answer_times(question *q, cs_derivatives *s)
{
    cs_derivatives_times(s, q->x, q->v, q->out);
    keep_bent(q, q->out);
    return CS_OK;
}

/* Computes the results that need only x. */
static cs_status answer_nothing(question *q, cs_derivatives *s)
{
    (void)q;
    (void)s;
    return CS_OK;
}

static cs_status answer_hessian(question *q, cs_derivatives *s)
{
    find_hessian(q, s);
    return CS_OK;
}

static cs_status answer_eigenvalues(question *q, cs_derivatives *s)
{
    find_hessian(q, s);
    return cs_derivatives_eigenvalues(q->h, count_second(q), q->out, &q->err);
}

/* ---- results ------------------------------------------------------------- */

static int push_value(lua_State *L, const question *q)
{
    lua_pushnumber(L, q->logp);
    return 1;
}

static int push_differences(lua_State *L, const question *q)
{
    cs_script_push_numbers(L, q->out,
                           (size_t)cs_space_part(&q->t->space, q->i).values);
    return 1;
}

static int push_gradient(lua_State *L, const question *q)
{
    cs_script_push_numbers(L, q->out, dim_of(q));
    return 1;
}

/* Pushes the method used for second derivatives. */
static int push_how(lua_State *L, const question *q)
{
    lua_pushstring(L, q->exact ? "exact" : "by differences of the gradient");
    return 2;
}

static int push_list(lua_State *L, const question *q)
{
    cs_script_push_numbers(L, q->out, count_second(q));
    return push_how(L, q);
}

static int push_matrix(lua_State *L, const question *q)
{
    size_t n = count_second(q);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        cs_script_push_numbers(L, q->h + i * n, n);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return push_how(L, q);
}

enum { MOST_TEXT = 1 << 14 };

static int push_text(lua_State *L, const question *q)
{
    const cs_target *t = q->t;
    if (!t->type->read) {
        lua_pushnil(L);
        return 1;
    }
    char *text = lua_newuserdatauv(L, MOST_TEXT, 0);
    t->type->read(t, q->x, text, MOST_TEXT);
    lua_pushstring(L, text);
    return 1;
}

static const method methods[] = {
    {"log_density", answer_value, NULL, CS_VALUES, false, push_value},
    {"differences", answer_differences, "i", CS_VALUES, false,
     push_differences},
    {"read", answer_nothing, NULL, CS_VALUES, false, push_text},
    {"gradient", answer_gradient, NULL, CS_SLOPES, false, push_gradient},
    {"hessian", answer_hessian, NULL, CS_CURVATURES, true, push_matrix},
    {"hessian_times", answer_times, "v", CS_CURVATURES, false, push_list},
    {"eigenvalues", answer_eigenvalues, NULL, CS_CURVATURES, true, push_list},
};

enum { METHODS = sizeof methods / sizeof *methods };

/* ---- questions ----------------------------------------------------------- */

/* Reads the list at `index` as [dim] numbers, and stores these numbers on the
 * Lua stack. `real` is true if they are those of the real coordinates. */
static double *read_point(lua_State *L, const method *m, int index,
                          const char *name, size_t dim, bool real)
{
    bool list = lua_istable(L, index) || lua_isuserdata(L, index);
    size_t n = list ? (size_t)luaL_len(L, index) : 0;
    double *x = lua_newuserdatauv(L, dim * sizeof *x, 0);
    for (size_t i = 0; i < dim && n == dim; i++) {
        if (lua_geti(L, index, (lua_Integer)i + 1) != LUA_TNUMBER)
            n = dim + 1;
        x[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    if (n != dim)
        cs_script_fail(
            L,
            "target:%s: %s is not a list of %d numbers, one for each "
            "%scoordinate",
            m->name, name, (int)dim, real ? "real " : "");
    return x;
}

/* Reads v: a number for each coordinate that second derivatives have. Returns
 * [dim] numbers, 0 for the others. */
static double *read_direction(lua_State *L, const method *m, const question *q)
{
    size_t dim = dim_of(q), n = count_second(q);
    const double *given = read_point(L, m, 3, "v", n, n < dim);
    double *v = lua_newuserdatauv(L, dim * sizeof *v, 0);
    for (size_t i = 0; i < dim; i++)
        v[i] = cs_derivatives_has_second(q->t, i) ? *given++ : 0;
    return v;
}

/* Reads the second argument and allocates the result. */
static void read_second(lua_State *L, const method *m, question *q)
{
    size_t dim = dim_of(q);
    size_t values = (size_t)cs_space_most_values(&q->t->space);
    if (m->second && *m->second == 'v')
        q->v = read_direction(L, m, q);
    if (m->second && *m->second == 'i') {
        lua_Integer i = lua_tointeger(L, 3);
        if (!values)
            cs_script_fail(L, "target:%s needs a discrete space", m->name);
        if (i < 1 || (size_t)i > dim)
            cs_script_fail(L, "target:%s: i must be between 1 and %d", m->name,
                           (int)dim);
        q->i = (size_t)i - 1;
        if (!cs_space_is_whole(&q->t->space, q->i))
            cs_script_fail(L, "target:%s: coordinate %d is not discrete",
                           m->name, (int)i);
    }
    size_t n = values > dim ? values : dim;
    q->out = lua_newuserdatauv(L, n * sizeof *q->out, 0);
    if (m->matrix)
        q->h = lua_newuserdatauv(L, dim * dim * sizeof *q->h, 0);
}

static const char points_key = 0;

/* points(f): sets the function f(what, target, x) that converts a table of
 * names to a list. */
static int points(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &points_key);
    return 0;
}

/* Converts the point at `index` to a list if it is a table of names. */
static void by_name(lua_State *L, const method *m, int index)
{
    if (!lua_istable(L, index) || lua_rawlen(L, index))
        return;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &points_key);
    lua_pushfstring(L, "target:%s", m->name);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, index);
    lua_call(L, 3, 1);
    lua_replace(L, index);
}

/* Raises the error of an external model that could not be evaluated. */
static void raise_why(lua_State *L, const question *q)
{
    char why[400];
    if (cs_is_broken(q->logp) && q->t->type->outside.why &&
        q->t->type->outside.why(q->t, why, sizeof why))
        cs_script_fail(L, "target %s: %s", q->t->name, why);
}

static int call(lua_State *L)
{
    const method *m = &methods[lua_tointeger(L, lua_upvalueindex(1))];
    question q = {.t = cs_script_to_target(L, 1)};
    cs_derivatives *s;
    if (!q.t)
        return cs_script_fail(L, "write target:%s(...), with a colon", m->name);
    lua_settop(L, m->second ? 3 : 2);
    size_t dim = dim_of(&q);
    if (m->matrix && dim > MOST_HESSIAN)
        return cs_script_fail(L,
                              "the Hessian for %d coordinates is too large: "
                              "use target:hessian_times(x, v)",
                              (int)dim);
    by_name(L, m, 2);
    q.x = read_point(L, m, 2, "x", dim, false);
    if (!cs_space_is_real(&q.t->space) &&
        (m->order == CS_VALUES || q.t->space.kind == CS_MIXED) &&
        !cs_space_contains(&q.t->space, q.x, 1))
        return cs_script_fail(L, "target:%s: x is not a state of the space",
                              m->name);
    read_second(L, m, &q);
    cs_status status = cs_derivatives_open(&s, q.t, m->order, &q.err);
    if (status)
        return cs_script_raise(L, &q.err);
    status = m->answer(&q, s);
    q.exact = cs_derivatives_is_exact(s);
    cs_derivatives_close(s);
    cs_callback_raise(L);
    raise_why(L, &q);
    return status ? cs_script_raise(L, &q.err) : m->push(L, &q);
}

void cs_script_open_derivatives(lua_State *L)
{
    static const luaL_Reg functions[] = {{"points", points}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    cs_script_push_target_methods(L);
    for (lua_Integer i = 0; i < METHODS; i++) {
        lua_pushinteger(L, i);
        lua_pushcclosure(L, call, 1);
        lua_setfield(L, -2, methods[i].name);
    }
    lua_pop(L, 1);
}
