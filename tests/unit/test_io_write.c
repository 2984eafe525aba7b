/* Tests draws and checkpoints on disk: their layout, resuming at a mark, and
 * damaged files. */
#include "support/support.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/gate.h"
#include "files/replace.h"
#include "io/checkpoint.h"
#include "io/cmdstan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/chainscope-io-XXXXXX";
static char csv[64], kept[64];

static const char *const names[] = {"lp__", "x.1", "x.2"};
static const cs_cmdstan_spec spec = {.path = csv,
                                     .model = "banana",
                                     .algorithm = "mala",
                                     .arm = "one",
                                     .id = 1,
                                     .seed = 7,
                                     .thin = 2,
                                     .name = names,
                                     .columns = 3};

static char *text_of(const char *path)
{
    unsigned char *bytes;
    size_t size;
    assert_int_equal(cs_file_read(path, 1 << 24, &bytes, &size, NULL), CS_OK);
    return (char *)bytes;
}

static void rows(cs_cmdstan *w, int from, int to)
{
    for (int i = from; i < to; i++) {
        double row[] = {-0.1 * i, 1.0 / 3 + i,
                        i == 2 ? (double)NAN : -HUGE_VAL};
        assert_int_equal(cs_cmdstan_rows(w, row, 1, NULL), CS_OK);
    }
}

static void test_layout(void **state)
{
    (void)state;
    cs_cmdstan *w;
    assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, NULL), CS_OK);
    rows(w, 1, 3);
    assert_int_equal(cs_cmdstan_finish(w, 250, 1000, 2, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    char *text = text_of(csv);
    assert_non_null(strstr(text, "\n# method = sample (Default)\n"));
    assert_non_null(strstr(text, "num_samples = 4 "));
    assert_non_null(strstr(text, "\n#     num_warmup = 250 "));
    assert_non_null(strstr(text, "\n#     save_warmup = 0\n"));
    assert_non_null(strstr(text, "\n#     thin = 2\n"));
    assert_non_null(strstr(text, "\nlp__,x.1,x.2\n"
                                 "-0.1,1.3333333333333333,-Inf\n"
                                 "-0.2,2.3333333333333335,NaN\n"
                                 "# "));
    assert_non_null(strstr(text, "Elapsed Time: 0.5 seconds (Warm-up)\n"
                                 "#                1.5 seconds (Sampling)\n"
                                 "#                2 seconds (Total)\n"));
    cs_free(text);
}

/* A file had rows after a mark, and writing was resumed at that mark. The
 * result equals a file that was written without interruption. */
static void test_goes_on_at_a_mark(void **state)
{
    (void)state;
    cs_cmdstan *w;
    cs_cmdstan_mark mark;
    assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, NULL), CS_OK);
    rows(w, 0, 5000);
    assert_int_equal(cs_cmdstan_finish(w, 0, 0, 0, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    char *want = text_of(csv);
    assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, NULL), CS_OK);
    rows(w, 0, 1700);
    assert_int_equal(cs_cmdstan_flush(w, &mark, NULL), CS_OK);
    assert_int_equal(mark.rows, 1700);
    rows(w, 1700, 3333);
    assert_int_equal(cs_cmdstan_finish(w, 0, 0, 9, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    assert_int_equal(cs_cmdstan_create(&w, &spec, &mark, NULL), CS_OK);
    rows(w, 1700, 5000);
    assert_int_equal(cs_cmdstan_finish(w, 0, 0, 0, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    char *got = text_of(csv);
    assert_true(strcmp(got, want) == 0);
    cs_free(got);
    cs_free(want);
}

/* /dev/full rejects every byte, like a full disk. */
static void test_full_disk(void **state)
{
    (void)state;
    cs_error err;
    if (access("/dev/full", W_OK) != 0)
        skip_because("there is no /dev/full");
    assert_int_equal(cs_file_replace("/dev/full", "x", 1, &err), CS_IO);
    assert_non_null(
        strstr(err.hint, "free disk space; earlier output is kept"));
}

/* Writes 4000 rows and reads the file back; returns the first error of the
 * writer. */
static cs_status write_and_read(char **text, uint64_t *marked,
                                unsigned long *requests)
{
    cs_cmdstan *w;
    cs_cmdstan_mark mark = {0};
    cs_error err;
    cs_status status = cs_cmdstan_create(&w, &spec, NULL, &err);
    if (status == CS_OK) {
        double row[] = {0, 1.0 / 3, 2.0 / 3};
        for (int i = 0; i < 4000 && status == CS_OK; i++) {
            row[0] = i;
            status = cs_cmdstan_rows(w, row, 1, &err);
            if (i == 1000 && status == CS_OK)
                status = cs_cmdstan_flush(w, &mark, &err);
            if (i == 1000 && status == CS_OK)
                status = cs_cmdstan_sync(&w, 1, &err);
        }
        cs_status last = cs_cmdstan_finish(w, 0, 0, 1, &err);
        status = status ? status : last;
        cs_cmdstan_destroy(w);
    }
    if (status)
        assert_non_null(strstr(err.what, csv));
    *marked = mark.bytes;
    *requests = cs_gate_requests();
    cs_gate_fail_at(0, 0, false);
    *text = text_of(csv);
    return status;
}

/* Lets each request to the file system fail, either only once or from then on,
 * as on a full or broken disk. The error must name the file, no row may be
 * incomplete, and rows that were flushed must be in the file. (A broken disk
 * may also refuse to truncate an incomplete row.) */
static void test_every_failed_request(void **state)
{
    (void)state;
    char *want, *got;
    uint64_t mark;
    unsigned long most, made;
    cs_gate_fail_at(0, 0, false);
    assert_int_equal(write_and_read(&want, &mark, &most), CS_OK);
    assert_true(most > 12);
    size_t end = (size_t)(strstr(want, "# \n#  Elapsed") - want);
    for (int kind = 0; kind < 4; kind++)
        for (unsigned long n = 1; n <= most; n++) {
            int why = kind & 1 ? EIO : ENOSPC;
            unlink(csv);
            assert_int_equal(cs_file_write_at(csv, 0, "", 0, true, NULL), 0);
            cs_gate_fail_at(n, why, kind & 2);
            cs_status status = write_and_read(&got, &mark, &made);
            size_t size = strlen(got);
            /* If request n truncates the file, a full disk causes no error. */
            if (status == CS_OK)
                assert_string_equal(got, want);
            assert_true(size >= mark);
            if (why == ENOSPC) {
                assert_true(size == 0 || got[size - 1] == '\n');
                char *rows_from = strstr(got, "\nlp__");
                size_t skip_to = rows_from ? (size_t)(rows_from - got) : size;
                size_t n_same = size < end ? size : end;
                assert_memory_equal(got + skip_to, want + skip_to,
                                    n_same - skip_to);
            }
            cs_free(got);
        }
    cs_free(want);
}

/* If writing a checkpoint fails, the file still has the old checkpoint. */
static void test_checkpoint_survives(void **state)
{
    (void)state;
    cs_checkpoint c = {.thin = 1}, next = {.thin = 2}, back;
    static unsigned char run[100000];
    c.run = next.run = run;
    c.size = next.size = sizeof run;
    cs_gate_fail_at(0, 0, false);
    assert_int_equal(cs_checkpoint_write(kept, &c, NULL), CS_OK);
    for (unsigned long n = 1;; n++) {
        cs_gate_fail_at(n, ENOSPC, true);
        cs_status status = cs_checkpoint_write(kept, &next, NULL);
        cs_gate_fail_at(0, 0, false);
        assert_int_equal(cs_checkpoint_read(&back, kept, NULL), CS_OK);
        assert_int_equal(back.thin, status ? 1 : 2);
        cs_checkpoint_fini(&back);
        if (status == CS_OK) {
            /* six requests can fail: open, three writes, sync, rename */
            assert_int_equal(n, 7);
            return;
        }
    }
}

static cs_checkpoint example(void)
{
    static cs_cmdstan_mark mark[] = {
        {.bytes = 10, .rows = 2, .warmup_rows = 7, .adapted = true},
        {.bytes = (uint64_t)1 << 40, .rows = 5, .sum = UINT64_MAX - 5}};
    static unsigned char run[] = "the run";
    static char sets[] = "a.step=2\n";
    return (cs_checkpoint){mark, 2, 3, true, sets, run, sizeof run};
}

static void test_checkpoint(void **state)
{
    (void)state;
    cs_checkpoint c = example(), back;
    assert_int_equal(cs_checkpoint_write(kept, &c, NULL), CS_OK);
    assert_int_equal(cs_checkpoint_read(&back, kept, NULL), CS_OK);
    assert_int_equal(back.n_marks, 2);
    assert_int_equal(back.thin, 3);
    assert_true(back.mark[1].bytes == (uint64_t)1 << 40);
    assert_true(back.mark[1].sum == UINT64_MAX - 5);
    assert_int_equal(back.mark[0].warmup_rows, 7);
    assert_true(back.save_warmup && back.mark[0].adapted);
    assert_false(back.mark[1].adapted);
    assert_string_equal((char *)back.run, "the run");
    assert_string_equal(back.sets, "a.step=2\n");
    cs_checkpoint_fini(&back);
}

/* A file is rejected if any bit is flipped, or if its end is missing. */
static void test_damage_is_refused(void **state)
{
    (void)state;
    cs_checkpoint c = example(), back;
    assert_int_equal(cs_checkpoint_write(kept, &c, NULL), CS_OK);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(cs_file_read(kept, 1 << 20, &bytes, &size, NULL), CS_OK);
    for (size_t i = 0; i < 8 * size; i += 3) {
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
        assert_int_equal(cs_file_write_at(kept, 0, bytes, size, true, NULL), 0);
        assert_int_equal(cs_checkpoint_read(&back, kept, NULL), CS_INPUT);
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    for (size_t n = 0; n < size; n += 5) {
        assert_int_equal(cs_file_write_at(kept, 0, bytes, n, true, NULL), 0);
        assert_int_equal(cs_checkpoint_read(&back, kept, NULL), CS_INPUT);
    }
    cs_free(bytes);
}

/* If a writer was killed, the last row of its file may be incomplete. The
 * incomplete row is removed. Files of other programs are not changed. */
static void test_unfinished_row_is_cut(void **state)
{
    (void)state;
    cs_cmdstan *w;
    static const char stranger[] = "a,b\n1,2\n3,";
    assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, NULL), CS_OK);
    rows(w, 0, 900);
    assert_int_equal(cs_cmdstan_finish(w, 0, 0, 0, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    char *before = text_of(csv);
    size_t size = strlen(before);
    cs_cmdstan_repair(folder);
    char *whole = text_of(csv);
    assert_string_equal(whole, before);
    cs_free(whole);
    assert_int_equal(cs_file_write_at(csv, size, "-1.5,0.33", 9, false, NULL),
                     CS_OK);
    cs_cmdstan_repair(folder);
    whole = text_of(csv);
    assert_string_equal(whole, before);
    cs_free(whole);
    cs_free(before);
    assert_int_equal(cs_file_replace(csv, stranger, strlen(stranger), NULL),
                     CS_OK);
    cs_cmdstan_repair(folder);
    whole = text_of(csv);
    assert_string_equal(whole, stranger);
    cs_free(whole);
}

/* A pipe with the name of a draws file is ignored, without waiting for a
 * writer. */
static void test_pipe_is_left(void **state)
{
    (void)state;
    struct stat about;
    remove(csv);
    assert_int_equal(mkfifo(csv, 0600), 0);
    alarm(10);
    cs_cmdstan_repair(folder);
    alarm(0);
    assert_int_equal(stat(csv, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    remove(csv);
}

static void count_row(void *self, uint64_t i, const double *row)
{
    size_t *n = self;
    assert_true(i == *n && row[0] < 1e300);
    ++*n;
}

static cs_status read_back(size_t columns, uint64_t rows, size_t *n)
{
    *n = 0;
    const cs_cmdstan_mark upto = {.rows = rows};
    return cs_cmdstan_read(csv, &upto, columns, count_row, n, NULL);
}

/* All columns and rows of a file are read back as they were written. */
static void test_rows_are_read_back(void **state)
{
    (void)state;
    cs_cmdstan *w;
    size_t n;
    assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, NULL), CS_OK);
    rows(w, 0, 9);
    assert_int_equal(cs_cmdstan_finish(w, 0, 0, 0, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    assert_int_equal(read_back(3, 9, &n), CS_OK);
    assert_int_equal(n, 9);
    assert_int_equal(read_back(3, 10, &n), CS_IO);
    assert_int_equal(read_back(2, 9, &n), CS_INPUT);
    assert_int_equal(read_back(4, 9, &n), CS_INPUT);
    assert_int_equal(n, 0);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(csv, sizeof csv, "%s/one_1.csv", folder);
    snprintf(kept, sizeof kept, "%s/checkpoint", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(csv);
    unlink(kept);
    return rmdir(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_layout),
    cmocka_unit_test(test_goes_on_at_a_mark),
    cmocka_unit_test(test_full_disk),
    cmocka_unit_test(test_every_failed_request),
    cmocka_unit_test(test_checkpoint_survives),
    cmocka_unit_test(test_checkpoint),
    cmocka_unit_test(test_damage_is_refused),
    cmocka_unit_test(test_unfinished_row_is_cut),
    cmocka_unit_test(test_pipe_is_left),
    cmocka_unit_test(test_rows_are_read_back),
};
TESTS_WITH(test_io_write, make_folder, remove_folder)
