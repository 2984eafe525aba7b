/* Tests that `chainscope run` updates only the probes that are read. For each
 * figure, a scenario is run whose only claim uses this figure. The figure and
 * each draw must be equal to those of a run that updates all probes. */
#include "run/run.h"
#include "support/support.h"

#include "script/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 4096 };

static const char *const settings[] = {
    "target = cs.target.gaussian { dim = 3 }, arms = { a = "
    "cs.kernel.random_walk {}, b = cs.kernel.mala {} }",
    "target = cs.target.nine_modes {}, arms = { a = cs.kernel.random_walk {}, "
    "b = cs.kernel.hmc {} }",
    "target = cs.target.ising { rows = 3, cols = 3 }, arms = { a = "
    "cs.kernel.gibbs {}, b = cs.kernel.dmala {} }",
};

/* Writes a scenario with this setting to the file `path`. Arm a of the scenario
 * has the claim `claim`. */
static void put_file(const char *path, const char *setting, const char *claim)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "local cs = require 'chainscope'\n"
            "return cs.scenario { title = 'T', %s,\n"
            "  chains = 4, seed = 5, budget = { steps = 300 },\n"
            "  claims = { %s } }\n",
            setting, claim);
    fclose(file);
}

static void keep(void *to, const char *text, size_t n)
{
    size_t used = strlen(to);
    if (used + n < TEXT)
        strncat(to, text, n);
}

/* Runs the scenario to the end of its budget, and copies the output of the Lua
 * code to out. If `read`, updates only the probes that are read; otherwise
 * updates all probes. Returns false if the file is invalid. */
static bool say(const char *path, bool read, const char *code, char *out)
{
    const char *set[] = {"read=1"};
    cs_host host;
    cs_opened opened;
    cs_error err = {0};
    uint64_t done;
    *out = 0;
    assert_int_equal(cs_script_host_create(&host, NULL, NULL, &err), CS_OK);
    bool good = host.open(host.self, path, set, read, &opened, &err) == CS_OK;
    if (good) {
        host.attach(host.self, opened.run);
        assert_int_equal(cs_run_advance(opened.run, 300, &done, &err), CS_OK);
        if (host.eval(host.self, code, keep, out, &err))
            fail_msg("%s", err.what);
        host.attach(host.self, NULL);
        cs_run_destroy(opened.run);
    }
    cs_script_host_destroy(&host);
    return good;
}

/* Runs the Lua code twice: with only the probes that are read, and with all
 * probes. Both outputs must be equal; one is copied to out. Returns false if
 * the file is invalid. */
static bool says_the_same(const char *path, const char *code, char *out)
{
    char all[TEXT];
    if (!say(path, false, code, all))
        return false;
    assert_true(say(path, true, code, out));
    assert_string_equal(out, all);
    return true;
}

/* Copies the names of all figures to out, one per line. */
static void list_figures(const char *path, char *out)
{
    put_file(path, settings[0], "");
    assert_true(say(path, false,
                    "for name in cs.help('figures'):gmatch '\\n  ([%w_]+)' do "
                    "print(name) end",
                    out));
}

/* Tries claims about several quantities of the figure, until one of the claims
 * is valid. */
static bool ask(const char *path, const char *setting, const char *name,
                char *out)
{
    static const char *const of[] = {"nil", "1", "'b'", "'100 steps'",
                                     "'x[1] > 0'"};
    static const char code[] =
        "for _, x in ipairs(run:judge()) do local v = x.value\n"
        "  print(v ~= v and 'none' or x.claim.stat:find 'second' and 'a time' "
        "or "
        "x.claim.stat:find '_time' and 'a time' or ('%.17g'):format(v), "
        "x.reason) "
        "end";
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char claim[128];
        snprintf(claim, sizeof claim,
                 "{ arm = 'a', stat = '%s', of = %s, at_least = 0 }", name,
                 of[i]);
        put_file(path, setting, claim);
        if (says_the_same(path, code, out))
            return true;
    }
    return false;
}

static void test_figures(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope_read_XXXXXX", names[TEXT], out[TEXT];
    int fd = mkstemp(path);
    size_t asked = 0, known = 0;
    assert_true(fd >= 0);
    list_figures(path, names);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        for (const char *at = names; *at; at = strchr(at, '\n') + 1) {
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\n"), at);
            if (!ask(path, settings[k], name, out))
                continue;
            asked++;
            known += strncmp(out, "none", 4) != 0;
        }
    print_message("%zu of %zu figures are numbers\n", known, asked);
    assert_true(asked > 100 && known > 80);
    close(fd);
    unlink(path);
}

/* Compares draws and summary in a scenario without claims. */
static void test_draws_and_summary(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope_read_XXXXXX", out[TEXT];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        put_file(path, settings[k], "");
        assert_true(says_the_same(
            path,
            "for i = 1, 4 do print(table.concat(run:arm(1):chain(i):state(), "
            "' ')) end print(run:summary())",
            out));
    }
    close(fd);
    unlink(path);
}

/* Functions of a scenario may read reports directly. If the scenario names a
 * probe, the probe is updated. */
static void test_functions(void **state)
{
    (void)state;
    static const char code[] = "return run:report()['arm/a/movement/all'] and "
                               "'fed' or 'not fed'";
    static const struct {
        const char *more, *says;
    } cases[] = {
        {"", "not fed\n"},
        {"probes = { 'movement' },", "fed\n"},
        {"setup = function() end,", "fed\n"},
        {"setup = function() end, probes = { only = true },", "not fed\n"},
    };
    char path[] = "/tmp/chainscope_read_XXXXXX", setting[512], out[TEXT];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(setting, sizeof setting, "%s %s", cases[i].more, settings[0]);
        put_file(path, setting, "");
        assert_true(say(path, true, code, out));
        assert_string_equal(out, cases[i].says);
    }
    put_file(path, settings[0],
             "{ arm = 'a', stat = 'mine', at_least = 0, measure = "
             "function(arm) return arm:figure 'jump', 1 end }");
    assert_true(says_the_same(
        path, "return ('%.17g'):format(run:judge()[1].value)", out));
    assert_true(atof(out) > 0);
    close(fd);
    unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_figures),
    cmocka_unit_test(test_draws_and_summary),
    cmocka_unit_test(test_functions),
};
TESTS(test_read)
