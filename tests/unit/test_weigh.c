/* Tests slopes for every target with rows, where the weight of a row depends on
 * the row's term. The slopes must equal, up to rounding, slopes for which the
 * weights are given in advance. Each row is weighted once, in order. */
#include "support/support.h"

#include "base/memory.h"
#include "rng/stream.h"
#include "simd/simd.h"
#include "tape/term_target.h"
#include "target/eval.h"

#include <math.h>
#include <string.h>

enum { LIVE = 3, N = 700, ROWS = 301, DIM = 3, WIDTH = DIM + 1 };

static const size_t first[LIVE + 1] = {0, 1, 1, N};

/* Returns number `b` of series a, in (-1, 1). */
static double number(uint64_t a, uint64_t b)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){a, b}, (const uint64_t[]){2, 2},
                    word);
    return (double)(word[0] >> 11) * 0x1p-52 - 1;
}

/* Returns the weight of a term; some rows have weight 0. */
static double weight_of(double term, size_t at)
{
    return at % 7 == 3 ? 0 : 1 / (1 + exp(term)) + 0.1 * (double)(at % 5);
}

typedef struct record {
    size_t next; /* position of the row that must be weighted next */
    bool in_order;
    double term[N];
} record;

static void weigh(void *of, size_t lane, size_t at, size_t n,
                  const double *term, double *weight)
{
    record *r = of;
    r->in_order = r->in_order && at == r->next && n >= 1 && n <= CS_PAD &&
                  first[lane] <= at && at + n <= first[lane + 1];
    r->next = at + n;
    for (size_t k = 0; k < CS_PAD; k++)
        weight[k] = NAN; /* entries after n must not be used */
    for (size_t k = 0; k < n; k++) {
        r->term[at + k] = term[k];
        weight[k] = weight_of(term[k], at + k);
    }
}

static void check_target(cs_target *t)
{
    size_t dim = t->space.dim, lanes = CS_PAD;
    static uint32_t row[N];
    static _Alignas(CS_ALIGN) double weight[N], given[N], found[N], plain[N];
    static record r;
    size_t words = 3 * dim + cs_eval_scratch_words(t);
    double *x = cs_alloc(words * lanes, sizeof *x);
    assert_non_null(x);
    double *g = x + dim * lanes, *h = g + dim * lanes;
    cs_eval e;
    cs_eval_open(&e, t, lanes, LIVE, NULL, h + dim * lanes);
    for (size_t i = 0; i < dim * lanes; i++)
        x[i] = 0.3 * number(1, i % lanes < LIVE ? i : i - i % lanes);
    for (size_t i = 0; i < N; i++)
        row[i] = (uint32_t)((number(2, i) + 1) / 2 * (double)t->n_rows);
    cs_batch batch = {.row = row, .first = first};
    cs_eval_terms(&e, x, &batch, plain);
    for (size_t i = 0; i < N; i++)
        weight[i] = weight_of(plain[i], i);
    batch.weight = weight;
    cs_eval_slope(&e, x, &batch, given, g);
    r = (record){.in_order = true};
    cs_eval_slope(
        &e, x,
        &(cs_batch){.row = row, .first = first, .weigh = weigh, .of = &r},
        found, h);
    assert_true(r.in_order && r.next == N);
    for (size_t i = 0; i < N; i++) {
        assert_near(found[i], given[i], 1e-12, 1e-12);
        assert_near(r.term[i], given[i], 1e-12, 1e-12);
    }
    for (size_t i = 0; i < dim; i++)
        for (size_t l = 0; l < LIVE; l++)
            assert_near(h[i * lanes + l], g[i * lanes + l], 1e-11, 1e-9);
    cs_free(x);
    cs_target_release(t);
}

/* ---- built-in targets ---------------------------------------------------- */

static void check_named(const char *name, cs_value *v, size_t n)
{
    cs_target *t;
    cs_error err = {0};
    const cs_target_type *type = cs_target_find(name);
    assert_non_null(type);
    if (cs_target_create(type, v, n, &t, &err))
        fail_msg("%s", err.what);
    check_target(t);
}

static void regression(void **state)
{
    (void)state;
    cs_value v[] = {
        {.name = "rows", .kind = CS_PARAM_REAL, .number = ROWS, .given = 1},
        {.name = "dim", .kind = CS_PARAM_REAL, .number = 5, .given = 1}};
    check_named("robust_regression", v, 2);
}

static void gaussian(void **state)
{
    (void)state;
    cs_value v[] = {
        {.name = "rows", .kind = CS_PARAM_REAL, .number = ROWS, .given = 1},
        {.name = "dim", .kind = CS_PARAM_REAL, .number = 4, .given = 1}};
    check_named("truncated_gaussian", v, 2);
}

static void network(void **state)
{
    (void)state;
    static double table[ROWS * WIDTH];
    for (size_t i = 0; i < ROWS * WIDTH; i++)
        table[i] = i % WIDTH < DIM ? number(3, i) : (double)(i % 3 == 0);
    cs_value v[] = {
        {.name = "table",
         .kind = CS_PARAM_ARRAY,
         .array = table,
         .rows = ROWS,
         .cols = WIDTH,
         .given = 1},
        {.name = "hidden", .kind = CS_PARAM_REAL, .number = 4, .given = 1},
        {.name = "classes", .kind = CS_PARAM_REAL, .number = 2, .given = 1}};
    check_named("perceptron", v, 3);
}

/* ---- traced terms -------------------------------------------------------- */

static cs_node op2(cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    return cs_graph_op2(g, op, a, b);
}

/* Returns y e - log(1 + exp e), where e = x'z. */
static cs_node logistic(cs_graph *g, cs_node x, cs_node row)
{
    cs_node z = cs_graph_slice(g, row, 0, DIM);
    cs_node e = cs_graph_op1(g, CS_OP_SUM, op2(g, CS_OP_MUL, x, z));
    cs_node y = cs_graph_slice(g, row, DIM, 1);
    return op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, y, e),
               cs_graph_op1(g, CS_OP_SOFTPLUS, e));
}

/* A term that is computed element by element. Some elements depend only on the
 * state. */
static cs_node curved(cs_graph *g, cs_node x, cs_node row)
{
    cs_node s = cs_graph_op1(g, CS_OP_EXP, cs_graph_slice(g, x, 1, 1));
    cs_node gap = op2(g, CS_OP_SUB, cs_graph_slice(g, row, 0, 1),
                      cs_graph_slice(g, x, 0, 1));
    cs_node z = op2(g, CS_OP_DIV, gap, s);
    return op2(g, CS_OP_SUB, op2(g, CS_OP_MUL, z, z),
               cs_graph_slice(g, x, 2, 1));
}

static cs_node of_row(cs_graph *g, cs_node x, cs_node row)
{
    (void)x;
    return cs_graph_op1(g, CS_OP_EXP, cs_graph_slice(g, row, 1, 1));
}

static cs_node of_state(cs_graph *g, cs_node x, cs_node row)
{
    (void)row;
    return cs_graph_op1(g, CS_OP_TANH, cs_graph_slice(g, x, 1, 1));
}

static void check_traced(cs_node (*f)(cs_graph *, cs_node, cs_node))
{
    static double table[ROWS * WIDTH];
    cs_graph *g;
    cs_target *t;
    cs_strided column[WIDTH];
    cs_error err = {0};
    for (size_t i = 0; i < ROWS * WIDTH; i++)
        table[i] = number(4, i);
    for (size_t j = 0; j < WIDTH; j++)
        column[j] = (cs_strided){table + j, WIDTH};
    assert_int_equal(cs_graph_create(DIM + WIDTH, 10000, &g, &err), CS_OK);
    cs_node all = cs_graph_input(g);
    cs_term_model m = {.dim = DIM,
                       .term = g,
                       .term_logp = f(g, cs_graph_slice(g, all, 0, DIM),
                                      cs_graph_slice(g, all, DIM, WIDTH)),
                       .rows = ROWS,
                       .width = WIDTH,
                       .column = column};
    if (cs_term_target_create(
            &m, &(cs_space){.kind = CS_CONTINUOUS, .dim = DIM}, &t, &err))
        fail_msg("%s", err.what);
    cs_graph_destroy(g);
    const cs_program *p = cs_term_target_terms(t)->pass[CS_PASS_TERMS_GRADIENT];
    if (f == logistic || f == curved) /* these terms need one pass over the
                                       * rows */
        assert_true(p->n_before > 0 && p->n_before < p->n_code);
    check_target(t);
}

static void terms(void **state)
{
    (void)state;
    check_traced(logistic);
    check_traced(curved);
    check_traced(of_row);
    check_traced(of_state);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(terms),
    cmocka_unit_test(regression),
    cmocka_unit_test(gaussian),
    cmocka_unit_test(network),
};
TESTS(test_weigh)
