/* Tests the temporary files in the folder of a file that is being written. Old
 * temporary files are removed when this file is written again. No other file is
 * removed. */
#include "support/support.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/gate.h"
#include "files/replace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/chainscope-replace-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][200];
    static size_t next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static void leave(const char *name)
{
    assert_int_equal(cs_file_create(in_folder(name), "", 0, NULL), CS_OK);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_what_is_left_is_removed(void **state)
{
    (void)state;
    static const char *const others[] = {
        ".b.0123456789abcdef.aside", ".a.b.0123456789abcdef.aside",
        ".a.0123456789abcdeX.aside", ".a.0123456789abcdef.asid",
        "a.0123456789abcdef.aside"};
    size_t n = sizeof others / sizeof *others;
    for (size_t i = 0; i < n; i++)
        leave(others[i]);
    leave(".a.0123456789abcdef.aside");
    leave(".a.fedcba9876543210.aside");
    assert_int_equal(cs_file_replace(in_folder("a"), "x", 1, NULL), CS_OK);
    assert_false(is_there(in_folder(".a.0123456789abcdef.aside")));
    assert_false(is_there(in_folder(".a.fedcba9876543210.aside")));
    for (size_t i = 0; i < n; i++) {
        assert_true(is_there(in_folder(others[i])));
        unlink(in_folder(others[i]));
    }
}

/* If two writers write to one file name at the same time, the file has the
 * contents of the writer that ended last. */
static void test_what_is_written_stays(void **state)
{
    (void)state;
    cs_replace one, two;
    unsigned char *text;
    size_t size;
    assert_int_equal(cs_replace_begin(&one, in_folder("a"), NULL), CS_OK);
    assert_int_equal(cs_replace_begin(&two, in_folder("a"), NULL), CS_OK);
    assert_true(is_there(one.beside) && is_there(two.beside));
    assert_true(cs_gate_write(one.fd, "one", 3));
    assert_true(cs_gate_write(two.fd, "two", 3));
    assert_int_equal(cs_replace_end(&one, true, NULL), CS_OK);
    assert_int_equal(cs_replace_end(&two, true, NULL), CS_OK);
    assert_int_equal(cs_file_read(in_folder("a"), 9, &text, &size, NULL),
                     CS_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(text, "two", 3);
    cs_free(text);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(in_folder("a"));
    return rmdir(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_is_left_is_removed),
    cmocka_unit_test(test_what_is_written_stays),
};
TESTS_WITH(test_replace, make_folder, remove_folder)
