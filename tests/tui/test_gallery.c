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

/* Waits until the file is listed as opened. */
static void wait_recent(const char *name)
{
    char line[256];
    double until = term_clock() + TERM_PATIENCE;
    snprintf(line, sizeof line, "grep -qs %s %s/chainscope/recent", name,
             folder);
    while (system(line) != 0) {
        if (term_clock() > until)
            term_fail(&t, "%s is not kept as opened", name);
        term_pass(&t, 20);
    }
}

/* What was opened comes first, with its tags, and a picture of it. */
static void test_recent(void **state)
{
    (void)state;
    start("scene.lua");
    term_wait_line(&t, 0, "paused  step 0");
    wait_recent("scene.lua");
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

/* The CPU seconds of helpers of this kind that work on endless.lua, -1: there are
 * none. */
static double cpu_of(const char *kind)
{
    char line[256];
    double sum = -1;
    snprintf(line, sizeof line, "pgrep -f '%s %s/[e]ndless.lua'", kind, folder);
    FILE *f = popen(line, "r");
    assert_non_null(f);
    for (long pid; fscanf(f, "%ld", &pid) == 1;)
        sum = fmax(sum, 0) + term_cpu((pid_t)pid);
    pclose(f);
    return sum;
}

static bool works(const char *kind)
{
    return cpu_of(kind) >= 0;
}

static void wait_works(const char *kind, bool begin)
{
    double until = term_clock() + TERM_PATIENCE;
    while (works(kind) != begin) {
        if (term_clock() > until)
            term_fail(&t, "%s does not %s", kind, begin ? "begin" : "end");
        term_pass(&t, 50);
    }
}

/* A scenario whose picture is never finished: keys are still answered, and its process
 * is ended. */
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
    wait_works("shot", true);
    term_wait_painted(&t);
    if (!works("shot"))
        term_fail(&t, "a key waits for a picture");
    leave();
    assert_false(works("shot"));
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
    wait_works("check", true);
    double before = cpu_of("check"), now, last = before;
    term_send(&t, ":laws off\r");
    for (; (now = cpu_of("check")) >= 0; term_pass(&t, 50))
        last = now;
    if (last - before > 3) /* by itself it ends after 15 s */
        term_fail(&t, "a key waits for the laws: %.1f s", last - before);
    leave();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_recent, begin, end),
    cmocka_unit_test_setup_teardown(test_endless, begin, end),
    cmocka_unit_test_setup_teardown(test_laws, begin, end),
    cmocka_unit_test_setup_teardown(test_laws_off, begin, end),
};
TESTS(test_gallery)
