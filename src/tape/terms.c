/* Factors a term into parts that depend on the state, on the row, and on both:
 *
 *   term(x, row) = f(h(x), row)            h depends only on x
 *   f and df/dh  = F(k(h), c(row))         a second split, which includes the
 *                                          derivatives
 *   gradient     = sum_i dh_i/dx s_i,      s_i = sum over rows of df/dh_i
 *
 * F is computed for every row, h and k once per state, c once at creation. */
#include "tape/terms.h"

#include "base/memory.h"
#include "simd/simd.h"
#include "tape/reroll.h"
#include "tape/split.h"

#include <assert.h>
#include <string.h>

enum { MOST_NODES = 1 << 23, NEAR_CACHE = 4096 /* doubles per chunk */ };

typedef struct builder {
    const cs_term_model *m;
    cs_terms *t;
    const cs_graph *term; /* the model's term, or `rolled` */
    cs_node term_logp;
    cs_graph *rolled;  /* [own] the term after re-rolling, or NULL */
    cs_split one, two; /* one: the split term = f(h, row); two: the split f,
                          df/dh = F(k, c) */
    cs_node *root;     /* [1 + n] f and df/dh, in the graph of `one` */
    size_t n;          /* number of values h, each a number or a vector */
    cs_error *err;
} builder;

static cs_status memory(builder *b)
{
    return cs_fail(b->err, CS_MEMORY, "out of memory for a term over rows");
}

/* Returns true if a split is possible. This requires that only slices read the
 * input. Every slice must be a part of the state or a part of the row, but not
 * of both. */
static bool tells_apart(const cs_graph *g, size_t dim)
{
    for (cs_node n = 1; n < g->n_nodes; n++) {
        const cs_graph_node *k = cs_graph_at(g, n);
        for (uint32_t i = 0; i < k->count; i++)
            if (cs_graph_arg(g, n, i) == cs_graph_input(g) &&
                (k->op != CS_OP_SLICE ||
                 (k->extra < dim && k->extra + k->size > dim)))
                return false;
    }
    return true;
}

static cs_status reroll(builder *b)
{
    cs_node logp;
    if (cs_graph_reroll(b->m->term, b->m->term_logp, &b->rolled, &logp, b->err))
        return b->err->status;
    b->term = b->m->term;
    b->term_logp = b->m->term_logp;
    if (b->rolled && tells_apart(b->rolled, b->m->dim)) {
        b->term = b->rolled;
        b->term_logp = logp;
    }
    return CS_OK;
}

/* ---- over rows ----------------------------------------------------------- */

/* Differentiates f with respect to every h. */
static cs_status differentiate(builder *b)
{
    cs_graph *g = b->one.inner;
    cs_node *by = cs_alloc(b->n, sizeof *by);
    b->root = cs_alloc(1 + b->n, sizeof *b->root);
    size_t at = 0;
    bool good = by && b->root;
    for (size_t i = 0; good && i < b->n; i++) {
        size_t size = cs_graph_size(b->term, b->one.outer[0][i]);
        by[i] = cs_graph_slice(g, cs_graph_input(g), at, size);
        at += size;
    }
    if (good)
        b->root[0] = b->one.root[0];
    good = good && cs_graph_gradient_by(g, b->root[0], by, b->n, b->root + 1);
    cs_free(by);
    return good ? CS_OK : memory(b);
}

static cs_status compile_passes(builder *b)
{
    cs_graph *g = b->two.inner;
    cs_node *sum = cs_alloc(1 + b->n, sizeof *sum), logp = b->two.root[0];
    cs_status s = sum ? CS_OK : memory(b);
    for (size_t i = 0; !s && i <= b->n; i++)
        sum[i] = cs_graph_collect(g, b->two.root[i]);
    for (int k = 0; !s && k < CS_PASSES; k++) {
        if (k == CS_PASS_TERMS)
            sum[0] = logp;
        s = cs_program_compile_rows(
            g, b->two.size[0], sum,
            k == CS_PASS_VALUE || k == CS_PASS_TERMS ? 1 : 1 + b->n,
            &b->t->pass[k], b->err);
    }
    cs_free(sum);
    return s;
}

/* ---- columns ------------------------------------------------------------- */

/* Lists the columns of the model that the graph of `one` reads, in order. */
static void list_columns(const builder *b, cs_strided *list)
{
    for (size_t i = 0; i < b->one.n_outer[1]; i++) {
        cs_node n = b->one.outer[1][i];
        const cs_graph_node *leaf = cs_graph_at(b->term, n);
        size_t first = leaf->op == CS_OP_SLICE ? leaf->extra : 0;
        for (size_t e = 0; e < leaf->size; e++)
            *list++ = b->m->column[first - b->m->dim + e];
    }
}

/* Computes the derived columns c(row) of a chunk from the given rows. */
static void derive(const cs_program *p, const cs_strided *list, cs_chunk to,
                   double *raw, double *scratch)
{
    for (size_t j = 0; j < p->dim; j++)
        for (size_t l = 0; l < to.lanes; l++) {
            size_t r = to.first + (l < to.live ? l : to.live - 1);
            raw[j * to.lanes + l] = list[j].v[r * list[j].stride];
        }
    cs_rows rows = {.column = raw,
                    .constants = p->constants,
                    .lanes = to.lanes,
                    .live = to.live,
                    .scratch = scratch};
    cs_program_run_rows(p, &rows);
    for (size_t i = 0; i < p->n_roots; i++) {
        size_t n = p->root_size[i] * to.lanes;
        memcpy(to.column, scratch + (p->root[i] - p->dim) * to.lanes,
               n * sizeof *raw);
        to.column += n;
    }
}

static cs_status fill_columns(builder *b, const cs_program *p)
{
    cs_columns *c = &b->t->columns;
    cs_strided *list = cs_alloc(p->dim, sizeof *list);
    double *raw = cs_alloc(p->dim * c->chunk, sizeof *raw);
    double *scratch = cs_alloc(p->slots * c->chunk, sizeof *scratch);
    bool good = list && raw && scratch;
    if (good)
        list_columns(b, list);
    for (size_t k = 0; good && k < cs_columns_chunks(c); k++)
        derive(p, list, cs_columns_chunk(c, k), raw, scratch);
    if (good)
        cs_columns_finish(c);
    CS_FREE_ALL(list, raw, scratch);
    return good ? CS_OK : memory(b);
}

/* Returns the number of rows per chunk for which the memory of a pass fits the
 * nearest cache. The number depends only on the model, because results are sums
 * over chunks and must not change. */
static size_t chunk_rows(const builder *b)
{
    size_t words = b->t->pass[CS_PASS_GRADIENT]->slots;
    size_t rows = NEAR_CACHE / (words ? words : 1) / 64 * 64;
    rows = rows < 64 ? 64 : rows > 512 ? 512 : rows;
    size_t all = cs_pad_lanes(b->m->rows);
    return all < rows ? all : rows;
}

static cs_status make_columns(builder *b)
{
    cs_program *p;
    size_t width = b->two.size[1];
    if (cs_columns_create(b->m->rows, width, chunk_rows(b), &b->t->columns,
                          b->err))
        return CS_MEMORY;
    if (cs_program_compile_rows(b->one.inner, b->one.size[0], b->two.outer[1],
                                b->two.n_outer[1], &p, b->err))
        return CS_MEMORY;
    cs_status s = fill_columns(b, p);
    cs_program_destroy(p);
    return s;
}

/* ---- once per state ------------------------------------------------------ */

static cs_node zeros(cs_graph *g, size_t n)
{
    double *zero = cs_alloc(n, sizeof *zero);
    cs_node made = zero ? cs_graph_vector(g, zero, n) : 0;
    cs_free(zero);
    return made;
}

/* Computes the values h at x, a node of g. part[n + 1] receives them; the last
 * entry is reserved for the columns. */
static bool make_h(builder *b, cs_graph *g, cs_node x, cs_node *part)
{
    cs_node all = cs_graph_pack(
        g, (cs_node[]){x, zeros(g, b->m->width ? b->m->width : 1)}, 2);
    part[b->n] = zeros(g, b->one.size[1] ? b->one.size[1] : 1);
    return cs_graph_copy_all(g, b->term, b->one.outer[0], b->n, all, part);
}

/* Computes the numbers k at x, a node of g, and writes them to k[]. */
static bool make_k(builder *b, cs_graph *g, cs_node x, cs_node *k)
{
    cs_node *part = cs_alloc(b->n + 1, sizeof *part);
    bool good = part && make_h(b, g, x, part);
    good = good && cs_graph_copy_all(g, b->one.inner, b->two.outer[0],
                                     b->two.n_outer[0],
                                     cs_graph_pack(g, part, b->n + 1), k);
    for (size_t i = 0; good && i < b->two.n_outer[0]; i++)
        k[i] = cs_graph_slice(g, k[i], 0,
                              cs_graph_size(b->one.inner, b->two.outer[0][i]));
    cs_free(part);
    return good;
}

static cs_status make_before(builder *b)
{
    cs_graph *g;
    if (cs_graph_create(b->m->dim, MOST_NODES, &g, b->err))
        return CS_MEMORY;
    size_t n = b->two.n_outer[0];
    cs_node *k = cs_alloc(n, sizeof *k);
    bool good = k && make_k(b, g, cs_graph_input(g), k);
    cs_status s =
        good ? cs_program_compile(g, k, n, &b->t->before, b->err) : memory(b);
    cs_free(k);
    cs_graph_destroy(g);
    return s;
}

/* Reassembles the term as a function of x and the stored columns. */
static cs_status make_plain(builder *b)
{
    cs_terms *t = b->t;
    size_t n = b->two.n_outer[0], width = b->two.size[1];
    if (cs_graph_create(b->m->dim + width, MOST_NODES, &t->plain, b->err))
        return CS_MEMORY;
    cs_graph *g = t->plain;
    cs_node *k = cs_alloc(n + 1, sizeof *k), input = cs_graph_input(g);
    cs_node x = cs_graph_slice(g, input, 0, b->m->dim);
    bool good = k && make_k(b, g, x, k);
    if (good && width)
        k[n++] = cs_graph_slice(g, input, b->m->dim, width);
    if (good)
        t->plain_logp = cs_graph_copy(g, b->two.inner, b->two.root[0],
                                      cs_graph_pack(g, k, n));
    cs_free(k);
    return t->plain_logp ? CS_OK : memory(b);
}

/* Returns sum_i h_i s_i at x, where s_i are totals of pass p. The gradient of
 * this sum with respect to x is the gradient of the terms. */
static cs_node weighted_sum(builder *b, cs_graph *g, cs_node x,
                            const cs_program *p)
{
    cs_node *h = cs_alloc(b->n + 1, sizeof *h), sum = cs_graph_number(g, 0);
    bool good = h && make_h(b, g, x, h);
    for (size_t i = 0; good && i < b->n; i++) {
        cs_node total =
            cs_graph_slice(g, cs_graph_input(g), b->m->dim + p->root[i + 1],
                           p->root_size[i + 1]);
        cs_node product = cs_graph_op2(g, CS_OP_MUL, h[i], total);
        sum = cs_graph_op2(g, CS_OP_ADD, sum,
                           cs_graph_op1(g, CS_OP_SUM, product));
    }
    cs_free(h);
    return good ? sum : 0;
}

static cs_node guarded(const builder *b, cs_graph *g, cs_node x, cs_node value)
{
    return b->m->region ? cs_region_guard(b->m->region, g, x, value) : value;
}

static cs_node prior_at(const builder *b, cs_graph *g, cs_node x)
{
    return guarded(b, g, x,
                   b->m->prior
                       ? cs_graph_copy(g, b->m->prior, b->m->prior_logp, x)
                       : cs_graph_number(g, 0));
}

/* Compiles log p and its gradient from x and the totals of pass p, with or
 * without the prior. */
static cs_status make_after(builder *b, const cs_program *p, bool prior,
                            cs_program **out)
{
    cs_graph *g;
    size_t dim = b->m->dim;
    if (cs_graph_create(dim + p->totals + 1, MOST_NODES, &g, b->err))
        return CS_MEMORY;
    cs_node x = cs_graph_slice(g, cs_graph_input(g), 0, dim);
    cs_node logp = prior ? prior_at(b, g, x) : cs_graph_number(g, 0);
    cs_node of = cs_graph_op2(g, CS_OP_ADD, weighted_sum(b, g, x, p), logp);
    cs_node slope = cs_graph_slice(g, cs_graph_gradient(g, of), 0, dim);
    if (prior) {
        cs_node terms =
            cs_graph_slice(g, cs_graph_input(g), dim + p->root[0], 1);
        logp = guarded(b, g, x, cs_graph_op2(g, CS_OP_ADD, logp, terms));
    }
    cs_status s =
        logp && slope
            ? cs_program_compile(g, (cs_node[]){logp, slope}, 2, out, b->err)
            : memory(b);
    cs_graph_destroy(g);
    return s;
}

static cs_status make_prior(builder *b)
{
    cs_graph *g;
    if (cs_graph_create(b->m->dim, MOST_NODES, &g, b->err))
        return CS_MEMORY;
    cs_node logp = prior_at(b, g, cs_graph_input(g));
    cs_node slope = cs_graph_gradient(g, logp);
    cs_status s = slope ? cs_program_compile(g, &logp, 1, &b->t->prior, b->err)
                        : memory(b);
    if (!s)
        s = cs_program_compile(g, (cs_node[]){logp, slope}, 2,
                               &b->t->prior_gradient, b->err);
    cs_graph_destroy(g);
    return s;
}

static cs_status build(builder *b)
{
    cs_terms *t = b->t;
    cs_status s = reroll(b);
    if (!s)
        s = cs_graph_split(b->term, b->m->dim, &b->term_logp, 1, false, &b->one,
                           b->err);
    b->n = b->one.n_outer[0];
    if (!s)
        s = differentiate(b);
    if (!s)
        s = cs_graph_split(b->one.inner, b->one.size[0], b->root, 1 + b->n,
                           true, &b->two, b->err);
    if (!s)
        s = compile_passes(b);
    if (!s)
        s = make_columns(b);
    if (!s)
        s = make_before(b);
    if (!s)
        s = make_plain(b);
    if (!s)
        s = make_after(b, t->pass[CS_PASS_GRADIENT], true, &t->whole);
    if (!s)
        s = make_after(b, t->pass[CS_PASS_TERMS_GRADIENT], false, &t->back);
    return s ? s : make_prior(b);
}

cs_status cs_terms_create(const cs_term_model *m, cs_terms *out, cs_error *err)
{
    assert(m->term && m->rows > 0);
    cs_error why = {0};
    builder b = {.m = m, .t = out, .err = &why};
    *out = (cs_terms){.dim = m->dim};
    cs_status s = build(&b);
    cs_split_free(&b.one);
    cs_split_free(&b.two);
    cs_free(b.root);
    cs_graph_destroy(b.rolled);
    if (s) {
        cs_terms_free(out);
        if (err)
            *err = why;
    }
    return s;
}

void cs_terms_free(cs_terms *t)
{
    cs_program *const all[] = {t->before, t->whole, t->back, t->prior,
                               t->prior_gradient};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cs_program_destroy(all[i]);
    for (int k = 0; k < CS_PASSES; k++)
        cs_program_destroy(t->pass[k]);
    cs_columns_free(&t->columns);
    cs_graph_destroy(t->plain);
    *t = (cs_terms){0};
}
