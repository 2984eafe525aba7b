#include "support/composed.h"

#include "support/support.h"

#include "base/memory.h"
#include "target/derivatives.h"
#include "target/enumeration.h"

#include <string.h>

enum {
    STATES = COMPOSED_STATES,
    DIM = COMPOSED_DIM,
    MEMBERS = 4,
    CHAINS = LAW_CHAINS,
    STEPS = 4000
};

cs_target *composed_target(const cs_target_type *type)
{
    cs_target *t;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    return t;
}

void composed_fill(composed_whole *w, const cs_target_type *type)
{
    cs_derivatives *s;
    w->t = composed_target(type);
    const cs_enumeration *truth = cs_enumeration_of(w->t);
    assert_int_equal(truth->n, STATES);
    assert_int_equal(cs_derivatives_open(&s, w->t, CS_SLOPES, NULL), CS_OK);
    for (size_t k = 0; k < STATES; k++) {
        cs_space_state(&w->t->space, k, w->x[k]);
        w->logp[k] = cs_derivatives_gradient(s, w->x[k], w->g[k]);
        w->pi[k] = truth->p[k];
    }
    cs_derivatives_close(s);
}

/* ---- kernels ---- */

static cs_kernel kernel_of(const composed_part *p)
{
    cs_kernel k;
    const cs_kernel_type *type = cs_kernel_find(p->kernel);
    assert_non_null(type);
    assert_int_equal(cs_kernel_init(&k, type, NULL, 0, NULL), CS_OK);
    memcpy(k.values, p->value, p->n_values * sizeof *k.values);
    return k;
}

static bool is_mixture(const composed_part *p)
{
    return strcmp(p->kernel, "mixture") == 0;
}

/* Fills a spec with a member whose kernel is *k. */
static cs_member_spec spec_of(const composed_part *p, const cs_kernel *k)
{
    return (cs_member_spec){.name = p->name,
                            .kernel = k,
                            .coordinate = p->coordinate,
                            .n = p->n,
                            .times = p->times,
                            .weight = p->weight};
}

/* Creates the kernel of a member; `t` is NULL for all but the root. */
static cs_status open_part(composed_tree *tree, cs_target *t,
                           const composed_part *p, cs_kernel *k, cs_error *err)
{
    cs_kernel member[MEMBERS];
    cs_member_spec spec[MEMBERS];
    if (!p->inside) {
        *k = kernel_of(p);
        return CS_OK;
    }
    for (size_t i = 0; i < p->n_inside; i++) {
        cs_status s = open_part(tree, NULL, &p->inside[i], &member[i], err);
        if (s)
            return s;
        spec[i] = spec_of(&p->inside[i], &member[i]);
    }
    cs_status s = is_mixture(p)
                      ? cs_kernel_mixture(k, t, spec, p->n_inside, err)
                      : cs_kernel_cycle(k, t, spec, p->n_inside, err);
    assert_true(tree->n < COMPOSED_KERNELS);
    if (s == CS_OK)
        tree->inner[tree->n++] = *k;
    return s;
}

cs_status composed_tree_open(composed_tree *tree, cs_target *t,
                             const composed_part *p, cs_error *err)
{
    *tree = (composed_tree){.n = 0};
    return open_part(tree, t, p, &tree->kernel, err);
}

void composed_tree_close(composed_tree *tree)
{
    while (tree->n)
        cs_kernel_release(&tree->inner[--tree->n]);
}

cs_status composed_open(cs_target *t, const composed_part *p, size_t n,
                        cs_kernel *k, cs_error *err)
{
    cs_kernel member[MEMBERS];
    cs_member_spec spec[MEMBERS];
    for (size_t i = 0; i < n; i++) {
        member[i] = kernel_of(&p[i]);
        spec[i] = spec_of(&p[i], &member[i]);
    }
    return cs_kernel_cycle(k, t, spec, n, err);
}

/* ---- matrices ---- */

/* Returns the state of the whole that has the values y of a part. */
static size_t with_part(const composed_whole *w, size_t from,
                        const composed_part *p, const double *y)
{
    double x[DIM];
    memcpy(x, w->x[from], sizeof x);
    for (size_t i = 0; i < p->n; i++)
        x[p->coordinate[i]] = y[i];
    return cs_space_index(&w->t->space, x, 1);
}

/* Computes row `from` of the matrix of a member by the formula of its kernel on
 * the conditional distribution of the part. */
static void member_row(const composed_whole *w, const composed_part *p,
                       size_t from, double *row)
{
    enum { MOST = 16 };
    static double x[MOST * 2], logp[MOST], g[MOST * 2], pi[MOST];
    static double P[MOST * MOST];
    cs_part of = cs_space_part(&w->t->space, p->coordinate[0]);
    cs_target t = {
        .space = {
            .kind = of.kind, .dim = p->n, .low = of.low, .values = of.values}};
    points q = {.target = &t,
                .n = (size_t)cs_space_states(&t.space),
                .dim = p->n,
                .x = x,
                .logp = logp,
                .g = g,
                .pi = pi};
    double value[CS_KERNEL_PARAMS], total = 0;
    cs_kernel k = kernel_of(p);
    memcpy(value, k.values, sizeof value);
    for (size_t s = 0; s < q.n; s++) {
        cs_space_state(&t.space, s, x + s * p->n);
        size_t at = with_part(w, from, p, x + s * p->n);
        logp[s] = w->logp[at];
        total += pi[s] = exp(w->logp[at]);
        for (size_t i = 0; i < p->n; i++)
            g[s * p->n + i] = w->g[at][p->coordinate[i]];
    }
    for (size_t s = 0; s < q.n; s++)
        pi[s] /= total;
    double now[2];
    for (size_t i = 0; i < p->n; i++)
        now[i] = w->x[from][p->coordinate[i]];
    assert_true(q.n <= MOST && matrix_of(p->kernel, &q, value, 0, P));
    size_t own = cs_space_index(&t.space, now, 1);
    memset(row, 0, STATES * sizeof *row);
    for (size_t s = 0; s < q.n; s++)
        row[with_part(w, from, p, x + s * p->n)] = P[own * q.n + s];
}

/* Multiplies P by M. */
static void multiply(double *P, const double *M)
{
    static double product[STATES * STATES];
    memset(product, 0, sizeof product);
    for (size_t a = 0; a < STATES; a++)
        for (size_t c = 0; c < STATES; c++)
            for (size_t b = 0; b < STATES; b++)
                product[a * STATES + b] +=
                    P[a * STATES + c] * M[c * STATES + b];
    memcpy(P, product, sizeof product);
}

/* Returns the largest |pi P - pi|. */
static double variance_of(const composed_whole *w, const double *P)
{
    double most = 0;
    for (size_t b = 0; b < STATES; b++) {
        double sum = -w->pi[b];
        for (size_t a = 0; a < STATES; a++)
            sum += w->pi[a] * P[a * STATES + b];
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* Multiplies P by M `times` times. */
static void apply(double *P, const double *M, uint64_t times)
{
    for (uint64_t j = 0; j < times; j++)
        multiply(P, M);
}

static void be_one(double *P)
{
    memset(P, 0, STATES * STATES * sizeof *P);
    for (size_t a = 0; a < STATES; a++)
        P[a * STATES + a] = 1;
}

void composed_matrix(const composed_whole *w, const composed_part *p, double *P)
{
    double *M = cs_alloc(2 * STATES * STATES, sizeof *M), total = 0;
    double *power = M + STATES * STATES;
    assert_non_null(M);
    for (size_t i = 0; i < p->n_inside; i++)
        total += p->inside[i].weight;
    if (is_mixture(p))
        memset(P, 0, STATES * STATES * sizeof *P);
    else
        be_one(P);
    for (size_t a = 0; !p->inside && a < STATES; a++)
        member_row(w, p, a, P + a * STATES);
    for (size_t i = 0; i < p->n_inside; i++) {
        const composed_part *q = &p->inside[i];
        composed_matrix(w, q, M);
        if (!is_mixture(p)) {
            apply(P, M, q->times);
            continue;
        }
        be_one(power);
        apply(power, M, q->times);
        for (size_t at = 0; at < STATES * STATES; at++)
            P[at] += q->weight / total * power[at];
    }
    assert_true(variance_of(w, P) < 1e-12);
    cs_free(M);
}

/* ---- steps ---- */

static cs_block *make_block(cs_target *t, const cs_kernel *k, size_t live)
{
    cs_block *b;
    assert_int_equal(cs_kernel_fits(k, t, NULL), CS_OK);
    assert_int_equal(cs_block_create(&b, t, k, 3, 0, live, NULL, 0, NULL),
                     CS_OK);
    return b;
}

cs_block *composed_chains(cs_target *t, const cs_kernel *k, size_t live,
                          const double *const *start)
{
    cs_block *b = make_block(t, k, live);
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    return b;
}

/* Runs half of the steps twice from a saved block, and compares the ends. */
static void compare_loaded(cs_block *b, uint64_t steps)
{
    size_t words = b->slab_words * b->lanes;
    double *half = cs_alloc(words, sizeof *half);
    double *end = cs_alloc(words, sizeof *end);
    cs_block_run(b, NULL, steps / 2, NULL);
    cs_block_save(b, half);
    cs_block_run(b, NULL, steps / 2, NULL);
    cs_block_save(b, end);
    cs_block_load(b, half);
    b->step = steps / 2;
    cs_block_run(b, NULL, steps / 2, NULL);
    assert_memory_equal(b->slab, end, words * sizeof *b->slab);
    CS_FREE_ALL(half, end);
}

void composed_compare_blocks(cs_target *t, const cs_kernel *k,
                             const double (*x)[COMPOSED_DIM])
{
    enum { MANY = 40 };
    const double *start[COMPOSED_LIVE];
    for (size_t l = 0; l < COMPOSED_LIVE; l++)
        start[l] = x[l];
    cs_block *b = composed_chains(t, k, COMPOSED_LIVE, start), *alone;
    compare_loaded(b, MANY);
    for (size_t l = 0; l < COMPOSED_LIVE; l++) {
        assert_int_equal(cs_block_create(&alone, t, k, 3, l, 1, NULL, 0, NULL),
                         CS_OK);
        assert_int_equal(cs_block_start(alone, &start[l], NULL), CS_OK);
        cs_block_run(alone, NULL, MANY, NULL);
        for (size_t i = 0; i < COMPOSED_DIM; i++)
            assert_true(alone->move.x[i * alone->lanes] ==
                        b->move.x[i * b->lanes + l]);
        cs_block_destroy(alone);
    }
    cs_block_destroy(b);
}

double composed_frequencies_at(const composed_whole *w, const cs_kernel *k,
                               const double *P, const double *power)
{
    static double count[STATES * STATES];
    const double *start[CHAINS];
    size_t from[CHAINS];
    memset(count, 0, sizeof count);
    for (size_t l = 0; l < CHAINS; l++)
        start[l] = w->x[from[l] = l % STATES];
    cs_block *b = make_block(w->t, k, CHAINS);
    b->eval.power = power;
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    for (size_t s = 0; s < STEPS; s++) {
        assert_int_equal(cs_block_run(b, NULL, 1, NULL), 1);
        for (size_t l = 0; l < CHAINS; l++) {
            size_t to = cs_space_index(&w->t->space, b->move.x + l, b->lanes);
            count[from[l] * STATES + to]++;
            from[l] = to;
            assert_near(b->move.info.logp[l], w->logp[to], 1e-10, 1e-10);
        }
    }
    cs_block_destroy(b);
    double least = 1;
    for (size_t a = 0; a < STATES; a++)
        least = fmin(least, cs_check_cells_p(count + a * STATES, P + a * STATES,
                                             STATES));
    return least * STATES;
}

double composed_frequencies(const composed_whole *w, const cs_kernel *k,
                            const double *P)
{
    return composed_frequencies_at(w, k, P, NULL);
}
