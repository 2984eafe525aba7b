/* Tests that each panel shows only the selected arm. One run has two arms whose
 * numbers all differ. A second run has these two arms in the other order. The
 * output for the second arm of one run must equal the output for the first arm
 * of the other run. */
#include "support/support.h"

#include "canned_table.h"
#include "canned_tuning.h"
#include "frame.h"
#include "screen/state/ui.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 24 << 20, W = 200, H = 60, CHAINS = 4 };

static unsigned char *other; /* the snapshot with its arms swapped */
static cs_flat swapped;

/* ---- two arms that differ in all numbers --------------------------------- */

/* Returns true for values that must be equal in both arms: positions on an
 * axis, sizes, labels. If one of these values were changed, the snapshot would
 * be inconsistent. */
static bool is_a_place(const char *key)
{
    static const char *const ends[] = {
        "time",   "recent", "edges", "lag",  "range", "params", "scalars",
        "chains", "first",  "last",  "view", "exact", "low",    "high"};
    const char *end = strrchr(key, '/') + 1;
    if (strstr(key, "acceptance/chains"))
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(end, ends[i]) == 0)
            return true;
    bool series = strstr(key, "/schedule/") && strcmp(end, "value") == 0;
    return strstr(key, "/param/") || strstr(key, "/trace/") ||
           (strstr(key, "/schedule/") && !series);
}

static bool is_of(const char *key, int arm)
{
    return strncmp(key, arm ? "arm/1/" : "arm/0/", 6) == 0;
}

/* Changes every number of the second arm that equals the corresponding number
 * of the first arm. */
static void put_changed(cs_flat *to, const cs_flat_entry *e)
{
    cs_flat_entry first;
    double *x = cs_flat_array(to, e->rows, e->cols, "%s", e->key);
    size_t n = e->rows * e->cols;
    memcpy(x, e->data, n * sizeof *x);
    bool alike =
        cs_flat_find(table.base, table.used, &first, "arm/0/%s", e->key + 6) &&
        first.data && first.rows * first.cols == n &&
        memcmp(first.data, x, n * sizeof *x) == 0;
    for (size_t i = 0; alike && !is_a_place(e->key) && i < n; i++)
        x[i] *= 0.84375;
}

static void put_entry(cs_flat *to, const cs_flat_entry *e, const char *key)
{
    size_t n = e->rows * e->cols;
    if (e->text)
        cs_flat_text(to, e->text, "%s", key);
    else
        memcpy(cs_flat_array(to, e->rows, e->cols, "%s", key), e->data,
               n * sizeof *e->data);
}

/* Creates the run. If a value would be equal in both arms, it is changed in the
 * second arm. */
static void put_different(cs_flat *to)
{
    cs_flat_entry e;
    for (size_t at = 0; cs_flat_next(table.base, table.used, &at, &e);)
        if (is_of(e.key, 1) && e.data)
            put_changed(to, &e);
        else
            put_entry(to, &e, e.key);
}

/* Creates a copy of the run `from` in which arms 0 and 1 are swapped. */
static void put_swapped(const cs_flat *from, cs_flat *to)
{
    cs_flat_entry e;
    char key[CS_FLAT_KEY];
    for (size_t at = 0; cs_flat_next(from->base, from->used, &at, &e);) {
        snprintf(key, sizeof key, "%s", e.key);
        if (is_of(key, 0) || is_of(key, 1))
            key[4] = is_of(key, 0) ? '1' : '0';
        put_entry(to, &e, key);
    }
}

static void put_run(void)
{
    cs_flat_begin(&table, memory, BYTES);
    cs_flat_text(&table, "paused", "run/state");
    canned_run(&table);
    for (size_t i = 0; i < 2; i++) {
        canned_tuner(&table, i);
        canned_cycle(&table, i);
        canned_weights(&table, i);
        canned_discrepancy(&table, i);
        canned_arm_of(&table, i, CHAINS);
        if (i == 1)
            canned_transitions(&table, i, CHAINS);
    }
    canned_pictures_of(&table, 2, CHAINS);
    assert_false(table.full);
    cs_flat different = {0};
    void *scratch = cs_alloc(BYTES, 1);
    cs_flat_begin(&different, scratch, BYTES);
    put_different(&different);
    assert_false(different.full);
    cs_flat_begin(&swapped, other, BYTES);
    put_swapped(&different, &swapped);
    cs_flat_begin(&table, memory, BYTES);
    cs_flat_add(&table, different.base, different.used);
    cs_free(scratch);
    assert_false(swapped.full || table.full);
}

/* ---- rendering ----------------------------------------------------------- */

/* Replaces the glyph before an arm's name by blanks. */
static void without_glyphs(char *text)
{
    static const char *const name[] = {" dmala", " acs", " !dmala", " !acs"};
    for (size_t i = 0; i < 4; i++)
        for (char *at = text; (at = strstr(at, name[i])) != NULL; at++)
            if (at > text && (at[-1] == 'o' || at[-1] == '#'))
                at[-1] = ' ';
}

/* Removes the first sentence, because it compares all arms in the order of the
 * run. */
static void without_comparison(char *text)
{
    char *at = strchr(text, '\n');
    assert_non_null(at);
    assert_non_null(strstr(at, "modes within"));
    char *end = strchr(at + 1, '\n');
    assert_true(end && strstr(at, "modes within") < end);
    memmove(at, end, strlen(end) + 1);
}

/* The choice of arms to show. */
typedef struct arms_shown {
    size_t arm, pinned;
    bool every;
} arms_shown;

/* Returns the frame of a panel as text. [caller frees] */
static char *frame_of(const cs_flat *f, const char *panel, arms_shown arms)
{
    static cs_ui ui;
    cs_canvas c = {0};
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_ui_init(&ui);
    cs_screen_frame(&ui, f->base, f->used, &c);
    cs_ui_panels(&ui, panel);
    ui.slots.zoom = true;
    ui.look.every_arm = arms.every;
    ui.look.arm = arms.arm;
    ui.look.pinned = arms.pinned;
    cs_canvas_clear(&c);
    cs_screen_frame(&ui, f->base, f->used, &c);
    FILE *out = open_memstream(&text, &size);
    assert_true(cs_canvas_export(&c, CS_TEXT, CS_TIER_MONO, out));
    fclose(out);
    cs_canvas_fini(&c);
    return text;
}

/* Returns the frame of a panel of one arm as text. The glyphs that number arms
 * and chains are removed. [caller frees] */
static char *text_of(const cs_flat *f, const char *panel, size_t arm)
{
    char *text = frame_of(f, panel, (arms_shown){arm, CS_NO_PIN, false});
    without_glyphs(text);
    without_comparison(text);
    return text;
}

/* Returns the part of a frame's text below the title of its panel. The title
 * and the sentences contain the name of the chosen arm. */
static const char *below_title(const char *text)
{
    const char *at = strchr(text, '\n'); /* title of the run */
    for (int i = 0; at && i < 2; i++)    /* a sentence, title of the panel */
        at = strchr(at + 1, '\n');
    assert_non_null(at);
    return at + 1;
}

/* Returns true for the row of an arm in a table. The row has a margin, a blank
 * in place of the removed glyph, a mark if the arm has failed steps, and the
 * name. */
static bool is_row(const char *line)
{
    const char *name = line + 3;
    return strncmp(line, "   ", 3) == 0 &&
           (strncmp(name + (*name == '!'), "dmala ", 6) == 0 ||
            strncmp(name + (*name == '!'), "acs ", 4) == 0);
}

/* Returns true if each row of an arm in one text is also a row in the other
 * text. The order of the rows may differ. */
static bool same_rows(const char *one, const char *other_one)
{
    char line[8 * W];
    size_t rows = 0;
    for (const char *at = one; *at; at += strlen(line)) {
        size_t n = strcspn(at, "\n") + 1;
        assert_true(n < sizeof line);
        snprintf(line, n + 1, "%s", at);
        if (!is_row(line))
            continue;
        rows++;
        if (!strstr(other_one, line))
            return false;
    }
    return rows >= 2;
}

/* Returns true if a panel shows only one arm. Other panels show all arms at
 * once, a single step, or no arm. */
static bool is_of_an_arm(const char *panel)
{
    static const char *const others[] = {
        "race",     "learn",      "log",
        "first",    "lesson",     "line",
        "ratios",   "state",      "calibration",
        "sweep",    "predictive", "simulation",
        "proposal", "distance",   "autocorrelation",
        "picture"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(panel, others[i]) == 0)
            return false;
    return true;
}

static void the_arm_that_is_looked_at(void **state)
{
    size_t faults = 0, reported = 0;
    const cs_panel_type *type;
    (void)state;
    put_run();
    for (size_t k = 0; (type = cs_panel_at(k)); k++) {
        if (!is_of_an_arm(type->name))
            continue;
        for (size_t arm = 0; arm < 2; arm++) {
            char *one = text_of(&table, type->name, arm);
            char *same = text_of(&swapped, type->name, 1 - arm);
            char *next = text_of(&table, type->name, 1 - arm);
            bool rows = strcmp(type->name, "summary") == 0; /* this panel has
                                                             * one row per
                                                             * arm */
            if (rows ? !same_rows(one, same) : strcmp(one, same) != 0) {
                faults++;
                print_error("%s of arm %zu; with the arms swapped:\n%s\n%s\n",
                            type->name, arm, one, same);
            }
            if (strcmp(below_title(one), below_title(next)) == 0) {
                faults++;
                print_error("%s is the same for both arms:\n%s\n", type->name,
                            one);
            }
            reported++;
            free(one);
            free(same);
            free(next);
        }
    }
    assert_int_equal(faults, 0);
    assert_true(reported >= 20);
}

/* A frame with a pinned arm beside the chosen arm equals a frame that compares
 * these two arms with equal scales. */
static void a_pinned_arm(void **state)
{
    size_t faults = 0, reported = 0;
    const cs_panel_type *type;
    (void)state;
    put_run();
    for (size_t k = 0; (type = cs_panel_at(k)); k++) {
        char *alone =
            frame_of(&table, type->name, (arms_shown){0, CS_NO_PIN, false});
        char *both =
            frame_of(&table, type->name, (arms_shown){0, CS_NO_PIN, true});
        char *pinned = frame_of(&table, type->name, (arms_shown){0, 1, false});
        if (strcmp(below_title(pinned), below_title(both)) != 0) {
            faults++;
            print_error("%s with a pinned arm; compared:\n%s\n%s\n", type->name,
                        pinned, both);
        }
        reported += strcmp(below_title(both), below_title(alone)) != 0;
        free(alone);
        free(both);
        free(pinned);
    }
    assert_int_equal(faults, 0);
    assert_true(reported >= 15);
}

static int open_memory(void **state)
{
    (void)state;
    memory = cs_alloc(BYTES, 1);
    other = cs_alloc(BYTES, 1);
    return !memory || !other;
}

static int close_memory(void **state)
{
    (void)state;
    cs_free(memory);
    cs_free(other);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_arm_that_is_looked_at),
    cmocka_unit_test(a_pinned_arm),
};
TESTS_WITH(test_arms, open_memory, close_memory)
