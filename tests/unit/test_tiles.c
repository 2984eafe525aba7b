/* Tests that draws in tiles (run/draws/tiles.c) have the figures of draws in
 * rows, and that a run whose files are read once never goes back. */
#include "support/support.h"

#include "base/flat.h"
#include "run/arms/limits.h"
#include "run/draws/each_draw.h"
#include "run/draws/recall.h"
#include "run/draws/tiles.h"
#include "run/recorded_open.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/views/reports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Draws that need more than the 64 MiB from which a file is used, and whose
 * number is not a multiple of the rows of a tile. */
enum { CHAINS = 4, COLUMNS = 60, ROWS = 36000, SHORT = 35001 };

typedef struct source {
    uint64_t rows, seed;
} source;

static double number(const source *s, uint64_t i, size_t k)
{
    uint64_t x = (s->seed * 1000003 + i) * 257 + k;
    x = (x ^ x >> 31) * UINT64_C(0x7fb5d329728ea185);
    x = (x ^ x >> 27) * UINT64_C(0x81dadef4bc2dd44d);
    return (double)(x >> 44) / 1024;
}

static cs_recorded_state read_row(void *self, uint64_t i, double *row)
{
    const source *s = self;
    if (i >= s->rows)
        return CS_RECORDED_ENDED;
    for (size_t k = 0; k < COLUMNS; k++)
        row[k] = number(s, i, k);
    return CS_RECORDED;
}

/* Opens a run of the sources and reads them to the end. A limit that grows while
 * draws are read once is ignored: there is no room for them in the file. */
static cs_run *read_all(source *of, bool once)
{
    static char text[COLUMNS][8];
    const char *name[COLUMNS];
    void *self[CHAINS];
    cs_run *run;
    cs_error err;
    uint64_t done;
    for (size_t k = 0; k < COLUMNS; k++) {
        snprintf(text[k], sizeof text[k], k ? "x.%zu" : "lp__", k);
        name[k] = text[k];
    }
    for (size_t c = 0; c < CHAINS; c++)
        self[c] = &of[c];
    const cs_recorded_arm arm = {.name = "draws",
                                 .column = name,
                                 .columns = COLUMNS,
                                 .chains = CHAINS,
                                 .read = read_row,
                                 .of = self};
    assert_int_equal(cs_recorded_open(&run, &arm, 1, "model", 1, &err), CS_OK);
    if (once)
        cs_run_read_once(run);
    cs_run_limit(run, 0, ROWS, true);
    assert_int_equal(cs_run_advance(run, ROWS / 2, &done, &err), CS_OK);
    assert_int_equal(done, ROWS / 2);
    if (once)
        cs_run_limit(run, 0, 2 * ROWS, true);
    assert_int_equal(cs_run_advance(run, 2 * ROWS, &done, &err), CS_OK);
    assert_int_equal(done, ROWS - ROWS / 2);
    return run;
}

static void have_equal_reports(cs_run *a, cs_run *b)
{
    enum { BYTES = 1 << 20 };
    static uint64_t memory[2][BYTES / 8];
    cs_flat one, two;
    cs_flat_begin(&one, memory[0], BYTES);
    cs_flat_begin(&two, memory[1], BYTES);
    cs_run_report(a, &one);
    cs_run_report(b, &two);
    assert_true(!one.full && one.used > COLUMNS * 64);
    assert_int_equal(one.used, two.used);
    assert_memory_equal(one.base, two.base, one.used);
}

/* Sums all draws, with a weight that depends on the order. */
typedef struct total {
    double sum;
    size_t n;
} total;

static bool add_draw(void *self, size_t chain, double weight, const double *x)
{
    total *t = self;
    for (size_t k = 0; k < COLUMNS; k++)
        t->sum += x[k] * weight * (double)(1 + (t->n++ + chain) % 7);
    return true;
}

static double sum_of_draws(cs_run *run)
{
    total t = {0, 0};
    size_t columns;
    cs_error err;
    assert_int_equal(cs_run_each_draw(run, 0, add_draw, &t, &columns, &err),
                     CS_OK);
    assert_int_equal(columns, COLUMNS - 1);
    assert_int_equal(t.n % COLUMNS, 0);
    return t.sum;
}

static void tiles_have_the_figures_of_rows(void **state)
{
    cs_error err;
    (void)state;
    for (int uneven = 0; uneven < 2; uneven++) {
        source of[CHAINS] = {{ROWS, 1}, {ROWS, 2}, {ROWS, 3}, {ROWS, 4}};
        if (uneven)
            of[2].rows = SHORT;
        cs_run *rows = read_all(of, false), *tiles = read_all(of, true);
        have_equal_reports(rows, tiles);
        assert_true(sum_of_draws(rows) == sum_of_draws(tiles));
        assert_true(cs_run_quantile(rows, 0, 7, NULL, 0.3) ==
                    cs_run_quantile(tiles, 0, 7, NULL, 0.3));
        assert_int_equal(cs_run_rewind(tiles, 10, &err), CS_UNSUPPORTED);
        assert_non_null(strstr(err.what, "cannot go back"));
        cs_run_destroy(rows);
        cs_run_destroy(tiles);
    }
}

/* A tile is read back whole, in part, and from the window. */
static void columns_and_rows_come_back(void **state)
{
    enum { WIDTH = 5, N = 1300 };
    static double x[N], rows[512 * WIDTH], scratch[512 * WIDTH];
    cs_tiles *t = cs_tiles_new(2, WIDTH, N);
    (void)state;
    assert_non_null(t);
    assert_int_equal(t->height, 512);
    for (size_t i = 0; i < N; i++) {
        if (i % 100 == 0)
            cs_tiles_store(t, i);
        for (size_t c = 0; c < 2; c++)
            for (size_t k = 0; k < WIDTH; k++)
                t->window[(c * t->room + i - t->stored) * WIDTH + k] =
                    k == 0 && i == 77 ? HUGE_VAL
                                      : (double)(c * 100000 + i * 10 + k);
    }
    for (size_t from = 0; from < N; from += 433) {
        cs_tiles_column(t, 1, 3, from, N - from, x);
        for (size_t i = from; i < N; i++)
            assert_true(x[i - from] == (double)(100000 + i * 10 + 3));
    }
    for (size_t i = 0; i < N; i += 511) {
        size_t first = i / 512 * 512;
        cs_tiles_rows(t, 0, i, scratch, rows);
        for (size_t k = 0; k < WIDTH; k++)
            assert_true(rows[(i - first) * WIDTH + k] ==
                        (i == 77 && !k ? HUGE_VAL : (double)(i * 10 + k)));
    }
    assert_int_equal(cs_tiles_draws(t, 0, N), N - 1);
    cs_tiles_free(t);
}

/* After a failed write the file lacks draws, and reading it succeeds. */
static void a_failed_write_makes_draws_nan(void **state)
{
    enum { N = 1024 };
    static double x[N], rows[512], scratch[512];
    cs_tiles *t = cs_tiles_new(1, 1, N);
    (void)state;
    assert_non_null(t);
    for (size_t i = 0; i < N; i++)
        t->window[i] = 1;
    t->file.in_file = false; /* the write fails */
    cs_tiles_store(t, 512);
    t->file.in_file = true;
    cs_tiles_column(t, 0, 0, 0, N, x);
    cs_tiles_rows(t, 0, 0, scratch, rows);
    for (size_t i = 0; i < 512; i++)
        assert_true(isnan(x[i]) && isnan(rows[i]) && x[512 + i] == 1);
    cs_tiles_free(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(columns_and_rows_come_back),
    cmocka_unit_test(a_failed_write_makes_draws_nan),
    cmocka_unit_test(tiles_have_the_figures_of_rows),
};
TESTS(test_tiles)
