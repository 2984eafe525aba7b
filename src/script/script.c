/* A script's state, libraries and module. */
#include "script/script.h"

#include "script/bind/module.h"
#include "script/state/sandbox.h"

static const double seconds = 60; /* time limit for opening the module */

static int open_libraries(lua_State *L)
{
    cs_sandbox_open(L, cs_script_trusted(cs_script_of(L)));
    cs_script_open_module(L);
    return 0;
}

cs_status cs_script_open(cs_script **out, const cs_script_limits *limits,
                         cs_error *err)
{
    cs_status s = cs_script_create(out, limits, err);
    if (s)
        return s;
    lua_pushcfunction(cs_script_lua(*out), open_libraries);
    s = cs_script_call(*out, 0, 0, seconds, err);
    if (s) {
        cs_script_destroy(*out);
        *out = NULL;
    }
    return s;
}
