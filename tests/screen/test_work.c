/* Tests the work of arms that use batches of rows: the columns of the summary,
 * and the trace against work. */
#include "canned_panel.h"

#include <stdio.h>
#include <string.h>

/* If arms have rows of data, the summary has three columns: the rows per step
 * of a chain, the rows in total, and the passes over the data. Without rows
 * these columns are absent. */
static void test_summary_of_rows(void **state)
{
    (void)state;
    static const struct {
        const char *head, *value;
    } want[] = {{"terms/step", "12"},   {"passes", "2.50"},
                {"gradients", "0"},     {"data terms", "24k"},
                {"ESS/1k ev", "66.60"}, {"densities", "0"}};
    static const double row[14] = {1, 2, 1.005, 111, 222, 0.1, 333};
    cs_canvas c;
    char text[CS_CANVAS_MAX + 1];
    cs_selection at = {.of = ""};
    for (int rows = 0; rows < 2; rows++) {
        cs_flat_begin(&table, memory, CANNED_BYTES);
        cs_flat_number(&table, 1, "run/arms");
        cs_flat_text(&table, "a", "arm/0/name");
        cs_flat_number(&table, 2, "arm/0/chains");
        cs_flat_number(&table, 1000, "arm/0/steps");
        cs_flat_number(&table, 0, "arm/0/gradients");
        cs_flat_number(&table, 0, "arm/0/log_densities");
        cs_flat_number(&table, rows * 24000, "arm/0/data_terms");
        cs_flat_number(&table, rows ? 2.5 : (double)NAN, "arm/0/passes");
        cs_flat_number(&table, 5000, "arm/0/evaluations");
        memcpy(cs_flat_array(&table, 1, 14, "arm/0/diagnostics/table"), row,
               sizeof row);
        draw_panel(&c, "summary", 190, 12, &at);
        assert_int_equal(says(&c, "terms/step"), rows);
        assert_int_equal(says(&c, "data terms"), rows);
        assert_int_equal(says(&c, "passes"), rows);
        for (size_t i = 0; rows && i < sizeof want / sizeof *want; i++) {
            under(&c, want[i].head, text, sizeof text);
            assert_string_equal(text, want[i].value);
        }
        cs_canvas_fini(&c);
    }
}

/* All arms are in one plot against the selected unit of work. A kernel with
 * batches has evaluated data terms and no gradients. Its curve ends at its
 * amount of work. */
static void test_trace_against_work(void **state)
{
    (void)state;
    cs_selection at = {.of = "", .variant = 4};
    cs_canvas c;
    for (int rows = 0; rows < 2; rows++) {
        at.unit = rows ? CS_UNIT_TERMS : CS_UNIT_GRADIENTS;
        cs_flat_begin(&table, memory, CANNED_BYTES);
        cs_flat_number(&table, 1, "run/arms");
        cs_flat_text(&table, "batches", "arm/0/name");
        cs_flat_number(&table, 4, "arm/0/chains");
        cs_flat_number(&table, 1240512, "arm/0/steps");
        cs_flat_number(&table, rows ? 0 : 5e6, "arm/0/gradients");
        cs_flat_number(&table, rows ? 5e7 : 0, "arm/0/data_terms");
        cs_flat_number(&table, rows ? 10 : (double)NAN, "arm/0/passes");
        canned_trace(&table, 0, 4);
        draw_panel(&c, "trace", 80, 20, &at);
        assert_int_equal(says(&c, "data terms"), rows);
        assert_int_equal(says(&c, "gradients"), !rows);
        assert_true(says(&c, "batches -"));
        assert_false(says(&c, "none"));
        cs_canvas_fini(&c);
        at.unit = rows ? CS_UNIT_GRADIENTS : CS_UNIT_TERMS;
        draw_panel(&c, "trace", 80, 20, &at);
        assert_false(says(&c, "batches -"));
        cs_canvas_fini(&c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_summary_of_rows, setup, teardown),
    cmocka_unit_test_setup_teardown(test_trace_against_work, setup, teardown),
};
TESTS(test_work)
