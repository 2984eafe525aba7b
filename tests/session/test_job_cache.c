/* Tests that results of background runs are stored. They are found when the
 * program is started again. */
#include "support/support.h"

#include "files/gate.h"
#include "jobs/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 1 << 20 };
static char folder[] = "/tmp/chainscope_jobs_XXXXXX", jobs[64];
static cs_job_cache cache;

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(jobs, sizeof jobs, "%s/jobs", folder);
    cs_job_cache_open(&cache, jobs, MOST);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char line[128];
    cs_gate_fail_at(0, 0, false);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    int gone = system(line);
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return gone;
}

static cs_status save(const char *key, const char *text, cs_error *err)
{
    char copy[1000];
    const cs_result r = {.there = true, .text = copy, .seconds = 1};
    snprintf(copy, sizeof copy, "%s", text);
    return cs_job_cache_save(&cache, key, "name", &r, err);
}

/* Checks that the result `want` is stored for `key`. If `want` is NULL, no
 * result may be stored. */
static void expect(const char *key, const char *want)
{
    cs_result r;
    cs_job_cache_load(&cache, key, &r);
    assert_int_equal(r.there, want != NULL);
    if (want)
        assert_string_equal(r.text, want);
    cs_result_fini(&r);
}

/* Returns the number of files in the folder. Copies the path of the last one to
 * `path`. */
static size_t count_files(char path[300])
{
    size_t n = 0;
    DIR *d = opendir(jobs);
    const struct dirent *e;
    while (d && (e = readdir(d)))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            snprintf(path, 300, "%s/%.99s", jobs, e->d_name);
            n++;
        }
    if (d)
        closedir(d);
    return n;
}

static void test_kept(void **state)
{
    (void)state;
    char why[] = "no";
    const cs_result failed = {.there = true, .failure = why};
    expect("a", NULL);
    assert_int_equal(save("a", "first", NULL), CS_OK);
    assert_int_equal(save("b", "second", NULL), CS_OK);
    assert_int_equal(save("a", "third", NULL), CS_OK);
    cs_job_cache_open(&cache, jobs, MOST); /* as if the program were started
                                            * again */
    expect("a", "third");
    expect("b", "second");
    cs_job_cache_forget(&cache, "a");
    expect("a", NULL);
    assert_int_equal(cs_job_cache_save(&cache, "c", "", &failed, NULL), CS_OK);
    expect("c", NULL);
    cs_job_cache_open(&cache, NULL, MOST);
    assert_int_equal(save("d", "nowhere", NULL), CS_OK);
    expect("d", NULL);
    expect("b", NULL);
}

/* If a file is truncated or a byte has changed, the file is not accepted as a
 * result. The file is removed, and a new result can be stored. */
static void test_broken(void **state)
{
    (void)state;
    char path[300], bytes[1000];
    assert_int_equal(save("a", "a text", NULL), CS_OK);
    assert_int_equal(count_files(path), 1);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t i = 0; i < 2 * n; i++) {
        size_t k = i / 2;
        f = fopen(path, "w");
        assert_non_null(f);
        bytes[k] ^= 1;
        fwrite(bytes, 1, i % 2 ? n : k, f);
        bytes[k] ^= 1;
        fclose(f);
        expect("a", NULL);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    assert_int_equal(save("a", "another", NULL), CS_OK);
    expect("a", "another");
}

/* If the total size of the results exceeds the limit, the oldest results are
 * removed. They are removed at once, and also when the program is started
 * again. */
static void test_bound(void **state)
{
    (void)state;
    char key[16], path[300], text[900];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    cs_job_cache_open(&cache, jobs, 8 * 1024);
    for (int i = 0; i < 30; i++) {
        snprintf(key, sizeof key, "%d", i);
        assert_int_equal(save(key, text, NULL), CS_OK);
        expect(key, text);
        assert_in_range(count_files(path), i < 7 ? i + 1 : 6, 8);
        usleep(1000); /* the modification times must differ */
    }
    expect("0", NULL);
    expect("29", text);
    expect("26", text);
    cs_job_cache_open(&cache, jobs, 3 * 1024);
    assert_in_range(count_files(path), 2, 3);
    expect("29", text);
    expect("26", NULL);
}

static void test_full_disk(void **state)
{
    (void)state;
    cs_error err;
    char path[300];
    assert_int_equal(save("a", "whole", NULL), CS_OK);
    for (unsigned long n = 1; n < 5; n++) {
        cs_gate_fail_at(n, ENOSPC, true);
        assert_int_equal(save("a", "cut", &err), CS_IO);
        assert_non_null(strstr(err.what, "No space left"));
        cs_gate_fail_at(0, 0, false);
        expect("a", "whole");
        assert_int_equal(count_files(path), 1);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const struct CMUnitTest tests[] = {
    TEST(test_kept),
    TEST(test_broken),
    TEST(test_bound),
    TEST(test_full_disk),
};
TESTS(test_job_cache)
