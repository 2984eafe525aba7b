/* Tests typed lines: completion, history, answers and messages. The answers of
 * the session come from a list; the line editor is the real one. */
#include "support/support.h"

#include "base/memory.h"
#include "canned.h"
#include "console/line.h"
#include "screen/input/dialog.h"
#include "screen/input/keys.h"
#include "screen/term/input_parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    char line[600];
    uint32_t id;
    cs_answer answer;
    bool waiting, deaf;
} session;

static bool send_line(void *self, const char *line, uint32_t id)
{
    (void)self;
    snprintf(session.line, sizeof session.line, "%s", line);
    session.id = id;
    return !session.deaf;
}

static bool next_answer(void *self, cs_answer *out)
{
    (void)self;
    bool there = session.waiting;
    *out = session.answer;
    session.waiting = false;
    return there;
}

static unsigned char *memory;
static cs_flat table;
static cs_ui ui;
static cs_shot shot;
static cs_dialog dialog;
static const cs_app_link a_link = {.send = send_line, .answer = next_answer};
static const cs_editor editor = {NULL,         cs_line_begin,  cs_line_key,
                                 cs_line_show, cs_line_before, cs_line_replace};

static int setup(void **state)
{
    (void)state;
    memset(&session, 0, sizeof session);
    memory = cs_alloc(CANNED_BYTES, 1);
    canned(&table, memory);
    shot = (cs_shot){.base = table.base, .used = table.used};
    cs_ui_init(&ui);
    return (int)cs_dialog_init(&dialog, &a_link, &editor, &ui, &shot, NULL);
}

static int teardown(void **state)
{
    (void)state;
    cs_dialog_close(&dialog);
    cs_dialog_fini(&dialog);
    cs_free(memory);
    return 0;
}

static void type(const char *text)
{
    if (!ui.prompt.mark) {
        ui.prompt.mark = *text++;
        cs_dialog_open(&dialog);
    }
    for (; *text; text++)
        cs_dialog_key(&dialog, (unsigned char)*text);
}

static void answer_text(cs_status status, const char *text)
{
    session.answer =
        (cs_answer){.id = session.id, .status = status, .text = text};
    session.waiting = true;
    assert_true(cs_dialog_answers(&dialog));
}

/* Answers with a table that has these strings under the keys "0", "1" ... */
static void answer_words(const char *words)
{
    unsigned char bytes[2048] __attribute__((aligned(8)));
    char word[64];
    cs_flat f;
    cs_flat_begin(&f, bytes, sizeof bytes);
    for (size_t i = 0; cs_shot_word(words, i, word, sizeof word); i++)
        cs_flat_text(&f, word, "%zu", i);
    session.answer =
        (cs_answer){.id = session.id, .table = f.base, .used = f.used};
    session.waiting = true;
    assert_true(cs_dialog_answers(&dialog));
}

static void test_completion(void **state)
{
    (void)state;
    type(":se");
    cs_dialog_key(&dialog, '\t');
    assert_string_equal(session.line, "complete :se");
    answer_words("set");
    assert_string_equal(ui.prompt.text, ":set ");
    type("d\t");
    assert_string_equal(session.line, "complete :set d");
    answer_words("dmala.step dmala.balance");
    assert_string_equal(ui.prompt.text, ":set dmala.");
    assert_int_equal(ui.prompt.n_offers, 2);
    type("s");
    assert_int_equal(ui.prompt.n_offers, 0);
    cs_dialog_key(&dialog, '\t');
    answer_words("dmala.step");
    assert_string_equal(ui.prompt.text, ":set dmala.step ");
    char hint[600];
    cs_prompt_hint(&ui, &shot, hint, sizeof hint);
    assert_non_null(strstr(hint, "from 1e-06 to 1,000, default 0.2"));
    type("0.3\r");
    assert_string_equal(session.line, "set dmala.step 0.3");
    type(":arm kernel a dmala ");
    cs_prompt_hint(&ui, &shot, hint, sizeof hint);
    assert_non_null(strstr(hint, "parameters of dmala: step=0.2, balance=0.5"));
    type("balance=");
    cs_prompt_hint(&ui, &shot, hint, sizeof hint);
    assert_non_null(strstr(hint, "balance: "));
    cs_dialog_close(&dialog);
    assert_int_equal(ui.prompt.mark, 0);
    assert_null(ui.gallery.rows); /* a completion is not mistaken for the
                                   * gallery */
}

/* Commands that the screen executes itself are also completed, and are not sent
 * to the session. */
static void test_own_commands(void **state)
{
    (void)state;
    type(":zo\t");
    answer_words("");
    assert_string_equal(ui.prompt.text, ":zoom ");
    type("map\t");
    answer_words("");
    assert_string_equal(ui.prompt.text, ":zoom map ");
    session.line[0] = 0;
    type("\r");
    assert_string_equal(session.line, "");
    assert_true(ui.slots.zoom);
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "map");
    type(":layout energy nothing\r");
    cs_role role;
    assert_non_null(strstr(cs_log_newest(&ui.log, &role), "'nothing'"));
    assert_int_equal(role, CS_ROLE_ERROR);
    type(":q\r");
    assert_true(ui.quit);
}

/* A completion is not inserted if the line was changed before the completion
 * arrived. */
static void test_late_completion(void **state)
{
    (void)state;
    type(":se\t");
    uint32_t id = session.id;
    type("x");
    session.id = id;
    answer_words("set");
    assert_string_equal(ui.prompt.text, ":sex");
    cs_dialog_key(&dialog, 27);
    assert_int_equal(ui.prompt.mark, 0);
    answer_words("set");
    assert_int_equal(ui.prompt.mark, 0);
}

static void test_lua(void **state)
{
    (void)state;
    type(";for i = 1, 2 do\r");
    assert_string_equal(session.line, "lua for i = 1, 2 do");
    answer_text(CS_INPUT, "it is not finished");
    assert_int_equal(ui.prompt.mark, ';'); /* the console stays open */
    type("print(i) end\r");
    assert_string_equal(session.line, "lua for i = 1, 2 do\nprint(i) end");
    answer_text(CS_OK, "1\n2");
    cs_role role;
    assert_string_equal(cs_log_newest(&ui.log, &role), "2");
    type("1 + 1\r");
    assert_string_equal(session.line, "lua 1 + 1");
    answer_text(CS_SCRIPT, "console:1: no");
    cs_log_newest(&ui.log, &role);
    assert_int_equal(role, CS_ROLE_ERROR);
    type("run:advance(1)\r"); /* the error contains the script's line number */
    answer_text(CS_SCRIPT, "one.lua:12: no\n   12 | return x");
    assert_string_equal(cs_log_newest(&ui.log, &role), "one.lua:12: no");
    type("cs.ker\t");
    assert_string_equal(session.line, "complete cs.ker");
    answer_words("cs.kernel");
    assert_string_equal(ui.prompt.text, ";cs.kernel");
}

/* Lines that are typed or pasted before the answer to the previous line arrives
 * are run after it, once each and in order. */
static void test_lua_ahead(void **state)
{
    (void)state;
    type(";print(1)\rfor i = 1, 2 do\r\rprint(i) end\rprint(3)\r");
    assert_string_equal(session.line, "lua print(1)");
    answer_text(CS_OK, "1");
    assert_string_equal(session.line, "lua for i = 1, 2 do");
    answer_text(CS_INPUT, "it is not finished");
    assert_string_equal(session.line, "lua for i = 1, 2 do\n");
    answer_text(CS_INPUT, "it is not finished");
    assert_string_equal(session.line, "lua for i = 1, 2 do\n\nprint(i) end");
    answer_text(CS_OK, "1\n2");
    assert_string_equal(session.line, "lua print(3)");
    session.line[0] = 0;
    answer_text(CS_OK, "3");
    assert_string_equal(session.line, "");
}

/* Cancelling a line also cancels the lines that wait for it. A late answer to
 * the cancelled line is ignored. */
static void test_lua_given_up(void **state)
{
    (void)state;
    type(";slow()\rfirst()\r");
    uint32_t late = session.id;
    cs_dialog_close(&dialog);
    type(";second()\rthird()\r");
    assert_string_equal(session.line, "lua second()");
    uint32_t now = session.id;
    session.id = late;
    answer_text(CS_STOPPED, "stopped on request");
    assert_string_equal(session.line, "lua second()");
    session.id = now;
    answer_text(CS_OK, "");
    assert_string_equal(session.line, "lua third()");
    for (int i = 0; i < 2000; i++) /* a large paste */
        type("x = 1\r");
    cs_role role;
    assert_non_null(strstr(cs_log_newest(&ui.log, &role), "too many"));
    assert_int_equal(role, CS_ROLE_ERROR);
}

static void test_answers(void **state)
{
    (void)state;
    type(":summary\r");
    answer_text(CS_OK, "line one\nline two");
    assert_int_equal(ui.view, CS_VIEW_LOG); /* the reply has several lines */
    cs_dialog_send(&dialog, "step 1");
    answer_text(CS_UNSUPPORTED, "nothing is open");
    cs_role role;
    assert_string_equal(cs_log_newest(&ui.log, &role), "nothing is open");
    cs_dialog_send(&dialog, "gallery");
    answer_words("x");
    assert_non_null(ui.gallery.rows);
    session.deaf = true;
    assert_false(cs_dialog_send(&dialog, "step 1"));
    cs_log_newest(&ui.log, &role);
    assert_int_equal(role, CS_ROLE_ERROR);
}

/* Typed text filters at once. Enter opens the selection, Esc shows all rows
 * again. */
static void test_filter(void **state)
{
    (void)state;
    unsigned char list[1024] __attribute__((aligned(8)));
    cs_flat f;
    cs_flat_begin(&f, list, sizeof list);
    cs_flat_text(&f, "one.lua", "0/file");
    cs_flat_text(&f, "two.lua", "1/file");
    cs_flat_text(&f, "ising gibbs", "1/names");
    ui.view = CS_VIEW_GALLERY;
    ui.gallery.rows = f.base;
    ui.gallery.used = f.used;
    type("/tw\to");
    assert_string_equal(ui.gallery.filter, "two");
    assert_string_equal(cs_gallery_file(&ui), "two.lua");
    cs_dialog_key(&dialog, 27);
    assert_string_equal(ui.gallery.filter, "");
    type("/gibbs");
    assert_string_equal(cs_gallery_file(&ui), "two.lua");
    cs_dialog_key(&dialog, 27);
    type("/one");
    cs_dialog_key(&dialog, CS_KEY_UP);
    ui.lost = true; /* the session has ended, so no run can be lost */
    cs_dialog_key(&dialog, '\r');
    ui.lost = false;
    assert_string_equal(session.line, "open \"one.lua\"");
    cs_dialog_wait(&dialog, 3);
    assert_non_null(strstr(ui.wait, "opening, 3 s so far, ^C stops: one.lua"));
    answer_text(CS_INPUT, "one.lua:1: no");
    assert_int_equal(ui.view, CS_VIEW_GALLERY);
    cs_dialog_wait(&dialog, 0);
    assert_string_equal(ui.wait, "");
    type(":open one.lua\r");
    cs_ui_cover(&ui, CS_VIEW_HELP);
    answer_text(CS_OK, "opened");
    assert_int_equal(ui.view, CS_VIEW_HELP); /* the help covers the opened
                                              * run */
    assert_int_equal(ui.before, CS_VIEW_RUN);
    assert_int_equal(dialog.unanswered, 0);
}

/* Each kind of line has its own history. Lines are saved on disk at once. */
static void test_history(void **state)
{
    (void)state;
    type(":first line\r");
    type(";second\r");
    cs_dialog_key(&dialog, 27);
    type(":");
    cs_dialog_key(&dialog, CS_KEY_UP);
    assert_string_equal(ui.prompt.text, ":first line");
    char path[300], text[400] = "";
    snprintf(path, sizeof path, "%s/chainscope/history",
             getenv("XDG_STATE_HOME"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(n > 0);
    assert_non_null(strstr(text, "first line\n"));
    assert_null(strstr(text, "second"));
}

static void forget(const char *folder)
{
    char path[400];
    static const char *const names[] = {
        "/chainscope/history", "/chainscope/lua_history", "/chainscope", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s%s", folder, names[i]);
        if (remove(path) != 0 && i >= 2)
            print_error("%s could not be removed\n", path);
    }
}

/* A message that is too long for a line of the log continues on the next line,
 * broken at a blank. A long word without blanks is broken between two
 * letters. */
static void test_long_message(void **state)
{
    (void)state;
    static cs_log log;
    char text[1000] = "", joined[1000] = "";
    for (size_t i = 0; i < 60; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "kernel%zu, ",
                 i);
    for (size_t i = 0; i < 150; i++)
        strcat(text, "\xC3\xA9");
    assert_true(cs_log_add(&log, CS_LOG_ERROR, text) > 3);
    for (size_t i = 0; i < log.added; i++) {
        size_t n = strlen(log.line[i].text);
        strcat(joined, log.line[i].text);
        assert_int_equal(log.line[i].goes_on, i > 0);
        if (i + 2 < log.added)
            assert_int_equal(log.line[i].text[n - 1], ' ');
        assert_false((log.line[i].text[0] & 0xC0) == 0x80);
    }
    assert_string_equal(joined, text);
}

static char folder[] = "/tmp/chainscope_dialog_XXXXXX";

static int open_editor(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    setenv("XDG_STATE_HOME", folder, 1);
    cs_line_open(true);
    return 0;
}

static int close_editor(void **state)
{
    (void)state;
    cs_line_close();
    forget(folder);
    return 0;
}

/* Pasted text is never a key or a command. If no line is being typed, pasted
 * text is ignored. In a line, it is inserted and waits for Enter, also during a
 * search in the history. */
static void test_paste(void **state)
{
    (void)state;
    static char text[CS_INPUT_PASTE + 1];
    cs_role role;
    *session.line = 0;
    cs_dialog_paste(&dialog, "rr.>QQ\r:step\n");
    assert_string_equal(session.line, "");
    assert_false(ui.quit);
    assert_non_null(
        strstr(cs_log_newest(&ui.log, &role), "pasted text is ignored"));
    type(":st");
    cs_dialog_paste(&dialog,
                    "\r\nep\t1\r2\n3\033\177\300\302\205\303\244\r\n\n");
    assert_string_equal(ui.prompt.text, ":st ep 1 2 3\303\244");
    assert_non_null(strstr(ui.prompt.note, "4 pasted lines"));
    type("x");
    assert_string_equal(ui.prompt.note, "");
    cs_dialog_paste(&dialog, NULL);
    assert_non_null(strstr(ui.prompt.note, "longer than 8192 bytes"));
    assert_string_equal(ui.prompt.text, ":st ep 1 2 3\303\244x");
    memset(text, 'y', CS_INPUT_PASTE);
    cs_dialog_paste(&dialog, text);
    assert_int_equal(ui.prompt.cursor, 14 + CS_INPUT_PASTE);
    assert_string_equal(ui.prompt.text + 15, text);
    type("\022"); /* ^R */
    cs_dialog_paste(&dialog, "step\n");
    assert_string_equal(session.line, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_long_message),
    cmocka_unit_test_setup_teardown(test_completion, setup, teardown),
    cmocka_unit_test_setup_teardown(test_own_commands, setup, teardown),
    cmocka_unit_test_setup_teardown(test_late_completion, setup, teardown),
    cmocka_unit_test_setup_teardown(test_lua, setup, teardown),
    cmocka_unit_test_setup_teardown(test_lua_ahead, setup, teardown),
    cmocka_unit_test_setup_teardown(test_lua_given_up, setup, teardown),
    cmocka_unit_test_setup_teardown(test_answers, setup, teardown),
    cmocka_unit_test_setup_teardown(test_filter, setup, teardown),
    cmocka_unit_test_setup_teardown(test_history, setup, teardown),
    cmocka_unit_test_setup_teardown(test_paste, setup, teardown),
};
TESTS_WITH(test_dialog, open_editor, close_editor)
