/* Every scenario of the gallery opens, moves, and keeps its claims. */
#include "support/support.h"

#include "base/memory.h"
#include "script/host.h"

#include <gsl/gsl_errno.h>
#include <string.h>

static const char judge[] =
    "local cs = require 'chainscope'\n"
    "local file = ...\n"
    "local t = file()\n"
    "local run = cs.open(t)\n"
    "run:step(t.claims and t.budget.steps or 200)\n"
    "assert(not run:fault(), run:fault())\n"
    "assert(#run:summary() > 0)\n"
    "for _, j in ipairs(cs.judge(run, t.claims or {})) do\n"
    "  if not j.holds then error(('%s %s = %.4f'):format(j.claim.arm,\n"
    "    j.claim.stat, j.value)) end\n"
    "end\n";

static void open_one(const char *path)
{
    const cs_script_limits limits = {0, 60, false};
    cs_script *s = NULL;
    cs_error err = {0};
    assert_int_equal(cs_script_create(&s, &limits, &err), CS_OK);
    cs_status status = cs_script_load_text(s, judge, "=judge", &err);
    if (!status)
        status = cs_script_load_file(s, path, &err);
    if (!status)
        status = cs_script_call(s, 1, 0, 0, &err);
    if (status)
        fail_msg("%s: %s:%d: %s (%s)", path, err.where, err.line, err.what,
                 err.mend);
    cs_script_destroy(s);
}

static void test_gallery(void **state)
{
    (void)state;
    cs_host host;
    cs_error err = {0};
    cs_flat out;
    cs_flat_entry e;
    size_t size = 1 << 18, n = 0;
    void *memory = cs_alloc(1, size);
    const char *folder = CS_SCENARIOS;
    assert_int_equal(cs_script_host_create(&host, NULL, folder, &err), CS_OK);
    cs_flat_begin(&out, memory, size);
    assert_int_equal(host.gallery(host.self, &out, &err), CS_OK);
    for (; cs_flat_find(out.base, out.used, &e, "%zu/file", n); n++) {
        cs_flat_entry bad;
        if (cs_flat_find(out.base, out.used, &bad, "%zu/error", n))
            fail_msg("%s", bad.text);
        assert_true(cs_flat_find(out.base, out.used, &bad, "%zu/shows", n));
        open_one(e.text);
    }
    assert_true(n >= 7);
    cs_script_host_destroy(&host);
    cs_free(memory);
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gallery)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
