#include "kernel/kernel.h"
#include "support/small.h"
#include "support/support.h"

#include <string.h>

static cs_kernel made(const char *name)
{
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find(name), NULL, 0, NULL),
                     CS_OK);
    return k;
}

static void values_come_in_the_order_of_the_rows(void **state)
{
    (void)state;
    cs_value given[] = {{.name = "balance", .number = 0.9},
                        {.name = "step", .number = 3}};
    cs_kernel k;
    const cs_kernel_type *dmala = cs_kernel_find("dmala");
    assert_int_equal(cs_kernel_init(&k, dmala, given, 2, NULL), CS_OK);
    assert_near(k.values[0], 3, 0, 0);
    assert_near(k.values[1], 0.9, 0, 0);
    cs_error err;
    given[0].number = 1.5;
    assert_int_equal(cs_kernel_init(&k, dmala, given, 2, &err), CS_RANGE);
    given[0].name = "wieght";
    assert_int_equal(cs_kernel_init(&k, dmala, given, 2, &err), CS_UNKNOWN);
    assert_non_null(strstr(err.hint, "balance"));
}

static void a_wrong_space_is_explained(void **state)
{
    (void)state;
    cs_target *t;
    cs_error err;
    assert_int_equal(cs_target_create(&small_bits, NULL, 0, &t, NULL), CS_OK);
    cs_kernel mala = made("mala"), gibbs = made("gibbs");
    assert_int_equal(cs_kernel_fits(&gibbs, t, &err), CS_OK);
    assert_int_equal(cs_kernel_fits(&mala, t, &err), CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "small_bits"));
    assert_non_null(strstr(err.what, "binary"));
    assert_non_null(strstr(err.hint, "gwg, dula, dmala"));
    assert_null(strstr(err.hint, "hmc"));
    cs_target_release(t);
}

static void a_missing_gradient_is_explained(void **state)
{
    (void)state;
    cs_target_type type = small_bits;
    cs_target *t;
    cs_error err;
    type.gradient = NULL;
    assert_int_equal(cs_target_create(&type, NULL, 0, &t, NULL), CS_OK);
    cs_kernel dmala = made("dmala");
    assert_int_equal(cs_kernel_fits(&dmala, t, &err), CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "gradient"));
    assert_non_null(strstr(err.hint, "random_walk, gibbs"));
    assert_null(strstr(err.hint, "dula"));
    cs_target_release(t);
}

static void a_missing_force_is_explained(void **state)
{
    (void)state;
    cs_target_type type = small_banana;
    cs_target *t;
    cs_error err;
    cs_kernel hmc;
    cs_value given = {
        .name = "gradient_precision", .kind = CS_PARAM_TEXT, .text = "float"};
    assert_int_equal(
        cs_kernel_init(&hmc, cs_kernel_find("hmc"), &given, 1, NULL), CS_OK);
    assert_int_equal(cs_target_create(&type, NULL, 0, &t, NULL), CS_OK);
    assert_int_equal(cs_kernel_fits(&hmc, t, &err), CS_OK);
    type.force = NULL;
    assert_int_equal(cs_kernel_fits(&hmc, t, &err), CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "hmc"));
    assert_non_null(strstr(err.what, "small_banana"));
    assert_non_null(strstr(err.hint, "double"));
    cs_target_release(t);
}

/* Every registered type defines the members that the header marks as
 * REQUIRED. */
static void the_registry_is_whole(void **state)
{
    (void)state;
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        assert_ptr_equal(cs_kernel_find(type->name), type);
        assert_non_null(type->title);
        assert_non_null(type->ref);
        assert_non_null(type->help);
        assert_true(type->step && type->spaces);
        assert_true(type->n_params <= CS_KERNEL_PARAMS);
    }
    assert_null(cs_kernel_find("no such kernel"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_come_in_the_order_of_the_rows),
    cmocka_unit_test(a_wrong_space_is_explained),
    cmocka_unit_test(a_missing_gradient_is_explained),
    cmocka_unit_test(a_missing_force_is_explained),
    cmocka_unit_test(the_registry_is_whole),
};
TESTS(test_kernel)
