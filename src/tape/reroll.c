/* Turns unrolled loops into vector operations.
 *
 * A log density that a script sums row by row is recorded as the same few
 * operations, repeated on different constants and elements. Numbers of one
 * shape become the elements of one vector. An argument that is the same number
 * for all elements is broadcast; constants become a constant vector; elements
 * of one vector become a slice or a gather. Sums of the same numbers with
 * different factors become the product of a constant matrix and a vector; a sum
 * of numbers of one shape becomes the sum over a vector. All elements of a
 * vector depend on the same other values, so that the vector can replace its
 * first element in the order of nodes. */
#include "tape/reroll.h"

#include "base/memory.h"
#include "expr/intern.h"

#include <assert.h>

typedef struct reroller {
    cs_isomorphic a;
    cs_graph *to;
    cs_node *copy; /* [n_nodes] node in `to`; 0: not copied */
    cs_node *made; /* [n_shapes] the vector of the members of each shape */
    cs_node *list; /* [longest] nodes of g or of `to`; temporary memory */
    cs_node *same; /* [longest] terms common to all sums of a group */
    double *value; /* [2 longest] temporary memory */
} reroller;

static const cs_graph_node *at(const reroller *r, cs_node n)
{
    return &r->a.g->nodes[n];
}

/* ---- operands ------------------------------------------------------------ */

static cs_node op1(reroller *r, cs_op op, cs_node x)
{
    return cs_graph_op1(r->to, op, x);
}

static cs_node op2(reroller *r, cs_op op, cs_node x, cs_node y)
{
    return cs_graph_op2(r->to, op, x, y);
}

static cs_node number(reroller *r, double v)
{
    return cs_graph_number(r->to, v);
}

/* Returns the node of `to` that replaces node n of g: an element of a vector if
 * n belongs to a vector, else a copy. */
static cs_node single(reroller *r, cs_node n)
{
    if (r->copy[n])
        return r->copy[n];
    cs_node s = r->a.of[n].shape, part[1]; /* a local array, since `list` may be
                                            * in use */
    if (r->a.vectorised[s])
        r->copy[n] = cs_graph_slice(r->to, r->made[s], r->a.of[n].place, 1);
    else if (cs_isomorphic_is_deferred(at(r, n)))
        r->copy[n] = cs_graph_copy_node(r->to, r->a.g, n, r->copy, part);
    return r->copy[n];
}

/* Returns the vector of `to` that contains n, and the index of n in this
 * vector; 0 if no vector contains n. */
static cs_node source(const reroller *r, cs_node n, uint32_t *element)
{
    cs_node s = r->a.of[n].shape;
    if (r->a.vectorised[s]) {
        *element = r->a.of[n].place;
        return r->made[s];
    }
    *element = at(r, n)->extra;
    return at(r, n)->op == CS_OP_SLICE && at(r, n)->size == 1
               ? r->copy[r->a.g->args[at(r, n)->first]]
               : 0;
}

static bool all_equal(const double *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (v[i] != v[0])
            return false;
    return true;
}

/* Returns the values as one number if all values are equal, else as a
 * vector. */
static cs_node constants(reroller *r, const double *v, size_t n)
{
    return all_equal(v, n) ? number(r, v[0]) : cs_graph_vector(r->to, v, n);
}

/* Returns elements of the vector `of`, as a slice if they are consecutive. */
static cs_node elements(reroller *r, cs_node of, const double *index, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (index[i] != index[0] + (double)i)
            return cs_graph_gather(r->to, of, index, n);
    return cs_graph_slice(r->to, of, (size_t)index[0], n);
}

/* Returns the nodes list[n] of g, n > 1, as one vector. Overwrites the list. */
static cs_node column(reroller *r, cs_node *list, size_t n)
{
    uint32_t e;
    cs_node of = source(r, list[0], &e);
    size_t i = 0;
    for (; i < n && at(r, list[i])->op == CS_OP_DATA; i++)
        cs_graph_is_number(r->a.g, list[i], &r->value[i]);
    if (i == n)
        return cs_graph_vector(r->to, r->value, n);
    for (i = 0; of && i < n && source(r, list[i], &e) == of; i++)
        r->value[i] = e;
    if (i == n)
        return elements(r, of, r->value, n);
    for (i = 0; i < n; i++)
        list[i] = single(r, list[i]);
    return cs_graph_pack(r->to, list, n);
}

/* Returns the nodes list[n] as a vector, or as a number if all are equal. */
static cs_node operand(reroller *r, cs_node *list, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (list[i] != list[0])
            return column(r, list, n);
    return single(r, list[0]);
}

static cs_node add(reroller *r, cs_node sum, cs_node x)
{
    return sum ? op2(r, CS_OP_ADD, sum, x) : x;
}

/* ---- groups -------------------------------------------------------------- */

/* Creates the vector of n log sum exps, whose arguments are the columns of a
 * matrix [count][n]. */
static cs_node log_sum_group(reroller *r, const cs_node *member, size_t n)
{
    uint32_t count = cs_isomorphic_count(&r->a, member[0]);
    for (uint32_t j = 0; j < count; j++)
        for (size_t i = 0; i < n; i++)
            r->list[j * n + i] = cs_isomorphic_arg(&r->a, member[i], j);
    return cs_graph_log_sum_exp(r->to, column(r, r->list, count * n), n);
}

/* Creates the vector of n elements of one vector, whose indices are
 * expressions. */
static cs_node pick_group(reroller *r, const cs_node *member, size_t n)
{
    cs_node of = cs_isomorphic_arg(&r->a, member[0], 0);
    for (size_t i = 0; i < n; i++)
        r->list[i] = cs_isomorphic_arg(&r->a, member[i], 1);
    return cs_graph_pick(r->to, single(r, of), operand(r, r->list, n));
}

static cs_node map_group(reroller *r, const cs_node *member, size_t n)
{
    if (at(r, member[0])->op == CS_OP_LOG_SUM_EXP)
        return log_sum_group(r, member, n);
    if (at(r, member[0])->op == CS_OP_PICK)
        return pick_group(r, member, n);
    const cs_graph_node *k = at(r, member[0]);
    cs_node part[3] = {0};
    for (uint32_t j = 0; j < k->count; j++) {
        for (size_t i = 0; i < n; i++)
            r->list[i] = cs_isomorphic_arg(&r->a, member[i], j);
        part[j] = operand(r, r->list, n);
    }
    return k->count == 1 ? op1(r, (cs_op)k->op, part[0])
           : k->count == 2
               ? op2(r, (cs_op)k->op, part[0], part[1])
               : cs_graph_op3(r->to, (cs_op)k->op, part[0], part[1], part[2]);
}

static const cs_isomorphic_sum *sum_of(const reroller *r, cs_node n)
{
    return &r->a.sums[r->a.of[n].sum - 1];
}

static const cs_isomorphic_term *term_of(const reroller *r, cs_node n,
                                         uint32_t k)
{
    return &r->a.terms[sum_of(r, n)->first + k];
}

/* Creates the product of a constant matrix and a vector. Each element of the
 * product is a sum of the common terms same[m], with its own factors. */
static cs_node matrix(reroller *r, const cs_node *member, size_t n, size_t m)
{
    double *a = cs_alloc(n * m, sizeof *a);
    if (!a)
        return cs_graph_fault(r->to, CS_MEMORY);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            a[i * m + j] = term_of(r, member[i], r->same[j])->factor;
    for (size_t j = 0; j < m; j++)
        r->list[j] = term_of(r, member[0], r->same[j])->node;
    cs_node product =
        m == 1 ? op2(r, CS_OP_MUL, cs_graph_vector(r->to, a, n),
                     single(r, r->list[0]))
               : cs_graph_product(r->to, a, n, m, column(r, r->list, m));
    cs_free(a);
    return product;
}

/* Handles term k of all members of a group. If the term belongs to the matrix,
 * stores its index in same[*m] and returns true. Otherwise adds the values of
 * the term to *sum. */
static void group_term(reroller *r, const cs_node *member, size_t n, uint32_t k,
                       size_t *m, cs_node *sum)
{
    bool fixed = true;
    for (size_t i = 0; i < n; i++) {
        const cs_isomorphic_term *t = term_of(r, member[i], k);
        r->list[i] = t->node;
        r->value[i] = t->factor;
        fixed = fixed && t->node == r->list[0];
    }
    if (fixed && !all_equal(r->value, n)) {
        r->same[(*m)++] = k;
        return;
    }
    cs_node factor = constants(r, r->value, n);
    *sum = add(r, *sum, op2(r, CS_OP_MUL, factor, operand(r, r->list, n)));
}

static cs_node sum_group(reroller *r, const cs_node *member, size_t n)
{
    cs_node sum = 0;
    size_t m = 0;
    for (uint32_t k = 0; k < sum_of(r, member[0])->count; k++)
        group_term(r, member, n, k, &m, &sum);
    if (m)
        sum = add(r, sum, matrix(r, member, n, m));
    for (size_t i = 0; i < n; i++)
        r->value[i] = sum_of(r, member[i])->start;
    return add(r, sum, constants(r, r->value, n));
}

static cs_node group(reroller *r, cs_node shape)
{
    const cs_node *member = r->a.member + r->a.first[shape];
    size_t n = r->a.first[shape + 1] - r->a.first[shape];
    cs_node v = r->a.of[member[0]].sum ? sum_group(r, member, n)
                                       : map_group(r, member, n);
    if (cs_graph_size(r->to, v) == n)
        return v;
    for (size_t i = 0; i < n; i++) /* all members are equal to the number v */
        r->list[i] = v;
    return cs_graph_pack(r->to, r->list, n);
}

/* ---- single values ------------------------------------------------------- */

/* Sums the terms first .. first + n - 1 of a sum, all of one shape. */
static cs_node run_of_terms(reroller *r, const cs_isomorphic_term *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        r->list[i] = t[i].node;
        r->value[n + i] = t[i].factor;
    }
    cs_node v = column(r, r->list, n);
    if (all_equal(r->value + n, n))
        return op2(r, CS_OP_MUL, number(r, t[0].factor), op1(r, CS_OP_SUM, v));
    return op1(r, CS_OP_SUM,
               op2(r, CS_OP_MUL, cs_graph_vector(r->to, r->value + n, n), v));
}

static cs_node plain_sum(reroller *r, cs_node y)
{
    const cs_isomorphic_sum *s = sum_of(r, y);
    const cs_isomorphic_term *t = r->a.terms + s->first;
    cs_node sum = s->start != 0 || !s->count ? number(r, s->start) : 0;
    for (uint32_t i = 0, n = 1; i < s->count; i += n) {
        for (n = 1; i + n < s->count && t[i + n].shape == t[i].shape;)
            n++;
        if (n >= CS_REROLL_LEAST) {
            sum = add(r, sum, run_of_terms(r, t + i, n));
            continue;
        }
        for (uint32_t k = i; k < i + n; k++)
            sum = add(r, sum,
                      op2(r, CS_OP_MUL, number(r, t[k].factor),
                          single(r, t[k].node)));
    }
    return sum;
}

static cs_node plain(reroller *r, cs_node y)
{
    const cs_graph_node *k = at(r, y);
    if (k->op == CS_OP_INPUT)
        return cs_graph_input(r->to);
    if (r->a.of[y].sum)
        return plain_sum(r, y);
    uint32_t count = cs_isomorphic_count(&r->a, y);
    for (uint32_t i = 0; i < count; i++) {
        r->list[i] = k->count == count ? r->a.g->args[k->first + i]
                                       : cs_isomorphic_arg(&r->a, y, i);
        single(r, r->list[i]);
    }
    if (k->op == CS_OP_LOG_SUM_EXP && count > 1)
        return cs_graph_log_sum_exp(r->to, column(r, r->list, count), 1);
    if (k->op == CS_OP_PACK && k->count == k->size)
        return column(r, r->list, k->count);
    return cs_graph_copy_node(r->to, r->a.g, y, r->copy, r->list);
}

static void write_all(reroller *r)
{
    for (size_t i = 0; i < r->a.n_list && !r->to->status; i++) {
        cs_node y = r->a.list[i], s = r->a.of[y].shape;
        r->to->line = at(r, y)->line;
        if (!r->a.vectorised[s])
            r->copy[y] = plain(r, y);
        else if (!r->made[s])
            r->made[s] = group(r, s);
    }
}

/* Returns the largest of these numbers: members of a group, terms of a sum,
 * arguments of a node. */
static size_t longest(const reroller *r)
{
    size_t most = 1;
    for (size_t i = 0; i < r->a.n_list; i++) {
        size_t n = at(r, r->a.list[i])->count;
        most = n > most ? n : most;
    }
    for (size_t k = 0; k < r->a.n_sums; k++)
        most = r->a.sums[k].count > most ? r->a.sums[k].count : most;
    for (size_t s = 1; s < r->a.shapes->n_nodes; s++) {
        const cs_graph_node *k = &r->a.shapes->nodes[s];
        size_t n = r->a.first[s + 1] - r->a.first[s];
        if (k->op == CS_OP_LOG_SUM_EXP)
            n *= k->count;
        most = n > most ? n : most;
    }
    return most;
}

static cs_status reroll(reroller *r, cs_node root, cs_node *v, cs_error *err)
{
    size_t most = longest(r);
    r->copy = cs_alloc((size_t)root + 1, sizeof *r->copy);
    r->made = cs_alloc(r->a.shapes->n_nodes, sizeof *r->made);
    r->list = cs_alloc(most, sizeof *r->list);
    r->same = cs_alloc(most, sizeof *r->same);
    r->value = cs_alloc(2 * most, sizeof *r->value);
    cs_status status = CS_MEMORY;
    if (r->copy && r->made && r->list && r->same && r->value)
        status = cs_graph_create(r->a.g->dim, r->a.g->max_nodes, &r->to, err);
    if (status)
        return status;
    if (!cs_graph_set_ranges(r->to, r->a.g->ranges, r->a.g->n_ranges))
        return r->to->status;
    write_all(r);
    if (r->to->status)
        return r->to->status;
    *v = single(r, root);
    return r->to->status;
}

cs_status cs_graph_reroll(const cs_graph *g, cs_node root, cs_graph **out,
                          cs_node *v, cs_error *err)
{
    assert(root && cs_graph_size(g, root) == 1);
    reroller r = {.a = {.g = g}};
    *out = NULL;
    cs_status status = cs_isomorphic_find(&r.a, root)
                           ? CS_OK
                           : (r.a.status ? r.a.status : CS_MEMORY);
    if (!status && r.a.n_vectorised)
        status = reroll(&r, root, v, err);
    CS_FREE_ALL(r.copy, r.made, r.list, r.same, r.value);
    cs_isomorphic_free(&r.a);
    if (status) {
        cs_graph_destroy(r.to);
        return cs_fail(err, status, "out of memory for a rerolled expression");
    }
    *out = r.to;
    return CS_OK;
}
