/* Tests that keys become command lines. The help is generated from the same
 * table of keys. */
#include "support/support.h"

#include "canned_table.h"
#include "kernel/kernel.h"
#include "screen/input/commands.h"
#include "screen/state/preferences.h"
#include "screen/state/presets.h"
#include "screen/term/key_names.h"
#include "screen/term/keyboards.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char sent[256];

static bool record(void *self, const char *line)
{
    (void)self;
    snprintf(sent, sizeof sent, "%s", line);
    return true;
}

static void expect(cs_ui *ui, unsigned key, const char *line)
{
    cs_shot s = {.base = table.base, .used = table.used};
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
    expect(&ui, 'l', "logp");
    expect(&ui, 'R', ""); /* asks for confirmation, because the run would be
                           * lost */
    assert_non_null(strstr(ui.ask, "R again starts with another seed"));
    expect(&ui, 'R', "seed");
    expect(&ui, 'r', "");
    expect(&ui, 'x', ""); /* this key cancels the question; r then asks again */
    expect(&ui, 'r', "");
    expect(&ui, 'r', "restart");
    /* while no list is visible, the arrows choose an arm or show the list */
    expect(&ui, CS_KEY_DOWN, "look acs 1 1");
    expect(&ui, CS_KEY_UP, "look dmala 1 1");
    expect(&ui, CS_KEY_RIGHT, "");
    assert_true(ui.params);
    /* one press multiplies the step size 0.2 by the tenth root of ten */
    expect(&ui, CS_KEY_RIGHT, "set dmala.step 0.251785");
    expect(&ui, CS_KEY_DOWN, "");
    expect(&ui, CS_KEY_LEFT, "set dmala.balance 0.48");
    expect(&ui, 'P', "");
    expect(&ui, 'a', "look acs 1 1");
    assert_int_equal(ui.look.pinned, 0); /* stays beside the chosen arm */
    expect(&ui, 'a', "look dmala 1 1");
    expect(&ui, 'P', "");
    assert_int_equal(ui.look.pinned, CS_NO_PIN);
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
    expect(&ui, 'G', "gallery 0 12 recent");
    ui.gallery.rows = f.base;
    ui.gallery.used = f.used;
    expect(&ui, CS_KEY_PAGE_DOWN, "");
    assert_int_equal(ui.row, 1);
    expect(&ui, CS_KEY_UP, "");
    snprintf(ui.gallery.filter, sizeof ui.gallery.filter, "TWO lua");
    expect(&ui, CS_KEY_UP, "");
    assert_int_equal(ui.row, 1); /* only one row matches the filter */
    expect(&ui, 'q', "");
    assert_false(ui.quit || *ui.gallery.filter); /* the key clears the filter
                                                  * instead of quitting */
    expect(&ui, CS_KEY_UP, "");
    expect(&ui, '\r', "");
    expect(&ui, '\r', "open \"a b.lua\"");
    assert_int_equal(ui.view, CS_VIEW_GALLERY); /* the gallery is shown until
                                                 * the scenario has been
                                                 * opened */
    ui.view = CS_VIEW_RUN;
    expect(&ui, '?', "");
    assert_int_equal(ui.view, CS_VIEW_HELP);
    expect(&ui, 'q', "");
    expect(&ui, 'Q', "");
    assert_true(!ui.quit && *ui.ask);
    expect(&ui, 'Q', "");
    assert_true(ui.quit);
}

static size_t shown(const cs_ui *ui)
{
    size_t n = 0;
    for (size_t i = 0; i < ui->slots.n; i++)
        n += ui->slots.of[i].on;
    return n;
}

static const char *newest(const cs_ui *ui)
{
    cs_role role;
    return cs_log_newest(&ui->log, &role);
}

/* Changes of the display are undone key by key, and redone. */
static void test_undo_shown(void **state)
{
    (void)state;
    static cs_ui ui, was;
    cs_ui_init(&ui);
    const char keys[] = "1zpTuxov";
    unsigned steps = 0;
    was = ui;
    for (const char *k = keys; *k; k++, steps++)
        expect(&ui, (unsigned char)*k, "");
    size_t panels = shown(&ui);
    assert_int_equal(ui.undo.at, steps);
    expect(&ui, '\t', ""); /* moving the focus is not an undo step */
    assert_int_equal(ui.undo.at, steps);
    for (unsigned i = 0; i < steps; i++)
        expect(&ui, 'U', "");
    assert_string_equal(newest(&ui), "undone: the visible panels, restored");
    assert_true(ui.theme == was.theme && ui.look.unit == was.look.unit);
    assert_true(ui.slots.zoom == was.slots.zoom && shown(&ui) == shown(&was));
    assert_memory_equal(ui.slots.of, was.slots.of, sizeof ui.slots.of);
    expect(&ui, 'U', "");
    assert_string_equal(newest(&ui), "nothing to undo");
    for (unsigned i = 0; i < steps; i++)
        expect(&ui, 18, ""); /* ctrl-r */
    assert_int_equal(shown(&ui), panels);
    assert_true(ui.theme != was.theme && ui.look.unit != was.look.unit);
    expect(&ui, 18, "");
    assert_string_equal(newest(&ui), "nothing to redo");
}

/* The session undoes changes of the run in reverse order. If a change cannot be
 * undone, a message gives the command that restores the old value. The next
 * undo then reverts the preceding change. */
static void test_undo_run(void **state)
{
    (void)state;
    static cs_ui ui;
    cs_ui_init(&ui);
    expect(&ui, 'z', "");
    cs_undo_changes(&ui, 2);
    expect(&ui, 'T', "");
    cs_undo_instead(&ui, "steps go back by ,");
    expect(&ui, 'U', "");
    assert_non_null(strstr(newest(&ui), "steps go back by ,; U again"));
    assert_true(ui.theme != cs_theme_at(0));
    expect(&ui, 'U', "");
    assert_true(ui.theme == cs_theme_at(0));
    expect(&ui, 'U', "undo");
    expect(&ui, 'U', "undo");
    assert_true(ui.slots.zoom);
    expect(&ui, 18, "redo");
    expect(&ui, 'U', "undo");
    expect(&ui, 'U', "");
    assert_false(ui.slots.zoom);
    for (int i = 0; i < 3 * CS_UNDO_STEPS; i++)
        expect(&ui, 'T', "");
    assert_int_equal(ui.undo.at, CS_UNDO_STEPS);
}

/* Writes a snapshot of one arm with the parameter `p`. */
static void put_param(const cs_param *p, double value, unsigned space)
{
    cs_row_param row = cs_row_of_param(p, value, false, space);
    char names[256] = "";
    cs_flat_begin(&table, memory, CANNED_BYTES);
    cs_flat_number(&table, 1, "run/arms");
    cs_flat_text(&table, "a", "arm/0/name");
    cs_flat_number(&table, 1, "arm/0/params");
    memcpy(
        cs_flat_array(&table, 1, sizeof row / sizeof(double), "arm/0/param/0"),
        &row, sizeof row);
    cs_flat_text(&table, p->name, "arm/0/param/0/name");
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s",
                 p->choices[i]);
    cs_flat_text(&table, names, "arm/0/param/0/choices");
}

/* Presses the key. Returns the value in the line that the screen sends, as the
 * session would read it. */
static double press(const cs_param *p, double value, unsigned space,
                    unsigned key)
{
    static const char *const truth[] = {"false", "true", NULL};
    char head[80];
    double next;
    cs_ui ui;
    cs_ui_init(&ui);
    ui.params = true; /* the list is visible */
    put_param(p, value, space);
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    sent[0] = 0;
    assert_true(cs_press(&ui, &s, &to, key));
    snprintf(head, sizeof head, "set a.%s ", p->name);
    if (p->spaces && !(p->spaces & space)) {
        assert_string_equal(sent, ""); /* the parameter is not offered */
        return (double)NAN;
    }
    assert_memory_equal(sent, head, strlen(head));
    cs_param row = *p;
    if (p->kind == CS_PARAM_BOOL) {
        row.choices = truth;
        row.kind = CS_PARAM_CHOICE;
    }
    if (row.choices)
        assert_int_equal(
            cs_param_choose(&row, sent + strlen(head), &next, NULL), CS_OK);
    else
        next = strtod(sent + strlen(head), NULL);
    if (cs_param_check_number(p, next, NULL) != CS_OK)
        fail_msg("%s of %g: '%s' is refused", p->name, value, sent);
    return next;
}

/* Presses the right key until the end of the range, then the left key until the
 * other end. A list of choices has no end, because the first choice follows the
 * last. Before an end, each press must request a new and valid value. */
static void walk(const cs_param *p, unsigned space)
{
    double v = press(p, p->def, space, CS_KEY_RIGHT);
    bool named = p->kind == CS_PARAM_CHOICE || p->kind == CS_PARAM_BOOL;
    if (isnan(v))
        return;
    for (int way = 1; way >= -1; way -= 2)
        for (int i = 0; i < 100; i++) {
            double next =
                press(p, v, space, way > 0 ? CS_KEY_RIGHT : CS_KEY_LEFT);
            bool end = v == (way > 0 ? p->max : p->min);
            if (named ? next == v : end ? next != v : (next - v) * way <= 0)
                fail_msg("%s goes from %g to %g", p->name, v, next);
            v = next;
        }
}

enum { W = 60, H = 20 };

/* Returns true if row y of the canvas contains `text`. */
static bool reads(const cs_canvas *c, int y, const char *text)
{
    int n = (int)strlen(text);
    for (int x = 0; x + n <= W; x++) {
        int i = 0;
        while (i < n && c->cell[y * W + x + i].code == (unsigned char)text[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* The lists of numbers that the kernel was given are shown below the
 * parameters. */
static void test_lists_are_shown(void **state)
{
    (void)state;
    cs_canvas c;
    cs_ui ui;
    const cs_param p = {.name = "rate", .max = 1, .help = ""};
    cs_ui_init(&ui);
    put_param(&p, 0.5, CS_CONTINUOUS);
    cs_flat_text(&table, "borders", "arm/0/list/0/name");
    cs_flat_text(&table, "9 numbers: 1, 2, 3 ...", "arm/0/list/0/text");
    cs_flat_text(&table, "log_weights", "arm/0/list/1/name");
    cs_flat_text(&table, "10 numbers: 0, 0, 1 ...", "arm/0/list/1/text");
    const cs_shot s = {.base = table.base, .used = table.used};
    assert_int_equal(cs_canvas_init(&c, W, H, CS_ASCII, NULL), CS_OK);
    const cs_area all = cs_canvas_area(&c);
    cs_view_params(&all, &ui, &s);
    bool borders = false, weights = false;
    for (int y = 0; y < H; y++) {
        borders |= reads(&c, y, "borders      9 numbers: 1, 2, 3 ...");
        weights |= reads(&c, y, "log_weights  10 numbers: 0, 0, 1 ...");
    }
    cs_canvas_fini(&c);
    assert_true(borders && weights);
}

static void test_every_parameter(void **state)
{
    (void)state;
    static const unsigned spaces[] = {CS_CONTINUOUS, CS_BINARY, CS_ORDINAL,
                                      CS_CATEGORICAL};
    const cs_kernel_type *type;
    size_t rows = 0, whole = 0, idle = 0;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++)
        for (size_t k = 0; k < type->n_params; k++)
            for (size_t n = 0; n < 4; n++) {
                const cs_param *p = &type->params[k];
                if (!(type->spaces & spaces[n]) || p->kind >= CS_PARAM_ARRAY)
                    continue;
                walk(p, spaces[n]);
                rows++;
                whole += p->kind != CS_PARAM_REAL;
                idle += p->spaces && !(p->spaces & spaces[n]);
            }
    assert_true(rows > 62 && whole > 21 && idle > 6);
    /* a million is not rounded to six digits */
    const cs_param big = {.name = "n", .kind = CS_PARAM_INT, .max = 1e9};
    assert_near(press(&big, 1234567, CS_BINARY, CS_KEY_RIGHT), 1234568, 0, 0);
    const cs_param third = {.name = "r", .max = 2. / 3};
    assert_near(press(&third, 2. / 3, CS_BINARY, CS_KEY_RIGHT), 2. / 3, 0, 0);
    canned(&table, memory);
}

/* At the end of the budget, the key that starts a run asks for confirmation.
 * Only y and Enter continue the run. Any other key answers no, and has no other
 * effect. */
static void test_end_of_budget(void **state)
{
    (void)state;
    static const struct {
        unsigned key;
        const char *line;
    } answers[] = {{'y', "toggle"}, {'\r', "toggle"}, {'n', ""}, {' ', ""},
                   {27, ""},        {'.', ""},        {'Q', ""}};
    unsigned char bytes[1024] __attribute__((aligned(8)));
    cs_sender to = {record, NULL};
    cs_flat f;
    cs_ui ui;
    cs_flat_begin(&f, bytes, sizeof bytes);
    cs_flat_text(&f, "done", "run/state");
    cs_flat_number(&f, 1000, "run/steps");
    cs_shot s = {.base = f.base, .used = f.used};
    cs_ui_init(&ui);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        sent[0] = 0;
        assert_true(cs_press(&ui, &s, &to, ' '));
        assert_string_equal(sent, "");
        assert_non_null(strstr(ui.ask, "ended at step 1,000. Run on?"));
        assert_true(cs_press(&ui, &s, &to, answers[i].key));
        assert_string_equal(sent, answers[i].line);
        assert_string_equal(ui.ask, "");
        assert_false(ui.quit || ui.beyond);
    }
    cs_obey(&(cs_key_press){&ui, &s, &to, 0, true}, "toggle");
    assert_string_equal(sent, "toggle"); /* a typed command needs no
                                          * confirmation */
    expect(&ui, ' ', "toggle");          /* a run in progress */
}

/* The lines of the help can be searched by words, and a line of the help can be
 * executed. */
static void test_help(void **state)
{
    (void)state;
    cs_ui ui;
    canned(&table, memory);
    cs_ui_init(&ui);
    expect(&ui, '?', "");
    snprintf(ui.sought, sizeof ui.sought, "SUMMARY write");
    expect(&ui, '\r', "");
    assert_int_equal(ui.view, CS_VIEW_HELP); /* no line contains both words */
    snprintf(ui.sought, sizeof ui.sought, "pause run or");
    expect(&ui, '\r', "toggle");
    assert_int_equal(ui.view, CS_VIEW_RUN);
    expect(&ui, '?', "");
    assert_string_equal(ui.sought, "");
    expect(&ui, 'w', ""); /* a letter without a function starts the search */
    assert_int_equal(ui.prompt.mark, '/');
    assert_string_equal(ui.prompt.begin, "w");
    ui.prompt.mark = 0;
    snprintf(ui.sought, sizeof ui.sought, "twice as fast");
    expect(&ui, '\r', "speed 82400");
    expect(&ui, '?', "");
    /* words that no line of the help contains */
    snprintf(ui.sought, sizeof ui.sought, "how different claims");
    expect(&ui, 'q', "");
    assert_int_equal(ui.view, CS_VIEW_HELP); /* the help shows all lines
                                              * again */
    assert_string_equal(ui.sought, "");
    snprintf(ui.sought, sizeof ui.sought, "[NAME] colours");
    expect(&ui, '\r', "");
    assert_int_equal(ui.prompt.mark, ':');
    assert_string_equal(ui.prompt.begin, "theme ");
    ui.prompt.mark = 0;
    expect(&ui, '?', "");
    snprintf(ui.sought, sizeof ui.sought, "%s", cs_panel_find("map")->help);
    ui.sought[40] = 0;
    expect(&ui, '\r', "");
    assert_string_equal(ui.slots.of[ui.slots.focus].type->name, "map");
    assert_true(ui.slots.of[ui.slots.focus].on);
}

static void test_theme(void **state)
{
    (void)state;
    cs_ui ui;
    cs_ui_init(&ui);
    expect(&ui, 'T', "");
    assert_string_equal(cs_theme_name(ui.theme), "light");
    expect(&ui, 'T', "");
    expect(&ui, 'T', "");
    assert_string_equal(cs_theme_name(ui.theme), "dark");
}

static void test_key_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned key;
    } table_of[] = {{"a", 'a'},
                    {"?", '?'},
                    {"space", ' '},
                    {"ctrl-r", 18},
                    {"f1", CS_KEY_F1},
                    {"f12", CS_KEY_F12},
                    {"up", CS_KEY_UP},
                    {"shift-left", CS_KEY_SHIFT_LEFT},
                    {"ctrl-c", 3},
                    {"<", '<'},
                    {"pgup", CS_KEY_PAGE_UP},
                    {"f13", 0},
                    {"f0", 0},
                    {"ctrl-", 0},
                    {"", 0},
                    {"shift-x", 0}};
    for (size_t i = 0; i < sizeof table_of / sizeof *table_of; i++)
        if (cs_key_read(table_of[i].name) != table_of[i].key)
            fail_msg("'%s' is key %u", table_of[i].name,
                     cs_key_read(table_of[i].name));
    assert_int_equal(cs_key_to_bind("ctrl-c"), 0);
    assert_int_equal(cs_key_to_bind("esc"), 0);
    assert_int_equal(cs_key_to_bind("ctrl-r"), 18);
}

/* Checks that every layout that Tab offers exists. A saved layout takes
 * precedence over a built-in one. */
static void walk_layouts(cs_ui *ui, const cs_shot *s, const cs_sender *to)
{
    char name[CS_WORD], buffer[CS_WORD], words[256];
    size_t own = 0, presets = 0;
    for (size_t i = 0; cs_layout_name(ui, i, name, sizeof name); i++) {
        snprintf(words, sizeof words, "layout %s", name);
        assert_true(cs_ui_command(ui, s, to, words));
        own += strcmp(name, "mine") == 0 || strcmp(name, "other") == 0 ||
               strcmp(name, "lab") == 0;
        presets += cs_preset_find(name) != NULL;
        const char *offered = cs_ui_offer(ui, "layout ", i, buffer);
        assert_string_equal(offered, name);
    }
    assert_true(own == 3 && !cs_preset_at(presets) && presets > 5);
    assert_true(cs_ui_command(ui, s, to, "layout diagnose"));
    assert_string_equal(ui->slots.of[0].type->name, "marginal");
    assert_string_equal(ui->slots.of[3].type->name, "running");
    assert_true(ui->slots.of[3].on && !ui->slots.of[4].on);
    assert_true(cs_ui_command(ui, s, to, "layout race"));
    assert_string_equal(ui->slots.of[1].type->name, "trace");
    assert_true(cs_ui_command(ui, s, to, "layout save diagnose"));
    assert_true(cs_ui_command(ui, s, to, "layout diagnose")); /* the user's
                                                               * layout */
    assert_string_equal(ui->slots.of[0].type->name, "race");
}

/* Tests the user's preferences: keys, layouts and colours. A saved layout can
 * be opened and replaced. */
static void test_preferences(void **state)
{
    (void)state;
    unsigned char bytes[4096] __attribute__((aligned(8)));
    char home[] = "/tmp/chainscope_wishes_XXXXXX", words[256], path[200];
    cs_flat f;
    cs_ui ui;
    cs_error err;
    assert_non_null(mkdtemp(home));
    setenv("XDG_STATE_HOME", home, 1);
    cs_flat_begin(&f, bytes, sizeof bytes);
    cs_flat_text(&f, "contrast", CS_PREFERENCE_THEME);
    cs_flat_number(&f, 0, CS_PREFERENCE_MOUSE);
    cs_flat_text(&f, "ctrl-r", CS_PREFERENCE_NAME, CS_PREFERENCE_KEYS,
                 (size_t)0);
    cs_flat_text(&f, "step 7", CS_PREFERENCE_VALUE, CS_PREFERENCE_KEYS,
                 (size_t)0);
    cs_flat_text(&f, ".", CS_PREFERENCE_NAME, CS_PREFERENCE_KEYS, (size_t)1);
    cs_flat_text(&f, "theme light", CS_PREFERENCE_VALUE, CS_PREFERENCE_KEYS,
                 (size_t)1);
    cs_flat_text(&f, "lab", CS_PREFERENCE_NAME, CS_PREFERENCE_LAYOUTS,
                 (size_t)0);
    cs_flat_text(&f, "map trace=b@acs", CS_PREFERENCE_VALUE,
                 CS_PREFERENCE_LAYOUTS, (size_t)0);
    const cs_shot preferences = {.base = f.base, .used = f.used};
    canned(&table, memory);
    cs_ui_init(&ui);
    cs_ui_preference(&ui, &preferences);
    assert_false(ui.mouse.listens);
    assert_string_equal(cs_theme_name(ui.theme), "contrast");
    expect(&ui, 18, "step 7");
    expect(&ui, '.', ""); /* the key no longer steps */
    assert_string_equal(cs_theme_name(ui.theme), "light");
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    assert_true(cs_ui_command(&ui, &s, &to, "layout lab"));
    assert_string_equal(ui.slots.of[1].type->name, "trace");
    assert_string_equal(ui.slots.of[1].shows.arm, "acs");
    assert_true(cs_ui_command(&ui, &s, &to, "layout save mine"));
    assert_true(cs_ui_command(&ui, &s, &to, "layout energy"));
    assert_true(cs_ui_command(&ui, &s, &to, "layout save other"));
    assert_true(cs_ui_command(&ui, &s, &to, "layout save mine"));
    assert_true(cs_layout_named(&ui, &s, "mine", words, sizeof words));
    assert_string_equal(words, "energy");
    assert_true(cs_layout_named(&ui, &s, "other", words, sizeof words));
    assert_true(cs_layout_named(&ui, &s, "lab", words, sizeof words));
    assert_string_equal(words, "map trace=b@acs");
    assert_false(cs_layout_named(&ui, &s, "min", words, sizeof words));
    walk_layouts(&ui, &s, &to);
    assert_int_equal(cs_layout_save(&ui, "map", &err), CS_INPUT);
    assert_int_equal(cs_layout_save(&ui, "a b", &err), CS_INPUT);
    assert_int_equal(cs_layout_save(&ui, "", &err), CS_INPUT);
    snprintf(path, sizeof path, "rm -rf %s", home);
    assert_int_equal(system(path), 0);
}

/* No key has two functions in one view, and no two functions have one name. */
static void test_no_key_twice(void **state)
{
    (void)state;
    const cs_action *a, *b;
    for (size_t i = 0; (a = cs_action_at(i)); i++)
        for (size_t j = 0; j < i && (b = cs_action_at(j)); j++) {
            assert_string_not_equal(a->name, b->name);
            for (size_t k = 0; k < 9; k++)
                if (a->views & b->views && a->keys[k / 3])
                    assert_true(a->keys[k / 3] != b->keys[k % 3]);
        }
}

/* Checks that a key and its command line have the same effect. Both send the
 * same messages, and the screen has the same state afterwards. The list of
 * parameters is visible, because the arrows change parameters only if the list
 * is visible. */
static void compare_key(const cs_action *a, size_t k, cs_view view)
{
    static cs_ui pressed, typed;
    char by_key[sizeof sent];
    const cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    cs_ui_init(&pressed);
    pressed.view = view == CS_VIEW_BUILD ? CS_VIEW_RUN : view;
    pressed.look.hill = view == CS_VIEW_BUILD;
    pressed.before = CS_VIEW_RUN;
    pressed.params = true;
    pressed.lost = true; /* the session has ended */
    typed = pressed;
    sent[0] = 0;
    assert_true(cs_press(&pressed, &s, &to, a->keys[k]));
    memcpy(by_key, sent, sizeof by_key);
    sent[0] = 0;
    cs_obey(&(cs_key_press){&typed, &s, &to, 0, true}, a->line[k]);
    if (strcmp(sent, by_key) != 0)
        fail_msg("%s: key %zu sends '%s', :%s sends '%s'", a->name, k, by_key,
                 a->line[k], sent);
    pressed.asked = typed.asked = pressed.again = typed.again = 0;
    if (memcmp(&pressed, &typed, sizeof typed) != 0)
        fail_msg("%s: the screen after key %zu differs from that after :%s",
                 a->name, k, a->line[k]);
}

/* Every key has a command line, in every view in which it has a function. */
static void test_every_key_is_a_command(void **state)
{
    (void)state;
    const cs_action *a;
    size_t n = 0;
    canned(&table, memory);
    cs_row_hill *hill = CS_FLAT_ROWS(&table, cs_row_hill, 2, CS_KEY_HILLS);
    hill[0] = (cs_row_hill){1, 2, 0.5, 0.25};
    hill[1] = (cs_row_hill){-1, 2, 0.5, 0.75};
    for (size_t i = 0; (a = cs_action_at(i)); i++)
        for (size_t k = 0; k < CS_ACTION_KEYS && a->keys[k]; k++)
            for (unsigned view = 0; view <= CS_VIEW_BUILD; view++) {
                if (!a->line[k])
                    fail_msg("key %zu of %s has no command line", k, a->name);
                if (a->views & 1u << view)
                    compare_key(a, k, (cs_view)view);
                n++;
            }
    assert_true(n > 200);
    cs_ui ui;
    cs_ui_init(&ui);
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    assert_true(cs_ui_command(&ui, &s, &to, "panel 2"));
    assert_int_equal(ui.slots.focus, 1);
    assert_true(cs_ui_command(&ui, &s, &to, "run_chosen "));
    assert_non_null(strstr(newest(&ui), "does nothing here"));
}

/* The words in the command lines of keys can be completed, and the hint
 * describes them. */
static void test_key_lines_complete(void **state)
{
    (void)state;
    char buffer[CS_WORD], hint[400];
    const char *word;
    bool axis = false, narrow = false;
    static cs_ui ui;
    cs_ui_init(&ui);
    cs_shot s = {.base = table.base, .used = table.used};
    for (size_t i = 0; (word = cs_ui_offer(&ui, "ax", i, buffer)); i++)
        axis |= strcmp(word, "axis") == 0;
    for (size_t i = 0; (word = cs_ui_offer(&ui, "axis ", i, buffer)); i++)
        narrow |= strcmp(word, "narrow") == 0;
    assert_true(axis && narrow);
    snprintf(ui.prompt.text, sizeof ui.prompt.text, ":axis");
    ui.prompt.mark = ':';
    cs_prompt_hint(&ui, &s, hint, sizeof hint);
    assert_non_null(strstr(hint, ":axis narrow, :axis wide: halve"));
    snprintf(ui.prompt.text, sizeof ui.prompt.text, ":break reject ");
    cs_prompt_hint(&ui, &s, hint, sizeof hint);
    assert_string_equal(hint, "break reject N [ARM [CHAIN]]: at least N "
                              "consecutive rejections");
    snprintf(ui.prompt.text, sizeof ui.prompt.text, ":break rej");
    cs_prompt_hint(&ui, &s, hint, sizeof hint);
    assert_non_null(strstr(hint, "break [KIND"));
}

/* If the keyboard lacks the bracket keys, other keys replace them, and the
 * labels show these keys. The user's own keys take precedence. */
static void test_keyboards(void **state)
{
    (void)state;
    char label[16];
    unsigned key;
    static cs_ui ui;
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    const cs_action *scrub = cs_action_find("scrub");
    cs_ui_init(&ui);
    assert_true(cs_ui_command(&ui, &s, &to, "keyboard qwertz"));
    sent[0] = 0;
    assert_true(cs_press(&ui, &s, &to, 0xD6));
    assert_non_null(strstr(sent, "event previous"));
    cs_action_key(&ui, scrub, 1, label, sizeof label, &key);
    assert_string_equal(label, "\u00E4");
    assert_int_equal(key, 0xE4);
    ui.prefs.binding[0] = (cs_binding){'*', "*", "scrub on"};
    ui.prefs.binding[1] = (cs_binding){0xE4, "\u00E4", "theme light"};
    ui.prefs.n_bindings = 2;
    expect(&ui, 0xE4, "");
    assert_string_equal(cs_theme_name(ui.theme), "light");
    cs_action_key(&ui, scrub, 1, label, sizeof label, &key);
    assert_string_equal(label, "*");
    ui.prefs.binding[2] = (cs_binding){',', ",", "step 10"};
    ui.prefs.n_bindings = 3;
    cs_action_key(&ui, cs_action_find("back"), 0, label, sizeof label, &key);
    assert_string_equal(label, "-");
    assert_int_equal(key, 0);
    assert_true(cs_ui_command(&ui, &s, &to, "keyboard dvorak"));
    assert_non_null(strstr(newest(&ui), "us qwertz"));
    for (size_t i = 0; cs_keyboard_at(i); i++)
        for (size_t k = 0; cs_keyboard_at(i)->key[k].name; k++) {
            const char *line = cs_keyboard_at(i)->key[k].line;
            size_t which;
            assert_int_not_equal(cs_key_to_bind(cs_keyboard_at(i)->key[k].name),
                                 0);
            assert_non_null(cs_action_of_line(line, CS_VIEW_RUN, &which));
        }
}

/* Tests preferences for slow links and for the amount of animation. */
static void test_slow_links(void **state)
{
    (void)state;
    static cs_ui ui;
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    cs_ui_init(&ui);
    assert_true(cs_ui_command(&ui, &s, &to, "frames 2"));
    assert_true(cs_ui_command(&ui, &s, &to, "bandwidth 4"));
    assert_true(cs_ui_command(&ui, &s, &to, "motion reduced"));
    assert_true(ui.prefs.frames == 2 && ui.prefs.bandwidth == 4 &&
                ui.prefs.reduced);
    assert_true(cs_ui_command(&ui, &s, &to, "frames 200"));
    assert_non_null(strstr(newest(&ui), "between 0.1 and 12"));
    assert_true(cs_ui_command(&ui, &s, &to, "bandwidth 4k"));
    assert_non_null(strstr(newest(&ui), "between 1 and 24"));
    assert_true(ui.prefs.frames == 2 && ui.prefs.bandwidth == 4);
    assert_true(cs_ui_command(&ui, &s, &to, "frames usual"));
    assert_true(cs_ui_command(&ui, &s, &to, "bandwidth"));
    assert_string_equal(newest(&ui), "at most 4 KiB per second");
    assert_true(cs_ui_command(&ui, &s, &to, "motion"));
    assert_true(ui.prefs.frames == 0 && !ui.prefs.reduced);
}

/* Tests the choice between pictures in pixels and in characters. */
static void test_graphics(void **state)
{
    (void)state;
    static cs_ui ui;
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    cs_ui_init(&ui);
    assert_true(ui.prefs.graphics == CS_GRAPHICS_AUTO);
    assert_true(cs_ui_command(&ui, &s, &to, "graphics off"));
    assert_true(ui.prefs.graphics == CS_GRAPHICS_OFF && !ui.prefs.ask_graphics);
    assert_true(cs_ui_command(&ui, &s, &to, "graphics on"));
    assert_true(ui.prefs.graphics == CS_GRAPHICS_ON && ui.prefs.ask_graphics);
    assert_true(cs_ui_command(&ui, &s, &to, "graphics sixel"));
    assert_string_equal(newest(&ui), "graphics must be on, off or auto");
    assert_true(ui.prefs.graphics == CS_GRAPHICS_ON);
    assert_true(cs_ui_command(&ui, &s, &to, "graphics"));
    assert_string_equal(newest(&ui), "pictures in characters: no terminal");
}

/* If the user sets the glyphs of a panel, the panel uses these glyphs at once.
 * The sizes of panels are a part of the layout. */
static void test_glyphs_and_sizes(void **state)
{
    (void)state;
    char words[400];
    static cs_ui ui;
    cs_shot s = {.base = table.base, .used = table.used};
    cs_sender to = {record, NULL};
    cs_ui_init(&ui);
    assert_true(
        cs_ui_command(&ui, &s, &to, "layout trace:60x20 map:30 energy"));
    assert_true(ui.slots.sizes.wide[0] == 60 && ui.slots.sizes.tall[0] == 20);
    assert_true(ui.slots.sizes.wide[1] == 30 && ui.slots.sizes.tall[1] == 0);
    assert_true(ui.slots.sizes.wide[2] == 0);
    cs_layout_words(&ui, words, sizeof words);
    assert_string_equal(words, " trace:60x20 map:30x0 energy");
    assert_true(cs_ui_command(&ui, &s, &to, "layout trace=x.1@acs:9x9"));
    assert_string_equal(ui.slots.of[0].shows.arm, "acs");
    assert_string_equal(ui.slots.of[0].shows.of, "x.1");
    assert_true(cs_ui_command(&ui, &s, &to, "layout trace energy"));
    assert_true(cs_ui_command(&ui, &s, &to, "glyphs ascii"));
    assert_true(ui.slots.of[0].glyphs == CS_ASCII &&
                ui.slots.of[1].glyphs == CS_BRAILLE);
    assert_true(cs_ui_command(&ui, &s, &to, "undo"));
    assert_true(ui.slots.of[0].glyphs == CS_BRAILLE);
    assert_true(cs_ui_command(&ui, &s, &to, "glyphs block all"));
    assert_true(ui.slots.of[0].glyphs == CS_BLOCK &&
                ui.slots.of[1].glyphs == CS_BLOCK);
    assert_true(cs_ui_command(&ui, &s, &to, "glyphs"));
    assert_true(ui.slots.of[0].glyphs == CS_ASCII &&
                ui.slots.of[1].glyphs == CS_BLOCK);
    assert_true(cs_ui_command(&ui, &s, &to, "glyphs dots"));
    assert_non_null(strstr(newest(&ui), "ascii, block or braille"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_commands),
    cmocka_unit_test(test_views),
    cmocka_unit_test(test_undo_shown),
    cmocka_unit_test(test_undo_run),
    cmocka_unit_test(test_every_parameter),
    cmocka_unit_test(test_lists_are_shown),
    cmocka_unit_test(test_end_of_budget),
    cmocka_unit_test(test_help),
    cmocka_unit_test(test_theme),
    cmocka_unit_test(test_key_names),
    cmocka_unit_test(test_preferences),
    cmocka_unit_test(test_no_key_twice),
    cmocka_unit_test(test_every_key_is_a_command),
    cmocka_unit_test(test_key_lines_complete),
    cmocka_unit_test(test_keyboards),
    cmocka_unit_test(test_slow_links),
    cmocka_unit_test(test_graphics),
    cmocka_unit_test(test_glyphs_and_sizes),
};
TESTS_WITH(test_keys, setup, teardown)
