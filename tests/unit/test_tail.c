/* Tests a reader of a growing file. It returns the rows that were written, for
 * any order in which rows are read. */
#include "support/support.h"

#include "io/cmdstan.h"
#include "io/tail.h"

#include <math.h>
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

/* ---- rows of doubles ----------------------------------------------------- */

enum { COLUMNS = 3, MANY = 5000 };

static double number_at(uint64_t i, size_t k)
{
    static const double special[] = {(double)NAN, HUGE_VAL, -HUGE_VAL,
                                     -0.0,        5e-324,   1.0 / 3};
    return i % 7 ? special[(i + k) % 6] * (double)(i % 5) : (double)i;
}

static void is_row(uint64_t i, const double *row)
{
    for (size_t k = 0; k < COLUMNS; k++) {
        double want = number_at(i, k);
        assert_memory_equal(&row[k], &want, sizeof want);
    }
}

static void take_row(void *self, uint64_t i, const double *row)
{
    is_row(i, row);
    ++*(uint64_t *)self;
}

static cs_cmdstan *write_binary(const char *path)
{
    static const char *const names[] = {"lp__", "x", "a_long_name"};
    const cs_cmdstan_spec spec = {.path = path,
                                  .model = "m",
                                  .algorithm = "imported",
                                  .arm = "a",
                                  .id = 1,
                                  .thin = 1,
                                  .binary = true,
                                  .name = names,
                                  .columns = COLUMNS,
                                  .gather = 1000};
    cs_cmdstan *to;
    assert_int_equal(cs_cmdstan_create(&to, &spec, NULL, NULL), CS_OK);
    for (uint64_t i = 0; i < MANY; i++) {
        double row[COLUMNS];
        for (size_t k = 0; k < COLUMNS; k++)
            row[k] = number_at(i, k);
        assert_int_equal(cs_cmdstan_rows(to, row, 1, NULL), CS_OK);
    }
    return to;
}

/* The rows have the bits that were written, in any order, and the file has ended
 * once it is complete. */
static void test_rows_of_doubles(void **state)
{
    (void)state;
    static const uint64_t order[] = {0, 4999, 1, 2000, 1999, 2001, 4998, 3};
    char path[] = "/tmp/chainscope-tail-XXXXXX";
    cs_cmdstan_mark mark;
    cs_tail *t;
    double row[COLUMNS];
    uint64_t rows = 0;
    assert_true(mkstemp(path) >= 0);
    cs_cmdstan *to = write_binary(path);
    assert_int_equal(cs_cmdstan_flush(to, &mark, NULL), CS_OK);
    for (int whole = 0; whole < 2; whole++) {
        if (whole)
            assert_int_equal(cs_cmdstan_finish(to, 5, MANY + 5, 1, NULL),
                             CS_OK);
        assert_int_equal(cs_tail_open(&t, path, NULL), CS_OK);
        assert_int_equal(cs_tail_look(t), CS_TAIL_GREW);
        assert_int_equal(cs_tail_now(t).rows, MANY);
        assert_int_equal(cs_tail_now(t).ended, whole);
        for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
            assert_true(cs_tail_row(t, order[k], row));
            is_row(order[k], row);
        }
        for (uint64_t i = 0; i < MANY; i++) {
            assert_true(cs_tail_row(t, i, row));
            is_row(i, row);
        }
        assert_false(cs_tail_row(t, MANY, row));
        cs_tail_close(t);
    }
    cs_cmdstan_destroy(to);
    assert_int_equal(
        cs_cmdstan_read(path, NULL, COLUMNS, take_row, &rows, NULL), CS_OK);
    assert_int_equal(rows, MANY);
    unlink(path);
}

static void count_row(void *self, uint64_t i, const double *row)
{
    assert_true(row[1] == (double)i);
    ++*(uint64_t *)self;
}

/* The comment that announces rows of doubles belongs to the header: after it, it
 * is a comment like any other. */
static void test_comment_between_rows(void **state)
{
    (void)state;
    char path[] = "/tmp/chainscope-tail-XXXXXX";
    cs_tail *t;
    uint64_t rows = 0;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *to = fdopen(fd, "w");
    fputs("# model = m\nlp__,x,y\n-1,0,2\n" CS_CMDSTAN_BINARY
          "\n-1,1,2\n-1,2,2\n",
          to);
    fclose(to);
    assert_int_equal(cs_tail_open(&t, path, NULL), CS_OK);
    assert_int_equal(cs_tail_look(t), CS_TAIL_GREW);
    assert_int_equal(cs_tail_now(t).rows, 3);
    cs_tail_close(t);
    assert_int_equal(cs_cmdstan_read(path, NULL, 3, count_row, &rows, NULL),
                     CS_OK);
    assert_int_equal(rows, 3);
    unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_comment_between_rows),
    cmocka_unit_test(test_rows_of_doubles),
    cmocka_unit_test(test_rows_in_any_order),
};
TESTS(test_tail)
