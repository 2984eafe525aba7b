/* Tests SHA-256 with the examples of FIPS 180-4 and its lengths at the end of a
 * block, and sealed texts. */
#include "base/sha256.h"
#include "io/sealed.h"
#include "support/support.h"

#include <string.h>

static void examples(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } of[] = {
        {"",
         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc",
         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    uint8_t digest[CS_SHA256_BYTES];
    char hex[CS_SHA256_HEX];
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        cs_sha256(of[i].text, strlen(of[i].text), digest);
        cs_sha256_hex(digest, hex);
        assert_string_equal(hex, of[i].hex);
    }
}

/* The digest of 1000 digests of texts of length 0 to 999, which include every
 * position of the end in a block. The expected value is from sha256sum. */
static void all_lengths(void **state)
{
    (void)state;
    static char text[1000];
    static uint8_t all[1000 * CS_SHA256_BYTES];
    uint8_t digest[CS_SHA256_BYTES];
    char hex[CS_SHA256_HEX];
    memset(text, 'a', sizeof text);
    for (size_t n = 0; n < sizeof text; n++)
        cs_sha256(text, n, all + n * CS_SHA256_BYTES);
    cs_sha256(all, sizeof all, digest);
    cs_sha256_hex(digest, hex);
    assert_string_equal(
        hex,
        "7fe2e9cc88ce77f7bcd9e49e2d8489239d6e8b45ba864e83a53e3a45f619fc4b");
}

static void sealed_texts_open(void **state)
{
    (void)state;
    char text[100], sealed[sizeof text];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 3);
    memcpy(sealed, text, sizeof text);
    cs_sealed_apply("key", 3, (unsigned char *)sealed, sizeof sealed);
    assert_memory_not_equal(sealed, text, sizeof text);
    /* the same text is sealed differently at each place */
    assert_memory_not_equal(sealed, sealed + 33, 33);
    cs_sealed_apply("other", 5, (unsigned char *)sealed, sizeof sealed);
    assert_memory_not_equal(sealed, text, sizeof text);
    cs_sealed_apply("other", 5, (unsigned char *)sealed, sizeof sealed);
    cs_sealed_apply("key", 3, (unsigned char *)sealed, sizeof sealed);
    assert_memory_equal(sealed, text, sizeof text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(examples),
    cmocka_unit_test(all_lengths),
    cmocka_unit_test(sealed_texts_open),
};
TESTS(test_sha256)
