#include "expr/enclose.h"

#include "base/memory.h"
#include "expr/intern.h"

#include <assert.h>
#include <string.h>

/* A node to be enclosed: the intervals of its elements and of its arguments'
 * elements. `step` is the distance between the elements of an argument; it is 0
 * if the argument is a number that is used as a vector. */
typedef struct item {
    const cs_graph_node *n;
    const cs_constant *constant; /* constant of the node, or NULL */
    cs_interval *y, *work;
    const cs_interval *a[3];
    size_t size[3], step[3];
} item;

typedef void (*item_function)(const item *k);

/* ---- shapes -------------------------------------------------------------- */

static void slice(const item *k)
{
    memcpy(k->y, k->a[0] + k->n->extra, k->n->size * sizeof *k->y);
}

static void gather(const item *k)
{
    for (size_t i = 0; i < k->n->size; i++)
        k->y[i] = k->a[0][(size_t)k->constant->v[i] * k->step[0]];
}

static cs_interval plus(cs_interval a, cs_interval b)
{
    return cs_interval_op(CS_OP_ADD, a, b, b);
}

static cs_interval less(cs_interval a, cs_interval b)
{
    return cs_interval_op(CS_OP_SUB, a, b, b);
}

static cs_interval scaled(double by, cs_interval a)
{
    return cs_interval_mul(cs_interval_of(by), a, false);
}

static void zeros(const item *k)
{
    for (size_t i = 0; i < k->n->size; i++)
        k->y[i] = cs_interval_of(0);
}

static void scatter(const item *k)
{
    zeros(k);
    for (size_t i = 0; i < k->size[0]; i++) {
        cs_interval *to = &k->y[(size_t)k->constant->v[i]];
        *to = plus(*to, k->a[0][i]);
    }
}

/* Encloses the elements that an index may select. */
static void pick(const item *k)
{
    size_t size = k->size[0];
    for (size_t e = 0; e < k->n->size; e++) {
        cs_interval i = k->a[1][e * k->step[1]];
        bool known = i.low > 1 && i.low < (double)size;
        size_t first = known ? (size_t)i.low - 1 : i.low <= 1 ? 0 : size - 1;
        size_t last =
            i.high < (double)size ? (size_t)fmax(i.high, 1) - 1 : size - 1;
        if (cs_interval_is_nowhere(i))
            first = 0, last = size - 1;
        k->y[e] = k->a[0][first * k->step[0]];
        for (size_t j = first + 1; j <= last; j++)
            k->y[e] = cs_interval_hull(k->y[e], k->a[0][j * k->step[0]]);
    }
}

/* Encloses sums whose terms may each be included or not. */
static void enclose_spread(const item *k)
{
    zeros(k);
    for (size_t e = 0; e < k->size[0]; e++) {
        cs_interval i = k->a[1][e * k->step[1]], w = k->a[0][e * k->step[0]];
        for (size_t j = 0; j < k->n->size; j++) {
            bool near = !(i.low > (double)j + 1 || i.high < (double)j + 1);
            bool sure = i.low == i.high && i.low == (double)j + 1;
            cs_interval none = cs_interval_of(0);
            if (near || k->n->size == 1)
                k->y[j] = plus(k->y[j], sure ? w : cs_interval_hull(w, none));
        }
    }
}

static void product(const item *k)
{
    size_t cols = k->constant->cols;
    for (size_t i = 0; i < k->n->size; i++) {
        for (size_t j = 0; j < cols; j++)
            k->work[j] =
                scaled(k->constant->v[i * cols + j], k->a[0][j * k->step[0]]);
        k->y[i] = cs_interval_sum(k->work, cols, 1);
    }
}

static void cumulate(const item *k)
{
    size_t n = k->n->size;
    for (size_t i = 0; i < n; i++)
        k->y[i] = k->n->extra ? cs_interval_sum(k->a[0] + i, n - i, 1)
                              : cs_interval_sum(k->a[0], i + 1, 1);
}

static void bilinear(const item *k)
{
    zeros(k);
    for (size_t i = 0; i < k->constant->rows; i++) {
        const double *t = k->constant->v + 4 * i;
        const cs_interval *a = k->a[0] + (size_t)t[2] * k->step[0];
        const cs_interval *b = k->a[1] + (size_t)t[3] * k->step[1];
        cs_interval *to = &k->y[(size_t)t[1]];
        *to = plus(*to, scaled(t[0], cs_interval_mul(*a, *b, a == b)));
    }
}

static size_t side(size_t size)
{
    return (size_t)lround(sqrt((double)size));
}

/* Encloses the solution of a triangular system by substitution, as in
 * linear_algebra.c. */
static void solve(const item *k)
{
    size_t n = side(k->size[0]), m = k->n->size / n;
    const cs_interval *l = k->a[0];
    for (size_t p = 0; p < n; p++) {
        size_t i = k->n->extra ? n - 1 - p : p;
        for (size_t c = 0; c < m; c++) {
            cs_interval rest = k->a[1][(i * m + c) * k->step[1]];
            for (size_t q = 0; q < p; q++) {
                size_t j = k->n->extra ? n - 1 - q : q;
                cs_interval f = k->n->extra ? l[j * n + i] : l[i * n + j];
                rest = less(rest, cs_interval_mul(f, k->y[j * m + c], false));
            }
            k->y[i * m + c] =
                cs_interval_op(CS_OP_DIV, rest, l[i * n + i], rest);
        }
    }
}

/* Encloses a Cholesky factor column by column. The result is CS_NOWHERE if the
 * matrix may not be positive definite. */
static void cholesky(const item *k)
{
    size_t n = side(k->n->size);
    cs_interval *l = k->y;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            cs_interval rest = k->a[0][(i < j ? 0 : i * n + j) * k->step[0]];
            for (size_t q = 0; q < j && i >= j; q++)
                rest = less(
                    rest, cs_interval_mul(l[i * n + q], l[j * n + q], i == j));
            if (i < j)
                l[i * n + j] = cs_interval_of(0);
            else if (i == j)
                l[i * n + j] =
                    rest.low > 0 ? cs_interval_op(CS_OP_SQRT, rest, rest, rest)
                                 : CS_NOWHERE;
            else
                l[i * n + j] =
                    cs_interval_op(CS_OP_DIV, rest, l[j * n + j], rest);
        }
}

static void keep_shares(cs_interval *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (y[i].high > 1 + 1e-12)
            y[i].high = 1 + 1e-12;
}

/* Copies column j of `a` to `work`. */
static void take_column(const item *k, size_t j, size_t columns)
{
    for (size_t i = 0; i < k->size[0] / columns; i++)
        k->work[i] = k->a[0][i * columns + j];
}

static void log_sum_exp(const item *k)
{
    for (size_t j = 0; j < k->n->size; j++) {
        take_column(k, j, k->n->size);
        k->y[j] = cs_interval_reduce(CS_OP_LOG_SUM_EXP, k->work,
                                     k->size[0] / k->n->size);
    }
}

/* Encloses exp(a - log sum exp a); each element is from 0 to 1. */
static void softmax(const item *k)
{
    size_t columns = k->n->extra, n = k->size[0] / columns;
    for (size_t j = 0; j < columns; j++) {
        take_column(k, j, columns);
        cs_interval all = cs_interval_reduce(CS_OP_LOG_SUM_EXP, k->work, n);
        for (size_t i = 0; i < n; i++) {
            cs_interval a = less(k->work[i], all);
            k->y[i * columns + j] = cs_interval_op(CS_OP_EXP, a, a, a);
        }
    }
    keep_shares(k->y, k->n->size);
}

static const item_function shapes[CS_OP_COUNT] = {
    [CS_OP_SLICE] = slice,
    [CS_OP_GATHER] = gather,
    [CS_OP_SCATTER] = scatter,
    [CS_OP_PICK] = pick,
    [CS_OP_SPREAD] = enclose_spread,
    [CS_OP_PRODUCT] = product,
    [CS_OP_CUMULATE] = cumulate,
    [CS_OP_BILINEAR] = bilinear,
    [CS_OP_SOLVE] = solve,
    [CS_OP_CHOLESKY] = cholesky,
    [CS_OP_LOG_SUM_EXP] = log_sum_exp,
    [CS_OP_SOFTMAX] = softmax,
};

/* ---- nodes --------------------------------------------------------------- */

static void pack(const cs_enclosure *e, cs_node n)
{
    cs_interval *to = cs_enclosure_of(e, n);
    for (uint32_t i = 0; i < cs_graph_at(e->g, n)->count; i++) {
        cs_node part = cs_graph_arg(e->g, n, i);
        size_t size = cs_graph_size(e->g, part);
        memcpy(to, cs_enclosure_of(e, part), size * sizeof *to);
        to += size;
    }
}

static void map(const item *k, bool same)
{
    cs_op op = (cs_op)k->n->op;
    for (size_t i = 0; i < k->n->size; i++) {
        cs_interval v[3] = {{0, 0}};
        for (uint32_t j = 0; j < k->n->count; j++)
            v[j] = k->a[j][i * k->step[j]];
        k->y[i] = same ? cs_interval_mul(v[0], v[0], true)
                       : cs_interval_op(op, v[0], v[1], v[2]);
    }
}

/* Sets all elements to CS_NOWHERE. Used for a choice if it is not known which
 * branch is selected. */
static void no_value(const item *k)
{
    for (size_t i = 0; i < k->n->size; i++)
        k->y[i] = CS_NOWHERE;
}

/* Returns true if node n is exp(a - log sum exp a), so that its elements are
 * from 0 to 1. */
static bool is_share(const cs_graph *g, cs_node n)
{
    cs_node of = cs_graph_at(g, n)->op == CS_OP_EXP ? cs_graph_arg(g, n, 0) : 0;
    if (!of || cs_graph_at(g, of)->op != CS_OP_SUB)
        return false;
    cs_node all = cs_graph_arg(g, of, 1);
    return cs_graph_at(g, all)->op == CS_OP_LOG_SUM_EXP &&
           cs_graph_arg(g, all, 0) == cs_graph_arg(g, of, 0);
}

/* Returns node n, which is not a PACK, with its arguments. */
static item item_of(const cs_enclosure *e, cs_node n)
{
    const cs_graph_node *of = cs_graph_at(e->g, n);
    item k = {.n = of, .y = cs_enclosure_of(e, n), .work = e->work};
    if (cs_op_has_constant((cs_op)of->op))
        k.constant = &e->g->constants[of->extra];
    for (uint32_t i = 0; i < of->count; i++) {
        cs_node a = cs_graph_arg(e->g, n, i);
        k.a[i] = cs_enclosure_of(e, a);
        k.size[i] = cs_graph_size(e->g, a);
        k.step[i] = k.size[i] > 1;
    }
    return k;
}

/* Encloses node n, or the element of it that k describes. */
static void run(const cs_enclosure *e, cs_node n, const item *k)
{
    cs_op op = (cs_op)k->n->op;
    if (shapes[op])
        shapes[op](k);
    else if (cs_ops[op].class == CS_OP_REDUCE)
        *k->y = cs_interval_reduce(op, k->a[0], k->size[0]);
    else if (cs_ops[op].class == CS_OP_MAP)
        map(k, op == CS_OP_MUL && k->a[0] == k->a[1]);
    else
        no_value(k);
    if (op == CS_OP_EXP && is_share(e->g, n))
        keep_shares(k->y, k->n->size);
}

void cs_enclosure_run(cs_enclosure *e, cs_node n)
{
    uint32_t op = cs_graph_at(e->g, n)->op;
    if (op == CS_OP_INPUT || op == CS_OP_DATA)
        return;
    if (op == CS_OP_PACK) {
        pack(e, n);
        return;
    }
    item k = item_of(e, n);
    run(e, n, &k);
}

bool cs_enclosure_is_by_element(const cs_graph *g, cs_node n)
{
    uint32_t op = cs_graph_at(g, n)->op;
    return cs_ops[op].class == CS_OP_MAP || op == CS_OP_SLICE ||
           op == CS_OP_GATHER || op == CS_OP_PICK || op == CS_OP_PACK;
}

void cs_enclosure_run_element(cs_enclosure *e, cs_node n, size_t i)
{
    const cs_graph_node *of = cs_graph_at(e->g, n);
    assert(cs_enclosure_is_by_element(e->g, n) && i < of->size);
    if (of->op == CS_OP_PACK) {
        size_t at = i;
        cs_node part = cs_graph_part_of(e->g, n, &at);
        cs_enclosure_of(e, n)[i] = cs_enclosure_of(e, part)[at];
        return;
    }
    cs_graph_node one = *of;
    cs_constant index;
    item k = item_of(e, n);
    one.size = 1;
    k.n = &one;
    k.y += i;
    if (of->op == CS_OP_SLICE)
        k.a[0] += i;
    if (of->op == CS_OP_GATHER) {
        index = *k.constant;
        index.v += i;
        k.constant = &index;
    }
    if (of->op == CS_OP_PICK)
        k.a[1] += i * k.step[1];
    for (uint32_t j = 0; cs_ops[of->op].class == CS_OP_MAP && j < of->count;
         j++)
        k.a[j] += i * k.step[j];
    run(e, n, &k);
}

/* If n is a comparison or a sign, tests the interval of n. If n is a choice,
 * tests the interval of its condition. */
bool cs_enclosure_may_jump(const cs_enclosure *e, cs_node n)
{
    const cs_graph_node *of = cs_graph_at(e->g, n);
    if (of->op != CS_OP_LT && of->op != CS_OP_LE && of->op != CS_OP_EQ &&
        of->op != CS_OP_IS && of->op != CS_OP_SIGN && of->op != CS_OP_WHERE)
        return false;
    cs_node by = of->op == CS_OP_WHERE ? cs_graph_arg(e->g, n, 0) : n;
    const cs_interval *v = cs_enclosure_of(e, by);
    for (size_t i = 0; i < cs_graph_size(e->g, by); i++)
        if (of->op == CS_OP_WHERE ? !(v[i].low > 0 || v[i].high < 0 ||
                                      (v[i].low == 0 && v[i].high == 0))
                                  : !(v[i].low == v[i].high))
            return true;
    return false;
}

bool cs_enclosure_create(const cs_graph *g, cs_enclosure *out)
{
    size_t all = 0, most = 1;
    *out =
        (cs_enclosure){.g = g, .first = cs_alloc(g->n_nodes, sizeof(size_t))};
    for (cs_node n = 1; out->first && n < g->n_nodes; n++) {
        size_t size = cs_graph_size(g, n);
        out->first[n] = all;
        all += size;
        most = size > most ? size : most;
    }
    out->value = cs_alloc(all + 1, sizeof *out->value);
    out->work = cs_alloc(most, sizeof *out->work);
    if (!out->first || !out->value || !out->work) {
        cs_enclosure_free(out);
        return false;
    }
    for (cs_node n = 1; n < g->n_nodes; n++)
        for (size_t i = 0;
             cs_graph_at(g, n)->op == CS_OP_DATA && i < cs_graph_size(g, n);
             i++) {
            double v = g->constants[cs_graph_at(g, n)->extra].v[i];
            cs_enclosure_of(out, n)[i] = cs_interval_of(v);
        }
    return true;
}

void cs_enclosure_free(cs_enclosure *e)
{
    CS_FREE_ALL(e->first, e->value, e->work);
    *e = (cs_enclosure){0};
}
