/* Tests that a saved run has the variables of a script's functions as text.
 * Damaged text is refused with a clear message that names the damaged line, and
 * then no variable changes. */
#include "support/support.h"

#include "run/arms/arms.h"
#include "run/history/remembered.h"
#include "run/history/script_memory.h"
#include "run/run.h"
#include "script/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char script[] =
    "local cs = require 'chainscope'\n"
    "local Sum = {}\n"
    "local s, n, arm = setmetatable({ x = 'a\"b' }, Sum), 0, nil\n"
    "local function later() n = n + 1 end\n"
    "return cs.scenario { title = 'T', seed = 1, warmup = 0, chains = 2,\n"
    "  target = cs.target.gaussian { dim = 1 }, budget = { steps = 99 },\n"
    "  arms = { a = cs.kernel.random_walk {} },\n"
    "  claims = { { arm = 'a', stat = 'acceptance', at_least = 0, each = 3 } "
    "},\n"
    "  setup = function(run)\n"
    "    run:every(2, function(r)\n"
    "      n = n + 1; arm = r:arm 'a'; s[2], s[3], s[1] = n, 2, 0.5\n"
    "      if n == 1 then r:at(9, later) end\n"
    "    end)\n"
    "    run:stop_when(function() return n > 40 end, 4)\n"
    "  end }\n";

/* The line to replace ("" for the whole text), the new line, and words that the
 * error must contain. */
static const struct damage {
    const char *from, *to, *said;
} damages[] = {
    {"", "\n", "line 1, '': unknown kind of line"},
    {"event", "", "at its end: an event is missing"},
    {"", "x\n", "line 1, 'x': unknown kind of line"},
    {"", "event\n", "line 1, 'event': not the next event"},
    {"", "f1\n", "line 1, 'f1': not a variable of a function"},
    {"", "f1.n = 2\n", "line 1, 'f1.n = 2': not a variable of a function"},
    {"", "t1[2] =\n", "line 1, 't1[2] =': not a part of a table"},
    {"", "f99 = s.lua:3 0123456789abcdef\n",
     "the function at s.lua:3 is missing"},
    {"event 1 every 2 = f1", "event 1 every 0 = f1",
     "the script has a different event here: run:every(2)"},
    {"event 2 look 4 = f2 : 0", "event 2 look 4 = f2 : {}",
     "the state of such a rule"},
    {"event 2 look 4 = f2 : 0", "event 2 look 4 = f2", "no text after ':'"},
    {"event 3 at 9 = f3", "event 3 at 0 = f3", "no script can make such"},
    {"event 3 at 9 = f3", "event 3 at 9 = f3\nevent 3 at 9 = f3",
     "not the next"},
    {"event 3 at 9 = f3", "event 3 look 9 = f3 : 0", "no script can make such"},
    {"event 3 at 9 = f3", "event 3 at 9 = t1", "no script can make such"},
    {"claim 1", "claim 1 : {1={0={1=1}}}", "not the state of such a rule"},
    {"claim 1", "claim 1 : {1={0={\"whole\"=1,\"whole\"=1}}}",
     "a key that is repeated"},
    {"claim 1", "claim 1 : {1={2={3={4={5={6={7={8={}}}}}}}}}",
     "too many nested tables"},
    {"claim 1", "claim 1 : {1={2", "a key without a value"},
    {"claim 1", "claim 1 : {1=2", "a table has no end"},
    {"claim 1", "claim 1 : {nan=2}", "repeated or invalid"},
    {"f1.n = ", "f1.n = 3x", "not a value"},
    {"f1.n = ", "f1.n = 99999999999999999999", "not a value"},
    {"f1.n = ", "f1.n = o77", "no function of the script captures o77"},
    {"f1.n = ", "f1.n = 1\nf1.n = 2", "a repeated variable"},
    {"f1.n = ", "f1.m = 1", "the function has no variable of that name"},
    {"f1.arm = ", "f1.arm = arm 2", "the run has no arm 2"},
    {"f1.arm = ", "f1.arm = chain 1 3", "the run has no chain 1 3"},
    {"f3 = ", "", "f3 is missing"},
    {"t1 class = t2", "t1 class = 3", "not a class"},
    {"t1 class = t2", "t1 class = t2\nt2.__gc = f3",
     "not a class that a script"},
    {"t1 class = t2", "t1 class = t2\nt1 class = t2", "a repeated class"},
    {"t1[1] = ", "t1[1] = 1 2 x", "not a row of numbers"},
    {"t1[1] = ", "t1[9223372036854775807] = 1 2", "not a row of numbers"},
    {"t1[1] = ", "t1[1] = 1 2\nt1[2] = 2", "a repeated key"},
    {"t1[1] = ", "t1[nan] = 2", "not a key"},
    {"t1[1] = ", "t1[t9] = 2", "not a key"},
    {"t1[1] = ", "t1[] = 2", "not a part of a table"},
    {"t1[1] = ", "t1[\"a\" = 2", "a key without a value"},
    {"t1.x = ", "t1.x = \"a", "a string has no end"},
    {"t1.x = ", "t1.x = \"a\\999\"", "a string with an unknown escape"},
    {"t1.x = ", "t1.x = \"a\" 1", "text after the end of a string"},
    {"t1.x = ", "t1.x = \"a:5: b", "'t1.x = \"a:5:b': a string has no end"},
};

static void hear(void *to, const char *text, size_t n)
{
    (void)to, (void)text, (void)n;
}

/* Returns a copy of the text. The line that begins with `from` is replaced by
 * `to`. [own: free] */
static char *damaged(const char *text, const char *from, const char *to)
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    bool found = !*from;
    if (found)
        fputs(to, file);
    for (const char *at = text; *from && *at; at += strcspn(at, "\n") + 1) {
        bool here = strncmp(at, from, strlen(from)) == 0;
        if (!here)
            fprintf(file, "%.*s\n", (int)strcspn(at, "\n"), at);
        else if (*to)
            fprintf(file, "%s\n", to);
        found |= here;
    }
    fclose(file);
    if (!found)
        fail_msg("no line begins with '%s':\n%s", from, text);
    return out;
}

/* Returns the saved variables of the functions after this step. [own: free] */
static char *keep_at(cs_host *host, cs_run *run, uint64_t step)
{
    cs_error err = {0};
    while (cs_run_steps(run) < step) {
        host->events(host->self, run, hear, NULL, &err);
        assert_int_equal(cs_run_advance(run, 1, NULL, &err), CS_OK);
    }
    host->events(host->self, run, hear, NULL, &err);
    return strdup(cs_run_remembered(run));
}

static cs_run *open_run(cs_host *host, const char *path)
{
    static cs_opened opened;
    cs_error err = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(script, file);
    fclose(file);
    assert_int_equal(cs_script_host_create(host, NULL, NULL, &err), CS_OK);
    if (host->open(host->self, path, NULL, 0, &opened, &err) != CS_OK)
        fail_msg("%s", err.what);
    host->attach(host->self, opened.run);
    return opened.run;
}

static void test_damaged_text_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope-recall-XXXXXX";
    cs_host host;
    close(mkstemp(path));
    cs_run *run = open_run(&host, path);
    char *at_4 = keep_at(&host, run, 4), *at_6 = NULL;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const struct damage *d = &damages[i];
        cs_error err = {0};
        char *text = damaged(at_4, d->from, d->to);
        if (cs_remembered_load(run, text, &err) == CS_OK)
            fail_msg("taken: '%s' for '%s'", d->to, d->from);
        if (!strstr(err.what, d->said) ||
            (!strstr(err.what, "the saved run is damaged") &&
             !strstr(err.what, "not the run that was saved")))
            fail_msg("'%s' for '%s': %s", d->to, d->from, err.what);
        free(text);
        assert_string_equal(cs_run_remembered(run), at_4);
    }
    at_6 = keep_at(&host, run, 6); /* the failed attempts changed nothing */
    assert_non_null(strstr(at_6, "f1.n = 3\n"));
    assert_non_null(strstr(at_6, "t1[1] = 0x1p-1 3 2\n"));
    free(at_4);
    free(at_6);
    host.attach(host.self, NULL);
    cs_run_destroy(run);
    cs_script_host_destroy(&host);
    unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_damaged_text_is_refused_and_changes_nothing),
};
TESTS(test_recall)
