/* Tests the columns of a table on the screen: their positions and colours, and
 * how cells that are too narrow are shortened. */
#include "support/support.h"

#include "screen/canvas/table_cells.h"

#include <math.h>
#include <string.h>

enum { W = 24, H = 3 };

typedef struct row {
    double rhat, exact;
    const char *word;
} row;

static void tv(const cs_column *c, const void *of, cs_column_cell *cell)
{
    (void)c, (void)of;
    cell->text = "0.123 tv states";
}

static const cs_column columns[] = {
    CS_COLUMN("R-hat", NULL, FIXED, 3, CS_AT(row, rhat), .most = 1.01,
              .width = 8),
    CS_COLUMN("exact", NULL, SHORT, 0, CS_AT(row, exact), .width = 6,
              .mark = CS_CELL_EXACT),
    CS_COLUMN("far", NULL, NUMBER, 0, .get = tv, .width = 9),
};

static void line_is(const cs_canvas *c, int y, const char *want)
{
    char text[W + 1] = "";
    for (int x = 0; x < W; x++)
        text[x] = (char)c->cell[y * W + x].code;
    for (size_t n = W; n && (text[n - 1] == ' ' || !text[n - 1]);)
        text[--n] = 0;
    assert_string_equal(text, want);
}

static cs_role role_at(const cs_canvas *c, int x, int y)
{
    return (cs_role)c->cell[y * W + x].role;
}

static void a_table(void **state)
{
    cs_canvas c = {0};
    (void)state;
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_columns_head(&a, 1, 0, columns, 3);
    cs_columns_row(&a, 1, 1, columns, 3, &(row){.rhat = 1.005, .exact = 2});
    cs_columns_row(&a, 1, 2, columns, 3, &(row){.rhat = 1.25, .exact = NAN});
    line_is(&c, 0, " R-hat   exact far");
    line_is(&c, 1, " 1.005   2     0.123 tv");
    line_is(&c, 2, " 1.250   -     0.123 tv");
    assert_int_equal(role_at(&c, 1, 0), CS_ROLE_LABEL);
    assert_int_equal(role_at(&c, 9, 0), CS_ROLE_TRUTH);
    assert_int_equal(role_at(&c, 1, 1), CS_ROLE_NORMAL);
    assert_int_equal(role_at(&c, 9, 1), CS_ROLE_TRUTH);
    assert_int_equal(role_at(&c, 1, 2), CS_ROLE_WARN);
    assert_int_equal(role_at(&c, 15, 2), CS_ROLE_NORMAL);
    cs_canvas_fini(&c);
}

static void wrong(const cs_column *c, const void *of, cs_column_cell *cell)
{
    (void)c, (void)of;
    cell->text = "no! yes";
    cell->value = 2;
}

/* Only the mark of a bad number is removed, not a "!" of a text. */
static void a_mark(void **state)
{
    static const cs_column of[] = {
        CS_COLUMN("R-hat", NULL, FIXED, 2, CS_AT(row, rhat), .most = 1.01,
                  .missing = "none!", .width = 7),
        CS_COLUMN("word", NULL, NUMBER, 0, .get = wrong, .most = 1,
                  .width = 10),
    };
    cs_canvas c = {0};
    (void)state;
    assert_int_equal(cs_canvas_init(&c, W, H, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(&c);
    cs_columns_row(&a, 0, 0, of, 2, &(row){.rhat = 1.25});
    cs_columns_row(&a, 0, 1, of, 2, &(row){.rhat = NAN});
    line_is(&c, 0, "1.25   no! yes");
    line_is(&c, 1, "none!  no! yes");
    cs_canvas_fini(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_mark),
    cmocka_unit_test(a_table),
};
TESTS(test_columns)
