/* Tests runs with very many chains. Only the first chains are diagnosed, and
 * their draws are summed in a small number of bins. The choice of the diagnosed
 * chains depends neither on the division into blocks nor on whether the run was
 * saved. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "run/run.h"
#include "run/save.h"
#include "run/summary/summary.h"
#include "run/views/reports.h"

#include <string.h>

enum { CHAINS = 1100, JUDGED = 1024, BYTES = 1 << 18 };

static cs_run *open_run(size_t lanes)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 2};
    cs_arm_spec arm = {.name = "a"};
    const cs_probe_spec probe = {.type = cs_probe_find("diagnostics")};
    cs_run_spec spec = {.arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 3,
                        .probes = &probe,
                        .n_probes = 1,
                        .block_lanes = lanes,
                        .workers = 2,
                        .keep = 2,
                        .rewind_bytes = 1};
    cs_run *r = NULL;
    assert_int_equal(cs_target_create(cs_target_find("gaussian"), &dim, 1,
                                      &spec.target, NULL),
                     CS_OK);
    assert_int_equal(cs_kernel_init(&arm.kernel, cs_kernel_find("random_walk"),
                                    NULL, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    return r;
}

static double number_of(const cs_flat *f, const char *key)
{
    cs_flat_entry e;
    assert_true(
        cs_flat_find(f->base, f->used, &e, "arm/0/diagnostics/%s", key));
    return e.data[0];
}

static void report(cs_run *r, void *scratch, cs_flat *f)
{
    cs_flat_begin(f, scratch, BYTES);
    cs_run_report(r, f);
    assert_false(f->full);
}

static void the_first_are_diagnosed(void **state)
{
    static _Alignas(8) unsigned char left[BYTES], right[BYTES];
    cs_flat one, two;
    (void)state;
    cs_run *a = open_run(64), *b = open_run(40), *c = open_run(64);
    unsigned char *bytes;
    size_t size;
    run_steps(a, 300);
    run_steps(b, 300);
    assert_int_equal(cs_run_save(b, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(c, bytes, size, NULL), CS_OK);
    cs_free(bytes);
    for (int i = 0; i < 2; i++) {
        cs_run *other = i ? c : b;
        report(a, left, &one);
        report(other, right, &two);
        assert_int_equal(one.used, two.used);
        assert_memory_equal(left, right, one.used);
        assert_int_equal(number_of(&one, "chains"), JUDGED);
        assert_int_equal(number_of(&one, "of_chains"), CHAINS);
        run_steps(a, 700);
        run_steps(b, 700);
        run_steps(c, 700);
    }
    cs_page p = {0};
    cs_summary_text(a, NULL, &p);
    assert_non_null(strstr(p.text, "  the first 1024 of 1100 chains\n"));
    cs_free(p.text);
    cs_run_destroy(a);
    cs_run_destroy(b);
    cs_run_destroy(c);
}

/* Errors that are computed from a few bins equal errors that are computed from
 * many bins, up to their own uncertainty. */
static void few_bins_know_the_error(void **state)
{
    static _Alignas(8) unsigned char buffer[BYTES];
    cs_flat f;
    (void)state;
    cs_run *r = open_run(64);
    run_steps(r, 3000);
    report(r, buffer, &f);
    cs_flat_entry e;
    assert_true(cs_flat_find(f.base, f.used, &e, "arm/0/diagnostics/table"));
    const cs_figures *x = CS_ENTRY_ROWS(e, cs_figures) + 1;
    /* 1024 chains of 3000 steps, one effective draw per six steps */
    assert_near(x->mcse, x->sd / sqrt(JUDGED * 3000.0 / 6.5), 0.25, 0);
    assert_true(fabs(x->mean) < 5 * x->mcse);
    cs_run_destroy(r);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_first_are_diagnosed),
    cmocka_unit_test(few_bins_know_the_error),
};
TESTS(test_many_chains)
