/* Tests properties that a kernel may declare in addition to its step: memory
 * whose size depends on parameter values, variables that are not recorded with
 * draws, and the reason why a chain ended. Also tests exactness that depends on
 * parameter values, and a report of a kernel without an exchange. */
#include "kernel/wrapper.h"
#include "run/draws/kept_draws.h"
#include "run/run.h"
#include "run/views/reports.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/small.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZE, END };
enum { CHAINS = 3, STEPS = 5 };

static size_t size_of(const cs_target *t, const double *values)
{
    (void)t;
    return (size_t)values[SIZE];
}

static size_t one_row(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 1;
}

static size_t memory_words(const cs_target *t, const double *values)
{
    return 1 + size_of(t, values);
}

/* A kernel that never moves. It counts its steps in one row of memory, and
 * stores the logarithms of the counts in `size` other rows. At step `end` chain
 * 2 fails. */
static void init(cs_move *m)
{
    (void)m;
}

static void step(cs_move *m)
{
    cs_info *i = &m->info;
    size_t n = m->lanes, rows = 1 + (size_t)m->param[SIZE * n];
    double done = (double)m->streams.step;
    i->proposal = NULL;
    for (size_t l = 0; l < n; l++) {
        i->log_ratio[l] = i->logp_change[l] = 0;
        i->accepted[l] = true;
        i->moved[l] = false;
        for (size_t r = 0; r < rows; r++)
            m->memory[r * n + l] = r ? log(done) + (double)r : done;
        if (done < m->param[END * n + l] || m->streams.chain[l] != 1)
            continue;
        m->failed[l] = true;
        m->why[l] = (cs_reason){.code = 1, .row = 7, .value = 3.25, .bound = 3};
    }
}

static void explain(const cs_reason *why, char *text, size_t size)
{
    snprintf(text, size, "row %g: %g is above its bound %g", why->row,
             why->value, why->bound);
}

static bool is_exact(const cs_target *t, const double *values)
{
    return values[END] > (double)t->space.dim;
}

static void show(const cs_target *t, const double *values, const double *memory,
                 size_t stride, double *shown)
{
    for (size_t i = 0; i < size_of(t, values); i++)
        shown[i] = exp(memory[i * stride]);
}

static void report(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    double sum = 0;
    for (size_t c = 0; c < m->chains; c++)
        sum += *m->lane[c].memory;
    cs_flat_number(out, sum, "%ssteps", prefix);
}

static const cs_aux variables[] = {
    {.name = "count", .help = "", .rows = one_row},
    {.name = "rate",
     .help = "",
     .rows = size_of,
     .unrecorded = true,
     .show = show},
    {.name = NULL}};
static const cs_aux_type aux = {.variable = variables};

static const cs_param rows[] = {[SIZE] = {.name = "size",
                                          .kind = CS_PARAM_INT,
                                          .flags = CS_PARAM_FIXED,
                                          .max = 9,
                                          .def = 2},
                                [END] = {.name = "end", .max = 9, .def = 4}};

static const cs_kernel_type counter = {.name = "counter",
                                       .title = "Counter",
                                       .spaces = CS_CONTINUOUS,
                                       .flags = CS_KERNEL_EXACT,
                                       .params = rows,
                                       .n_params = 2,
                                       .memory_words = memory_words,
                                       .init = init,
                                       .step = step,
                                       .is_exact = is_exact,
                                       .explain = explain,
                                       .report = report,
                                       .aux = &aux};

static cs_target *banana(void)
{
    cs_target *t;
    assert_int_equal(cs_target_create(&small_banana, NULL, 0, &t, NULL), CS_OK);
    return t;
}

static cs_kernel counter_of(double size)
{
    return (cs_kernel){.type = &counter, .values = {size, 4}};
}

static cs_run *opened(cs_target *t, double size)
{
    cs_arm_spec arm = {.name = "a", .kernel = counter_of(size)};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 3,
                        .workers = 1};
    cs_run *r;
    uint64_t done;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    assert_int_equal(cs_run_advance(r, STEPS, &done, NULL), CS_OK);
    return r;
}

static cs_kernel wrapped(const cs_kernel *inner, double rungs)
{
    cs_kernel k;
    const cs_value given[] = {{.name = "rungs", .given = 1, .number = rungs}};
    assert_int_equal(cs_kernel_wrap(&k, cs_kernel_find("simulated_tempering"),
                                    given, 1, inner, NULL),
                     CS_OK);
    return k;
}

static void sizes_follow_from_values(void **state)
{
    (void)state;
    cs_target *t = banana();
    const cs_kernel small = counter_of(1), large = counter_of(9);
    assert_int_equal(cs_kernel_memory_words(&small, t), 2);
    assert_int_equal(cs_kernel_memory_words(&large, t), 10);
    /* expected: twice the inner kernel's memory, four tables, and five rows */
    for (double rungs = 1; rungs <= 256; rungs *= 2) {
        cs_kernel k = wrapped(&large, rungs);
        assert_int_equal(cs_kernel_memory_words(&k, t), 20 + 4 * rungs + 5);
        cs_kernel_release(&k);
    }
    cs_target_release(t);
}

/* The sizes of a wrapper depend on some of its parameter values. If such a
 * value has changed, the kernel no longer counts as the wrapper that was
 * created. */
static void a_wrapper_knows_its_values(void **state)
{
    (void)state;
    const cs_kernel large = counter_of(9);
    cs_kernel k = wrapped(&large, 4);
    size_t n = k.type->n_params;
    assert_true(cs_kernel_is_as_made(&k));
    k.values[n - 1] = 2; /* `end` may change */
    assert_true(cs_kernel_is_as_made(&k));
    k.values[n - 2] = 1;
    assert_false(cs_kernel_is_as_made(&k));
    assert_true(cs_kernel_is_as_made(&large));
    cs_kernel_release(&k);
}

static void variables_stand_in_order(void **state)
{
    (void)state;
    cs_target *t = banana();
    const char *const name[] = {"beta", "count", "rate.1", "rate.2", ""};
    const cs_kernel inner = counter_of(2);
    cs_kernel k = wrapped(&inner, 4);
    cs_aux_rows at;
    char text[32];
    assert_int_equal(cs_kernel_aux_rows(&k, t), 4);
    assert_int_equal(cs_kernel_aux_recorded(&k, t), 2);
    for (size_t i = 0; i < 5; i++) {
        cs_kernel_aux_name(&k, t, i, text, sizeof text);
        assert_string_equal(text, name[i]);
    }
    assert_true(cs_kernel_aux(&k, t, 2, &at));
    assert_int_equal(at.first, 2);
    assert_int_equal(at.rows, 2);
    assert_false(cs_kernel_aux(&k, t, 3, &at));
    cs_kernel_release(&k);
    cs_target_release(t);
}

static void draws_carry_what_is_recorded(void **state)
{
    (void)state;
    cs_target *t = banana();
    cs_run *r = opened(t, 2);
    cs_chain_view v = cs_run_chain(r, 0, 0);
    const cs_kernel k = counter_of(2);
    cs_aux_rows at;
    double shown[2];
    assert_int_equal(cs_run_aux(r, 0), 1);
    assert_int_equal(v.aux_rows, 3);
    assert_true(cs_kernel_aux(&k, t, 1, &at));
    cs_kernel_aux_show(&at, t, v.aux, v.aux_stride, shown);
    assert_near(shown[0], STEPS * exp(1), 0, 1e-12);
    assert_near(shown[1], STEPS * exp(2), 0, 1e-12);
    cs_run_destroy(r);
    cs_target_release(t);
}

static void a_kernel_says_why_it_stopped(void **state)
{
    (void)state;
    cs_target *t = banana();
    cs_run *r = opened(t, 2);
    char text[256];
    uint64_t at;
    assert_true(cs_run_chain_stop(r, 0, 1, &at, text, sizeof text));
    assert_int_equal(at, 4);
    assert_non_null(strstr(text, "row 7: 3.25 is above its bound 3 at the"));
    assert_true(cs_run_chain_fault(r, 0, 1, text, sizeof text));
    assert_non_null(strstr(text, "kernel counter: row 7: 3.25 is above its "
                                 "bound 3 in chain 2"));
    assert_false(cs_run_chain_stop(r, 0, 0, &at, text, sizeof text));
    cs_run_destroy(r);
    cs_target_release(t);
}

static void a_report_needs_no_exchange(void **state)
{
    (void)state;
    cs_target *t = banana();
    cs_run *r = opened(t, 2);
    double scratch[64];
    cs_flat f;
    cs_flat_entry e;
    cs_flat_begin(&f, scratch, sizeof scratch);
    assert_true(cs_run_report_of(r, 0, "kernel", NULL, "k/", &f));
    assert_true(cs_flat_find(f.base, f.used, &e, "k/steps"));
    assert_near(e.data[0], CHAINS * STEPS, 0, 0);
    cs_run_destroy(r);
    cs_target_release(t);
}

static void exactness_depends_on_values(void **state)
{
    (void)state;
    cs_target *t = banana();
    cs_kernel k = counter_of(2);
    assert_true(cs_kernel_is_exact(&k, t));
    cs_kernel outer = wrapped(&k, 4);
    assert_true(cs_kernel_is_exact(&outer, t));
    outer.values[outer.type->n_params - 1] = k.values[END] = 2;
    assert_false(cs_kernel_is_exact(&k, t));
    assert_false(cs_kernel_is_exact(&outer, t));
    k = kernel_of("hmc");
    assert_true(cs_kernel_is_exact(&k, t));
    cs_kernel_release(&outer);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sizes_follow_from_values),
    cmocka_unit_test(a_wrapper_knows_its_values),
    cmocka_unit_test(variables_stand_in_order),
    cmocka_unit_test(draws_carry_what_is_recorded),
    cmocka_unit_test(a_kernel_says_why_it_stopped),
    cmocka_unit_test(a_report_needs_no_exchange),
    cmocka_unit_test(exactness_depends_on_values),
};
TESTS(test_kernel_contract)
