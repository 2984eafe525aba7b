/* What panels draw, held against what they were given: on the canvas, at many
 * sizes. */
#include "support/support.h"

#include "base/memory.h"
#include "canned.h"
#include "screen/commands.h"

#include <stdio.h>
#include <string.h>

static unsigned char *memory;
static cs_flat table;

static int setup(void **state)
{
    (void)state;
    memory = cs_alloc(CANNED_BYTES, 1);
    canned(&table, memory);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cs_free(memory);
    return 0;
}

static cs_shot shot(void)
{
    return (cs_shot){table.base, table.used};
}

/* ---- words of panels ---- */

static bool quiet(void *self, const char *line)
{
    (void)self;
    return line != NULL;
}

static void test_words(void **state)
{
    (void)state;
    cs_panel_word w = cs_panel_read("map=log_tau,theta.1@small");
    assert_string_equal(w.type->name, "map");
    assert_string_equal(w.of, "log_tau,theta.1");
    assert_string_equal(w.arm, "small");
    w = cs_panel_read("trace@a=b");
    assert_string_equal(w.of, "");
    assert_string_equal(w.arm, "a=b");
    assert_null(cs_panel_read("trac=x").type);
    assert_null(cs_panel_read("").type);
    cs_look_at at = {.of = "b"};
    assert_int_equal(cs_panel_choice(&at, "energy a b", 3), 2);
    at.option = 1;
    assert_int_equal(cs_panel_choice(&at, "energy a b", 3), 0);
    at = (cs_look_at){.of = "none"};
    assert_int_equal(cs_panel_choice(&at, "energy a b", 3), 0);
    assert_int_equal(cs_panel_choice(&at, "", 0), 0);
}

/* A scenario's words and a typed line choose what a panel shows. */
static void test_told(void **state)
{
    (void)state;
    cs_error err;
    cs_ui ui;
    cs_canvas c;
    cs_shot s = shot();
    cs_sender to = {quiet, NULL};
    assert_int_equal(cs_canvas_init(&c, 80, 24, CS_BRAILLE, &err), CS_OK);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, s.base, s.used, &c);
    assert_true(cs_ui_command(&ui, &s, &to, "layout trace=b@acs map"));
    assert_string_equal(ui.panel[0]->name, "trace");
    assert_string_equal(ui.told[0].of, "b");
    assert_string_equal(ui.told[0].arm, "acs");
    assert_false(ui.on[2]);
    assert_true(cs_ui_command(&ui, &s, &to, "panel trace=a"));
    assert_true(ui.on[0]);
    assert_string_equal(ui.told[0].of, "a");
    assert_true(cs_ui_command(&ui, &s, &to, "layout trac=a"));
    assert_string_equal(ui.told[0].of, "a");
    cs_canvas_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_told, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
