/* Searches a value of an index that selects no element. An element of the index
 * is enclosed without the others, from the elements that it is computed from. */
#include "base/memory.h"
#include "expr/enclose.h"
#include "expr/intern.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_STATES = 4096, /* joint values of coordinates that are tried */
    MOST_READ = 12,     /* coordinates that are tried together */
    MOST_NAMED = 4,     /* coordinates that a message names */
    MOST_WORK = 1 << 26 /* intervals that a search computes */
};

/* An element of a node. An element of a node that is enclosed as a whole has
 * the number 0. */
typedef struct item {
    cs_node node;
    uint32_t element;
} item;

typedef struct searcher {
    const cs_graph *g;
    cs_enclosure e;
    cs_node index;
    size_t element, size;
    item *cone; /* [own] [n_cone] what the element is computed from, and the
                   element itself, in order */
    size_t n_cone, capacity;
    uint32_t
        *seen;   /* [own] for each element of all nodes: 1 + the number of the
                       last element of the index whose cone has it */
    size_t cost; /* intervals per enclosure of the cone */
    size_t work; /* intervals computed */
    bool full;   /* out of memory */
    size_t read[MOST_READ], n_read; /* coordinates that change the element */
    double value[MOST_READ];
} searcher;

/* ---- the cone of an element ---------------------------------------------- */

static void add(searcher *s, cs_node n, size_t element)
{
    uint32_t op = cs_graph_at(s->g, n)->op;
    bool alone = op == CS_OP_INPUT || cs_enclosure_is_by_element(s->g, n);
    item one = {n, alone ? (uint32_t)element : 0};
    uint32_t *seen = &s->seen[s->e.first[n] + one.element];
    if (op == CS_OP_DATA || *seen == s->element + 1 || s->full)
        return;
    *seen = (uint32_t)s->element + 1;
    s->full = !CS_EXTEND(s->cone, s->n_cone, s->capacity, 1);
    if (!s->full)
        s->cone[s->n_cone++] = one;
    s->cost += alone ? 1 : cs_graph_size(s->g, n);
}

/* Adds element i of argument k of node n; a number is the same for all i. */
static void add_one(searcher *s, cs_node n, size_t k, size_t i)
{
    cs_node a = cs_graph_arg(s->g, n, k);
    add(s, a, cs_graph_size(s->g, a) > 1 ? i : 0);
}

static void add_all(searcher *s, cs_node n, size_t k)
{
    cs_node a = cs_graph_arg(s->g, n, k);
    for (size_t i = 0; i < cs_graph_size(s->g, a); i++)
        add(s, a, i);
    s->cost += cs_graph_size(s->g, a);
}

static void add_arguments(searcher *s, item of)
{
    const cs_graph_node *n = cs_graph_at(s->g, of.node);
    size_t at = of.element;
    if (n->op == CS_OP_SLICE) {
        add_one(s, of.node, 0, n->extra + at);
    } else if (n->op == CS_OP_GATHER) {
        add_one(s, of.node, 0, (size_t)s->g->constants[n->extra].v[at]);
    } else if (n->op == CS_OP_PACK) {
        cs_node part = cs_graph_part_of(s->g, of.node, &at);
        add(s, part, at);
    } else if (n->op == CS_OP_PICK) {
        add_all(s, of.node, 0);
        add_one(s, of.node, 1, at);
    } else {
        bool maps = cs_ops[n->op].class == CS_OP_MAP;
        for (size_t k = 0; k < n->count; k++)
            maps ? add_one(s, of.node, k, at) : add_all(s, of.node, k);
    }
}

/* Nodes are stored in an order of evaluation. */
static int compare(const void *a, const void *b)
{
    const item *p = a, *q = b;
    return p->node != q->node
               ? (p->node > q->node) - (p->node < q->node)
               : (p->element > q->element) - (p->element < q->element);
}

/* Finds what the element is computed from. Returns false if out of memory. */
static bool find_cone(searcher *s)
{
    s->n_cone = s->cost = 0;
    add(s, s->index, s->element);
    for (size_t k = 0; k < s->n_cone && !s->full; k++)
        add_arguments(s, s->cone[k]);
    s->work += 8 * s->cost; /* the time of sorting */
    if (!s->full && s->n_cone)
        qsort(s->cone, s->n_cone, sizeof *s->cone, compare);
    return !s->full;
}

/* ---- enclosures ---------------------------------------------------------- */

static void set_coordinate(searcher *s, size_t c, double low, double high)
{
    cs_enclosure_of(&s->e, cs_graph_input(s->g))[c] = (cs_interval){low, high};
}

static void set_range(searcher *s, size_t c)
{
    const cs_graph_range *r = cs_graph_range_of(s->g, c);
    if (r)
        set_coordinate(s, c, r->low, r->low + r->values - 1);
    else
        set_coordinate(s, c, -HUGE_VAL, HUGE_VAL);
}

/* Encloses all elements of the index together; `all` gets their intervals.
 * Returns false if out of memory. */
static bool enclose_all(searcher *s, cs_interval *all)
{
    bool *needed = cs_alloc((size_t)s->index + 1, sizeof *needed);
    if (!needed)
        return false;
    needed[s->index] = true;
    for (cs_node n = s->index; n > 0; n--)
        for (uint32_t k = 0; needed[n] && k < s->g->nodes[n].count; k++)
            needed[cs_graph_arg(s->g, n, k)] = true;
    for (cs_node n = 1; n <= s->index; n++)
        if (needed[n])
            cs_enclosure_run(&s->e, n);
    cs_free(needed);
    memcpy(all, cs_enclosure_of(&s->e, s->index),
           cs_graph_size(s->g, s->index) * sizeof *all);
    return true;
}

/* Encloses the element. */
static cs_interval enclose(searcher *s)
{
    for (size_t k = 0; k < s->n_cone; k++) {
        const item *one = &s->cone[k];
        if (cs_enclosure_is_by_element(s->g, one->node))
            cs_enclosure_run_element(&s->e, one->node, one->element);
        else
            cs_enclosure_run(&s->e, one->node);
    }
    s->work += s->cost;
    return cs_enclosure_of(&s->e, s->index)[s->element];
}

/* Returns true if the integers of an interval are not all in 1 .. size; sets
 * one that is not. */
static bool is_outside(cs_interval i, size_t size, double *value)
{
    bool nowhere = cs_interval_is_nowhere(i);
    double low = nowhere ? -HUGE_VAL : ceil(i.low - 1e-9);
    double high = nowhere ? HUGE_VAL : floor(i.high + 1e-9);
    *value = 0 + (high > (double)size ? high : low); /* not -0 */
    return high > (double)size || low < 1;
}

/* ---- states -------------------------------------------------------------- */

/* Returns true if the enclosure of the element changes when coordinate c has
 * its first or its last value. */
static bool changes(searcher *s, size_t c, cs_interval all)
{
    const cs_graph_range *r = cs_graph_range_of(s->g, c);
    double end[2] = {r->low, r->low + r->values - 1};
    bool read = false;
    for (int k = 0; k < 2 && !read; k++) {
        set_coordinate(s, c, end[k], end[k]);
        cs_interval one = enclose(s);
        read = memcmp(&one, &all, sizeof one) != 0;
    }
    set_range(s, c);
    return read;
}

/* Finds the coordinates that change the enclosure of the element when they are
 * known. Returns false if they are too many. */
static bool find_read(searcher *s, cs_interval all)
{
    double states = 1;
    s->n_read = 0;
    for (size_t k = 0; k < s->n_cone; k++) {
        size_t c = s->cone[k].element;
        if (s->cone[k].node != cs_graph_input(s->g) ||
            !cs_graph_range_of(s->g, c))
            continue;
        if (s->work > MOST_WORK)
            return false;
        if (!changes(s, c, all))
            continue;
        states *= cs_graph_range_of(s->g, c)->values;
        if (s->n_read == MOST_READ || states > MOST_STATES)
            return false;
        s->read[s->n_read++] = c;
    }
    return true;
}

/* Sets the next joint value of the coordinates that are read. Returns false
 * after the last one. */
static bool next_state(searcher *s)
{
    for (size_t k = 0; k < s->n_read; k++) {
        const cs_graph_range *r = cs_graph_range_of(s->g, s->read[k]);
        bool more = s->value[k] < r->low + r->values - 1;
        s->value[k] = more ? s->value[k] + 1 : r->low;
        set_coordinate(s, s->read[k], s->value[k], s->value[k]);
        if (more)
            return true;
    }
    return false;
}

static void put_state(const searcher *s, cs_outside *out)
{
    size_t used = 0;
    for (size_t k = 0; k < s->n_read && k < MOST_NAMED; k++) {
        const cs_graph_range *r = cs_graph_range_of(s->g, s->read[k]);
        const char *name = r->name[0] ? r->name : "x";
        size_t at = s->read[k] - (r->name[0] ? r->first : 0) + 1;
        char text[64];
        if (r->n == 1 && r->name[0])
            snprintf(text, sizeof text, "%s = %g", name, s->value[k]);
        else
            snprintf(text, sizeof text, "%s[%zu] = %g", name, at, s->value[k]);
        int n = snprintf(out->where + used, sizeof out->where - used, "%s%s",
                         used ? ", " : "", text);
        if (n < 0 || (used += (size_t)n) >= sizeof out->where)
            return;
    }
}

/* Returns true if the element has a value outside for some joint value of the
 * coordinates that it reads, or may have one because the search takes too much
 * work; out->value is then an end of the enclosure `all`. */
static bool try_states(searcher *s, cs_interval all, cs_outside *out)
{
    for (size_t k = 0; k < s->n_read; k++) {
        s->value[k] = cs_graph_range_of(s->g, s->read[k])->low;
        set_coordinate(s, s->read[k], s->value[k], s->value[k]);
    }
    do {
        if (s->work > MOST_WORK)
            return is_outside(all, s->size, &out->value);
        if (is_outside(enclose(s), s->size, &out->value)) {
            put_state(s, out);
            return true;
        }
    } while (next_state(s));
    for (size_t k = 0; k < s->n_read; k++)
        set_range(s, s->read[k]);
    return false;
}

/* Tries the states of each element whose enclosure is not inside. */
static bool search(searcher *s, cs_interval *all, cs_outside *out)
{
    for (size_t c = 0; c < s->g->dim; c++)
        set_range(s, c);
    s->full = !enclose_all(s, all);
    for (s->element = 0; !s->full && s->element < cs_graph_size(s->g, s->index);
         s->element++) {
        cs_interval one = all[s->element];
        if (!is_outside(one, s->size, &out->value))
            continue;
        if (s->work > MOST_WORK || !find_cone(s) || !find_read(s, one) ||
            try_states(s, one, out))
            return true;
    }
    return s->full;
}

bool cs_graph_find_outside(cs_graph *g, cs_node i, size_t size, cs_outside *out)
{
    assert(i && size && !(cs_graph_reads(g, i) & CS_READS_REAL));
    double low, high;
    *out = (cs_outside){.value = 0};
    if (cs_graph_bounds(g, i, &low, &high) &&
        !is_outside((cs_interval){low, high}, size, &out->value))
        return false;
    searcher s = {.g = g, .index = i, .size = size};
    bool outside = true;
    s.full = g->status || !cs_enclosure_create(g, &s.e);
    if (!s.full) {
        cs_node last = (cs_node)g->n_nodes - 1;
        size_t elements = s.e.first[last] + cs_graph_size(g, last);
        cs_interval *all = cs_alloc(cs_graph_size(g, i), sizeof *all);
        s.seen = cs_alloc(elements, sizeof *s.seen);
        s.full = !all || !s.seen;
        outside = s.full || search(&s, all, out);
        cs_enclosure_free(&s.e);
        CS_FREE_ALL(all, s.cone, s.seen);
    }
    if (s.full)
        cs_graph_fault(g, CS_MEMORY);
    return outside;
}
