/* Compares binary networks with their formula, weight by weight and row by row,
 * and single precision with double precision. */
#include "support/support.h"

#include "base/memory.h"
#include "chain/block.h"
#include "simd/variants.h"
#include "target/enumeration.h"
#include "target/eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 11, TESTS = 5, IN = 3, H = 3, DIM = (IN + 2) * H + 1 };

/* Returns column j of a row: an input (column 2 is constant) or, for j = IN,
 * the column to be predicted. */
static double in_of(int row, int j)
{
    return j == 2 ? 7 : sin(1.3 * row + 2.1 * j) * (j + 1) + 0.25 * row;
}

static double y_of(int row)
{
    return row % 3 == 0 ? 1 : row % 3 == 1 ? 0 : 0.25;
}

static void write_table(const char *path, int first, int rows)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "a,odd,b,c,y\n");
    for (int i = first; i < first + rows; i++)
        fprintf(f, "%.17g,%d,%.17g,%.17g,%.17g\n", in_of(i, 0), i, in_of(i, 1),
                in_of(i, 2), y_of(i));
    fclose(f);
}

static cs_value text(const char *name, const char *value)
{
    return (cs_value){.name = name, .kind = CS_PARAM_TEXT, .text = value};
}

static cs_value number(const char *name, double value)
{
    return (cs_value){.name = name, .kind = CS_PARAM_REAL, .number = value};
}

static cs_target *make(const cs_value *given, size_t n)
{
    cs_target *t;
    cs_error err = {0};
    if (cs_target_create(cs_target_find("binary_network"), given, n, &t,
                         &err) != CS_OK)
        fail_msg("binary_network: %s (%s)", err.what, err.hint);
    return t;
}

/* Returns input j of a row. The input is standardised by its mean and its
 * deviation over the first `rows` rows. A constant column has the deviation
 * 1. */
static double standard(int row, int j, int rows)
{
    double mean = 0, square = 0;
    for (int i = 0; i < rows; i++)
        mean += in_of(i, j) / rows;
    for (int i = 0; i < rows; i++)
        square += (in_of(i, j) - mean) * (in_of(i, j) - mean) / rows;
    return (in_of(row, j) - mean) / (j == 2 ? 1 : sqrt(square));
}

static double predict(const double *x, int row, int rows)
{
    double f = 2 * x[DIM - 1] - 1;
    for (int j = 0; j < H; j++) {
        double z = 2 * x[IN * H + j] - 1;
        for (int i = 0; i < IN; i++)
            z += (2 * x[i * H + j] - 1) * standard(row, i, rows);
        f += (2 * x[(IN + 1) * H + j] - 1) * tanh(z);
    }
    return 1 / (1 + exp(-f));
}

static void state_of(int k, double *x)
{
    for (int i = 0; i < DIM; i++)
        x[i] = (unsigned)k * 2654435761u >> (i + 3) & 1;
}

static void as_its_formula_says(void **state)
{
    (void)state;
    write_table("net.tmp", 0, ROWS);
    write_table("held.tmp", ROWS, TESTS);
    cs_value given[] = {text("file", "net.tmp"), text("held_out", "held.tmp"),
                        text("without", "odd"),  number("share", 0.95),
                        number("hidden", H),     number("scale", 30)};
    cs_target *t = make(given, 6);
    int rows = 10; /* 0.95 of 11 rows, rounded down */
    double states[4][DIM], square = 0, without = 0;
    cs_held_out error[3];
    const size_t group[] = {0, 1, 0, 1}, together[4] = {0};
    char name[16];
    assert_int_equal(t->space.dim, DIM);
    assert_int_equal(t->data_terms, rows);
    for (int k = 0; k < 4; k++) {
        double logp, want = 0;
        state_of(k + 1, states[k]);
        assert_true(cs_enumeration_evaluate(t, states[k], 1, &logp));
        for (int r = 0; r < rows; r++) {
            double off = predict(states[k], r, rows) - y_of(r);
            want -= 30 * off * off / rows;
        }
        assert_near(logp, want, 1e-13, 1e-13);
    }
    for (int r = ROWS; r < ROWS + TESTS; r++) {
        double mean = 0, odd = 0;
        for (int k = 0; k < 4; k++)
            mean += predict(states[k], r, rows) / 4;
        for (int k = 1; k < 4; k += 2)
            odd += predict(states[k], r, rows) / 2;
        square += (mean - y_of(r)) * (mean - y_of(r)) / TESTS;
        without += (odd - y_of(r)) * (odd - y_of(r)) / TESTS;
    }
    t->type->held_out(t, states[0], NULL, 4, group, 2, error);
    assert_near(error[0].rmse, sqrt(square), 1e-13, 0);
    assert_near(error[1].rmse, sqrt(without), 1e-13, 0);
    t->type->held_out(t, states[0], NULL, 4, together, 1, error);
    assert_true(isnan(error[1].rmse)); /* every chain is excluded */
    cs_target_coordinate(t, 1, name, sizeof name);
    assert_string_equal(name, "w.1.2");
    cs_target_coordinate(t, IN * H, name, sizeof name);
    assert_string_equal(name, "c.1");
    cs_target_coordinate(t, DIM - 2, name, sizeof name);
    assert_string_equal(name, "v.3");
    cs_target_release(t);
    remove("net.tmp");
    remove("held.tmp");
}

/* Uses every second one of the first six rows of a table. The result is the
 * same as for a file that has only the rows that are used. */
static void thinned(void **state)
{
    (void)state;
    write_table("net.tmp", 0, ROWS);
    FILE *f = fopen("few.tmp", "w");
    assert_non_null(f);
    for (int i = 0; i < 6; i += 2)
        fprintf(f, "%.17g,%.17g,%.17g,%.17g\n", in_of(i, 0), in_of(i, 1),
                in_of(i, 2), y_of(i));
    fclose(f);
    cs_value all[] = {text("file", "net.tmp"), text("without", "odd"),
                      number("hidden", H), number("share", 0.55),
                      number("thin", 2)};
    cs_value few[] = {text("file", "few.tmp"), number("hidden", H)};
    cs_target *t = make(all, 5), *want = make(few, 2);
    double x[DIM], logp, v;
    state_of(3, x);
    assert_int_equal(t->data_terms, 3);
    assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
    assert_true(cs_enumeration_evaluate(want, x, 1, &v));
    assert_near(logp, v, 1e-14, 1e-14);
    cs_target_release(t);
    cs_target_release(want);
    remove("net.tmp");
    remove("few.tmp");
}

/* ---- single precision ---------------------------------------------------- */

typedef struct answer {
    double *logp, *g, *d; /* [lanes]; g, d: [dim][lanes]; d: differences */
} answer;

static answer ask(const cs_target *t, size_t lanes)
{
    size_t dim = t->space.dim;
    double *x = cs_alloc(dim * lanes, 8), *logp = cs_alloc(lanes, 8);
    double *scratch = cs_alloc(cs_eval_scratch_words(t) * lanes, 8);
    double *cache = cs_alloc(cs_eval_cache_words(t) * lanes, 8);
    answer a = {cs_alloc(lanes, 8), cs_alloc(dim * lanes, 8),
                cs_alloc(dim * lanes, 8)};
    cs_eval e;
    for (size_t i = 0; i < dim; i++)
        for (size_t l = 0; l < lanes; l++)
            x[i * lanes + l] =
                (double)((l + 1) * (i + 1) * 2654435761u >> 13 & 1);
    cs_eval_open(&e, t, lanes, lanes, cache, scratch);
    cs_eval_gradient(&e, CS_NOW, x, a.logp, a.g);
    cs_eval_neighbours(&e, CS_NOW, x, a.logp, a.d);
    cs_eval_log_density(&e, CS_NOW, x, logp);
    assert_memory_equal(logp, a.logp, lanes * 8);
    cs_free(x);
    cs_free(logp);
    cs_free(scratch);
    cs_free(cache);
    return a;
}

static void forget(answer a)
{
    cs_free(a.logp);
    cs_free(a.g);
    cs_free(a.d);
}

/* If SIMD vectors hold sixteen numbers, 24 lanes need a vector of sixteen and a
 * vector of eight. In single precision tanh has a relative error of 2e-7, and a
 * sum has the error of a few roundings. Hence log p may differ by up to 100
 * times the mean error, and a gradient by a few millionths of the largest
 * gradient. */
static void single_is_nearly_double(void **state)
{
    (void)state;
    cs_value given[] = {number("inputs", 14), number("hidden", 31),
                        number("rows", 1003), text("precision", "single")};
    cs_target *twice = make(given, 3), *once = make(given, 4);
    answer want = ask(twice, 24), got = ask(once, 24), few = ask(once, 8);
    double most = 0, off = 0;
    for (size_t l = 0; l < 24; l++)
        assert_near(got.logp[l], want.logp[l], 0, 2e-6);
    for (size_t i = 0; i < twice->space.dim * 24; i++) {
        most = fmax(most, fabs(want.g[i]));
        off = fmax(off, fabs(got.g[i] - want.g[i]));
    }
    assert_true(most > 0.1);
    assert_near(off, 0, 0, 4e-6 * most);
    for (size_t i = 0; i < twice->space.dim * 24; i++)
        assert_near(got.d[i], want.d[i], 0, 4e-6);
    /* The bits of the results do not depend on the size of the block. */
    assert_memory_equal(few.logp, got.logp, 64);
    for (size_t i = 0; i < twice->space.dim; i++) {
        assert_memory_equal(few.g + 8 * i, got.g + 24 * i, 64);
        assert_memory_equal(few.d + 8 * i, got.d + 24 * i, 64);
    }
    forget(want);
    forget(got);
    forget(few);
    cs_target_release(twice);
    cs_target_release(once);
}

CS_DECLARE_VARIANTS(cs_target_type, cs_target_binary_network)

/* Every instruction set of this processor computes the same bits in single
 * precision. */
static void single_is_the_same_everywhere(void **state)
{
    (void)state;
    static const cs_target_type *const types[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_target_binary_network)};
    cs_value given[] = {number("inputs", 6), number("hidden", 5),
                        number("rows", 107), text("precision", "single")};
    answer first = {NULL, NULL, NULL};
    for (size_t k = 0; k <= (size_t)cs_simd_level(); k++) {
        cs_target *t;
        assert_int_equal(cs_target_create(types[0][k], given, 4, &t, NULL), 0);
        answer a = ask(t, 24);
        if (k) {
            assert_memory_equal(a.logp, first.logp, 24 * 8);
            assert_memory_equal(a.g, first.g, t->space.dim * 24 * 8);
            assert_memory_equal(a.d, first.d, t->space.dim * 24 * 8);
            forget(a);
        } else {
            first = a;
        }
        cs_target_release(t);
    }
    forget(first);
}

/* ---- differences of log p ------------------------------------------------ */

/* Makes a thousand steps of a kernel that uses differences of log p. The steps
 * suffice to flip most weights. Then recomputes everything. log p and the
 * network's outputs may differ from the recomputed values only by rounding. No
 * step may evaluate the whole network. */
static void drifts_little(const char *kernel, bool single)
{
    enum { STEPS = 1000, LIVE = 11 };
    cs_value given[] = {number("inputs", 5), number("hidden", 9),
                        number("rows", 100),
                        text("precision", single ? "single" : "double")};
    cs_target *t = make(given, 4);
    double least = single ? 2e-5 : 1e-11, logp[LIVE], moved = 0;
    cs_kernel k;
    cs_block *b;
    cs_kernel_init(&k, cs_kernel_find(kernel), NULL, 0, NULL);
    cs_block_create(&b, t, &k, 1, 0, LIVE, NULL, 0, NULL);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    uint64_t whole = b->eval.work.log_densities;
    size_t words = t->cache_words * b->lanes;
    double *kept = cs_alloc(words, sizeof *kept);
    for (int i = 0; i < STEPS; i++) {
        cs_block_run(b, NULL, 1, NULL);
        moved += b->move.info.moved[0];
    }
    assert_true(moved > STEPS / 10);
    assert_int_equal(b->eval.work.log_densities, whole);
    memcpy(kept, b->eval.cache[CS_NOW], words * sizeof *kept);
    memcpy(logp, b->move.info.logp, sizeof logp);
    cs_block_refresh(b);
    for (size_t i = 0; i < words; i++)
        assert_near(kept[i], b->eval.cache[CS_NOW][i], 0, least);
    for (size_t l = 0; l < LIVE; l++)
        assert_near(logp[l], b->move.info.logp[l], 0, 100 * least);
    cs_free(kept);
    cs_block_destroy(b);
    cs_target_release(t);
}

static void differences_drift_little(void **state)
{
    (void)state;
    for (int single = 0; single < 2; single++) {
        drifts_little("gibbs", single);
        drifts_little("hamming_ball", single);
    }
}

/* ---- invalid input ------------------------------------------------------- */

static void refused(const cs_value *given, size_t n, const char *said)
{
    cs_target *t = NULL;
    cs_error err = {0};
    assert_int_not_equal(
        cs_target_create(cs_target_find("binary_network"), given, n, &t, &err),
        CS_OK);
    if (!strstr(err.what, said) || !err.hint[0])
        fail_msg("%s (%s)", err.what, err.hint);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    write_table("odd.tmp", 0, 3);
    cs_value misspelt[] = {text("file", "odd.tmp"), text("without", "od,b")};
    cs_value all[] = {text("file", "odd.tmp"), text("without", "a,odd,b,c")};
    cs_value narrow[] = {text("held_out", "odd.tmp")};
    cs_value none[] = {number("share", 0.001)};
    cs_value away[] = {text("file", "no/such.csv")};
    refused(misspelt, 2, "only 1 of the 2 names"); /* od is not a column */
    refused(all, 2, "no input columns are left");
    none[0].number = 0.001;
    refused(none, 1, "no training rows are left");
    refused(away, 1, "cannot open");
    cs_value two[] = {text("file", "odd.tmp"), text("held_out", "odd.tmp")};
    cs_target *t = make(two, 2);
    cs_target_release(t);
    narrow[0].name = "held_out";
    refused(narrow, 1, "columns");
    FILE *file = fopen("names.tmp", "w");
    assert_non_null(file);
    fputs("odd,a,c,b,y\n1,2,3,4,0\n", file);
    fclose(file);
    cs_value other[] = {text("file", "odd.tmp"), text("held_out", "names.tmp")};
    refused(other, 2, "the column names differ");
    remove("names.tmp");
    remove("odd.tmp");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(as_its_formula_says),
    cmocka_unit_test(thinned),
    cmocka_unit_test(single_is_nearly_double),
    cmocka_unit_test(single_is_the_same_everywhere),
    cmocka_unit_test(differences_drift_little),
    cmocka_unit_test(what_cannot_be_is_refused),
};
TESTS(test_binary_network)
