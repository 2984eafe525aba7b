/* Tests a reader of a growing file. It returns the rows that were written, for
 * any order in which rows are read. */
#include "support/support.h"

#include "io/tail.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 300 };

static void test_rows_in_any_order(void **state)
{
    (void)state;
    static const uint64_t order[] = {0,   200, 10, 70,  129, 128, 63,
                                     299, 64,  65, 255, 256, 1,   192};
    char path[] = "/tmp/chainscope-tail-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    cs_tail *t;
    double row[2];
    assert_non_null(f);
    fputs("# model = m\n# arm = a\nlp__,x\n", f);
    for (int i = 0; i < ROWS; i++)
        fprintf(f, "-0.5,%d\n", i);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(cs_tail_open(&t, path, NULL), CS_OK);
    assert_int_equal(cs_tail_look(t), CS_TAIL_GREW);
    assert_int_equal(cs_tail_now(t).rows, ROWS);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        assert_true(cs_tail_row(t, order[k], row));
        assert_near(row[1], (double)order[k], 0, 0);
    }
    assert_false(cs_tail_row(t, ROWS, row));
    cs_tail_close(t);
    unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rows_in_any_order),
};
TESTS(test_tail)
