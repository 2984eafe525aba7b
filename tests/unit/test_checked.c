/* Tests the list of earlier verdicts of `check` on scenarios. */
#include "support/support.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/gate.h"
#include "io/checked.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/chainscope_checked_XXXXXX";

static int begin(void **state)
{
    (void)state;
    return !mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1) != 0;
}

static int end(void **state)
{
    (void)state;
    char line[128];
    cs_gate_fail_at(0, 0, false);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    int gone = system(line);
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return gone;
}

static cs_checked find(uint64_t key)
{
    cs_checked out;
    char *list = cs_checked_read();
    cs_checked_find(list, key, &out);
    cs_free(list);
    return out;
}

static const cs_checked two = {
    .whole = true,
    .n = 2,
    .of = {{.arm = "a b", .held = "again record"}, {.arm = "-", .held = ""}}};

static void what_is_kept_is_found_again(void **state)
{
    (void)state;
    cs_checked bad = {.n = 1, .of = {{.arm = "", .broken = "gradient"}}};
    assert_int_equal(find(7).n, 0);
    assert_int_equal(cs_checked_keep(7, &two, NULL), CS_OK);
    assert_int_equal(cs_checked_keep(8, &bad, NULL), CS_OK);
    cs_checked got = find(7);
    assert_memory_equal(&got, &two, sizeof got);
    assert_int_equal(cs_checked_badge(&got), CS_BADGE_HELD);
    got = find(8);
    assert_memory_equal(&got, &bad, sizeof got);
    assert_int_equal(cs_checked_badge(&got), CS_BADGE_BROKEN);
    assert_int_equal(cs_checked_keep(7, &bad, NULL), CS_OK);
    got = find(7);
    assert_memory_equal(&got, &bad, sizeof got);
    got = find(9);
    assert_int_equal(cs_checked_badge(&got), CS_BADGE_NONE);
}

static void a_part_of_the_laws_is_no_badge(void **state)
{
    (void)state;
    cs_checked some = two;
    some.whole = false;
    assert_int_equal(cs_checked_badge(&some), CS_BADGE_NONE);
    snprintf(some.of[1].broken, sizeof some.of[1].broken, "reach");
    assert_int_equal(cs_checked_badge(&some), CS_BADGE_BROKEN);
}

/* The key of a verdict depends on the text of the scenario and on the settings
 * that the laws use, but not on the seed. */
static void a_key_is_of_what_is_checked(void **state)
{
    (void)state;
    const char *set[] = {"a.step=1", "seed=4"}, *seed[] = {"seed=5"};
    uint64_t key = cs_checked_key("text", 4, NULL, 0);
    assert_true(cs_checked_key("texts", 5, NULL, 0) != key);
    assert_true(cs_checked_key("text", 4, set, 1) != key);
    assert_true(cs_checked_key("text", 4, set, 2) ==
                cs_checked_key("text", 4, set, 1));
    assert_true(cs_checked_key("text", 4, seed, 1) == key);
}

static void a_damaged_list_says_nothing_wrong(void **state)
{
    (void)state;
    static const char *const list[] = {"",
                                       "\n\n",
                                       "0000000000000007",
                                       "0000000000000007 ",
                                       "0000000000000007 whole",
                                       "0000000000000007 whole - again",
                                       "0000000000000007 whole - again a",
                                       "000000000000000x whole - again a\n"};
    cs_checked got;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        cs_checked_find(list[i], 7, &got);
        assert_int_equal(got.n, 0);
    }
    char many[4096] = "";
    for (int i = 0; i < 40; i++)
        strcat(many, "0000000000000007 whole reach again,record arm\n");
    cs_checked_find(many, 7, &got);
    assert_int_equal(got.n, CS_CHECKED_ARMS + 1);
}

static void what_cannot_be_written_stays(void **state)
{
    (void)state;
    cs_error err;
    assert_int_equal(cs_checked_keep(7, &two, NULL), CS_OK);
    cs_gate_fail_at(1, ENOSPC, true);
    assert_int_not_equal(cs_checked_keep(8, &two, &err), CS_OK);
    cs_gate_fail_at(0, 0, false);
    assert_int_equal(find(7).n, 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(what_is_kept_is_found_again, begin, end),
    cmocka_unit_test(a_part_of_the_laws_is_no_badge),
    cmocka_unit_test(a_key_is_of_what_is_checked),
    cmocka_unit_test(a_damaged_list_says_nothing_wrong),
    cmocka_unit_test_setup_teardown(what_cannot_be_written_stays, begin, end),
};
TESTS(test_checked)
