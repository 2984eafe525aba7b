/* Applies the laws of long runs to every registered kernel. Each law also
 * detects its planted faults. */
#include "support/laws.h"
#include "support/support.h"

static void the_long_run_is_lawful(void **state)
{
    (void)state;
    laws_hold(chance_laws);
}

static void chance_laws_catch_faults(void **state)
{
    (void)state;
    laws_catch_faults(chance_laws);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_long_run_is_lawful),
    cmocka_unit_test(chance_laws_catch_faults),
};
TESTS(test_kernel_chance)
