/* Interval arithmetic ignores that two parts of an expression depend on the
 * same variables, so its bounds are too wide. Two methods tighten them:
 *
 * 1. A value that is affine in the state, a'x + c, is in [c - R |a|, c + R |a|]
 * over a ball of radius R (Cauchy and Schwarz). Over a box it is in c plus the
 * sum of the intervals a_j x_j. Over an intersection it is in both. a and c are
 * computed for each row: a is the gradient, c the value at x = 0.
 *
 * 2. Most terms depend on the state only through one number e(x, row), the
 * bottleneck, for example a linear predictor. To bound f(e) over the interval
 * of e, the interval is halved until the sign of the derivative f' shows that f
 * is monotone (the bounds are then f at the ends), or until the mean value
 * theorem gives a narrow bound: f(m) + f'(piece) (piece - m). The slope of the
 * term is at most max |f'(e)| |grad e|; f' is bounded like f itself, by f''. A
 * term without a bottleneck is treated as its own bottleneck, and f is the
 * identity. */
#include "tape/term_bounds.h"

#include "base/memory.h"
#include "expr/enclose.h"
#include "tape/segments.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_NODES = 1 << 23,
    MOST_AFFINE = 1 << 16, /* maximum total size of the gradients of affine
                            * values */
    MOST_VISITS = 1 << 27, /* maximum number of nodes visited to create the
                            * gradients of affine values */
    DEPTH = 6,             /* maximum number of halvings of an interval */
    ON_STATE = 1,
    ON_ROW = 2,
    ON_NECK = 4
};

typedef struct nodes {
    cs_node *node; /* [own] node numbers in evaluation order */
    size_t n;
} nodes;

/* An affine value a'x + c; both c and a are nodes. */
typedef struct affine {
    cs_node node, c, a;
} affine;

/* A number that depends on the bottleneck, and the nodes to evaluate once the
 * bottleneck is known. */
typedef struct of_bottleneck {
    cs_node root;
    nodes after;
    nodes jumps; /* the nodes of `after` that may be discontinuous */
    bool same;   /* true if all rows have the same function of the bottleneck */
    cs_segments pieces;
} of_bottleneck;

struct cs_term_bounds {
    cs_graph *g;                /* [own] input: x and a row */
    cs_node x, bottleneck, way; /* way: the gradient of the bottleneck with
                                 * respect to x */
    of_bottleneck f, slope, second;
    cs_enclosure e;
    const cs_region *r;
    size_t dim, width;
    affine *affine; /* [own] affine values */
    size_t n_affine;
    size_t *affine_at; /* [own] [n_nodes] 1 + index in affine, or 0 */
    unsigned char *on; /* [own] [n_nodes] bits ON_STATE, ON_ROW and so on */
    nodes once, row;   /* once: nodes evaluated once; row: nodes evaluated per
                        * row */
    cs_interval all;   /* interval of the bottleneck, if the same for all
                        * rows */
    cs_interval *work; /* [own] [dim] */
    int line;
    cs_interval taken; /* f is known to take values <= taken.low and values >=
                        * taken.high */
};

/* ---- graphs -------------------------------------------------------------- */

/* Copies the term into g. x becomes a separate node, so that the gradient stops
 * at x. */
static cs_node copy_term(const cs_terms *t, cs_graph *g, cs_node x)
{
    size_t width = t->columns.width;
    cs_node input = cs_graph_input(g);
    cs_node row = width ? cs_graph_slice(g, input, t->dim, width) : 0;
    cs_node both = width ? cs_graph_pack(g, (cs_node[]){x, row}, 2) : x;
    return cs_graph_copy(g, t->plain, t->plain_logp, both);
}

static cs_node state_of(cs_graph *g, size_t dim)
{
    double *index = cs_alloc(dim, sizeof *index);
    for (size_t i = 0; index && i < dim; i++)
        index[i] = (double)i;
    cs_node x = index ? cs_graph_gather(g, cs_graph_input(g), index, dim) : 0;
    cs_free(index);
    return x;
}

static cs_node zeros(cs_graph *g, size_t n)
{
    double *zero = cs_alloc(n, sizeof *zero);
    cs_node made = zero ? cs_graph_vector(g, zero, n) : 0;
    cs_free(zero);
    return made;
}

/* Returns the gradient of a number with respect to all elements of x. */
static cs_node gradient_of(cs_term_bounds *b, cs_node of)
{
    cs_node w;
    if (!of || !cs_graph_gradient_by(b->g, of, &b->x, 1, &w))
        return 0;
    return cs_graph_size(b->g, w) == b->dim
               ? w
               : cs_graph_op2(b->g, CS_OP_ADD, w, zeros(b->g, b->dim));
}

static cs_node arg(const cs_term_bounds *b, cs_node n, size_t i)
{
    return cs_graph_arg(b->g, n, i);
}

static size_t count(const cs_term_bounds *b, cs_node n)
{
    return n == b->x ? 0 : cs_graph_at(b->g, n)->count;
}

/* Finds the inputs (state, row) that each node depends on. */
static void find_dependence(cs_term_bounds *b)
{
    for (cs_node n = 1; n < b->g->n_nodes; n++) {
        unsigned bits = n == cs_graph_input(b->g) ? ON_ROW : 0;
        for (size_t i = 0; i < count(b, n); i++) {
            cs_node a = arg(b, n, i);
            bits |= b->on[a] | (a == b->bottleneck ? ON_NECK : 0u);
        }
        b->on[n] = (unsigned char)(n == b->x ? ON_STATE : bits);
    }
}

/* Marks the nodes that the roots need, except arguments of affine nodes. */
static void mark(const cs_term_bounds *b, const cs_node *root, size_t n,
                 bool *needed)
{
    for (size_t i = 0; i < n; i++)
        if (root[i])
            needed[root[i]] = true;
    for (cs_node k = (cs_node)b->g->n_nodes - 1; k > 0; k--) {
        if (!needed[k] || (b->affine_at && b->affine_at[k]))
            continue;
        for (size_t i = 0; i < count(b, k); i++)
            needed[arg(b, k, i)] = true;
    }
}

/* ---- affine nodes -------------------------------------------------------- */

enum { FREE, AFFINE, CURVED };

/* Returns the kind of node n; kind[] holds the kinds of its arguments. */
static int kind_of(const cs_term_bounds *b, cs_node n, const char *kind)
{
    int most = FREE, p, q;
    if (!(b->on[n] & ON_STATE))
        return FREE;
    for (size_t i = 0; i < count(b, n); i++)
        most = kind[arg(b, n, i)] > most ? kind[arg(b, n, i)] : most;
    if (n == b->x)
        return AFFINE;
    switch (cs_graph_at(b->g, n)->op) {
    case CS_OP_ADD:
    case CS_OP_SUB:
    case CS_OP_SUM:
    case CS_OP_SLICE:
    case CS_OP_GATHER:
    case CS_OP_SCATTER:
    case CS_OP_PACK:
    case CS_OP_PRODUCT:
    case CS_OP_CUMULATE:
        return most;
    case CS_OP_MUL:
    case CS_OP_BILINEAR:
        p = kind[arg(b, n, 0)];
        q = kind[arg(b, n, 1)];
        return p == FREE || q == FREE ? most : CURVED;
    case CS_OP_DIV:
        return kind[arg(b, n, 1)] == FREE ? most : CURVED;
    case CS_OP_WHERE:
        return kind[arg(b, n, 0)] == FREE ? most : CURVED;
    default:
        return CURVED;
    }
}

/* ---- bottleneck ---------------------------------------------------------- */

/* Considers each number that is on every path from the state to the term, and
 * for which no later node uses an earlier node. Returns the first such number.
 * Prefers a later one if it is affine, so that the row's contribution to the
 * affine number is not a part of f. */
static cs_node find_bottleneck(cs_term_bounds *b, cs_node root,
                               const bool *needed)
{
    cs_node *last = cs_alloc(b->g->n_nodes, sizeof *last), reach = 0, found = 0;
    char *kind = cs_alloc(b->g->n_nodes, sizeof *kind);
    if (!last || !kind) {
        cs_free(last);
        cs_free(kind);
        return 0;
    }
    for (cs_node n = 1; n <= root; n++)
        for (size_t i = 0; needed[n] && i < count(b, n); i++)
            last[arg(b, n, i)] = n;
    for (cs_node n = 1; n <= root; n++) {
        kind[n] = (char)kind_of(b, n, kind);
        if (!needed[n] || !(b->on[n] & ON_STATE))
            continue;
        if (reach <= n && cs_graph_size(b->g, n) == 1 &&
            (!found || kind[n] == AFFINE))
            found = n;
        reach = last[n] > reach ? last[n] : reach;
    }
    cs_free(last);
    cs_free(kind);
    return found ? found : root;
}

/* ---- lists of affine nodes ----------------------------------------------- */

/* Lists affine numbers that the term or other nodes use. Includes the
 * bottleneck. Excludes everything that is computed from the bottleneck. */
static bool list_affine(cs_term_bounds *b, cs_node root, const bool *needed)
{
    char *kind = cs_alloc(b->g->n_nodes, sizeof *kind);
    bool *wanted = cs_alloc(b->g->n_nodes, sizeof *wanted);
    size_t capacity = 0;
    bool good = kind && wanted;
    for (cs_node n = 1; good && n <= root; n++) {
        kind[n] = (char)kind_of(b, n, kind);
        for (size_t i = 0; needed[n] && kind[n] == CURVED && i < count(b, n);
             i++)
            wanted[arg(b, n, i)] = true;
    }
    if (good)
        wanted[root] = wanted[b->bottleneck] = true;
    for (cs_node n = 1; good && n <= root; n++) {
        bool after = b->on[n] & ON_NECK;
        if (!wanted[n] || kind[n] != AFFINE || n == b->x || after ||
            cs_graph_size(b->g, n) != 1 ||
            (b->n_affine + 1) * b->dim > MOST_AFFINE ||
            (b->n_affine + 1) * (size_t)root > MOST_VISITS)
            continue;
        good = CS_GROW(b->affine, b->n_affine, capacity, 1);
        if (good)
            b->affine[b->n_affine++] = (affine){.node = n};
    }
    cs_free(kind);
    cs_free(wanted);
    return good;
}

/* Extends the graph by the values of affine nodes at x = 0 and by the gradients
 * of affine nodes. Both are computed in a second copy of the term, which has
 * the node numbers of the first. */
static bool extend_affine(cs_term_bounds *b, const cs_terms *t)
{
    cs_graph *from;
    if (cs_graph_create(b->g->dim, MOST_NODES, &from, NULL))
        return false;
    bool good = copy_term(t, from, state_of(from, t->dim)) != 0;
    cs_node nowhere = zeros(b->g, b->dim);
    if (good && b->width)
        nowhere = cs_graph_pack(
            b->g,
            (cs_node[]){nowhere, cs_graph_slice(b->g, cs_graph_input(b->g),
                                                b->dim, b->width)},
            2);
    for (size_t i = 0; good && i < b->n_affine; i++) {
        affine *a = &b->affine[i];
        a->c = cs_graph_copy(b->g, from, a->node, nowhere);
        a->a = gradient_of(b, a->node);
        good = a->c && a->a;
    }
    cs_graph_destroy(from);
    return good;
}

/* ---- lists --------------------------------------------------------------- */

static bool push(nodes *list, size_t *capacity, cs_node n)
{
    if (!CS_GROW(list->node, list->n, *capacity, 1))
        return false;
    list->node[list->n++] = n;
    return true;
}

static bool can_jump(const cs_term_bounds *b, cs_node n)
{
    uint32_t op = cs_graph_at(b->g, n)->op;
    return (b->on[n] & ON_STATE) &&
           (op == CS_OP_LT || op == CS_OP_LE || op == CS_OP_EQ ||
            op == CS_OP_IS || op == CS_OP_SIGN || op == CS_OP_WHERE);
}

/* Lists the nodes to evaluate after the bottleneck is set. */
static bool list_after(cs_term_bounds *b, of_bottleneck *f, bool *needed)
{
    size_t capacity[2] = {0, 0};
    bool good = true;
    memset(needed, 0, b->g->n_nodes * sizeof *needed);
    mark(b, &f->root, 1, needed);
    for (cs_node n = 1; good && n < b->g->n_nodes; n++) {
        if (needed[n] && (b->on[n] & ON_NECK))
            good = push(&f->after, &capacity[0], n);
        if (good && needed[n] && can_jump(b, n))
            good = push(&f->jumps, &capacity[1], n);
    }
    return good;
}

/* Returns true if f depends on the row only through the bottleneck. */
static bool is_same(const cs_term_bounds *b, const of_bottleneck *f)
{
    for (size_t i = 0; i < f->after.n; i++)
        for (size_t k = 0; k < count(b, f->after.node[i]); k++) {
            cs_node a = arg(b, f->after.node[i], k);
            if (a != b->bottleneck && (b->on[a] & (ON_ROW | ON_NECK)) == ON_ROW)
                return false;
        }
    for (size_t i = 0; i < f->jumps.n; i++)
        if (!(b->on[f->jumps.node[i]] & ON_NECK))
            return false;
    return f->after.n > 0;
}

/* Lists the remaining nodes: nodes that are evaluated once, and nodes that are
 * evaluated per row. In the list per row, nodes independent of the state come
 * first, since affine nodes need them. */
static bool list_rest(cs_term_bounds *b, bool *needed)
{
    size_t capacity[2] = {0, 0};
    bool good = true;
    cs_node roots[] = {b->bottleneck, b->way, b->f.root, b->slope.root,
                       b->second.root};
    memset(needed, 0, b->g->n_nodes * sizeof *needed);
    for (size_t i = 0; i < b->n_affine; i++)
        mark(b, (cs_node[]){b->affine[i].c, b->affine[i].a}, 2, needed);
    mark(b, roots, sizeof roots / sizeof *roots, needed);
    for (int on_state = 0; on_state < 2; on_state++)
        for (cs_node n = 1; good && n < b->g->n_nodes; n++) {
            bool of_row = b->on[n] & ON_ROW;
            if (needed[n] && ((b->on[n] & ON_STATE) != 0) == (on_state != 0))
                good = push(of_row ? &b->row : &b->once, &capacity[of_row], n);
        }
    return good;
}

static bool make_lists(cs_term_bounds *b)
{
    bool *needed = cs_alloc(b->g->n_nodes, sizeof *needed);
    bool good = needed && list_after(b, &b->f, needed) &&
                list_after(b, &b->slope, needed) &&
                list_after(b, &b->second, needed) && list_rest(b, needed);
    b->f.same = good && is_same(b, &b->f) && is_same(b, &b->slope);
    b->slope.same = b->f.same && is_same(b, &b->second);
    cs_free(needed);
    return good;
}

/* ---- preparation --------------------------------------------------------- */

/* Updates the dependence of each node after the graph has grown. */
static bool depend(cs_term_bounds *b)
{
    cs_free(b->on);
    b->on = cs_alloc(b->g->n_nodes, sizeof *b->on);
    if (b->on)
        find_dependence(b);
    return b->on != NULL;
}

static bool analyse(cs_term_bounds *b, cs_node root)
{
    bool *needed = cs_alloc(b->g->n_nodes, sizeof *needed);
    bool good = depend(b) && needed;
    if (good) {
        mark(b, &root, 1, needed);
        b->bottleneck = find_bottleneck(b, root, needed);
        find_dependence(b);
        good = b->bottleneck && list_affine(b, root, needed);
    }
    cs_free(needed);
    return good;
}

static bool differentiate(cs_term_bounds *b)
{
    cs_graph *g = b->g;
    b->way = gradient_of(b, b->bottleneck);
    return b->way &&
           cs_graph_gradient_by(g, b->f.root, &b->bottleneck, 1,
                                &b->slope.root) &&
           cs_graph_gradient_by(g, b->slope.root, &b->bottleneck, 1,
                                &b->second.root);
}

static bool index_affine(cs_term_bounds *b)
{
    b->affine_at = cs_alloc(b->g->n_nodes, sizeof *b->affine_at);
    for (size_t i = 0; b->affine_at && i < b->n_affine; i++)
        b->affine_at[b->affine[i].node] = 1 + i;
    return b->affine_at != NULL;
}

/* Limit on the size of coordinates, so that their squares do not overflow. */
static const double far = 1e100;

/* Sets the intervals of the state, slightly wider than the region. */
static void set_state(cs_term_bounds *b)
{
    cs_interval *x = cs_enclosure_of(&b->e, cs_graph_input(b->g));
    for (size_t i = 0; i < b->dim; i++) {
        double low = fmax(b->r->low[i], -b->r->radius);
        double high = fmin(b->r->high[i], b->r->radius);
        x[i].low = fmax(low - 1e-12 * fabs(low), -far);
        x[i].high = fmin(high + 1e-12 * fabs(high), far);
    }
}

static void run(cs_term_bounds *b, const nodes *list);

static bool make(cs_term_bounds *b, const cs_terms *t)
{
    b->x = state_of(b->g, b->dim);
    b->f.root = b->x ? copy_term(t, b->g, b->x) : 0;
    if (!b->f.root || !analyse(b, b->f.root) || !extend_affine(b, t) ||
        !differentiate(b) || !index_affine(b) || !depend(b) || !make_lists(b))
        return false;
    b->work = cs_alloc(b->dim, sizeof *b->work);
    if (!b->work || !cs_enclosure_create(b->g, &b->e))
        return false;
    set_state(b);
    run(b, &b->once);
    b->all = *cs_enclosure_of(&b->e, b->bottleneck);
    return true;
}

cs_status cs_term_bounds_create(const cs_terms *t, const cs_region *r,
                                cs_term_bounds **out, cs_error *err)
{
    assert(r->dim == t->dim);
    cs_term_bounds *b = cs_alloc(1, sizeof *b);
    if (b) {
        *b = (cs_term_bounds){.r = r, .dim = t->dim, .width = t->columns.width};
        if (!cs_graph_create(b->dim + b->width, MOST_NODES, &b->g, err) &&
            make(b, t)) {
            *out = b;
            return CS_OK;
        }
    }
    cs_term_bounds_destroy(b);
    return cs_fail(err, CS_MEMORY, "out of memory for the bounds of a term");
}

void cs_term_bounds_destroy(cs_term_bounds *b)
{
    if (!b)
        return;
    nodes *const lists[] = {&b->once,         &b->row,         &b->f.after,
                            &b->f.jumps,      &b->slope.after, &b->slope.jumps,
                            &b->second.after, &b->second.jumps};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cs_free(lists[i]->node);
    cs_enclosure_free(&b->e);
    CS_FREE_ALL(b->affine, b->affine_at, b->on, b->work);
    cs_graph_destroy(b->g);
    cs_free(b);
}

/* ---- evaluation ---------------------------------------------------------- */

/* True if the value can be stored in a table of bounds. */
static bool is_small(cs_interval v)
{
    return cs_interval_most(v) <= 1e30;
}

/* Encloses a'x over the box and over the ball; `length` is the norm of a. */
static cs_interval affine_part(cs_term_bounds *b, const cs_interval *a,
                               double length)
{
    const cs_interval *x = cs_enclosure_of(&b->e, cs_graph_input(b->g));
    for (size_t i = 0; i < b->dim; i++)
        b->work[i] = cs_interval_mul(a[i], x[i], false);
    cs_interval box = cs_interval_sum(b->work, b->dim, 1);
    double most = length * b->r->radius * (1 + 1e-12);
    return isfinite(most) ? cs_interval_meet(box, (cs_interval){-most, most})
                          : box;
}

static void run_affine(cs_term_bounds *b, const affine *k)
{
    const cs_interval *a = cs_enclosure_of(&b->e, k->a);
    double length = cs_interval_reduce(CS_OP_NORM, a, b->dim).high;
    cs_interval part =
        isfinite(length) ? affine_part(b, a, length) : CS_NOWHERE;
    *cs_enclosure_of(&b->e, k->node) =
        cs_interval_op(CS_OP_ADD, part, *cs_enclosure_of(&b->e, k->c), part);
}

static void run(cs_term_bounds *b, const nodes *list)
{
    for (size_t i = 0; i < list->n; i++) {
        cs_node n = list->node[i];
        if (b->affine_at[n])
            run_affine(b, &b->affine[b->affine_at[n] - 1]);
        else
            cs_enclosure_run(&b->e, n);
    }
}

/* True if f may be discontinuous on the interval of the bottleneck that was
 * enclosed last. */
static bool may_jump(cs_term_bounds *b, const of_bottleneck *f)
{
    for (size_t i = 0; i < f->jumps.n; i++)
        if (cs_enclosure_may_jump(&b->e, f->jumps.node[i])) {
            b->line = cs_graph_at(b->g, f->jumps.node[i])->line;
            return true;
        }
    return false;
}

static cs_interval value_over(cs_term_bounds *b, const of_bottleneck *f,
                              cs_interval over)
{
    *cs_enclosure_of(&b->e, b->bottleneck) = over;
    run(b, &f->after);
    return *cs_enclosure_of(&b->e, f->root);
}

/* Returns an enclosure of f at one point, and records that f takes this value,
 * up to rounding. */
static cs_interval value_at(cs_term_bounds *b, const of_bottleneck *f,
                            double bottleneck)
{
    cs_interval v = value_over(b, f, cs_interval_of(bottleneck));
    if (v.high < b->taken.low)
        b->taken.low = v.high;
    if (v.low > b->taken.high)
        b->taken.high = v.low;
    return v;
}

/* Returns the enclosure f(m) + f'(over) (over - m), where m is the midpoint of
 * the interval `over`. */
static cs_interval by_mean_value(cs_term_bounds *b, const of_bottleneck *f,
                                 cs_interval over, cs_interval slope)
{
    double middle = over.low + 0.5 * (over.high - over.low);
    cs_interval at = value_at(b, f, middle);
    cs_interval way =
        cs_interval_op(CS_OP_SUB, over, cs_interval_of(middle), over);
    return cs_interval_op(CS_OP_ADD, at, cs_interval_mul(slope, way, false),
                          at);
}

static cs_interval at_ends(cs_term_bounds *b, const of_bottleneck *f,
                           cs_interval over)
{
    cs_interval low = value_at(b, f, over.low);
    return cs_interval_hull(low, value_at(b, f, over.high));
}

static cs_interval bound_over(cs_term_bounds *b, const of_bottleneck *f,
                              const of_bottleneck *slope, cs_interval over,
                              int depth);

static cs_interval bound_halves(cs_term_bounds *b, const of_bottleneck *f,
                                const of_bottleneck *slope, cs_interval over,
                                int depth)
{
    double middle = over.low + 0.5 * (over.high - over.low);
    cs_interval lower = {over.low, middle}, upper = {middle, over.high};
    lower = bound_over(b, f, slope, lower, depth + 1);
    return cs_interval_is_nowhere(lower)
               ? lower
               : cs_interval_hull(lower,
                                  bound_over(b, f, slope, upper, depth + 1));
}

/* Bounds f over an interval of the bottleneck. If f may be discontinuous or
 * undefined, its derivative gives no information. Stops when the bounds are
 * within values that f takes elsewhere, since tighter bounds would not improve
 * the result. */
static cs_interval bound_over(cs_term_bounds *b, const of_bottleneck *f,
                              const of_bottleneck *slope, cs_interval over,
                              int depth)
{
    cs_interval all = value_over(b, f, over);
    bool sure = !cs_interval_is_nowhere(all) && !may_jump(b, f);
    bool wide = over.high - over.low > 1e15;
    if (over.low == over.high || (!sure && (wide || depth == DEPTH)))
        return all;
    if (!sure)
        return bound_halves(b, f, slope, over, depth);
    if (all.low >= b->taken.low && all.high <= b->taken.high)
        return all;
    cs_interval rise = value_over(b, slope, over), ends = at_ends(b, f, over);
    if (rise.low >= 0 || rise.high <= 0)
        return cs_interval_meet(ends, all);
    if (wide)
        return all;
    all = cs_interval_meet(by_mean_value(b, f, over, rise), all);
    double most = all.high - all.low, least = ends.high - ends.low;
    if (depth == DEPTH || most - least <= 1e-3 * most)
        return all;
    return cs_interval_meet(bound_halves(b, f, slope, over, depth), all);
}

/* A function of the bottleneck, with its derivative. */
typedef struct pair {
    cs_term_bounds *b;
    const of_bottleneck *f, *slope;
} pair;

static cs_interval pair_value(void *self, cs_interval over)
{
    const pair *p = self;
    return value_over(p->b, p->f, over);
}

static cs_interval pair_slope(void *self, cs_interval over)
{
    const pair *p = self;
    value_over(p->b, p->f, over);
    return may_jump(p->b, p->f) ? CS_NOWHERE : value_over(p->b, p->slope, over);
}

static cs_interval bound(cs_term_bounds *b, of_bottleneck *f,
                         const of_bottleneck *slope, cs_interval over)
{
    pair both = {b, f, slope};
    const cs_curve curve = {pair_value, pair_slope, &both};
    cs_interval range;
    if (f->same && cs_segments_range(&f->pieces, &curve, over, &range))
        return range;
    b->taken = (cs_interval){INFINITY, -INFINITY};
    return bound_over(b, f, slope, over, 0);
}

/* Returns the interval of the bottleneck for this row. */
static cs_interval bottleneck_of(cs_term_bounds *b, const double *row)
{
    cs_interval *to = cs_enclosure_of(&b->e, cs_graph_input(b->g)) + b->dim;
    for (size_t j = 0; j < b->width; j++)
        to[j] = cs_interval_of(row[j]);
    b->line = 0;
    if (!(b->on[b->bottleneck] & ON_ROW))
        *cs_enclosure_of(&b->e, b->bottleneck) = b->all;
    run(b, &b->row);
    return *cs_enclosure_of(&b->e, b->bottleneck);
}

/* Records the line in the script of the first node without a finite value. */
static void blame(cs_term_bounds *b)
{
    bool *needed = cs_alloc(b->g->n_nodes, sizeof *needed);
    if (needed)
        mark(b, &b->f.root, 1, needed);
    for (cs_node n = 1; needed && !b->line && n <= b->f.root; n++)
        if (needed[n] && cs_graph_at(b->g, n)->op != CS_OP_INPUT &&
            !is_small(*cs_enclosure_of(&b->e, n)))
            b->line = cs_graph_at(b->g, n)->line;
    cs_free(needed);
}

/* Widens a bound so that it also holds for the values computed by programs,
 * which differ in the last digits. */
static double beyond(double v, int way)
{
    return v + way * (1e-12 * fabs(v) + 1e-300);
}

static cs_interval range_of(cs_term_bounds *b, cs_interval bottleneck)
{
    return bound(b, &b->f, &b->slope, bottleneck);
}

cs_term_doubt cs_term_bounds_range(cs_term_bounds *b, const double *row,
                                   double *low, double *high)
{
    cs_interval v = range_of(b, bottleneck_of(b, row));
    if (!is_small(v)) {
        blame(b);
        return CS_TERM_NO_VALUE;
    }
    *low = beyond(v.low, -1);
    *high = beyond(v.high, 1);
    return CS_TERM_SURE;
}

cs_term_doubt cs_term_bounds_change(cs_term_bounds *b, const double *row,
                                    double *most)
{
    cs_interval bottleneck = bottleneck_of(b, row);
    double way =
        cs_interval_reduce(CS_OP_NORM, cs_enclosure_of(&b->e, b->way), b->dim)
            .high;
    cs_interval value = value_over(b, &b->f, bottleneck);
    if (may_jump(b, &b->f))
        return CS_TERM_JUMPS;
    if (cs_interval_is_nowhere(value)) /* smaller parts of the interval may have
                                        * a value */
        value = range_of(b, bottleneck);
    cs_interval slope = bound(b, &b->slope, &b->second, bottleneck);
    double c = cs_interval_most(slope) * way;
    if (cs_interval_is_nowhere(value) || !(c <= 1e30)) {
        blame(b);
        return CS_TERM_NO_VALUE;
    }
    *most = beyond(c, 1);
    return CS_TERM_SURE;
}

int cs_term_bounds_line(const cs_term_bounds *b)
{
    return b->line;
}
