/* Tests travelling salesman problems read from text: every supported format,
 * and errors with line numbers. */
#include "support/support.h"

#include "data/tsplib.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cs_status parse(const char *text, cs_cities *c, cs_error *err)
{
    return cs_cities_parse(text, strlen(text), "a.tsp", c, err);
}

#define EXPLICIT(format, rows)                                                 \
    "NAME: a\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\n"           \
    "EDGE_WEIGHT_FORMAT: " format "\nEDGE_WEIGHT_SECTION\n" rows "EOF\n"

/* The distances are 1 between cities 1 and 2, 2 between 1 and 3, and 3 between
 * 2 and 3. */
static void every_format_says_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        EXPLICIT("FULL_MATRIX", "0 1 2\n1 0 3\n2 3 0\n"),
        EXPLICIT("UPPER_ROW", "1 2\n3\n"),
        EXPLICIT("LOWER_ROW", "1\n2 3\n"),
        EXPLICIT("UPPER_DIAG_ROW", "0 1 2 0 3 0\n"),
        EXPLICIT("LOWER_DIAG_ROW ", "0\r\n1 0 2\n\n3\n 0\n"),
        EXPLICIT("LOWER_COL", "1 2\n3\n"),
        EXPLICIT("UPPER_COL", "1 2 3\n"),
        EXPLICIT("LOWER_DIAG_COL", "0 1 2 0 3 0\n"),
        EXPLICIT("UPPER_DIAG_COL", "0 1 0 2 3 0\n"),
    };
    static const double want[9] = {0, 1, 2, 1, 0, 3, 2, 3, 0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        cs_cities c;
        assert_int_equal(parse(texts[k], &c, NULL), CS_OK);
        assert_int_equal(c.n, 3);
        assert_memory_equal(c.cost, want, sizeof want);
        assert_null(c.place);
        cs_cities_free(&c);
    }
}

/* The distances between the points (0, 0), (3, 4) and (1, 1.6) were computed by
 * hand. The geographical distance is the first distance of ulysses16 in TSPLIB,
 * 509. */
static void distances_are_rounded_as_the_report_says(void **state)
{
    (void)state;
    static const struct {
        const char *metric;
        double ways[3]; /* distances 1-2, 1-3, 2-3 */
    } cases[] = {{"EUC_2D", {5, 2, 3}},
                 {"CEIL_2D", {5, 2, 4}},
                 {"MAN_2D", {7, 3, 4}},
                 {"MAX_2D", {4, 2, 2}},
                 {"ATT", {2, 1, 1}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        cs_cities c;
        snprintf(text, sizeof text,
                 "DIMENSION : 3\nEDGE_WEIGHT_TYPE : %s\nNODE_COORD_SECTION\n"
                 "1 0 0\n3 1 1.6\n2 3 4.0\n",
                 cases[k].metric);
        assert_int_equal(parse(text, &c, NULL), CS_OK);
        assert_near(c.cost[1], cases[k].ways[0], 0, 0);
        assert_near(c.cost[2], cases[k].ways[1], 0, 0);
        assert_near(c.cost[5], cases[k].ways[2], 0, 0);
        assert_near(c.place[4], 1, 0, 0);
        cs_cities_free(&c);
    }
    cs_cities c;
    assert_int_equal(parse("DIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\n"
                           "NODE_COORD_SECTION\n1 38.24 20.42\n2 39.57 26.15\n"
                           "3 40.56 25.32\n",
                           &c, NULL),
                     CS_OK);
    assert_near(c.cost[1], 509, 0, 0);
    assert_near(c.place[0], 20.42, 0, 0); /* east is to the right */
    assert_near(c.place[1], 38.24, 0, 0);
    cs_cities_free(&c);
}

static void places_to_draw_give_no_distances(void **state)
{
    (void)state;
    cs_cities c;
    assert_int_equal(parse("DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
                           "EDGE_WEIGHT_FORMAT: UPPER_ROW\n"
                           "EDGE_WEIGHT_SECTION\n1 2 3\n"
                           "DISPLAY_DATA_SECTION\n1 7 0\n2 0 8\n3 0 9\nEOF\n",
                           &c, NULL),
                     CS_OK);
    assert_near(c.cost[1], 1, 0, 0);
    assert_near(c.place[0], 7, 0, 0);
    cs_cities_free(&c);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
        int line;
    } cases[] = {
        {"", "has no distances", 0},
        {"DIMENSION: 3\n", "has no distances", 1},
        {"hello\n", "not a key", 1},
        {"TYPE: TOUR\n", "not a travelling", 1},
        {"DIMENSION: 2\n", "number of cities", 1},
        {"DIMENSION: 9999999\n", "number of cities", 1},
        {"DIMENSION: 4\nDIMENSION: 5\n", "number of cities", 2},
        {"NODE_COORD_SECTION\n", "not given before", 1},
        {"EDGE_WEIGHT_TYPE: XRAY1\n", "unknown EDGE_WEIGHT_TYPE", 1},
        {"EDGE_WEIGHT_FORMAT: SPARSE\n", "unknown EDGE_WEIGHT_FORMAT", 1},
        {"DIMENSION: 3\nEDGE_WEIGHT_SECTION\n1 2 3\n", "format of the matrix",
         2},
        {"DIMENSION: 3\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
         "EDGE_WEIGHT_SECTION\n1 2\n",
         "too few numbers", 4},
        {"DIMENSION: 3\nNODE_COORD_SECTION\n1 0 0\n4 0 0\n",
         "no valid coordinates", 4},
        {"DIMENSION: 3\nNODE_COORD_SECTION\n1 0 0\n1 0 0\n",
         "already has coordinates", 4},
        {"DIMENSION: 3\nNODE_COORD_SECTION\n1 0 0\n", "no valid coordinates",
         3},
        {"DIMENSION: 3\nNODE_COORD_SECTION\n1 0 inf\n", "no valid coordinates",
         3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cs_cities c;
        cs_error err = {0};
        assert_int_equal(parse(cases[k].text, &c, &err), CS_INPUT);
        assert_null(c.cost);
        if (!strstr(err.what, cases[k].said) || err.line != cases[k].line ||
            !err.hint[0])
            fail_msg("'%s': line %d: %s", cases[k].text, err.line, err.what);
    }
}

/* Returns the length of the tour "1 10 9 ...". Returns 0 if the tour does not
 * visit every city. */
static double length_of(const cs_cities *c, char *tour)
{
    double sum = 0;
    size_t first = 0, last = 0, n = 0;
    bool seen[CS_TSPLIB_CITIES] = {false};
    for (char *word = strtok(tour, " \r\n"); word;
         word = strtok(NULL, " \r\n")) {
        size_t city = (size_t)atoi(word) - 1;
        if (city >= c->n || seen[city])
            return 0;
        seen[city] = true;
        sum += n++ ? c->cost[last * c->n + city] : 0;
        first = n == 1 ? city : first;
        last = city;
    }
    return n == c->n ? sum + c->cost[last * c->n + first] : 0;
}

/* For each TSPLIB problem in the data folder, the published optimal tour has
 * the published length. graphs/tsplib/optimal.csv has one line
 * name,cities,type,optimum,found,tour for each problem. */
static void published_tours_have_the_published_lengths(void **state)
{
    (void)state;
    char path[600], of_problem[100], line[4096];
    data_or_skip("graphs/tsplib/optimal.csv", path, sizeof path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char name[64], tour[4096];
        double n, optimum, found;
        if (sscanf(line, "%63[^,],%lf,%*[^,],%lf,%lf,%4095[^\n]", name, &n,
                   &optimum, &found, tour) != 5)
            continue;
        cs_cities c;
        cs_error err = {0};
        snprintf(of_problem, sizeof of_problem, "graphs/tsplib/%s.tsp", name);
        data_or_skip(of_problem, path, sizeof path);
        if (cs_cities_read(path, &c, &err) != CS_OK)
            fail_msg("%s: %s", path, err.what);
        assert_near((double)c.n, n, 0, 0);
        if (length_of(&c, tour) != found)
            fail_msg("%s: not %g", name, found);
        cs_cities_free(&c);
    }
    fclose(file);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_format_says_the_same),
    cmocka_unit_test(distances_are_rounded_as_the_report_says),
    cmocka_unit_test(places_to_draw_give_no_distances),
    cmocka_unit_test(what_is_wrong_is_said_with_its_line),
    cmocka_unit_test(published_tours_have_the_published_lengths),
};
TESTS(test_tsplib)
