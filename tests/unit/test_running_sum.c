/* Tests the running checksum of a file. The checksum does not depend on how the
 * bytes are divided into parts, and every single change alters the checksum. */
#include "support/support.h"

#include "base/hash.h"

#include <string.h>

enum { SIZE = 200 };

static void fill(unsigned char *b)
{
    for (int i = 0; i < SIZE; i++)
        b[i] = (unsigned char)(i * 37 + i / 7);
}

static void pieces_make_the_same_sum(void **state)
{
    (void)state;
    unsigned char b[SIZE];
    fill(b);
    uint64_t whole = cs_running_sum(CS_DIGEST, b, SIZE);
    for (size_t i = 0; i <= SIZE; i++)
        for (size_t k = i; k <= SIZE; k += 13) {
            uint64_t sum = cs_running_sum(CS_DIGEST, b, i);
            sum = cs_running_sum(sum, b + i, k - i);
            assert_true(cs_running_sum(sum, b + k, SIZE - k) == whole);
        }
}

static void every_change_is_another_sum(void **state)
{
    (void)state;
    unsigned char b[SIZE];
    fill(b);
    uint64_t whole = cs_running_sum(CS_DIGEST, b, SIZE);
    for (size_t i = 0; i < SIZE; i++)
        for (int with = 1; with < 256; with++) {
            b[i] ^= (unsigned char)with;
            assert_true(cs_running_sum(CS_DIGEST, b, SIZE) != whole);
            b[i] ^= (unsigned char)with;
        }
    for (size_t i = 0; i + 1 < SIZE; i++) { /* exchanges two neighbours */
        unsigned char a = b[i];
        b[i] = b[i + 1];
        b[i + 1] = a;
        assert_true(b[i] == b[i + 1] ||
                    cs_running_sum(CS_DIGEST, b, SIZE) != whole);
        a = b[i];
        b[i] = b[i + 1];
        b[i + 1] = a;
    }
    assert_true(cs_running_sum(CS_DIGEST, b, SIZE - 1) != whole);
}

/* If one byte or two adjacent digits have changed, the position of the change
 * is found. For all other changes, the position is not found. */
static void a_small_change_is_found(void **state)
{
    (void)state;
    unsigned char b[SIZE];
    fill(b);
    uint64_t was = cs_running_sum(CS_DIGEST, b, SIZE);
    for (size_t i = 0; i < SIZE; i++)
        for (int with = 1; with < 256; with += 3) {
            b[i] ^= (unsigned char)with;
            uint64_t is = cs_running_sum(CS_DIGEST, b, SIZE);
            assert_true(cs_running_sum_place(was, is, SIZE) == i);
            b[i] ^= (unsigned char)with;
        }
    memset(b, '4', SIZE);
    was = cs_running_sum(CS_DIGEST, b, SIZE);
    for (size_t i = 0; i + 1 < SIZE; i++)
        for (int d = 0; d < 81; d++) {
            b[i] = (unsigned char)('0' + d / 9);
            b[i + 1] = (unsigned char)('0' + d % 9);
            uint64_t is = cs_running_sum(CS_DIGEST, b, SIZE);
            if (b[i] != '4')
                assert_true(cs_running_sum_place(was, is, SIZE) == i);
            b[i] = b[i + 1] = '4';
        }
    b[3] = b[9] = '1';
    assert_true(cs_running_sum_place(was, cs_running_sum(CS_DIGEST, b, SIZE),
                                     SIZE) == SIZE);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_small_change_is_found),
    cmocka_unit_test(pieces_make_the_same_sum),
    cmocka_unit_test(every_change_is_another_sum),
};
TESTS(test_running_sum)
