/* Tests that every scenario of the gallery opens, and that each claim of the
 * scenario has the expected verdict. */
#include "run/arms/arms.h"
#include "run/run.h"
#include "support/support.h"

#include "base/memory.h"
#include "files/file.h"
#include "script/gallery.h"
#include "script/host.h"
#include "script/script.h"

#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lua code that checks that the scenario has all required strings; (...)
 * creates the table of the scenario. */
static const char complete[] =
    "local t = (...)()\n"
    "assert(#t.title > 0 and #t.shows > 0 and t.claims and t.budget)\n"
    "local replicates = (t.source or ''):find '^edlp' or\n"
    "  (t.source or ''):find '^acs' or (t.source or ''):find '^csgld' or\n"
    "  (t.source or ''):find '^auxiliary'\n"
    "for _, claim in ipairs(t.claims) do\n"
    "  assert(t.setting or not (replicates and claim.paper),\n"
    "         'setting = how far it is from the paper is missing')\n"
    "end\n";

/* Lua code that compares the verdict and the error of each claim with the
 * expected ones. In two cases a claim is not tested: the measured value is
 * within its error of the claim's bound, or the bound is too loose to fail. A
 * run ends at a quarter, a half or three quarters of its budget if all claims
 * are decided by then. */
static const char judge[] =
    "local budget, n = %.0f, 1000\n"
    "if budget > 0 then n = math.ceil(budget / 4) end\n"
    "while run:step(n) == n do\n"
    "  if budget > 0 and not run.finished and run:decided() then return end\n"
    "end\n"
    "assert(run.finished, 'the budget is not spent')\n"
    "local judged = run:judge()\n"
    "assert(#judged > 0, 'nothing is claimed')\n"
    "for _, j in ipairs(judged) do\n"
    "  if not j.as_said or j.loose then error(run:claims()) end\n"
    "end\n";

static const cs_script_limits limits = {.seconds = 200};

static void check(cs_status status, const char *path, const cs_error *err)
{
    if (status)
        fail_msg("%s: %s:%d: %s (%s)", path, err->where, err->line, err->what,
                 err->hint);
}

static void read_one(const char *path)
{
    cs_script *s = NULL;
    cs_error err = {0};
    assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
    cs_status status = cs_script_load_text(s, complete, "=complete", &err);
    if (!status)
        status = cs_script_load_file(s, path, &err);
    if (!status)
        status = cs_script_call(s, 1, 0, 0, &err);
    check(status, path, &err);
    cs_script_destroy(s);
}

static void ignore(void *to, const char *text, size_t n)
{
    (void)to, (void)text, (void)n;
}

/* Checks that the memory of the process never exceeded 150 MB. One scenario has
 * a limit of 300 MB: it has six arms of 50 chains, 27,801 coordinates per
 * chain, and 46,830 rows of data. */
static void is_small(const char *path)
{
    const long most = strstr(path, "edlp/binary_networks_blog") ? 300 : 150;
    struct rusage use;
    assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
    if (use.ru_maxrss / 1024 > most)
        fail_msg("%s: opening takes %ld MB, at most %ld", path,
                 use.ru_maxrss / 1024, most);
}

/* Opens the scenario as `chainscope run` does. */
static void run_one(const char *path)
{
    const char *set[] = {"default_warmup=usual", "read=1"};
    char text[sizeof judge + 32];
    cs_host host;
    cs_opened opened;
    cs_error err = {0};
    assert_int_equal(cs_script_host_create(&host, &limits, NULL, &err), CS_OK);
    check(host.open(host.self, path, set, 2, &opened, &err), path, &err);
    is_small(path);
    host.attach(host.self, opened.run);
    snprintf(text, sizeof text, judge,
             (double)cs_run_budget(opened.run)->steps);
    check(host.eval(host.self, text, ignore, NULL, &err), path, &err);
    host.attach(host.self, NULL);
    cs_run_destroy(opened.run);
    cs_script_host_destroy(&host);
}

/* The scenarios of the gallery in the folder `root`. If `claims`, every file is
 * also run. */
typedef struct listing {
    cs_flat out;
    void *memory; /* [own] */
} listing;

static listing list_of(const char *root, bool claims)
{
    cs_host host;
    cs_error err = {0};
    size_t size = 1 << 18;
    listing l = {.memory = cs_alloc(1, size)};
    assert_int_equal(cs_script_host_create(&host, NULL, root, &err), CS_OK);
    cs_flat_begin(&l.out, l.memory, size);
    assert_int_equal(host.gallery(host.self, 0, SIZE_MAX, claims, &l.out, &err),
                     CS_OK);
    cs_script_host_destroy(&host);
    return l;
}

/* Returns the string `key` of scenario i, or "" if the scenario has none. */
static const char *reported(const listing *l, size_t i, const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(l->out.base, l->out.used, &e, "%zu/%s", i, key) &&
                   e.text
               ? e.text
               : "";
}

/* Checks the names of kernels. If a name in `want` occurs in the file as
 * `cs.kernel.NAME {`, it must also be in `got`, the names that were read.
 * Helper functions in the scenario may choose other names. */
static void has_names(const char *file, const char *want, const char *got)
{
    unsigned char *text;
    size_t size;
    assert_int_equal(cs_file_read(file, 1 << 20, &text, &size, NULL), CS_OK);
    for (size_t n; *want; want += n, want += *want == ' ') {
        char written[64];
        n = strcspn(want, " ");
        snprintf(written, sizeof written, ".%.*s {", (int)n, want);
        if (!strstr((const char *)text, written))
            continue;
        written[n + 1] = 0;
        if (!strstr(got, written + 1)) /* may be part of a longer name */
            fail_msg("%s: '%s' has no %s", file, got, written + 1);
    }
    cs_free(text);
}

/* Checks that every file gives the same strings in two cases: its text is only
 * read, and the file is run. For nearly all files, the text is sufficient. */
static void test_gallery(void **state)
{
    (void)state;
    static const char *const key[] = {"file",  "folder", "title",
                                      "shows", "source", "error"};
    listing text = list_of(CS_SCENARIOS, false);
    listing made = list_of(CS_SCENARIOS, true);
    cs_flat_entry e;
    size_t n = 0, n_run = 0;
    for (; *reported(&made, n, "file"); n++) {
        for (size_t k = 0; k < sizeof key / sizeof *key; k++)
            assert_string_equal(reported(&text, n, key[k]),
                                reported(&made, n, key[k]));
        assert_string_equal(reported(&text, n, "error"), "");
        assert_true(*reported(&text, n, "title") &&
                    *reported(&text, n, "shows"));
        has_names(reported(&text, n, "file"), reported(&made, n, "names"),
                  reported(&text, n, "names"));
        n_run +=
            cs_flat_find(text.out.base, text.out.used, &e, "%zu/papers", n);
    }
    assert_string_equal(reported(&text, n, "file"), "");
    assert_true(n >= 7);
    assert_true(n_run <= n / 8);
    cs_free(text.memory);
    cs_free(made.memory);
}

static void put_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* One Lua state opens all files. No file sees the variables of another file. */
static void test_apart(void **state)
{
    (void)state;
    char root[] = "/tmp/gallery.XXXXXX", folder[40];
    unsigned char memory[8192] __attribute__((aligned(8)));
    cs_error err = {0};
    cs_flat out;
    cs_flat_entry e;
    assert_non_null(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/a", root);
    assert_int_equal(mkdir(folder, 0700), 0);
    put_file(folder, "1.lua",
             "leak = 'seen' math.pi = 3 string.upper = nil\n"
             "pcall(function() require 'chainscope'.kernel = nil end)\n"
             "return {title = 'one'}");
    put_file(folder, "2.lua", "error('never', 0)");
    put_file(folder, "3.lua",
             "assert(require 'chainscope'.kernel)\n"
             "return {title = tostring(leak):upper() .. math.floor("
             "math.pi * 100)}");
    cs_flat_begin(&out, memory, sizeof memory);
    assert_int_equal(cs_script_gallery(root, 0, SIZE_MAX, true, &out, &err),
                     CS_OK);
    assert_true(cs_flat_find(out.base, out.used, &e, "0/title"));
    assert_string_equal(e.text, "one");
    assert_true(cs_flat_find(out.base, out.used, &e, "1/error"));
    assert_non_null(strstr(e.text, "never"));
    assert_true(cs_flat_find(out.base, out.used, &e, "2/title"));
    assert_string_equal(e.text, "NIL314");
    cs_flat_begin(&out, memory, sizeof memory); /* with too little memory */
    assert_int_equal(cs_script_gallery(root, 2, 1, true, &out, &err), CS_OK);
    assert_false(cs_flat_find(out.base, out.used, &e, "1/file"));
    assert_true(cs_flat_find(out.base, out.used, &e, "2/title"));
    for (int i = 1; i <= 3; i++) {
        char path[60];
        snprintf(path, sizeof path, "%s/%d.lua", folder, i);
        unlink(path);
    }
    rmdir(folder);
    rmdir(root);
}

static void test_one(void **state)
{
    read_one(*state);
    run_one(*state);
}

/* With a file as argument, checks the claims of this file. Without an argument,
 * lists the gallery. */
test_main test_scenarios;
int test_scenarios(int argc, char **argv)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest all[] = {cmocka_unit_test(test_gallery),
                                     cmocka_unit_test(test_apart)};
    const struct CMUnitTest one[] = {
        cmocka_unit_test_prestate(test_one, argv[1])};
    return argc > 1 ? cmocka_run_group_tests(one, NULL, NULL)
                    : cmocka_run_group_tests(all, NULL, NULL);
}
