/* Tests lattice models. A sweep resamples all sites, either many sites at once
 * as bits of words, or one site at a time. Both kinds of sweep are compared
 * with brute-force matrices and known values. */
#include "support/support.h"

#include "base/memory.h"
#include "chain/block.h"
#include "target/enumeration.h"
#include "target/eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 32 };

static cs_value number(const char *name, double value)
{
    return (cs_value){.name = name, .kind = CS_PARAM_REAL, .number = value};
}

static cs_value whole(const char *name, double value)
{
    return (cs_value){.name = name, .kind = CS_PARAM_INT, .number = value};
}

static cs_value word(const char *name, const char *text)
{
    return (cs_value){.name = name, .kind = CS_PARAM_TEXT, .text = text};
}

static cs_target *make(const char *name, const cs_value *given, size_t n)
{
    cs_target *t;
    cs_error err = {0};
    if (cs_target_create(cs_target_find(name), given, n, &t, &err) != CS_OK)
        fail_msg("%s: %s", name, err.what);
    return t;
}

/* Chains that are moved only by resampling. */
typedef struct chains {
    cs_target *t;
    cs_eval e;
    cs_streams s;
    uint64_t chain[LANES];
    size_t live, lanes;
    double *x, *scratch;
    bool moved[LANES];
} chains;

static chains *chains_of(cs_target *t, size_t live, uint64_t seed)
{
    chains *c = cs_alloc(1, sizeof *c);
    c->t = t;
    c->live = live;
    c->lanes = cs_pad_lanes(live);
    for (size_t l = 0; l < c->lanes; l++)
        c->chain[l] = l < live ? l : live - 1;
    c->s = cs_streams_of(seed, 0, c->chain, c->lanes, live);
    c->x = cs_alloc(t->space.dim * c->lanes, sizeof(double));
    c->scratch = cs_alloc(t->resample_words * c->lanes, sizeof(double));
    cs_eval_open(&c->e, t, c->lanes, live, NULL, NULL);
    return c;
}

static void resample(chains *c, size_t times)
{
    c->s.step++;
    cs_eval_resample(&c->e, &c->s, times, c->scratch, c->x, c->moved);
}

static void chains_free(chains *c)
{
    cs_free(c->x);
    cs_free(c->scratch);
    cs_free(c);
}

static void put(const chains *c, size_t l, size_t index)
{
    double x[16];
    cs_space_state(&c->t->space, index, x);
    for (size_t i = 0; i < c->t->space.dim; i++)
        c->x[i * c->lanes + l] = x[i];
}

static size_t index_of(const chains *c, size_t l)
{
    double x[16];
    for (size_t i = 0; i < c->t->space.dim; i++)
        x[i] = c->x[i * c->lanes + l];
    return cs_space_index(&c->t->space, x, 1);
}

/* ---- the law of one sweep ------------------------------------------------ */

/* Computes row[states], the distribution after one sweep from state a. The
 * sites are resampled in `order`, by the weights of all values of the site. */
static void sweep_row(const cs_target *t, size_t a, const size_t *order,
                      double *row)
{
    size_t n = (size_t)cs_space_states(&t->space), dim = t->space.dim;
    double *next = cs_alloc(n, sizeof *next), x[16], logp[8];
    memset(row, 0, n * sizeof *row);
    row[a] = 1;
    for (size_t k = 0; k < dim; k++) {
        memset(next, 0, n * sizeof *next);
        for (size_t s = 0; s < n; s++) {
            double sum = 0;
            if (row[s] == 0)
                continue;
            cs_space_state(&t->space, s, x);
            for (int v = 0; v < t->space.values; v++) {
                x[order[k]] = v;
                assert_true(cs_enumeration_evaluate(t, x, 1, &logp[v]));
                sum += logp[v] = exp(logp[v]);
            }
            for (int v = 0; v < t->space.values; v++) {
                x[order[k]] = v;
                next[cs_space_index(&t->space, x, 1)] += row[s] * logp[v] / sum;
            }
        }
        memcpy(row, next, n * sizeof *row);
    }
    cs_free(next);
}

/* Returns the distance between counts and probabilities: chi-square minus its
 * mean, in standard deviations. Small cells are pooled. */
static double astray(const double *count, const double *p, size_t n,
                     double total)
{
    double chi = 0, rest = 0, rest_count = 0;
    int cells = 0;
    for (size_t b = 0; b < n; b++) {
        if (total * p[b] < 10) {
            rest += total * p[b];
            rest_count += count[b];
            continue;
        }
        chi += pow(count[b] - total * p[b], 2) / (total * p[b]);
        cells++;
    }
    if (rest > 10) {
        chi += pow(rest_count - rest, 2) / rest;
        cells++;
    }
    return cells > 1 ? (chi - (cells - 1)) / sqrt(2.0 * (cells - 1)) : 0;
}

/* For some initial states, compares the distribution after one sweep with the
 * counts of many simulated sweeps. Returns the largest distance. */
static double sweep_error(const cs_target *ref, cs_target *t,
                          const size_t *order, uint64_t seed)
{
    enum { TIMES = 2000, STARTS = 3 };
    size_t n = (size_t)cs_space_states(&t->space);
    double *row = cs_alloc(2 * n, sizeof *row), *count = row + n, worst = 0;
    chains *c = chains_of(t, LANES - 1, seed);
    for (size_t a = 0; a < STARTS; a++) {
        size_t from = a * (n - 1) / (STARTS - 1);
        sweep_row(ref, from, order, row);
        memset(count, 0, n * sizeof *count);
        for (int k = 0; k < TIMES; k++) {
            for (size_t l = 0; l < c->lanes; l++)
                put(c, l, from);
            resample(c, 1);
            for (size_t l = 0; l < c->live; l++) {
                size_t to = index_of(c, l);
                count[to]++;
                assert_int_equal(c->moved[l], to != from);
            }
        }
        worst = fmax(worst, astray(count, row, n, TIMES * (double)c->live));
    }
    chains_free(c);
    cs_free(row);
    return worst;
}

/* Fills in the order of the sites: by the colours of a checkerboard, or one
 * site after another. */
static void order_of(size_t cols, size_t dim, bool colours, size_t *order)
{
    size_t k = 0;
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < dim; i++)
            if (!colours ? c == 0 : (i / cols + i % cols) % 2 == c)
                order[k++] = i;
}

static void bits_follow_the_law(void **state)
{
    (void)state;
    static const double sides[][2] = {{2, 2}, {2, 4}, {4, 2}, {2, 6}};
    for (size_t k = 0; k < 4; k++) {
        size_t order[16];
        cs_value v[] = {
            whole("rows", sides[k][0]), whole("cols", sides[k][1]),
            number("beta", 0.35), number("field", 0.3),
            word("coupling", k % 2 ? "antiferromagnet" : "ferromagnet")};
        cs_target *t = make("ising", v, 5);
        order_of((size_t)sides[k][1], t->space.dim, true, order);
        assert_true(sweep_error(t, t, order, k) < 6);
        cs_target_release(t);
    }
}

static void sites_follow_the_law(void **state)
{
    (void)state;
    size_t order[16];
    cs_value odd[] = {whole("rows", 3), number("beta", 0.5),
                      number("field", -0.2), word("coupling", "normal")};
    cs_value potts[] = {whole("rows", 2), whole("cols", 3), whole("values", 3),
                        number("field", 0.4), word("coupling", "signs")};
    cs_target *t = make("ising", odd, 4);
    order_of(3, 9, false, order);
    assert_true(sweep_error(t, t, order, 5) < 6);
    cs_target_release(t);
    t = make("potts", potts, 5);
    order_of(3, 6, false, order);
    assert_true(sweep_error(t, t, order, 6) < 6);
    cs_target_release(t);
}

/* ---- given graphs -------------------------------------------------------- */

/* Graphs of two kinds. In the first kind each site has one to five neighbours
 * with equal weights. In the second kind a site has one to eight neighbours
 * with two or more distinct weights. For some sites the program looks up the
 * sum of the weights, for others it computes the sum. */
static const char *const graphs[] = {
    "6 8\n1 2\n1 3\n1 4\n1 5\n1 6\n2 3\n3 4\n4 5\n",
    "6 7\n1 2 -1\n1 3 1\n1 4 1\n1 5 1\n2 3 -1\n4 5 -1\n5 6 1\n",
    "9 9\n1 2 .1\n1 3 .2\n1 4 -.3\n1 5 .4\n1 6 .5\n1 7 .6\n1 8 -.7\n"
    "1 9 .8\n2 3 .9\n",
    "4 4\n1 2 900\n2 3 -900\n3 4 .5\n1 4 -.25\n"};

static cs_value a_graph(size_t k)
{
    static const char path[] = "lattices.tmp";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(graphs[k], file);
    fclose(file);
    return (cs_value){
        .name = "file", .kind = CS_PARAM_TEXT, .text = path, .given = true};
}

static void graphs_follow_the_law(void **state)
{
    (void)state;
    static const char *const names[] = {"ising", "max_cut", "quadratic"};
    size_t order[16];
    order_of(1, 16, false, order);
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        cs_value v[] = {a_graph(k), number("beta", 0.4), number("field", 0.3)};
        for (size_t i = 0; i < 3; i++) {
            cs_target *t = make(names[i], v, i == 0 ? 3 : 2);
            assert_true(sweep_error(t, t, order, 3 * k + i) < 6);
            cs_target_release(t);
        }
        cs_value p[] = {v[0], v[1], v[2], whole("values", k == 2 ? 2 : 3)};
        cs_target *t = make("potts", p, 4);
        assert_true(sweep_error(t, t, order, k) < 6);
        cs_target_release(t);
    }
    remove("lattices.tmp");
}

/* Three faults must be detected: a wrong temperature, a wrong order of the
 * sites, and a neighbour on the wrong side. */
static void wrong_laws_are_noticed(void **state)
{
    (void)state;
    size_t order[16];
    cs_value v[] = {whole("rows", 2), whole("cols", 4), number("beta", 0.35)};
    cs_value w[] = {whole("rows", 2), whole("cols", 4), number("beta", 0.37)};
    cs_value other[] = {whole("rows", 4), whole("cols", 2),
                        number("beta", 0.35)};
    cs_target *t = make("ising", v, 3), *warm = make("ising", w, 3);
    cs_target *turned = make("ising", other, 3);
    order_of(4, 8, true, order);
    assert_true(sweep_error(t, t, order, 1) < 6);
    assert_true(sweep_error(warm, t, order, 1) > 6);
    assert_true(sweep_error(turned, t, order, 1) > 6);
    order_of(4, 8, false, order);
    assert_true(sweep_error(t, t, order, 1) > 6);
    cs_target_release(t);
    cs_target_release(warm);
    cs_target_release(turned);
    cs_value cold[] = {a_graph(1), number("beta", 0.4)};
    cs_value hot[] = {cold[0], number("beta", 0.37)};
    t = make("ising", cold, 2);
    warm = make("ising", hot, 2);
    assert_true(sweep_error(t, t, order, 1) < 6);
    assert_true(sweep_error(warm, t, order, 1) > 6);
    cs_target_release(t);
    cs_target_release(warm);
    remove("lattices.tmp");
}

/* ---- the same chains in any block ---------------------------------------- */

static void assert_moved(const chains *c, const double *before)
{
    for (size_t l = 0; l < c->lanes; l++) {
        bool differs = false;
        for (size_t k = l; k < c->t->space.dim * c->lanes; k += c->lanes)
            differs |= c->x[k] != before[k];
        assert_int_equal(c->moved[l], differs);
    }
}

static void a_chain_is_the_same_in_any_block(void **state)
{
    (void)state;
    cs_value torus[] = {whole("rows", 6), whole("cols", 34)};
    cs_value open[] = {whole("rows", 5)};
    cs_value potts[] = {whole("rows", 4), whole("values", 5)};
    cs_value uneven = a_graph(2);
    cs_target *t[] = {make("ising", torus, 2), make("ising", open, 1),
                      make("potts", potts, 2), make("ising", &uneven, 1)};
    for (size_t k = 0; k < 4; k++) {
        chains *one = chains_of(t[k], 1, 3), *many = chains_of(t[k], 20, 3);
        for (int step = 0; step < 9; step++) {
            size_t sweeps = step % 3 ? 40 : 1;
            double before[LANES * 256];
            memcpy(before, many->x, t[k]->space.dim * many->lanes * 8);
            resample(one, sweeps);
            resample(many, sweeps);
            assert_moved(many, before);
        }
        for (size_t i = 0; i < t[k]->space.dim; i++)
            assert_true(one->x[i * one->lanes] == many->x[i * many->lanes]);
        chains_free(one);
        chains_free(many);
        cs_target_release(t[k]);
    }
    remove("lattices.tmp");
}

/* ---- known values -------------------------------------------------------- */

/* Measures the mean energy -<s s'> per site and the mean |m|, where m is the
 * magnetisation. */
static void measure(size_t side, double beta, double *energy, double *m)
{
    cs_value v[] = {whole("rows", (double)side), number("beta", beta)};
    cs_target *t = make("ising", v, 2);
    chains *c = chains_of(t, 1, 9);
    double sum_logp = 0, sum_m = 0;
    enum { WARM = 200, STEPS = 1000 };
    for (size_t i = 0; i < t->space.dim * c->lanes; i++)
        c->x[i] = 1;
    for (int k = -WARM; k < STEPS; k++) {
        resample(c, 10);
        double ups = 0, logp = 0;
        for (size_t i = 0; i < side * side; i++) {
            size_t r = i / side, j = i % side;
            double s = 2 * c->x[i * 8] - 1;
            logp -= s * (2 * c->x[(r * side + (j + 1) % side) * 8] - 1) +
                    s * (2 * c->x[((r + 1) % side * side + j) * 8] - 1);
            ups += s;
        }
        if (k >= 0) {
            sum_logp += logp / (double)(side * side);
            sum_m += fabs(ups) / (double)(side * side);
        }
    }
    *energy = sum_logp / STEPS;
    *m = sum_m / STEPS;
    chains_free(c);
    cs_target_release(t);
}

/* Compares with Onsager's energy -coth(2 b) (1 + (2/pi) (2 tanh^2(2 b) - 1)
 * K(k)), k = 2 sinh(2 b) / cosh^2(2 b). The energy is -1.745565 at b = 0.5 and
 * -0.704258 at b = 0.3. Onsager's m = (1 - sinh^-4(2 b))^(1/8) is 0.911319 at b
 * = 0.5. In the disordered phase |m| of 64 x 64 spins is 0.0335 according to
 * another program. */
static void known_figures_come_out(void **state)
{
    (void)state;
    double energy, m;
    measure(64, 0.5, &energy, &m);
    assert_near(energy, -1.745565, 0, 1.5e-3);
    assert_near(m, 0.911319, 0, 3e-3);
    measure(64, 0.3, &energy, &m);
    assert_near(energy, -0.704258, 0, 1.5e-3);
    assert_near(m, 0.0335, 0, 1.5e-3);
}

/* ---- potts --------------------------------------------------------------- */

/* A Potts model with two values at beta is an Ising model at beta / 2. */
static void two_values_are_ising(void **state)
{
    (void)state;
    cs_value p[] = {whole("rows", 3), whole("values", 2), number("beta", 0.8),
                    word("coupling", "normal")};
    cs_value s[] = {whole("rows", 3), number("beta", 0.4),
                    word("coupling", "normal")};
    cs_target *potts = make("potts", p, 4), *ising = make("ising", s, 3);
    double x[9], logp[2], first = 0;
    for (size_t k = 0; k < 512; k++) {
        cs_space_state(&ising->space, k, x);
        assert_true(cs_enumeration_evaluate(potts, x, 1, &logp[0]));
        assert_true(cs_enumeration_evaluate(ising, x, 1, &logp[1]));
        first = k ? first : logp[0] - logp[1];
        assert_near(logp[0] - logp[1], first, 0, 1e-12);
    }
    cs_target_release(potts);
    cs_target_release(ising);
}

static void rows_and_rings_are_summed(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        cs_value v[] = {
            whole("rows", k < 5 ? 1 : 2),
            whole("cols", k < 5 ? 2 + k : 1),
            whole("values", 3),
            number("beta", 0.9),
            {.name = "periodic", .kind = CS_PARAM_BOOL, .number = k % 2},
            word("coupling", k % 3 ? "ferromagnet" : "antiferromagnet")};
        cs_target *t = make("potts", v, 6);
        double x[16], logp, sum = 0;
        for (size_t s = 0; s < (size_t)cs_space_states(&t->space); s++) {
            cs_space_state(&t->space, s, x);
            assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
            sum += exp(logp);
        }
        assert_near(t->exact.log_z, log(sum), 1e-12, 0);
        cs_target_release(t);
    }
}

/* With ten thousand sites and a thousand chains, each chain of any kernel needs
 * the memory of only a few states. If a step changes a single site, no default
 * probe reads the whole state after the step. */
static void large_lattices_are_ordinary(void **state)
{
    (void)state;
    static const char *const kernels[] = {
        "gibbs", "block_gibbs", "swendsen_wang",    "wolff",  "dmala",
        "gwg",   "any_scale",   "locally_balanced", "edmala", "hamming_ball"};
    cs_value v[] = {whole("rows", 100)};
    cs_target *t = make("ising", v, 1), *small = make("ising", NULL, 0);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        cs_kernel kernel;
        assert_int_equal(
            cs_kernel_init(&kernel, cs_kernel_find(kernels[k]), NULL, 0, NULL),
            CS_OK);
        assert_int_equal(cs_kernel_fits(&kernel, t, NULL), CS_OK);
        assert_true(cs_block_lane_words(t, &kernel, NULL, 0) <
                    12 * t->space.dim);
    }
    const cs_probe_type *type;
    for (size_t k = 0; (type = cs_probe_at(k)); k++) {
        assert_true(cs_probe_usual(type, small) == 1);
        assert_true(cs_probe_usual(type, t) == (type->whole ? 39 : 1));
    }
    assert_true(cs_probe_find("modes")->whole);
    cs_target_release(t);
    cs_target_release(small);
}

/* On a three-dimensional torus each site has two bonds along each axis. */
static void a_torus_has_six_neighbours(void **state)
{
    enum { SIDE = 3, SITES = SIDE * SIDE * SIDE };
    const cs_value given[] = {whole("layers", SIDE), whole("rows", SIDE),
                              whole("cols", SIDE)};
    cs_target *t = make("ising", given, 3);
    (void)state;
    for (int i = 0; i < SITES; i++) {
        bool wanted[SITES] = {false};
        int at[3] = {i / 9, i / 3 % 3, i % 3};
        for (int axis = 0; axis < 3; axis++)
            for (int by = 1; by < SIDE; by++) {
                int to[3] = {at[0], at[1], at[2]};
                to[axis] = (at[axis] + by) % SIDE;
                wanted[9 * to[0] + 3 * to[1] + to[2]] = true;
            }
        cs_site_bonds bonds = t->type->sites.bonds(t, (size_t)i);
        assert_int_equal(bonds.n, 6);
        for (size_t k = 0; k < bonds.n; k++) {
            assert_true(wanted[bonds.other[k]]);
            wanted[bonds.other[k]] = false;
        }
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_torus_has_six_neighbours),
    cmocka_unit_test(bits_follow_the_law),
    cmocka_unit_test(sites_follow_the_law),
    cmocka_unit_test(graphs_follow_the_law),
    cmocka_unit_test(wrong_laws_are_noticed),
    cmocka_unit_test(a_chain_is_the_same_in_any_block),
    cmocka_unit_test(known_figures_come_out),
    cmocka_unit_test(two_values_are_ising),
    cmocka_unit_test(rows_and_rings_are_summed),
    cmocka_unit_test(large_lattices_are_ordinary),
};
TESTS(test_lattices)
