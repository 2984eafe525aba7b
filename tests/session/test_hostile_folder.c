/* Tests folders of draws that change in unusual ways while a session watches
 * them. The figures are computed from the current files, and changes are
 * reported. The session never hangs. */
#define _GNU_SOURCE /* renameat2 */
#include "support/cost.h"
#include "watching.h"

static void in_place(const char *name, long at, const char *text)
{
    char path[256];
    path_of(name, path);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, text, strlen(text), at), strlen(text));
    assert_int_equal(close(fd), 0);
}

static double shown_x(const unsigned char *base, size_t used, int k)
{
    cs_flat_entry e;
    assert_true(cs_flat_find(base, used, &e, "look/x"));
    return e.data[k];
}

/* Removes the folder. Puts a file of another program in its place, and later
 * another folder. */
static void test_folder_replaced(void **state)
{
    cs_client *c = *state;
    size_t used;
    char other[280], old[280];
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    see(c, "waiting", 10, &used);
    snprintf(old, sizeof old, "%s.old", folder);
    snprintf(other, sizeof other, "%s.lua", folder);
    assert_int_equal(rename(folder, old), 0);
    hear(c, "is gone");
    FILE *f = fopen(folder, "we"); /* a script that must not be run */
    assert_non_null(f);
    fprintf(f, "io.open('%s', 'w'):close()\n", other);
    assert_int_equal(fclose(f), 0);
    refused(c, "restart", "is not a folder");
    cost_spin(0.2);
    assert_int_not_equal(access(other, F_OK), 0);
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(mkdir(folder, 0777), 0);
    head("b_1.csv", "b", 1, columns);
    append("b_1.csv", "-1,1,42,42\n");
    const unsigned char *base = see(c, "waiting", 1, &used);
    assert_true(shown_x(base, used, 0) == 42);
    /* another folder takes the place of this folder, in one atomic exchange */
    assert_int_equal(
        renameat2(AT_FDCWD, old, AT_FDCWD, folder, RENAME_EXCHANGE), 0);
    see(c, "waiting", 10, &used);
    hear(c, "was replaced by another folder");
    char line[300];
    snprintf(line, sizeof line, "rm -rf '%s'", old);
    assert_int_equal(system(line), 0);
}

/* Replaces a file first by objects that are not regular files, and then by a
 * valid file. */
static void test_file_replaced(void **state)
{
    cs_client *c = *state;
    size_t used;
    char path[256], link_to[256];
    static const char *const said_of[] = {
        "a_1.csv is not a regular file", "a_1.csv is a folder",
        "a_1.csv is a link to itself", "a_1.csv is a link to a missing file",
        "a_1.csv is not a regular file"};
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    see(c, "waiting", 10, &used);
    path_of("a_1.csv", path);
    path_of("b.txt", link_to);
    for (size_t i = 0; i < sizeof said_of / sizeof *said_of; i++) {
        assert_int_equal(remove(path), 0);
        int made = i == 0   ? mkfifo(path, 0666)
                   : i == 1 ? mkdir(path, 0777)
                   : i == 2 ? symlink("a_1.csv", path)
                   : i == 3 ? symlink("nowhere", path)
                            : symlink("/dev/zero", path);
        assert_int_equal(made, 0);
        hear(c, said_of[i]);
        assert_int_equal(remove(path), 0);
        head("a_1.csv", "a", 1, columns);
        rows("a_1.csv", 0, 20 + (int)i);
        see(c, "waiting", 20 + (double)i, &used);
    }
    /* A link to a file of draws outside of the folder is followed. */
    head("b.txt", "a", 1, columns);
    rows("b.txt", 0, 5);
    assert_int_equal(remove(path), 0);
    assert_int_equal(symlink("b.txt", path), 0);
    see(c, "waiting", 5, &used);
}

/* Files without draws later become files of draws. */
static void test_become_draws(void **state)
{
    cs_client *c = *state;
    size_t used;
    char path[256];
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    append("a_2.csv", "x,y\n1,2\n");
    path_of("a_3.csv", path);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    assert_int_equal(ftruncate(fd, (off_t)10 << 30), 0); /* 10 GB of zeros */
    assert_int_equal(close(fd), 0);
    path_of("a_4.csv", path);
    assert_int_equal(mkfifo(path, 0666), 0);
    open_it(c);
    see(c, "waiting", 10, &used);
    hear(c, "a_4.csv is not a regular file: it is left out");
    for (int k = 2; k <= 4; k++) {
        char name[] = "a_0.csv";
        name[2] = (char)('0' + k);
        away(name);
        head(name, "a", k, columns);
        rows(name, 0, 10 + k);
        while (number(see(c, "waiting", 10, &used), used, "arm/0/chains") != k)
            continue;
    }
    /* A crash may leave zeros after the last row. A resumed run removes these
     * zeros. */
    path_of("a_1.csv", path);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size + 100), 0);
    append("a_1.csv", "\n");
    hear(c, "contains a zero byte");
    assert_int_equal(truncate(path, about.st_size), 0);
    rows("a_1.csv", 10, 12);
    see(c, "waiting", 12, &used);
}

/* A file is overwritten in place, and receives a second header. No figure is
 * ever computed from a wrong column or a wrong file. */
static void test_written_over(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    const unsigned char *base = see(c, "waiting", 10, &used);
    assert_true(shown_x(base, used, 0) == 9);
    in_place("a_1.csv", 10, "orange");
    hear(c, "was truncated or replaced");
    away("a_1.csv");
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 30);
    see(c, "waiting", 30, &used);
    append("a_1.csv", "lp__,accept_stat__,x.1,x.2\n-1,1,7,8\n"); /* a second
                                                                  * header in the
                                                                  * file */
    base = see(c, "waiting", 31, &used);
    assert_true(shown_x(base, used, 0) == 7);
    append("a_1.csv", "lp__,accept_stat__,x.2,x.1\n-1,1,1,2\n");
    base = see(c, "done", 31, &used);
    assert_true(shown_x(base, used, 0) == 7);
    hear(c, "differs from the first header");
}

/* Two chains of an arm have different columns. One chain has more columns than
 * the other, or the chains have their columns in different orders. */
static void test_other_columns(void **state)
{
    cs_client *c = *state;
    size_t used;
    char wide[20000] = "lp__,accept_stat__,x.1,x.2";
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    for (size_t n = strlen(wide); n + 3 < sizeof wide; n += 2)
        memcpy(wide + n, ",y", 3);
    head("a_2.csv", "a", 2, wide);
    refuses_it(c, "are chains of one arm with different columns");
    away("a_2.csv");
    open_it(c);
    see(c, "waiting", 10, &used);
    head("a_2.csv", "a", 2, "lp__,accept_stat__,x.2,x.1");
    rows("a_2.csv", 0, 20);
    hear(c, "are chains of one arm with different columns");
    away("a_2.csv");
    head("a_2.csv", "a", 2, columns);
    rows("a_2.csv", 0, 20);
    hear(c, "the folder is read again");
    const unsigned char *base = see(c, "waiting", 10, &used);
    assert_true(number(base, used, "arm/0/chains") == 2);
}

/* While the session has no other work, it occasionally tries again to open a
 * folder that could not be opened. */
static void test_lost_idle(void **state)
{
    cs_client *c = *state;
    size_t used;
    head("a_1.csv", "a", 1, columns);
    rows("a_1.csv", 0, 10);
    open_it(c);
    see(c, "waiting", 10, &used);
    away("a_1.csv");
    hear(c, "has no files of draws");
    usleep(3200000); /* by now the session looks for processes that write the
                      * files */
    double woken = cost_wakes_of_children(), from = cs_clock();
    usleep(1000000);
    double rate = (cost_wakes_of_children() - woken) / (cs_clock() - from);
    if (rate > 20)
        fail_msg("%g wakes per second while nothing changes", rate);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_folder_replaced, start, end),
    cmocka_unit_test_setup_teardown(test_file_replaced, start, end),
    cmocka_unit_test_setup_teardown(test_become_draws, start, end),
    cmocka_unit_test_setup_teardown(test_written_over, start, end),
    cmocka_unit_test_setup_teardown(test_other_columns, start, end),
    cmocka_unit_test_setup_teardown(test_lost_idle, start, end),
};
TESTS(test_hostile_folder)
