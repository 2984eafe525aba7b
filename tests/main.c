/* The executable for one kind of test. `unit_tests NAME [FILTER]` runs the test
 * file NAME, and `unit_tests` lists the names. CMake writes tests.def, which
 * has one line TEST(NAME) per file. */
#include "support/support.h"

#include "simd/variants.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST(name) test_main name;
#include "tests.def"
#undef TEST

static const struct {
    const char *name;
    test_main *run;
} files[] = {
#define TEST(name) {#name, name},
#include "tests.def"
#undef TEST
};

/* Returns true if CHAINSCOPE_SIMD names an instruction set that the processor
 * lacks. */
static bool lacks_instruction_set(void)
{
    const char *want = getenv("CHAINSCOPE_SIMD");
    const char *have = cs_simd_name(cs_simd_level());
    if (!want || strcmp(want, have) == 0)
        return false;
    printf("skipped: CHAINSCOPE_SIMD=%s, but the processor has %s\n", want,
           have);
    return true;
}

#ifdef CS_WATCH_THREADS
typedef void *thread_body(void *);
int __real_pthread_create(pthread_t *t, const pthread_attr_t *a,
                          thread_body *body, void *self);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a,
                          thread_body *body, void *self);

/* The linker calls this function instead of pthread_create (--wrap). */
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a,
                          thread_body *body, void *self)
{
    if (getenv("TEST_WITHOUT_THREADS")) {
        fputs("this test starts a thread: add it to tests/threads.txt, so that "
              "TSan runs it\n",
              stderr);
        abort();
    }
    return __real_pthread_create(t, a, body, self);
}
#endif

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (argc < 2)
            puts(files[i].name);
        else if (strcmp(files[i].name, argv[1]) == 0)
            return lacks_instruction_set() ? CS_TEST_SKIPPED
                                           : files[i].run(argc - 1, argv + 1);
    if (argc < 2)
        return 0;
    fprintf(stderr, "%s: no test '%s'; without an argument it lists them\n",
            argv[0], argv[1]);
    return 2;
}
