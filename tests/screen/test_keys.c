/* Keys become command lines; the same rows make the help. */
#include "support/support.h"

#include "base/memory.h"
#include "canned.h"
#include "screen/keys.h"

#include <stdio.h>
#include <string.h>

static unsigned char *memory;
static cs_flat table;
static char sent[256];

static bool record(void *self, const char *line)
{
    (void)self;
    snprintf(sent, sizeof sent, "%s", line);
    return true;
}

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

static void expect(cs_ui *ui, unsigned key, const char *line)
{
    cs_shot s = {table.base, table.used};
    cs_sender to = {record, NULL};
    sent[0] = 0;
    assert_true(cs_press(ui, &s, &to, key));
    assert_string_equal(sent, line);
}

static void test_commands(void **state)
{
    (void)state;
    cs_ui ui;
    cs_ui_init(&ui);
    expect(&ui, ' ', "toggle");
    expect(&ui, '.', "step 1");
    expect(&ui, '>', "step 100");
    expect(&ui, ',', "rewind -1");
    expect(&ui, '+', "speed 82400");
    expect(&ui, '=', "speed 0");
    expect(&ui, 'a', "look acs 1 1");
    expect(&ui, 'a', "look dmala 1 1");
    expect(&ui, 'C', "look dmala 4 1");
    expect(&ui, 'R', ""); /* the run would be lost */
    assert_non_null(strstr(ui.ask, "R again starts with another seed"));
    expect(&ui, 'R', "seed");
    expect(&ui, 'r', "");
    expect(&ui, 'x', ""); /* another key: it is asked anew */
    expect(&ui, 'r', "");
    expect(&ui, 'r', "restart");
    /* 0.2 times the tenth root of ten */
    expect(&ui, CS_KEY_RIGHT, "set dmala.step 0.251785");
    expect(&ui, CS_KEY_DOWN, "");
    expect(&ui, CS_KEY_LEFT, "set dmala.balance 0.48");
}

static void test_views(void **state)
{
    (void)state;
    unsigned char list[1024] __attribute__((aligned(8)));
    cs_flat f;
    cs_flat_begin(&f, list, sizeof list);
    cs_flat_text(&f, "a b.lua", "0/file");
    cs_flat_text(&f, "two.lua", "1/file");
    cs_ui ui;
    cs_ui_init(&ui);
    expect(&ui, 'G', "gallery");
    ui.gallery = f.base;
    ui.gallery_used = f.used;
    expect(&ui, CS_KEY_PAGE_DOWN, "");
    assert_int_equal(ui.row, 1);
    expect(&ui, CS_KEY_UP, "");
    snprintf(ui.filter, sizeof ui.filter, "TWO lua");
    expect(&ui, CS_KEY_UP, "");
    assert_int_equal(ui.row, 1); /* the only one */
    expect(&ui, 'q', "");
    assert_false(ui.quit || *ui.filter); /* it shows all again */
    expect(&ui, CS_KEY_UP, "");
    expect(&ui, '\r', "");
    expect(&ui, '\r', "open a\\ b.lua");
    assert_int_equal(ui.view, CS_VIEW_GALLERY); /* until it is open */
    ui.view = CS_VIEW_RUN;
    expect(&ui, '?', "");
    assert_int_equal(ui.view, CS_VIEW_HELP);
    expect(&ui, 'q', "");
    expect(&ui, 'Q', "");
    assert_true(!ui.quit && *ui.ask);
    expect(&ui, 'Q', "");
    assert_true(ui.quit);
}

/* No key means two things in one view. */
static void test_no_key_twice(void **state)
{
    (void)state;
    const cs_action *a, *b;
    for (size_t i = 0; (a = cs_action_at(i)); i++)
        for (size_t j = 0; j < i && (b = cs_action_at(j)); j++)
            for (size_t k = 0; k < 9; k++)
                if (a->views & b->views && a->keys[k / 3])
                    assert_true(a->keys[k / 3] != b->keys[k % 3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_no_key_twice),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
