/* Tests Lua under limits. Also tests that an untrusted script cannot perform
 * forbidden actions. */
#include "run/arms/arms.h"
#include "run/run.h"
#include "run/views/view.h"
#include "support/run_code.h"
#include "support/support.h"

#include "base/memory.h"
#include "script/host.h"
#include "script/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const cs_script_limits tight = {.memory = (size_t)8 << 20,
                                       .seconds = 0.15};

/* Limits for scripts that must be ended by a limit other than the time limit.
 * The time limit is never reached, even on a loaded machine. */
static const cs_script_limits patient = {.memory = (size_t)8 << 20,
                                         .seconds = 20};

#define HEAD "local cs = require 'chainscope'\n"
#define GAUSS "target = cs.target.gaussian {}"

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

#define MATH "local cs = require 'chainscope' local M = cs.math "
#define TRACE                                                                  \
    MATH "local f, keep, got cs.target { space = cs.real(2), "                 \
         "log_density = function(x) "
#define ENDED " end } "

/* Scripts that must end in time, with an error that contains the given
 * words. */
static const hostile scripts[] = {
    {"while true do end", "too long"},
    {"while true do pcall(function() while true do end end) end", "too long"},
    {"while true do xpcall(function() while true do end end, print) end",
     "too long"},
    {"local c = coroutine.create(function() while true do end end) "
     "while true do coroutine.resume(c) end",
     "too long"},
    {"coroutine.wrap(function() while true do end end)()", "too long"},
    {"local x <close> = setmetatable({}, {__close = function() "
     "while true do end end})",
     "too long"},
    {"local s = ('x'):rep(1 << 30)", "too long"},
    {"string.rep('', 1 << 62)", "too long"},
    {"local t = {} while true do t[#t + 1] = {} end", "not enough memory"},
    {"local function f() return 1 + f() end f()", "not enough memory"},
    {"local _ = ('a'):rep(40):find(('a-'):rep(40) .. 'b')", "too long"},
    {"local _ = ('x'):rep(30000):match(('.-'):rep(6) .. 'y')", "too long"},
    {"table.move({}, 1, 1 << 60, 2)", "too many items"},
    {"table.insert(setmetatable({}, {__len = function() return 1 << 60 "
     "end}), 1, 1)",
     "__len"},
    {"table.concat({}, '', 1, 1 << 60)", "too many items"},
    {"setmetatable({}, {__gc = function() while true do end end})", "__gc"},
    {"error({})", "a table"},
    {"error(setmetatable({}, {__tostring = function() while true do end "
     "end}))",
     "a table"},
    {"error()", "a nil"},
    {"assert(os) ", "assertion failed"},
    {"assert(io) ", "assertion failed"},
    {"assert(debug) ", "assertion failed"},
    {"assert(package) ", "assertion failed"},
    {"assert(string.dump) ", "assertion failed"},
    {"assert(dofile or loadfile) ", "assertion failed"},
    {"assert(getmetatable('').__index) ", "index a boolean"},
    {"require 'os'", "no such file"},
    {"assert(load('\\27Lua'))", "binary"},
    {"assert(load(function() return nil end, 'x', 'b')) os.exit()",
     "index a nil value"},
    {"local cs = require 'chainscope' cs.scenario = nil", "cannot be changed"},
    {"rawset(require 'chainscope', 'scenario', nil)", "cannot be changed"},
    {"local _, t = pairs(require 'chainscope') t.scenario = nil",
     "cannot be changed"},
    {MATH "M.fill(0, 1 << 26)", "not enough memory"},
    {MATH "M.diagonal(M.fill(1, 4096))", "not enough memory"},
    {MATH "M.sum(setmetatable({}, {__len = function() return 1 << 60 end}))",
     "an empty list"},
    {MATH "local t = {} t[1] = t M.exp(t)", "list of lists of lists"},
    {MATH "M.product(M.matrix(M.fill(1, 90000), 300), "
          "M.matrix(M.fill(1, 90000), 300))",
     "too many"},
    {TRACE "if type(x) == 'userdata' then f = coroutine.wrap(function() "
           "coroutine.yield() return x + 1 end) f() end return x[1]" ENDED
           "f()",
     "outside the function"},
    {TRACE "keep = keep or setmetatable({}, {__gc = function() "
           "got = not pcall(function() return x[1] + 1 end) end}) "
           "return x[1]" ENDED "keep = nil collectgarbage() error(got)",
     ""},
    {TRACE "cs.target { space = cs.real(1), log_density = function(y) "
           "return y[1] + x[1] end } return x[1]" ENDED,
     "earlier trace"},
    {"local cs = require 'chainscope' coroutine.wrap(function() cs.target { "
     "space = cs.real(1), log_density = function(x) coroutine.yield() return "
     "x[1] end } end)()",
     "yield"},
    {TRACE "while true do end" ENDED, "too long"},
    {TRACE "error({})" ENDED, "a table"},
    {TRACE "collectgarbage() return M.sum(M.pack(x, x, x))" ENDED
           "error('fine')",
     "fine"},
};

static void test_hostile_scripts_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        cs_error err = {0};
        bool endless = strcmp(scripts[i].said, "too long") == 0;
        cs_status s =
            run_code(scripts[i].code, endless ? &tight : &patient, &err);
        if (s == CS_OK || !strstr(err.what, scripts[i].said))
            fail_msg("%s: %d: %s", scripts[i].code, s, err.what);
    }
}

#define CALL(density, arm, then)                                               \
    "local cs = require 'chainscope' local run\n"                              \
    "local t = cs.target { space = cs.real(1), log_density = function(x)\n"    \
    "  " density " end, traced = false }\n"                                    \
    "run = cs.open { target = t, chains = 2, seed = 1, start = { 0 },\n"       \
    "  arms = { a = " arm " } }\n" then
#define WALK "cs.kernel.random_walk {}"
#define FINE "return -x[1]^2"

/* Scripts with an error in a function that the chains call. The limits apply to
 * such functions too. An error names the line and the chain. */
static const hostile callbacks[] = {
    {CALL("while x[1] ~= 0 do end return 0", WALK, "run:step(9)"), "too long"},
    {CALL("while x[1] ~= 0 do pcall(function() while true do end end) end "
          "return 0",
          WALK, "run:step(9)"),
     "too long"},
    {CALL("if x[1] ~= 0 then string.rep('x', 1 << 40) end return 0", WALK,
          "run:step(9)"),
     "too long"},
    {CALL("local t = {} while x[1] ~= 0 do t[#t + 1] = {} end return 0", WALK,
          "run:step(9)"),
     "not enough memory"},
    {CALL("if x[1] > 1 then return nil end return 0", WALK, "run:step(99)"),
     "is a nil, not a number"},
    {CALL("if x[1] > 1 then return x.y.z end return 0", WALK, "run:step(99)"),
     "in chain "},
    {CALL("if x[1] > 1 then return x.y.z end return 0", WALK, "run:step(99)"),
     "proposal ("},
    {CALL("if x[1] ~= 0 then run:step(1) end return 0", WALK, "run:step(9)"),
     "is busy"},
    {CALL("if x[1] ~= 0 then coroutine.yield() end return 0", WALK,
          "coroutine.wrap(function() run:step(9) end)()"),
     "yield"},
    {CALL("while x[1] ~= 0 do end return 0", WALK,
          "coroutine.wrap(function() run:step(9) end)()"),
     "too long"},
    {CALL(FINE,
          "cs.kernel.random_walk { step = function(k) while k > 1 do end "
          "return 1 end }",
          "run:step(9)"),
     "too long"},
    {CALL(FINE,
          "cs.kernel.random_walk { step = function(k) return k < 50 and "
          "1 end }",
          "run:step(99)"),
     "is a boolean, not a number"},
    {CALL(FINE, "cs.kernel { propose = function(x) while true do end end }",
          "run:step(9)"),
     "too long"},
    {CALL(FINE, "cs.kernel { propose = function(x) return 3 end }",
          "run:step(9)"),
     "is a number, not a state"},
    {CALL(FINE,
          "cs.kernel { propose = function(x, d) while true do "
          "d:normal() end end }",
          "run:step(9)"),
     "too long"},
    {CALL(FINE, WALK,
          "run:every(3, function() while true do end end) run:step(9)"),
     "too long"},
    {CALL(FINE, WALK, "run:at(3, function() error 'no' end) run:step(9)"),
     "no"},
};

static void test_callbacks_are_held(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++) {
        const hostile *c = &callbacks[i];
        cs_error err = {0};
        bool endless = strcmp(c->said, "too long") == 0;
        cs_status s = run_code(c->code, endless ? &tight : &patient, &err);
        if (s == CS_OK || !strstr(err.what, c->said) ||
            (err.line == 0 && !strstr(c->said, "memory")))
            fail_msg("%s: %d: line %d: %s", c->code, s, err.line, err.what);
    }
}

/* An error in one chain does not stop the other chains. If a schedule returns
 * no value, no chain stops. */
static void test_the_other_chains_go_on(void **state)
{
    (void)state;
    static const char code[] = CALL(
        "if x[1] > 1 then error 'far' end return 0", WALK,
        "") "local r = cs.open { target = t, chains = 2, seed = 1, start = { { "
            "0 },"
            " { -900 } }, arms = { a = cs.kernel.random_walk {} } }\n"
            "assert(not pcall(r.step, r, 1000))\n"
            "assert(r:arm(1):chain(1):info().failed and r:step(500) == 500)\n"
            "assert(not r:arm(1):chain(2):info().failed)\n"
            "assert(r:arm(1):chain(2):tally().steps == r.steps)\n"
            "local s = cs.open { target = cs.target.gaussian {}, arms = { a =\n"
            "  cs.kernel.random_walk { step = function(k) return k < 40 and 1 "
            "or\n"
            "  error 'no more' end } } }\n"
            "assert(not pcall(s.step, s, 100) and s.steps == 39)\n"
            "assert(not s:fault())\n"
            "s:arm(1):set('step', 1) assert(s:step(10) == 10)\n";
    cs_error err = {0};
    if (run_code(code, &patient, &err))
        fail_msg("line %d: %s", err.line, err.what);
}

/* Random numbers drawn by a script depend only on the seed and the step. They
 * are equal in every run. */
static void test_random_numbers_come_again(void **state)
{
    (void)state;
    static const char code[] = HEAD
        "local function drawn(seed)\n"
        "  local r = cs.open { " GAUSS ", seed = seed, arms = { a =\n"
        "    cs.kernel.random_walk {} } }\n"
        "  local at = {}\n"
        "  r:every(5, function() at[r.steps] = math.random() .. ' ' ..\n"
        "    math.random(6) end)\n"
        "  r:step(20) local first = table.concat(at, ' ', 20, 20)\n"
        "  r:rewind(7) r:step(7) assert(at[20] == first)\n"
        "  return at[5] .. at[10] .. at[15] .. at[20]\n"
        "end\n"
        "local a = drawn(1) assert(a == drawn(1) and a ~= drawn(2))\n"
        "for i = 1, 1000 do local k = math.random(3, 5)\n"
        "  assert(k >= 3 and k <= 5 and math.type(k) == 'integer') end\n"
        "local t = cs.target { space = cs.real(1), log_density = function(x)\n"
        "  return x[1] == 0 and 0 or math.random() end, traced = false }\n"
        "local r = cs.open { target = t, start = { 0 }, arms = { a =\n"
        "  cs.kernel.random_walk {} } }\n"
        "local ok, why = pcall(r.step, r, 5)\n"
        "assert(not ok and why:find('draw:uniform', 1, true), why)\n";
    cs_error err = {0};
    if (run_code(code, &patient, &err))
        fail_msg("line %d: %s", err.line, err.what);
}

/* If a symbolic link leads out of the scenario's folder, it is not followed. */
static void test_links_do_not_leave_the_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/chainscope_links_XXXXXX", path[64], inside[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/out.csv", folder);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    snprintf(inside, sizeof inside, "%s/a.lua", folder);
    write_file(inside, HEAD "return cs.target.logistic_regression {\n"
                            "  file = 'out.csv' }");
    cs_script *s = NULL;
    cs_error err = {0};
    assert_int_equal(cs_script_open(&s, &patient, &err), CS_OK);
    assert_int_equal(cs_script_load_file(s, inside, &err), CS_OK);
    assert_int_equal(cs_script_call(s, 0, 0, 0, &err), CS_SCRIPT);
    assert_non_null(strstr(err.what, "leaves the scenario's folder"));
    cs_script_destroy(s);
    remove(path);
    remove(inside);
    remove(folder);
}

/* Scripts can load files in the scenario's folder as modules. A module has the
 * script's environment. No module name can refer to another folder, and
 * bytecode is not run. If a module has an error, the message names the line in
 * the module. */
static void test_modules(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } files[] = {
        {"lib/sums.lua", "shared = (shared or 0) + 1\n"
                         "return { sq = function(x) return x * x end }\n"},
        {"models.lua", "local sums = require 'lib.sums'\n"
                       "return { name = ..., nine = sums.sq(3) }\n"},
        {"nothing.lua", "count = 7\n"},
        {"wrong.lua", "\nlocal x = nosuch.field\n"},
        {"self.lua", "return require 'self'\n"},
        {"code.lua", "\x1bLua"},
        {"main.lua",
         "local cs = require 'chainscope'\n"
         "local m = require 'models'\n"
         "assert(m == require 'models' and m.nine == 9 and m.name == "
         "'models')\n"
         "assert(require 'lib/sums' and shared == 2)\n"
         "assert(require 'nothing' == true and count == 7)\n"
         "for name, why in pairs { ['../x'] = 'a valid', ['/etc/passwd'] =\n"
         "  'a valid', [''] = 'a valid', ['a\\0b'] = 'a valid', ['.x'] =\n"
         "  'a valid', out = 'no such file', none = 'no such file', self =\n"
         "  'requires itself', wrong = 'wrong.lua:2: ', code = 'attempt to "
         "load',\n  io = 'no such file', [('a'):rep(999)] = 'a valid' } do\n"
         "  for _ = 1, 2 do\n"
         "    local ok, said = pcall(require, name)\n"
         "    assert(not ok and said:find(why, 1, true), said)\n"
         "  end\n"
         "end\n"},
    };
    enum { N = sizeof files / sizeof *files };
    char folder[] = "/tmp/chainscope_modules_XXXXXX", path[96];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lib", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/out.lua", folder);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    for (size_t i = 0; i < N; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        write_file(path, files[i].text);
    }
    cs_script *s = NULL;
    cs_error err = {0};
    assert_int_equal(cs_script_open(&s, &patient, &err), CS_OK);
    for (int again = 0; again < 2; again++) { /* each environment reads its own
                                               * copy */
        assert_int_equal(cs_script_load_file(s, path, &err), CS_OK);
        if (cs_script_call(s, 0, 0, 0, &err))
            fail_msg("line %d: %s", err.line, err.what);
    }
    cs_script_destroy(s);
    for (size_t i = 0; i < N; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        remove(path);
    }
    snprintf(path, sizeof path, "%s/out.lua", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/lib", folder);
    remove(path);
    remove(folder);
}

/* An error in a file shows the source line as the program read it. Blanks
 * around the line are removed, and a long line is cut between characters. All
 * this also holds for files with long names, and for the console. */
static void test_an_error_shows_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *code, *shows; /* shows NULL: no line is shown */
    } cases[] = {
        {"local t = {}\n\t return t.a.b -- why \r\n",
         "\n    2 | return t.a.b -- why"},
        {"#!/x\n\n\n\n\n\n\n\n\n\nx = = 1", "\n   11 | x = = 1"},
        {"local s = 1 + nothing -- "
         "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3"
         "\xa4"
         "\xc3\xa4 and so on and on and on and on and on and",
         "\n    1 | local s = 1 + nothing -- "
         "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3"
         "\xa4"
         "\xc3\xa4 and so on and on and on and on a ..."},
        {"local a = 1\r\r\nreturn a + {}\n", "\n    3 | return a + {}"},
        {"local a = 1\rreturn a + {}\r", "\n    2 | return a + {}"},
        {"\xef\xbb\xbfreturn 1 + {}", "\n    1 | return 1 + {}"},
        {"error('other.lua:1: no', 0)", NULL},
        {"error('no', 0)", NULL},
        {"load('error(1 + {})', '=typed')()", NULL},
    };
    char folder[] =
        "/tmp/chainscope_a_folder_of_a_name_so_long_that_lua_cuts_it_"
        "XXXXXX";
    char path[96];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.lua", folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cs_script *s = NULL;
        cs_error err = {0};
        write_file(path, cases[i].code);
        assert_int_equal(cs_script_open(&s, &patient, &err), CS_OK);
        cs_status status = cs_script_load_file(s, path, &err);
        write_file(path, "\n\n\n\n\n\n\n\n\n\n\nedited since");
        if (!status)
            status = cs_script_call(s, 0, 0, 0, &err);
        assert_int_equal(status, CS_SCRIPT);
        const char *line = strchr(err.what, '\n');
        if (cases[i].shows) {
            assert_string_equal(err.where, path);
            assert_non_null(line);
            assert_string_equal(line, cases[i].shows);
        } else {
            assert_null(line);
        }
        cs_script_destroy(s);
    }
    remove(path);
    remove(folder);
}

/* If a scenario's text contains too many numbers, the message gives the limit.
 * It also says where numbers can be stored instead. */
static void test_a_long_file_says_the_limit(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope_long_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && ftruncate(fd, 2300000) == 0);
    close(fd);
    cs_script *s = NULL;
    cs_error err = {0};
    assert_int_equal(cs_script_open(&s, &patient, &err), CS_OK);
    assert_int_equal(cs_script_load_file(s, path, &err), CS_IO);
    assert_non_null(strstr(err.what, "2.2 MB; the limit is 1"));
    assert_non_null(strstr(err.hint, "cs.read_table"));
    cs_script_destroy(s);
    remove(path);
}

/* One Lua state is used many times, and each time another allocation fails.
 * Each failure gives a message, and no memory leaks. */
static void test_memory_fails_anywhere(void **state)
{
    (void)state;
    static const char code[] = HEAD
        "local k = cs.kernel { propose = function(x) return x end }\n"
        "local r = cs.open { " GAUSS ", chains = 1, keep = 8, arms = { a = k,\n"
        "  b = cs.kernel.mala { step = function() return 1 end } },\n"
        "  probes = { 'acceptance', only = true }, rewind_bytes = 0 }\n"
        "r:step(2)\n";
    bool done = false;
    for (unsigned long n = 1; !done; n += n < 1000 ? 7 : n / 12) {
        cs_script *s = NULL;
        cs_error err = {0};
        cs_memory_fail_at(n, false);
        cs_status status = cs_script_open(&s, &patient, &err);
        if (!status)
            status = cs_script_load_text(s, code, "@a.lua", &err);
        if (!status)
            status = cs_script_call(s, 0, 0, 0, &err);
        done = cs_memory_requests() < n;
        cs_memory_fail_at(0, false);
        if (status && err.what[0] == '\0')
            fail_msg("request %lu: no message", n);
        if (done && status)
            fail_msg("%s", err.what);
        cs_script_destroy(s);
    }
}

/* The next script in the same state must not see changes made by the previous
 * script. */
static void test_scripts_have_worlds_of_their_own(void **state)
{
    (void)state;
    cs_script *s = NULL;
    cs_error err = {0};
    assert_int_equal(cs_script_open(&s, &tight, &err), CS_OK);
    const char *first = "string.format = nil math.floor = nil x = 3 pairs = 1";
    const char *second = "assert(string.format and math.floor and not x and "
                         "('a'):rep(2) == 'aa' and pairs ~= 1)";
    assert_int_equal(cs_script_load_text(s, first, "@a", &err), CS_OK);
    assert_int_equal(cs_script_call(s, 0, 0, 0, &err), CS_OK);
    assert_int_equal(cs_script_load_text(s, second, "@b", &err), CS_OK);
    if (cs_script_call(s, 0, 0, 0, &err))
        fail_msg("%s", err.what);
    cs_script_destroy(s);
}

/* If a call has reached a limit, the next call has its full time again. */
static void test_a_state_recovers(void **state)
{
    (void)state;
    cs_script *s = NULL;
    cs_error err = {0};
    assert_int_equal(cs_script_open(&s, &tight, &err), CS_OK);
    cs_script_load_text(s, "while true do end", "@a", &err);
    assert_int_equal(cs_script_call(s, 0, 0, 0, &err), CS_SCRIPT);
    cs_script_load_text(s, "for i = 1, 1e5 do end", "@a", &err);
    assert_int_equal(cs_script_call(s, 0, 0, 0, &err), CS_OK);
    cs_script_destroy(s);
}

static void keep_print(void *to, const char *text, size_t n)
{
    size_t used = strlen(to);
    if (used + n < 256)
        strncat(to, text, n);
}

static cs_status evaluate(const cs_host *host, const char *code, char *out)
{
    *out = 0;
    return host->eval(host->self, code, keep_print, out, NULL);
}

/* Opens `path` again. Then checks that any use of the run that was open before
 * raises an error. */
static void check_closed_run(cs_host *host, const char *path, cs_opened *opened)
{
    const char *use[] = {
        "old.steps",     "old:step(1)",   "old:arm(1)",
        "a.steps",       "c:state()",     "old:every(1, print)",
        "old:summary()", "old:rewind(1)", "old:report()"};
    char out[256];
    cs_error err = {0};
    assert_int_equal(evaluate(host, "old = run", out), CS_OK);
    assert_int_equal(evaluate(host, "a = run:arm(1) c = a:chain(1)", out), 0);
    cs_run *first = opened->run;
    if (host->open(host->self, path, NULL, 0, opened, &err))
        fail_msg("%s", err.what);
    cs_run_destroy(first);
    host->attach(host->self, opened->run);
    for (size_t i = 0; i < sizeof use / sizeof *use; i++) {
        memset(&err, 0, sizeof err);
        host->eval(host->self, use[i], keep_print, out, &err);
        if (!strstr(err.what, "this run is closed"))
            fail_msg("%s: %s", use[i], err.what);
    }
    assert_int_equal(evaluate(host, "old", out), CS_OK);
    assert_string_equal(out, "closed run\n");
    assert_int_equal(evaluate(host, "run:step(1)", out), CS_OK);
}

static void test_host_opens_and_evaluates(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope_script_XXXXXX", out[256];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    write_file(path, HEAD "return cs.scenario { title = 'T', " GAUSS ", "
                          "screen = { 'trace' }, seed = 3,\n"
                          "arms = { a = cs.kernel.random_walk { step = 1 } }, "
                          "setup = function(r) r:every(10, print) end }");
    cs_host host;
    cs_error err = {0};
    cs_opened opened;
    uint64_t done;
    const char *set[] = {"a.step=0.5", "seed=9"};
    assert_int_equal(cs_script_host_create(&host, &tight, NULL, &err), CS_OK);
    if (host.open(host.self, path, set, 2, &opened, &err))
        fail_msg("%s:%d: %s", err.where, err.line, err.what);
    assert_string_equal(opened.title, "T");
    assert_string_equal(opened.panel[0], "trace");
    assert_int_equal(cs_run_seed(opened.run), 9);
    assert_near(cs_run_arm(opened.run, 0).kernel->values[0], 0.5, 0, 0);
    host.attach(host.self, opened.run);
    *out = 0;
    assert_int_equal(host.events(host.self, opened.run, keep_print, out, &err),
                     10);
    assert_string_equal(out, "");
    assert_int_equal(evaluate(&host, "run.seed + 1", out), CS_OK);
    assert_string_equal(out, "10\n");
    assert_int_equal(evaluate(&host, " = 1, nil", out), CS_OK);
    assert_string_equal(out, "1\tnil\n");
    assert_int_equal(evaluate(&host, "print(1) print 'b'", out), CS_OK);
    assert_string_equal(out, "1\nb\n");
    assert_int_equal(evaluate(&host, "run:step(5)", out), CS_OK);
    assert_int_equal(cs_run_steps(opened.run), 5);
    assert_int_equal(evaluate(&host,
                              "run:every(1, function() "
                              "print('now') end)",
                              out),
                     CS_OK);
    assert_int_equal(cs_run_advance(opened.run, 1, &done, &err), CS_OK);
    *out = 0;
    host.events(host.self, opened.run, keep_print, out, &err);
    assert_string_equal(out, "now\n");
    assert_int_equal(evaluate(&host, "nosuch.x", out), CS_SCRIPT);
    assert_int_equal(evaluate(&host, "error 'near <eof>'", out), CS_SCRIPT);
    assert_int_equal(evaluate(&host, "for i = 1, 2 do", out), CS_INPUT);
    assert_int_equal(evaluate(&host, "x = [[", out), CS_INPUT);
    assert_int_equal(evaluate(&host, "= (", out), CS_INPUT);
    assert_int_equal(evaluate(&host, "x = )", out), CS_SCRIPT);
    check_closed_run(&host, path, &opened);
    host.attach(host.self, NULL);
    cs_run_destroy(opened.run);
    cs_script_host_destroy(&host);
    remove(path);
}

static void test_host_completes(void **state)
{
    (void)state;
    static double memory[8192];
    cs_host host;
    cs_error err = {0};
    cs_flat out;
    cs_flat_entry e;
    assert_int_equal(cs_script_host_create(&host, &tight, NULL, &err), CS_OK);
    const struct {
        const char *line, *want;
    } table[] = {
        {"local k = cs.kernel.random_w", "cs.kernel.random_walk"},
        {"x = cs.kernel.mala { ste", "step"},
        {"x = { cs.kernel.mala({ step = 1 }), cs.schedule.cosine({ per",
         "period"},
        {"x = cs.target.mixture{ ", "means"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bool found = false;
        cs_flat_begin(&out, memory, sizeof memory);
        host.complete(host.self, table[i].line, &out);
        for (size_t at = 0; cs_flat_next(out.base, out.used, &at, &e);)
            found |= e.text && strcmp(e.text, table[i].want) == 0;
        if (!found)
            fail_msg("'%s' does not offer %s", table[i].line, table[i].want);
    }
    cs_script_host_destroy(&host);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_hostile_scripts_end),
    cmocka_unit_test(test_callbacks_are_held),
    cmocka_unit_test(test_random_numbers_come_again),
    cmocka_unit_test(test_links_do_not_leave_the_folder),
    cmocka_unit_test(test_modules),
    cmocka_unit_test(test_an_error_shows_its_line),
    cmocka_unit_test(test_a_long_file_says_the_limit),
    cmocka_unit_test(test_memory_fails_anywhere),
    cmocka_unit_test(test_the_other_chains_go_on),
    cmocka_unit_test(test_scripts_have_worlds_of_their_own),
    cmocka_unit_test(test_a_state_recovers),
    cmocka_unit_test(test_host_opens_and_evaluates),
    cmocka_unit_test(test_host_completes),
};
TESTS_WITH(test_script, gsl_errors_off, NULL)
