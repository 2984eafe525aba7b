/* Checks a trace by calling the function with numbers. A trace records only
 * operations on symbols. It therefore misses some effects, which the calls with
 * numbers reveal: a comparison by ==, which Lua decides itself; a call that
 * catches errors; a clock; state kept between calls. */
#include "script/math/trace_check.h"

#include "base/clock.h"
#include "rng/stream.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CHECKS = 7, /* number of states with a finite value that are compared, if
                 * enough such states are found */
    /* number of states that are compared if the function is long: a
     * random state, the state of zeros and the state of ones. The random
     * state reveals almost all faults. Each comparison takes a tenth of
     * the time of the trace */
    FEWER = 3,
    LONG = 2000, /* minimum number of operations of a long function */
    ZEROS = 1,   /* index of the state of zeros; the state of ones follows */
    ONES = 2,
    MOST_STATES = 64,
    ODD = 2, /* maximum number of states that are compared although their value
              * is not finite */
    MOST_LINES = 1 << 16,
    LOOK_EVERY = 1000 /* number of instructions between readings of the clock */
};
#define PATIENCE                                                               \
    0.5 /* time limit in seconds for all comparisons after the first (see
         * cs_time_limit) */
#define ROUNDING 1e-9
#define SUMS 1e-6 /* tolerance for long sums, relative to the largest value */

/* ---- states -------------------------------------------------------------- */

static double uniform(uint64_t i, uint64_t k)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){i, k}, (const uint64_t[]){1, 2},
                    word);
    return (double)(word[0] >> 11) * 0x1p-53;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Creates test state number k for real coordinates. State 0 is random. State 1
 * is all zeros and state 2 all ones, because scripts often compare with 0 and
 * 1. The other states are random: some have positive, small, large or ascending
 * numbers, and others have a sum below 1. */
static void real_state(const cs_space *space, uint64_t k, double *x)
{
    static const double range[][2] = {{-2, 2},  {0, 1},   {0, 10},
                                      {0, 0.1}, {0, 100}, {-0.1, 0.1},
                                      {0.5, 2}, {-10, 10}};
    size_t family = k < CHECKS ? 0 : k % 10, dim = space->dim;
    const double *r = range[family < 8 ? family : 1];
    double sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += x[i] = k == ZEROS  ? 0
                      : k == ONES ? 1
                                  : r[0] + (r[1] - r[0]) * uniform(i, k);
    if (family == 8)
        qsort(x, dim, sizeof *x, ascending);
    for (size_t i = 0; family == 9 && i < dim; i++)
        x[i] /= sum + uniform(dim, k);
}

/* Creates the discrete coordinates of test state number k. As k increases, each
 * coordinate runs through all of its values, starting at a random value. */
static void discrete_state(const cs_space *space, uint64_t k, double *x)
{
    for (size_t i = 0; i < space->dim; i++) {
        cs_part part = cs_space_part(space, i);
        if (part.kind == CS_CONTINUOUS)
            continue;
        uint64_t values = (uint64_t)part.values;
        uint64_t from = (uint64_t)(uniform(i, k / values) * (double)values);
        x[i] = part.low + (double)((from + k) % values);
    }
}

static void state_of(const cs_space *space, uint64_t k, double *x)
{
    if (!cs_space_is_discrete(space))
        real_state(space, k, x);
    if (!cs_space_is_real(space))
        discrete_state(space, k, x);
}

/* ---- where two calls diverge --------------------------------------------- */

/* The lines of the script that a call executed. */
typedef struct trail {
    int line[MOST_LINES];
    size_t n;
    lua_Hook old;
    int mask, count; /* mask and count of the previous hook */
} trail;

static const char trail_key = 0;

static void note_line(lua_State *L, lua_Debug *at)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &trail_key);
    trail *t = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (at->event == LUA_HOOKCOUNT)
        cs_script_check(L);
    else if (t->n < MOST_LINES && at->currentline == cs_script_line(L))
        t->line[t->n++] = at->currentline;
}

static void follow(lua_State *L, trail *t)
{
    lua_rawsetp(L, LUA_REGISTRYINDEX, &trail_key);
    t->n = 0;
    t->old = lua_gethook(L);
    t->mask = lua_gethookmask(L);
    t->count = lua_gethookcount(L);
    lua_sethook(L, note_line, LUA_MASKCOUNT | LUA_MASKLINE, LOOK_EVERY);
}

static void leave(lua_State *L, const trail *t)
{
    if (lua_gethook(L) == note_line)
        lua_sethook(L, t->old, t->mask, t->count);
}

/* Calls the function at x twice: with numbers and with symbols. Returns the
 * last line that both calls execute before their paths diverge, or 0 if the
 * paths do not diverge. */
static int parting(lua_State *L, const cs_trace_check *c, const double *x)
{
    double logp;
    trail *way[2];
    int top = lua_gettop(L);
    for (int k = 0; k < 2; k++) {
        way[k] = lua_newuserdatauv(L, sizeof *way[k], 0);
        lua_pushvalue(L, -1);
        follow(L, way[k]);
        (void)(k ? c->symbols(L, c->self) : c->plain(L, c->self, x, &logp));
        leave(L, way[k]);
    }
    size_t n = 0, least = way[0]->n < way[1]->n ? way[0]->n : way[1]->n;
    while (n < least && way[0]->line[n] == way[1]->line[n])
        n++;
    bool same = way[0]->n == way[1]->n && n == least;
    int line = same || !n ? 0 : way[0]->line[n - 1];
    lua_settop(L, top);
    return line;
}

/* ---- errors -------------------------------------------------------------- */

void cs_script_push_line(lua_State *L, int index, int line)
{
    lua_Debug at;
    cs_script_push_behind(L, index);
    lua_getinfo(L, ">S", &at);
    lua_pushfstring(L, "%s:%d: ", at.short_src,
                    line > 0 ? line : at.linedefined);
}

static void refuse(lua_State *L, const cs_trace_check *c, int line,
                   const char *what, const char *hint)
{
    cs_script_push_line(L, c->function, line);
    lua_pushfstring(L, "%s: %s", what, hint);
    lua_concat(L, 2);
    lua_error(L);
}

static void refuse_unsteady(lua_State *L, const cs_trace_check *c, double logp,
                            double v)
{
    char what[160];
    snprintf(what, sizeof what,
             "log_density gives %.9g and then %.9g at the same state", logp, v);
    refuse(L, c, 0, what,
           "compute log_density from the state only: not from a clock, random "
           "numbers, or values kept between calls");
}

static void refuse_trace(lua_State *L, const cs_trace_check *c, double plain,
                         double traced, const double *x)
{
    char what[240];
    int line = parting(L, c, x);
    snprintf(what, sizeof what,
             "log_density gives %.9g with numbers, %.9g when traced%s", plain,
             traced, line ? ", and takes another branch after this line" : "");
    refuse(L, c, line, what,
           "==, ~=, type and pcall do not see the value of a symbol: write "
           "cs.math.where(cs.math.eq(a, b), x, y); keep no state between "
           "calls; or give the target traced = false");
}

/* ---- the check ----------------------------------------------------------- */

static double call(lua_State *L, const cs_trace_check *c, const double *x)
{
    double logp;
    if (!c->plain(L, c->self, x, &logp))
        lua_error(L);
    return logp;
}

static bool alike(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return (isnan(a) && isnan(b)) || a == b;
    return fabs(a - b) <= tolerance;
}

/* Estimates the rounding error of the function's value at x. Calls the function
 * with numbers at states that differ from x in the last digits. Returns the
 * spread of the values. The state x itself is excluded, because the function
 * may have a separate branch for exactly this state. */
static double rounding(lua_State *L, const cs_trace_check *c, const double *x)
{
    size_t dim = c->space->dim;
    if (cs_space_is_countable(c->space))
        return 0;
    double *y = lua_newuserdatauv(L, dim * sizeof *y, 0);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (uint64_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < dim; i++)
            y[i] = cs_space_is_whole(c->space, i)
                       ? x[i]
                       : x[i] * (1 + 1e-15 * (1 + 8 * uniform(i, k)));
        double logp = call(L, c, y);
        least = fmin(least, logp);
        most = fmax(most, logp);
    }
    lua_pop(L, 1);
    return isfinite(most - least) ? most - least : 0;
}

/* Compares the values of the trace with the values that the calls return.
 * *largest is the largest value so far. */
static void compare(lua_State *L, const cs_trace_check *c, const double *x,
                    double traced, double *largest)
{
    double plain = call(L, c, x);
    if (isfinite(plain))
        *largest = fmax(*largest, fabs(plain));
    if (alike(plain, traced, ROUNDING * (1 + fabs(plain) + fabs(traced))))
        return;
    double again = call(L, c, x);
    if (!alike(plain, again, 0))
        refuse_unsteady(L, c, plain, again);
    if (!alike(plain, traced, SUMS * (1 + *largest)) &&
        !alike(plain, traced, 30 * rounding(L, c, x)))
        refuse_trace(L, c, plain, traced, x);
}

/* Consecutive test states, starting at number `first`, and the values that the
 * trace gives for these states. */
typedef struct batch {
    double *x;     /* [CS_TRACE_STATES][dim] */
    double *lanes; /* [dim][CS_TRACE_STATES] */
    double traced[CS_TRACE_STATES];
} batch;

static void fill_batch(const cs_trace_check *c, uint64_t first, batch *b)
{
    size_t dim = c->space->dim;
    for (size_t k = 0; k < CS_TRACE_STATES; k++) {
        state_of(c->space, first + k, b->x + k * dim);
        for (size_t i = 0; i < dim; i++)
            b->lanes[i * CS_TRACE_STATES + k] = b->x[k * dim + i];
    }
    c->traced(c->self, b->lanes, b->traced);
}

bool cs_script_check_trace(lua_State *L, const cs_trace_check *c)
{
    assert(c->traced && c->plain && c->symbols);
    const cs_space *space = c->space;
    size_t all = space->dim * CS_TRACE_STATES;
    batch b = {.x = lua_newuserdatauv(L, 2 * all * sizeof *b.x, 0)};
    b.lanes = b.x + all;
    double largest = 0;
    cs_time_limit limit = {0};
    int good = 0, odd = 0, want = c->operations > LONG ? FEWER : CHECKS;
    if (want < cs_space_most_values(space))
        want = cs_space_most_values(space);
    for (uint64_t k = 0; k < MOST_STATES && good < want; k++) {
        if (k % CS_TRACE_STATES == 0)
            fill_batch(c, k, &b);
        double traced = b.traced[k % CS_TRACE_STATES];
        const double *x = b.x + k % CS_TRACE_STATES * space->dim;
        if (!isfinite(traced) && odd++ >= ODD)
            continue;
        if (cs_time_is_up(&limit))
            break;
        compare(L, c, x, traced, &largest);
        good += isfinite(traced);
        if (good == 1)
            limit = cs_time_limit_start(PATIENCE);
    }
    lua_pop(L, 1);
    return good > 0;
}
