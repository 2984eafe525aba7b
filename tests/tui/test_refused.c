/* Tests the program if the screen cannot be opened. The program prints one
 * clear message and no screen output, and exits with code 2. */
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static term t;

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    return 0;
}

static void refuse(const char *const *argv, const char *more, const char *why)
{
    const char *const set[] = {more, NULL};
    term_start(&t, 24, 200, argv, more ? set : NULL);
    int status = term_end(&t);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 2)
        term_fail(&t, "status %#x", (unsigned)status);
    if (!term_shows(&t, why) || !term_shows(&t, "chainscope run"))
        term_fail(&t, "it does not say '%s' and a way out", why);
    if (t.bytes > 400)
        term_fail(&t, "more than a sentence");
    term_assert_clean(&t);
    term_stop(&t);
}

static void test_terminal_types(void **state)
{
    (void)state;
    static const char *const argv[] = {CS_PROGRAM, "scene.lua", NULL};
    static const char *const gallery[] = {CS_PROGRAM, NULL};
    refuse(argv, "TERM=dumb", "TERM");
    refuse(argv, "TERM", "TERM");
    refuse(argv, "TERM=", "TERM");
    refuse(argv, "TERM=no-such-terminal", "TERM");
    refuse(gallery, "TERM=dumb", "TERM");
}

static void test_not_a_terminal(void **state)
{
    (void)state;
    static const char *const in[] = {
        "/bin/sh", "-c", "exec " CS_PROGRAM " scene.lua </dev/null", NULL};
    static const char *const out[] = {
        "/bin/sh", "-c", CS_PROGRAM " scene.lua | wc -c; exit 2", NULL};
    refuse(in, NULL, "terminal");
    refuse(out, NULL, "terminal");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(test_terminal_types, stop),
    cmocka_unit_test_teardown(test_not_a_terminal, stop),
};
TESTS(test_refused)
