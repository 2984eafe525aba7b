/* Tests the table of scalars. If there are only a few scalars, the table shows
 * all of them. Otherwise the table starts with the scalars whose chains
 * disagree, from the worst to the best. */
#include "support/support.h"

#include "base/memory.h"
#include "screen/canvas/canvas_export.h"
#include "screen/panels/scalar_table.h"
#include "session/client/snapshot_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 18, W = 100, H = 24 };

static unsigned char *memory;

/* Creates a snapshot in which each scalar has R-hat = 1.001. The scalars in
 * bad[n] are exceptions: bad[0] has 1.1, bad[1] has 1.2, and so on. */
static cs_shot shot_of(size_t rows, const size_t *bad, size_t n)
{
    cs_flat f;
    char names[1024] = "lp__";
    cs_flat_begin(&f, memory, BYTES);
    cs_flat_number(&f, 1, "run/arms");
    cs_flat_text(&f, "arm", "arm/0/name");
    cs_figures *t =
        CS_FLAT_ROWS(&f, cs_figures, rows, CS_KEY_FIGURES, (size_t)0);
    for (size_t i = 0; i < rows; i++) {
        size_t used = strlen(names);
        if (i)
            snprintf(names + used, sizeof names - used, " x.%zu", i);
        t[i] = (cs_figures){.mean = (double)i,
                            .sd = 1,
                            .rhat = 1.001,
                            .bulk = 400,
                            .tail = 400,
                            .mcse = 0.1,
                            .ess = 400};
    }
    for (size_t k = 0; k < n; k++)
        t[bad[k]].rhat = 1.1 + 0.1 * (double)k;
    cs_flat_text(&f, names, "arm/0/diagnostics/names");
    assert_false(f.full);
    return (cs_shot){.base = f.base, .used = f.used};
}

/* Copies the names in the table to out[size], each followed by one blank. */
static void names_of(const cs_shot *s, char *out, size_t size)
{
    cs_canvas c = {0};
    char *text = NULL, name[32];
    size_t n = 0, used = 0;
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_area all = cs_canvas_area(&c);
    int lines = cs_scalar_table_draw(&all, s, 0, 0);
    FILE *to = open_memstream(&text, &n);
    assert_true(cs_canvas_export(&c, CS_TEXT, CS_TIER_MONO, to));
    fclose(to);
    const char *at = strchr(text, '\n') + 1;
    for (int y = 1; y < lines; y++, at = strchr(at, '\n') + 1)
        if (sscanf(at, "%31s", name) == 1)
            used += (size_t)snprintf(out + used, size - used, "%s ", name);
    free(text);
    cs_canvas_fini(&c);
}

static void the_worst_stand_first(void **state)
{
    static const size_t bad[] = {17, 4, 29, 11};
    static const size_t many[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    char names[1024];
    (void)state;
    cs_shot s = shot_of(30, bad, 4);
    names_of(&s, names, sizeof names);
    assert_memory_equal(names, "lp__ x.11 x.29 x.4 x.17 x.1 x.2 x.3 x.4 ", 40);
    /* ten of the twelve are shown; the first two have the lowest R-hat */
    s = shot_of(30, many, 12);
    names_of(&s, names, sizeof names);
    assert_memory_equal(
        names, "lp__ x.12 x.11 x.10 x.9 x.8 x.7 x.6 x.5 x.4 x.3 x.1 ", 52);
    /* a table of a few scalars keeps the order of the scalars */
    s = shot_of(20, bad, 2);
    names_of(&s, names, sizeof names);
    assert_memory_equal(names, "lp__ x.1 x.2 x.3 x.4 x.5 ", 25);
}

static int open_memory(void **state)
{
    (void)state;
    memory = cs_alloc(BYTES, 1);
    return !memory;
}

static int close_memory(void **state)
{
    (void)state;
    cs_free(memory);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_worst_stand_first),
};
TESTS_WITH(test_scalars, open_memory, close_memory)
