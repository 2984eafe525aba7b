/* Tests a session that watches a run written by another process. The test
 * itself writes the files, line by line. */
#include "support/cost.h"
#include "watching.h"

static void test_growing(void **state)
{
    cs_client *c = *state;
    size_t used;
    cs_flat_entry e;
    head("a_1.csv", "a", 1, columns);
    open_it(c);
    see(c, "waiting", 0, &used);
    append("a_1.csv", "-1,0.5,0.2"); /* half of a row */
    rows("b.txt", 0, 5);             /* a second file */
    append("a_1.csv", "5,1\n");
    const unsigned char *base = see(c, "waiting", 1, &used);
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    assert_true(e.data[0] == 0.25 && e.data[1] == 1);
    assert_true(number(base, used, "look/at") == 0);
    rows("a_1.csv", 1, 200);
    base = see(c, "waiting", 200, &used);
    assert_true(cs_flat_find(base, used, &e, "run/target"));
    assert_string_equal(e.text, "banana");
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    assert_true(e.data[0] == 199);
    assert_true(number(base, used, "arm/0/evaluations") == 0);
    /* Rewinds to an earlier row, and then runs forward again. */
    obeyed(c, "rewind to 20");
    base = see(c, "paused", 20, &used);
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    assert_true(e.data[0] == 19);
    rows("a_1.csv", 200, 300); /* no rows follow until the session waits */
    obeyed(c, "run");
    base = see(c, "waiting", 300, &used);
    append("a_1.csv", "# \n#  Elapsed Time: 1 seconds (Warm-up)\n");
    see(c, "done", 300, &used);
    hear(c, "has ended");
}

/* Tests chains and arms that appear later, a chain that has fewer draws than
 * the others, and a chain that stopped. */
static void test_chains(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 50);
    open_it(c);
    const unsigned char *base = see(c, "waiting", 50, &used);
    assert_true(number(base, used, "arm/0/chains") == 1);
    head("a_2.csv", "a", 2, columns);
    rows("a_2.csv", 0, 30);
    base = see(c, "waiting", 30, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
    rows("a_1.csv", 50, 800);
    hear(c, "a_2.csv is left out until it has caught up");
    base = see(c, "waiting", 800, &used);
    assert_true(number(base, used, "arm/0/chains") == 1);
    rows("a_2.csv", 30, 700);
    base = see(c, "waiting", 700, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
    /* the columns are in another order, and there is one more column */
    head("b_1.csv", "b", 1, "lp__,z,x.2,x.1");
    append("b_1.csv", "-1,9,2,3\n");
    base = see(c, "waiting", 700, &used);
    while (number(base, used, "run/arms") != 2)
        base = see(c, "waiting", 700, &used);
    assert_true(number(base, used, "run/dim") == 2);
    assert_true(number(base, used, "arm/1/steps") == 1);
    append("a_1.csv", "#  Elapsed Time: 1\n");
    append("a_2.csv", "#  Elapsed Time: 1\n"); /* this chain stopped at step
                                                * 700 */
    append("b_1.csv", "#  Elapsed Time: 1\n");
    base = see(c, "done", 800, &used);
    assert_true(number(base, used, "arm/0/failed") == 1);
    hear(c, "the chain had stopped");
}

/* If a run is resumed, its files are truncated. If a run is started again from
 * the beginning, the session treats it as a new run. */
static void test_cut(void **state)
{
    cs_client *c = *state;
    size_t used;
    cs_flat_entry e;
    char path[256];
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 100);
    open_it(c);
    see(c, "waiting", 100, &used);
    path_of("a_1.csv", path);
    assert_int_equal(truncate(path, 400), 0); /* in the middle of a row */
    hear(c, "was truncated");
    append("a_1.csv", "\n");
    assert_int_equal(unlink(path), 0);
    hear(c, "has no files of draws");
    head("a_1.csv", "a", 1, columns);
    append("a_1.csv", "-1,1,42,42\n");
    hear(c, "the folder is read again");
    const unsigned char *base = see(c, "waiting", 1, &used);
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    assert_true(e.data[0] == 42);
}

static void test_bad_rows(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    append("a_1.csv", "1,2,3\n");
    rows("a_1.csv", 11, 20);
    open_it(c);
    hear(c, "line 17 is damaged: it has 3 fields, but the header has 4; "
            "nothing after "
            "it is shown");
    see(c, "done", 10, &used);
    head("c_1.csv", "c", 1, columns);
    append("c_1.csv", "-1,1,x,1\n-1,1,2,1\n");
    hear(c, "row 1 of its file cannot be read");
    hear(c, "c_1.csv: row 1 of its draws has a value that is not a number");
}

/* Writes a file of draws with a header in CmdStan's format. */
static void stan(const char *file, const char *method, const char *id,
                 int first)
{
    append(file, "# model = toy\n# method = %s\n# id = %s\nlp__,mu\n", method,
           id);
    for (int i = first; i < first + 100; i++)
        append(file, "-1,%d\n", i);
}

/* Two chains that were started separately may both have the number 1. The
 * session counts them as two chains unless the draws of both chains are equal.
 * If a table comes from a method without chains, it is refused, and the message
 * names the method. If chains have unequal lengths, only the first draws of the
 * longer chains are used, and this is reported. */
static void test_of_others(void **state)
{
    cs_client *c = *state;
    size_t used;
    char path[256];
    stan("toy-1.csv", "sample (Default)", "1", 0);
    stan("toy-2.csv", "sample (Default)", "1", 7);
    open_it(c);
    const unsigned char *base = see(c, "waiting", 100, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
    append("toy-1.csv", "-1,1\n-1,1\n-1,1\n-1,1\n-1,1\n-1,1\n-1,1\n-1,1\n"
                        "-1,1\n-1,1\n-1,1\n-1,1\n-1,1\n-1,1\n-1,1\n-1,1\n");
    hear(c, "toy-2.csv: the chains have from 100 to 116 draws: "
            "the results use the first 100 of each chain");
    stan("toy-3.csv", "variational", "1", 50);
    hear(c, "its method is variational, not sample");
    path_of("toy-3.csv", path);
    assert_int_equal(unlink(path), 0);
    stan("toy-3.csv", "sample (Default)", "1", 0);
    hear(c, "one chain, written twice");
}

/* Tests a run in several parts. Each part has a folder of its own, and the
 * folders appear one after another. */
static void test_parts(void **state)
{
    cs_client *c = *state;
    size_t used;
    char path[256];
    path_of("1", path);
    assert_int_equal(mkdir(path, 0777), 0);
    head("1/a_1.csv", "a", 1, columns);
    rows("1/a_1.csv", 0, 20);
    open_it(c);
    see(c, "waiting", 20, &used);
    path_of("2", path);
    assert_int_equal(mkdir(path, 0777), 0);
    head("2/a_2.csv", "a", 2, columns);
    rows("2/a_2.csv", 0, 25);
    hear(c, "a_2.csv has appeared");
    const unsigned char *base = see(c, "waiting", 20, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
    append("2/lock", "1\n"); /* no process holds the lock */
    hear(c, "/2 has died");
    /* A chain appears a second time, as if two folders had been merged. */
    path_of("3", path);
    assert_int_equal(mkdir(path, 0777), 0);
    head("3/a_2.csv", "a", 2, columns);
    rows("3/a_2.csv", 0, 25);
    hear(c, "one chain, written twice");
}

static void test_refused(void **state)
{
    cs_client *c = *state;
    size_t used;
    refuses_it(c, "has no files of draws");
    append("t.csv", "x,y\n1,2\n");
    refuses_it(c, "its first column is x");
    append("u.csv", "# model = a\nlp__");
    refuses_it(c, "is not a file of draws");
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 5);
    append("b_1.csv", "# model = plum\n# arm = b\nlp__,x.1\n1,1\n");
    refuses_it(c, "are from different models");
    append("b_1.csv", "2,2\n");
    char path[256];
    path_of("b_1.csv", path);
    assert_int_equal(unlink(path), 0);
    head("b_1.csv", "b", 1, "lp__,y");
    refuses_it(c, "the files have no variable in common");
    assert_int_equal(unlink(path), 0);
    open_it(c);
    see(c, "waiting", 5, &used);
    refused(c, "set a.step=1", "these draws are read from");
    refused(c, "arm add mala", "these draws are read from");
    refused(c, "out somewhere", "these draws are read from");
    refused(c, "logp", "only reads draws");
    refused(c, "open /nowhere", "cannot be read");
}

static void test_idle(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 500);
    append("lock", "1\n"); /* no process holds the lock; this is checked once */
    open_it(c);
    see(c, "waiting", 500, &used);
    hear(c, "has died");
    double before = cost_of_children();
    cost_spin(0.5);
    double spent = cost_of_children() - before;
    if (spent > 0.1)
        fail_msg("%g s while no file grows, and 0.5 s of a loop", spent);
    rows("a_1.csv", 500, 501); /* the session still reads new rows */
    see(c, "waiting", 501, &used);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_growing, start, end),
    cmocka_unit_test_setup_teardown(test_chains, start, end),
    cmocka_unit_test_setup_teardown(test_cut, start, end),
    cmocka_unit_test_setup_teardown(test_bad_rows, start, end),
    cmocka_unit_test_setup_teardown(test_of_others, start, end),
    cmocka_unit_test_setup_teardown(test_parts, start, end),
    cmocka_unit_test_setup_teardown(test_refused, start, end),
    cmocka_unit_test_setup_teardown(test_idle, start, end),
};
TESTS(test_watch)
