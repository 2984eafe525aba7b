/* Tests the list of recently opened files. */
#include "support/support.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/gate.h"
#include "io/recent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/chainscope_recent_XXXXXX";
static cs_recent list;

static int begin(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder) != 0 ||
           setenv("XDG_STATE_HOME", folder, 1) != 0;
}

static int end(void **state)
{
    (void)state;
    char line[128];
    cs_gate_fail_at(0, 0, false);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    int gone = chdir("/") == 0 ? system(line) : -1;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return gone;
}

static void touch(const char *name)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fclose(f);
}

static void add(const char *name)
{
    assert_int_equal(cs_recent_add(name, NULL), CS_OK);
}

/* Compares the file names in the list, without their folder, with `want`. */
static void expect(const char *want)
{
    char got[4096] = "";
    cs_recent_read(&list);
    for (size_t i = 0; i < list.n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s",
                 i ? " " : "", strrchr(list.path[i], '/') + 1);
    assert_string_equal(got, want);
}

static void test_newest_first(void **state)
{
    (void)state;
    expect("");
    touch("a.lua");
    touch("b.lua");
    touch("c c.lua");
    add("a.lua");
    add("./b.lua");
    add("c c.lua");
    expect("c c.lua b.lua a.lua");
    assert_memory_equal(list.path[0], folder, strlen(folder)); /* the path is
                                                                * absolute */
    add("a.lua");
    expect("a.lua c c.lua b.lua");
    remove("c c.lua"); /* missing files are omitted */
    expect("a.lua b.lua");
    touch("d.lua");
    add("d.lua"); /* removes the missing file */
    touch("c c.lua");
    expect("d.lua a.lua b.lua");
    assert_int_not_equal(cs_recent_add("none.lua", NULL), CS_OK);
    expect("d.lua a.lua b.lua");
}

static void test_fifty(void **state)
{
    (void)state;
    char name[32];
    for (int i = 0; i < CS_RECENT + 7; i++) {
        snprintf(name, sizeof name, "%d.lua", i);
        touch(name);
        add(name);
    }
    cs_recent_read(&list);
    assert_int_equal(list.n, CS_RECENT);
    assert_string_equal(strrchr(list.path[0], '/'), "/56.lua");
    assert_string_equal(strrchr(list.path[CS_RECENT - 1], '/'), "/7.lua");
}

/* If programs open files at the same time, no entry is lost. */
static void test_at_once(void **state)
{
    (void)state;
    enum { PROGRAMS = 6, EACH = 8 };
    char name[32];
    for (int i = 0; i < PROGRAMS; i++)
        if (fork() == 0) {
            for (int k = 0; k < EACH; k++) {
                snprintf(name, sizeof name, "%d_%d.lua", i, k);
                touch(name);
                if (cs_recent_add(name, NULL))
                    _exit(1);
            }
            _exit(0);
        }
    for (int i = 0; i < PROGRAMS; i++) {
        int status;
        wait(&status);
        assert_int_equal(status, 0);
    }
    cs_recent_read(&list);
    assert_int_equal(list.n, PROGRAMS * EACH);
}

/* A full disk leaves the list unchanged. A corrupt list is read without
 * harm. */
static void test_trouble(void **state)
{
    (void)state;
    char text[CS_RECENT_PATH + 64];
    touch("a.lua");
    add("a.lua");
    touch("b.lua");
    cs_gate_fail_at(1, ENOSPC, true);
    assert_int_equal(cs_recent_add("b.lua", NULL), CS_IO);
    cs_gate_fail_at(0, 0, false);
    expect("a.lua");
    FILE *f = fopen("chainscope/recent", "w");
    memset(text, 'x', sizeof text);
    fprintf(f, "/%.*s\na.lua\n\n/etc\n%s/a.lua\n%s/a.lua", (int)sizeof text,
            text, folder, folder);
    fclose(f);
    cs_recent_read(&list);
    assert_int_equal(list.n, 2); /* /etc exists; opening it reports the error */
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const struct CMUnitTest tests[] = {
    TEST(test_newest_first),
    TEST(test_fifty),
    TEST(test_at_once),
    TEST(test_trouble),
};
TESTS(test_recent)
