/* The graph of the density is copied once per value v: in copy v, the input is
 * replaced by one in which all sites have the value v. Element e of a term that
 * reads site i is then the term at z_i = v. Terms are kept as vectors. */
#include "tape/sites/sum_out.h"

#include "base/memory.h"
#include "expr/intern.h"
#include "tape/copy_before_gather.h"
#include "tape/expression_target.h"
#include "tape/linear_form.h"
#include "tape/sparsity.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of sites times values, and of nodes times values. */
enum { MOST_CELLS = 1 << 21, MOST_NODES = 1 << 22 };

/* A term: an element of a node, times a factor. */
typedef struct term {
    cs_node node;
    uint32_t element, site; /* site: 1 + index of the site that it reads; 0: it
                               reads none */
    double factor;
} term;

typedef struct summing {
    const cs_space *space;
    const cs_graph *from;
    cs_graph *to; /* [own] until it is given to the target */
    const uint32_t *site;
    size_t n;
    cs_part part;      /* the values of the sites */
    cs_sparsity terms; /* of `from` */
    term *term;        /* [n_terms] ordered by node; first those that read
                   no site [own] */
    size_t n_terms;
    double *number, *factor, *place; /* [largest of the number of terms and of
                                        dim] scratch [own] */
    cs_node *root,
        *copy; /* [n_terms + guards] nodes of `from`, and their copies
                             in `to` [own] */
    size_t n_roots;
    cs_node *local; /* [values] sums of the terms of each site [own] */
} summing;

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for a sum over values");
}

/* ---- terms --------------------------------------------------------------- */

static int in_order(const void *a, const void *b)
{
    const term *p = a, *q = b;
    if (p->node != q->node)
        return p->node < q->node ? -1 : 1;
    if (!p->site != !q->site)
        return p->site ? 1 : -1;
    return (p->element > q->element) - (p->element < q->element);
}

static cs_status refuse_pair(const summing *s, const cs_target *whole,
                             size_t first, size_t second, cs_error *err)
{
    char a[64], b[64];
    cs_target_name_coordinate(whole, s->site[first], a, sizeof a);
    cs_target_name_coordinate(whole, s->site[second], b, sizeof b);
    cs_fail(err, CS_UNSUPPORTED,
            "%s and %s cannot be summed out: the log density has a term that "
            "depends on both",
            a, b);
    cs_hint(err, "move them by gibbs { scan = \"sweep\" }");
    return CS_UNSUPPORTED;
}

/* Finds the site that each term reads. */
static cs_status find_sites(summing *s, const cs_target *whole, cs_error *err)
{
    for (size_t i = 0; i < s->n; i++) {
        const cs_list *of = &s->terms.of[s->site[i]];
        const uint32_t *t = of->item;
        for (size_t k = 0; k < of->n; k++) {
            if (s->term[t[k]].site)
                return refuse_pair(s, whole, s->term[t[k]].site - 1, i, err);
            s->term[t[k]].site = (uint32_t)i + 1;
        }
    }
    qsort(s->term, s->n_terms, sizeof *s->term, in_order);
    return CS_OK;
}

static cs_status find_terms(summing *s, const cs_target *whole, cs_node root,
                            cs_error *err)
{
    size_t elements, most;
    cs_sparsity *c = &s->terms;
    c->g = s->from;
    if (!cs_sparsity_open(c, &elements))
        return no_memory(err);
    c->budget = 1;
    cs_sparsity_find_terms(c, root);
    if (!c->status)
        cs_sparsity_find_reads(c);
    if (c->status)
        return no_memory(err);
    if (!c->budget)
        return cs_fail(err, CS_UNSUPPORTED,
                       "some terms depend on all elements of a vector, so "
                       "nothing can be summed out");
    s->n_terms = c->terms.n;
    most = s->n_terms > s->from->dim ? s->n_terms : s->from->dim;
    s->term = cs_alloc(s->n_terms + 1, sizeof *s->term);
    s->number = cs_alloc(3 * most, sizeof *s->number);
    size_t roots = s->n_terms + c->guards.n + 2 * s->n + 1;
    s->root = cs_alloc(2 * roots, sizeof *s->root);
    s->local = cs_alloc((size_t)s->part.values, sizeof *s->local);
    if (!s->term || !s->number || !s->root || !s->local)
        return no_memory(err);
    s->factor = s->number + most;
    s->place = s->factor + most;
    s->copy = s->root + roots;
    const cs_element *e = c->terms.item;
    for (size_t i = 0; i < s->n_terms; i++)
        s->term[i] = (term){e[i].node, e[i].element, 0, e[i].factor};
    return find_sites(s, whole, err);
}

/* ---- copies -------------------------------------------------------------- */

/* Returns the input with value v for all sites. */
static cs_node input_at(const summing *s, double v)
{
    cs_graph *g = s->to;
    size_t parts = 0;
    cs_node *part = s->copy;
    for (size_t i = 0; i < s->n; i++)
        s->number[i] = v;
    for (size_t at = 0, i = 0; at < g->dim;) {
        size_t end = i < s->n ? s->site[i] : g->dim, same = i;
        if (end > at) {
            part[parts++] = cs_graph_slice(g, cs_graph_input(g), at, end - at);
            at = end;
            continue;
        }
        while (i < s->n && s->site[i] == at + (i - same))
            i++;
        part[parts++] = cs_graph_vector(g, s->number, i - same);
        at += i - same;
    }
    return cs_graph_pack(g, part, parts);
}

/* Returns the number of terms from `first` on that have the same node and all
 * read a site, or read none. */
static size_t count_same(const summing *s, size_t first)
{
    size_t end = first;
    while (end < s->n_terms && s->term[end].node == s->term[first].node &&
           !s->term[end].site == !s->term[first].site)
        end++;
    return end - first;
}

/* Returns the vector of n terms whose node has the copy a. */
static cs_node vector_of(summing *s, const term *t, size_t n, cs_node a)
{
    cs_graph *g = s->to;
    cs_node same = cs_graph_broadcast_of(g, a);
    a = same ? same : a;
    size_t size = cs_graph_size(g, a);
    bool all = size == n, equal = true;
    for (size_t i = 0; i < n; i++) {
        s->number[i] = t[i].element;
        s->factor[i] = t[i].factor;
        all &= t[i].element == i;
        equal &= t[i].factor == t[0].factor;
    }
    if (size > 1 && !all)
        a = cs_graph_gather(g, a, s->number, n);
    equal &= size > 1 || n == 1;
    cs_node by = equal ? cs_graph_number(g, t[0].factor)
                       : cs_graph_vector(g, s->factor, n);
    return cs_graph_op2(g, CS_OP_MUL, by, a);
}

/* Returns the sums of these terms for each site. */
static cs_node site_sums(summing *s, const term *t, size_t n, cs_node a)
{
    cs_node v = vector_of(s, t, n, a);
    bool all = n == s->n;
    if (s->n == 1)
        return cs_graph_op1(s->to, CS_OP_SUM, v);
    for (size_t i = 0; i < n; i++) {
        s->place[i] = t[i].site - 1;
        all &= t[i].site == i + 1;
    }
    return all ? v : cs_graph_scatter(s->to, v, s->place, n, s->n);
}

/* Copies the terms that read a site (`sites`) or do not, with value v of all
 * sites, and the guards beside the latter. */
static bool copy_terms(summing *s, bool sites, double v)
{
    s->n_roots = 0;
    cs_node x = input_at(s, v);
    for (size_t i = 0; i < s->n_terms; i += count_same(s, i))
        if (!s->term[i].site == !sites)
            s->root[s->n_roots++] = s->term[i].node;
    const cs_node *guard = s->terms.guards.item;
    for (size_t i = 0; !sites && i < s->terms.guards.n; i++)
        s->root[s->n_roots++] = guard[i];
    return !s->n_roots || cs_graph_copy_by(s->to, s->from, s->root, s->n_roots,
                                           x, cs_copy_before_gather, s->copy);
}

/* Returns the sum of the terms that read no site. */
static cs_node common_sum(summing *s)
{
    cs_graph *g = s->to;
    cs_node sum = cs_graph_number(g, 0);
    size_t at = 0;
    if (!copy_terms(s, false, s->part.low))
        return 0;
    for (size_t i = 0, n; i < s->n_terms; i += n) {
        n = count_same(s, i);
        if (s->term[i].site)
            continue;
        cs_node v = vector_of(s, &s->term[i], n, s->copy[at++]);
        sum = cs_graph_op2(g, CS_OP_ADD, sum, cs_graph_op1(g, CS_OP_SUM, v));
    }
    return sum;
}

/* Returns the sums of the terms of each site at value v. */
static cs_node local_sums(summing *s, double v)
{
    cs_graph *g = s->to;
    size_t at = 0;
    memset(s->place, 0, s->n * sizeof *s->place);
    cs_node sum = cs_graph_vector(g, s->place, s->n);
    if (!copy_terms(s, true, v))
        return 0;
    for (size_t i = 0, n; i < s->n_terms; i += n) {
        n = count_same(s, i);
        if (s->term[i].site)
            sum = cs_graph_op2(g, CS_OP_ADD, sum,
                               site_sums(s, &s->term[i], n, s->copy[at++]));
    }
    return sum;
}

/* Adds n terms from number i on, whose node has the copy a, to number v of a
 * linear form. */
static void add_terms(summing *s, cs_linear_form *form, size_t v, size_t i,
                      size_t n, cs_node a)
{
    size_t size = cs_graph_size(s->to, a);
    double *factor = cs_alloc(size, sizeof *factor);
    if (!factor) {
        cs_graph_fault(s->to, CS_MEMORY);
        return;
    }
    for (size_t k = i; k < i + n; k++)
        factor[size > 1 ? s->term[k].element : 0] += s->term[k].factor;
    cs_linear_form_add(form, v, a, factor);
    cs_free(factor);
}

/* Returns the terms of a single site at all its values, as a vector, by a linear
 * form; 0 if this fails or is not worth while. */
static cs_node single_sums(summing *s)
{
    cs_linear_form *form = cs_linear_form_create(s->to, (size_t)s->part.values);
    if (!form)
        return cs_graph_fault(s->to, CS_MEMORY);
    for (int v = 0; v < s->part.values; v++) {
        size_t at = 0;
        if (!copy_terms(s, true, s->part.low + v))
            break;
        for (size_t i = 0, n; i < s->n_terms; i += n) {
            n = count_same(s, i);
            if (s->term[i].site)
                add_terms(s, form, (size_t)v, i, n, s->copy[at++]);
        }
    }
    cs_node all = cs_linear_form_value(form);
    cs_linear_form_destroy(form);
    return all;
}

/* Returns `a` where all conditions of the guards hold, whose copies are the last
 * ones. */
static cs_node guarded(summing *s, cs_node a)
{
    cs_graph *g = s->to;
    for (size_t i = s->n_roots - s->terms.guards.n; i < s->n_roots; i++)
        a = cs_graph_op3(g, CS_OP_WHERE, s->copy[i], a,
                         cs_graph_number(g, -HUGE_VAL));
    return a;
}

/* Creates the log density without the sites, *total, and the roots of the
 * draw. */
static void make_roots(summing *s, cs_node *total, cs_node draw[3])
{
    cs_graph *g = s->to;
    cs_node all = s->n == 1 ? single_sums(s) : 0;
    bool linear = all != 0;
    for (int v = 0; !linear && v < s->part.values; v++)
        s->local[v] = local_sums(s, s->part.low + v);
    if (!linear)
        all = cs_graph_pack(g, s->local, (size_t)s->part.values);
    cs_node sum =
        cs_graph_op1(g, CS_OP_SUM, cs_graph_log_sum_exp(g, all, s->n));
    cs_node common = guarded(s, common_sum(s));
    *total = cs_graph_op2(g, CS_OP_ADD, sum, common);
    draw[0] = common;
    draw[1] = all;
    draw[2] = cs_graph_softmax(g, all, s->n);
}

/* ---- instances ----------------------------------------------------------- */

static cs_status check(const summing *s, const cs_target *whole, cs_error *err)
{
    for (size_t i = 0; i < s->n; i++) {
        cs_part p = cs_space_part(&whole->space, s->site[i]);
        if (p.kind == CS_CONTINUOUS)
            return cs_fail(err, CS_UNSUPPORTED,
                           "only discrete coordinates can be summed out");
        if (p.low != s->part.low || p.values != s->part.values)
            return cs_fail(err, CS_UNSUPPORTED,
                           "the coordinates that are summed out must have the "
                           "same values");
    }
    size_t values = (size_t)s->part.values;
    if (s->n <= MOST_CELLS / values && s->from->n_nodes <= MOST_NODES / values)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "%zu coordinates of %zu values are too many to be summed out", s->n,
            values);
    cs_hint(err, "move them by gibbs { scan = \"sweep\" }");
    return CS_UNSUPPORTED;
}

static cs_status sum_out(summing *s, const cs_target *whole, cs_node root,
                         cs_sum_out *to, cs_error *err)
{
    cs_node total = 0, draw[3];
    cs_status status = check(s, whole, err);
    if (status == CS_OK)
        status = find_terms(s, whole, root, err);
    if (status == CS_OK)
        status = cs_graph_create(s->from->dim, MOST_NODES, &s->to, err);
    if (status)
        return status;
    if (cs_tape_set_ranges(s->to, s->space))
        make_roots(s, &total, draw);
    if (!total || s->to->status)
        return cs_fail(err, s->to->status ? s->to->status : CS_MEMORY,
                       "the sum over the values cannot be computed");
    status = cs_program_compile(s->to, draw, 3, &to->draw, err);
    if (status)
        return status;
    cs_graph *g = s->to;
    s->to = NULL;
    return cs_tape_target_create(g, total, s->space, &to->target, err);
}

static cs_status refuse_untraced(const cs_target *whole, cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED,
            "target %s: only a log density that is traced can be summed over "
            "coordinates",
            whole->name);
    cs_hint(err, "write it with cs.math and cs.lpdf, as a function of the "
                 "parameters");
    return CS_UNSUPPORTED;
}

cs_status cs_sum_out_create(const cs_target *whole, const uint32_t *site,
                            size_t n, cs_sum_out **out, cs_error *err)
{
    assert(whole && site && n >= 1 && out);
    cs_node root = 0;
    summing s = {.space = &whole->space,
                 .from = cs_tape_target_graph(whole, &root),
                 .site = site,
                 .n = n,
                 .part = cs_space_part(&whole->space, site[0])};
    *out = NULL;
    if (!s.from)
        return refuse_untraced(whole, err);
    cs_sum_out *to = cs_alloc(1, sizeof *to);
    if (!to || !(to->site = cs_alloc(n, sizeof *to->site))) {
        cs_free(to);
        return no_memory(err);
    }
    memcpy(to->site, site, n * sizeof *site);
    to->n = n;
    to->part = s.part;
    cs_status status = sum_out(&s, whole, root, to, err);
    cs_graph_destroy(s.to);
    cs_sparsity_free(&s.terms);
    CS_FREE_ALL(s.term, s.number, s.root, s.local);
    if (status)
        cs_sum_out_destroy(to);
    else
        *out = to;
    return status;
}

void cs_sum_out_destroy(cs_sum_out *s)
{
    if (!s)
        return;
    cs_target_release(s->target);
    cs_program_destroy(s->draw);
    CS_FREE_ALL(s->site, s);
}

double cs_sum_out_cost(const cs_sum_out *s, const cs_target *whole)
{
    cs_tape_inside now, before;
    bool traced = cs_tape_target_inside(s->target, &now) &&
                  cs_tape_target_inside(whole, &before);
    assert(traced);
    return traced ? (double)cs_program_work(now.part[1].program) /
                        (double)cs_program_work(before.part[1].program)
                  : (double)NAN;
}
