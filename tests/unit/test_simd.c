/* Tests the choice of an instruction set for different processors. */
#include "support/support.h"

#include "simd/variants.h"

#include <stdio.h>
#include <string.h>

enum { EVERYTHING = CS_CPU_AVX2 | CS_CPU_AVX512 };

static void the_best_compiled_set_is_chosen(void **state)
{
    (void)state;
    assert_int_equal(cs_simd_choose(0, NULL), CS_SIMD_base);
    assert_int_equal(cs_simd_choose(EVERYTHING, NULL), CS_SIMD_COUNT - 1);
    const char *with_avx2 = cs_simd_name(cs_simd_choose(CS_CPU_AVX2, NULL));
    assert_string_equal(with_avx2, CS_HAVE_AVX2 ? "avx2" : "base");
}

static void a_set_can_be_asked_for(void **state)
{
    (void)state;
    for (int i = 0; i < CS_SIMD_COUNT; i++) {
        const char *name = cs_simd_name((cs_simd)i);
        assert_int_equal(cs_simd_choose(EVERYTHING, name), i);
        assert_int_equal(cs_simd_choose(0, name), CS_SIMD_base);
    }
    assert_int_equal(cs_simd_choose(EVERYTHING, "neon"), CS_SIMD_COUNT - 1);
}

/* If a program is moved to a processor that does not support the program's
 * instruction sets, the program reports this. */
static void lost_vectors_are_reported(void **state)
{
    (void)state;
    bool slow;
    unsigned built =
        (CS_HAVE_AVX2 ? CS_CPU_AVX2 : 0) | (CS_HAVE_AVX512 ? CS_CPU_AVX512 : 0);
    const char *note = cs_simd_mismatch(0, &slow);
    assert_int_equal(slow, built != 0);
    assert_int_equal(note != NULL && strstr(note, "portable") != NULL, slow);
    assert_null(cs_simd_mismatch(built, &slow));
    assert_false(slow);
    note = cs_simd_mismatch(EVERYTHING, &slow);
    assert_false(slow);
    assert_int_equal(note != NULL && strstr(note, "wider") != NULL,
                     !CS_HAVE_AVX512);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_best_compiled_set_is_chosen),
    cmocka_unit_test(a_set_can_be_asked_for),
    cmocka_unit_test(lost_vectors_are_reported),
};
TESTS(test_simd)
