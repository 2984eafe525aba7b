/* Tests kernels and schedules as text. Written values are read back with the
 * same bits, and invalid text is rejected with a message. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "chain/kernel_text.h"

#include <string.h>

static char *text_of(const cs_kernel *k, const cs_plan *plan)
{
    cs_page p = {.text = NULL};
    cs_kernel_put(&p, k, plan);
    assert_false(p.full);
    return p.text;
}

/* Writes `k` as text, reads the text while there is no current kernel, and
 * compares the kernel that is read with `k`. */
static void assert_returns(const cs_kernel *k, const cs_plan *plan,
                           cs_restored **made)
{
    cs_kernel back = {.type = NULL};
    cs_plan plan_back = {.driven = {false}};
    char *text = text_of(k, plan);
    const char *at = text;
    cs_error err;
    if (cs_kernel_read(&at, made, &back, &plan_back, &err) != CS_OK)
        fail_msg("%s: %s", text, err.what);
    char *again = text_of(&back, &plan_back);
    assert_string_equal(text, again);
    assert_string_equal(at, "");
    assert_string_equal(k->type->name, back.type->name);
    for (size_t i = 0; i < k->type->n_params; i++) {
        assert_int_equal(plan->driven[i], plan_back.driven[i]);
        if (!plan->driven[i])
            assert_memory_equal(&k->values[i], &back.values[i], sizeof(double));
    }
    cs_free(text);
    cs_free(again);
}

/* Returns a schedule for parameter i. The kind of the schedule depends on i. */
static cs_schedule schedule(size_t i)
{
    static const cs_value field[] = {
        {.name = "from", .given = 1, .number = 1.0 / 3},
        {.name = "to", .given = 1, .number = 1e-300},
        {.name = "steps", .kind = CS_PARAM_INT, .given = 1, .number = 1e6}};
    const double list[] = {1, 0.1, 2.0 / 3};
    cs_schedule s;
    if (i % 2)
        return cs_schedule_cycle(list, 3);
    assert_int_equal(
        cs_schedule_init(&s, cs_schedule_find("linear"), field, 3, NULL),
        CS_OK);
    return s;
}

static void every_kernel_returns(void **state)
{
    const cs_kernel_type *type;
    (void)state;
    for (size_t n = 0; (type = cs_kernel_at(n)); n++) {
        if (type->wraps)
            continue;
        cs_kernel k = kernel_of(type->name);
        cs_plan plan = {.driven = {false}};
        assert_returns(&k, &plan, NULL);
        for (size_t i = 0; i < type->n_params; i++) {
            const cs_param *row = &type->params[i];
            if (row->kind != CS_PARAM_REAL)
                continue;
            k.values[i] += (row->max - k.values[i]) / 7e9;
            k.values[i] = isfinite(k.values[i]) ? k.values[i] : row->min;
            const cs_schedule s = schedule(i);
            if (i % 3 == 0 && row->min <= 0 && row->max >= 1)
                assert_true(cs_plan_drive(&plan, i, &s));
        }
        assert_returns(&k, &plan, NULL);
    }
}

/* Writes and reads a wrapper with lists and with a schedule for an inner
 * parameter. Equal texts share one object. */
static void wrappers_return(void **state)
{
    (void)state;
    const double hot[] = {1, 2.5, 1.0 / 3 + 7};
    const cs_value given = {.name = "temperatures",
                            .kind = CS_PARAM_ARRAY,
                            .given = 1,
                            .array = hot,
                            .rows = 3,
                            .cols = 1};
    cs_restored *made = NULL;
    cs_kernel inner = kernel_of("mala"), k;
    assert_int_equal(cs_kernel_wrap(&k, cs_kernel_find("simulated_tempering"),
                                    &given, 1, &inner, NULL),
                     CS_OK);
    cs_plan plan = {.driven = {false}};
    assert_returns(&k, &plan, &made);
    size_t step = k.type->n_params - inner.type->n_params;
    const cs_schedule first = schedule(0);
    assert_true(cs_plan_drive(&plan, step, &first));
    assert_returns(&k, &plan, &made);
    assert_non_null(made);
    assert_null(made->next);
    cs_kernel back = k;
    char *text = text_of(&k, &plan);
    const char *at = text;
    assert_int_equal(cs_kernel_read(&at, &made, &back, &plan, NULL), CS_OK);
    /* The existing kernel has the text that is read, so its object is used
     * again. */
    assert_ptr_equal(back.type, k.type);
    assert_ptr_equal(back.self, k.self);
    cs_free(text);
    cs_restored_free(made);
    cs_kernel_release(&k);
}

static void fill(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    (void)s;
    for (size_t i = 0; i < n; i++)
        out[i] = (double)first;
}

/* A schedule may be a function of a script. It can be read from text only if
 * the same parameter already has this schedule. */
static void functions_go_on(void **state)
{
    static const cs_schedule_type function = {
        .name = "function", .flags = CS_SCHEDULE_HIDDEN, .fill = fill};
    (void)state;
    int self;
    cs_kernel k = kernel_of("mala"), other = kernel_of("gibbs");
    cs_plan plan = {.driven = {false}}, none = {.driven = {false}};
    const cs_schedule own = {.type = &function, .self = &self};
    assert_true(cs_plan_drive(&plan, 0, &own));
    assert_false(cs_kernel_has_text(&k, &plan));
    char *text = text_of(&k, &plan);
    const char *at = text;
    assert_int_equal(cs_kernel_read(&at, NULL, &k, &plan, NULL), CS_OK);
    assert_true(plan.driven[0]);
    assert_ptr_equal(cs_plan_schedule(&plan, 0)->type, &function);
    assert_ptr_equal(cs_plan_schedule(&plan, 0)->self, &self);
    /* If the parameter has no schedule, the function cannot be read. */
    plan.driven[0] = false;
    at = text;
    assert_int_equal(cs_kernel_read(&at, NULL, &k, &plan, NULL), CS_UNKNOWN);
    at = text;
    plan.driven[0] = true;
    assert_int_equal(cs_kernel_read(&at, NULL, &other, &plan, NULL),
                     CS_UNKNOWN);
    at = text;
    assert_int_equal(cs_kernel_read(&at, NULL, &k, &none, NULL), CS_UNKNOWN);
    cs_free(text);
}

static void numbers_have_all_their_bits(void **state)
{
    static const double x[] = {
        0,     -0.0,     0.3,       1.0 / 3,         5e-324,
        1e300, HUGE_VAL, -HUGE_VAL, 123456789012345, -1e-30};
    (void)state;
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        cs_page p = {.text = NULL};
        double y;
        cs_number_put(&p, x[i]);
        const char *at = p.text;
        assert_true(cs_number_read(&at, &y));
        assert_memory_equal(&x[i], &y, sizeof y);
        assert_int_equal(*at, 0);
        cs_free(p.text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kernel_returns),
    cmocka_unit_test(wrappers_return),
    cmocka_unit_test(functions_go_on),
    cmocka_unit_test(numbers_have_all_their_bits),
};
TESTS(test_kernel_text)
