/* Building expressions: equal nodes once (a hash table of operations and
 * arguments), constants folded, neutral elements dropped. */
#include "tape/graph.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

const cs_op_row cs_ops[CS_OP_COUNT] = {
#define FREE CS_OP_FREE
#define OP(name, text, arity, class) [CS_OP_##name] = {text, arity, CS_OP_##class},
#include "tape/ops.def"
#undef OP
#undef FREE
};

static cs_node fail(cs_graph *g, cs_status status)
{
    if (!g->status)
        g->status = status;
    return 0;
}

/* Makes room for `more` items behind the `n` there are. */
static bool grow(cs_graph *g, void **items, size_t n, size_t *room,
                 size_t more, size_t size)
{
    if (n + more <= *room)
        return true;
    size_t want = *room ? *room : 64;
    while (want < n + more)
        want *= 2;
    void *p = cs_resize(*items, *room * size, want * size);
    if (!p)
        return fail(g, CS_MEMORY);
    *items = p;
    *room = want;
    return true;
}

#define GROW(g, items, n, room, more)                                          \
    grow(g, (void **)&(items), n, &(room), more, sizeof *(items))

/* ---- the table of nodes -------------------------------------------------- */

static size_t mix(size_t h, size_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static size_t hash_of(const cs_graph_node *n, const cs_node *args)
{
    size_t h = mix(mix(n->op, n->size), n->extra);
    for (uint32_t i = 0; i < n->count; i++)
        h = mix(h, args[i]);
    return h;
}

static bool same(const cs_graph *g, const cs_graph_node *a,
                 const cs_graph_node *b, const cs_node *args)
{
    return a->op == b->op && a->size == b->size && a->extra == b->extra &&
           a->count == b->count &&
           !memcmp(g->args + a->first, args, a->count * sizeof *args);
}

static void enter(cs_graph *g, cs_node node)
{
    const cs_graph_node *n = &g->nodes[node];
    size_t at = hash_of(n, g->args + n->first) & (g->room_table - 1);
    while (g->table[at])
        at = (at + 1) & (g->room_table - 1);
    g->table[at] = node;
}

static bool widen(cs_graph *g)
{
    if (2 * (g->n_nodes + 1) <= g->room_table)
        return true;
    size_t want = g->room_table ? 2 * g->room_table : 256;
    cs_node *table = cs_alloc(want, sizeof *table);
    if (!table)
        return fail(g, CS_MEMORY);
    cs_free(g->table);
    g->table = table;
    g->room_table = want;
    for (size_t i = 1; i < g->n_nodes; i++)
        enter(g, (cs_node)i);
    return true;
}

/* The node that is like `n` with these arguments: an old one or a new. */
static cs_node intern(cs_graph *g, cs_graph_node n, const cs_node *args)
{
    for (uint32_t i = 0; i < n.count; i++)
        if (!args[i])
            return 0;
    if (g->status || !widen(g))
        return 0;
    size_t at = hash_of(&n, args) & (g->room_table - 1);
    for (; g->table[at]; at = (at + 1) & (g->room_table - 1))
        if (same(g, &g->nodes[g->table[at]], &n, args))
            return g->table[at];
    if (g->n_nodes > g->most_nodes)
        return fail(g, CS_RANGE);
    if (!GROW(g, g->nodes, g->n_nodes, g->room_nodes, 1) ||
        !GROW(g, g->args, g->n_args, g->room_args, n.count))
        return 0;
    n.first = (uint32_t)g->n_args;
    n.line = g->line;
    if (n.count)
        memcpy(g->args + g->n_args, args, n.count * sizeof *args);
    g->n_args += n.count;
    g->nodes[g->n_nodes] = n;
    g->table[at] = (cs_node)g->n_nodes;
    return (cs_node)g->n_nodes++;
}

/* ---- graphs -------------------------------------------------------------- */

void cs_graph_destroy(cs_graph *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n_constants; i++)
        cs_free(g->constants[i].v);
    cs_free(g->constants);
    cs_free(g->nodes);
    cs_free(g->args);
    cs_free(g->table);
    cs_free(g);
}

cs_status cs_graph_create(size_t dim, size_t most_nodes, cs_graph **out,
                          cs_error *err)
{
    cs_graph *g = cs_alloc(1, sizeof *g);
    if (!g)
        return cs_fail(err, CS_MEMORY, "no memory for an expression");
    g->dim = dim;
    g->most_nodes = most_nodes;
    if (GROW(g, g->nodes, 0, g->room_nodes, 1))
        g->n_nodes = 1; /* node 0 is no node */
    intern(g, (cs_graph_node){.op = CS_OP_INPUT, .size = (uint32_t)dim}, NULL);
    if (g->status) {
        cs_graph_destroy(g);
        return cs_fail(err, CS_MEMORY, "no memory for an expression");
    }
    *out = g;
    return CS_OK;
}

cs_node cs_graph_input(const cs_graph *g)
{
    (void)g;
    return 1;
}

const cs_graph_node *cs_graph_at(const cs_graph *g, cs_node a)
{
    return &g->nodes[a];
}

cs_node cs_graph_arg(const cs_graph *g, cs_node a, size_t i)
{
    return g->args[g->nodes[a].first + i];
}

size_t cs_graph_size(const cs_graph *g, cs_node a)
{
    return a ? g->nodes[a].size : 0;
}

/* ---- constants ----------------------------------------------------------- */

static bool equal(const cs_constant *k, const double *v, size_t rows,
                  size_t cols)
{
    return k->rows == rows && k->cols == cols &&
           !memcmp(k->v, v, rows * cols * sizeof *v);
}

/* The number of a constant like this one; only the last few are compared:
 * equal numbers come close together. */
static bool keep(cs_graph *g, const double *v, size_t rows, size_t cols,
                 uint32_t *number)
{
    size_t from = g->n_constants > 32 ? g->n_constants - 32 : 0;
    for (size_t i = g->n_constants; i-- > from;)
        if (equal(&g->constants[i], v, rows, cols)) {
            *number = (uint32_t)i;
            return true;
        }
    if (!GROW(g, g->constants, g->n_constants, g->room_constants, 1))
        return false;
    double *copy = cs_alloc(rows * cols, sizeof *copy);
    if (!copy)
        return fail(g, CS_MEMORY);
    memcpy(copy, v, rows * cols * sizeof *v);
    *number = (uint32_t)g->n_constants;
    g->constants[g->n_constants++] = (cs_constant){copy, rows, cols};
    return true;
}

cs_node cs_graph_vector(cs_graph *g, const double *v, size_t n)
{
    uint32_t number;
    if (g->status || !keep(g, v, n, 1, &number))
        return 0;
    return intern(g,
                  (cs_graph_node){.op = CS_OP_DATA,
                                  .size = (uint32_t)n,
                                  .extra = number},
                  NULL);
}

cs_node cs_graph_number(cs_graph *g, double value)
{
    return cs_graph_vector(g, &value, 1);
}

bool cs_graph_is_number(const cs_graph *g, cs_node a, double *value)
{
    if (!a || g->nodes[a].op != CS_OP_DATA || g->nodes[a].size != 1)
        return false;
    *value = g->constants[g->nodes[a].extra].v[0];
    return true;
}

static bool is_data(const cs_graph *g, cs_node a)
{
    return g->nodes[a].op == CS_OP_DATA;
}

static bool is(const cs_graph *g, cs_node a, double value)
{
    double v;
    return cs_graph_is_number(g, a, &v) && v == value;
}

/* ---- folding ------------------------------------------------------------- */

static double element(const cs_graph *g, cs_node a, size_t i)
{
    const cs_constant *k = &g->constants[g->nodes[a].extra];
    return k->v[k->rows == 1 ? 0 : i];
}

static cs_node fold(cs_graph *g, cs_op op, const cs_node *a, size_t count,
                    size_t size)
{
    double *v = cs_alloc(size, sizeof *v);
    if (!v)
        return fail(g, CS_MEMORY);
    for (size_t i = 0; i < size; i++)
        v[i] = cs_op_value(op, element(g, a[0], i),
                           count > 1 ? element(g, a[1], i) : 0,
                           count > 2 ? element(g, a[2], i) : 0);
    cs_node node = cs_graph_vector(g, v, size);
    cs_free(v);
    return node;
}

static double fold_reduce(const cs_graph *g, cs_op op, cs_node a)
{
    size_t n = g->nodes[a].size;
    double most = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, element(g, a, i));
    if (op == CS_OP_SUM)
        for (size_t i = 0; i < n; i++)
            sum += element(g, a, i);
    else if (isinf(most))
        sum = most;
    else {
        for (size_t i = 0; i < n; i++)
            sum += exp(element(g, a, i) - most);
        sum = most + log(sum);
    }
    return sum;
}

/* ---- operations ---------------------------------------------------------- */

/* What an operation with a neutral element comes to, or 0. Only where the
 * bits are the same for every argument, infinities and NaN too. */
static cs_node neutral(const cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    bool wide_a = g->nodes[a].size >= g->nodes[b].size;
    bool wide_b = g->nodes[b].size >= g->nodes[a].size;
    switch (op) {
    case CS_OP_ADD:
        return is(g, b, 0) && wide_a ? a : is(g, a, 0) && wide_b ? b : 0;
    case CS_OP_SUB:
        return is(g, b, 0) && wide_a ? a : 0;
    case CS_OP_MUL:
        return is(g, b, 1) && wide_a ? a : is(g, a, 1) && wide_b ? b : 0;
    case CS_OP_DIV:
        return is(g, b, 1) && wide_a ? a : 0;
    default:
        return 0;
    }
}

/* Powers that are cheaper, and more exact, as something else. */
static cs_node power(cs_graph *g, cs_node a, cs_node b)
{
    double p;
    if (!cs_graph_is_number(g, b, &p))
        return 0;
    if (p == 1)
        return a;
    if (p == 0.5)
        return cs_graph_op1(g, CS_OP_SQRT, a);
    if (p < 0 && (p == -0.5 || (p >= -4 && p == floor(p))))
        return cs_graph_op2(
            g, CS_OP_DIV, cs_graph_number(g, 1),
            cs_graph_op2(g, CS_OP_POW, a, cs_graph_number(g, -p)));
    if (p != floor(p) || p < 2 || p > 8)
        return 0;
    cs_node half = a;
    if (p >= 4)
        half = cs_graph_op2(g, CS_OP_POW, a, cs_graph_number(g, floor(p / 2)));
    cs_node even = cs_graph_op2(g, CS_OP_MUL, half, half);
    return fmod(p, 2) != 0 ? cs_graph_op2(g, CS_OP_MUL, even, a) : even;
}

/* a = number * m: the number and m; else 1 and a. */
static cs_node scaled(const cs_graph *g, cs_node a, double *factor)
{
    const cs_graph_node *n = &g->nodes[a];
    if (n->op == CS_OP_MUL)
        for (uint32_t i = 0; i < 2; i++)
            if (cs_graph_is_number(g, g->args[n->first + i], factor))
                return g->args[n->first + 1 - i];
    *factor = 1;
    return a;
}

/* Numbers are moved to the outside of products, where a sum takes them in:
 * (k a) (l b) = (k l) (a b), (k a) / b = k (a / b), a / k = (1/k) a. */
static cs_node hoist(cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    double k, l, v;
    if (op == CS_OP_DIV && cs_graph_is_number(g, b, &v) && isnormal(1 / v))
        return cs_graph_op2(g, CS_OP_MUL, a, cs_graph_number(g, 1 / v));
    if (op == CS_OP_ADD && a == b)
        return cs_graph_op2(g, CS_OP_MUL, a, cs_graph_number(g, 2));
    if (op != CS_OP_MUL && op != CS_OP_DIV)
        return 0;
    cs_node m = scaled(g, a, &k), n = op == CS_OP_MUL ? scaled(g, b, &l) : b;
    if (op == CS_OP_DIV)
        l = 1;
    if ((m == a && n == b) || !isnormal(k * l))
        return 0;
    if (op == CS_OP_MUL && cs_graph_is_number(g, m, &v))
        return cs_graph_op2(g, op, cs_graph_number(g, v * k * l), n);
    if (op == CS_OP_MUL && cs_graph_is_number(g, n, &v))
        return cs_graph_op2(g, op, cs_graph_number(g, v * k * l), m);
    return cs_graph_op2(g, CS_OP_MUL, cs_graph_number(g, k * l),
                        cs_graph_op2(g, op, m, n));
}

static bool commutes(cs_op op)
{
    return op == CS_OP_ADD || op == CS_OP_MUL || op == CS_OP_EQ;
}

static cs_node map(cs_graph *g, cs_op op, cs_node *a, size_t count)
{
    size_t size = 1;
    bool constant = true;
    for (size_t i = 0; i < count; i++) {
        if (!a[i])
            return 0;
        size_t s = g->nodes[a[i]].size;
        if (s != 1 && size != 1 && s != size)
            return fail(g, CS_INPUT);
        size = s > size ? s : size;
        constant = constant && is_data(g, a[i]);
    }
    if (constant)
        return fold(g, op, a, count, size);
    if (count == 2) {
        cs_node n = neutral(g, op, a[0], a[1]);
        if (!n && op == CS_OP_POW)
            n = power(g, a[0], a[1]);
        if (!n)
            n = hoist(g, op, a[0], a[1]);
        if (n)
            return n;
        if (commutes(op) && a[0] > a[1]) {
            cs_node t = a[0];
            a[0] = a[1];
            a[1] = t;
        }
    }
    return intern(g,
                  (cs_graph_node){.op = op,
                                  .size = (uint32_t)size,
                                  .count = (uint32_t)count},
                  a);
}

cs_node cs_graph_op1(cs_graph *g, cs_op op, cs_node a)
{
    if (!a || g->status)
        return 0;
    if (cs_ops[op].class == CS_OP_MAP)
        return map(g, op, &a, 1);
    if (g->nodes[a].size == 1)
        return a; /* the sum of one, the log of the sum of one exponential */
    if (is_data(g, a))
        return cs_graph_number(g, fold_reduce(g, op, a));
    return intern(g, (cs_graph_node){.op = op, .size = 1, .count = 1}, &a);
}

cs_node cs_graph_op2(cs_graph *g, cs_op op, cs_node a, cs_node b)
{
    return g->status ? 0 : map(g, op, (cs_node[]){a, b}, 2);
}

cs_node cs_graph_op3(cs_graph *g, cs_op op, cs_node a, cs_node b, cs_node c)
{
    return g->status ? 0 : map(g, op, (cs_node[]){a, b, c}, 3);
}

/* ---- shapes -------------------------------------------------------------- */

cs_node cs_graph_slice(cs_graph *g, cs_node a, size_t first, size_t n)
{
    if (!a || g->status)
        return 0;
    const cs_graph_node *of = &g->nodes[a];
    if (n < 1 || first > of->size || n > of->size - first)
        return fail(g, CS_INPUT);
    if (n == of->size)
        return a;
    if (of->op == CS_OP_DATA)
        return cs_graph_vector(g, g->constants[of->extra].v + first, n);
    if (of->op == CS_OP_SLICE)
        return cs_graph_slice(g, g->args[of->first], of->extra + first, n);
    if (of->op == CS_OP_PACK && of->count == of->size && n == 1)
        return g->args[of->first + first];
    return intern(g,
                  (cs_graph_node){.op = CS_OP_SLICE,
                                  .size = (uint32_t)n,
                                  .count = 1,
                                  .extra = (uint32_t)first},
                  &a);
}

static bool inside(const double *index, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++)
        if (!(index[i] >= 0 && index[i] < (double)size))
            return false;
    return n > 0;
}

static cs_node gathered(cs_graph *g, cs_node a, const double *index, size_t n)
{
    double *v = cs_alloc(n, sizeof *v);
    if (!v)
        return fail(g, CS_MEMORY);
    for (size_t i = 0; i < n; i++)
        v[i] = element(g, a, (size_t)index[i]);
    cs_node made = cs_graph_vector(g, v, n);
    cs_free(v);
    return made;
}

/* A node of one argument, with the constant index[n]. */
static cs_node indexed(cs_graph *g, cs_op op, cs_node a, const double *index,
                       size_t n, size_t size)
{
    uint32_t number;
    if (!keep(g, index, n, 1, &number))
        return 0;
    return intern(g,
                  (cs_graph_node){.op = op,
                                  .size = (uint32_t)size,
                                  .count = 1,
                                  .extra = number},
                  &a);
}

cs_node cs_graph_gather(cs_graph *g, cs_node a, const double *index, size_t n)
{
    if (!a || g->status)
        return 0;
    if (!inside(index, n, g->nodes[a].size))
        return fail(g, CS_INPUT);
    return is_data(g, a) ? gathered(g, a, index, n)
                         : indexed(g, CS_OP_GATHER, a, index, n, n);
}

cs_node cs_graph_scatter(cs_graph *g, cs_node a, const double *index, size_t n,
                         size_t size)
{
    if (!a || g->status)
        return 0;
    if (n != g->nodes[a].size || !inside(index, n, size))
        return fail(g, CS_INPUT);
    return indexed(g, CS_OP_SCATTER, a, index, n, size);
}

cs_node cs_graph_pack(cs_graph *g, const cs_node *part, size_t n)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++) {
        if (!part[i])
            return 0;
        size += g->nodes[part[i]].size;
    }
    if (g->status || !n)
        return g->status ? 0 : fail(g, CS_INPUT);
    if (n == 1)
        return part[0];
    return intern(g,
                  (cs_graph_node){.op = CS_OP_PACK,
                                  .size = (uint32_t)size,
                                  .count = (uint32_t)n},
                  part);
}

static cs_node fold_product(cs_graph *g, const double *a, size_t rows,
                            size_t cols, cs_node x)
{
    double *y = cs_alloc(rows, sizeof *y);
    if (!y)
        return fail(g, CS_MEMORY);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            y[i] += a[i * cols + j] * element(g, x, j);
    cs_node made = cs_graph_vector(g, y, rows);
    cs_free(y);
    return made;
}

cs_node cs_graph_product(cs_graph *g, const double *a, size_t rows, size_t cols,
                         cs_node x)
{
    uint32_t number;
    if (!x || g->status)
        return 0;
    if (!rows || g->nodes[x].size != cols)
        return fail(g, CS_INPUT);
    if (is_data(g, x))
        return fold_product(g, a, rows, cols, x);
    if (!keep(g, a, rows, cols, &number))
        return 0;
    return intern(g,
                  (cs_graph_node){.op = CS_OP_PRODUCT,
                                  .size = (uint32_t)rows,
                                  .count = 1,
                                  .extra = number},
                  &x);
}
