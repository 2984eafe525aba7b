/* Tests graphs that are read from text in common formats. */
#include "support/support.h"

#include "data/edges.h"

#include <stdio.h>
#include <string.h>

static cs_status parse(const char *text, cs_edges *e, cs_error *err)
{
    return cs_edges_parse(text, strlen(text), "a.txt", e, err);
}

/* Reads the same three vertices and two edges, with weights 2 and 1, in each
 * format. */
static void every_format_says_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "3 2\n1 2 2\n3 1\n",
        "# said first\r\n3 2\r\n2\t1  2\r\n\r\n1 3 1\r\n",
        "c a comment\np edge 3 2\ne 1 2 2\ne 1 3\n",
        "p col 3 3\ne 2 1 2\ne 1 2 2\ne 3 1 1",
        "p edge 3 4\ne 1 2 2\ne 1 3\n",
        "c\np qubo 0 3 0 2\n0 1 2\n0 2 1\n",
        "%%MatrixMarket matrix coordinate real symmetric\n% said first\n"
        "3 3 2\n2 1 2\n3 1 1\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        cs_edges e;
        assert_int_equal(parse(texts[k], &e, NULL), CS_OK);
        assert_int_equal(e.vertices, 3);
        assert_int_equal(e.n, 2);
        assert_true(e.edge[0].i == 0 && e.edge[0].j == 1 && e.edge[0].w == 2);
        assert_true(e.edge[1].i == 0 && e.edge[1].j == 2 && e.edge[1].w == 1);
        cs_edges_free(&e);
    }
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
        int line;
    } cases[] = {
        {"", "empty", 0},
        {"x 2\n", "number of vertices", 1},
        {"0 0\n", "number of vertices", 1},
        {"9999999 1\n", "number of vertices", 1},
        {"p sp 3 2\n", "problem type", 1},
        {"c a formula\np cnf 3 2\n1 -3 0\n", "DIMACS CNF", 2},
        {"MARKOV\n3\n2 2 2\n", "UAI file of a Markov network", 1},
        {"# vartype=BINARY\n2 0 -1.0\n0 1 2.0\n", "COO file", 2},
        {"# vartype=BINARY\n0 0 -1.0\n0 1 2.0\n", "COO file", 2},
        {"%%MatrixMarket matrix array real general\n",
         "this kind of MatrixMarket file", 1},
        {"%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1\n",
         "this kind of MatrixMarket file", 1},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n", "sizes",
         2},
        {"%%MatrixMarket matrix coordinate real symmetric\n% x\n2 2 2\n2 1 "
         "1\n",
         "ends before", 4},
        {"3 2\n1 4\n", "not a vertex", 2},
        {"3 2\n0 1\n", "not a vertex", 2},
        {"3 2\n1 1.5\n", "not a vertex", 2},
        {"3 2\n1\n", "not a vertex", 2},
        {"3 2\n\n1 2 x\n", "not a number", 3},
        {"3 2\n1 2 nan\n", "not a number", 2},
        {"3 2\n1 2 3 4\n", "more fields than an edge", 2},
        {"p edge 3 2\n1 2\n", "not an edge", 2},
        {"p qubo 0 2 1 1\n0 2 1\n", "not a vertex", 2},
        {"3 2\n1 2\n", "ends before", 2},
        {"p edge 3 3\ne 1 2\n", "ends before", 2},
        {"p edge 3 2\ne 1 2 1\ne 2 1 2\n", "listed twice", 3},
        {"p qubo 0 2 1 1\n0 1 1\n", "ends before", 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cs_edges e;
        cs_error err = {0};
        assert_int_equal(parse(cases[k].text, &e, &err), CS_INPUT);
        assert_null(e.edge);
        if (!strstr(err.what, cases[k].said) || err.line != cases[k].line ||
            !err.hint[0])
            fail_msg("'%s': line %d: %s", cases[k].text, err.line, err.what);
    }
}

/* A file may be in an unsupported format that has no keyword. If the text
 * resembles this format, the hint of the error names the format. */
static void hints_name_other_formats(void **state)
{
    (void)state;
    cs_edges e;
    cs_error err = {0};
    assert_int_equal(parse("2\n4 3\n1 1 5\n", &e, &err), CS_INPUT);
    assert_non_null(strstr(err.hint, "OR-library"));
    assert_int_equal(parse("4 3\n2 3 4 1\n1\n1\n1\n", &e, &err), CS_INPUT);
    assert_non_null(strstr(err.hint, "METIS"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_format_says_the_same),
    cmocka_unit_test(what_is_wrong_is_said_with_its_line),
    cmocka_unit_test(hints_name_other_formats),
};
TESTS(test_edges)
