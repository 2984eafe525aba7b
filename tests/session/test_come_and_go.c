/* Tests watching a folder in which files appear and disappear. The folder
 * contains more files than the session watches at one time. */
#include "watching.h"

/* Many files that appear and disappear do not affect the run. */
static void test_many(void **state)
{
    cs_client *c = *state;
    size_t used;
    char from[256], to[256];
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    see(c, "waiting", 10, &used);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 850; i++) {
            char name[32];
            snprintf(name, sizeof name, "r%d_%d.csv", round, i);
            path_of(name, from);
            int fd = open(from, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
            assert_int_equal(close(fd), 0);
        }
        rows("a_1.csv", 10 + round, 11 + round);
        see(c, "waiting", 11 + round, &used);
        for (int i = 0; i < 850; i++) {
            snprintf(to, sizeof to, "r%d_%d.csv", round, i);
            away(to);
        }
    }
    rows("a_1.csv", 15, 16);
    see(c, "waiting", 16, &used);
    assert_false(was_said("more than"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_many, start, end),
};
TESTS(test_come_and_go)
