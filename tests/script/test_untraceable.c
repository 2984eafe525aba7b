/* Tests code that cannot be traced. It is refused with a message that names the
 * line and a remedy. */
#include "support/support.h"

#include "script/script.h"

#include <stdio.h>
#include <string.h>

/* A log density whose body begins on line 3. The error must name the line
 * `line`. */
typedef struct untraceable {
    const char *space, *body;
    int line;
    const char *what, *hint;
} untraceable;

#define REAL "cs.real(2)"
#define BITS "cs.binary(2)"
#define WHERE "write cs.math.where(cs.math.lt(a, b)"
#define JUMPS "use cs.math.where"
#define EQUAL "write cs.math.where(cs.math.eq(a, b)"
#define PLAIN "traced = false"

static const untraceable cases[] = {
    /* branches */
    {REAL, "local y = 1\nif x[1] > 0 then y = 2 end return y", 4, "compared",
     WHERE},
    {REAL, "while x[1] > 0 do end return 0", 3, "compared", WHERE},
    {REAL, "return x[1] <= 1", 3, "compared", PLAIN},
    {REAL, "if x[1] == x[2] then return 1 end return 0", 3, "compared", WHERE},
    {REAL, "local t = { x[1], x[2] }\ntable.sort(t) return t[1]", 4, "compared",
     WHERE},
    {REAL, "return not x[1]", 2, "returned a boolean", "one number"},
    /* operations that Lua evaluates without a call of the symbols' functions */
    {BITS, "local u = 0\nif x[2] == 0 then\nu = 1\nend\nreturn u", 4,
     "gives 1 with numbers, 0 when traced", EQUAL},
    {BITS,
     "local u = 0\nfor i = 1, 2 do\nif x[i] ~= 1 then\nu = u + "
     "i\nend\nend\nreturn u",
     5, "takes another branch after this line", EQUAL},
    {"cs.categorical(2, 9)", "return x[2] == 8 and 1 or 0", 2,
     "gives 1 with numbers, 0 when traced", EQUAL},
    {REAL, "return x[1] == 0 and 1 or 2", 2, "gives 1 with numbers", EQUAL},
    {REAL, "return x[1] ~= 1 and x[1] or 7", 2, "gives 7 with numbers", EQUAL},
    {REAL, "return type(x[1]) == 'number' and x[1] or 0", 2, "with numbers",
     "type"},
    {REAL, "return pcall(function() return x[1] > 0 end) and 1 or x[1]", 2,
     "with numbers", "pcall"},
    {"cs.binary(2)", "local t = { [0] = 1, [1] = 5 }\nreturn t[x[1]]", 2,
     "returned nothing", "cs.math.at(table, x[i])"},
    {"cs.binary(2)", "local t = { [0] = 1, [1] = 5 }\nreturn 2 * t[x[1]]", 4,
     "nil value", "cs.math.at(table, x[i])"},
    {REAL, "local t = {}\nt[2 * x[1]] = 1 return t[2 * x[1]]", 2,
     "returned nothing", PLAIN},
    /* functions that do not accept symbols */
    {REAL, "return string.format('%g', x[1])", 3, "'format'",
     "cannot be printed"},
    {REAL, "return tostring(x[1])", 2, "returned a string", "one number"},
    {REAL, "return x[1] .. ''", 3, "cannot be converted to text", "print"},
    {REAL, "return table.concat(x)", 3, "'concat'", "cannot be printed"},
    {REAL, "return math.floor(x[1])", 3, "'floor'", JUMPS},
    {REAL, "return math.ceil(x[1])", 3, "'ceil'", PLAIN},
    {REAL, "return math.fmod(x[1], 2)", 3, "'fmod'", JUMPS},
    {REAL, "return math.modf(x[1])", 3, "'modf'", JUMPS},
    {REAL, "return math.ult(x[1], 2)", 3, "'ult'", "cs.math.lt"},
    {REAL, "return x[1] % 2", 3, "% is discontinuous", JUMPS},
    {REAL, "return x[1] // 2", 3, "// is discontinuous", PLAIN},
    {REAL, "return x[1] & 1", 3, "& cannot", "where(a, b, 0)"},
    {REAL, "return x[1] | 1", 3, "| cannot", "where(a, 1, b)"},
    {REAL, "return x[1] ~ 1", 3, "~ cannot", "eq(a, b)"},
    {REAL, "return ~x[1]", 3, "~ cannot", "1 - a"},
    {REAL, "return x[1] << 1", 3, "<< cannot", "multiply"},
    {REAL, "return x[1] >> 1", 3, ">> cannot", "divide"},
    {REAL, "table.sort(x) return x[1]", 3, "'sort'", "cs.math.max"},
    {REAL, "for k, v in pairs(x) do end return 0", 3, "pairs does",
     "for i = 1"},
    {REAL, "return next(x)", 3, "'next'", "for i = 1, #x"},
    {REAL, "return rawlen(x)", 3, "'rawlen'", "#x"},
    {REAL, "for i = 1, x[1] do end return 0", 3, "'for' limit", "fixed number"},
    {REAL, "for i = x[1], 2 do end return 0", 3, "'for' initial",
     "fixed number"},
    {REAL, "for i = 1, 2, x[1] do end return 0", 3, "'for' step",
     "fixed number"},
    {REAL, "return x()", 3, "cannot be called", "x[1]"},
    {REAL, "return #x[1]", 3, "no length", "#x"},
    {REAL, "x[1] = 3 return x[1]", 3, "assigned", "list of your own"},
    {REAL, "return x[x[1]]", 3, "an index depends on", "row.NAME"},
    {REAL, "return cs.math.exp('a')", 3, "a string cannot", ""},
    /* return values */
    {REAL, "local a = 1", 2, "returned nothing", "one number"},
    {REAL, "return x", 2, "a vector of 2", "cs.math.sum"},
    {REAL, "return 'a'", 2, "returned a string", "one number"},
    {REAL, "return {}", 2, "returned a table", "one number"},
    {REAL, "return x[3]", 3, "no entry 3: this vector has 2", ""},
    {REAL, "return x[1] + x[3]", 3, "no entry 3", ""},
    {REAL, "error('mine')", 3, "mine", ""},
    /* values that are kept between calls, and values that change without being
     * set by the script */
    {REAL, "keep = keep or x[1]\nreturn keep", 2, "with numbers", "keep"},
    {REAL, "keep = keep or x\nreturn keep[1] * x[2]", 4, "outside the function",
     "do not store"},
    {REAL, "n = (n or 0) + 1 return n * x[1]", 2, "at the same state",
     "between calls"},
    {REAL, "return x[1] * math.random()", 2, "at the same state",
     "random numbers"},
    {REAL, "return x[1] * os.time()", 3, "the clock", "state only"},
    {REAL, "return x[1] * os.clock()", 3, "the clock", "state only"},
    /* a density that changes between calls and is 0 almost everywhere */
    {REAL,
     "local m = cs.math\nlocal inside = m.where(m.lt(0, x[1]), 0, "
     "-1/0) + m.where(m.lt(x[1] + x[2], 1), 0, -1/0)\n+ "
     "m.where(m.lt(0, x[2]), 0, -1/0)\nn = (n or 0) + 1\nreturn "
     "inside + n * x[1]",
     2, "at the same state", "between calls"},
    /* endless loops, each on one line, because the time limit may stop a loop
     * at any of its lines */
    {REAL, "local s = x[1]\nwhile true do s = s + 1 end", 4, "too ", "loop"},
    {REAL, "local s = 0\nrepeat s = cs.math.sin(s + x[1]) until false", 4,
     "too ", "loop"},
};

static void each_is_refused(void **state)
{
    (void)state;
    const cs_script_limits limits = {.seconds = 2, .trust = true},
                           strict = {.seconds = 2};
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const untraceable *c = &cases[i];
        char code[2048], text[1200] = "no error", place[32];
        cs_script *s = NULL;
        cs_error err = {0};
        /* untrusted code has no clock; trusted code, which has a clock, has no
         * time limit */
        bool clock = strstr(c->body, "os.") != NULL;
        snprintf(code, sizeof code,
                 "local cs = require 'chainscope'\nreturn cs.target { space = "
                 "%s, log_density = function(x)\n%s\nend }",
                 c->space, c->body);
        assert_int_equal(cs_script_open(&s, clock ? &limits : &strict, &err),
                         CS_OK);
        cs_status status = cs_script_load_text(s, code, "@a.lua", &err);
        if (!status)
            status = cs_script_call(s, 0, 0, 0, &err);
        cs_script_destroy(s);
        if (status)
            cs_error_format(&err, text, sizeof text);
        snprintf(place, sizeof place, "a.lua:%d: ", c->line);
        if (strncmp(text, place, strlen(place)) == 0 && strstr(text, c->what) &&
            strstr(text, c->hint))
            continue;
        print_error("%s\n    should be %d: %s: %s\n    is %s\n", c->body,
                    c->line, c->what, c->hint, text);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Code that is similar to the code in the table `cases`, but can be traced. */
static const char *const fine[] = {
    "return x[1] and -x[2]^2",
    "local y = x[1] or 3 return -y^2",
    "local a, b = table.unpack(x) return -(a - b)^2",
    "local s = 0 for _, v in ipairs(x) do s = s - v^2 end return s",
    "local c = coroutine.wrap(function() coroutine.yield(x[1]) end) "
    "return -c()^2",
    "local t = {} for i = 1, #x do t[#t + 1] = x[i] end "
    "return -cs.math.sum(t)^2",
    /* rounding by cancellation does not count as a mismatch */
    "local s = 0 for i = 1, 2000 do s = s + 1e6 * x[1] * i end "
    "for i = 2000, 1, -1 do s = s - 1e6 * x[1] * i end return s",
    /* a density with a small support */
    "local m = cs.math return m.where(m.lt(5, x[1]), m.where(m.lt(x[1], "
    "5.01), 0, -1/0), -1/0)",
};

static void what_is_fine_is_traced(void **state)
{
    (void)state;
    const cs_script_limits limits = {.seconds = 5};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        char code[1024];
        cs_script *s = NULL;
        cs_error err = {0};
        snprintf(code, sizeof code,
                 "local cs = require 'chainscope' local t = cs.target { space "
                 "= cs.real(2), log_density = function(x) %s end } "
                 "t:gradient { 1, 2 } assert(select(2, t:hessian { 1, 2 }) == "
                 "'exact')",
                 fine[i]);
        assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
        if (cs_script_load_text(s, code, "@a.lua", &err) ||
            cs_script_call(s, 0, 0, 0, &err))
            fail_msg("%s: %s", fine[i], err.what);
        cs_script_destroy(s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_is_refused),
    cmocka_unit_test(what_is_fine_is_traced),
};
TESTS_WITH(test_untraceable, gsl_errors_off, NULL)
