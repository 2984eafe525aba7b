/* Tests the errors for mistakes in a table or in a call of a script. The error
 * names the file, the line, the wrong word, and the most similar valid word. */
#include "support/support.h"

#include "script/script.h"

#include <stdio.h>
#include <string.h>

/* A file with one mistake, which is on line 2. Line 1 defines `cs`, `G` (a
 * target), `K` (a kernel), `open` (opens a run of `G` with `K`), and `S`
 * (completes the table of a scenario). */
typedef struct mistake {
    const char *code, *what, *hint;
} mistake;

static const char head[] =
    "local cs = require 'chainscope' local G, K = cs.target.gaussian {}, "
    "cs.kernel.random_walk {} local function open() return cs.open { target = "
    "G, arms = { a = K }, chains = 2 } end local function S(t) t.title = "
    "t.title or 'T' t.target = t.target or G t.arms = t.arms or { a = K } "
    "return t end local T, R = cs.target, { y = { 1, 0, 1 }, weight = { 1, 2, "
    "3 } } local function f(x, row) return -(x[1] - row.y)^2 end\n";

static const mistake mistakes[] = {
    /* names of the module and of its families */
    {"return cs.kernl", "no 'kernl'", "kernel"},
    {"return cs.kernel.random_wlk {}", "no 'random_wlk'", "random_walk"},
    {"return cs.target.gausian {}", "no 'gausian'", "gaussian"},
    {"return cs.schedule.cosin {}", "no 'cosin'", "cosine"},
    {"return cs.kernel.mala(3)", "expects a table", "cs.kernel.mala {"},
    {"return cs.kernel.mala({}, 3)", "no more arguments", ""},
    {"cs.kernel.mala = 1", "cannot be changed", ""},
    {"return cs.help 'malla'", "no help on 'malla'", "mala"},

    /* registered kernels, targets, schedules */
    {"return cs.kernel.random_walk { stepp = 1 }", "'stepp'", "'step'"},
    {"return cs.kernel.random_walk { step = -1 }", "step = -1", "from 1e-12"},
    {"return cs.kernel.random_walk { step = 0 / 0 }", "step is not", ""},
    {"return cs.kernel.random_walk { radius = 1.5 }", "whole", ""},
    {"return cs.kernel.random_walk { step = 'x' }", "'step'", "a number"},
    {"return cs.kernel.random_walk { step = {} }", "'step' is empty", ""},
    {"return cs.kernel.random_walk { step = G }", "'step' is a target", ""},
    {"return cs.kernel.random_walk { 3 }", "'1' has no name", "name = value"},
    {"return cs.kernel.gibbs { scan = 'randm' }", "randm", "random"},
    {"return cs.kernel.parallel_tempering {}", "needs a kernel to wrap",
     "kernel ="},
    {"return cs.kernel.parallel_tempering { kernel = K, rung = 3 }", "'rung'",
     "'rungs'"},
    {"return cs.kernel.simulated_tempering { kernel = K, "
     "swap_interval = function() return 3 end }",
     "'swap_interval'", "inner kernel"},
    {"return cs.kernel.parallel_tempering { kernel = K, "
     "temperatures = { 1, 4, 2 } }",
     "4 is followed by 2", "{ 1, 2, 4, 8 }"},
    {"return cs.kernel.simulated_tempering { kernel = K, "
     "temperatures = { 2, 4 } }",
     "must be 1, not 2", "the target itself"},
    {"return cs.kernel.simulated_tempering { kernel = K, temperatures = {} }",
     "'temperatures' is empty", ""},
    {"return cs.kernel.simulated_tempering { kernel = K, "
     "temperatures = { 1, 0 / 0 } }",
     "entry 2 of temperatures is not finite", ""},
    {"return cs.kernel.simulated_tempering { kernel = K, "
     "temperatures = { { 1, 2 } } }",
     "2 numbers in 2 columns", "a list"},
    {"return cs.kernel.parallel_tempering { kernel = K, temperatures = 8 }",
     "'temperatures' has the wrong type", "a list of numbers"},
    {"return cs.kernel.parallel_tempering { kernel = K, "
     "temperatures = cs.schedule.constant { value = 1 } }",
     "'temperatures' is a list of numbers, not a schedule", "{ 1, 2 }"},
    {"return cs.kernel.simulated_tempering { kernel = K, weights = { 1 } }",
     "no field 'weights'", "log_weights"},
    {"return cs.kernel.parallel_tempering { kernel = K, rungs = 3, "
     "temperatures = { 1, 2 } }",
     "rungs = 3 conflicts with temperatures, which gives 2", "leave out rungs"},
    {"return cs.kernel.parallel_tempering { kernel = K, hottest = 3, "
     "temperatures = { 1, 2 } }",
     "hottest = 3", "leave out hottest"},
    {"return cs.kernel.simulated_tempering { kernel = K, rungs = 3, "
     "log_weights = { 1, 2 } }",
     "log_weights has 2 numbers, but the ladder has 3", "one log weight"},
    {"return cs.kernel.parallel_tempering { kernel = K, log_weights = { 1 } }",
     "'log_weights'", ""},
    {"return cs.kernel.parallel_tempering { kernel = K, "
     "temperatures = { 1, 1e13 } }",
     "is 1e+13", "at most 1e+12"},
    {"return cs.kernel.parallel_tempering { kernel = "
     "cs.kernel.simulated_tempering { kernel = K } }",
     "is itself a wrapper", "single chains"},
    {"local r = cs.open { target = G, arms = { a = "
     "cs.kernel.parallel_tempering { kernel = K, temperatures = { 1, 2 } } } } "
     "r:arm('a'):set('temperatures', 3)",
     "when the kernel is created", "another kernel"},
    {"return cs.target.gaussian { xyzzyxyzzy = 3 }", "'xyzzyxyzzy'",
     "use one of: dim, mean"},
    {"return cs.network { units = { 4, 2.5 } }", "units 2.5", "whole numbers"},
    {"return cs.network { units = { 4, 1e9 } }", "units 1000000000", "65536"},
    {"return cs.network { units = { 4, 2 } }:text(-3)", "digits = -3",
     "1 to 9"},
    {"return cs.network { units = { 4, 2 } }:text('x')", "digits is a string",
     "1 to 9"},
    {"return cs.kernel.simulated_tempering { kernel = K, weights = { 1 } }",
     "'weights'", "'log_weights'"},
    {"local p = cs.kernel.parallel_tempering { kernel = K } "
     "return cs.kernel.simulated_tempering { kernel = p }",
     "cannot wrap", ""},
    {"local p = cs.kernel.parallel_tempering { kernel = K, rungs = 4 } "
     "return cs.open { target = G, arms = { { kernel = p, chains = 6 } } }",
     "moves 4 chains together", "multiple of 4"},
    {"return cs.kernel.mala { step = cs.schedule.linear { from = 1, to = -1 } "
     "}",
     "step = 0 is out", "from"},
    {"return cs.kernel.mala { sep = cs.schedule.constant { value = 1 } }",
     "'sep'", "'step'"},
    {"return cs.kernel.mala { step = function() return {} end }",
     "is a table, not", ""},
    {"return K.stp", "no 'stp'", "'step'"},
    {"return cs.target.gaussian { dims = 3 }", "'dims'", "'dim'"},
    {"return cs.target.gaussian { dim = 0 }", "dim = 0", "from 1"},
    {"return cs.target.gaussian { dim = 2.5 }", "whole", ""},
    {"return cs.target.gaussian { dim = true }", "'dim'", "whole number"},
    {"return cs.target.gaussian { dim = print }", "'dim' is a function", ""},
    {"return cs.target.gaussian { mean = { 1, 'x' } }", "'mean'", "numbers"},
    {"return cs.target.gaussian { mean = { 1, nil, 2 } }", "'mean'", "list"},
    {"return cs.target.gaussian { mean = { x = 1 } }", "'mean'", "list"},
    {"return cs.target.gaussian { covariance = { { 1, 0 }, { 0 } } }",
     "rows of equal length", ""},
    {"return cs.target.gaussian { dim = 2, mean = { 1 } }", "mean", ""},
    {"return cs.target.lattice_modes { modes = 24 }", "24", "square"},
    {"return cs.target.eight_schools { form = 'center' }", "center", "centred"},
    {"return cs.target.logistic_regression { file = 'none.csv' }", "none.csv",
     ""},
    {"return cs.target.logistic_regression { file = '../../etc/passwd' }",
     "leaves the scenario's folder", "inside"},
    {"return cs.target.max_cut { file = '/etc/passwd' }",
     "leaves the scenario's folder", "inside"},
    {"return cs.target.ising { file = '../../etc/passwd' }",
     "leaves the scenario's folder", "inside"},
    {"return cs.network { file = '/etc/passwd' }",
     "leaves the scenario's folder", "inside"},
    {"return G.dmi", "no 'dmi'", "'dim'"},
    {"return cs.schedule.cosine { max = 1 }", "needs the field 'min'", "min"},
    {"return cs.schedule.cosine { max = 1, min = 0, periode = 3 }", "'periode'",
     "'period'"},
    {"return cs.kernel.mala { step = { 1, 'a' } }", "entry 2", "give a number"},
    {"return cs.kernel.mala { step = { 1, -1 } }", "out of range", "step 2"},
    {"return cs.schedule.cosine { max = 1, min = 0, period = 0 }", "period = 0",
     "from 1"},
    {"return cs.schedule(3)", "not a number", "function(step)"},

    /* spaces and user-defined targets */
    {"return cs.real(0)", "a size = 0", "from 1"},
    {"return cs.real('x')", "a size is a string", "whole number"},
    {"return cs.real(2, 3, 4)", "at most 2 sizes", ""},
    {"return cs.target { space = cs.real(2, 3), log_density = print }",
     "a space takes one size", "params"},
    {"return cs.categorical(2, 1)", "number of values = 1", "from 2"},
    {"return cs.ordinal(2, 5, 5)", "highest value = 5", "from 6"},
    {"return cs.target {}", "needs the field", "log_density"},
    {"return cs.target(3)", "expects a table", ""},
    {"return cs.target { space = cs.real(2), log_densty = print }",
     "'log_densty'", "'log_density'"},
    {"return cs.target { space = cs.real(2), log_density = 3 }",
     "'log_density' is a number", "a function"},
    {"return cs.target { space = { kind = 'reel', dim = 2 }, log_density = "
     "print }",
     "'reel'", "'real'"},
    {"return cs.target { space = { kind = 'real' }, log_density = print }",
     "needs the field 'dim'", ""},
    {"return cs.target { space = cs.real(2), log_density = print, view = { 0, "
     "1 } }",
     "view", "x0, x1"},
    {"return cs.target { space = cs.real(6), log_density = print, picture = { "
     "rows = 3, colls = 2 } }",
     "'colls'", "'cols'"},
    {"return cs.target { space = cs.real(6), log_density = function(x) return "
     "-x[1]^2 end, picture = { rows = 3, cols = 3 } }",
     "3 x 3 pixels", "'rows' and 'cols'"},
    {"return cs.target { space = cs.real(6), log_density = function(x) return "
     "-x[1]^2 end, picture = { rows = 3, cols = 2, low = 1 } }",
     "'high' must be above 'low'", "low = 0"},

    /* user-defined kernels */
    {"return cs.kernel { propos = print }", "'propos'", "'propose'"},
    {"return cs.kernel {}", "needs the field 'propose'", "function(x"},
    {"return cs.kernel { propose = print, params = { a = 'x' } }",
     "'a' is a string", "number"},
    {"return cs.kernel { propose = print, params = { 1 } }", "has no name", ""},

    /* scenarios */
    {"return cs.scenario { titel = 'x' }", "'titel'", "'title'"},
    {"return cs.scenario(3)", "expects a table", ""},
    {"return cs.scenario { target = G, arms = { K } }",
     "needs the field 'title'", "title ="},
    {"return cs.scenario { title = 'T', target = G, arms = {} }",
     "a run needs an arm", "leave out `arms`"},
    {"S { title = 3 }", "'title' is a number", "string"},
    {"S { target = K }", "'target' is a kernel", "target"},
    {"S { 3 }", "entry 1 has no name", "name = value"},
    {"S { chains = 0 }", "chains = 0", "whole number from 1"},
    {"S { chains = 1.5 }", "chains = 1.5", "whole"},
    {"S { chains = '4' }", "'chains' is a string", "number"},
    {"S { seed = -1 }", "seed = -1", "from 0 to 2^53"},
    {"S { workers = 1e9 }", "workers", "to 1024"},
    {"S { keep = 0 }", "keep = 0", "from 2"},
    {"S { rewind_bytes = -1 }", "rewind_bytes", "from 0"},
    {"S { block_lanes = 0.5 }", "block_lanes", "whole"},
    {"S { lesson = {} }", "'lesson' is not supported", "setup"},
    {"S { arms = { a = { kernel = K, tuner = 3 } } }", "'tuner' is a number",
     "give a tuner"},
    {"return cs.tuner.acceptence {}", "no 'acceptence'", "acceptance"},
    {"return cs.tuner.acceptance { accepance = 0.3 }", "'accepance'",
     "acceptance"},
    {"return cs.tuner.acceptance { acceptance = 2 }", "acceptance = 2", "0.99"},
    {"return cs.tuner {}", "tuners written in Lua", "cs.tuner.NAME"},
    {"cs.open(S { arms = { a = { kernel = K, tuner = cs.tuner.acceptance { "
     "parameter = 'stp' } } } })",
     "'stp'", "step"},
    {"S { tune = {} }", "'tune'", "tuner ="},
    {"S { setup = {} }", "'setup' is a table", "function"},

    /* arms */
    {"S { arms = {} }", "needs an arm", "arms ="},
    {"S { arms = { a = 3 } }", "arm a is a number", "kernel ="},
    {"S { arms = { a = { kernl = K } } }", "'kernl'", "'kernel'"},
    {"S { arms = { a = { kernel = G } } }", "'kernel' is a target", ""},
    {"S { arms = { a = { kernel = K, chains = 0 } } }", "chains = 0", ""},
    {"S { arms = { a = K, { kernel = K, name = 'a' } } }",
     "two arms have the name 'a'", ""},
    {"S { arms = { ['a b'] = K } }", "not a valid name for an arm", "letters"},
    {"S { arms = { [2] = K } }", "entry 2 has no name", ""},
    {"return open { } and cs.open { target = cs.target.bernoulli4 {}, arms = { "
     "cs.kernel.mala {} } }",
     "mala", "dmala"},

    /* sums over the rows of a table: T is cs.target, and R has three rows of
     * data */
    {"T { space = cs.real(1), data = R }", "needs the field 'term'", "row"},
    {"T { space = cs.real(1), term = f }", "needs the field 'data'", "data ="},
    {"T { space = cs.real(1), data = { y = { 1, 2 }, x = { 3 } }, term = f }",
     "'y' has 2 rows, but column 'x' has 1", "every column"},
    {"T { space = cs.real(1), data = { y = { 1, 'a' } }, term = f }",
     "row 2 of column 'y' is a string", "in every row"},
    {"T { space = cs.real(1), data = { y = { 1, 0 / 0 } }, term = f }",
     "row 2 of column 'y' is not a number", "in every row"},
    {"T { space = cs.real(1), data = { y = { { 1 }, { 1, 2 } } }, term = f }",
     "row 2 of column 'y' has 2 entries, but row 1 has 1", "equal length"},
    {"T { space = cs.real(1), data = { y = {} }, term = f }", "'y' is empty",
     "each row"},
    {"T { space = cs.real(1), data = {}, term = f }", "no columns", "y ="},
    {"T { space = cs.real(1), data = { { 1 } }, term = f }", "has no name",
     "y ="},
    {"T { space = cs.real(1), data = { y = 3 }, term = f }",
     "column 'y' is a number", "a list"},
    {"T { space = cs.real(1), data = { y = 'age' }, term = f }",
     "'age' needs a file", "file ="},
    {"T { space = cs.real(1), data = { file = 'challenger.csv', y = "
     "'temperatur' }, "
     "term = f }",
     "no 'temperatur'", "'temperature'"},
    {"T { space = cs.real(1), data = 'no.csv', term = f }", "no.csv", ""},
    {"T { space = cs.real(1), data = R, term = function(x, row) return x[1] * "
     "row.weigth end }",
     "no 'weigth'", "'weight'"},
    {"T { space = cs.real(1), data = R, term = function(x, row) if row.y > 0 "
     "then return x[1] end return 0 end }",
     "cannot be compared", "cs.math.where"},
    {"T { space = cs.real(1), data = R, term = function(x, row) row.y = 1 end "
     "}",
     "cannot be assigned", "local"},
    {"T { space = cs.real(2), data = R, term = function(x, row) return x * "
     "row.y end }",
     "term returned a vector of 2", "sum it"},
    {"T { space = cs.real(1), data = R, term = function(x, row) end }",
     "term returned nothing", ""},
    {"T { space = cs.real(1), data = R, term = function(x, row) return 3 end }",
     "is a constant", "row."},
    {"local n = 0 T { space = cs.real(1), data = R, term = function(x, row) n "
     "= n + 1 return n * x[1] * row.y end }",
     "in a plain call", "only from the arguments"},
    {"T { space = cs.real(1), data = R, term = f, traced = false }",
     "no field 'traced'", ""},

    /* budget, screen, probes, start */
    {"S { budget = {} }", "budget is empty", "steps"},
    {"S { budget = { step = 5 } }", "'step'", "'steps'"},
    {"S { budget = { steps = 0 } }", "steps = 0", "from 1"},
    {"S { budget = { seconds = 0 } }", "seconds = 0", ""},
    {"S { budget = { gradients = 'x' } }", "'gradients'", "number"},
    {"S { screen = { 'trase' } }", "'trase'", "'trace'"},
    {"S { screen = { map = true } }", "screen must be a list", ""},
    {"S { screen = { 3 } }", "no panel '3'", "trace"},
    {"S { probes = { 'enregy' } }", "'enregy'", "'energy'"},
    {"S { probes = { 'energy', only = 3 } }", "'only' is a number",
     "only = true"},
    {"S { probes = { 'energy', others = true } }", "'others' was replaced",
     "only = true"},
    {"return cs.open { target = cs.target.bernoulli4 {}, arms = { "
     "cs.kernel.gibbs {} }, probes = { mmd = { file = 'none.csv' } } }",
     "none.csv", ""},
    {"return cs.open { target = G, arms = { K }, probes = { 'mmd' } }",
     "Hamming distance", "omit"},
    {"S { probes = { plane = 3 } }", "plane expects a table", "every"},
    {"return cs.open { target = G, arms = { K }, probes = { plane = { z = 1 } "
     "} }",
     "'z'", "'x'"},
    {"S { probes = { plane = { every = 0 } } }", "every = 0", "from 1"},
    {"S { start = { 1 } }", "2 coordinates", ""},
    {"S { start = { { 1, 2 }, { 1 } } }", "2 coordinates", ""},
    {"S { start = { 1, 'x' } }", "only numbers", ""},

/* claims */
#define CLAIM(fields)                                                          \
    "S { budget = { steps = 9 }, claims = { { " fields " } } }"
    {CLAIM("arm = 'a', stat = 'acceptance', at_lest = 1"), "'at_lest'",
     "'at_least'"},
    {CLAIM("arm = 'b', stat = 'acceptance', at_least = 1"), "'b'", "'a'"},
    {CLAIM("arm = 'a', stat = 'aceptance', at_least = 1"), "'aceptance'",
     "'acceptance'"},
    {CLAIM("stat = 'acceptance', at_least = 1"), "'arm'", ""},
    {CLAIM("arm = 'a', stat = 'acceptance'"), "no value to compare with",
     "at_least"},
    {CLAIM("arm = 'a', stat = 'acceptance', near = 1"), "within", ""},
    {CLAIM("arm = 'a', stat = 'acceptance', near = 1, within = -1"),
     "within = -1", ""},
    {CLAIM("arm = 'a', stat = 'acceptance', of = 1, at_least = 1"), "of", ""},
    {CLAIM("arm = 'a', stat = 'mean', at_least = 1"), "coordinate", "of = 1"},
    {CLAIM("arm = 'a', stat = 'relative_time', of = 'b', at_least = 1"), "'b'",
     "an arm"},
    {CLAIM("arm = 'a', stat = 'mean', of = 0, at_least = 1"), "of = 0", ""},
    {CLAIM("arm = 'a', stat = 'mean', of = 'y', at_least = 1"), "'y'", "x.1"},
    {CLAIM("arm = 'a', stat = 'mean', of = 3, at_least = 1"), "of = 3",
     "1 to 2"},
    {"S { target = cs.target.gaussian { dim = 70 }, budget = { steps = 9 }, "
     "probes = { moments = { coordinates = 3 } }, "
     "claims = { { arm = 'a', stat = 'mean', of = 4, at_least = 1 } } }",
     "records only the first 3", "moments = { coordinates = 4 }"},
    {CLAIM("arm = 'a', stat = 'mode_share', of = 'x', at_least = 1"), "'x'",
     ""},
    {CLAIM("arm = 'a', stat = 'acceptance', at_least = 1, holds = 0"),
     "'holds' is a number", "boolean"},
    {CLAIM("arm = 'a', stat = 'acceptance', exact = 1, only = 'ful'"),
     "only = 'ful'", "'full'"},
    {CLAIM("arm = 'a', stat = 'acceptance', exact = 'x'"),
     "'exact' is a string", "number"},
    {"S { full = { chians = 3 } }", "'chians'", "'chains'"},
    {"S { full = { budget = { stps = 3 } } }", "'stps'", "'steps'"},
    {"S { full = {} }", "changes nothing", "steps"},
    {"S { full = { seeds = 0 } }", "seeds = 0", "from 1"},
    {CLAIM("arm = 'a', stat = 'acceptance', at_least = 1, paper = 3"),
     "'paper' is a number", "string"},
    {"S { claims = { { arm = 'a', stat = 'acceptance', at_least = 1 } } "
     "}",
     "need a budget", "budget ="},
    {"S { budget = { steps = 1 }, claims = { a = 1 } }",
     "claims must be a list", ""},

    /* runs */
    {"return cs.open { target = G, arms = { K }, sede = 1 }", "'sede'",
     "'seed'"},
    {"return cs.open({ target = G, arms = { K } }, 1)", "one table", ""},
    {"return open():stp()", "no 'stp'", "'step'"},
    {"return open().stps", "no 'stps'", "'steps'"},
    {"open():step(-1)", "steps = -1", "from 0"},
    {"open():step(1.5)", "steps = 1.5", "whole"},
    {"open():step('x')", "is a string", "whole"},
    {"open():arm('b')", "no arm 'b'", "'a'"},
    {"open():arm(2)", "no arm 2", ""},
    {"open():arm(1):chain(3)", "no chain 3", ""},
    {"return open():arm(1).stepz", "no 'stepz'", "'steps'"},
    {"return open():arm(1):chain(1):inof()", "no 'inof'", "'info'"},
    {"open():arm(1):set('stp', 1)", "'stp'", "'step'"},
    {"open():arm(1):set('step', -1)", "step = -1", ""},
    {"open():arm(1):set('step', 'x')", "'x' is not a number", "for step"},
    {"open():arm(1):use(G)", "target", "cs.kernel"},
    {"open():arm(1):chain(1):set_state({ 1 })", "2 coordinates", ""},
    {"open():arm(1):chain(1):set_state(1)", "not a number", "list"},
    {"open():rewind(-1)", "back = -1", "from 0"},
    {"open():rewind_to(5)", "5", ""},
    {"open():every(0, print)", "steps = 0", "from 1"},
    {"open():every(10)", "not a nil", "run:every"},
    {"local r = open() r:step(5) r:at(5, print)", "step 5 has already passed",
     ""},
    {"open():replay(3)", "not a number", ""},
    {"open():arm(1):figure 'aceptance'", "'aceptance'", "'acceptance'"},
};

static void test_every_mistake(void **state)
{
    (void)state;
    const cs_script_limits limits = {.seconds = 20};
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *m = &mistakes[i];
        char code[2048], text[1200] = "no error";
        cs_script *s = NULL;
        cs_error err = {0};
        bool scenario = strncmp(m->code, "S {", 3) == 0;
        snprintf(code, sizeof code, "%s%s%s%s", head,
                 scenario ? "return cs.scenario(" : "", m->code,
                 scenario ? ")" : "");
        assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
        cs_status status = cs_script_load_text(s, code, "@a.lua", &err);
        if (!status)
            status = cs_script_call(s, 0, 0, 0, &err);
        cs_script_destroy(s);
        if (status)
            cs_error_format(&err, text, sizeof text);
        const char *at = strncmp(text, "a.lua:2: ", 9) == 0 ? text + 9 : NULL;
        if (at && strstr(at, m->what) && strstr(at, m->hint))
            continue;
        print_error("%s\n    %s\n", m->code, text);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_mistake),
};
TESTS_WITH(test_mistakes, gsl_errors_off, NULL)
