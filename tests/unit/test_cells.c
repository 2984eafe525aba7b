/* Tests a table in each output format. The table contains strings with markup,
 * quotes, wide or combining characters, and numbers that are not finite. */
#include "support/support.h"

#include "base/cells.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

typedef struct row {
    const char *name;
    double mean[2], count, share, size;
} row;

static void stars(const cs_column *c, const void *of, cs_column_cell *cell)
{
    const row *r = of;
    cell->value = r->count;
    strcpy(cell->buffer, "***");
    cell->text = r->count > (double)c->at ? cell->buffer : NULL;
}

static const cs_column columns[] = {
    CS_COLUMN("name", "name", WORDS, 0, CS_AT(row, name)),
    CS_COLUMN("a_mean", "mean", NUMBER, 0, CS_AT(row, mean),
              .error = "mean_error"),
    CS_COLUMN(NULL, "count", FIXED, 0, CS_AT(row, count)),
    CS_COLUMN("share", NULL, FIXED, 3, CS_AT(row, share), .most = 0.5,
              .width = 8),
    CS_COLUMN("size", "size", SHORT, 0, CS_AT(row, size), .missing = "?"),
    CS_COLUMN("class", "class", NUMBER, 0, .get = stars, .at = 2),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const row rows[] = {
    {"a|b, \"c\" & <d>", {1.0 / 3, 0.0125}, 3, 0.5, 12345},
    {"\u6771\u4eac", {-0.0, NAN}, 2, 0.75, -INFINITY},
    {"e\u0301_%$#{}^~", {NAN, 1}, 1e15, NAN, NAN},
    {NULL, {1e300, INFINITY}, -0.0, -1, 1e6},
    {"two\nlines\\", {INFINITY, NAN}, 0, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static cs_cells made(void)
{
    cs_cells t = cs_cells_begin(columns, COLUMNS);
    for (size_t i = 0; i < ROWS; i++)
        cs_cells_add(&t, &rows[i]);
    assert_false(t.full);
    assert_int_equal(t.rows, ROWS);
    return t;
}

static void is(cs_cells *t, cs_page *p, const char *want)
{
    assert_false(p->full);
    assert_string_equal(p->text, want);
    cs_free(p->text);
    cs_cells_fini(t);
}

static void as_text(void **state)
{
    cs_page p = {0};
    cs_cells t = made();
    (void)state;
    cs_cells_put(&t, NULL, &p);
    is(&t, &p,
       "  name            a_mean           share     size   class\n"
       "  a|b, \"c\" & <d>  0.3333 +- 0.013  0.500     12.3k  ***\n"
       "  \u6771\u4eac            -0               0.750!    -inf   2\n"
       "  e\u0301_%$#{}^~       -                -         ?      ***\n"
       "                  1e+300 +- inf    -1.000    1M     -0\n"
       "  two lines\\      inf              0.000     0      0\n");
}

/* Text columns are left-aligned, and a gap separates them from columns of
 * numbers. */
static void at_the_right(void **state)
{
    static const cs_column some[] = {
        CS_COLUMN("arm", "arm", WORDS, 0, CS_AT(row, name)),
        CS_COLUMN("n", "n", FIXED, 0, CS_AT(row, count), .width = 4),
        CS_COLUMN("again", "again", WORDS, 0, CS_AT(row, name)),
        CS_COLUMN("share", "share", FIXED, 1, CS_AT(row, share)),
    };
    cs_page p = {0};
    cs_cells t = cs_cells_begin(some, 4);
    (void)state;
    t.indent = 0;
    t.gap = 1;
    t.right = true;
    cs_cells_add(&t, &rows[1]);
    cs_cells_add(&t, &(row){.name = "walk", .count = 123456});
    cs_cells_put(&t, NULL, &p);
    is(&t, &p,
       "arm       n  again share\n"
       "\u6771\u4eac      2  \u6771\u4eac    0.8\n"
       "walk 123456  walk    0.0\n");
}

static void as_markdown(void **state)
{
    cs_page p = {0};
    cs_cells t = made();
    (void)state;
    cs_cells_put(&t, cs_markup_find("markdown"), &p);
    is(&t, &p,
       "| name | a\\_mean | share | size | class |\n"
       "| --- | ---: | ---: | ---: | ---: |\n"
       "| a\\|b, \"c\" \\& \\<d\\> | 0.3333 +- 0.013 | 0.500 | 12.3k | "
       "\\*\\*\\* |\n"
       "| \u6771\u4eac | -0 | 0.750\\! | -inf | 2 |\n"
       "| e\u0301\\_%$#{}^~ | - | - | ? | \\*\\*\\* |\n"
       "|  | 1e+300 +- inf | -1.000 | 1M | -0 |\n"
       "| two lines\\\\ | inf | 0.000 | 0 | 0 |\n\n");
}

static void as_latex(void **state)
{
    cs_page p = {0};
    cs_cells t = made();
    (void)state;
    cs_cells_put(&t, cs_markup_find("latex"), &p);
    is(&t, &p,
       "\\begin{tabular}{lrrrr}\n\\hline\n"
       "name & a\\_mean & share & size & class \\\\\n\\hline\n"
       "a$|$b, \"c\" \\& $<$d$>$ & 0.3333 +- 0.013 & 0.500 & 12.3k & *** "
       "\\\\\n"
       "\u6771\u4eac & -0 & 0.750! & -inf & 2 \\\\\n"
       "e\u0301\\_\\%\\$\\#\\{\\}\\textasciicircum{}\\textasciitilde{} & - & - "
       "& ? & *** \\\\\n"
       " & 1e+300 +- inf & -1.000 & 1M & -0 \\\\\n"
       "two lines\\textbackslash{} & inf & 0.000 & 0 & 0 \\\\\n"
       "\\hline\n\\end{tabular}\n\n");
}

static void as_csv(void **state)
{
    cs_page p = {0};
    cs_cells t = made();
    (void)state;
    cs_cells_csv(&t, &p);
    is(&t, &p,
       "name,mean,mean_error,count,size,class\n"
       "\"a|b, \"\"c\"\" & <d>\",0.3333333333333333,0.0125,3,12345,3\n"
       "\u6771\u4eac,-0,,2,-inf,2\n"
       "e\u0301_%$#{}^~,,1,1e+15,,1e+15\n"
       ",1e+300,inf,-0,1000000,-0\n"
       "\"two\nlines\\\",inf,,0,0,0\n");
}

static void as_json(void **state)
{
    cs_page p = {0};
    cs_cells t = made();
    (void)state;
    cs_cells_json(&t, "\n", &p);
    is(&t, &p,
       "\n{\"name\": \"a|b, \\\"c\\\" & <d>\", \"mean\": 0.3333333333333333, "
       "\"mean_error\": 0.0125, \"count\": 3, \"size\": 12345, \"class\": 3},"
       "\n{\"name\": \"\u6771\u4eac\", \"mean\": -0, \"mean_error\": null, "
       "\"count\": 2, \"size\": null, \"class\": 2},"
       "\n{\"name\": \"e\u0301_%$#{}^~\", \"mean\": null, \"mean_error\": 1, "
       "\"count\": 1e+15, \"size\": null, "
       "\"class\": 1e+15},"
       "\n{\"mean\": 1e+300, \"mean_error\": null, \"count\": -0, "
       "\"size\": 1000000, \"class\": -0},"
       "\n{\"name\": \"two\\u000alines\\\\\", \"mean\": null, "
       "\"mean_error\": null, \"count\": 0, \"size\": 0, \"class\": 0}");
}

/* Without rows a table has only headings, and a JSON array is empty. */
static void of_no_rows(void **state)
{
    cs_page p = {0};
    cs_cells t = cs_cells_begin(columns, 2);
    (void)state;
    cs_cells_put(&t, NULL, &p);
    cs_cells_csv(&t, &p);
    cs_cells_json(&t, "\n", &p);
    is(&t, &p, "  name  a_mean\nname,mean,mean_error\n");
}

/* A number is printed with the fewest digits from which the number can be read
 * back. */
static void exact_numbers(void **state)
{
    static const struct {
        double x;
        const char *text;
    } some[] = {{0.1, "0.1"},
                {0.1 + 0.2, "0.30000000000000004"},
                {1e22, "1e+22"},
                {0x1p-1074, "4.94065645841247e-324"},
                {0x1.fffffffffffffp1023, "1.7976931348623157e+308"}};
    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        cs_page p = {0};
        cs_page_exact(&p, some[i].x);
        assert_string_equal(p.text, some[i].text);
        cs_free(p.text);
    }
}

/* Optional columns without values are omitted. The other columns are displayed
 * until the width is used up. The last column needs no blank after it. */
static void columns_of_the_screen(void **state)
{
    static const cs_column some[] = {
        CS_COLUMN("mean", NULL, NUMBER, 0, CS_AT(row, mean), .width = 8),
        CS_COLUMN("share", NULL, FIXED, 1, CS_AT(row, share), .width = 5,
                  .optional = true),
        CS_COLUMN("size", NULL, SHORT, 0, CS_AT(row, size), .width = 7,
                  .optional = true),
    };
    cs_column chosen[3];
    (void)state;
    assert_int_equal(
        cs_columns_choose(some, 3, &rows[2], 1, sizeof *rows, chosen), 1);
    assert_int_equal(
        cs_columns_choose(some, 3, &rows[2], 2, sizeof *rows, chosen), 3);
    assert_string_equal(chosen[2].name, "size");
    static const struct {
        int width;
        size_t fit;
    } fits[] = {{-5, 0}, {6, 0},  {7, 1},  {11, 1},
                {12, 2}, {18, 2}, {19, 3}, {99, 3}};
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
        assert_int_equal(cs_columns_fit(some, 3, fits[i].width), fits[i].fit);
}

static void widths(void **state)
{
    (void)state;
    assert_int_equal(cs_text_width("abc"), 3);
    assert_int_equal(cs_text_width("\u6771\u4eac"), 4);
    assert_int_equal(cs_text_width("e\u0301"), 1);
    assert_int_equal(cs_text_width("a\tb"), 3);
    assert_int_equal(cs_text_width("\033"), 4); /* \x1b */
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(as_text),
    cmocka_unit_test(at_the_right),
    cmocka_unit_test(as_markdown),
    cmocka_unit_test(as_latex),
    cmocka_unit_test(as_csv),
    cmocka_unit_test(as_json),
    cmocka_unit_test(of_no_rows),
    cmocka_unit_test(exact_numbers),
    cmocka_unit_test(columns_of_the_screen),
    cmocka_unit_test(widths),
};
TESTS(test_cells)
