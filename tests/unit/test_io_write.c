/* Draws and checkpoints on disk: the layout, going on at a mark, damage. */
#include "support/support.h"

#include "base/memory.h"
#include "io/checkpoint.h"
#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/chainscope-io-XXXXXX";
static char csv[64], kept[64];

static const char *const names[] = {"x.1", "x.2"};
static const cs_cmdstan_spec spec = {.path = csv,
                                     .model = "banana",
                                     .algorithm = "mala",
                                     .arm = "one",
                                     .id = 1,
                                     .seed = 7,
                                     .thin = 2,
                                     .name = names,
                                     .dim = 2};

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
    assert_int_equal(cs_cmdstan_finish(w, 1.5, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    char *text = text_of(csv);
    assert_non_null(strstr(text, "\n# method = sample (Default)\n"));
    assert_non_null(strstr(text, "num_samples = 2 "));
    assert_non_null(strstr(text, "\n#     thin = 2\n"));
    assert_non_null(strstr(text,
                           "\nlp__,x.1,x.2\n"
                           "-0.10000000000000001,1.3333333333333333,-inf\n"
                           "-0.20000000000000001,2.3333333333333335,nan\n"
                           "# "));
    assert_non_null(strstr(text, "Elapsed Time"));
    cs_free(text);
}

/* Stopped at a mark with rows beyond it, then gone on: the same file. */
static void test_goes_on_at_a_mark(void **state)
{
    (void)state;
    cs_cmdstan *w;
    cs_cmdstan_mark mark;
    assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, NULL), CS_OK);
    rows(w, 0, 5000);
    assert_int_equal(cs_cmdstan_finish(w, 0, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    char *want = text_of(csv);
    assert_int_equal(cs_cmdstan_create(&w, &spec, NULL, NULL), CS_OK);
    rows(w, 0, 1700);
    assert_int_equal(cs_cmdstan_flush(w, &mark, NULL), CS_OK);
    assert_int_equal(mark.rows, 1700);
    rows(w, 1700, 3333);
    assert_int_equal(cs_cmdstan_finish(w, 9, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    assert_int_equal(cs_cmdstan_create(&w, &spec, &mark, NULL), CS_OK);
    rows(w, 1700, 5000);
    assert_int_equal(cs_cmdstan_finish(w, 0, NULL), CS_OK);
    cs_cmdstan_destroy(w);
    char *got = text_of(csv);
    assert_true(strcmp(got, want) == 0);
    cs_free(got);
    cs_free(want);
}

/* /dev/full refuses every byte, as a full disk does. */
static void test_full_disk(void **state)
{
    (void)state;
    cs_error err;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(cs_file_write_at("/dev/full", 0, "x", 1, false, &err),
                     CS_IO);
    assert_non_null(strstr(err.mend, "make room"));
}

static cs_checkpoint example(void)
{
    static cs_cmdstan_mark mark[] = {{10, 2}, {(uint64_t)1 << 40, 5}};
    static unsigned char run[] = "the run";
    return (cs_checkpoint){mark, 2, 3, run, sizeof run};
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
    assert_string_equal((char *)back.run, "the run");
    cs_checkpoint_fini(&back);
}

/* Every flipped bit and every shorter file is refused. */
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

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(csv, sizeof csv, "%s/one_1.csv", folder);
    snprintf(kept, sizeof kept, "%s/checkpoint", folder);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_goes_on_at_a_mark),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_damage_is_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(csv);
    unlink(kept);
    rmdir(folder);
    return failed;
}
