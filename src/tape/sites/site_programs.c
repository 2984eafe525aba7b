/* Site programs are created in four steps. 1. Expand the density into terms:
 * elements that are not sums themselves. 2. Find the coordinates that each
 * element depends on, once for every element. 3. Find the families of
 * coordinates whose terms differ in constants only. 4. For each family, copy
 * the terms of its first coordinate, element by element, into a separate graph,
 * in which the constants that differ are inputs, and compile the graph. The
 * time is linear in the number of coordinates. */
#include "tape/sites/site_programs.h"

#include "base/memory.h"
#include "tape/program_cache.h"
#include "tape/sites/site_family.h"
#include "tape/sparsity.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const cs_graph_node *at(const cs_sparsity *c, cs_node n)
{
    return cs_graph_at(c->g, n);
}

/* ---- copies -------------------------------------------------------------- */

/* The terms of one coordinate, and their graph under construction. Needed
 * elements are marked with the number of the round, so the marks need not be
 * cleared. */
typedef struct copier {
    cs_graph *to;
    cs_list needed;      /* all elements that the terms use */
    cs_node *copy;       /* [elements] the copy of each element in `to` */
    uint32_t *mark;      /* [elements] the last round in which the element was
                     * needed */
    uint32_t round, own; /* number of coordinates so far, and the present one */
    cs_list input;   /* the coordinates that the graph reads, as uint32_t; the
                      * first is `own` */
    uint32_t *place; /* [dim] index of a coordinate in `input` */
    cs_list part;    /* arguments of an element, as cs_node */
    cs_program_cache share;
    uint32_t *local;      /* [elements] position of an element in `needed` */
    unsigned char *fixed; /* [elements] 1 if the value of a constant decides how
                           * its reader is computed, so that it is a part of the
                           * shape */
    cs_list word, constant;       /* the shape: words as uint64_t, constants as
                             * double */
    uint32_t reader_op, argument; /* operation whose arguments are visited, and
                                   * number of visited arguments */
    const bool *varies;           /* constants that are inputs of the graph */
    size_t seen;                  /* constants that were copied */
    size_t inputs;                /* inputs that were created for constants */
    cs_list inputs_of_all,        /* inputs of all sites, as uint32_t */
        constants_of_all;         /* constants of all sites, as double */
} copier;

static size_t index_of(const cs_sparsity *c, cs_node n, uint32_t e)
{
    return c->start[n] + e;
}

static void need(cs_sparsity *c, cs_node n, uint32_t e, double factor,
                 void *more)
{
    copier *k = more;
    size_t at_element = index_of(c, n, e);
    (void)factor;
    if (k->mark[at_element] == k->round)
        return;
    k->mark[at_element] = k->round;
    cs_element *to = cs_sparsity_push(c, &k->needed, sizeof *to);
    if (to)
        *to = (cs_element){n, e, 1};
    if (at(c, n)->op != CS_OP_INPUT || e == k->own)
        return;
    uint32_t *input = cs_sparsity_push(c, &k->input, sizeof *input);
    if (input) {
        *input = e;
        k->place[e] = (uint32_t)k->input.n - 1;
    }
}

static int in_order(const void *a, const void *b)
{
    const cs_element *p = a, *q = b;
    return p->node != q->node
               ? (p->node < q->node ? -1 : 1)
               : (p->element > q->element) - (p->element < q->element);
}

static void take_copy(cs_sparsity *c, cs_node n, uint32_t e, double factor,
                      void *more)
{
    copier *k = more;
    cs_node *to = cs_sparsity_push(c, &k->part, sizeof *to);
    if (!to)
        return;
    *to = k->copy[index_of(c, n, e)];
    if (factor != 1)
        *to =
            cs_graph_op2(k->to, CS_OP_MUL, cs_graph_number(k->to, factor), *to);
}

static cs_node sum_parts(copier *k)
{
    cs_node *part = k->part.item, sum = cs_graph_number(k->to, 0);
    for (size_t i = 0; i < k->part.n; i++)
        sum = cs_graph_op2(k->to, CS_OP_ADD, sum, part[i]);
    return sum;
}

/* Returns part[0] part[1] + part[2] part[3] + ... */
static cs_node sum_pairs(copier *k)
{
    cs_node *part = k->part.item, sum = cs_graph_number(k->to, 0);
    for (size_t i = 0; i + 1 < k->part.n; i += 2)
        sum =
            cs_graph_op2(k->to, CS_OP_ADD, sum,
                         cs_graph_op2(k->to, CS_OP_MUL, part[i], part[i + 1]));
    return sum;
}

static double constant_of(const cs_sparsity *c, cs_element s)
{
    const cs_graph_node *n = at(c, s.node);
    return c->g->constants[n->extra].v[n->size > 1 ? s.element : 0];
}

/* Returns a constant, or the input that replaces it. */
static cs_node copy_constant(cs_sparsity *c, copier *k, cs_element s)
{
    bool fixed = k->fixed[index_of(c, s.node, s.element)];
    if (!fixed && k->varies[k->seen++])
        return cs_graph_slice(k->to, cs_graph_input(k->to),
                              k->input.n + k->inputs++, 1);
    return cs_graph_number(k->to, constant_of(c, s));
}

static cs_node copy_element(cs_sparsity *c, copier *k, cs_element s)
{
    const cs_graph_node *n = at(c, s.node);
    k->part.n = 0;
    if (n->op == CS_OP_INPUT)
        return cs_graph_slice(k->to, cs_graph_input(k->to), k->place[s.element],
                              1);
    if (n->op == CS_OP_DATA)
        return copy_constant(c, k, s);
    cs_sparsity_visit(c, s.node, s.element, take_copy, k);
    cs_node *p = k->part.item;
    if (c->status)
        return 0;
    if (n->op == CS_OP_SCATTER || n->op == CS_OP_PRODUCT ||
        n->op == CS_OP_CUMULATE)
        return sum_parts(k);
    if (n->op == CS_OP_BILINEAR)
        return sum_pairs(k);
    if (n->op == CS_OP_PICK)
        return cs_graph_pick(k->to, cs_graph_pack(k->to, p + 1, k->part.n - 1),
                             p[0]);
    if (cs_ops[n->op].class == CS_OP_SHAPE)
        return p[0];
    if (cs_ops[n->op].class == CS_OP_REDUCE)
        return cs_graph_op1(k->to, (cs_op)n->op,
                            cs_graph_pack(k->to, p, k->part.n));
    return n->count == 1 ? cs_graph_op1(k->to, (cs_op)n->op, p[0])
           : n->count == 2
               ? cs_graph_op2(k->to, (cs_op)n->op, p[0], p[1])
               : cs_graph_op3(k->to, (cs_op)n->op, p[0], p[1], p[2]);
}

/* Lists all elements that the terms of coordinate d use, in order. */
static void find_needed(cs_sparsity *c, copier *k, uint32_t d)
{
    k->round++;
    k->own = d;
    k->needed.n = k->input.n = 0;
    uint32_t *own = cs_sparsity_push(c, &k->input, sizeof *own);
    if (own)
        *own = d;
    k->place[d] = 0;
    const uint32_t *term = c->of[d].item;
    for (size_t i = 0; i < c->of[d].n && !c->status; i++) {
        cs_element s = ((cs_element *)c->terms.item)[term[i]];
        need(c, s.node, s.element, 1, k);
    }
    for (size_t i = 0; i < k->needed.n && !c->status; i++) {
        cs_element s = ((cs_element *)k->needed.item)[i];
        cs_sparsity_visit(c, s.node, s.element, need, k);
    }
    if (k->needed.n > 1)
        qsort(k->needed.item, k->needed.n, sizeof(cs_element), in_order);
}

static cs_node copy_terms(cs_sparsity *c, copier *k, uint32_t d)
{
    for (size_t i = 0; i < k->needed.n && !c->status; i++) {
        cs_element s = ((cs_element *)k->needed.item)[i];
        k->copy[index_of(c, s.node, s.element)] = copy_element(c, k, s);
    }
    cs_node root = cs_graph_number(k->to, 0);
    const uint32_t *term = c->of[d].item;
    for (size_t i = 0; i < c->of[d].n && !c->status; i++) {
        cs_element s = ((cs_element *)c->terms.item)[term[i]];
        cs_node t =
            cs_graph_op2(k->to, CS_OP_MUL, cs_graph_number(k->to, s.factor),
                         k->copy[index_of(c, s.node, s.element)]);
        root = cs_graph_op2(k->to, CS_OP_ADD, root, t);
    }
    return root;
}

/* ---- shapes -------------------------------------------------------------- */

static void push_word(cs_sparsity *c, copier *k, uint64_t word)
{
    uint64_t *to = cs_sparsity_push(c, &k->word, sizeof *to);
    if (to)
        *to = word;
}

static void push_factor(cs_sparsity *c, copier *k, double factor)
{
    uint64_t bits;
    memcpy(&bits, &factor, sizeof bits);
    push_word(c, k, bits);
}

/* Returns true if the value of a constant argument decides how an operation is
 * computed: an exponent, a condition, an index. */
static bool decides(uint32_t op, uint32_t argument)
{
    return (op == CS_OP_POW && argument == 1) ||
           (op == CS_OP_POLYGAMMA && argument == 0) ||
           (op == CS_OP_WHERE && argument == 0) ||
           (op == CS_OP_PICK && argument == 0);
}

static void push_argument(cs_sparsity *c, cs_node n, uint32_t e, double factor,
                          void *more)
{
    copier *k = more;
    size_t at_element = index_of(c, n, e);
    push_word(c, k, (uint64_t)k->local[at_element] << 1 | (factor != 1));
    if (factor != 1)
        push_factor(c, k, factor);
    if (decides(k->reader_op, k->argument++) && at(c, n)->op == CS_OP_DATA)
        k->fixed[at_element] = 1;
}

/* Appends the words of an element: its operation, and its arguments as
 * positions in `needed`. */
static void push_element(cs_sparsity *c, copier *k, cs_element s)
{
    const cs_graph_node *n = at(c, s.node);
    k->reader_op = n->op;
    k->argument = 0;
    push_word(c, k, n->op);
    if (n->op == CS_OP_INPUT)
        push_word(c, k, k->place[s.element]);
    else if (n->op != CS_OP_DATA)
        cs_sparsity_visit(c, s.node, s.element, push_argument, k);
    push_word(c, k, UINT64_MAX - k->argument); /* end of the arguments */
}

/* Appends the constants: those that decide something to the words, the others
 * to the list of constants. */
static void push_constants(cs_sparsity *c, copier *k)
{
    for (size_t i = 0; i < k->needed.n && !c->status; i++) {
        cs_element s = ((cs_element *)k->needed.item)[i];
        if (at(c, s.node)->op != CS_OP_DATA)
            continue;
        double value = constant_of(c, s);
        if (k->fixed[index_of(c, s.node, s.element)]) {
            push_word(c, k, i);
            push_factor(c, k, value);
            continue;
        }
        double *to = cs_sparsity_push(c, &k->constant, sizeof *to);
        if (to)
            *to = value;
    }
}

/* Finds the shape of the terms of coordinate d, for which find_needed was
 * called. */
static void find_shape(cs_sparsity *c, copier *k, uint32_t d)
{
    k->word.n = k->constant.n = 0;
    const cs_element *needed = k->needed.item;
    for (size_t i = 0; i < k->needed.n; i++) {
        size_t at_element = index_of(c, needed[i].node, needed[i].element);
        k->local[at_element] = (uint32_t)i;
        k->fixed[at_element] = 0;
    }
    for (size_t i = 0; i < k->needed.n && !c->status; i++)
        push_element(c, k, ((cs_element *)k->needed.item)[i]);
    const uint32_t *term = c->of[d].item;
    for (size_t i = 0; i < c->of[d].n && !c->status; i++) {
        cs_element s = ((cs_element *)c->terms.item)[term[i]];
        push_word(c, k, k->local[index_of(c, s.node, s.element)]);
        push_factor(c, k, s.factor);
    }
    push_constants(c, k);
}

/* A site, with its inputs and the constants of its terms in the lists of all
 * sites. */
typedef struct member {
    uint32_t family;
    bool known;
    uint32_t n_input;
    size_t input, constant; /* first entries; the constants are all those of the
                             * shape */
} member;

/* Appends a list to another; returns the index of the first new item. */
static size_t append(cs_sparsity *c, cs_list *to, const cs_list *from,
                     size_t size)
{
    size_t first = to->n;
    if (to->n + from->n > to->capacity) {
        size_t capacity = 2 * (to->n + from->n) + 64;
        void *grown = cs_alloc(capacity, size);
        if (!grown) {
            c->status = CS_MEMORY;
            return first;
        }
        if (to->n)
            memcpy(grown, to->item, to->n * size);
        cs_free(to->item);
        to->item = grown;
        to->capacity = capacity;
    }
    if (from->n)
        memcpy((char *)to->item + to->n * size, from->item, from->n * size);
    to->n += from->n;
    return first;
}

/* Finds the family of coordinate d, and the coordinates that its terms read. */
static void find_family(cs_sparsity *c, copier *k, cs_site_families *f,
                        uint32_t d, member *of)
{
    find_needed(c, k, d);
    if (c->status || k->needed.n > c->budget) {
        c->budget = 0;
        return;
    }
    c->budget -= k->needed.n;
    find_shape(c, k, d);
    if (c->status)
        return;
    of->known = true;
    of->n_input = (uint32_t)k->input.n;
    of->input = append(c, &k->inputs_of_all, &k->input, sizeof(uint32_t));
    of->constant =
        append(c, &k->constants_of_all, &k->constant, sizeof(double));
    const cs_site_shape shape = {.word = k->word.item,
                                 .n = k->word.n,
                                 .constant = k->constant.item,
                                 .n_constants = k->constant.n};
    if (!c->status && !cs_site_families_enter(f, d, &shape, &of->family))
        c->status = CS_MEMORY;
}

/* ---- programs of families ------------------------------------------------ */

static size_t count_varying(const cs_site_family *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->shape.n_constants; i++)
        n += f->varies[i];
    return n;
}

/* Compiles the program of a family from the terms of its first site. */
static cs_program *compile_family(cs_sparsity *c, copier *k,
                                  const cs_site_family *f, cs_error *err)
{
    cs_program *made = NULL;
    find_needed(c, k, f->first);
    find_shape(c, k, f->first);
    if (!c->status)
        c->status = cs_graph_create(k->input.n + count_varying(f), 1u << 30,
                                    &k->to, err);
    if (c->status)
        return NULL;
    k->varies = f->varies;
    k->seen = k->inputs = 0;
    cs_node root = copy_terms(c, k, f->first);
    if (!c->status)
        c->status = k->to->status;
    if (c->status)
        cs_graph_destroy(k->to);
    else
        c->status =
            cs_program_cache_compile(&k->share, k->to, root, &made, err);
    return made;
}

/* Marks the inputs that are the same coordinate at all sites of a family.
 * shared[i] is the first flag of family i. */
static void mark_shared(const copier *k, const cs_site_families *f,
                        const member *of, size_t dim, bool *const *shared)
{
    const uint32_t *input = k->inputs_of_all.item;
    for (uint32_t d = 0; d < dim; d++) {
        if (!of[d].known)
            continue;
        const member *first = &of[f->item[of[d].family].first];
        bool *to = shared[of[d].family];
        for (size_t i = 0; i < of[d].n_input; i++)
            to[i] = (&of[d] == first || to[i]) &&
                    input[of[d].input + i] == input[first->input + i];
    }
}

/* Gives a site the program of its family. Moves its values of the constants that
 * are inputs to `at`; returns the end. */
static double *join(const cs_site_family *f, cs_program *p, const member *of,
                    const copier *k, double *at, cs_site_program *out)
{
    const double *constant = (double *)k->constants_of_all.item + of->constant;
    out->program = p;
    out->input = (uint32_t *)k->inputs_of_all.item + of->input;
    out->n_input = of->n_input;
    out->constant = at;
    for (size_t i = 0; i < f->shape.n_constants; i++)
        if (f->varies[i])
            *at++ = constant[i];
    out->n_constant = (size_t)(at - out->constant);
    return at;
}

/* Places the flags of each family in one list. Returns false if out of
 * memory. */
static bool place_flags(const cs_site_families *f, const member *of,
                        cs_site_programs *l, bool **shared)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        n += of[f->item[i].first].n_input;
    l->shared = cs_alloc(n + 1, sizeof *l->shared);
    n = 0;
    for (size_t i = 0; l->shared && i < f->n; i++) {
        shared[i] = l->shared + n;
        n += of[f->item[i].first].n_input;
    }
    return l->shared;
}

/* Gives all sites their programs. The constants move to lower places of their
 * list, so that only those that vary remain. */
static void join_all(const copier *k, const cs_site_families *f,
                     const member *of, cs_program *const *program,
                     bool *const *shared, cs_site_programs *l)
{
    double *at = k->constants_of_all.item;
    for (uint32_t d = 0; d < l->dim; d++) {
        cs_site_program *to = &l->at[d];
        if (!of[d].known)
            continue;
        at = join(&f->item[of[d].family], program[of[d].family], &of[d], k, at,
                  to);
        to->shared = shared[of[d].family];
        size_t inputs = to->n_input + to->n_constant;
        l->max_inputs = inputs > l->max_inputs ? inputs : l->max_inputs;
        if (to->program->slots > l->max_slots)
            l->max_slots = to->program->slots;
    }
}

static void compile_all(cs_sparsity *c, copier *k, const cs_site_families *f,
                        const member *of, cs_site_programs *l, cs_error *err)
{
    cs_program **program = cs_alloc(f->n + 1, sizeof *program);
    bool **shared = cs_alloc(f->n + 1, sizeof *shared);
    if (!program || !shared || !place_flags(f, of, l, shared))
        c->status = CS_MEMORY;
    for (size_t i = 0; i < f->n && !c->status; i++)
        program[i] = compile_family(c, k, &f->item[i], err);
    if (!c->status) {
        mark_shared(k, f, of, l->dim, shared);
        join_all(k, f, of, program, shared, l);
        l->input = k->inputs_of_all.item;
        l->constant = k->constants_of_all.item;
        k->inputs_of_all = k->constants_of_all = (cs_list){.item = NULL};
    }
    cs_free(program);
    cs_free((void *)shared);
}

/* ---- all coordinates ----------------------------------------------------- */

static bool open_copier(copier *k, size_t elements, size_t dim)
{
    k->copy = cs_alloc(elements, sizeof *k->copy);
    k->mark = cs_alloc(elements, sizeof *k->mark);
    k->local = cs_alloc(elements, sizeof *k->local);
    k->fixed = cs_alloc(elements, sizeof *k->fixed);
    k->place = cs_alloc(dim, sizeof *k->place);
    return k->copy && k->mark && k->local && k->fixed && k->place;
}

static void close_copier(copier *k)
{
    CS_FREE_ALL(k->copy, k->mark, k->local, k->fixed, k->place, k->needed.item,
                k->input.item, k->part.item, k->word.item, k->constant.item,
                k->inputs_of_all.item, k->constants_of_all.item);
}

static void make_all(cs_sparsity *c, cs_node root, cs_site_programs *l,
                     size_t elements, cs_error *err)
{
    copier k = {.round = 0};
    cs_site_families f = {.n = 0};
    member *of = cs_alloc(l->dim, sizeof *of);
    if (!of || !open_copier(&k, elements, l->dim))
        c->status = CS_MEMORY;
    c->budget = elements * l->dim / 4;
    if (!c->status)
        cs_sparsity_find_terms(c, root);
    if (!c->status)
        cs_sparsity_find_reads(c);
    for (uint32_t d = 0; d < l->dim && !c->status && c->budget; d++) {
        if (c->g->n_ranges && !cs_graph_range_of(c->g, d))
            continue;
        l->n_sites++;
        find_family(c, &k, &f, d, &of[d]);
    }
    if (!c->status && c->budget)
        compile_all(c, &k, &f, of, l, err);
    if (!c->status && c->budget && !cs_site_colours_find(c, &l->colours))
        c->status = CS_MEMORY;
    bool whole = !c->status && c->budget;
    cs_program_cache_end(&k.share, whole ? &l->programs : NULL, &l->n_programs);
    if (whole && !l->programs)
        c->status = CS_MEMORY;
    cs_free(of);
    cs_site_families_free(&f);
    close_copier(&k);
}

cs_status cs_site_programs_create(const cs_graph *g, cs_node root,
                                  cs_site_programs **out, cs_error *err)
{
    assert(root && cs_graph_size(g, root) == 1);
    cs_sparsity c = {.g = g};
    size_t elements;
    cs_site_programs *l = cs_alloc(1, sizeof *l);
    *out = NULL;
    if (l)
        l->at = cs_alloc(g->dim, sizeof *l->at);
    if (l && l->at && cs_sparsity_open(&c, &elements)) {
        l->dim = g->dim;
        make_all(&c, root, l, elements, err);
    } else
        c.status = CS_MEMORY;
    cs_sparsity_free(&c);
    if (c.status || !c.budget) {
        cs_site_programs_destroy(l);
        return c.status ? cs_fail(err, c.status, "out of memory for site terms")
                        : CS_OK;
    }
    *out = l;
    return CS_OK;
}

void cs_site_programs_destroy(cs_site_programs *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->n_programs; i++)
        cs_program_destroy(l->programs[i]);
    cs_site_colours_free(&l->colours);
    CS_FREE_ALL(l->programs, l->at, l->input, l->constant, l->shared, l);
}
