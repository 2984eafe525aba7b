/* Tests the screen while it shows a run whose files grow. */
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static term t;
static char folder[] = "/tmp/chainscope-watch-XXXXXX";

static int stop(void **state)
{
    (void)state;
    char line[100];
    term_stop(&t);
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line);
}

static FILE *file(int chain, const char *how)
{
    char path[100];
    snprintf(path, sizeof path, "%s/walk_%d.csv", folder, chain);
    FILE *f = fopen(path, how);
    assert_non_null(f);
    return f;
}

static void rows(int chain, int first, int last)
{
    FILE *f = file(chain, "ae");
    for (int i = first; i < last; i++)
        fprintf(f, "-1,1,%d,%d\n", i, i * 37 % 101);
    assert_int_equal(fclose(f), 0);
}

static void head(int chain)
{
    FILE *f = file(chain, "we");
    fprintf(f, "# model = banana\n# id = %d\n# arm = walk\n", chain);
    fprintf(f, "lp__,accept_stat__,x.1,x.2\n");
    assert_int_equal(fclose(f), 0);
}

/* The screen follows the files. Space pauses the screen. While the screen waits
 * for new rows, keys work. */
static void test_growing_files(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (int chain = 1; chain <= 2; chain++) {
        head(chain);
        rows(chain, 0, 120);
    }
    term_chainscope(&t, 24, 80, "watch", folder, NULL);
    term_wait_line(&t, 0, "waiting  step 120");
    rows(1, 120, 150);
    rows(2, 120, 160);
    term_wait_line(&t, 0, "waiting  step 150");
    term_send(&t, " ");
    term_wait_line(&t, 0, "paused  step 150");
    rows(1, 150, 200);
    rows(2, 160, 200);
    term_send(&t, ",");
    term_wait_line(&t, 0, "paused  step 149");
    term_send(&t, ":set walk.step 1\r");
    term_wait(&t, "these draws are read from");
    term_send(&t, " ");
    term_wait_line(&t, 0, "waiting  step 200");
    for (int chain = 1; chain <= 2; chain++) {
        FILE *f = file(chain, "ae");
        fputs("# \n#  Elapsed Time: 1 seconds (Warm-up)\n", f);
        assert_int_equal(fclose(f), 0);
    }
    term_wait_line(&t, 0, "done  step 200");
    term_wait(&t, "the watched run has ended");
    term_send(&t, "QQ");
    if (term_end(&t) != 0)
        term_fail(&t, "left with status %#x", (unsigned)t.status);
    term_assert_clean(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_growing_files, stop),
};
TESTS(test_watch)
