/* Runs random programs (programs.lua) in a Lua state with limited memory. If a
 * program fails, the seed of this program is printed. PROGRAMS=SEED,COUNT runs
 * COUNT programs from this seed on. */
#include "support/support.h"

#include "script/script.h"

#include <lua.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEED = 1, COUNT = 800 };

static void print(const char *text, size_t n)
{
    fwrite(text, 1, n, stderr);
}

static void random_programs_agree(void **state)
{
    (void)state;
    const cs_script_limits limits = {
        .memory = (size_t)64 << 20, .trust = true, .print = print};
    cs_script *s;
    cs_error err;
    long long seed = SEED, count = COUNT;
    const char *given = getenv("PROGRAMS");
    if (given)
        sscanf(given, "%lld,%lld", &seed, &count);
    assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
    if (cs_script_load_file(s, "script/programs.lua", &err))
        fail_msg("%s", err.what);
    lua_pushinteger(cs_script_lua(s), seed);
    lua_pushinteger(cs_script_lua(s), count);
    if (cs_script_call(s, 2, 1, 0, &err))
        fail_msg("%s", err.what);
    cs_script_destroy(s);
}

/* One iteration of the loop has six operations. A million operations are within
 * the default limits, even if the tracer does not recognise the loop. */
static void a_million_operations(void **state)
{
    (void)state;
    const cs_script_limits limits = {.seconds = 60};
    static const char code[] =
        "local cs = require 'chainscope' local m = cs.math\n"
        "local t = cs.target { space = cs.real(10), log_density = function(x)\n"
        "local u, v = 0, x[1]\n"
        "for i = 1, 120000 do local a = x[i % 10 + 1] - i * 1e-5\n"
        "u = u - 0.5 * a * m.tanh(a) end\n"
        "for i = 1, 60000 do v = 0.5 * m.sin(v + x[i % 10 + 1]) end\n"
        "return u + v end }\n"
        "assert(#t:gradient { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 } == 10)";
    cs_script *s;
    cs_error err;
    assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
    if (cs_script_load_text(s, code, "@a.lua", &err) ||
        cs_script_call(s, 0, 0, 0, &err))
        fail_msg("%s", err.what);
    cs_script_destroy(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_programs_agree),
    cmocka_unit_test(a_million_operations),
};
TESTS_WITH(test_programs, gsl_errors_off, NULL)
