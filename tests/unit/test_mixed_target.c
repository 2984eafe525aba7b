/* Tests traced targets of mixed spaces: the gradient by real coordinates, the
 * slopes by discrete ones, and exact differences of every site. */
#include "support/support.h"

#include "base/memory.h"
#include "simd/simd.h"
#include "tape/expression_target.h"
#include "tape/outputs.h"
#include "target/eval.h"
#include "target/part_window.h"

#include <math.h>
#include <string.h>

enum {
    LANES = CS_PAD,
    LABELS = 3,
    SITES = 6,
    MU = 0,
    Z = MU + LABELS,
    K = Z + SITES,
    S = K + 1,
    B = S + 1,
    DIM = B + 2
};

/* mu[3] real, z[6] labels, k from -2 to 7, s real, b[2] bits */
static const cs_part parts[] = {
    {.name = "mu", .kind = CS_CONTINUOUS, .first = MU, .dim = LABELS},
    {.name = "z",
     .kind = CS_CATEGORICAL,
     .first = Z,
     .dim = SITES,
     .low = 1,
     .values = LABELS},
    {.name = "k",
     .kind = CS_ORDINAL,
     .first = K,
     .dim = 1,
     .low = -2,
     .values = 10},
    {.name = "s", .kind = CS_CONTINUOUS, .first = S, .dim = 1},
    {.name = "b", .kind = CS_BINARY, .first = B, .dim = 2, .values = 2}};
static const cs_space space = {
    .kind = CS_MIXED, .dim = DIM, .n_parts = 5, .part = parts};

static const double y[SITES] = {-2.1, 0.3, 0.9, 1.7, 2.2, -0.4};
static const double table[10] = {0.1, 1, -2, 0.5, 3, 1, -1, 0.2, 0.7, 2};

/* Returns log p by its definition. */
static double define(const double *x)
{
    double logp = -0.1 * x[S] * x[S] + x[S] * table[(int)x[K] + 2] +
                  0.3 * x[B] - 0.8 * x[B] * x[B + 1];
    for (int i = 0; i < LABELS; i++)
        logp -= 0.05 * x[i] * x[i];
    for (int i = 0; i < SITES; i++) {
        double off = y[i] - x[(int)x[Z + i] - 1];
        logp -= 0.5 * exp(-0.2 * x[S]) * off * off;
        if (i > 0)
            logp += x[Z + i] == x[Z + i - 1] ? 0.7 : x[B];
    }
    return logp;
}

static cs_node slice(cs_graph *g, size_t first, size_t n)
{
    return cs_graph_slice(g, cs_graph_input(g), first, n);
}

static cs_node op(cs_graph *g, cs_op o, cs_node a, cs_node b)
{
    return cs_graph_op2(g, o, a, b);
}

static cs_node scaled(cs_graph *g, double k, cs_node a)
{
    return op(g, CS_OP_MUL, cs_graph_number(g, k), a);
}

/* Adds the terms of site i, as a loop of a script does. */
static cs_node site_terms(cs_graph *g, size_t i, cs_node logp)
{
    cs_node z = slice(g, Z + i, 1), s = slice(g, S, 1);
    cs_node off = op(g, CS_OP_SUB, cs_graph_number(g, y[i]),
                     cs_graph_pick(g, slice(g, MU, LABELS), z));
    cs_node w = cs_graph_op1(g, CS_OP_EXP, scaled(g, -0.2, s));
    logp = op(g, CS_OP_SUB, logp,
              op(g, CS_OP_MUL, scaled(g, 0.5, w), op(g, CS_OP_MUL, off, off)));
    if (i == 0)
        return logp;
    cs_node same = cs_graph_same(g, z, slice(g, Z + i - 1, 1));
    return op(g, CS_OP_ADD, logp,
              cs_graph_op3(g, CS_OP_WHERE, same, cs_graph_number(g, 0.7),
                           slice(g, B, 1)));
}

static cs_target *make(void)
{
    cs_graph *g;
    cs_target *t;
    cs_error err;
    assert_int_equal(cs_graph_create(DIM, 10000, &g, &err), CS_OK);
    assert_true(cs_tape_set_ranges(g, &space));
    cs_node s = slice(g, S, 1), mu = slice(g, MU, LABELS);
    cs_node b = slice(g, B, 1), c = slice(g, B + 1, 1);
    cs_node at = op(g, CS_OP_ADD, slice(g, K, 1), cs_graph_number(g, 3));
    cs_node row = cs_graph_pick(g, cs_graph_vector(g, table, 10), at);
    cs_node logp = op(g, CS_OP_ADD, scaled(g, -0.1, op(g, CS_OP_MUL, s, s)),
                      op(g, CS_OP_MUL, s, row));
    logp = op(g, CS_OP_ADD, logp, scaled(g, 0.3, b));
    logp = op(g, CS_OP_SUB, logp, scaled(g, 0.8, op(g, CS_OP_MUL, b, c)));
    logp = op(
        g, CS_OP_SUB, logp,
        scaled(g, 0.05, cs_graph_op1(g, CS_OP_SUM, op(g, CS_OP_MUL, mu, mu))));
    for (size_t i = 0; i < SITES; i++)
        logp = site_terms(g, i, logp);
    assert_int_equal(cs_tape_target_create(g, logp, &space, &t, &err), CS_OK);
    return t;
}

/* The states, and an evaluator of the whole. */
typedef struct fixture {
    cs_target *t;
    cs_eval e;
    double *x, *logp, *out, *scratch;
} fixture;

static fixture open_fixture(void)
{
    fixture f = {.t = make()};
    f.x = cs_alloc(DIM * LANES, sizeof *f.x);
    f.logp = cs_alloc(LANES, sizeof *f.x);
    f.out = cs_alloc(DIM * LANES, sizeof *f.x);
    f.scratch = cs_alloc(cs_eval_scratch_words(f.t) * LANES, sizeof *f.x);
    cs_eval_open(&f.e, f.t, LANES, LANES, NULL, f.scratch);
    for (size_t i = 0; i < DIM; i++)
        for (size_t l = 0; l < LANES; l++) {
            cs_part p = cs_space_part(&space, i);
            double u = (double)((i * 31 + l * 17 + i * l) % 23) / 23;
            f.x[i * LANES + l] = p.kind == CS_CONTINUOUS
                                     ? 4 * u - 2
                                     : p.low + floor(u * p.values);
        }
    return f;
}

static void close_fixture(fixture *f)
{
    CS_FREE_ALL(f->x, f->logp, f->out, f->scratch);
    cs_target_release(f->t);
}

static double at_lane(const fixture *f, size_t l, size_t i, double value)
{
    double x[DIM];
    for (size_t d = 0; d < DIM; d++)
        x[d] = f->x[d * LANES + l];
    x[i] = value;
    return define(x);
}

static void the_real_gradient_is_that_of_numbers(void **state)
{
    (void)state;
    fixture f = open_fixture();
    assert_string_equal(f.t->space.part[1].name, "z");
    assert_true(f.t->space.part != parts); /* the target has its own copy */
    cs_eval_gradient(&f.e, CS_NOW, f.x, f.logp, f.out);
    for (size_t l = 0; l < LANES; l++)
        for (size_t i = 0; i < DIM; i++) {
            double x = f.x[i * LANES + l], h = 1e-5;
            assert_near(f.logp[l], at_lane(&f, l, i, x), 1e-13, 1e-13);
            if (cs_space_is_whole(&space, i)) {
                assert_true(f.out[i * LANES + l] == 0);
                continue;
            }
            double want =
                (at_lane(&f, l, i, x + h) - at_lane(&f, l, i, x - h)) / (2 * h);
            assert_near(f.out[i * LANES + l], want, 1e-8, 1e-8);
        }
    close_fixture(&f);
}

/* Lanes ask for sites with different numbers of values. */
static void differences_are_exact_at_every_site(void **state)
{
    (void)state;
    fixture f = open_fixture();
    double *d = cs_alloc(10 * LANES, sizeof *d);
    assert_non_null(f.t->type->sites.site);
    cs_eval_log_density(&f.e, CS_NOW, f.x, f.logp);
    for (uint32_t round = 0; round < DIM; round++) {
        uint32_t site[LANES];
        static const uint32_t all[] = {Z,     Z + 1, Z + 2, Z + 3, Z + 4,
                                       Z + 5, K,     B,     B + 1};
        for (uint32_t l = 0; l < LANES; l++)
            site[l] = round < 9 ? all[(round + l) % 9] : all[round % 9];
        cs_eval_site(&f.e, f.x, f.logp, site, d);
        for (size_t l = 0; l < LANES; l++) {
            cs_part p = cs_space_part(&space, site[l]);
            for (int v = 0; v < p.values; v++) {
                double want = at_lane(&f, l, site[l], p.low + v) - f.logp[l];
                assert_near(d[(size_t)v * LANES + l], want, 1e-11, 1e-11);
            }
        }
    }
    cs_free(d);
    close_fixture(&f);
}

/* The difference of a site costs the terms that read it. */
static void sites_have_programs_of_their_own(void **state)
{
    (void)state;
    fixture f = open_fixture();
    cs_tape_inside in;
    assert_true(cs_tape_target_inside(f.t, &in));
    assert_int_equal(in.locals->n_sites, SITES + 3);
    for (size_t i = 0; i < DIM; i++)
        assert_int_equal(in.locals->at[i].program != NULL,
                         cs_space_is_whole(&space, i));
    /* z[2]: itself, two neighbours, three means, s and b[1] */
    assert_int_equal(in.locals->at[Z + 1].n_input, 8);
    assert_int_equal(in.locals->at[K].n_input, 2);
    /* z[2] ... z[5] differ in their data only */
    for (size_t i = 2; i < SITES - 1; i++) {
        assert_true(in.locals->at[Z + i].program ==
                    in.locals->at[Z + 1].program);
        assert_int_equal(in.locals->at[Z + i].n_constant, 1);
        assert_true(in.locals->at[Z + i].constant[0] == y[i]);
    }
    assert_int_equal(in.locals->n_programs, 6);
    close_fixture(&f);
}

/* Creates a target whose log density is 0.1 z[1] + 0.2 z[2] + ... where the
 * condition holds (2 if the condition reads a label, else 1 - s is positive),
 * and -infinity elsewhere. */
static cs_target *make_guarded(bool by_label)
{
    cs_graph *g;
    cs_target *t;
    cs_error err;
    double factor[SITES];
    for (size_t i = 0; i < SITES; i++)
        factor[i] = 0.1 * (double)(i + 1);
    assert_int_equal(cs_graph_create(DIM, 10000, &g, &err), CS_OK);
    assert_true(cs_tape_set_ranges(g, &space));
    cs_node term =
        op(g, CS_OP_MUL, cs_graph_vector(g, factor, SITES), slice(g, Z, SITES));
    cs_node one = cs_graph_number(g, 1);
    cs_node holds = by_label
                        ? op(g, CS_OP_LE, slice(g, Z, 1), scaled(g, 2, one))
                        : op(g, CS_OP_LE, cs_graph_number(g, 0),
                             op(g, CS_OP_SUB, one, slice(g, S, 1)));
    cs_node logp =
        cs_graph_op3(g, CS_OP_WHERE, holds, cs_graph_op1(g, CS_OP_SUM, term),
                     cs_graph_number(g, -HUGE_VAL));
    assert_int_equal(cs_tape_target_create(g, logp, &space, &t, &err), CS_OK);
    return t;
}

/* A condition on real numbers does not join the terms below it. A condition on a
 * label does. */
static void conditions_on_real_numbers_keep_terms_apart(void **state)
{
    (void)state;
    _Alignas(64) double x[DIM * LANES] = {0};
    _Alignas(64) double logp[LANES];
    _Alignas(64) double d[10 * LANES];
    cs_tape_inside in;
    cs_target *t = make_guarded(true);
    assert_true(cs_tape_target_inside(t, &in));
    assert_true(!in.locals || in.locals->at[Z + 1].n_input == SITES);
    cs_target_release(t);
    t = make_guarded(false);
    assert_true(cs_tape_target_inside(t, &in));
    assert_non_null(in.locals);
    for (size_t i = 0; i < SITES; i++)
        assert_int_equal(in.locals->at[Z + i].n_input, 1);
    double *scratch = cs_alloc(cs_eval_scratch_words(t) * LANES, sizeof *x);
    uint32_t site[LANES];
    cs_eval e;
    cs_eval_open(&e, t, LANES, LANES, NULL, scratch);
    for (uint32_t l = 0; l < LANES; l++) {
        for (size_t i = 0; i < SITES; i++)
            x[(Z + i) * LANES + l] = (double)(1 + (l + i) % LABELS);
        x[S * LANES + l] = -0.5 * l;
        site[l] = Z + l % SITES;
    }
    cs_eval_log_density(&e, CS_NOW, x, logp);
    cs_eval_site(&e, x, logp, site, d);
    for (size_t l = 0; l < LANES; l++)
        for (size_t v = 0; v < LABELS; v++) {
            double change = (double)v + 1 - x[site[l] * LANES + l];
            assert_near(d[v * LANES + l],
                        0.1 * (double)(site[l] - Z + 1) * change, 1e-14, 1e-14);
        }
    cs_free(scratch);
    cs_target_release(t);
}

/* Checks that the colours of a target have each site once, and that a site of a
 * colour reads no other site of it. map[] has the coordinates in the fixture. */
static size_t check_colours(const cs_target *t, const cs_tape_inside *in,
                            const uint32_t *map, size_t n_sites)
{
    const uint32_t *site;
    size_t n, colours = 0, all = 0;
    bool seen[DIM] = {false};
    for (; (site = t->type->sites.colour(t, colours, &n)); colours++) {
        for (size_t i = 0; i < n; i++, all++) {
            uint32_t at = map ? map[site[i]] : site[i];
            const cs_site_program *p = &in->locals->at[at];
            assert_false(seen[at]);
            seen[at] = true;
            assert_int_equal(cs_space_part(&space, at).values,
                             cs_space_part(&t->space, site[0]).values);
            for (size_t j = 1; j < p->n_input; j++)
                for (size_t k = 0; k < n; k++)
                    assert_int_not_equal(p->input[j],
                                         map ? map[site[k]] : site[k]);
        }
    }
    assert_int_equal(all, n_sites);
    return colours;
}

/* The states of a chain have two colours; each pair of bits that share a term
 * has two, and an integer has one of its own, because its range differs. */
static void neighbours_have_different_colours(void **state)
{
    (void)state;
    fixture f = open_fixture();
    cs_tape_inside in;
    static const uint32_t labels[] = {Z, Z + 1, Z + 2, Z + 3, Z + 4, Z + 5},
                          apart[] = {Z, Z + 2, Z + 5};
    cs_target *w;
    assert_true(cs_tape_target_inside(f.t, &in));
    assert_int_equal(check_colours(f.t, &in, NULL, SITES + 3), 5);
    assert_int_equal(cs_part_window_create(f.t, labels, SITES, "z", &w, NULL),
                     CS_OK);
    assert_int_equal(check_colours(w, &in, labels, SITES), 2);
    cs_target_release(w);
    assert_int_equal(cs_part_window_create(f.t, apart, 3, "some", &w, NULL),
                     CS_OK);
    assert_int_equal(check_colours(w, &in, apart, 3), 2);
    cs_target_release(w);
    close_fixture(&f);
}

/* Compares the differences of the sites of all colours with those of each site.
 * map[] has the coordinates of a window in the fixture. */
static void compare_colours(fixture *f, cs_eval *e, const double *x,
                            const uint32_t *map)
{
    enum { STRIDE = 8 };
    double *d = cs_alloc(10 * STRIDE, sizeof *d);
    const uint32_t *site;
    size_t n;
    for (size_t k = 0; (site = e->target->type->sites.colour(e->target, k, &n));
         k++)
        for (size_t l = 0; l < LANES; l++) {
            cs_eval_sites(e, x, l, site, n, STRIDE, d);
            for (size_t i = 0; i < n; i++) {
                uint32_t at = map ? map[site[i]] : site[i];
                cs_part p = cs_space_part(&space, at);
                for (int v = 0; v < p.values; v++) {
                    double want = at_lane(f, l, at, p.low + v) - f->logp[l];
                    assert_near(d[(size_t)v * STRIDE + i], want, 1e-11, 1e-11);
                }
            }
        }
    cs_free(d);
}

static void colours_have_all_differences(void **state)
{
    (void)state;
    static const uint32_t apart[] = {Z, Z + 2, Z + 5};
    fixture f = open_fixture();
    cs_target *w;
    cs_eval e;
    cs_eval_log_density(&f.e, CS_NOW, f.x, f.logp);
    compare_colours(&f, &f.e, f.x, NULL);
    assert_int_equal(cs_part_window_create(f.t, apart, 3, "some", &w, NULL),
                     CS_OK);
    double *scratch =
        cs_alloc(cs_eval_scratch_words(w) * LANES, sizeof *scratch);
    double *x = cs_alloc(3 * LANES, sizeof *x),
           *around = cs_alloc(DIM * LANES, sizeof *around);
    memcpy(around, f.x, DIM * LANES * sizeof *around);
    cs_part_window_gather(cs_part_window_of(w), around, LANES, x);
    cs_eval_open(&e, w, LANES, LANES, NULL, scratch);
    e.around = around;
    e.now = x;
    compare_colours(&f, &e, x, apart);
    CS_FREE_ALL(scratch, x, around);
    cs_target_release(w);
    close_fixture(&f);
}

/* A target with many labels, whose terms have the data, the exponent and the
 * condition of a site. */
enum { MANY = 3000, MORE = LABELS + MANY };
typedef struct many {
    double data[MANY], exponent[MANY], seen[MANY];
} many;

static cs_target *make_many(many *m)
{
    const cs_part both[] = {{.kind = CS_CONTINUOUS, .dim = LABELS},
                            {.kind = CS_CATEGORICAL,
                             .first = LABELS,
                             .dim = MANY,
                             .low = 1,
                             .values = LABELS}};
    const cs_space wide = {
        .kind = CS_MIXED, .dim = MORE, .n_parts = 2, .part = both};
    cs_graph *g;
    cs_target *t;
    cs_error err;
    assert_int_equal(cs_graph_create(MORE, 10000, &g, &err), CS_OK);
    assert_true(cs_tape_set_ranges(g, &wide));
    for (size_t i = 0; i < MANY; i++) {
        m->data[i] = sin((double)i);
        m->exponent[i] = i % 2 ? 2 : 3;
        m->seen[i] = i % 3 != 0;
    }
    cs_node mu = cs_graph_pick(g, slice(g, 0, LABELS), slice(g, LABELS, MANY));
    cs_node off = op(g, CS_OP_SUB, cs_graph_vector(g, m->data, MANY), mu);
    cs_node term = op(g, CS_OP_POW, off, cs_graph_vector(g, m->exponent, MANY));
    term = cs_graph_op3(g, CS_OP_WHERE, cs_graph_vector(g, m->seen, MANY), term,
                        mu);
    cs_node logp = cs_graph_op1(g, CS_OP_SUM, term);
    assert_int_equal(cs_tape_target_create(g, logp, &wide, &t, &err), CS_OK);
    return t;
}

/* The number of programs does not grow with the number of sites. Exponents and
 * conditions that are constants remain constants of the programs. */
static void many_sites_have_few_programs(void **state)
{
    (void)state;
    static many m;
    cs_target *t = make_many(&m);
    cs_tape_inside in;
    assert_true(cs_tape_target_inside(t, &in));
    assert_int_equal(in.locals->n_programs, 4);
    double *x = cs_alloc((MORE + 1 + LABELS) * LANES, sizeof *x);
    double *now = x + MORE * LANES, *d = now + LANES;
    double *scratch = cs_alloc(cs_eval_scratch_words(t) * LANES, sizeof *x);
    uint32_t site[LANES];
    cs_eval e;
    cs_eval_open(&e, t, LANES, LANES, NULL, scratch);
    for (size_t i = 0; i < MORE * LANES; i++)
        x[i] = i < LABELS * LANES ? cos((double)i) : (double)(1 + i % LABELS);
    cs_eval_log_density(&e, CS_NOW, x, now);
    for (uint32_t l = 0; l < LANES; l++)
        site[l] = LABELS + 371 * l;
    cs_eval_site(&e, x, now, site, d);
    for (size_t l = 0; l < LANES; l++)
        for (size_t v = 0; v < LABELS; v++) {
            size_t i = site[l] - LABELS;
            double to = x[v * LANES + l];
            double from = x[((size_t)x[site[l] * LANES + l] - 1) * LANES + l];
            double want = m.seen[i] ? pow(m.data[i] - to, m.exponent[i]) -
                                          pow(m.data[i] - from, m.exponent[i])
                                    : to - from;
            assert_near(d[v * LANES + l], want, 1e-13, 1e-13);
        }
    cs_free(x);
    cs_free(scratch);
    cs_target_release(t);
}

/* A generated quantity has a part if it is a copy of a discrete coordinate. */
static void random_numbers_have_no_part(void **state)
{
    (void)state;
    static const char *const names[] = {"label", "random", "mean"};
    cs_target *t = make();
    cs_graph *g;
    cs_error err;
    cs_part part;
    assert_int_equal(cs_graph_create(DIM + 1, 1000, &g, &err), CS_OK);
    assert_true(cs_tape_set_ranges(g, &space));
    cs_node of[3] = {slice(g, Z + 1, 1), slice(g, DIM, 1), slice(g, MU, 1)};
    assert_int_equal(
        cs_tape_outputs(t, g, cs_graph_pack(g, of, 3), 1, names, &err), CS_OK);
    assert_true(cs_target_shown_part(t, 0, &part));
    assert_int_equal(part.values, LABELS);
    assert_false(cs_target_shown_part(t, 1, &part));
    assert_false(cs_target_shown_part(t, 2, &part));
    cs_target_release(t);
}

/* In a window of discrete coordinates, gradients are slopes. In k the density
 * is linear in the entry of the table. */
static void windows_of_sites_have_slopes(void **state)
{
    (void)state;
    fixture f = open_fixture();
    const uint32_t coordinate[1] = {K};
    cs_target *w;
    cs_error err;
    assert_int_equal(cs_part_window_create(f.t, coordinate, 1, "k", &w, &err),
                     CS_OK);
    double *scratch = cs_alloc(cs_eval_scratch_words(w) * LANES, sizeof *f.x);
    cs_eval e;
    cs_eval_open(&e, w, LANES, LANES, NULL, scratch);
    e.around = cs_alloc(DIM * LANES, sizeof *f.x);
    memcpy(e.around, f.x, DIM * LANES * sizeof *f.x);
    cs_eval_gradient(&e, CS_NOW, f.x + K * LANES, f.logp, f.out);
    for (size_t l = 0; l < LANES; l++) {
        double k = f.x[K * LANES + l], up = fmin(k + 1, 7),
               down = fmax(k - 1, -2);
        double want =
            (at_lane(&f, l, K, up) - at_lane(&f, l, K, down)) / (up - down);
        assert_near(f.out[l], want, 1e-12, 1e-12);
    }
    cs_free(e.around);
    cs_free(scratch);
    cs_target_release(w);
    close_fixture(&f);
}

/* All differences of a window, by one call, for several chains and for one. */
static void windows_have_all_differences(void **state)
{
    (void)state;
    static const struct {
        uint32_t coordinate[SITES];
        size_t n;
    } windows[] = {{{Z, Z + 1, Z + 2, Z + 3, Z + 4, Z + 5}, 6},
                   {{Z, Z + 2, Z + 5}, 3},
                   {{K}, 1},
                   {{B, B + 1}, 2},
                   {{B + 1}, 1}};
    fixture f = open_fixture();
    double *d = cs_alloc(SITES * 10 * LANES, sizeof *d);
    double *x = cs_alloc(SITES * LANES, sizeof *x);
    double *around = cs_alloc(DIM * LANES, sizeof *x);
    for (size_t k = 0; k < 2 * sizeof windows / sizeof *windows; k++) {
        size_t n = windows[k / 2].n, live = k % 2 ? 1 : LANES;
        const uint32_t *coordinate = windows[k / 2].coordinate;
        cs_target *w;
        assert_int_equal(
            cs_part_window_create(f.t, coordinate, n, "w", &w, NULL), CS_OK);
        assert_non_null(w->type->sites.several);
        double *scratch = cs_alloc(cs_eval_scratch_words(w) * LANES, sizeof *x);
        cs_eval e;
        cs_eval_open(&e, w, LANES, live, NULL, scratch);
        e.around = around;
        memcpy(around, f.x, DIM * LANES * sizeof *x);
        for (size_t i = 0; i < n; i++)
            memcpy(x + i * LANES, f.x + coordinate[i] * LANES,
                   LANES * sizeof *x);
        cs_eval_log_density(&e, CS_NOW, x, f.logp);
        uint64_t before = e.work.site_differences;
        cs_eval_neighbours(&e, CS_NOW, x, f.logp, d);
        assert_int_equal(e.work.site_differences - before, n * live);
        bool bits = w->space.kind == CS_BINARY;
        size_t values = (size_t)w->space.values, rows = bits ? 1 : values;
        for (size_t l = 0; l < live; l++)
            for (size_t i = 0; i < n; i++)
                for (size_t v = 0; v < rows; v++) {
                    double now = x[i * LANES + l];
                    double to = bits ? 1 - now : w->space.low + (double)v;
                    double want = at_lane(&f, l, coordinate[i], to) - f.logp[l];
                    assert_near(d[(i * rows + v) * LANES + l], want, 1e-11,
                                1e-11);
                }
        cs_free(scratch);
        cs_target_release(w);
    }
    CS_FREE_ALL(d, x, around);
    close_fixture(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_real_gradient_is_that_of_numbers),
    cmocka_unit_test(differences_are_exact_at_every_site),
    cmocka_unit_test(sites_have_programs_of_their_own),
    cmocka_unit_test(conditions_on_real_numbers_keep_terms_apart),
    cmocka_unit_test(neighbours_have_different_colours),
    cmocka_unit_test(colours_have_all_differences),
    cmocka_unit_test(many_sites_have_few_programs),
    cmocka_unit_test(random_numbers_have_no_part),
    cmocka_unit_test(windows_of_sites_have_slopes),
    cmocka_unit_test(windows_have_all_differences),
};
TESTS(test_mixed_target)
