/* Fuzzes the reader of the values that the functions of a script have stored in
 * a saved run. Rejected text changes nothing and gives one of the program's own
 * messages. If accepted text is loaded and written again, the new text equals
 * the old text, and the run can be advanced. */
#include "base/memory.h"
#include "fuzz.h"
#include "run/history/remembered.h"
#include "run/history/script_memory.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/stopped.h"
#include "script/host.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

/* A script with events, a stop rule and a panel. The panel's key p writes the
 * stored values. */
static const char script[] =
    "local cs = require 'chainscope'\n"
    "total = 0\n"
    "local Stats = {}\n"
    "Stats.__index = Stats\n"
    "function Stats:add(x) self.n = self.n + 1; self.last[self.n] = x end\n"
    "local s = setmetatable({ n = 0, last = {}, name = 'a\\n\"b' }, Stats)\n"
    "local phase, arm, shared\n"
    "local function warm() phase = nil; shared = 1 end\n"
    "local function later(r) s:add(r.steps); shared = 2 end\n"
    "return cs.scenario { title = 't', seed = 1, warmup = 0, chains = 2,\n"
    "  target = cs.target.gaussian { dim = 1 },\n"
    "  arms = { a = cs.kernel.random_walk { step = 1 } },\n"
    "  budget = { steps = 1000 },\n"
    "  claims = { { arm = 'a', stat = 'acceptance', at_least = 0, each = 7 } "
    "},\n"
    "  panels = { cs.panel { name = 'own', draw = function() return s.n end,\n"
    "    key = { p = function() end } } },\n"
    "  setup = function(run)\n"
    "    run:every(2, function(r)\n"
    "      total = total + 0.5; arm = arm or r:arm 'a'\n"
    "      if phase then phase() else phase = warm end\n"
    "      s[-1] = { true, [0.5] = arm:chain(2), nan = 0 / 0 }\n"
    "      if total == 2 then r:at(r.steps + 3, later) end\n"
    "    end)\n"
    "    run:stop_when(function() return s.n > 9 and 'enough' end, 4)\n"
    "  end }\n";

static cs_host host;
static cs_run *run;
static char *good; /* the stored values of the run */

static void must(cs_status s, const cs_error *err)
{
    if (s != CS_OK)
        fuzz_broken(err->what);
}

static void hear(void *to, const char *text, size_t n)
{
    (void)to;
    (void)text;
    (void)n;
}

/* Returns the values that the script's functions store now. */
static const char *kept(void)
{
    cs_error err = {0};
    must(host.key(host.self, "own", "p", &err), &err);
    return cs_run_remembered(run);
}

static void prepare(void)
{
    static const cs_script_limits limits = {.memory = 64 << 20, .seconds = 5};
    static cs_opened opened;
    cs_error err = {0};
    gsl_set_error_handler_off();
    must(cs_script_host_create(&host, &limits, ".", &err), &err);
    const char *path = fuzz_file(script, sizeof script - 1);
    must(host.open(host.self, path, NULL, 0, &opened, &err), &err);
    run = opened.run;
    host.attach(host.self, run);
    for (int i = 0; i < 8; i++) {
        host.events(host.self, run, hear, NULL, &err);
        must(cs_run_advance(run, 1, NULL, &err), &err);
    }
    good = strdup(kept());
    if (getenv("FUZZ_MEMORY")) /* to create a corpus file */
        fuzz_broken(good);
}

/* Writes and loads the loaded values again, and checks that they do not
 * change. */
static void write_again(void)
{
    cs_error err = {0};
    char *first = strdup(kept());
    if (cs_remembered_load(run, first, &err) != CS_OK)
        fuzz_broken(err.what);
    if (strcmp(kept(), first) != 0)
        fuzz_broken("the values change when written and read again");
    free(first);
}

static void move_on(void)
{
    char why[256];
    cs_error err = {0};
    for (int i = 0; i < 3; i++) {
        host.events(host.self, run, hear, NULL, &err);
        cs_run_advance(run, 1, NULL, &err);
    }
    cs_run_fault(run, why, sizeof why);
}

static void one_input(const uint8_t *data, size_t size)
{
    cs_error err = {0};
    unsigned char *saved;
    size_t n;
    must(cs_run_save(run, &saved, &n, &err), &err);
    if (cs_remembered_load(run, fuzz_text(data, size), &err) == CS_OK) {
        write_again();
        move_on();
        must(cs_run_load(run, saved, n, &err), &err);
    } else if (!strstr(err.what, "the saved run is damaged") &&
               !strstr(err.what, "this is not the run that was saved")) {
        fuzz_broken(err.what);
    }
    cs_free(saved);
    if (strcmp(kept(), good) != 0)
        fuzz_broken("rejected input changed the stored values");
}

const fuzz_reader reader_memory = {.prepare = prepare, .read = one_input};
