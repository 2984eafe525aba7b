#include "script/bind/lua_learner.h"

#include "learn/divergence.h"
#include "script/bind/lua_kernel.h"
#include "script/bind/lua_schedule.h"
#include "script/bind/luaopen.h"
#include "script/state/path.h"
#include "script/state/state.h"
#include "script/state/value.h"

#include <lauxlib.h>
#include <string.h>

static const char optimiser_meta[] = "chainscope.optimiser";
static const char learner_meta[] = "chainscope.learner";

/* The objects under construction. The garbage collector releases them, even
 * after errors. */
typedef struct box {
    cs_data_set *train, *test;
    cs_divergence *made;
} box;

static int collect(lua_State *L)
{
    box *b = luaL_checkudata(L, 1, learner_meta);
    cs_data_release(b->train);
    cs_data_release(b->test);
    if (b->made)
        cs_learns_by_divergence.release(b->made);
    *b = (box){0};
    return 0;
}

/* ---- fields -------------------------------------------------------------- */

/* Returns the number in a field, or `usual` if the field is missing. */
static double number(lua_State *L, int table, const char *name, double usual)
{
    lua_getfield(L, table, name);
    double x = lua_isboolean(L, -1) ? lua_toboolean(L, -1)
                                    : luaL_optnumber(L, -1, usual);
    lua_pop(L, 1);
    return x;
}

static size_t whole(lua_State *L, int table, const char *name, double usual)
{
    return (size_t)number(L, table, name, usual);
}

static bool is(lua_State *L, int table, const char *name, const char *word)
{
    lua_getfield(L, table, name);
    const char *text = lua_tostring(L, -1);
    bool yes = text && strcmp(text, word) == 0;
    lua_pop(L, 1);
    return yes;
}

/* ---- data ---------------------------------------------------------------- */

enum { IMAGES, DATA_ROWS };
static const cs_param data_rows[DATA_ROWS] = {
    [IMAGES] = {.name = "images",
                .kind = CS_PARAM_TEXT,
                .flags = CS_PARAM_PATH,
                .help = "an IDX file of images"},
};

static cs_data_set *read_images(lua_State *L, int at, const cs_space *space)
{
    size_t n;
    cs_error err = {0};
    cs_data_set *set;
    cs_value *given = cs_script_values(L, at, "first count pool", &n);
    cs_script_resolve_paths(L, data_rows, DATA_ROWS, given, n);
    const cs_data_wanted wanted = {.path = given[0].text,
                                   .first = whole(L, at, "first", 1) - 1,
                                   .count = whole(L, at, "count", 0),
                                   .pool = whole(L, at, "pool", 1)};
    bool table = strstr(wanted.path, ".csv") != NULL;
    cs_script *script = cs_script_of(L);
    if (script)
        cs_script_excuse(script, true);
    cs_status s = (table ? cs_data_of_table : cs_data_of_images)(&set, &wanted,
                                                                 space, &err);
    if (script)
        cs_script_excuse(script, false);
    if (s)
        cs_script_raise(L, &err);
    return set;
}

static cs_data_set *read_states(lua_State *L, int at, const char *name,
                                const cs_space *space)
{
    size_t rows, cols;
    cs_error err = {0};
    cs_data_set *set;
    double *x = cs_script_numbers(L, at, name, &rows, &cols);
    if (cs_data_of_states(&set, x, rows, cols, space, &err))
        cs_script_raise(L, &err);
    return set;
}

/* Finds data that were already read for another arm, so that a file for several
 * arms is read only once. `known` maps each table of a script to a box. The
 * member `train` of this box holds the data. */
static cs_data_set *find_known(lua_State *L, int known, int at)
{
    lua_pushvalue(L, at);
    lua_rawget(L, known);
    const box *b = luaL_testudata(L, -1, learner_meta);
    return b ? cs_data_hold(b->train) : NULL;
}

static void make_known(lua_State *L, int known, int at, cs_data_set *set)
{
    lua_pushvalue(L, at);
    box *b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (box){0};
    luaL_setmetatable(L, learner_meta);
    b->train = cs_data_hold(set);
    lua_rawset(L, known);
}

/* Reads the data in the field `name`; NULL if the field is missing. */
static void read_data(lua_State *L, int index, const char *name, int known,
                      const cs_space *space, cs_data_set **to)
{
    int top = lua_gettop(L);
    if (lua_getfield(L, index, name) == LUA_TTABLE) {
        int at = lua_gettop(L);
        *to = find_known(L, known, at);
        bool images = lua_getfield(L, at, "images") != LUA_TNIL, new = !*to;
        if (new)
            *to = images ? read_images(L, at, space)
                         : read_states(L, at, name, space);
        if (new)
            make_known(L, known, at, *to);
    }
    lua_settop(L, top);
}

/* ---- optimisers ---------------------------------------------------------- */

/* optimiser_new(name, values, rate): returns an optimiser. `rate` is a
 * schedule, or nil. */
static int optimiser_new(lua_State *L)
{
    const cs_optimiser_type *type = cs_optimiser_find(luaL_checkstring(L, 1));
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 3);
    if (!type)
        return luaL_argerror(L, 1, "no such optimiser");
    size_t n;
    cs_error err = {0};
    cs_optimiser made;
    const cs_value *values = cs_script_values(L, 2, NULL, &n);
    if (cs_optimiser_init(&made, type, values, n, &err))
        return cs_script_raise(L, &err);
    const cs_schedule *rate = cs_script_to_schedule(L, 3);
    made.falls = rate != NULL;
    if (rate)
        made.rate = *rate;
    *(cs_optimiser *)lua_newuserdatauv(L, sizeof made, 1) = made;
    lua_pushvalue(L, 3); /* the optimiser borrows the schedule, which must be
                          * kept alive */
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, optimiser_meta);
    return 1;
}

static int optimiser_text(lua_State *L)
{
    const cs_optimiser *o = luaL_checkudata(L, 1, optimiser_meta);
    lua_pushfstring(L, "optimiser %s", o->type->name);
    return 1;
}

static int optimiser_list(lua_State *L)
{
    const cs_optimiser_type *type;
    lua_newtable(L);
    for (size_t i = 0; (type = cs_optimiser_at(i)); i++)
        cs_script_list(L, type->name, type->title, type->help, type->params,
                       type->n_params);
    return 1;
}

/* ---- learners ------------------------------------------------------------ */

static void read_judge(lua_State *L, int index, cs_divergence_spec *to)
{
    if (lua_getfield(L, index, "judge") == LUA_TTABLE) {
        int at = lua_gettop(L);
        to->judge_every = whole(L, at, "every", 0);
        to->runs = whole(L, at, "runs", 100);
        to->temperatures = whole(L, at, "temperatures", 1000);
        to->judge_rows = whole(L, at, "rows", 0);
        lua_getfield(L, at, "kernel");
        const cs_script_kernel *k = cs_script_to_kernel(L, -1);
        if (k)
            to->annealer = k->kernel;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_optimiser(lua_State *L, int index, cs_optimiser *to)
{
    lua_getfield(L, index, "optimiser");
    const cs_optimiser *o = luaL_testudata(L, -1, optimiser_meta);
    if (o)
        *to = *o;
    else
        cs_optimiser_init(to, cs_optimiser_find("adam"), NULL, 0, NULL);
    lua_pop(L, 1);
}

static cs_learner learner_of(lua_State *L, int index, box *b)
{
    return (cs_learner){.type = &cs_learns_by_divergence,
                        .self = b->made,
                        .steps = whole(L, index, "steps", 1),
                        .updates = whole(L, index, "updates", 1),
                        .cycle = whole(L, index, "cycle", 0),
                        .first = whole(L, index, "first", 5),
                        .retune = whole(L, index, "retune", 0),
                        .by_update = is(L, index, "schedules", "updates")};
}

cs_learner cs_script_learner(lua_State *L, int index, int known,
                             const cs_target *t)
{
    cs_error err = {0};
    box *b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (box){0};
    luaL_setmetatable(L, learner_meta);
    read_data(L, index, "data", known, &t->space, &b->train);
    read_data(L, index, "test", known, &t->space, &b->test);
    if (!b->train)
        cs_script_fail(L, "learn has no data");
    cs_divergence_spec spec = {.train = b->train,
                               .test = b->test,
                               .batch = whole(L, index, "batch", 100),
                               .from_data = is(L, index, "chains", "data"),
                               .as_made = is(L, index, "begin", "target"),
                               .at_mean = !is(L, index, "states", "data"),
                               .buffer = whole(L, index, "buffer", 0),
                               .average = number(L, index, "average", 0)};
    if (spec.batch > spec.train->n)
        spec.batch = spec.train->n;
    read_optimiser(L, index, &spec.optimiser);
    read_judge(L, index, &spec);
    if (cs_divergence_create(&b->made, &spec, &err))
        cs_script_raise(L, &err);
    return learner_of(L, index, b);
}

void cs_script_open_learner(lua_State *L)
{
    static const luaL_Reg text[] = {{"__tostring", optimiser_text},
                                    {NULL, NULL}};
    static const luaL_Reg held[] = {{"__gc", collect}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"optimiser_new", optimiser_new},
                                         {"optimisers", optimiser_list},
                                         {NULL, NULL}};
    cs_script_class(L, optimiser_meta, "optimiser", text);
    cs_script_class(L, learner_meta, "learner", held);
    luaL_setfuncs(L, functions, 0);
}
