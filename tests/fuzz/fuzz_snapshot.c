/* Fuzzes the panels with arbitrary snapshots. The first three bytes select the
 * size of the screen and its glyphs. If bit 2 of the third byte is set, the
 * input continues with changes to a valid snapshot. Each change has an entry, a
 * kind of change and two numbers. Otherwise the input continues with the raw
 * bytes of a snapshot. */
#include "base/memory.h"
#include "fuzz.h"
#include "screen/canned.h"
#include "screen/canned_own.h"
#include "screen/input/keys.h"
#include "screen/state/ui.h"

#include <math.h>
#include <string.h>

static unsigned char *good, *room;
static cs_flat table;

static void prepare(void)
{
    good = cs_alloc(CANNED_BYTES, 1);
    room = cs_alloc(CANNED_BYTES, 1);
    if (!good || !room)
        fuzz_broken("out of memory");
    canned(&table, good);
    canned_own(&table);
}

static void change(cs_flat *out, const cs_flat_entry *e, const uint8_t *how)
{
    static const double odd[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e308,
                                 5e8,         0,        -1,        1e18};
    static const char *const texts[] = {"", " ", "\xff\x1b[2J", "%s%n",
                                        "trace trace map nothing"};
    size_t rows = how[1] % 5, cols = how[2] % 200;
    if (how[0] % 4 == 0)
        return;
    if (e->text) {
        cs_flat_text(out, texts[how[1] % 5], "%s", e->key);
        return;
    }
    bool shape = how[0] % 4 == 1;
    if (!shape)
        rows = e->rows, cols = e->cols;
    double *to = cs_flat_array(out, rows, cols, "%s", e->key);
    size_t n = e->rows * e->cols;
    for (size_t i = 0; to && i < rows * cols; i++)
        to[i] = n && (shape || i % (how[1] + 1u)) ? e->data[i % n]
                                                  : odd[how[2] % 8];
}

/* Copies the valid snapshot to out, with the n changes in changes[n][4]. */
static void changed(cs_flat *out, const uint8_t *changes, size_t n)
{
    cs_flat_entry e;
    size_t at = 0;
    cs_flat_begin(out, room, CANNED_BYTES);
    for (size_t i = 0; cs_flat_next(table.base, table.used, &at, &e); i++) {
        const uint8_t *how = NULL;
        for (size_t k = 0; k < n; k++)
            if (changes[4 * k] == i % 256)
                how = changes + 4 * k + 1;
        double *to;
        if (how)
            change(out, &e, how);
        else if (e.text)
            cs_flat_text(out, e.text, "%s", e.key);
        else if ((to = cs_flat_array(out, e.rows, e.cols, "%s", e.key)))
            memcpy(to, e.data, e.rows * e.cols * sizeof *to);
    }
}

static void one_input(const uint8_t *data, size_t size)
{
    static cs_ui ui;
    cs_canvas c;
    cs_flat now;
    if (size < 3 || size > CANNED_BYTES)
        return;
    if (cs_canvas_init(&c, data[0] + 1, data[1] % 80 + 1,
                       (cs_glyphs)(data[2] % 3), NULL) != CS_OK)
        return;
    unsigned char *bytes = cs_alloc(1, size);
    memcpy(bytes, data + 3, size - 3);
    now = (cs_flat){.base = bytes, .used = size - 3};
    if (data[2] & 4)
        changed(&now, data + 3, (size - 3) / 4);
    cs_ui_init(&ui);
    for (size_t i = 0; i < ui.slots.n; i++) {
        ui.slots.of[i].on = i < 9;
        ui.slots.of[i].variant = data[2] >> 3;
        ui.slots.of[i].option = data[2] >> 5;
    }
    cs_screen_frame(&ui, now.base, now.used, &c);
    ui.slots.zoom = true;
    for (size_t i = 0; i < ui.slots.n; i++) {
        ui.slots.focus = i;
        cs_screen_frame(&ui, now.base, now.used, &c);
    }
    cs_free(bytes);
    cs_canvas_fini(&c);
}

const fuzz_reader reader_snapshot = {.prepare = prepare, .read = one_input};
