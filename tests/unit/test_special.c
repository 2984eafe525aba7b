/* Compares the functions of expressions at ordinary and extreme arguments with
 * a table of 60 digits, and checks that every instruction set gives the same
 * bits.
 *
 * unit/data/special.txt was computed with mpmath 1.3.0 (mp.dps = 60, 400 for
 * angles and tails). */
#include "support/support.h"

#include "base/memory.h"
#include "simd/variants.h"
#include "tape/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CS_DECLARE_VARIANTS(cs_program_ops, cs_program_ops)

enum { MOST = 128 };

/* Reference values for one operation, one row per argument. */
typedef struct table {
    cs_op op;
    size_t n;
    double a[MOST], b[MOST], want[MOST];
} table;

static cs_op op_of(const char *name)
{
    for (size_t i = 1; i < CS_OP_COUNT; i++)
        if (strcmp(cs_ops[i].text, name) == 0)
            return (cs_op)i;
    fail_msg("no operation %s", name);
    return CS_OP_NONE;
}

static void read_rows(const char *name, table *t)
{
    char line[256], word[32];
    int at;
    FILE *f = fopen("unit/data/special.txt", "r");
    assert_non_null(f);
    *t = (table){.op = op_of(name)};
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%31s%n", word, &at) != 1 || strcmp(word, name) != 0)
            continue;
        char *p = line + at;
        t->a[t->n] = strtod(p, &p);
        t->b[t->n] = cs_ops[t->op].arity > 1 ? strtod(p, &p) : 0;
        t->want[t->n++] = strtod(p, &p);
        assert_true(t->n < MOST);
    }
    fclose(f);
    assert_true(t->n > 10);
}

/* Compiles the operation on x[0] (and x[1]) to a program. */
static cs_program *program_of(cs_op op)
{
    cs_graph *g;
    cs_program *p;
    cs_error err;
    assert_int_equal(cs_graph_create(2, 100, &g, &err), CS_OK);
    cs_node a = cs_graph_slice(g, cs_graph_input(g), 0, 1);
    cs_node b = cs_graph_slice(g, cs_graph_input(g), 1, 1);
    cs_node logp = cs_ops[op].arity > 1 ? cs_graph_op2(g, op, a, b)
                                        : cs_graph_op1(g, op, a);
    assert_int_equal(cs_program_compile(g, &logp, 1, &p, &err), CS_OK);
    cs_graph_destroy(g);
    return p;
}

/* Computes out[MOST] with one instruction set. */
static void run_variant(const cs_program_ops *ops, const cs_program *p,
                        const table *t, double *out)
{
    double *x = cs_alloc(2 * MOST, sizeof *x);
    double *s = cs_alloc(p->slots * MOST, sizeof *s);
    memcpy(x, t->a, sizeof t->a);
    memcpy(x + MOST, t->b, sizeof t->b);
    ops->run(p, false, x, MOST, s);
    memcpy(out, s + p->root[0] * MOST, MOST * sizeof *out);
    cs_free(x);
    cs_free(s);
}

/* Checks a value within a relative error of 2e-13. Near the root of digamma,
 * the absolute error of digamma must be at most 4e-15. */
static void check_value(const char *name, double a, double b, double got,
                        double want)
{
    double room = 2e-13 * fabs(want) + 0x1p-1074;
    if (strcmp(name, "digamma") == 0)
        room = fmax(room, 4e-15);
    if (!(fabs(got - want) <= room))
        fail_msg("%s(%.17g, %.17g) = %.17g, not %.17g", name, a, b, got, want);
}

static const char *const names[] = {
    "sin",     "cos",        "tan",          "atan",
    "erf",     "normal_cdf", "lgamma",       "log_normal_cdf",
    "pow",     "digamma",    "normal_ratio", "log_add_exp",
    "trigamma"};

static void values_are_those_of_the_table(void **state)
{
    (void)state;
    static const cs_program_ops *const variants[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_program_ops)};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        table t;
        double out[CS_SIMD_COUNT][MOST];
        read_rows(names[k], &t);
        cs_program *p = program_of(t.op);
        for (int v = 0; v <= (int)cs_simd_level(); v++) {
            run_variant(variants[0][v], p, &t, out[v]);
            assert_memory_equal(out[v], out[0], t.n * sizeof *out[v]);
        }
        for (size_t i = 0; i < t.n; i++)
            check_value(names[k], t.a[i], t.b[i], out[0][i], t.want[i]);
        cs_program_destroy(p);
    }
}

/* The constants of an expression are computed when the expression is compiled,
 * by other code than other values. This code must give the same values. */
static void constants_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        table t;
        read_rows(names[k], &t);
        for (size_t i = 0; i < t.n; i++)
            check_value(names[k], t.a[i], t.b[i],
                        cs_op_value(t.op, t.a[i], t.b[i], 0), t.want[i]);
    }
}

static bool is_same(double got, double want)
{
    return isnan(want) ? isnan(got)
                       : got == want && signbit(got) == signbit(want);
}

/* For infinities, NaN and signed zeros as arguments, the results are the same
 * as those of the reference code. */
static void ends_are_those_of_the_reference(void **state)
{
    (void)state;
    const double ends[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, (double)NAN};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        cs_op op = op_of(names[k]);
        table t = {.op = op};
        double out[MOST];
        cs_program *p = program_of(op);
        for (size_t i = 0; i < 25; i++, t.n++) {
            t.a[i] = ends[i % 5];
            t.b[i] = ends[i / 5];
        }
        run_variant(&cs_program_ops_base, p, &t, out);
        for (size_t i = 0; i < t.n; i++) {
            double want = cs_op_value(op, t.a[i], t.b[i], 0);
            if (!is_same(out[i], want))
                fail_msg("%s(%g, %g) = %g, not %g", names[k], t.a[i], t.b[i],
                         out[i], want);
        }
        cs_program_destroy(p);
    }
}

/* Gradients compute softplus and its slope together. */
static void twins_are_near_their_definitions(void **state)
{
    (void)state;
    for (double x = -760; x < 760; x += 0.37) {
        table t = {.op = CS_OP_SOFTPLUS, .n = 1, .a = {x}};
        cs_graph *g;
        cs_program *p;
        cs_error err;
        double out[MOST];
        assert_int_equal(cs_graph_create(2, 100, &g, &err), CS_OK);
        cs_node a = cs_graph_slice(g, cs_graph_input(g), 0, 1);
        cs_node logp[2] = {cs_graph_op1(g, CS_OP_SOFTPLUS, a),
                           cs_graph_op1(g, CS_OP_SIGMOID, a)};
        assert_int_equal(cs_program_compile(g, logp, 2, &p, &err), CS_OK);
        assert_int_equal(p->n_code, 1);
        double *s = cs_alloc(p->slots * MOST, sizeof *s);
        double *y = cs_alloc(2 * MOST, sizeof *y);
        memcpy(y, t.a, sizeof t.a);
        cs_program_run(p, y, MOST, s);
        memcpy(out, s + p->root[0] * MOST, sizeof out);
        assert_near(out[0], (double)(fmaxl(x, 0) + log1pl(expl(-fabsl(x)))),
                    1e-15, 0x1p-1074);
        memcpy(out, s + p->root[1] * MOST, sizeof out);
        assert_near(out[0], (double)(1 / (1 + expl(-(long double)x))), 1e-15,
                    0x1p-1074);
        cs_free(s);
        cs_free(y);
        cs_program_destroy(p);
        cs_graph_destroy(g);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_are_those_of_the_table),
    cmocka_unit_test(constants_are_those_of_the_table),
    cmocka_unit_test(ends_are_those_of_the_reference),
    cmocka_unit_test(twins_are_near_their_definitions),
};
TESTS_WITH(test_special, gsl_errors_off, NULL)
