/* Tests the tables of the commands sweep and sbc, with synthetic figures and
 * ranks. The tests check the best point of each arm, the points that cannot be
 * distinguished from the best point, and the combined p-value of all
 * quantities. They also check every cell of a table in each format. */
#include "base/memory.h"
#include "cli/many/sbc_table.h"
#include "cli/many/sweep_table.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a sweep ------------------------------------------------------------- */

enum { POINTS = 4, ARMS = 3, FIGURES = 3 };

/* [point][arm][figure] value and error of `ess` (larger is better), `distance`
 * (smaller is better) and `mean` (neither is better). The best point depends on
 * the arm and on the figure. */
static const double made[POINTS][ARMS][FIGURES][2] = {
    {{{100, 10}, {0.5, 0.01}, {1, 0}},
     {{900, 9}, {0.1, 0.01}, {1, 0}},
     {{30, 1}, {NAN, NAN}, {9, 0}}},
    {{{130, 10}, {0.2, 0.01}, {2, 0}},
     {{100, 9}, {0.4, 0.01}, {2, 0}},
     {{31, 1}, {0.3, 0.01}, {8, 0}}},
    {{{400, 10}, {0.3, 0.01}, {3, 0}},
     {{200, 9}, {0.3, 0.01}, {3, 0}},
     {{50, 1}, {0.4, 0.01}, {7, 0}}},
    {{{390, 10}, {0.9, 0.01}, {4, 0}},
     {{300, 9}, {0.2, 0.01}, {4, 0}},
     {{70, 1}, {0.2, 0.01}, {6, 0}}},
};
static const size_t best[ARMS][FIGURES] = {
    {2, 1, CS_NO_POINT}, {0, 0, CS_NO_POINT}, {3, 3, CS_NO_POINT}};

static cs_sweep_axis axis;

static void begin_sweep(cs_sweep *s)
{
    static const char *const arm[] = {"a<&>", "b|c", "small"};
    static const char *const figure[] = {"ess", "distance", "mean(1)"};
    assert_int_equal(cs_sweep_axis_read(&axis, "small.step=1,2,3,4", NULL),
                     CS_OK);
    *s = (cs_sweep){.file = "file.lua",
                    .axis = &axis,
                    .n_axes = 1,
                    .points = POINTS,
                    .seeds = 1,
                    .arms = ARMS,
                    .figures = FIGURES,
                    .unit = "steps"};
    s->work = cs_alloc(POINTS * ARMS, sizeof *s->work);
    s->cell = cs_alloc(POINTS * ARMS * FIGURES, sizeof *s->cell);
    s->failure = cs_alloc(POINTS, sizeof *s->failure);
    for (size_t k = 0; k < ARMS; k++)
        strcpy(s->arm[k], arm[k]);
    for (size_t f = 0; f < FIGURES; f++) {
        strcpy(s->figure[f], figure[f]);
        s->type[f] = cs_sweep_type(figure[f]);
    }
    for (size_t i = 0; i < POINTS * ARMS; i++)
        s->work[i] = 1000;
    for (size_t i = 0; i < POINTS; i++)
        for (size_t k = 0; k < ARMS; k++)
            for (size_t f = 0; f < FIGURES; f++) {
                const double *of = made[i][k][f];
                *cs_sweep_at(s, i, k, f) = (cs_sweep_cell){
                    of[0], of[1], 10, "jackknife of 11 chains", ""};
            }
}

static void end_sweep(cs_sweep *s)
{
    cs_sweep_fini(s);
    cs_sweep_axis_fini(&axis);
}

static char *text_of(const cs_sweep *s, const char *format)
{
    cs_page p = {0};
    const cs_sweep_format *f = NULL;
    for (size_t i = 0; (f = cs_sweep_format_at(i)) != NULL; i++)
        if (strcmp(f->name, format) == 0)
            break;
    assert_non_null(f);
    assert_int_equal(f->put(s, &p, NULL), CS_OK);
    assert_non_null(p.text);
    return p.text;
}

static void the_best_of_each_arm(void **state)
{
    cs_sweep s;
    (void)state;
    begin_sweep(&s);
    for (size_t k = 0; k < ARMS; k++)
        for (size_t f = 0; f < FIGURES; f++)
            assert_int_equal(cs_sweep_best(&s, k, f), best[k][f]);
    /* the values are 400 and 390, each with an error of 10; the t quantile for
     * 10 degrees of freedom is 2.228, so the points cannot be distinguished */
    assert_true(cs_sweep_ties(&s, 0, 0, 2, 3));
    assert_false(cs_sweep_ties(&s, 0, 0, 2, 2));
    assert_false(cs_sweep_ties(&s, 0, 0, 2, 1));
    cs_sweep_at(&s, 3, 0, 0)->value = 400 - 2.22 * sqrt(200);
    assert_true(cs_sweep_ties(&s, 0, 0, 2, 3));
    cs_sweep_at(&s, 3, 0, 0)->value = 400 - 2.24 * sqrt(200);
    assert_false(cs_sweep_ties(&s, 0, 0, 2, 3));
    cs_sweep_at(&s, 3, 0, 0)->freedom = 3; /* the t quantile is now 3.182,
                                            * because the smaller of two degrees
                                            * of freedom is used */
    assert_true(cs_sweep_ties(&s, 0, 0, 2, 3));
    cs_sweep_at(&s, 1, 0, 0)->error = NAN;
    assert_true(cs_sweep_ties(&s, 0, 0, 2, 1));
    /* At one point, one arm has done 5 % more work. Therefore the totals of
     * this arm are not ranked. */
    s.work[1 * ARMS + 1] = 1049;
    assert_int_equal(cs_sweep_best(&s, 1, 0), 0);
    s.work[1 * ARMS + 1] = 1051;
    assert_int_equal(cs_sweep_best(&s, 1, 0), CS_NO_POINT);
    assert_int_equal(cs_sweep_best(&s, 1, 1), 0);
    assert_int_equal(cs_sweep_best(&s, 2, 0), 3);
    end_sweep(&s);
}

/* Fails unless the text contains this complete line. */
static void has_line(const char *text, const char *line)
{
    const char *at = strstr(text, line);
    if (!at || (at != text && at[-1] != '\n') || at[strlen(line)] != '\n')
        fail_msg("no line \"%s\" in\n%s", line, text);
}

static void has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("no \"%s\" in\n%s", words, text);
}

static void the_table_of_a_sweep(void **state)
{
    cs_sweep s;
    (void)state;
    begin_sweep(&s);
    char *text = text_of(&s, "text");
    has_line(text, "  small.step  arm    ess          distance       mean(1)");
    has_line(text, "  1           a<&>   100 +- 10    0.5 +- 0.01    1");
    has_line(text, "  1           b|c    900 +- 9 *   0.1 +- 0.01 *  1");
    has_line(text, "  1           small  30 +- 1      -              9");
    has_line(text, "  2           a<&>   130 +- 10    0.2 +- 0.01 *  2");
    has_line(text, "  3           a<&>   400 +- 10 *  0.3 +- 0.01    3");
    has_line(text, "  4           b|c    300 +- 9     0.2 +- 0.01    4");
    has_line(text, "  4           small  70 +- 1 *    0.2 +- 0.01 *  6");
    has_line(text, "ess: a<&> is best at small.step = 3: 400 +- 10 (jackknife "
                   "of 11 chains); not distinguishable: 4");
    has_line(text, "distance: a<&> is best at small.step = 2: 0.2 +- 0.01 "
                   "(jackknife of 11 chains)");
    has_line(text, "ess: b|c is best at small.step = 1: 900 +- 9 (jackknife of "
                   "11 chains)");
    has(text, "work of an arm at each point: 1,000 steps of all its chains\n");
    cs_free(text);
    text = text_of(&s, "markdown");
    has_line(text, "| 1 | b\\|c | 900 +- 9 \\* | 0.1 +- 0.01 \\* | 1 |");
    cs_free(text);
    text = text_of(&s, "latex");
    has_line(text, "1 & b$|$c & 900 +- 9 * & 0.1 +- 0.01 * & 1 \\\\");
    cs_free(text);
    text = text_of(&s, "csv");
    has_line(text, "small.step,arm,work,ess,ess_error,distance,distance_error,"
                   "mean(1),mean(1)_error");
    has_line(text, "1,b|c,1000,900,9,0.1,0.01,1,0");
    has_line(text, "1,small,1000,30,1,,,9,0");
    cs_free(text);
    text = text_of(&s, "html");
    has(text, "a&lt;&amp;&gt;");
    assert_null(strstr(text, "a<&"));
    cs_free(text);
    text = text_of(&s, "svg");
    assert_null(strstr(text, "a<&"));
    cs_free(text);
    end_sweep(&s);
}

/* For each arm and figure, JSON marks exactly one point, which is the best
 * point. */
static void one_best_an_arm(void **state)
{
    cs_sweep s;
    char line[200];
    (void)state;
    begin_sweep(&s);
    char *text = text_of(&s, "json");
    for (size_t i = 0; i < POINTS; i++)
        for (size_t k = 0; k < ARMS; k++) {
            snprintf(line, sizeof line, "{\"small.step\": %zu, \"arm\": \"%s\"",
                     i + 1, s.arm[k]);
            char *at = strstr(text, line), *end = at ? strchr(at, '\n') : NULL;
            assert_non_null(end);
            *end = 0;
            for (size_t f = 0; f < FIGURES; f++) {
                snprintf(line, sizeof line,
                         "\"%s\": {\"value\": ", s.figure[f]);
                const char *cell = strstr(at, line);
                assert_non_null(cell);
                const double *of = made[i][k][f];
                if (isnan(of[0]))
                    assert_memory_equal(cell + strlen(line), "null", 4);
                else
                    assert_near(atof(cell + strlen(line)), of[0], 1e-9, 0);
                const char *star = strstr(cell, "\"best\": ");
                assert_non_null(star);
                assert_int_equal(star[8] == 't', best[k][f] == i);
            }
            *end = '\n';
        }
    cs_free(text);
    end_sweep(&s);
}

/* ---- a calibration ------------------------------------------------------- */

enum { SETS = 64, DRAWS = 63 };

/* Sets the ranks of a quantity. The first `all_but` ranks are distinct numbers
 * from 0 to 63 in some order. All other ranks are 0. */
static void put_row(cs_sbc_row *r, const char *arm, const char *quantity,
                    size_t all_but)
{
    *r = (cs_sbc_row){.n = SETS, .effective = 500, .used = DRAWS};
    strcpy(r->arm, arm);
    strcpy(r->quantity, quantity);
    r->rank = cs_alloc(SETS, sizeof *r->rank);
    for (size_t i = 0; i < SETS; i++)
        r->rank[i] = i < all_but ? (double)(i * 11 % SETS) : 0;
}

static void begin_sbc(cs_sbc *s)
{
    *s = (cs_sbc){.file = "file.lua", .replicates = SETS, .draws = DRAWS};
    s->rows = 5;
    s->row = cs_alloc(s->rows, sizeof *s->row);
    put_row(&s->row[0], "right", "mu", SETS);
    put_row(&s->row[1], "right", "log_density", SETS);
    put_row(&s->row[2], "wrong", "mu", SETS);
    put_row(&s->row[3], "wrong", "near", SETS / 2);
    put_row(&s->row[4], "wrong", "log_density", SETS);
    assert_true(cs_sbc_judge(s));
}

static char *sbc_text(const cs_sbc *s, const char *format)
{
    cs_page p = {0};
    const cs_sbc_format *f = NULL;
    for (size_t i = 0; (f = cs_sbc_format_at(i)) != NULL; i++)
        if (strcmp(f->name, format) == 0)
            break;
    assert_non_null(f);
    assert_int_equal(f->put(s, &p, NULL), CS_OK);
    return p.text;
}

static void verdicts(void **state)
{
    cs_sbc s;
    double p;
    (void)state;
    begin_sbc(&s);
    assert_int_equal(cs_sbc_verdict_of(&s, "right", &p), CS_SBC_HOLDS);
    assert_near(p, 1, 0, 0);
    assert_int_equal(cs_sbc_verdict_of(&s, "wrong", &p), CS_SBC_FAILS);
    assert_near(p, 3 * s.row[3].u.p, 1e-12, 0);
    /* p-values just below and just above the level, which is 0.01 divided by
     * the number of quantities */
    s.row[3].u.p = 0.0099 / 3;
    assert_int_equal(cs_sbc_verdict_of(&s, "wrong", &p), CS_SBC_FAILS);
    s.row[3].u.p = 0.0101 / 3;
    assert_int_equal(cs_sbc_verdict_of(&s, "wrong", &p), CS_SBC_HOLDS);
    assert_near(p, 0.0101, 1e-12, 0);
    s.row[3].u.p = 0.9;
    assert_int_equal(cs_sbc_verdict_of(&s, "wrong", &p), CS_SBC_HOLDS);
    assert_near(p, 1, 0, 0);
    /* at most 1 in 20 replicates may be poor (3 of 64 are within this limit) */
    s.row[2].poor = 3;
    assert_int_equal(cs_sbc_verdict_of(&s, "wrong", &p), CS_SBC_HOLDS);
    s.row[2].poor = 4;
    assert_int_equal(cs_sbc_verdict_of(&s, "wrong", &p), CS_SBC_OPEN);
    assert_int_equal(cs_sbc_verdict_of(&s, "right", &p), CS_SBC_HOLDS);
    s.failed = 4;
    assert_int_equal(cs_sbc_verdict_of(&s, "right", &p), CS_SBC_OPEN);
    cs_sbc_fini(&s);
}

static void sentences_on_ranks(void **state)
{
    cs_sbc s;
    char line[200];
    (void)state;
    begin_sbc(&s);
    char *text = sbc_text(&s, "text");
    has(text, "file.lua: 64 data sets, ranks among 63 draws\n");
    has(text, "right: holds: ranks agree with uniform ones, p = 1 for all "
              "quantities; mean ranks are known to +- 0.07 of the range of "
              "ranks, and the spreads of ranks to +- 22 %\n");
    snprintf(line, sizeof line,
             "wrong: DOES NOT HOLD: ranks are not uniform, p = %.2g for all "
             "quantities (near: p = %.2g, draws are too high",
             3 * s.row[3].u.p, s.row[3].u.p);
    has(text, line);
    cs_free(text);
    /* If the ranks are too high, the draws are too low. If many ranks are at
     * both ends, the draws are too close together. If many ranks are in the
     * middle, the draws are too far apart. */
    for (size_t i = 0; i < SETS; i++) {
        s.row[3].rank[i] = 63 - s.row[3].rank[i];
        s.row[0].rank[i] = i % 2 ? 0 : 63;
        s.row[1].rank[i] = i % 2 ? 31 : 32;
    }
    assert_true(cs_sbc_judge(&s));
    text = sbc_text(&s, "text");
    has(text, ", draws are too low");
    has(text, ", draws are too close together; log_density: p = ");
    has(text, ", draws are too far apart)\n");
    cs_free(text);
    cs_sbc_fini(&s);
}

/* Checks every cell of the table in text and Markdown. */
static void the_table_of_ranks(void **state)
{
    cs_sbc s;
    char row[300];
    (void)state;
    begin_sbc(&s);
    char *text = sbc_text(&s, "text"), *mark = sbc_text(&s, "markdown");
    for (size_t i = 0; i < s.rows; i++) {
        const cs_sbc_row *r = &s.row[i];
        double mean = 0;
        for (size_t k = 0; k < r->n; k++)
            mean += (r->rank[k] + 0.5) / (DRAWS + 1) / SETS;
        assert_near(mean, r->u.mean, 1e-12, 0);
        snprintf(row, sizeof row,
                 "| %s | %s | %.3g | %.3f +- 0.036 | %.2f +- %.2f | %.1f of "
                 "%zu (p = %.2g) | 500 | 63 |\n",
                 r->arm,
                 strcmp(r->quantity, "log_density") ? r->quantity
                                                    : "log\\_density",
                 r->u.p, mean, r->u.spread, r->u.spread_error, r->u.chi2,
                 r->u.bins - 1, r->u.chi2_p);
        has(mark, row);
    }
    has(text, "  right  mu           1 ");
    cs_free(text);
    text = sbc_text(&s, "csv");
    has_line(text, "arm,quantity,p,mean,mean_error,spread,spread_error,"
                   "chi_square,chi_square_p,ess,draws,poor");
    assert_non_null(strstr(text, "wrong,near,"));
    assert_near(atof(strstr(text, "wrong,near,") + 11), s.row[3].u.p, 0, 0);
    cs_free(text);
    cs_free(mark);
    cs_sbc_fini(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_best_of_each_arm),
    cmocka_unit_test(the_table_of_a_sweep),
    cmocka_unit_test(one_best_an_arm),
    cmocka_unit_test(verdicts),
    cmocka_unit_test(sentences_on_ranks),
    cmocka_unit_test(the_table_of_ranks),
};
TESTS(test_tables)
