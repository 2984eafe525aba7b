/* Tests kernel parameters that are lists of numbers. Any kernel may have such
 * parameters and read them during its steps, even inside a wrapper. If a kernel
 * is written as text and read back, its lists are unchanged. */
#include "base/memory.h"
#include "chain/kernel_text.h"
#include "kernel/wrapper.h"
#include "run/history/changes.h"
#include "run/run.h"
#include "run/save.h"
#include "run/views/view.h"
#include "support/small.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { FACTOR, COUNT, NUMBERS };
enum { PLACES, OTHERS, LISTS };
enum { MANY = 1000, STEPS = 7 };

/* Initialises a kernel that moves to the next number of its list at each step:
 * x[0] = factor * places[step]. */
static void init(cs_move *m)
{
    (void)m;
}

static void step(cs_move *m)
{
    cs_info *i = &m->info;
    size_t n, others;
    const double *place = cs_move_list(m, PLACES, &n);
    assert_null(cs_move_list(m, OTHERS, &others));
    assert_int_equal(others, 0);
    assert_int_equal(n, m->param[COUNT * m->lanes]);
    i->proposal = NULL;
    for (size_t l = 0; l < m->lanes; l++) {
        i->log_ratio[l] = i->logp_change[l] = i->log_q_forward[l] = 0;
        i->accepted[l] = i->moved[l] = true;
        m->x[l] = m->param[FACTOR * m->lanes + l] *
                  (place ? place[m->streams.step % n] : -1);
    }
    cs_eval_log_density(m->eval, CS_NOW, m->x, i->logp);
}

/* Checks that the list `places` increases, and stores its length in `count`. */
static cs_status arrange(const cs_value *given, double *values, cs_error *err)
{
    const cs_value *place = &given[NUMBERS + PLACES];
    for (size_t i = 1; place->given && i < place->rows; i++)
        if (place->array[i] < place->array[i - 1])
            return cs_fail(err, CS_RANGE, "places fall");
    values[COUNT] = (double)place->rows;
    return CS_OK;
}

static const cs_param rows[] = {
    [FACTOR] = {.name = "factor", .min = -9, .max = 9, .def = 1},
    [COUNT] = {.name = "count",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_FIXED,
               .max = MANY},
    [NUMBERS + PLACES] = {.name = "places",
                          .kind = CS_PARAM_ARRAY,
                          .flags = CS_PARAM_FIXED,
                          .max = MANY},
    [NUMBERS + OTHERS] = {.name = "others",
                          .kind = CS_PARAM_ARRAY,
                          .flags = CS_PARAM_FIXED,
                          .max = 3}};

static const cs_kernel_type walker = {.name = "walker",
                                      .title = "Walker",
                                      .spaces = CS_CONTINUOUS,
                                      .params = rows,
                                      .n_params = NUMBERS,
                                      .n_lists = LISTS,
                                      .arrange = arrange,
                                      .init = init,
                                      .step = step};

static cs_value list_of(const char *name, const double *x, size_t n)
{
    return (cs_value){.name = name,
                      .kind = CS_PARAM_ARRAY,
                      .given = 1,
                      .array = x,
                      .rows = n,
                      .cols = 1};
}

static cs_kernel walker_of(const double *place, size_t n)
{
    cs_kernel k;
    const cs_value given = list_of("places", place, n);
    assert_int_equal(cs_kernel_init(&k, &walker, &given, 1, NULL), CS_OK);
    return k;
}

static void a_kernel_keeps_its_lists(void **state)
{
    (void)state;
    double place[MANY];
    size_t n;
    for (size_t i = 0; i < MANY; i++)
        place[i] = (double)i / 3;
    cs_kernel k = walker_of(place, MANY);
    const cs_kernel copy = k;
    place[5] = -1; /* the caller may change its own array */
    const double *x = cs_kernel_list(&copy, PLACES, &n);
    assert_int_equal(n, MANY);
    assert_near(x[5], 5.0 / 3, 0, 0);
    assert_near(k.values[COUNT], MANY, 0, 0);
    assert_null(cs_kernel_list(&k, OTHERS, &n));
    assert_int_equal(n, 0);
    cs_kernel_release(&k);
    assert_int_equal(cs_kernel_init(&k, &walker, NULL, 0, NULL), CS_OK);
    assert_null(k.self); /* nothing to release */
    assert_null(cs_kernel_list(&k, PLACES, &n));
}

static void refuse(const cs_value *given, cs_status status, const char *what)
{
    cs_kernel k;
    cs_error err;
    assert_int_equal(cs_kernel_init(&k, &walker, given, 1, &err), status);
    if (!strstr(err.what, what))
        fail_msg("'%s' does not contain '%s'", err.what, what);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    const double fall[] = {1, 2, 1.5, 3}, huge[] = {1, HUGE_VAL};
    cs_value v = list_of("places", fall, 4);
    refuse(&v, CS_RANGE, "places fall");
    v = list_of("others", fall, 4);
    refuse(&v, CS_RANGE, "others has 4 numbers");
    v.rows = v.cols = 2;
    refuse(&v, CS_RANGE, "in 2 columns");
    v = list_of("others", fall, 0);
    refuse(&v, CS_RANGE, "has 0 numbers");
    v = list_of("places", huge, 2);
    refuse(&v, CS_RANGE, "entry 2 of places is not finite");
    v = list_of("factor", fall, 2);
    refuse(&v, CS_INPUT, "wrong type");
    v = (cs_value){
        .name = "places", .kind = CS_PARAM_REAL, .given = 1, .number = 1};
    refuse(&v, CS_INPUT, "wrong type");
}

static void without_memory_nothing_is_left(void **state)
{
    (void)state;
    const double place[] = {1, 2, 3};
    const cs_value given = list_of("places", place, 3);
    cs_kernel k;
    for (unsigned long at = 1; at < 3; at++) {
        cs_memory_fail_at(at, false);
        cs_status s = cs_kernel_init(&k, &walker, &given, 1, NULL);
        cs_memory_fail_at(0, false);
        assert_int_equal(s, CS_MEMORY);
    }
}

/* Checks x[0] of the only chain after each step. */
static void walk(const cs_kernel *k, const double *place, size_t n, double sign)
{
    cs_target *t;
    cs_run *r;
    uint64_t done;
    assert_int_equal(cs_target_create(&small_banana, NULL, 0, &t, NULL), CS_OK);
    cs_arm_spec arm = {.name = "a", .kernel = *k};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = 1,
                        .seed = 3,
                        .workers = 1};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    for (size_t i = 1; i <= STEPS; i++) {
        assert_int_equal(cs_run_advance(r, 1, &done, NULL), CS_OK);
        assert_near(*cs_run_chain(r, 0, 0).x, sign * place[i % n], 0, 0);
    }
    cs_run_destroy(r);
    cs_target_release(t);
}

/* The lists of the inner kernel are stored after the lists of the wrapper. Each
 * of the two kernels reads its own lists. */
static void lists_are_read_within_a_wrapper(void **state)
{
    (void)state;
    const double place[] = {0.1, 0.2, 0.7}, hot[] = {1, 1 + 1e-9};
    const cs_value given = list_of("temperatures", hot, 2);
    size_t n;
    cs_kernel inner = walker_of(place, 3), k;
    walk(&inner, place, 3, 1);
    assert_int_equal(cs_kernel_wrap(&k, cs_kernel_find("simulated_tempering"),
                                    &given, 1, &inner, NULL),
                     CS_OK);
    assert_memory_equal(cs_kernel_list(&k, 0, &n), hot, sizeof hot);
    assert_int_equal(k.type->n_lists, 2 + LISTS);
    assert_memory_equal(cs_kernel_list(&k, 2 + PLACES, &n), place,
                        sizeof place);
    assert_int_equal(n, 3);
    assert_string_equal(k.type->params[k.type->n_params + 2].name, "places");
    walk(&k, place, 3, 1);
    k.values[k.type->n_params - NUMBERS + FACTOR] = -2;
    walk(&k, place, 3, -2);
    cs_kernel_release(&k);
    cs_kernel_release(&inner);
}

static char *text_of(const cs_kernel *k)
{
    const cs_plan plan = {.driven = {false}};
    cs_page p = {.text = NULL};
    cs_kernel_put(&p, k, &plan);
    assert_false(p.full);
    return p.text;
}

/* Reads the text of `k` while `now` is the current kernel. Checks that the
 * kernel that is read has the same text as `k`. */
static cs_kernel read_back(const cs_kernel *k, const cs_kernel *now,
                           cs_restored **made)
{
    cs_kernel back = *now;
    cs_plan plan = {.driven = {false}};
    cs_error err;
    char *text = text_of(k), *again;
    const char *at = text;
    if (cs_kernel_read(&at, made, &back, &plan, &err) != CS_OK)
        fail_msg("%s: %s", text, err.what);
    again = text_of(&back);
    assert_string_equal(text, again);
    cs_free(text);
    cs_free(again);
    return back;
}

/* If the text that is read equals the text of the current kernel, the object of
 * the current kernel is kept. Otherwise equal texts share one new object. */
static void a_text_brings_lists_back(void **state)
{
    (void)state;
    double place[MANY];
    for (size_t i = 0; i < MANY; i++)
        place[i] = (double)i / 3;
    cs_kernel k = walker_of(place, MANY), other = walker_of(place, 2), bare;
    assert_int_equal(cs_kernel_init(&bare, &walker, NULL, 0, NULL), CS_OK);
    cs_restored *made = NULL;
    assert_ptr_equal(read_back(&k, &k, &made).self, k.self);
    assert_null(read_back(&bare, &k, &made).self);
    assert_null(made);
    const cs_kernel one = read_back(&k, &other, &made);
    assert_ptr_not_equal(one.self, k.self);
    assert_ptr_equal(read_back(&k, &bare, &made).self, one.self);
    assert_non_null(made);
    assert_null(made->next);
    assert_ptr_not_equal(read_back(&other, &k, &made).self, other.self);
    cs_restored_free(made);
    cs_kernel_release(&k);
    cs_kernel_release(&other);
}

static cs_run *opened(cs_target *t, const cs_kernel *k)
{
    cs_run *r;
    cs_arm_spec arm = {.name = "a", .kernel = *k};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = 2,
                        .seed = 3,
                        .workers = 1};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

static cs_kernel contour_of(const double *border, size_t n)
{
    cs_kernel k;
    const cs_value given = list_of("borders", border, n);
    assert_int_equal(
        cs_kernel_init(&k, cs_kernel_find("csgld"), &given, 1, NULL), CS_OK);
    return k;
}

/* A saved run contains the lists of the kernel that was set during the run. */
static void a_saved_run_has_its_lists(void **state)
{
    (void)state;
    const double first[] = {1, 2}, then[] = {1, 3, 4, 5.5};
    cs_kernel k = contour_of(first, 2), other = contour_of(then, 4);
    cs_target *t = NULL;
    unsigned char *bytes;
    size_t size, n;
    uint64_t done;
    assert_int_equal(
        cs_target_create(cs_target_find("mixture"), NULL, 0, &t, NULL), CS_OK);
    cs_run *one = opened(t, &k), *two = opened(t, &k);
    assert_int_equal(cs_run_advance(one, 5, &done, NULL), CS_OK);
    assert_int_equal(cs_run_set_kernel(one, 0, &other, NULL, NULL), CS_OK);
    assert_int_equal(cs_run_advance(one, 5, &done, NULL), CS_OK);
    assert_int_equal(cs_run_save(one, &bytes, &size, NULL), CS_OK);
    assert_int_equal(cs_run_load(two, bytes, size, NULL), CS_OK);
    const double *x = cs_kernel_list(cs_run_arm(two, 0).kernel, 0, &n);
    assert_int_equal(n, 4);
    assert_memory_equal(x, then, sizeof then);
    assert_int_equal(cs_run_advance(one, 50, &done, NULL), CS_OK);
    assert_int_equal(cs_run_advance(two, 50, &done, NULL), CS_OK);
    assert_memory_equal(cs_run_chain(one, 0, 1).x, cs_run_chain(two, 0, 1).x,
                        sizeof(double));
    cs_free(bytes);
    cs_run_destroy(one);
    cs_run_destroy(two);
    cs_kernel_release(&k);
    cs_kernel_release(&other);
    cs_target_release(t);
}

static void rows_of_lists_say_how_many(void **state)
{
    const cs_kernel_type *type;
    (void)state;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++)
        for (size_t k = 0; k < type->n_params + type->n_lists; k++) {
            const cs_param *row = &type->params[k];
            bool list = k >= type->n_params;
            if (list != (row->kind == CS_PARAM_ARRAY) ||
                (list && !(row->max >= 1 && row->flags & CS_PARAM_FIXED)))
                fail_msg("%s: row %s", type->name, row->name);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_kernel_keeps_its_lists),
    cmocka_unit_test(nonsense_is_refused),
    cmocka_unit_test(without_memory_nothing_is_left),
    cmocka_unit_test(lists_are_read_within_a_wrapper),
    cmocka_unit_test(a_text_brings_lists_back),
    cmocka_unit_test(a_saved_run_has_its_lists),
    cmocka_unit_test(rows_of_lists_say_how_many),
};
TESTS(test_kernel_lists)
