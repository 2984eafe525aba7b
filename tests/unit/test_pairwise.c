/* Compares targets on graphs with their definitions, spin by spin and edge by
 * edge, over all states. Compares Kaufman's partition function with the sum
 * over all states. */
#include "support/support.h"

#include "data/edges.h"
#include "target/enumeration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 16 };

static cs_target *make(const char *name, const cs_value *given, size_t n)
{
    cs_target *t;
    cs_error err = {0};
    if (cs_target_create(cs_target_find(name), given, n, &t, &err) != CS_OK)
        fail_msg("%s: %s", name, err.what);
    return t;
}

static cs_value number(const char *name, double value)
{
    return (cs_value){.name = name, .kind = CS_PARAM_REAL, .number = value};
}

static cs_value whole(const char *name, double value)
{
    return (cs_value){.name = name, .kind = CS_PARAM_INT, .number = value};
}

/* Compares log p of every state with the function `logp`. */
static void agrees(const cs_target *t, double (*logp)(const double *x))
{
    double x[MOST], got;
    size_t states = (size_t)cs_space_states(&t->space);
    for (size_t s = 0; s < states; s++) {
        cs_space_state(&t->space, s, x);
        assert_true(cs_enumeration_evaluate(t, x, 1, &got));
        double want = logp(x);
        if (isinf(want))
            assert_true(got == want);
        else
            assert_near(got, want, 1e-12, 1e-12);
    }
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* ---- ising --------------------------------------------------------------- */

static double torus_3_4(const double *x)
{
    double sum = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            double s = 2 * x[4 * r + c] - 1;
            sum += s * (2 * x[4 * ((r + 1) % 3) + c] - 1) +
                   s * (2 * x[4 * r + (c + 1) % 4] - 1) + 0.3 * s;
        }
    return 0.7 * sum;
}

/* Returns log p of a 2 x 3 torus. The two rows are joined by two edges in each
 * column. (A single row is not joined to itself.) */
static double ladder_of_2_3(const double *x)
{
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double up = 2 * x[c] - 1, low = 2 * x[3 + c] - 1;
        sum += 2 * up * low + up * (2 * x[(c + 1) % 3] - 1) +
               low * (2 * x[3 + (c + 1) % 3] - 1);
    }
    return -0.4 * sum;
}

static double open_cube(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 8; i++)
        for (int axis = 1; axis < 8; axis *= 2)
            if (!(i & axis))
                sum += (2 * x[i] - 1) * (2 * x[i + axis] - 1);
    return 0.25 * sum;
}

static void ising_as_defined(void **state)
{
    (void)state;
    cs_value anti = {
        .name = "coupling", .kind = CS_PARAM_TEXT, .text = "antiferromagnet"};
    cs_value open = {.name = "periodic", .kind = CS_PARAM_BOOL, .number = 0};
    cs_value torus[] = {whole("rows", 3), whole("cols", 4), number("beta", 0.7),
                        number("field", 0.3)};
    cs_value ladder[] = {whole("rows", 2), whole("cols", 3),
                         number("beta", 0.4), anti};
    cs_value cube[] = {whole("rows", 2), whole("layers", 2),
                       number("beta", 0.25), open};
    cs_target *t = make("ising", torus, 4);
    agrees(t, torus_3_4);
    cs_target_release(t);
    t = make("ising", ladder, 4);
    agrees(t, ladder_of_2_3);
    cs_target_release(t);
    t = make("ising", cube, 4);
    assert_int_equal(t->space.dim, 8);
    agrees(t, open_cube);
    cs_target_release(t);
}

static double sum_of_states(const cs_target *t)
{
    double x[MOST], logp, sum = 0;
    size_t states = (size_t)cs_space_states(&t->space);
    for (size_t s = 0; s < states; s++) {
        cs_space_state(&t->space, s, x);
        assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
        sum += exp(logp);
    }
    return log(sum);
}

static void kaufman_sums_all_states(void **state)
{
    (void)state;
    static const double cases[][3] = {{2, 2, 0.3},  {3, 4, 0.1},
                                      {4, 3, 0.9},  {3, 3, 0.4406868},
                                      {4, 4, 0.44}, {2, 5, 1.5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cs_value v[] = {whole("rows", cases[k][0]), whole("cols", cases[k][1]),
                        number("beta", cases[k][2])};
        cs_target *t = make("ising", v, 3);
        assert_near(t->exact.log_z, sum_of_states(t), 1e-11, 0);
        cs_target_release(t);
    }
}

/* ---- cuts, programs, independent sets ------------------------------------ */

/* A square 0-1-2-3 with the diagonal 0-2 of weight 3. */
static const char square[] = "4 5\n1 2\n2 3\n3 4\n4 1\n1 3 3\n";
static const double ends[5][3] = {
    {0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}, {0, 2, 3}};

static double cut_of_square(const double *x)
{
    double cut = 0;
    for (int e = 0; e < 5; e++)
        if (x[(int)ends[e][0]] != x[(int)ends[e][1]])
            cut += ends[e][2];
    return 0.5 * cut;
}

static double set_of_square(const double *x)
{
    for (int e = 0; e < 5; e++)
        if (x[(int)ends[e][0]] != 0 && x[(int)ends[e][1]] != 0)
            return -HUGE_VAL;
    return 1.25 * (x[0] + x[1] + x[2] + x[3]);
}

/* Returns log p for cliques of the square, in which 1-3 is the only pair of
 * vertices without an edge. */
static double clique_of_square(const double *x)
{
    if (x[1] != 0 && x[3] != 0)
        return -HUGE_VAL;
    return 1.25 * (x[0] + x[1] + x[2] + x[3]);
}

static const double q[9] = {1, 2, 0, -4, 3, 0.5, 0, 0, -1};

static double program(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += x[i] * q[3 * i + j] * x[j];
    return -2 * sum;
}

static void graphs_as_defined(void **state)
{
    (void)state;
    write_text("square.tmp", square);
    cs_value path = {
        .name = "file", .kind = CS_PARAM_TEXT, .text = "square.tmp"};
    cs_value cut[] = {path, number("beta", 0.5)};
    cs_value set[] = {
        path,
        number("log_fugacity", 1.25),
        {.name = "complement", .kind = CS_PARAM_BOOL, .number = 1}};
    cs_value matrix[] = {{.name = "matrix",
                          .kind = CS_PARAM_ARRAY,
                          .array = q,
                          .rows = 3,
                          .cols = 3},
                         number("beta", 2)};
    cs_target *t = make("max_cut", cut, 2);
    agrees(t, cut_of_square);
    cs_target_release(t);
    t = make("independent_set", set, 2);
    agrees(t, set_of_square);
    cs_target_release(t);
    t = make("independent_set", set, 3);
    agrees(t, clique_of_square);
    cs_target_release(t);
    t = make("quadratic", matrix, 2);
    agrees(t, program);
    cs_target_release(t);
    remove("square.tmp");
}

/* Returns log p of three spins in a line; the first spin has a field of 2. */
static double pulled_row(const double *x)
{
    double a = 2 * x[0] - 1, b = 2 * x[1] - 1, c = 2 * x[2] - 1;
    return 2 * a + 0.5 * a * b + 0.5 * b * c;
}

static void weights_of_vertices_are_fields_or_refused(void **state)
{
    (void)state;
    write_text("pulled.tmp", "3 3\n1 1 2\n1 2 0.5\n2 3 0.5\n");
    cs_value given[] = {
        {.name = "file", .kind = CS_PARAM_TEXT, .text = "pulled.tmp"},
        number("beta", 1)};
    cs_target *t = make("ising", given, 2);
    agrees(t, pulled_row);
    cs_target_release(t);
    cs_error err = {0};
    assert_int_equal(
        cs_target_create(cs_target_find("max_cut"), given, 2, &t, &err),
        CS_INPUT);
    assert_non_null(strstr(err.what, "gives vertex 1 a weight"));
    remove("pulled.tmp");
}

/* Returns log p of a cut of a cycle with four vertices, at beta 1. The file
 * lists each edge in both directions, but a cut edge is counted once. */
static double cut_of_cycle(const double *x)
{
    double cut = 0;
    for (int i = 0; i < 4; i++)
        cut += x[i] != x[(i + 1) % 4];
    return cut;
}

static void edges_from_both_ends_count_once(void **state)
{
    (void)state;
    write_text("both.tmp", "p edge 4 8\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\n"
                           "e 4 3\ne 4 1\ne 1 4\n");
    cs_value given[] = {
        {.name = "file", .kind = CS_PARAM_TEXT, .text = "both.tmp"},
        number("beta", 1)};
    cs_target *t = make("max_cut", given, 2);
    agrees(t, cut_of_cycle);
    cs_target_release(t);
    remove("both.tmp");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(weights_of_vertices_are_fields_or_refused),
    cmocka_unit_test(edges_from_both_ends_count_once),
    cmocka_unit_test(ising_as_defined),
    cmocka_unit_test(kaufman_sums_all_states),
    cmocka_unit_test(graphs_as_defined),
};
TESTS(test_pairwise)
