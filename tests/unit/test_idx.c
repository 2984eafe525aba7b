/* Tests IDX files: their contents, and every kind of corruption. */
#include "base/memory.h"
#include "data/idx.h"
#include "learn/images.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cs_status parse(const char *bytes, size_t n, cs_idx *idx, cs_error *err)
{
    char *copy = cs_alloc(n, 1);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    return cs_idx_parse(copy, n, "digits", idx, err);
}

static void images_have_their_rows(void **state)
{
    (void)state;
    static const char bytes[] = "\0\0\10\3\0\0\0\2\0\0\0\1\0\0\0\3abcdef";
    cs_idx idx;
    assert_int_equal(parse(bytes, 22, &idx, NULL), CS_OK);
    assert_int_equal(idx.sizes, 3);
    assert_int_equal(idx.size[0], 2);
    assert_int_equal(idx.row, 3);
    assert_memory_equal(idx.byte + 3, "def", 3);
    cs_idx_free(&idx);
}

/* Reads each of the six element types. The value in each file would change if
 * it were read as unsigned or in little-endian order. */
static void all_types_of_number_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        double first, second;
    } good[] = {
        {"\0\0\10\1\0\0\0\2\3\376", 10, 3, 254},
        {"\0\0\11\1\0\0\0\2\3\376", 10, 3, -2},
        {"\0\0\13\1\0\0\0\2\1\2\377\376", 12, 258, -2},
        {"\0\0\14\1\0\0\0\2\0\1\0\0\377\377\377\376", 16, 65536, -2},
        {"\0\0\15\1\0\0\0\2\x3e\0\0\0\xbf\x80\0\0", 16, 0.125, -1},
        {"\0\0\16\1\0\0\0\2\x3f\xc0\0\0\0\0\0\0\xbf\xf0\0\0\0\0\0\0", 24, 0.125,
         -1},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cs_idx idx;
        assert_int_equal(parse(good[i].bytes, good[i].n, &idx, NULL), CS_OK);
        assert_int_equal(idx.size[0], 2);
        assert_true(cs_idx_number(&idx, 0) == good[i].first);
        assert_true(cs_idx_number(&idx, 1) == good[i].second);
        cs_idx_free(&idx);
    }
}

/* Images for learning must consist of bytes. Other element types are rejected
 * with a message that names the type. */
static void images_of_floats_are_no_levels(void **state)
{
    (void)state;
    static const char bytes[] = "\0\0\15\3\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\0";
    char path[] = "/tmp/chainscope_idx_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, 20), 20);
    close(fd);
    cs_images images;
    cs_images_wanted wanted = {.images = path};
    cs_error err = {0};
    assert_int_equal(cs_images_read(&images, &wanted, &err), CS_INPUT);
    assert_non_null(strstr(err.what, "only unsigned bytes are read"));
    unlink(path);
}

/* The levels 0 and 1 are black and white, like the levels 0 and 255. */
static void images_of_bits_are_black_and_white(void **state)
{
    (void)state;
    static const char bytes[] = "\0\0\10\3\0\0\0\1\0\0\0\1\0\0\0\3\0\1\1";
    char path[] = "/tmp/chainscope_idx_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, 19), 19);
    close(fd);
    for (int binary = 0; binary < 2; binary++) {
        cs_images images;
        cs_images_wanted wanted = {.images = path, .binary = binary};
        assert_int_equal(cs_images_read(&images, &wanted, NULL), CS_OK);
        assert_memory_equal(images.level, "\0\xff\xff", 3);
        cs_images_free(&images);
    }
    unlink(path);
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *what;
    } bad[] = {
        {"", 0, "not an IDX"},
        {"\0\0\10\1\0\0\0", 7, "not an IDX"},
        {"\1\0\10\1\0\0\0\1a", 9, "not an IDX"},
        {"\0\0\12\1\0\0\0\1a", 9, "unknown element type"},
        {"\0\0\377\1\0\0\0\1a", 9, "unknown element type"},
        {"\0\0\13\1\0\0\0\1abc", 11, "longer"},
        {"\0\0\16\1\0\0\0\1abcdefg", 15, "too short for its sizes"},
        {"\0\0\10\0\0\0\0\1a", 9, "no sizes or too many"},
        {"\0\0\10\5\0\0\0\1aaaaaaaaaaaaaaaaaaaaa", 24, "no sizes or too many"},
        {"\0\0\10\3\0\0\0\1\0\0\0\1", 12, "ends within"},
        {"\0\0\10\1\0\0\0\0", 8, "too short for its sizes"},
        {"\0\0\10\1\0\0\0\2a", 9, "too short for its sizes"},
        {"\0\0\10\1\0\0\0\2abc", 11, "longer"},
        {"\0\0\10\2\0\0\0\2\0\0\0\2abc", 15, "longer"},
        /* sizes whose product overflows */
        {"\0\0\10\4\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
         "\xff"
         "a",
         21, "too short for its sizes"},
        {"\0\0\10\4\0\0\0\1\0\0\0\1\xff\xff\xff\xff\0\0\0\1ab", 22,
         "too short for its sizes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cs_idx idx;
        cs_error err = {0};
        assert_int_equal(parse(bad[i].bytes, bad[i].n, &idx, &err), CS_INPUT);
        if (!strstr(err.what, bad[i].what))
            fail_msg("%zu: %s", i, err.what);
        assert_string_equal(err.where, "digits");
        assert_null(idx.file);
    }
}

static void a_missing_file_is_said_to_be_missing(void **state)
{
    (void)state;
    cs_idx idx;
    cs_error err = {0};
    assert_int_equal(cs_idx_read("/nowhere/train-images", &idx, &err), CS_IO);
    assert_string_equal(err.where, "/nowhere/train-images");
}

/* Reads 10,000 characters of Kuzushiji-MNIST (gzipped), if the data folder has
 * them. */
static void a_real_file_reads(void **state)
{
    (void)state;
    char path[512];
    data_or_skip("images/kmnist10k-valid-images-idx3-ubyte.gz", path,
                 sizeof path);
    cs_idx idx;
    cs_error err = {0};
    cs_status s = cs_idx_read(path, &idx, &err);
    if (s == CS_UNSUPPORTED)
        skip(); /* built without zlib */
    if (s)
        fail_msg("%s", err.what);
    assert_int_equal(idx.sizes, 3);
    assert_int_equal(idx.row, 784);
    cs_idx_free(&idx);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(images_have_their_rows),
    cmocka_unit_test(all_types_of_number_are_read),
    cmocka_unit_test(images_of_floats_are_no_levels),
    cmocka_unit_test(images_of_bits_are_black_and_white),
    cmocka_unit_test(broken_files_are_refused),
    cmocka_unit_test(a_missing_file_is_said_to_be_missing),
    cmocka_unit_test(a_real_file_reads),
};
TESTS(test_idx)
