/* Tests how the benchmark program counts missed requirements. Nothing is
 * measured. */
#include "support/support.h"

#include "bench/bench.h"
#include "bench/mixed_models.h"
#include "bench/others.h"
#include "bench/row.h"
#include "script/bind/lua_target.h"
#include "script/script.h"
#include "simd/variants.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static size_t missed_by(double ratio, double must, cs_bench_ask ask,
                        const char *id)
{
    cs_bench_count count = {0};
    const cs_bench_plan plan = {.format = CS_BENCH_CSV, .count = &count};
    cs_bench_row row = cs_bench_row_of(id, "made up", "ns");
    row.ours = ratio;
    row.ratio = ratio;
    row.ask = ask;
    row.must = must;
    cs_bench_print(&row, &plan);
    return count.missed;
}

static void a_ratio_below_its_bar_is_missed(void **state)
{
    (void)state;
    bool bars = strcmp(cs_simd_name(cs_simd_level()), "base") != 0;
    assert_int_equal(missed_by(1.9, 2, CS_ASK_RATIO, "B02a"), bars);
    assert_int_equal(missed_by(2.1, 2, CS_ASK_RATIO, "B02a"), 0);
    /* an absolute result is not compared with a peer, because it depends on the
     * machine */
    assert_int_equal(missed_by(9, 2, CS_ASK_MOST, "B02a"), 0);
    assert_int_equal(missed_by((double)NAN, 2, CS_ASK_RATIO, "B02a"), 0);
}

static void a_bar_is_that_of_the_instruction_set(void **state)
{
    (void)state;
    const char *set = cs_simd_name(cs_simd_level());
    assert_int_equal(missed_by(2, 2.2, CS_ASK_RATIO, "B01a"),
                     strcmp(set, "avx512") == 0);
    assert_int_equal(missed_by(1.2, 1.5, CS_ASK_RATIO, "W1a"),
                     strcmp(set, "avx512") == 0);
}

/* The output of other programs is parsed line by line. If a program is missing
 * or fails, there are no results. */
static void others_are_asked(void **state)
{
    (void)state;
    static const char *const sh[] = {"no-such-program", "sh", NULL};
    cs_bench_other other = {.name = "echo", .interpreter = sh};
    cs_bench_reported reported;
    other.script = "echo; echo hello 3; echo seconds 2.5\n"
                   "echo ess 40 | cat; echo gradients many\n"
                   "[ \"$OMP_NUM_THREADS\" = 1 ] && echo steps 7\n";
    assert_true(cs_bench_consult(&other, &reported));
    assert_true(reported.seconds == 2.5 && reported.ess == 40 &&
                reported.steps == 7);
    assert_true(reported.gradients != reported.gradients);
    other.script = "echo seconds 1; exit 1";
    assert_false(cs_bench_consult(&other, &reported));
    other.script = "echo steps 1";
    assert_false(cs_bench_consult(&other, &reported));
    other.interpreter = sh + 2;
    assert_false(cs_bench_consult(&other, &reported));
}

/* If a row has a peer, the result of the row is divided by the result of the
 * peer. A row without a peer has no ratio, and cannot miss a requirement. */
static void beside_others(void **state)
{
    (void)state;
    cs_bench_count count = {0};
    const cs_bench_plan plan = {.format = CS_BENCH_CSV, .count = &count};
    const cs_bench_beside row = {
        "P99", "made up", "ms", 1e-3, offsetof(cs_bench_reported, steps), 4};
    const cs_bench_reported reported = {.seconds = 3, .steps = 100};
    bool bars = strcmp(cs_simd_name(cs_simd_level()), "base") != 0;
    cs_bench_print_beside(&row, &cs_bench_jags, 0.01, &reported, &plan);
    assert_int_equal(count.missed, bars);
    cs_bench_print_beside(&row, &cs_bench_jags, 0.007, &reported, &plan);
    cs_bench_print_beside(&row, &cs_bench_jags, 0.01, NULL, &plan);
    assert_int_equal(count.missed, bars);
    assert_int_equal(count.rows, 3);
}

/* The output names all rows that missed their requirement. The output names no
 * other rows, and no rows without a peer. */
static void missed_cases_are_named(void **state)
{
    (void)state;
    cs_bench_count count = {0};
    const cs_bench_plan plan = {.format = CS_BENCH_JSON, .count = &count};
    cs_bench_row row = cs_bench_row_of("", "made up", "ns");
    static const struct {
        const char *id;
        double ratio;
        cs_bench_ask ask;
    } rows[] = {{"P97", 1, CS_ASK_RATIO},
                {"P98", 1, CS_ASK_LEAST},
                {"P99", 3, CS_ASK_RATIO},
                {"W99", 1, CS_ASK_RATIO}};
    row.must = 2;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        row.id = rows[i].id;
        row.ours = row.ratio = rows[i].ratio;
        row.ask = rows[i].ask;
        cs_bench_print(&row, &plan);
    }
    bool bars = strcmp(cs_simd_name(cs_simd_level()), "base") != 0;
    assert_string_equal(count.cases, bars ? "P97, W99" : "");
}

/* If a case takes minutes, it runs only if the user names it. */
static void long_rows_want_a_name(void **state)
{
    (void)state;
    static const char *const name[] = {"W"};
    const cs_bench_plan all = {.rounds = 1};
    const cs_bench_plan some = {.rounds = 1, .name = name, .n_names = 1};
    assert_string_equal(cs_bench_left_out(&all), "W3");
    assert_null(cs_bench_left_out(&some));
}

/* Returns whether a text has a word, and not only a longer one that contains
 * it. */
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n) {
        bool begins = at == text || !isalnum((unsigned char)at[-1]);
        if (begins && !isalnum((unsigned char)at[n]))
            return true;
    }
    return false;
}

/* The six models beside JAGS open; both programs have the quantities that are
 * compared. */
static void mixed_models_open(void **state)
{
    (void)state;
    const cs_script_limits limits = {.trust = true};
    for (size_t i = 0; i < CS_BENCH_MIXED; i++) {
        const cs_bench_mixed *m = &cs_bench_mixed_models[i];
        static char text[8192];
        char name[16];
        cs_script *s;
        cs_error err;
        snprintf(text, sizeof text,
                 "local cs = require 'chainscope'\n"
                 "local M, lpdf = cs.math, cs.lpdf\n"
                 "local function labels() end\n"
                 "local t = (function()\n%s end)()\n"
                 "return t\n",
                 m->lua);
        assert_int_equal(cs_script_open(&s, &limits, &err), CS_OK);
        if (cs_script_load_text(s, text, "=model", &err) ||
            cs_script_call(s, 0, 1, 0, &err))
            fail_msg("%s: %s", m->id, err.what);
        const cs_target *t = cs_script_to_target(cs_script_lua(s), -1);
        assert_non_null(t);
        assert_int_equal(t->space.kind, CS_MIXED);
        cs_script_destroy(s);
        for (const char *q = m->quantities; sscanf(q, "%15s", name) == 1;
             q += strcspn(q, " "), q += strspn(q, " ")) {
            assert_true(has_word(m->lua, name));
            assert_true(has_word(m->monitors, name));
            assert_true(has_word(m->jags, name));
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(mixed_models_open),
    cmocka_unit_test(a_ratio_below_its_bar_is_missed),
    cmocka_unit_test(a_bar_is_that_of_the_instruction_set),
    cmocka_unit_test(others_are_asked),
    cmocka_unit_test(beside_others),
    cmocka_unit_test(missed_cases_are_named),
    cmocka_unit_test(long_rows_want_a_name),
};
TESTS(test_bench)
