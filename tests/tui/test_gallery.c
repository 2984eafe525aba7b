/* The gallery in a terminal: files that were opened lately, and small pictures,
 * which nothing waits for. */
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static term t;
static char folder[] = "/tmp/chainscope_gallery_XXXXXX", home[128], cache[128];

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(home, sizeof home, "XDG_STATE_HOME=%s", folder);
    snprintf(cache, sizeof cache, "XDG_CACHE_HOME=%s", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char line[128];
    term_stop(&t);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    int gone = system(line);
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return gone;
}

static void start(const char *file)
{
    const char *const more[] = {home, cache, NULL};
    const char *const argv[] = {CS_PROGRAM, file, NULL};
    term_start(&t, 40, 120, argv, more);
}

static void leave(void)
{
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    term_assert_clean(&t);
    term_stop(&t);
}

/* A file in the folder with this text. */
static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* What was opened comes first, with its tags, and a picture of it. */
static void test_recent(void **state)
{
    (void)state;
    start("scene.lua");
    term_wait_line(&t, 0, "paused  step 0");
    term_pass(&t, 300);
    leave();
    start(NULL);
    term_wait_line(&t, 1, "recent");
    term_wait_line(&t, 2, "> Scene");
    term_wait(&t, "energy = -log p"); /* of the picture */
    term_send(&t, "/#mala");
    term_wait_line(&t, 2, "> Scene");
    term_send(&t, "\033q");
    leave();
}

static const char endless[] =
    "local cs = require \"chainscope\"\n"
    "return cs.scenario { title = \"E\",\n"
    "  target = cs.target.gaussian { dim = 2000 },\n"
    "  arms = { a = cs.kernel.hmc { leapfrogs = 100000 } } }\n";

/* One whose picture is never made: keys are obeyed all the same, and nobody
 * stays behind. */
static void test_endless(void **state)
{
    (void)state;
    char list[256];
    write_file("endless.lua", endless);
    snprintf(list, sizeof list, "mkdir -p %s/chainscope", folder);
    assert_int_equal(system(list), 0);
    snprintf(list, sizeof list, "%s/endless.lua\n", folder);
    write_file("chainscope/recent", list);
    start(NULL);
    term_wait_line(&t, 1, "recent");
    term_wait_line(&t, 2, "> E");
    term_pass(&t, 700); /* it is being made */
    double from = term_clock();
    term_send(&t, "?");
    term_wait(&t, "Commands, after");
    if (term_clock() - from > 1000)
        term_fail(&t, "a key waits for a picture");
    term_send(&t, "q");
    term_pass(&t, 700);
    leave();
    term_pass(&t, 200);
    snprintf(list, sizeof list, "pgrep -f %s/[e]ndless.lua >/dev/null", folder);
    assert_int_not_equal(system(list), 0);
}

static bool is_checked_now(void)
{
    char line[256];
    snprintf(line, sizeof line, "pgrep -f 'check %s/[e]ndless.lua' >/dev/null",
             folder);
    return system(line) == 0;
}

/* What was opened is checked in the background once, and bears its badge. */
static void test_laws(void **state)
{
    (void)state;
    start("scene.lua");
    term_wait_line(&t, 0, "paused  step 0");
    term_send(&t, ":layout summary\r");
    term_wait(&t, " hold");
    leave();
    start(NULL);
    term_wait_line(&t, 2, ">+Scene");
    leave();
}

/* Where that takes long, it ends when it is asked to, and nothing waits. */
static void test_laws_off(void **state)
{
    (void)state;
    char file[128];
    write_file("endless.lua", endless);
    snprintf(file, sizeof file, "%s/endless.lua", folder);
    start(file);
    term_wait_line(&t, 0, "paused  step 0");
    for (int i = 0; i < 100 && !is_checked_now(); i++)
        term_pass(&t, 100);
    assert_true(is_checked_now());
    double from = term_clock();
    term_send(&t, ":laws off\r");
    for (int i = 0; i < 20 && is_checked_now(); i++)
        term_pass(&t, 100);
    assert_false(is_checked_now());
    if (term_clock() - from > 2500)
        term_fail(&t, "a key waits for the laws");
    leave();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_recent, begin, end),
    cmocka_unit_test_setup_teardown(test_endless, begin, end),
    cmocka_unit_test_setup_teardown(test_laws, begin, end),
    cmocka_unit_test_setup_teardown(test_laws_off, begin, end),
};
TESTS(test_gallery)
