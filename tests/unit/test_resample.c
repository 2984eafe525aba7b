/* Merges files of weighted draws. Tests the weight of each file. Also tests
 * which files remain after a failed allocation or a failed request to the
 * disk. */
#include "support/support.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/gate.h"
#include "io/cmdstan.h"
#include "io/resample.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILES = 3, ROWS = 60, COLUMNS = 3, DRAWS = 500 };
static char path[FILES][64], out[64], folder[] = "/tmp/resample.XXXXXX";
static const char *const paths[FILES] = {path[0], path[1], path[2]};

/* Returns the log weight of row i. The log weights of the files have different
 * spreads and levels, and some draws in the second file have weight 0. */
static double log_weight(size_t file, size_t i)
{
    if (file == 1 && i % 4 == 0)
        return -HUGE_VAL;
    return (double)(i % 7) * (double)file + 1000 * (double)file - 500;
}

static int setup(void **state)
{
    static const char *const name[COLUMNS] = {"lp__", "log_weight__", "x"};
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(out, sizeof out, "%s/out.csv", folder);
    for (size_t f = 0; f < FILES; f++) {
        cs_cmdstan *w;
        cs_cmdstan_spec spec = {.path = path[f],
                                .model = "m",
                                .algorithm = "a",
                                .arm = "arm",
                                .thin = 1,
                                .name = name,
                                .columns = COLUMNS};
        snprintf(path[f], sizeof path[f], "%s/arm_%zu.csv", folder, f + 1);
        assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, NULL), CS_OK);
        for (size_t i = 0; i < ROWS + 10 * f; i++) {
            const double row[] = {-(double)i, log_weight(f, i),
                                  1000 * (double)f + (double)i};
            assert_int_equal(cs_cmdstan_rows(w, row, 1, NULL), CS_OK);
        }
        assert_int_equal(cs_cmdstan_finish(w, 0, ROWS, 1, NULL), CS_OK);
        cs_cmdstan_destroy(w);
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t f = 0; f < FILES; f++)
        unlink(path[f]);
    unlink(out);
    return rmdir(folder);
}

static cs_resample job_of(uint64_t draws)
{
    return (cs_resample){
        .path = paths, .files = FILES, .out = out, .draws = draws, .seed = 9};
}

static void take(void *self, uint64_t i, const double *row)
{
    size_t(*count)[2 * ROWS] = self;
    size_t f = (size_t)row[1] / 1000, at = (size_t)row[1] % 1000;
    (void)i;
    assert_true(row[0] == -(double)at);
    count[f][at]++;
}

/* The share of each file is proportional to its number of rows. */
static void each_as_often_as_it_weighs(void **state)
{
    static size_t count[FILES][2 * ROWS];
    cs_resample job = job_of(DRAWS);
    cs_cmdstan_head head;
    (void)state;
    assert_int_equal(cs_resample_files(&job, NULL), CS_OK);
    assert_int_equal(job.had, 3 * ROWS + 30);
    assert_string_equal(job.arm, "arm");
    assert_int_equal(cs_cmdstan_head_read(out, &head, NULL), CS_OK);
    assert_int_equal(head.columns, COLUMNS - 1);
    assert_string_equal(head.name[1], "x");
    assert_string_equal(head.arm, "arm");
    cs_cmdstan_head_free(&head);
    assert_int_equal(cs_cmdstan_read(out, NULL, COLUMNS - 1, take, count, NULL),
                     CS_OK);
    size_t all = 0;
    for (size_t f = 0; f < FILES; f++) {
        size_t rows = ROWS + 10 * f;
        double sum = 0, chain = DRAWS * (double)rows / (double)job.had;
        for (size_t i = 0; i < rows; i++)
            sum += exp(log_weight(f, i) - log_weight(f, 6));
        for (size_t i = 0; i < rows; i++) {
            double w = exp(log_weight(f, i) - log_weight(f, 6)) / sum;
            assert_true(fabs((double)count[f][i] - chain * w) < 1);
            all += count[f][i];
        }
    }
    assert_int_equal(all, DRAWS);
    unlink(out);
}

/* Lets each allocation and each request to the disk fail in turn. The failure
 * is reported, and no file is left. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    for (int disk = 0; disk < 2; disk++) {
        unsigned long n = 1;
        cs_status status = CS_MEMORY;
        for (; status != CS_OK; n++) {
            cs_error err = {0};
            cs_resample job = job_of(DRAWS);
            assert_true(n < 200);
            if (disk)
                cs_gate_fail_at(n, ENOSPC, true);
            else
                cs_memory_fail_at(n, true);
            status = cs_resample_files(&job, &err);
            cs_memory_fail_at(0, false);
            cs_gate_fail_at(0, 0, false);
            if (status == CS_OK)
                continue;
            assert_true(err.what[0]);
            assert_int_not_equal(access(out, F_OK), 0);
        }
        assert_true(n > 3);
        unlink(out);
    }
}

static void the_random_number_is_its_own(void **state)
{
    (void)state;
    double sum = 0;
    for (uint64_t k = 0; k < 4000; k++)
        sum += cs_resample_uniform(k, 0, 0) / 12000 +
               cs_resample_uniform(1, k, 0) / 12000 +
               cs_resample_uniform(1, 0, k) / 12000;
    assert_near(sum, 0.5, 0, 0.02);
    assert_true(cs_resample_uniform(1, 2, 3) == cs_resample_uniform(1, 2, 3));
    assert_true(cs_resample_uniform(1, 2, 3) != cs_resample_uniform(1, 3, 2));
    assert_true(cs_resample_uniform(1, 2, 3) != cs_resample_uniform(2, 2, 3));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_as_often_as_it_weighs),
    cmocka_unit_test(failures_leave_nothing),
    cmocka_unit_test(the_random_number_is_its_own),
};
TESTS_WITH(test_resample, setup, teardown)
