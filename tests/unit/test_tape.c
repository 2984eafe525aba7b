/* Tests expressions. Random graphs are compared with their definition, and
 * gradients with differences of high order. Transformations by the compiler
 * must not change the results. */
#include "support/support.h"

#include "base/memory.h"
#include "tape/program.h"
#include "tape/reroll.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIM = 5, LANES = 24, NODES = 40, GRAPHS = 400 };

static unsigned long long seed;

static unsigned pick(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

static double draw(void)
{
    return 4 * (pick(1u << 30) / (double)(1u << 30)) - 2;
}

/* ---- the definition, which evaluates a graph element by element ---------- */

static double reduce(uint32_t op, const double *a, size_t n)
{
    double sum = 0, most = a[0];
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, a[i]);
        sum += op == CS_OP_SUM ? a[i] : a[i] * a[i];
    }
    return op == CS_OP_SUM ? sum : op == CS_OP_NORM ? sqrt(sum) : most;
}

/* Computes the log-sum-exp of each column or, for softmax, each entry's share
 * of its column. */
static void define_columns(const cs_graph_node *k, const double *a, size_t size,
                           double *out)
{
    bool share = k->op == CS_OP_SOFTMAX;
    size_t columns = share ? k->extra : k->size;
    for (size_t j = 0; j < columns; j++) {
        double sum = 0;
        for (size_t i = j; i < size; i += columns)
            sum += exp(a[i]);
        for (size_t i = j; share && i < size; i += columns)
            out[i] = exp(a[i]) / sum;
        if (!share)
            out[j] = log(sum);
    }
}

/* Defines the operations that use a constant. */
static void move(uint32_t op, const cs_constant *c, const double *a, size_t of,
                 double *out)
{
    if (op == CS_OP_SCATTER)
        for (size_t i = 0; i < of; i++)
            out[(size_t)c->v[i]] += a[i];
    else if (op == CS_OP_GATHER)
        for (size_t i = 0; i < c->rows; i++)
            out[i] = a[(size_t)c->v[i]];
    else
        for (size_t i = 0; i < c->rows * c->cols; i++)
            out[i / c->cols] += c->v[i] * a[i % c->cols];
}

/* Defines PICK and SPREAD. The index i of each element counts from 1. */
static void select_elements(const cs_graph_node *k, const double *a,
                            const double *i, size_t of, size_t n, double *out)
{
    if (k->op == CS_OP_PICK)
        for (size_t e = 0; e < k->size; e++)
            out[e] = a[(size_t)i[n > 1 ? e : 0] - 1];
    else
        for (size_t e = 0; e < of; e++)
            out[(size_t)i[e] - 1] += a[e];
}

static void define_pack(const cs_graph *g, cs_node n,
                        const double *const *value, double *out)
{
    for (uint32_t i = 0; i < cs_graph_at(g, n)->count; i++) {
        cs_node p = cs_graph_arg(g, n, i);
        memcpy(out, value[p], cs_graph_size(g, p) * sizeof *out);
        out += cs_graph_size(g, p);
    }
}

static void define(const cs_graph *g, cs_node n, const double *const *value,
                   const double *x, double *out)
{
    const cs_graph_node *k = cs_graph_at(g, n);
    const double *a[3] = {0};
    size_t size[3] = {0};
    for (uint32_t i = 0; i < k->count && i < 3; i++) {
        a[i] = value[cs_graph_arg(g, n, i)];
        size[i] = cs_graph_size(g, cs_graph_arg(g, n, i));
    }
    const cs_constant *c =
        cs_op_has_constant((cs_op)k->op) ? &g->constants[k->extra] : NULL;
    memset(out, 0, k->size * sizeof *out);
    switch (k->op) {
    case CS_OP_INPUT:
        memcpy(out, x, k->size * sizeof *x);
        return;
    case CS_OP_DATA:
        memcpy(out, c->v, k->size * sizeof *out);
        return;
    case CS_OP_LOG_SUM_EXP:
    case CS_OP_SOFTMAX:
        define_columns(k, a[0], size[0], out);
        return;
    case CS_OP_SUM:
    case CS_OP_LARGEST:
    case CS_OP_NORM:
        *out = reduce(k->op, a[0], size[0]);
        return;
    case CS_OP_CUMULATE:
    case CS_OP_BILINEAR:
    case CS_OP_SOLVE:
    case CS_OP_CHOLESKY:
    case CS_OP_CHOLESKY_BACK:
        cs_op_linear(k, c, a[0], size[0], a[1], size[1], out);
        return;
    case CS_OP_SLICE:
        memcpy(out, a[0] + k->extra, k->size * sizeof *out);
        return;
    case CS_OP_GATHER:
    case CS_OP_SCATTER:
    case CS_OP_PRODUCT:
        move(k->op, c, a[0], size[0], out);
        return;
    case CS_OP_PICK:
    case CS_OP_SPREAD:
        select_elements(k, a[0], a[1], size[0], size[1], out);
        return;
    case CS_OP_PACK:
        define_pack(g, n, value, out);
        return;
    default:
        for (size_t i = 0; i < k->size; i++)
            out[i] = cs_op_value((cs_op)k->op, a[0][size[0] > 1 ? i : 0],
                                 a[1] ? a[1][size[1] > 1 ? i : 0] : 0,
                                 a[2] ? a[2][size[2] > 1 ? i : 0] : 0);
    }
}

static double *define_all(const cs_graph *g, const double *x, double **value)
{
    size_t capacity = 0, at = 0;
    for (cs_node n = 1; n < g->n_nodes; n++)
        capacity += cs_graph_size(g, n);
    double *all = cs_alloc(capacity, sizeof *all);
    for (cs_node n = 1; n < g->n_nodes; n++) {
        value[n] = all + at;
        define(g, n, (const double *const *)value, x, value[n]);
        at += cs_graph_size(g, n);
    }
    return all;
}

/* ---- random graphs ------------------------------------------------------- */

static const cs_op ones[] = {CS_OP_SIN,           CS_OP_COS, CS_OP_TANH,
                             CS_OP_ATAN,          CS_OP_ERF, CS_OP_SIGMOID,
                             CS_OP_SOFTPLUS,      CS_OP_ABS, CS_OP_NORMAL_CDF,
                             CS_OP_LOG_NORMAL_CDF};
static const cs_op twos[] = {CS_OP_ADD, CS_OP_SUB, CS_OP_MUL,
                             CS_OP_ADD, CS_OP_SUB, CS_OP_LOG_ADD_EXP,
                             CS_OP_MAX, CS_OP_MIN};
static const cs_op reductions[] = {CS_OP_SUM, CS_OP_LOG_SUM_EXP, CS_OP_LARGEST,
                                   CS_OP_NORM};

/* Returns a random node of linear algebra: a cumulative sum, a bilinear form,
 * the solution of a triangular system with three rows, or the Cholesky factor
 * of a positive definite 3 x 3 matrix. */
static cs_node random_linear(cs_graph *g, cs_node a, cs_node b)
{
    cs_matmul_term t[16];
    double pick9[9], ridge[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, six[6];
    size_t n = 0, size = cs_graph_size(g, a), of_b = cs_graph_size(g, b);
    for (size_t i = 0; i < 9; i++)
        pick9[i] = pick((unsigned)size);
    for (size_t i = 0; i < 6; i++)
        six[i] = pick((unsigned)of_b);
    cs_node m = cs_graph_op1(g, CS_OP_TANH, cs_graph_gather(g, a, pick9, 9));
    cs_node l = cs_graph_op2(g, CS_OP_ADD, m, cs_graph_vector(g, ridge, 9));
    switch (pick(4)) {
    case 0:
        return cs_graph_cumulate(g, a, pick(2));
    case 1:
        for (size_t i = 0; i < 16; i++)
            t[n++] = (cs_matmul_term){draw(), pick(5), pick((unsigned)size),
                                      pick((unsigned)of_b)};
        return cs_graph_bilinear(g, a, b, t, n, 5);
    case 2: /* |row sums| are below 1; the diagonal is 1.5 or more */
        l = cs_graph_op2(g, CS_OP_ADD, l, cs_graph_vector(g, ridge, 9));
        return cs_graph_solve(g, l, cs_graph_gather(g, b, six, 6), pick(2));
    default:
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j <= i; j++)
                for (size_t q = 0; q < 3 && n < 16; q++)
                    if (q <= j)
                        t[n++] = (cs_matmul_term){1, (double)(i * 3 + j),
                                                  (double)(i * 3 + q),
                                                  (double)(j * 3 + q)};
        m = cs_graph_bilinear(g, m, m, t, n, 9);
        return cs_graph_cholesky(
            g, cs_graph_op2(g, CS_OP_ADD, m, cs_graph_vector(g, ridge, 9)));
    }
}

/* Returns a log-sum-exp or a softmax over the columns of a matrix with six
 * elements. */
static cs_node random_columns(cs_graph *g, cs_node a)
{
    double six[6];
    size_t columns = 1 + pick(3);
    for (size_t i = 0; i < 6; i++)
        six[i] = pick((unsigned)cs_graph_size(g, a));
    cs_node m = cs_graph_gather(g, a, six, 6);
    return pick(2) ? cs_graph_log_sum_exp(g, m, columns)
                   : cs_graph_softmax(g, m, columns);
}

/* Selects elements of a vector by indices from 1 to 3, which are computed from
 * comparisons; or adds the elements of a vector at such indices. */
static cs_node random_selection(cs_graph *g, cs_node a, cs_node b)
{
    cs_node by = cs_graph_op2(
        g, CS_OP_ADD, cs_graph_number(g, 1),
        cs_graph_op2(g, CS_OP_ADD, cs_graph_op2(g, CS_OP_LT, a, b),
                     cs_graph_op2(g, CS_OP_LT, b, cs_graph_number(g, draw()))));
    cs_node sum = cs_graph_op2(g, CS_OP_ADD, a, b);
    if (pick(2) && cs_graph_size(g, sum) == cs_graph_size(g, by))
        return cs_graph_spread(g, sum, by, 3 + pick(2));
    return cs_graph_size(g, a) < 3 ? sum : cs_graph_pick(g, a, by);
}

/* Selects one of two vectors, or 0, by comparing two numbers. */
static cs_node random_choice(cs_graph *g, cs_node a, cs_node b)
{
    cs_node none = cs_graph_number(g, 0);
    cs_node by = cs_graph_op2(g, CS_OP_LT, cs_graph_slice(g, a, 0, 1),
                              cs_graph_slice(g, b, 0, 1));
    unsigned kind = pick(3);
    return cs_graph_op3(g, CS_OP_WHERE, by, kind == 1 ? none : a,
                        kind == 2 ? none : b);
}

/* Limits the values of the vector in most cases, so that differences are
 * accurate. */
static cs_node tame(cs_graph *g, cs_node a)
{
    return pick(3) ? cs_graph_op1(g, CS_OP_TANH, a) : a;
}

static cs_node random_node(cs_graph *g, const cs_node *old, size_t n)
{
    cs_node a = old[pick((unsigned)n)], b = old[pick((unsigned)n)];
    size_t size = cs_graph_size(g, a), other = cs_graph_size(g, b);
    double index[8];
    double m[16 * 8];
    if (size != 1 && other != 1 && size != other)
        b = cs_graph_number(g, draw());
    switch (pick(17)) {
    case 13:
        return random_selection(g, a, b);
    case 0:
        return cs_graph_op1(g, ones[pick(10)], a);
    case 1:
        return cs_graph_op1(g, reductions[pick(4)], tame(g, a));
    case 2:
        return cs_graph_slice(g, a, pick((unsigned)size), 1);
    case 3:
        for (size_t i = 0; i < 8; i++)
            index[i] = pick((unsigned)size);
        return cs_graph_gather(g, a, index, 1 + pick(8));
    case 4:
        if (size + cs_graph_size(g, b) > 16)
            return cs_graph_op1(g, CS_OP_SUM, a);
        return cs_graph_pack(g, (cs_node[]){a, b, a}, 2 + pick(2));
    case 5:
        for (size_t i = 0; i < 16 * 8; i++)
            m[i] = 0.2 * draw();
        if (size > 16)
            return cs_graph_op1(g, CS_OP_SUM, a);
        return cs_graph_product(g, m, 1 + pick(8), size, a);
    case 6:
        return cs_graph_op3(g, CS_OP_WHERE, cs_graph_op2(g, CS_OP_LT, a, b), a,
                            b);
    case 7:
        return cs_graph_op2(g, CS_OP_DIV, a,
                            cs_graph_op2(g, CS_OP_ADD,
                                         cs_graph_op2(g, CS_OP_MUL, b, b),
                                         cs_graph_number(g, 1)));
    case 8:
        return cs_graph_op2(g, CS_OP_MUL, a, cs_graph_number(g, draw()));
    case 9:
    case 10:
        return tame(g, random_linear(g, a, b));
    case 11:
        return random_columns(g, a);
    case 12:
        return random_choice(g, a, b);
    default:
        return tame(g, cs_graph_op2(g, twos[pick(8)], a, b));
    }
}

static cs_node random_graph(cs_graph *g)
{
    cs_node node[NODES + 4];
    size_t n = 0;
    double v[3] = {draw(), draw(), draw()};
    node[n++] = cs_graph_input(g);
    node[n++] = cs_graph_slice(g, node[0], pick(DIM), 1);
    node[n++] = cs_graph_slice(g, node[0], pick(DIM - 2), 3);
    node[n++] = cs_graph_vector(g, v, 3);
    while (n < NODES) {
        node[n] = random_node(g, node, n);
        if (cs_graph_size(g, node[n]) <= 16)
            n += node[n] != 0;
        assert_int_equal(g->status, CS_OK);
    }
    cs_node logp = cs_graph_number(g, 0);
    for (size_t i = n - 8; i < n; i++)
        logp = cs_graph_op2(g, CS_OP_ADD, logp,
                            cs_graph_op1(g, CS_OP_SUM, node[i]));
    return logp;
}

static void close_to(double got, double want, double tolerance)
{
    if (isnan(want) && isnan(got))
        return;
    if (!(fabs(got - want) <= tolerance * (1 + fabs(want))) && got != want)
        fail_msg("%.17g is not %.17g", got, want);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* Runs the program for each lane separately. The results must have the same
 * bits as s, the results for all lanes together. */
static void compare_one(const cs_program *p, const double *x, const double *s)
{
    double *one = cs_alloc(p->slots, sizeof *one);
    for (size_t l = 0; l < LANES; l++) {
        cs_program_run_one(p, false, x + l, LANES, one);
        for (size_t k = 0; k < p->n_roots; k++)
            for (size_t i = 0; i < p->root_size[k]; i++) {
                double want = s[(p->root[k] + i) * LANES + l];
                if (!same_bits(one[p->root[k] + i], want))
                    fail_msg("graph %llu, lane %zu: %.17g alone, not %.17g",
                             seed, l, one[p->root[k] + i], want);
            }
    }
    cs_free(one);
}

/* Checks that the rolled graph, if it exists, gives the same value as the
 * original graph. */
static void compare_rolled(const cs_graph *g, cs_node logp, const double *x,
                           const double *want)
{
    cs_graph *to;
    cs_program *p;
    cs_node v;
    cs_error err;
    assert_int_equal(cs_graph_reroll(g, logp, &to, &v, &err), CS_OK);
    if (!to)
        return;
    assert_int_equal(cs_program_compile(to, &v, 1, &p, &err), CS_OK);
    double *s = cs_alloc(p->slots * LANES, sizeof *s);
    cs_program_run(p, x, LANES, s);
    for (size_t l = 0; l < LANES; l++)
        close_to(s[p->root[0] * LANES + l], want[l], 1e-11);
    compare_one(p, x, s);
    cs_free(s);
    cs_program_destroy(p);
    cs_graph_destroy(to);
}

/* Runs the program for value and gradient, and the program for only the value,
 * on LANES random states. */
static void compare(cs_graph *g, cs_node logp)
{
    cs_node roots[2] = {logp, cs_graph_gradient(g, logp)};
    cs_program *both, *alone;
    cs_error err;
    assert_int_equal(g->status, CS_OK);
    assert_int_equal(cs_program_compile(g, roots, 2, &both, &err), CS_OK);
    assert_int_equal(cs_program_compile(g, roots, 1, &alone, &err), CS_OK);
    size_t slots = both->slots > alone->slots ? both->slots : alone->slots;
    double *x = cs_alloc(DIM * LANES, sizeof *x);
    double *s = cs_alloc(slots * LANES, sizeof *s);
    double **value = cs_alloc(g->n_nodes, sizeof *value);
    double first[LANES];
    for (size_t i = 0; i < DIM * LANES; i++)
        x[i] = draw();
    cs_program_run(alone, x, LANES, s);
    compare_one(alone, x, s);
    memcpy(first, s + alone->root[0] * LANES, sizeof first);
    compare_rolled(g, logp, x, first);
    cs_program_run(both, x, LANES, s);
    compare_one(both, x, s);
    for (size_t l = 0; l < LANES; l++) {
        double point[DIM];
        for (size_t d = 0; d < DIM; d++)
            point[d] = x[d * LANES + l];
        double *all = define_all(g, point, value);
        close_to(s[both->root[0] * LANES + l], value[logp][0], 1e-11);
        close_to(first[l], value[logp][0], 1e-11);
        for (size_t d = 0; d < DIM; d++)
            close_to(s[(both->root[1] + d) * LANES + l], value[roots[1]][d],
                     1e-10);
        cs_free(all);
    }
    cs_free(value);
    cs_free(s);
    cs_free(x);
    cs_program_destroy(both);
    cs_program_destroy(alone);
}

/* Returns d log p / dx_d at x by central differences over h and 2h,
 * extrapolated. */
static double slope(const cs_graph *g, cs_node logp, double *x, size_t d,
                    double h, double **value)
{
    double far[2], at = x[d];
    for (int k = 1; k <= 2; k++) {
        double up, down, *all;
        x[d] = at + k * h;
        all = define_all(g, x, value);
        up = value[logp][0];
        cs_free(all);
        x[d] = at - k * h;
        all = define_all(g, x, value);
        down = value[logp][0];
        cs_free(all);
        far[k - 1] = (up - down) / (2 * k * h);
    }
    x[d] = at;
    return (4 * far[0] - far[1]) / 3;
}

/* Compares slopes with differences. A point is excluded if differences of two
 * widths disagree there, because it is near a kink of abs, max or where.
 * Returns the number of coordinates compared. */
static int check_slopes(cs_graph *g, cs_node logp)
{
    double x[DIM], **value;
    int compared = 0;
    size_t value_nodes = g->n_nodes;
    cs_node gradient = cs_graph_gradient(g, logp);
    value = cs_alloc(g->n_nodes, sizeof *value);
    for (size_t d = 0; d < DIM; d++)
        x[d] = draw();
    double *all = define_all(g, x, value), got[DIM];
    memcpy(got, value[gradient], sizeof got);
    cs_free(all);
    size_t whole = g->n_nodes;
    g->n_nodes = value_nodes; /* only the value, for speed */
    for (size_t d = 0; d < DIM; d++) {
        double wide = slope(g, logp, x, d, 2e-4, value);
        double fine = slope(g, logp, x, d, 1e-4, value);
        if (!(fabs(wide - fine) <= 1e-7 * (1 + fabs(fine))))
            continue;
        close_to(got[d], fine, 1e-6);
        compared++;
    }
    g->n_nodes = whole;
    cs_free(value);
    return compared;
}

static void gradients_are_slopes(void **state)
{
    (void)state;
    int compared = 0;
    for (int i = 0; i < GRAPHS; i++) {
        cs_graph *g;
        cs_error err;
        seed = (unsigned long long)i + 1000000;
        assert_int_equal(cs_graph_create(DIM, 1u << 20, &g, &err), CS_OK);
        compared += check_slopes(g, random_graph(g));
        cs_graph_destroy(g);
    }
    assert_true(compared > GRAPHS * DIM * 3 / 4);
}

static void random_graphs_run_as_defined(void **state)
{
    (void)state;
    for (int i = 0; i < GRAPHS; i++) {
        cs_graph *g;
        cs_error err;
        seed = (unsigned long long)i;
        assert_int_equal(cs_graph_create(DIM, 1u << 20, &g, &err), CS_OK);
        cs_node logp = random_graph(g);
        compare(g, logp);
        cs_graph_destroy(g);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_graphs_run_as_defined),
    cmocka_unit_test(gradients_are_slopes),
};
TESTS(test_tape)
