/* Tests the time limit for C code that no Lua hook can interrupt. Also tests
 * the functions with which the program replaces Lua functions. They must behave
 * like the originals. */
#include "support/run_code.h"
#include "support/support.h"

#include "base/clock.h"
#include "base/memory.h"
#include "script/script.h"
#include "session/host/script_host.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const cs_script_limits tight = {.memory = (size_t)96 << 20,
                                       .seconds = 0.4};
static const cs_script_limits tighter = {.memory = (size_t)96 << 20,
                                         .seconds = 0.1};
static const cs_script_limits patient = {.memory = (size_t)96 << 20,
                                         .seconds = 60};

#define LOOP "while true do end"
#define HEAD "local cs = require 'chainscope' "
/* The table t has n items, which are two long strings in turn. The strings
 * differ only at the end. */
#define TEXTS                                                                  \
    "local a, b = ('a'):rep(4e6) .. 'x', ('a'):rep(4e6) .. 'y' local t = {} "  \
    "for i = 1, 50000 do t[i] = i % 2 == 0 and a or b end "
#define LABELS                                                                 \
    "local t = {} for i = 1, 32000 do t[i] = '::a' .. i .. ':: goto a' .. i "  \
    ".. ' ' end "                                                              \
    "local f = 'do local function f() ' .. table.concat(t) .. ' end end ' "    \
    "local i = 0 "

/* A fast oscillator whose solution needs some 10^9 steps. */
#define ODE                                                                    \
    "cs.ode { f = function(t, y, p) return { y[2], -1e8 * y[1] } end, "        \
    "y0 = { 1, 0 }, times = { 1e5 }, steps = 1e9 }"

/* Calls that start endless work at once. */
static const hostile endless[] = {
    {"xpcall(function() " LOOP " end, function() " LOOP " end)", "too long"},
    {"xpcall(function() local t = {} t.x.y = 1 end, function() " LOOP " end)",
     "too long"},
    {"local _ = ('a'):rep(31000):find('.-.-b')", "too long"},
    {"local _ = ('a'):rep(40000):match('(a+)%1b')", "too long"},
    {"local _ = ('a'):rep(999999):find('.-b')", "too long"},
    {"for _ in ('a'):rep(999999):gmatch('.-b') do end", "too long"},
    {"local _ = ('a'):rep(999999):gsub('.-b', '')", "too long"},
    {"local _ = ('('):rep(999999):find('%b()')", "too long"},
    {"local _ = ('a'):rep(3e5):find('[' .. ('b'):rep(3e5) .. ']')", "too long"},
    {"local t = {} for i = 0, 40 do t[1 << i] = 1 end t[5] = 1 t[9] = 1 "
     "table.insert(t, 1, 2)",
     "too many items"},
    {"local t = {} for i = 0, 40 do t[1 << i] = 1 end t[5] = 1 t[9] = 1 "
     "table.remove(t, 1)",
     "too many items"},
    {HEAD "cs.open { chains = 1, arms = { cs.kernel.exchange {} }, target = "
          "cs.target { space = cs.real(1), data = { 1 }, "
          "log_factor = function() return 0 end, simulate = function(_, draw) "
          "while true do draw:uniform() end end } }:step(1)",
     "too long"},
    {"local s = [[local co = coroutine.wrap(function() local x <close> = "
     "setmetatable({}, {__close = function() " LOOP " end}) " LOOP
     " end) co()]] load(s)()",
     "too long"},
    {"co = coroutine.create(function() local x <close> = setmetatable({}, "
     "{__close = function() " LOOP " end}) error('x') end) "
     "coroutine.resume(co) assert(not coroutine.close(co)) " LOOP,
     "too long"},
    {HEAD "while true do cs.open { target = cs.target.gaussian {}, chains = "
          "100, arms = { cs.kernel.random_walk {} } } end",
     "too long"},
    {HEAD "local _ = " ODE, "too long"},
    {HEAD "cs.open { chains = 1, arms = { cs.kernel.random_walk {} }, "
          "target = cs.target { space = cs.real(1), traced = false, "
          "log_density = function(x) return " ODE "[1][1] end } }:step(1)",
     "too long"},
};

/* Calls that need much preparation before they start their endless work. */
static const hostile prepared[] = {
    {TEXTS "table.sort(t)", "too long"},
    {"local t = {} for i = 1, 3e6 do t[i] = i end table.sort(t, math.ult)",
     "too long"},
    {"local t = {} for i = 1, 3e6 do t[i] = -i end table.sort(t)", "too long"},
    {LABELS "load(f:rep(100))", "too long"},
    {LABELS "load(function() i = i + 1 return i < 100 and f or nil end)",
     "too long"},
    {HEAD "local d = {} for i = 1, 60000 do d['c' .. i] = { 1 } end "
          "while true do pcall(cs.target, { space = cs.real(1), data = d, "
          "term = function(x, row) return x[1] * row.c1 end }) end",
     "too long"},
    {HEAD "cs.target.gaussian { dim = 2500, rho = 0.5 }", "time"},
};

/* Checks that all calls end with a message. If a limit is not enforced, a call
 * does not end; then the alarm ends the test. */
static void all_end_in_time(const hostile *all, size_t n,
                            const cs_script_limits *limits)
{
    for (size_t i = 0; i < n; i++) {
        cs_error err = {0};
        double began = cs_clock_process();
        alarm(200);
        cs_status s = run_code(all[i].code, limits, &err);
        alarm(0);
        if (s == CS_OK || !strstr(err.what, all[i].said))
            fail_msg("%s: %d: %s", all[i].code, s, err.what);
        double took = cs_clock_process() - began;
        if (took > 20)
            fail_msg("%s: took %g s", all[i].code, took);
    }
}

static void test_all_ends_in_time(void **state)
{
    (void)state;
    all_end_in_time(endless, sizeof endless / sizeof *endless, &tighter);
    all_end_in_time(prepared, sizeof prepared / sizeof *prepared, &tight);
}

/* ---- Lua's patterns ------------------------------------------------------ */

/* Applies thousands of random patterns to some strings, and returns a digest of
 * the results. */
static const char patterns[] =
    "local seed, n, out = 1, 0, {} local function rnd(k) seed = (seed * "
    "1103515245 + 12345) % 2147483648 return seed // 65536 % k + 1 end\n"
    "local function show(...) local t = {} for i = 1, select('#', ...) do "
    "t[i] = tostring((select(i, ...))) end "
    "out[#out + 1] = table.concat(t, '|') end\n"
    "local atoms = {'a', 'b', '.', '%a', '%d', '[ab]', '[^a]', '[a-c]', '%w', "
    "'%s', '%W', '%%', 'x', '[%]x]', '[]]', '[^]]', '[a-]', '%1', '()', '(', "
    "')', '%b()', '%f[%w]', '$', '^', '\\0', '-', '[%a-z]', '%x', '%u', '%L', "
    "'%p', '%g', '%c', '%l', '[', '%', '(a*', '(.)', '%2', '%f', '%b', '%0'}\n"
    "local reps = {'', '', '', '*', '+', '-', '?'}\n"
    "local texts = {'', 'a', 'aab', 'abcabc x(y(z))w 123 %', 'THE (quick) "
    "fox', 'aaaaabbbb', 'a\\0b\\0', ']]x-', 'hello world from Lua', '  trim "
    "'}\n"
    "local repls = {'<%0>', '%1', '%%', '', '<%1%2>', '%9', '%x', 'z', { a = "
    "'A', b = false, ab = 1 }, function(a, b) return b end, function() return "
    "nil end, function() return {} end, 7, '%'}\n"
    "for i = 1, 8000 do local p = rnd(5) == 1 and '^' or ''\n"
    "  for _ = 1, rnd(6) do p = p .. atoms[rnd(#atoms)] .. reps[rnd(#reps)] "
    "end\n"
    "  local t, init = texts[rnd(#texts)], ({ nil, 1, 2, -2, 50, -50, 0, 3 })"
    "[rnd(8)]\n"
    "  show('f', p, t, init, pcall(string.find, t, p, init))\n"
    "  show('p', pcall(string.find, t, p, init, true))\n"
    "  show('m', pcall(string.match, t, p, init))\n"
    "  show('g', (pcall(function() local k = 0 for a, b in string.gmatch(t, p, "
    "init) do k = k + 1 show('g', a, b) if k > 30 then break end end end)))\n"
    "  show('s', pcall(string.gsub, t, p, repls[rnd(#repls)], "
    "({ nil, 0, 1, 2 })[rnd(4)]))\n"
    "end answer = out";

/* Returns line i of the list on top of the stack, or NULL. */
static const char *line_of(lua_State *L, lua_Integer i)
{
    lua_rawgeti(L, -1, i);
    const char *text = lua_tostring(L, -1);
    lua_pop(L, 1);
    return text;
}

/* Returns true if the messages agree. The program's message may be shorter than
 * Lua's. */
static bool same(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    size_t n = strlen(b);
    return strstr(a, "|false|") && n && strncmp(a, b, n) == 0;
}

static void test_patterns_are_lua_s(void **state)
{
    (void)state;
    cs_error err = {0};
    cs_script *s = NULL;
    lua_State *stock = luaL_newstate();
    luaL_openlibs(stock);
    assert_int_equal(luaL_dostring(stock, patterns), LUA_OK);
    assert_int_equal(cs_script_open(&s, &patient, &err), CS_OK);
    lua_State *L = cs_script_lua(s);
    if (cs_script_load_text(s, patterns, "@a", &err))
        fail_msg("%s", err.what);
    /* keeps the environment of the chunk, which is the chunk's first upvalue */
    lua_getupvalue(L, -1, 1);
    lua_insert(L, -2);
    if (cs_script_call(s, 0, 0, 0, &err))
        fail_msg("%s", err.what);
    lua_getfield(L, -1, "answer");
    lua_getglobal(stock, "answer");
    lua_Integer n = (lua_Integer)lua_rawlen(stock, -1);
    assert_true(n > 40000 && n == (lua_Integer)lua_rawlen(L, -1));
    for (lua_Integer i = 1; i <= n; i++)
        if (!same(line_of(stock, i), line_of(L, i)))
            fail_msg("Lua: %s\nhere: %s", line_of(stock, i), line_of(L, i));
    lua_close(stock);
    cs_script_destroy(s);
}

/* ---- load, sort and coroutines behave as in Lua -------------------------- */

static const char manners[] =
    "local parts, i = { 'local a = ', '{ ', '}', ' return', ' 1 + ', '41' }, 0 "
    "local junk local f = assert(load(function() i = i + 1 junk = {} for k = "
    "1, 2000 do junk[k] = { k } end return parts[i] end)) "
    "assert(f() == 42) "
    "assert(load('x = 5 ' .. (' '):rep(5000) .. 'return x', 'n', 't', {})() == "
    "5 and x == nil) "
    "local f, why = load('x = = 5') assert(not f and why:find('unexpected')) "
    "local ok, why = pcall(load, function() return {} end) "
    "assert(not select(1, load(function() return {} end))) "
    "local t = { 3, 1, 2 } table.sort(t) assert(table.concat(t) == '123') "
    "table.sort(t, function(a, b) return a > b end) "
    "assert(table.concat(t) == '321') table.sort(t, math.ult) "
    "assert(table.concat(t) == '123') "
    "local big = {} for i = 1, 2e5 do big[i] = ('x'):rep(40) .. i * 7919 % "
    "200003 end table.sort(big) for i = 2, #big do assert(big[i - 1] < big[i]) "
    "end "
    "assert(not pcall(table.sort, { 1, 'a', 3 })) "
    "local w = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) "
    "error('e' .. b) end) assert(w(1) == 2) "
    "local ok, why = pcall(w, 7) assert(not ok and why:find('e7')) "
    "assert(not pcall(w)) "
    "local ok, a, b = xpcall(function(x, y) return x, y end, print, 1, 2) "
    "assert(ok and a == 1 and b == 2) "
    "local ok, m = xpcall(error, function(m) return m .. '!' end, 'no') "
    "assert(not ok and m == 'no!') "
    "local co = coroutine.create(function() coroutine.yield() end) "
    "coroutine.resume(co) assert(coroutine.close(co)) "
    "assert(coroutine.status(co) == 'dead')";

static void test_the_rest_is_lua_s(void **state)
{
    (void)state;
    cs_error err = {0};
    if (run_code(manners, &patient, &err))
        fail_msg("%d: %s", err.line, err.what);
}

/* ---- bytecode ---- */

static int keep_bytes(lua_State *L, const void *bytes, size_t n, void *to)
{
    (void)L;
    luaL_addlstring(to, bytes, n);
    return 0;
}

/* A complete binary chunk for "return 42", compiled by another Lua interpreter,
 * must not run. */
static void test_bytecode_is_refused(void **state)
{
    (void)state;
    static const char *const tries[] = {
        "local f, why = load(code)", "local f, why = load(code, 'x', 'b')",
        "local f, why = load(code, 'x', 'bt', {})",
        "local given local f, why = load(function() given = not given return "
        "given and code or nil end, 'x', 'bt')"};
    luaL_Buffer b;
    cs_error err = {0};
    cs_script *s = NULL;
    size_t size;
    lua_State *stock = luaL_newstate();
    luaL_loadstring(stock, "return 42");
    luaL_buffinit(stock, &b);
    lua_pushvalue(stock, 1);
    lua_dump(stock, keep_bytes, &b, 0);
    lua_pop(stock, 1);
    luaL_pushresult(&b);
    const char *bytes = lua_tolstring(stock, -1, &size);
    assert_int_equal(cs_script_open(&s, &patient, &err), CS_OK);
    lua_State *L = cs_script_lua(s);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char code[400];
        snprintf(code, sizeof code,
                 "%s assert(not f, f and f()) "
                 "assert(why:find('attempt to load a binary chunk'), why)",
                 tries[i]);
        cs_script_load_text(s, code, "@a", &err);
        lua_getupvalue(L, -1, 1);
        lua_pushlstring(L, bytes, size);
        lua_setfield(L, -2, "code");
        lua_pop(L, 1);
        if (cs_script_call(s, 0, 0, 0, &err))
            fail_msg("%s: %s", tries[i], err.what);
    }
    cs_script_destroy(s);
    lua_close(stock);
}

/* ---- files that are not regular ---- */

static void test_a_pipe_is_no_file(void **state)
{
    (void)state;
    static const char *const uses[] = {
        "cs.target.logistic_regression { file = 'p' }",
        "cs.target.ising { file = 'p' }",
        "cs.target.tsp { file = 'p' }",
        "cs.target.rbm { file = 'p' }",
        "cs.network { file = 'p' }",
        "cs.target { space = cs.real(1), data = 'p', term = function() end }"};
    char folder[] = "/tmp/chainscope_pipe_XXXXXX", path[64], file[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p", folder);
    snprintf(file, sizeof file, "%s/a.lua", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        cs_script *s = NULL;
        cs_error err = {0};
        FILE *f = fopen(file, "w");
        fprintf(f, HEAD "%s", uses[i]);
        fclose(f);
        alarm(20);
        assert_int_equal(cs_script_open(&s, &patient, &err), CS_OK);
        assert_int_equal(cs_script_load_file(s, file, &err), CS_OK);
        assert_int_equal(cs_script_call(s, 0, 0, 0, &err), CS_SCRIPT);
        if (!strstr(err.what, "not a regular file"))
            fail_msg("%s: %s", uses[i], err.what);
        assert_int_equal(cs_script_load_file(s, path, &err), CS_IO);
        alarm(0);
        cs_script_destroy(s);
    }
    remove(file);
    remove(path);
    remove(folder);
}

/* ---- memory limit of the core -------------------------------------------- */

#define GAUSS "cs.target.gaussian { dim = 50 }"
#define KEEP                                                                   \
    "local keep = {} for i = 1, 10000 do keep[i] = %s end error('no end')"

/* If memory in use reaches the limit, the allocation fails. Before that, unused
 * memory is collected. */
static void test_the_core_s_memory_is_bounded(void **state)
{
    (void)state;
    static const char *const makers[] = {
        "cs.target.gaussian { dim = 300, rho = 0.5 }",
        "cs.open { target = " GAUSS ", chains = 4, keep = 100, arms = { "
        "cs.kernel.random_walk {} } }"};
    char code[400];
    cs_error err = {0};
    cs_memory_limit((size_t)64 << 20);
    for (size_t i = 0; i < 2; i++) {
        snprintf(code, sizeof code, HEAD KEEP, makers[i]);
        assert_int_not_equal(run_code(code, &patient, &err), CS_OK);
        if (!strstr(err.hint, "--memory") && !strstr(err.what, "--memory"))
            fail_msg("%s: %s: %s", makers[i], err.what, err.hint);
        snprintf(code, sizeof code, HEAD "for i = 1, 60 do local r = %s end",
                 makers[i]);
        if (run_code(code, &patient, &err))
            fail_msg("%s: %s: %s", makers[i], err.what, err.hint);
    }
    snprintf(code, sizeof code,
             HEAD "local a = {} for i = 1, 100 do a['a' .. i] = "
                  "cs.kernel.random_walk {} end cs.open { target = " GAUSS
                  ", arms = a }");
    assert_int_not_equal(run_code(code, &patient, &err), CS_OK);
    if (!strstr(err.hint, "--memory") && !strstr(err.what, "--memory"))
        fail_msg("arms: %s: %s", err.what, err.hint);
    cs_memory_limit(0);
}

/* ---- the last resort, a signal ------------------------------------------- */

/* A C function that never returns and never checks a limit. */
static int spin(lua_State *L)
{
    (void)L;
    for (volatile unsigned long n = 0;; n++)
        continue;
    return 0;
}

static int rest(lua_State *L)
{
    (void)L;
    for (;;)
        pause();
    return 0;
}

static void be_session(lua_CFunction f, bool interrupt)
{
    const cs_script_limits limits = {.seconds = interrupt ? 1000 : 0.1,
                                     .grace = 0.1};
    cs_script *s = NULL;
    alarm(30);
    if (cs_script_open(&s, &limits, NULL))
        _exit(1);
    lua_pushcfunction(cs_script_lua(s), f);
    cs_script_enter(s, 0);
    if (interrupt)
        cs_script_interrupt(s);
    lua_pcall(cs_script_lua(s), 0, 0, 0);
    _exit(2);
}

static int code_of_session(lua_CFunction f, bool interrupt)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        be_session(f, interrupt);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void test_nothing_outlives_the_backstop(void **state)
{
    (void)state;
    assert_int_equal(code_of_session(spin, false), CS_HOST_OVERTIME);
    assert_int_equal(code_of_session(rest, false), CS_HOST_OVERTIME);
    assert_int_equal(code_of_session(spin, true), CS_HOST_OVERTIME);
}

/* ---- time limit of each callback ----------------------------------------- */

/* Returns true if an endless callback is stopped after this number of seconds
 * of CPU time. On a loaded machine, at most four times this number of seconds
 * may pass on the clock. */
static bool callback_gets(cs_script *s, double seconds)
{
    lua_State *L = cs_script_lua(s);
    cs_script_load_text(s, "while true do end", "@a", NULL);
    double began = cs_clock_thread(), at = cs_clock();
    cs_script_enter_callback(s);
    assert_int_not_equal(lua_pcall(L, 0, 0, 0), LUA_OK);
    cs_script_leave_callback(s);
    lua_pop(L, 1);
    double spent = cs_clock_thread() - began, passed = (cs_clock() - at) / 4;
    double most = spent > passed ? spent : passed;
    return most > 0.93 * seconds && spent < 1.25 * seconds;
}

/* If a callback has used all its time, its next call may take only one
 * second. */
static void test_the_time_is_not_given_anew(void **state)
{
    (void)state;
    const cs_script_limits limits = {.seconds = 1.5};
    cs_script *s = NULL;
    cs_error err = {0};
    assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
    assert_true(callback_gets(s, 1.5));
    assert_true(callback_gets(s, 1));
    cs_script_afresh(s, true);
    assert_true(callback_gets(s, 1.5));
    cs_script_destroy(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_all_ends_in_time),
    cmocka_unit_test(test_patterns_are_lua_s),
    cmocka_unit_test(test_the_rest_is_lua_s),
    cmocka_unit_test(test_bytecode_is_refused),
    cmocka_unit_test(test_a_pipe_is_no_file),
    cmocka_unit_test(test_the_core_s_memory_is_bounded),
    cmocka_unit_test(test_nothing_outlives_the_backstop),
    cmocka_unit_test(test_the_time_is_not_given_anew),
};
TESTS_WITH(test_limits, gsl_errors_off, NULL)
