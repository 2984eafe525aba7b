/* Tests recordings. Playback shows the painted frames, and the run can be
 * reproduced from the file. After any interruption, the lines in the file are
 * complete. */
#include "support/support.h"

#include "canned_table.h"
#include "files/file.h"
#include "files/gate.h"
#include "screen/canvas/canvas_export.h"
#include "screen/player.h"
#include "screen/state/ui.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/chainscope_cast_XXXXXX";
static cs_ui ui;
static cs_frame frame;
static cs_recording *recorder;
static cs_canvas *made; /* [n_made] the frames as they were painted */
static double when[64];
static size_t n_made;
static bool was_late[64];

static int begin(void **state)
{
    if (setup(state) || !mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    cs_ui_init(&ui);
    made = cs_alloc(64, sizeof *made);
    n_made = 0;
    return made ? 0 : -1;
}

static int end(void **state)
{
    char line[128];
    cs_gate_fail_at(0, 0, false);
    cs_recording_stop(recorder, 0, NULL, 0);
    recorder = NULL;
    while (n_made)
        cs_canvas_fini(&made[--n_made]);
    cs_free(made);
    cs_frame_fini(&frame);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    int gone = chdir("/") == 0 ? system(line) : -1;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return gone | teardown(state);
}

/* Creates a frame of this size at this time. */
static cs_canvas *make(int w, int h, double now)
{
    cs_canvas *c = &made[n_made];
    assert_int_equal(cs_canvas_init(c, w, h, CS_BRAILLE, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, c);
    when[n_made++] = now;
    return c;
}

static void start(const char *path)
{
    cs_shot s = {.base = table.base, .used = table.used};
    cs_area none = {0};
    cs_canvas *c = make(80, 24, 100);
    assert_int_equal(cs_frame_take(&frame, c, &none, CS_TIER_256, NULL), CS_OK);
    assert_int_equal(
        cs_recording_start(&recorder, path, false, &frame, &s, 100, NULL),
        CS_OK);
}

static cs_status record(int w, int h, double now, cs_error *err)
{
    cs_shot s = {.base = table.base, .used = table.used};
    cs_canvas *c = make(w, h, now);
    return cs_recording_frame(recorder, c, CS_TIER_256, &s, now,
                              &was_late[n_made - 1], err);
}

static char *text_of; /* text of the recording that was read last [own] */

static cs_cast read_cast(const char *path)
{
    cs_cast c;
    size_t size;
    cs_error err = {0};
    unsigned char *bytes;
    assert_int_equal(cs_file_read(path, CS_CAST_MOST, &bytes, &size, &err),
                     CS_OK);
    text_of = (char *)bytes;
    if (cs_cast_read(&c, text_of, size, path, &err))
        fail_msg("%s:%d: %s", path, err.line, err.what);
    return c;
}

static void forget(cs_cast *c)
{
    cs_cast_fini(c);
    cs_free(text_of);
    text_of = NULL;
}

/* Paints the canvas on an empty terminal. */
static void show(const cs_canvas *c, cs_vt *v)
{
    char *bytes;
    size_t n;
    FILE *out = open_memstream(&bytes, &n);
    assert_true(cs_canvas_export_change(NULL, c, CS_TIER_256, out));
    fclose(out);
    assert_int_equal(cs_vt_resize(v, c->width, c->height, NULL), CS_OK);
    cs_vt_write(v, bytes, n);
    free(bytes);
}

/* Checks that two screens have the same characters and colours. */
static void expect_same(const cs_vt *got, const cs_vt *want, size_t frame_is)
{
    assert_int_equal(got->width, want->width);
    assert_int_equal(got->height, want->height);
    for (int i = 0; i < got->width * got->height; i++) {
        const cs_vt_cell *a = &got->cell[i], *b = &want->cell[i];
        if (a->code != b->code || a->pen.ground != b->pen.ground ||
            a->pen.attributes != b->pen.attributes || a->pen.ink != b->pen.ink)
            fail_msg("frame %zu differs at %d, %d", frame_is, i % got->width,
                     i / got->width);
    }
}

/* Playback shows each painted frame at its time, with its colours. */
static void test_again(void **state)
{
    (void)state;
    static const char *const panels[] = {"trace", "energy map", "visits",
                                         "acceptance"};
    start("a.cast");
    for (size_t i = 0; i < 12; i++) {
        if (i % 3 == 0)
            cs_ui_panels(&ui, panels[i / 3]);
        ui.look.coordinate = i % 2;
        ui.params = i % 4 == 1;
        ui.prompt.mark = i == 5 ? ':' : 0;
        snprintf(ui.prompt.text, sizeof ui.prompt.text, ":set \u2713\"\\");
        int w = i < 6 ? 80 : 100;
        assert_int_equal(record(w, 24, 101 + (double)i, NULL), CS_OK);
    }
    cs_recording_stop(recorder, 120, NULL, 0);
    recorder = NULL;
    cs_cast c = read_cast("a.cast");
    assert_false(c.torn);
    assert_int_equal(c.width, 80);
    for (size_t i = 0; i < n_made; i++) {
        cs_vt got = {0}, want = {0};
        size_t to = cs_player_at(&c, when[i] - 100 + 0.01);
        assert_false(was_late[i]);
        assert_int_equal(cs_player_draw(&c, to, &got, NULL), CS_OK);
        show(&made[i], &want);
        expect_same(&got, &want, i);
        assert_int_equal(got.cursor, made[i].cursor_x >= 0);
        cs_vt_fini(&got);
        cs_vt_fini(&want);
    }
    forget(&c);
}

/* If writing is interrupted at any page boundary, the lines in the file are
 * complete. */
static void test_whole_lines(void **state)
{
    (void)state;
    start("w.cast");
    for (int i = 0; i < 20; i++) {
        cs_ui_panels(&ui, i % 2 ? "trace" : "energy map");
        assert_int_equal(record(120 + i, 40, 101 + i, NULL), CS_OK);
    }
    unsigned char *text;
    size_t size, line = 0;
    assert_int_equal(cs_file_read("w.cast", 1 << 22, &text, &size, NULL),
                     CS_OK);
    assert_int_equal(text[size - 1], '\n');
    assert_true(size > 100000);
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n') {
            if (line / 4096 != i / 4096)
                fail_msg("the line at %zu goes beyond its page", line);
            line = i + 1;
        }
    cs_free(text);
}

/* The number of bytes per second is limited, however often and however much is
 * painted. Frames beyond the limit are not recorded. The next recorded frame
 * equals the screen again. */
static void test_rate(void **state)
{
    (void)state;
    cs_shot s = {.base = table.base, .used = table.used};
    size_t size, late = 0;
    unsigned char *text;
    start("r.cast");
    cs_canvas *a = make(200, 60, 0);
    cs_ui_panels(&ui, "map");
    cs_canvas *b = make(200, 60, 0);
    for (int i = 1; i <= 200; i++) {
        bool left_out;
        assert_int_equal(cs_recording_frame(recorder, i % 2 ? a : b,
                                            CS_TIER_256, &s, 100 + 0.05 * i,
                                            &left_out, NULL),
                         CS_OK);
        late += left_out;
    }
    assert_int_equal(cs_file_read("r.cast", 1 << 24, &text, &size, NULL),
                     CS_OK);
    cs_free(text);
    if ((double)size > 1.25 * 11 * CS_RECORDER_RATE || late < 50)
        fail_msg("%zu bytes in 10 s, %zu frames skipped", size, late);
    assert_true(size > 8 * CS_RECORDER_RATE);
}

static void put_journal(double sign, double step)
{
    cs_flat_number(&table, sign, "run/journal");
    cs_flat_number(&table, step, "run/steps");
}

/* Removes an entry from the canned snapshot, so that a test can add another
 * entry with this key. Otherwise the canned entry would be used, because it
 * comes first. */
static void drop(const char *key)
{
    cs_flat kept;
    cs_flat_entry e;
    size_t at = 0, from = 0;
    unsigned char *scratch = cs_alloc(CANNED_BYTES, 1);
    cs_flat_begin(&kept, scratch, CANNED_BYTES);
    for (; cs_flat_next(table.base, table.used, &at, &e); from = at)
        if (strcmp(e.key, key) != 0)
            cs_flat_add(&kept, table.base + from, at - from);
    memcpy(memory, scratch, kept.used);
    table.used = kept.used;
    cs_free(scratch);
}

static void at_step(double sign, double step)
{
    drop("run/journal");
    drop("run/steps");
    put_journal(sign, step);
}

static void expect_journal(const uint64_t *step, const char *want)
{
    char *got;
    cs_cast c = read_cast("j.cast");
    assert_int_equal(cs_cast_journal(&c, step, &got, NULL), CS_OK);
    assert_string_equal(got, want);
    cs_free(got);
    forget(&c);
}

#define INPUTS "# inputs\nscenario /x/a.lua\n|return\n"
#define HEAD "# chainscope journal 3\n# scenario /x/a.lua\n# set seed=3\n"

/* A step is recorded only if the recorded journal leads to this step. */
static void test_journal(void **state)
{
    (void)state;
    at_step(7, 10);
    cs_shot s = {.base = table.base, .used = table.used};
    start("j.cast");
    s.used = table.used;
    assert_true(cs_recording_asks(recorder, &s));
    assert_false(cs_recording_asks(recorder, &s)); /* each step is requested
                                                    * only once */
    assert_int_equal(record(80, 24, 101, NULL), CS_OK);
    assert_int_equal(
        cs_recording_journal(recorder, HEAD "5 1 value step 2\n10 end\n" INPUTS,
                             101, NULL),
        CS_OK);
    assert_int_equal(record(80, 24, 102, NULL), CS_OK);
    expect_journal(NULL, HEAD "5 1 value step 2\n10 end\n");

    at_step(8, 20); /* the run has changed, and its journal is not known yet */
    assert_int_equal(record(80, 24, 103, NULL), CS_OK);
    expect_journal(NULL, HEAD "5 1 value step 2\n10 end\n");
    s.used = table.used;
    assert_true(cs_recording_asks(recorder, &s));
    assert_int_equal(cs_recording_journal(recorder,
                                          HEAD "5 1 value step 2\n"
                                               "15 2 schedule step { 1, 2 }\n"
                                               "20 end\n" INPUTS,
                                          104, NULL),
                     CS_OK);
    assert_int_equal(record(80, 24, 105, NULL), CS_OK);
    expect_journal(NULL, HEAD "5 1 value step 2\n15 2 schedule step { 1, 2 }\n"
                              "20 end\n");
    uint64_t twelve = 12;
    expect_journal(&twelve, HEAD "5 1 value step 2\n12 end\n");

    at_step(9, 12); /* the run was rewound and then continued differently */
    s.used = table.used;
    assert_true(cs_recording_asks(recorder, &s));
    assert_int_equal(
        cs_recording_journal(
            recorder, HEAD "12 1 value step 3\n12 end\n" INPUTS, 106, NULL),
        CS_OK);
    assert_int_equal(record(80, 24, 107, NULL), CS_OK);
    expect_journal(NULL, HEAD "12 1 value step 3\n12 end\n");

    cs_cast c = read_cast("j.cast");
    assert_true(cs_cast_step(&c, 3) < 0 || cs_cast_step(&c, 3) > 9);
    assert_true(cs_cast_step(&c, c.n - 1) == 12);
    size_t marks = 0;
    for (size_t i = 0; i < c.n; i++)
        marks += c.event[i].code == 'm' &&
                 strstr(c.event[i].text, "after step 15") != NULL;
    assert_int_equal(marks, 1);
    forget(&c);
}

/* A journal and a scenario with several lines are read back unchanged, and the
 * scenario is written only once. */
static void test_long(void **state)
{
    (void)state;
    enum { LINES = 1000 };
    cs_page inputs = {0}, text = {0}, want = {0};
    cs_error err = {0};
    char *got;
    at_step(7, LINES);
    start("l.cast");
    cs_shot s = {.base = table.base, .used = table.used};
    cs_page_put(&inputs, "# inputs\nscenario /x/a.lua\n");
    cs_page_put(&want, "%s", HEAD);
    for (int i = 0; i < LINES; i++) {
        cs_page_put(&inputs, "|-- line %d \\x5c \"\n", i);
        cs_page_put(&want, "%d 1 value step %d\n", i, i);
    }
    cs_page_put(&want, "%d end\n", LINES);
    cs_page_put(&text, "%s%s", want.text, inputs.text);
    for (int i = 0; i < 2; i++) {
        cs_recording_asks(recorder, &s);
        assert_int_equal(cs_recording_journal(recorder,
                                              i ? text.text : want.text,
                                              101 + i, &err),
                         CS_OK);
        assert_int_equal(record(80, 24, 101.5 + i, NULL), CS_OK);
    }
    cs_recording_stop(recorder, 104, NULL, 0);
    recorder = NULL;
    cs_cast c = read_cast("l.cast");
    assert_true(c.summed && c.ended && !c.torn);
    assert_int_equal(cs_cast_inputs(&c, &got, NULL), CS_OK);
    assert_string_equal(got, inputs.text);
    cs_free(got);
    assert_int_equal(cs_cast_journal(&c, NULL, &got, NULL), CS_OK);
    assert_string_equal(got, want.text);
    cs_free(got);
    forget(&c);
    cs_free(inputs.text);
    cs_free(text.text);
    cs_free(want.text);
}

/* A full disk ends the recording with a message. The file remains valid. */
static void test_full_disk(void **state)
{
    (void)state;
    cs_error err = {0};
    start("d.cast");
    assert_int_equal(record(80, 24, 101, NULL), CS_OK);
    cs_gate_fail_at(2, ENOSPC, true); /* the write fails when half of the bytes
                                       * are written */
    cs_ui_panels(&ui, "trace");
    assert_int_equal(record(80, 24, 102, &err), CS_IO);
    assert_non_null(strstr(err.what, "d.cast"));
    assert_non_null(strstr(err.what, "No space left"));
    cs_recording_stop(recorder, 103, NULL, 0);
    recorder = NULL;
    cs_gate_fail_at(0, 0, false);
    cs_cast c = read_cast("d.cast");
    assert_false(c.torn);
    assert_true(c.n > 0);
    forget(&c);
}

static void test_begin(void **state)
{
    (void)state;
    char said[256];
    cs_error err = {0};
    cs_shot s = {.base = table.base, .used = table.used};
    start("b.cast");
    cs_recording_stop(recorder, 161, said, sizeof said);
    assert_memory_equal(said, "recorded 61 s of the screen", 27);
    assert_non_null(strstr(said, folder));
    recorder = NULL;
    assert_int_equal(
        cs_recording_start(&recorder, "b.cast", false, &frame, &s, 0, &err),
        CS_INPUT);
    assert_non_null(strstr(err.what, "already exists"));
    assert_null(recorder);
    assert_int_equal(
        cs_recording_start(&recorder, "b.cast", true, &frame, &s, 0, &err),
        CS_OK);
    cs_recording_stop(recorder, 0, NULL, 0);
    recorder = NULL;
    assert_int_equal(
        cs_recording_start(&recorder, "no/b.cast", false, &frame, &s, 0, &err),
        CS_IO);
}

static cs_status read_text(const char *text, cs_cast *c, cs_error *err)
{
    cs_free(text_of);
    text_of = cs_copy_text(text);
    cs_status status = cs_cast_read(c, text_of, strlen(text), "x.cast", err);
    return status;
}

#define HEADER "{\"version\": 2, \"width\": 8, \"height\": 2}\n"

/* A file is refused if it is not a recording, and the message has the line
 * number. An incomplete last line is ignored. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
    } bad[] = {{"", 1},
               {"[1]\n", 1},
               {"{\"version\": 1, \"width\": 8, \"height\": 2}\n", 1},
               {"{\"version\": 2, \"width\": 8}\n", 1},
               {"{\"version\": 2, \"width\": 80000, \"height\": 2}\n", 1},
               {"{\"x\": {\"version\": 2}, \"width\": 8, \"height\": 2}\n", 1},
               {HEADER "[1, \"o\"]\n", 2},
               {HEADER "\n[1, \"o\", \"a\", 3]\n", 3},
               {HEADER "[2, \"o\", \"a\"]\n[1, \"o\", \"b\"]\n", 3},
               {HEADER "[-1, \"o\", \"a\"]\n", 2},
               {HEADER "[1, \"r\", \"9x\"]\n", 2},
               {HEADER "[1, \"r\", \"99999x2\"]\n", 2}};
    cs_cast c;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cs_error err = {0};
        if (read_text(bad[i].text, &c, &err) != CS_INPUT ||
            err.line != bad[i].line)
            fail_msg("text %zu: line %d, '%s'", i, err.line, err.what);
    }
    cs_error err = {0};
    char *journal;
    assert_int_equal(read_text(HEADER "[1, \"o\", \"ab\"]\n[1.5, \"x\", \"\"]\n"
                                      "[2, \"m\", \"mark\"]\n[3, \"o\", \"c",
                               &c, &err),
                     CS_OK);
    assert_true(c.torn);
    assert_int_equal(c.n, 2);
    assert_int_equal(cs_cast_journal(&c, NULL, &journal, &err), CS_INPUT);
    forget(&c);
}

/* If recordings from other people are played, none of their control sequences
 * reaches the terminal. */
static void test_hostile_bytes(void **state)
{
    (void)state;
    static const char bytes[] =
        "a\033]0;title\007b\033]52;c;ZXZpbA==\033\\c\033[6nd\033[?1000he"
        "\033P$q\"p\033\\f\302\233g\033[21th\342\200\256i\033[5;5H\033[38;5mj"
        "\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20mk\033(0l";
    cs_vt v = {0};
    char *text;
    size_t n;
    assert_int_equal(cs_vt_resize(&v, 10, 6, NULL), CS_OK);
    cs_vt_write(&v, bytes, sizeof bytes - 1);
    FILE *out = open_memstream(&text, &n);
    assert_true(cs_vt_emit(NULL, &v, 10, 6, false, out));
    fclose(out);
    for (size_t i = 0; i < n; i++)
        if (text[i] == 27) {
            size_t k = strspn(text + i + 1, "[0123456789;");
            if (!strchr("mHJ", text[i + 1 + k]))
                fail_msg("a control sequence was passed on: %s", text + i + 1);
        } else if ((unsigned char)text[i] < 32 ||
                   (unsigned char)text[i] == 0xc2) {
            fail_msg("a control character was passed on");
        }
    free(text);
    out = open_memstream(&text, &n);
    assert_true(cs_vt_text(&v, out));
    fclose(out);
    assert_string_equal(text, "abcdefghi\n\n\n\n    jkl\n\n");
    free(text);
    cs_vt_fini(&v);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const struct CMUnitTest tests[] = {
    TEST(test_again),   TEST(test_whole_lines),   TEST(test_rate),
    TEST(test_journal), TEST(test_full_disk),     TEST(test_begin),
    TEST(test_refused), TEST(test_hostile_bytes), TEST(test_long),
};
TESTS(test_recorder)
