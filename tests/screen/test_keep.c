/* Tests screenshots saved in files, by the key `y` and by `:screenshot`. */
#include "support/support.h"

#include "canned_table.h"
#include "files/file.h"
#include "files/gate.h"
#include "screen/canvas/canvas_export.h"
#include "screen/input/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/chainscope_keep_XXXXXX";
static cs_ui ui;
static cs_canvas canvas;
static cs_frame seen;

static int begin(void **state)
{
    if (setup(state) || !mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    cs_ui_init(&ui);
    if (cs_canvas_init(&canvas, 120, 40, CS_BRAILLE, NULL))
        return -1;
    cs_screen_frame(&ui, table.base, table.used, &canvas);
    ui.slots.focus = 1;
    cs_screen_frame(&ui, table.base, table.used, &canvas);
    cs_frame_take(&seen, &canvas, &ui.drawn.focused, CS_TIER_256, NULL);
    ui.drawn.seen = &seen;
    return 0;
}

static int end(void **state)
{
    char line[128];
    cs_gate_fail_at(0, 0, false);
    cs_canvas_fini(&canvas);
    cs_frame_fini(&seen);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    int gone = chdir("/") == 0 ? system(line) : -1;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return gone | teardown(state);
}

static char *read_file(const char *path)
{
    unsigned char *bytes;
    size_t size;
    cs_error err;
    if (cs_file_read(path, 1 << 22, &bytes, &size, &err))
        fail_msg("%s: %s", path, err.what);
    return (char *)bytes;
}

/* Returns the canvas as the program would have written it. [caller frees] */
static char *emitted(const cs_canvas *c, cs_medium as)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_true(cs_canvas_export(c, as, CS_TIER_256, out));
    fclose(out);
    return text;
}

/* Runs the line and returns its message in the log, with its role. */
static const char *obey(const char *line, cs_role *role)
{
    cs_shot s = {.base = table.base, .used = table.used};
    ui.log.added = 0;
    assert_true(cs_ui_command(&ui, &s, NULL, line));
    return cs_log_newest(&ui.log, role);
}

static void expect(const char *line, cs_role want, const char *text)
{
    cs_role role;
    const char *said = obey(line, &role);
    if (role != want || !strstr(said, text))
        fail_msg("%s: said '%s' as %d", line, said, (int)role);
}

/* The saved file has the bytes that `shot` would write for the displayed
 * frame. */
static void test_endings(void **state)
{
    (void)state;
    static const struct {
        const char *line, *name;
        cs_medium as;
    } row[] = {{"screenshot a.svg", "a.svg", CS_SVG},
               {"screenshot a.txt", "a.txt", CS_TEXT},
               {"screenshot 'two words.ans'", "two words.ans", CS_ANSI}};
    for (size_t i = 0; i < 3; i++) {
        expect(row[i].line, CS_ROLE_NORMAL, folder);
        char *got = read_file(row[i].name), *want = emitted(&canvas, row[i].as);
        assert_string_equal(got, want);
        cs_free(got);
        free(want);
    }
}

/* A screenshot saves the displayed frame, not a newer state of the running
 * session. */
static void test_what_was_seen(void **state)
{
    (void)state;
    char *want = emitted(&canvas, CS_TEXT);
    cs_canvas_clear(&canvas);
    ui.prompt.mark = ':';
    cs_screen_frame(&ui, table.base, table.used, &canvas);
    ui.prompt.mark = 0;
    expect("screenshot b.txt", CS_ROLE_NORMAL, "/b.txt");
    char *got = read_file("b.txt");
    assert_string_equal(got, want);
    cs_free(got);
    free(want);
}

static void test_panel(void **state)
{
    (void)state;
    expect("screenshot panel p.txt", CS_ROLE_NORMAL, "/p.txt");
    char *got = read_file("p.txt");
    size_t lines = 0;
    for (const char *at = got; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, seen.panel.h);
    assert_int_equal(strstr(got, "2 energy") - got, 0);
    assert_null(strstr(got, "help")); /* the key labels are not included */
    cs_free(got);
    seen.panel.w = 0;
    expect("screenshot panel q.txt", CS_ROLE_ERROR, "was not visible");
    assert_int_equal(access("q.txt", F_OK), -1);
}

/* A screenshot replaces an existing file only if the user requests the
 * replacement. */
static void test_there_already(void **state)
{
    (void)state;
    FILE *f = fopen("mine.svg", "w");
    fputs("mine", f);
    fclose(f);
    expect("screenshot mine.svg", CS_ROLE_ERROR, "already exists");
    char *got = read_file("mine.svg");
    assert_string_equal(got, "mine");
    cs_free(got);
    expect("screenshot mine.svg force", CS_ROLE_ERROR, "is not an SVG picture");
    expect("screenshot ours.svg", CS_ROLE_NORMAL, "/ours.svg");
    expect("screenshot ours.svg", CS_ROLE_ERROR, "already exists");
    expect("screenshot ours.svg force", CS_ROLE_NORMAL, "/ours.svg");
    got = read_file("ours.svg");
    assert_memory_equal(got, "<svg", 4);
    cs_free(got);
}

static void test_refused(void **state)
{
    (void)state;
    expect("screenshot", CS_ROLE_ERROR, "no file name");
    expect("screenshot race.checkpoint", CS_ROLE_ERROR,
           "unknown picture format");
    expect("screenshot race", CS_ROLE_ERROR, "NAME.svg");
    expect("screenshot a.svg b.svg", CS_ROLE_ERROR, "too many arguments");
    expect("screenshot 'a.svg", CS_ROLE_ERROR, "quote is not closed");
    expect("screenshot none/a.svg", CS_ROLE_ERROR, "No such file");
    ui.drawn.seen = NULL;
    expect("screenshot a.svg", CS_ROLE_ERROR, "nothing has been displayed");
}

/* If the disk is full at any write, no incomplete screenshot is left. */
static void test_full_disk(void **state)
{
    (void)state;
    for (unsigned long n = 1; n <= 3; n++) {
        cs_gate_fail_at(n, ENOSPC, true);
        expect("screenshot full.svg", CS_ROLE_ERROR, "No space left");
        assert_int_equal(access("full.svg", F_OK), -1);
    }
    cs_gate_fail_at(1, EACCES, false);
    expect("screenshot full.svg", CS_ROLE_ERROR,
           "a folder with write permission");
    expect("screenshot full.svg", CS_ROLE_NORMAL, "/full.svg");
}

static bool send_nothing(void *self, const char *line)
{
    (void)self, (void)line;
    return true;
}

/* The key proposes an unused file name, formed from the scenario and the
 * step. */
static void test_key(void **state)
{
    (void)state;
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {send_nothing, NULL};
    char name[160], line[200];
    assert_true(cs_press(&ui, &s, &to, 'y'));
    assert_int_equal(ui.prompt.mark, ':');
    assert_memory_equal(ui.prompt.begin, "screenshot ", 11);
    snprintf(name, sizeof name, "%s", &ui.prompt.begin[11]);
    assert_non_null(strstr(name, ".svg"));
    snprintf(line, sizeof line, "screenshot %s", name);
    expect(line, CS_ROLE_NORMAL, name);
    assert_true(cs_press(&ui, &s, &to, 'y'));
    assert_string_not_equal(ui.prompt.begin + 11, name);
    assert_int_equal(access(ui.prompt.begin + 11, F_OK), -1);

    cs_screenshot_name("/x/a b;c.lua", 1500, ".svg", name, sizeof name);
    assert_string_equal(name, "a_b_c_1500.svg");
    cs_screenshot_name("", 0, ".cast", name, sizeof name);
    assert_string_equal(name, "chainscope_0.cast");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const struct CMUnitTest tests[] = {
    TEST(test_endings),       TEST(test_what_was_seen), TEST(test_panel),
    TEST(test_there_already), TEST(test_refused),       TEST(test_full_disk),
    TEST(test_key),
};
TESTS(test_keep)
