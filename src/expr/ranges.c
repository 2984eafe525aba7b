/* Coordinates with integer values: which nodes read them, and bounds of the
 * values of nodes. The facts of nodes are found once, in order. */
#include "base/memory.h"
#include "expr/intern.h"
#include "expr/interval.h"

#include <assert.h>

/* Facts of a node: the kinds of coordinates that it reads, as bits, and bounds
 * of its elements. */
typedef struct cs_node_facts {
    double low, high;
    unsigned reads;
} cs_node_facts;

bool cs_graph_set_ranges(cs_graph *g, const cs_graph_range *range, size_t n)
{
    assert(!g->ranges && !g->n_facts && (range || !n));
    g->ranges = n ? cs_alloc(n, sizeof *g->ranges) : NULL;
    if (n && !g->ranges) {
        cs_graph_fault(g, CS_MEMORY);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        assert(!i || range[i].first >= range[i - 1].first + range[i - 1].n);
        assert(range[i].n && range[i].values >= 1);
        assert(range[i].first + range[i].n <= g->dim);
        g->ranges[i] = range[i];
    }
    g->n_ranges = n;
    return true;
}

const cs_graph_range *cs_graph_range_of(const cs_graph *g, size_t coordinate)
{
    size_t low = 0, high = g->n_ranges;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const cs_graph_range *r = &g->ranges[middle];
        if (coordinate < r->first)
            high = middle;
        else if (coordinate >= r->first + r->n)
            low = middle + 1;
        else
            return r;
    }
    return NULL;
}

/* ---- facts of nodes ------------------------------------------------------ */

static void widen(cs_node_facts *f, double low, double high)
{
    f->low = low < f->low ? low : f->low;
    f->high = high > f->high ? high : f->high;
}

/* Adds the facts of coordinate c. */
static void add_coordinate(const cs_graph *g, size_t c, cs_node_facts *f)
{
    const cs_graph_range *r = cs_graph_range_of(g, c);
    if (r) {
        f->reads |= CS_READS_WHOLE;
        widen(f, r->low, r->low + r->values - 1);
    } else {
        f->reads |= CS_READS_REAL | CS_FRACTIONAL;
        widen(f, -HUGE_VAL, HUGE_VAL);
    }
}

/* Adds the facts of coordinates first .. first + n - 1, a range at a time. */
static void add_coordinates(const cs_graph *g, size_t first, size_t n,
                            cs_node_facts *f)
{
    for (size_t c = first; c < first + n;) {
        const cs_graph_range *r = cs_graph_range_of(g, c);
        add_coordinate(g, c, f);
        c = r ? r->first + r->n : c + 1;
    }
}

static void add_constants(const double *v, size_t n, cs_node_facts *f)
{
    for (size_t i = 0; i < n; i++) {
        widen(f, v[i], v[i]);
        f->reads |= v[i] == floor(v[i]) && fabs(v[i]) < 0x1p53
                        ? 0u
                        : (unsigned)CS_FRACTIONAL;
    }
}

/* Returns true if an operation of integers has an integer value. */
static bool keeps_integers(uint32_t op)
{
    static const bool keeps[CS_OP_COUNT] = {
        [CS_OP_ADD] = true,     [CS_OP_SUB] = true,     [CS_OP_MUL] = true,
        [CS_OP_MAX] = true,     [CS_OP_MIN] = true,     [CS_OP_WHERE] = true,
        [CS_OP_ABS] = true,     [CS_OP_SUM] = true,     [CS_OP_LARGEST] = true,
        [CS_OP_SLICE] = true,   [CS_OP_GATHER] = true,  [CS_OP_PICK] = true,
        [CS_OP_PACK] = true,    [CS_OP_SCATTER] = true, [CS_OP_SPREAD] = true,
        [CS_OP_PRODUCT] = true, [CS_OP_CUMULATE] = true};
    return keeps[op];
}

static bool is_condition(uint32_t op)
{
    return op == CS_OP_LT || op == CS_OP_LE || op == CS_OP_EQ ||
           op == CS_OP_IS || op == CS_OP_SIGN;
}

static bool chooses_integers(const cs_graph *g, cs_node n)
{
    unsigned reads = g->facts[cs_graph_arg(g, n, 1)].reads |
                     g->facts[cs_graph_arg(g, n, 2)].reads;
    return !(reads & CS_FRACTIONAL);
}

/* Sets the bounds of node n from those of its arguments. */
static void find_bounds(const cs_graph *g, cs_node n, cs_node_facts *f)
{
    const cs_graph_node *k = &g->nodes[n];
    cs_interval a[3] = {{0, 0}}, y = {-HUGE_VAL, HUGE_VAL};
    for (uint32_t i = 0; i < k->count && i < 3; i++) {
        const cs_node_facts *of = &g->facts[cs_graph_arg(g, n, i)];
        a[i] = (cs_interval){of->low, of->high};
    }
    if (cs_ops[k->op].class == CS_OP_MAP)
        y = cs_interval_op((cs_op)k->op, a[0], a[1], a[2]);
    else if (k->op == CS_OP_SLICE || k->op == CS_OP_GATHER ||
             k->op == CS_OP_PICK || k->op == CS_OP_LARGEST)
        y = a[0];
    if (k->op == CS_OP_PACK)
        for (uint32_t i = 0; i < k->count; i++) {
            const cs_node_facts *of = &g->facts[cs_graph_arg(g, n, i)];
            widen(f, of->low, of->high);
        }
    else if (cs_interval_is_nowhere(y))
        widen(f, -HUGE_VAL, HUGE_VAL);
    else
        widen(f, y.low, y.high);
}

static void find_facts(cs_graph *g, cs_node n, cs_node_facts *f)
{
    const cs_graph_node *k = &g->nodes[n];
    cs_node of = k->count ? cs_graph_arg(g, n, 0) : 0;
    const cs_constant *c =
        cs_op_has_constant((cs_op)k->op) ? &g->constants[k->extra] : NULL;
    *f = (cs_node_facts){HUGE_VAL, -HUGE_VAL, 0};
    if (k->op == CS_OP_INPUT)
        add_coordinates(g, 0, g->dim, f);
    else if (k->op == CS_OP_DATA)
        add_constants(c->v, c->rows * c->cols, f);
    else if (k->op == CS_OP_SLICE && of == cs_graph_input(g))
        add_coordinates(g, k->extra, k->size, f);
    else if (k->op == CS_OP_GATHER && of == cs_graph_input(g))
        for (size_t i = 0; i < c->rows; i++)
            add_coordinate(g, (size_t)c->v[i], f);
    else {
        for (uint32_t i = 0; i < k->count; i++)
            f->reads |= g->facts[cs_graph_arg(g, n, i)].reads;
        if (k->op == CS_OP_WHERE && chooses_integers(g, n))
            f->reads &= ~(unsigned)CS_FRACTIONAL;
        if (k->op == CS_OP_PRODUCT)
            add_constants(c->v, c->rows * c->cols, f);
        if (is_condition(k->op))
            f->reads &= ~(unsigned)CS_FRACTIONAL;
        else if (!keeps_integers(k->op))
            f->reads |= CS_FRACTIONAL;
        find_bounds(g, n, f);
    }
}

/* Finds the facts of all nodes up to n. Returns NULL if out of memory. */
static const cs_node_facts *facts_of(cs_graph *g, cs_node n)
{
    if (n >= g->n_facts && n >= g->fact_capacity &&
        !CS_EXTEND(g->facts, g->n_facts, g->fact_capacity,
                   n + 1 - g->n_facts)) {
        cs_graph_fault(g, CS_MEMORY);
        return NULL;
    }
    if (!g->n_facts && n)
        g->facts[g->n_facts++] = (cs_node_facts){0, 0, 0};
    for (; g->n_facts <= n; g->n_facts++)
        find_facts(g, (cs_node)g->n_facts, &g->facts[g->n_facts]);
    return &g->facts[n];
}

unsigned cs_graph_reads(cs_graph *g, cs_node n)
{
    if (!g->n_ranges) /* all coordinates are real */
        return CS_READS_REAL | CS_FRACTIONAL;
    const cs_node_facts *f = n ? facts_of(g, n) : NULL;
    return f ? f->reads : 0;
}

bool cs_graph_bounds(cs_graph *g, cs_node n, double *low, double *high)
{
    const cs_node_facts *f = facts_of(g, n);
    if (!f)
        return false;
    *low = f->low;
    *high = f->high;
    return true;
}
