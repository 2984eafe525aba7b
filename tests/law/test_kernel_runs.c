/* Applies the second half of the law book (support/laws.h) to every registered
 * kernel: laws for extreme parameters and spaces, and laws of whole runs. */
#include "support/laws.h"
#include "support/support.h"

static void limits_are_kept(void **state)
{
    (void)state;
    laws_hold(limit_laws);
}

static void limit_laws_catch_faults(void **state)
{
    (void)state;
    laws_catch_faults(limit_laws);
}

static void runs_are_lawful(void **state)
{
    (void)state;
    laws_hold(run_laws);
}

static void run_laws_catch_faults(void **state)
{
    (void)state;
    laws_catch_faults(run_laws);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(limits_are_kept),
    cmocka_unit_test(limit_laws_catch_faults),
    cmocka_unit_test(runs_are_lawful),
    cmocka_unit_test(run_laws_catch_faults),
};
TESTS(test_kernel_runs)
