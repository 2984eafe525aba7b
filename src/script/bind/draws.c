#include "script/bind/draws.h"

#include "kernels/auxiliary/row_draws.h"
#include "script/bind/luaopen.h"
#include "script/state/value.h"
#include "target/row_bounds.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

static const char meta[] = "chainscope.draw";

/* Number of rows of random numbers that are reserved for each Poisson variate.
 * Each attempt to draw the variate uses one row. */
#define COUNT_ROWS ((size_t)1 << 24)

enum { SERIES = 16, WORDS = 8 };

/* ---- streams ------------------------------------------------------------- */

static cs_draw_series series(cs_purpose purpose, cs_shape shape, size_t first)
{
    return (cs_draw_series){.purpose = purpose, .shape = shape, .first = first};
}

void cs_own_draws_open(cs_own_draws *d, cs_asked *asked)
{
    *d = (cs_own_draws){.alone =
                            cs_streams_alone(&asked->m->streams, asked->lane),
                        .uniform = series(CS_FOR_USER, CS_UNIFORMS, 0),
                        .normal = series(CS_FOR_PROPOSAL, CS_NORMALS, 0),
                        .single = series(CS_FOR_PROPOSAL, CS_SINGLE_NORMALS, 0),
                        .of_proposal = series(CS_FOR_PROPOSAL, CS_UNIFORMS, 0),
                        .of_site = series(CS_FOR_SITE, CS_UNIFORMS, 0),
                        .for_count = CS_FOR_SITE,
                        .asked = asked};
}

void cs_own_draws_open_simulation(cs_own_draws *d, const cs_streams *s,
                                  size_t lane, size_t first)
{
    size_t part = CS_SIMULATION_ROWS / 4;
    cs_purpose of = CS_FOR_AUXILIARY;
    first += s->skip;
    *d = (cs_own_draws){.alone = cs_streams_alone(s, lane),
                        .uniform = series(of, CS_UNIFORMS, first),
                        .normal = series(of, CS_NORMALS, first + part),
                        .single =
                            series(of, CS_SINGLE_NORMALS, first + 2 * part),
                        .for_count = of,
                        .first_count = first + 3 * part};
}

size_t cs_own_draws_used(const cs_own_draws *d)
{
    return d->uniform.used + d->normal.used + d->single.used +
           d->of_proposal.used + d->of_site.used + d->counts + d->rows +
           d->simulations;
}

static double next(cs_own_draws *d, cs_draw_series *s)
{
    size_t at = s->used++ % SERIES;
    if (at == 0) {
        d->alone.skip = s->first + s->used - 1;
        cs_fill_shape(&d->alone, s->purpose, s->shape, SERIES, s->at);
    }
    return s->at[at];
}

/* Draws a data row. Returns the index of the row, and stores in *coin the
 * uniform random number that belongs to this draw. */
static uint32_t next_row(cs_own_draws *d, const cs_row_bounds *b, double *coin)
{
    size_t piece = d->rows / CS_PIECE, at = d->rows % CS_PIECE, k = at % WORDS;
    uint32_t fraction, half[2];
    d->rows++;
    if (k == 0) {
        size_t from = piece * CS_PIECE;
        d->alone.skip = from + from / 2 + at;
        cs_fill_words(&d->alone, CS_FOR_DATA, WORDS, d->word);
        d->alone.skip = from + from / 2 + CS_PIECE + at / 2;
        cs_fill_words(&d->alone, CS_FOR_DATA, WORDS / 2, d->coin);
    }
    memcpy(half, &d->coin[k / 2], sizeof half);
    *coin = ((double)half[k % 2] + 0.5) * 0x1p-32;
    uint32_t cell = cs_row_bounds_cell(b, d->word[k], &fraction);
    return cs_row_bounds_choose(b, cell, fraction);
}

/* ---- methods ------------------------------------------------------------- */

static cs_own_draws *self_of(lua_State *L)
{
    cs_own_draws **box = luaL_checkudata(L, 1, meta);
    if (!*box)
        cs_script_fail(L, "'draw' can only be used while the function that "
                          "received it is running");
    return *box;
}

/* draw:uniform([purpose]). Returns a uniform number. Uniforms for "proposal"
 * use the random words of the step's normals, and uniforms for "site" those of
 * its Poisson variates, so a step cannot use both. */
static int uniform(lua_State *L)
{
    static const char *const purposes[] = {"own", "proposal", "site", NULL};
    cs_own_draws *d = self_of(L);
    cs_draw_series *const of[] = {&d->uniform, &d->of_proposal, &d->of_site};
    int which = luaL_checkoption(L, 2, "own", purposes);
    if (which && !d->asked)
        return cs_script_fail(L,
                              "draw:uniform(\"%s\") works only in functions "
                              "of a kernel",
                              purposes[which]);
    if ((which == 1 && (d->normal.used || d->single.used)) ||
        (which == 2 && d->counts))
        return cs_script_fail(L,
                              "a step that draws normals or Poisson numbers "
                              "cannot draw uniforms \"%s\"",
                              purposes[which]);
    lua_pushnumber(L, next(d, of[which]));
    return 1;
}

static int exponential(lua_State *L)
{
    cs_own_draws *d = self_of(L);
    lua_pushnumber(L, -log(next(d, &d->uniform)));
    return 1;
}

/* draw:below(n) -> a uniform random integer from 1 to n */
static int below(lua_State *L)
{
    cs_own_draws *d = self_of(L);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_argcheck(L, n >= 1 && n <= 1 << 30, 2, "must be between 1 and 2^30");
    lua_pushinteger(L, 1 + (lua_Integer)(next(d, &d->uniform) * (double)n));
    return 1;
}

/* Draws normals. Normals in single and in double precision use the same random
 * words, so a step can use only one precision. */
static int normal_of(lua_State *L, cs_own_draws *d, cs_draw_series *mine,
                     const cs_draw_series *other)
{
    if (d->of_proposal.used)
        return cs_script_fail(L,
                              "a step cannot draw both uniforms \"proposal\" "
                              "and normals");
    if (other->used && other->purpose == mine->purpose &&
        other->first == mine->first)
        return cs_script_fail(L, "a step can draw normals of one precision: "
                                 "draw:normal() or draw:single_normal()");
    lua_pushnumber(L, next(d, mine));
    return 1;
}

static int normal(lua_State *L)
{
    cs_own_draws *d = self_of(L);
    return normal_of(L, d, &d->normal, &d->single);
}

static int single_normal(lua_State *L)
{
    cs_own_draws *d = self_of(L);
    return normal_of(L, d, &d->single, &d->normal);
}

/* draw:poisson(mean) -> a Poisson number */
static int poisson(lua_State *L)
{
    cs_own_draws *d = self_of(L);
    double mean = luaL_checknumber(L, 2);
    luaL_argcheck(L, mean >= 0 && mean <= 1e15, 2,
                  "must be between 0 and 1e15");
    if (d->of_site.used)
        return cs_script_fail(L,
                              "a step cannot draw both uniforms \"site\" and "
                              "Poisson numbers");
    d->alone.skip = d->first_count + d->counts++ * COUNT_ROWS;
    lua_pushinteger(
        L, (lua_Integer)cs_poisson_count(&d->alone, d->for_count, mean));
    return 1;
}

static cs_asked *asked_of(lua_State *L, const cs_own_draws *d, const char *name)
{
    if (!d->asked)
        cs_script_fail(L, "draw:%s() works only in functions of a kernel",
                       name);
    return d->asked;
}

/* draw:row(): returns the index of a row and a uniform number. The number
 * decides whether the row is used. */
static int row(lua_State *L)
{
    cs_own_draws *d = self_of(L);
    const cs_row_bounds *b = cs_asked_bounds(L, asked_of(L, d, "row"));
    double coin;
    if (!(b->total > 0))
        return cs_script_fail(L, "draw:row(): all bounds are 0, so there "
                                 "is no row to draw");
    lua_pushinteger(L, (lua_Integer)next_row(d, b, &coin) + 1);
    lua_pushnumber(L, coin);
    return 2;
}

static cs_simulation simulation(cs_own_draws *d, size_t sweeps)
{
    cs_asked *a = d->asked;
    return (cs_simulation){.streams = &a->streams,
                           .first = d->simulations++ * CS_SIMULATION_ROWS,
                           .sweeps = sweeps,
                           .data = a->data,
                           .updates = a->updates,
                           .past = a->past,
                           .left = a->left};
}

static int push_simulated(lua_State *L, const cs_asked *a)
{
    if (isnan(a->left[0]))
        return luaL_error(L, "the simulation raised an error");
    if (a->left[0] != 0)
        return luaL_error(L,
                          "coupling from the past failed: %f values of the "
                          "simulated data did not coalesce",
                          a->left[0]);
    cs_asked_push_data(L, a);
    return 1;
}

/* draw:simulate(x) -> simulated data given x */
static int simulate(lua_State *L)
{
    cs_own_draws *d = self_of(L);
    cs_asked *a = asked_of(L, d, "simulate");
    cs_asked_need(L, a, a->eval.target->type->factor.simulate, "draw:simulate",
                  "simulates no data");
    cs_asked_read_state(L, a, 2);
    const cs_simulation s = simulation(d, 0);
    cs_eval_simulate(&a->eval, a->x, NULL, a->simulate, &s);
    return push_simulated(L, a);
}

/* draw:sweep(x, data[, times]) -> data after `times` sweeps */
static int sweep(lua_State *L)
{
    cs_own_draws *d = self_of(L);
    cs_asked *a = asked_of(L, d, "sweep");
    lua_Integer times = luaL_optinteger(L, 4, 1);
    luaL_argcheck(L, times >= 1 && times <= 1 << 30, 4,
                  "must be between 1 and 2^30");
    cs_asked_need(L, a, a->eval.target->type->factor.sweep, "draw:sweep",
                  "has no sweeps over its data");
    cs_asked_read_state(L, a, 2);
    cs_asked_read_data(L, a, 3);
    const cs_simulation s = simulation(d, (size_t)times);
    cs_eval_sweep(&a->eval, a->x, NULL, a->simulate, &s);
    return push_simulated(L, a);
}

/* ---- the object ---------------------------------------------------------- */

cs_own_draws **cs_own_draws_push(lua_State *L)
{
    cs_own_draws **box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = NULL;
    luaL_setmetatable(L, meta);
    return box;
}

void cs_script_open_draws(lua_State *L)
{
    static const luaL_Reg methods[] = {{"uniform", uniform},
                                       {"normal", normal},
                                       {"single_normal", single_normal},
                                       {"below", below},
                                       {"exponential", exponential},
                                       {"poisson", poisson},
                                       {"row", row},
                                       {"simulate", simulate},
                                       {"sweep", sweep},
                                       {NULL, NULL}};
    luaL_newmetatable(L, meta);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "draw");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
