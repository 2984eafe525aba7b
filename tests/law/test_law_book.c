/* Tests the law book (support/laws.h) itself, and lists which law covers which
 * kernel. The test fails if a law that a kernel requires is never tried on the
 * kernel, or if a law has no planted fault. */
#include "support/laws.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static bool count(const kernel_law *law, const setting *s, const points *p)
{
    (void)law;
    (void)s;
    (void)p;
    return true;
}

/* Returns the first required law that does not cover the kernel, or NULL. With
 * `print`, prints how often each law is tried on the kernel. */
static const char *escaped(const cs_kernel_type *type, bool print)
{
    const char *first = NULL;
    char line[512];
    int used = snprintf(line, sizeof line, "%-12s", type->name);
    for (size_t k = 0; law_book[k]; k++)
        for (const kernel_law *law = law_book[k]; law->name; law++) {
            size_t n = law_everywhere(law, type, count);
            if (n == 0 && law_owed(law, type) && !first)
                first = law->name;
            if (n && used < (int)sizeof line - 40)
                used += snprintf(line + used, sizeof line - (size_t)used,
                                 " %s %zu;", law->name, n);
        }
    if (print)
        print_message("%s\n", line);
    return first;
}

static void every_kernel_comes_under_its_laws(void **state)
{
    (void)state;
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        const char *law = escaped(type, true);
        if (law)
            fail_msg("kernel %s is not covered by the law: %s", type->name,
                     law);
    }
}

/* The law book of the tests contains every law that `chainscope check`
 * tries. */
static void the_laws_of_check_are_in_the_book(void **state)
{
    (void)state;
    for (const cs_law *law = cs_arm_laws; law->name; law++)
        if (!law_find(law->name))
            fail_msg("check_laws[] lacks the law %s", law->name);
}

static size_t faults_of(const kernel_law *law)
{
    size_t n = 0;
    for (const kernel_fault *f = kernel_faults; f->law; f++)
        n += strcmp(f->law, law->name) == 0;
    return n;
}

static void every_law_has_faults(void **state)
{
    (void)state;
    size_t faults = 0, used = 0;
    for (const kernel_fault *f = kernel_faults; f->law; f++)
        faults++;
    for (size_t k = 0; law_book[k]; k++)
        for (const kernel_law *law = law_book[k]; law->name; law++) {
            size_t n = faults_of(law);
            print_message("%-14s detects %zu faults\n", law->name, n);
            if (n == 0)
                fail_msg("no fault is planted for %s", law->name);
            used += n;
        }
    assert_int_equal(used, faults); /* no fault names a missing law */
}

/* Detects two kernels that the laws do not cover. The proposal of one kernel
 * has no density and is not a leapfrog; the other kernel has no formula. */
static void gaps_are_noticed(void **state)
{
    (void)state;
    cs_kernel_type type = *cs_kernel_find("random_walk");
    assert_null(escaped(&type, false));
    type.spaces = CS_BINARY;
    type.log_q = NULL;
    assert_non_null(escaped(&type, false));
    type = *cs_kernel_find("random_walk");
    type.name = "another_walk";
    setting s;
    points p = points_create(&small_bits);
    assert_true(law_setting(&type, 0, &s));
    assert_string_equal(step_laws[0].name, "matrix");
    assert_false(law_try(step_laws, &s, &p).holds);
    points_destroy(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kernel_comes_under_its_laws),
    cmocka_unit_test(the_laws_of_check_are_in_the_book),
    cmocka_unit_test(every_law_has_faults),
    cmocka_unit_test(gaps_are_noticed),
};
TESTS(test_law_book)
