/* Tests that every reversible kernel with auxiliary variables declares its
 * parts, and names the role of each part in algorithm 1. */
#include "kernel/kernel.h"
#include "kernels/auxiliary/scheme.h"
#include "support/support.h"

#include <string.h>

enum {
    INSTANCE = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ESTIMATES
};

static void every_instance_has_one(void **state)
{
    (void)state;
    const cs_kernel_type *type;
    size_t found = 0, listed = 0;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        bool is = (type->flags & INSTANCE) == INSTANCE;
        const cs_scheme *s = cs_scheme_of(type->name);
        if (is != (s != NULL))
            fail_msg("%s", type->name);
        found += is;
        for (size_t k = 0; s && k < CS_SCHEME_PARTS; k++) {
            const char *text, *name = cs_scheme_part(s, k, &text);
            assert_true(strlen(name) > 0 && strlen(text) > 0);
        }
    }
    while (cs_scheme_at(listed))
        listed++;
    assert_int_equal(found, listed);
    assert_true(found > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_instance_has_one),
};
TESTS(test_scheme)
