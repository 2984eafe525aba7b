/* Implements math.random of a script by a random stream of the open run.
 * Between two steps the numbers depend only on the seed and on the step, so
 * that the numbers are repeated after a rewind. The generator has the key
 * (seed, 2^64 - 1) and the counter (step, purpose CS_FOR_USER << 48 | block). A
 * block gives two words. Functions called by chains cannot use math.random;
 * they use `draw`. */
#include "script/state/random.h"

#include "rng/stream.h"
#include "script/state/callback.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <math.h>

static const char state_key = 0;

typedef struct stream {
    uint64_t seed, salt, step, used;
} stream;

static stream *stream_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
    stream *s = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return s;
}

void cs_script_random_at(lua_State *L, uint64_t seed, uint64_t step)
{
    stream *s = stream_of(L);
    if (!s || (s->seed == seed && s->step == step))
        return;
    *s = (stream){seed, 0, step, 0};
}

static uint64_t next_word(lua_State *L)
{
    stream *s = stream_of(L);
    if (cs_callback_of(L)->calling)
        cs_script_fail(L, "math.random cannot be used in functions of chains: "
                          "use draw:uniform()");
    if (cs_callback_of(L)->looking)
        cs_script_fail(
            L, "math.random cannot be used in panels: numbers in events "
               "would depend on open panels");
    const uint64_t key[2] = {s->seed ^ s->salt, UINT64_MAX};
    const uint64_t counter[2] = {s->step,
                                 (uint64_t)CS_FOR_USER << 48 | s->used / 2};
    uint64_t out[2];
    cs_threefry2x64(20, counter, key, out);
    return out[s->used++ % 2];
}

/* Returns a uniform random integer from low to high. */
static lua_Integer between(lua_State *L, lua_Integer low, lua_Integer high)
{
    lua_Unsigned span = (lua_Unsigned)high - (lua_Unsigned)low + 1;
    if (span == 0)
        return (lua_Integer)next_word(L);
    lua_Unsigned most = UINT64_MAX - UINT64_MAX % span, word;
    do
        word = next_word(L);
    while (word >= most);
    return (lua_Integer)((lua_Unsigned)low + word % span);
}

/* Behaves like Lua's math.random: random(), random(n), random(low, high). */
static int draw(lua_State *L)
{
    lua_Integer low = 1, high;
    switch (lua_gettop(L)) {
    case 0:
        lua_pushnumber(L, ldexp((double)(next_word(L) >> 11), -53));
        return 1;
    case 1:
        high = luaL_checkinteger(L, 1);
        if (high == 0) {
            lua_pushinteger(L, (lua_Integer)next_word(L));
            return 1;
        }
        break;
    case 2:
        low = luaL_checkinteger(L, 1);
        high = luaL_checkinteger(L, 2);
        break;
    default:
        return luaL_error(L, "wrong number of arguments");
    }
    luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
    lua_pushinteger(L, between(L, low, high));
    return 1;
}

/* randomseed(n) selects another stream; randomseed() selects the run's own
 * stream. */
static int reseed(lua_State *L)
{
    stream *s = stream_of(L);
    s->salt = lua_isnone(L, 1) ? 0 : (uint64_t)luaL_checknumber(L, 1);
    s->used = 0;
    return 0;
}

void cs_script_open_random(lua_State *L)
{
    stream *s = lua_newuserdatauv(L, sizeof *s, 0);
    *s = (stream){0, 0, 0, 0};
    lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
    lua_getglobal(L, "math");
    cs_script_set_function(L, "random", draw);
    cs_script_set_function(L, "randomseed", reseed);
    lua_pop(L, 1);
}
