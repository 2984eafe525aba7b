/* Tests the thread that writes draws. It writes the same bytes as direct
 * writing. A full disk stops the thread, and this is reported. */
#include "support/support.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/gate.h"
#include "io/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 3, WIDE = 40000, CHUNK = 900 };

static char folder[] = "/tmp/chainscope-writer-XXXXXX";

/* Number of columns of each file. */
static const size_t columns[FILES] = {2, 7, 31};

static void path_of(const char *name, size_t i, char *path)
{
    snprintf(path, 64, "%s/%s_%zu.csv", folder, name, i);
}

static cs_cmdstan *open_file(const char *name, size_t i, size_t n)
{
    static const char *names[WIDE];
    char path[64];
    cs_cmdstan *file = NULL;
    path_of(name, i, path);
    for (size_t k = 0; k < n; k++)
        names[k] = "x";
    const cs_cmdstan_spec spec = {.path = path,
                                  .model = "m",
                                  .algorithm = "a",
                                  .arm = "b",
                                  .thin = 1,
                                  .name = names,
                                  .columns = n};
    assert_int_equal(cs_cmdstan_create(&file, &spec, NULL, NULL), CS_OK);
    return file;
}

static char *text_of(const char *name, size_t i)
{
    char path[64];
    unsigned char *bytes;
    size_t size;
    path_of(name, i, path);
    assert_int_equal(cs_file_read(path, 1 << 28, &bytes, &size, NULL), CS_OK);
    return (char *)bytes;
}

static void close_file(cs_cmdstan *file)
{
    cs_cmdstan_mark mark;
    assert_int_equal(cs_cmdstan_flush(file, &mark, NULL), CS_OK);
    cs_cmdstan_destroy(file);
}

/* Writes chunks to all files in turn; a chunk has one row, several rows, or
 * many rows. The queue wraps around many times, and is sometimes empty and
 * sometimes full. */
static void test_order(void **state)
{
    (void)state;
    static double rows[CHUNK * 31];
    cs_cmdstan *at_once[FILES], *file[FILES];
    cs_writer *w;
    double next = 0;
    assert_int_equal(cs_writer_create(&w, 31, NULL), CS_OK);
    for (size_t i = 0; i < FILES; i++) {
        at_once[i] = open_file("once", i, columns[i]);
        file[i] = open_file("file", i, columns[i]);
    }
    for (size_t round = 0; round < 400; round++)
        for (size_t i = 0; i < FILES; i++) {
            size_t n = 1 + (round * round * 7 + i) % CHUNK;
            for (size_t k = 0; k < n * columns[i]; k++)
                rows[k] = next = next < 5000 ? next + 1 : 0;
            cs_writer_rows(w, file[i], rows, n, columns[i]);
            cs_cmdstan_rows(at_once[i], rows, n, NULL);
            memset(rows, 0, sizeof rows);
            if (round % 150 == 149)
                assert_int_equal(cs_writer_wait(w, NULL), CS_OK);
        }
    assert_int_equal(cs_writer_wait(w, NULL), CS_OK);
    for (size_t i = 0; i < FILES; i++) {
        close_file(at_once[i]);
        close_file(file[i]);
        char *want = text_of("once", i), *got = text_of("file", i);
        assert_true(strcmp(got, want) == 0);
        cs_free(want);
        cs_free(got);
    }
    cs_writer_destroy(w);
}

/* Writes rows so wide that only a few fit into the queue. */
static void test_wide_rows(void **state)
{
    (void)state;
    cs_writer *w;
    double *rows = cs_alloc(50 * (size_t)WIDE, sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < 50 * (size_t)WIDE; i++)
        rows[i] = (double)(i % 10);
    assert_int_equal(cs_writer_create(&w, WIDE, NULL), CS_OK);
    cs_cmdstan *file = open_file("wide", 0, WIDE);
    cs_writer_rows(w, file, rows, 50, WIDE);
    assert_int_equal(cs_writer_wait(w, NULL), CS_OK);
    close_file(file);
    cs_writer_destroy(w);
    char *text = text_of("wide", 0);
    size_t head = strcspn(text, "0");
    while (text[head] && strncmp(text + head, "0,1,2,3,4,5,", 12) != 0)
        head++;
    assert_int_equal(strlen(text) - head, 50 * 2 * (size_t)WIDE);
    cs_free(text);
    cs_free(rows);
}

/* If a writer is destroyed while rows are waiting, it first writes all waiting
 * rows. */
static void test_freed_before_it_has_written(void **state)
{
    (void)state;
    enum { ROUNDS = 20, WORDS = 31 };
    static double rows[CHUNK * WORDS];
    cs_writer *w;
    assert_int_equal(cs_writer_create(&w, WORDS, NULL), CS_OK);
    cs_cmdstan *file = open_file("freed", 0, WORDS);
    for (size_t i = 0; i < ROUNDS; i++)
        cs_writer_rows(w, file, rows, CHUNK, WORDS);
    cs_writer_destroy(w);
    close_file(file);
    char *text = text_of("freed", 0), *row = strstr(text, "\n0,0,");
    assert_non_null(row);
    assert_int_equal(strlen(row + 1), ROUNDS * CHUNK * 2 * WORDS);
    cs_free(text);
}

/* If the disk is full, the owner of the writer gets the error without being
 * blocked. The file ends with a complete row. */
static void test_full_disk(void **state)
{
    (void)state;
    static double rows[CHUNK * 7];
    cs_error err = {0};
    cs_writer *w;
    assert_int_equal(cs_writer_create(&w, 7, NULL), CS_OK);
    cs_cmdstan *file = open_file("full", 0, 7);
    cs_gate_fail_at(6, ENOSPC, true);
    for (size_t i = 0; i < 1000; i++)
        cs_writer_rows(w, file, rows, CHUNK, 7);
    assert_int_equal(cs_writer_wait(w, &err), CS_IO);
    assert_non_null(strstr(err.what, "full_0.csv"));
    assert_int_equal(cs_writer_failure(w, NULL), CS_IO);
    cs_gate_fail_at(0, 0, false);
    cs_writer_destroy(w);
    cs_cmdstan_destroy(file);
    char *text = text_of("full", 0);
    size_t size = strlen(text);
    assert_true(size > 100000 && text[size - 1] == '\n');
    cs_free(text);
}

static int clean(void **state)
{
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static int make_folder(void **state)
{
    (void)state;
    return !mkdtemp(folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_order),
    cmocka_unit_test(test_wide_rows),
    cmocka_unit_test(test_freed_before_it_has_written),
    cmocka_unit_test(test_full_disk),
};
TESTS_WITH(test_writer, make_folder, clean)
