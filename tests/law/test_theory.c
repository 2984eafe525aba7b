/* Tests lemma 1, theorems 1 and 2 and propositions 3 to 6 of Yuan and Wang 2026
 * on finite chains: random chains of algorithm 1, and the kernels on grids.
 * Each law detects a planted fault. */
#include "base/memory.h"
#include "support/small.h"
#include "support/support.h"
#include "theory/bounds.h"
#include "theory/exchange_grid.h"
#include "theory/minibatch.h"
#include "theory/table_chain.h"

#include <math.h>
#include <string.h>

/* ---- laws ---------------------------------------------------------------- */

typedef bool law(const cs_aux_theory *t);

/* Returns true if all four chains are reversible. This is stated by proposition
 * 2 and, for Barker's rule, by proposition 10. */
static bool is_reversible(const cs_aux_theory *t)
{
    double worst = t->imbalance;
    for (size_t i = CS_WITHIN; i < CS_AUX_KINDS; i++)
        worst = fmax(worst, cs_chain_imbalance(t->P[i], t->pi, t->n));
    return worst < 1e-14;
}

/* Returns true if the three chains have the order of lemma 1. */
static bool is_in_order(const cs_aux_theory *t)
{
    const cs_aux_bounds b = cs_aux_bounds_of(t);
    return b.excess_aux < 1e-13 && b.excess_within < 1e-13;
}

/* Returns true if two consequences of lemma 1 hold. The right spectral gaps
 * decrease in the order of the lemma, and the integrated autocorrelation time
 * of every function increases in this order. */
static bool is_slower(const cs_aux_theory *t)
{
    return t->gap[CS_AUX].right <= t->gap[CS_WITHIN].right + 1e-12 &&
           t->gap[CS_WITHIN].right <= t->gap[CS_IDEAL].right + 1e-12 &&
           t->time[CS_AUX] >= t->time[CS_WITHIN] * (1 - 1e-9) &&
           t->time[CS_WITHIN] >= t->time[CS_IDEAL] * (1 - 1e-9);
}

static bool keeps_theorem_1_tv(const cs_aux_theory *t)
{
    return cs_aux_bounds_of(t).slack_tv > 1 - 1e-9;
}

static bool keeps_theorem_1_kl(const cs_aux_theory *t)
{
    return cs_aux_bounds_of(t).slack_kl > 1 - 1e-9;
}

/* Returns true if theorem 2 holds for both the right and the absolute spectral
 * gap. */
static bool keeps_theorem_2(const cs_aux_theory *t)
{
    const cs_aux_bounds b = cs_aux_bounds_of(t);
    const cs_chain_gap aux = t->gap[CS_AUX], within = t->gap[CS_WITHIN];
    double factor = fmax(b.by_tv, b.by_kl);
    return b.by_tv >= b.by_kl && aux.right >= factor * within.right - 1e-12 &&
           aux.absolute >= factor * within.absolute - 1e-12;
}

static bool keeps_proposition_6(const cs_aux_theory *t)
{
    const cs_aux_bounds b = cs_aux_bounds_of(t);
    double within = t->gap[CS_WITHIN].absolute;
    return !t->given ||
           (within >= b.within_1 - 1e-12 && within >= b.within_2 - 1e-12);
}

static const struct {
    const char *name;
    law *holds;
} laws[] = {{"reversible", is_reversible},
            {"order", is_in_order},
            {"slower", is_slower},
            {"theorem 1, d_TV", keeps_theorem_1_tv},
            {"theorem 1, d_KL", keeps_theorem_1_kl},
            {"theorem 2", keeps_theorem_2},
            {"proposition 6", keeps_proposition_6}};
enum { LAWS = sizeof laws / sizeof *laws };

static void make(const cs_aux_chain *c, bool given, cs_aux_theory *t)
{
    cs_error err = {0};
    if (cs_aux_theory_make(c, given, t, &err))
        fail_msg("%s", err.what);
}

static void hold_all(const cs_aux_chain *c, bool given, const char *what)
{
    cs_aux_theory t;
    make(c, given, &t);
    for (size_t i = 0; i < LAWS; i++)
        if (!laws[i].holds(&t))
            fail_msg("%s: law %s does not hold", what, laws[i].name);
    cs_aux_theory_free(&t);
}

/* ---- random chains of algorithm 1 ---------------------------------------- */

enum { N = 5, N1 = 3, N2 = 4 };

typedef struct random_chain {
    double logp[N], f[N], first[N][N1], propose[N1][N][N], second[N1][N][N][N2];
    cs_chain_tables t;
} random_chain;

static void fill_row(double *p, size_t n, uint64_t *seed)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += p[i] = pow(small_uniform(seed), 3) + 1e-3;
    for (size_t i = 0; i < n; i++)
        p[i] /= total;
}

static void make_random(random_chain *r, uint64_t seed)
{
    for (size_t a = 0; a < N; a++) {
        r->logp[a] = 2 * small_normal(&seed);
        r->f[a] = small_normal(&seed);
        fill_row(r->first[a], N1, &seed);
    }
    for (size_t k = 0; k < N1; k++)
        for (size_t a = 0; a < N; a++) {
            fill_row(r->propose[k][a], N, &seed);
            for (size_t b = 0; b < N; b++) {
                fill_row(r->second[k][a][b], N2, &seed);
                /* A proposal is outside the space with probability 0.1. */
                r->propose[k][a][b] *= 0.9;
            }
        }
    r->t = (cs_chain_tables){.n = N,
                             .n1 = N1,
                             .n2 = N2,
                             .logp = r->logp,
                             .f = r->f,
                             .first = *r->first,
                             .propose = **r->propose,
                             .second = ***r->second};
}

static void random_chains(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        random_chain r;
        cs_aux_chain c;
        make_random(&r, seed);
        r.t.rule = seed % 2 ? CS_AUX_BARKER : CS_AUX_METROPOLIS;
        if (seed % 5 == 4) /* case 2 of algorithm 1 */
            r.t.second = NULL;
        assert_int_equal(cs_table_chain(&r.t, &c, NULL), CS_OK);
        hold_all(&c, true, "a random chain");
        cs_aux_chain_free(&c);
    }
}

/* Returns an index drawn with the given probabilities, or n with the remaining
 * probability. */
static size_t pick(const double *p, size_t n, uint64_t *seed)
{
    double u = small_uniform(seed);
    size_t i = 0;
    while (i < n && u >= p[i])
        u -= p[i++];
    return i;
}

/* Simulates the chain step by step, as algorithm 1 is written. Compares the
 * counts of its transitions with the transition matrix. */
static void drawn_chains_are_the_matrix(void **state)
{
    (void)state;
    enum { STEPS = 20000 };
    random_chain r;
    cs_aux_chain c;
    cs_aux_theory t;
    uint64_t seed = 11;
    make_random(&r, 3);
    assert_int_equal(cs_table_chain(&r.t, &c, NULL), CS_OK);
    make(&c, false, &t);
    for (size_t a = 0; a < N; a++) {
        double count[N] = {0};
        for (int n = 0; n < STEPS; n++) {
            size_t k = pick(r.first[a], N1 - 1, &seed);
            size_t b = pick(r.propose[k][a], N, &seed);
            double taken = 0;
            if (b < N) {
                size_t w = pick(r.second[k][a][b], N2 - 1, &seed);
                taken = t.pi[b] * r.first[b][k] * r.propose[k][b][a] *
                        r.second[k][b][a][w] /
                        (t.pi[a] * r.first[a][k] * r.propose[k][a][b] *
                         r.second[k][a][b][w]);
            }
            count[small_uniform(&seed) < taken ? b : a]++;
        }
        for (size_t b = 0; b < N; b++) {
            double p = t.P[CS_AUX][a * N + b];
            assert_near(count[b] / STEPS, p, 0,
                        5 * sqrt(p * (1 - p) / STEPS) + 1e-4);
        }
    }
    cs_aux_theory_free(&t);
    cs_aux_chain_free(&c);
}

/* ---- the kernels on grids ------------------------------------------------ */

enum { GRID = 15, ROWS = 3 };

typedef struct field {
    double prior[GRID], prior_slope[GRID], term[ROWS][GRID], slope[ROWS][GRID];
    cs_tall_grid g;
} field;

/* Creates robust regressions on `rows` rows. */
static void make_field(field *f, size_t rows)
{
    static const double at[ROWS] = {-1.2, 0.4, 2};
    f->g = (cs_tall_grid){GRID,     rows,           -2.8,     0.4,
                          f->prior, f->prior_slope, *f->term, *f->slope};
    for (size_t a = 0; a < GRID; a++) {
        double x = -2.8 + 0.4 * (double)a;
        f->prior[a] = -x * x / 8;
        f->prior_slope[a] = -x / 4;
        for (size_t i = 0; i < ROWS; i++) {
            double r = x - at[i];
            f->term[i][a] = -log1p(r * r / 2);
            f->slope[i][a] = -2 * r / (2 + r * r);
        }
    }
}

/* Checks propositions 4 and 5. The inequality with each factor must hold for
 * the right and for the absolute spectral gap. The first bound in the proof
 * must be tighter than the stated bound. */
static void hold_bounds(const cs_aux_chain *c, cs_bounds b)
{
    cs_aux_theory t;
    make(c, false, &t);
    const cs_aux_bounds of = cs_aux_bounds_of(&t);
    const double factor[] = {b.older, b.newer, b.printed, b.sharper};
    for (size_t i = 0; i < 4; i++) {
        assert_true(t.gap[CS_AUX].right >= factor[i] * t.gap[CS_WITHIN].right);
        assert_true(t.gap[CS_AUX].absolute >=
                    factor[i] * t.gap[CS_WITHIN].absolute);
    }
    assert_true(b.sharper >= b.newer && of.by_kl >= b.sharper * (1 - 1e-12));
    cs_aux_theory_free(&t);
}

static void poisson_kernels(void **state)
{
    (void)state;
    static const double lambdas[] = {0.003, 0.02, 0.1};
    field f;
    make_field(&f, 2);
    for (int which = 0; which < 3; which++)
        for (size_t i = 0; i < 3; i++)
            for (int rule = 0; rule < (i < 2 ? 2 : 1); rule++) {
                cs_aux_chain c;
                const cs_poisson_setting s = {
                    (cs_poisson_proposal)which, 0.9, lambdas[i], NULL, NULL,
                    (cs_aux_rule)rule};
                assert_int_equal(cs_poisson_chain(&f.g, &s, &c, NULL), CS_OK);
                hold_all(&c, i == 0, "a Poisson kernel");
                double size = cs_minibatch_size(&c);
                if (which == CS_POISSON_MH)
                    hold_bounds(
                        &c, cs_bounds_poisson(size, lambdas[i] * size * size));
                cs_aux_chain_free(&c);
            }
}

static void tuna_kernels(void **state)
{
    (void)state;
    static const double chis[] = {0.02, 0.1, 1};
    field f;
    make_field(&f, ROWS);
    for (size_t batch = 0; batch <= ROWS; batch++)
        for (size_t i = batch % 2; i<3; i += batch> 0 ? 2 : 1) {
            cs_aux_chain c;
            const cs_tuna_setting s = {0.9, chis[i], NULL, batch,
                                       CS_AUX_METROPOLIS};
            assert_int_equal(cs_tuna_chain(&f.g, &s, &c, NULL), CS_OK);
            hold_all(&c, true, "a TunaMH kernel");
            hold_bounds(&c, cs_bounds_tuna(cs_minibatch_size(&c), chis[i]));
            cs_aux_chain_free(&c);
        }
}

/* Tests a single row with a monotone term. The divergence between the two end
 * points attains both bounds in the proofs: L / 2 log(1 + L / lambda) and C M /
 * 2 log(1 + 1 / (chi C M)). */
static void sharper_bounds_are_attained(void **state)
{
    (void)state;
    double term[GRID];
    for (size_t a = 0; a < GRID; a++)
        term[a] = 0.15 * (double)a;
    const cs_tall_grid g = {.n = GRID, .rows = 1, .gap = 1, .term = term};
    const cs_poisson_setting poisson = {.step = 2, .lambda = 0.2};
    const cs_tuna_setting tuna = {.step = 2, .chi = 0.3};
    for (int i = 0; i < 2; i++) {
        cs_aux_chain c;
        cs_aux_theory t;
        assert_int_equal(i ? cs_tuna_chain(&g, &tuna, &c, NULL)
                           : cs_poisson_chain(&g, &poisson, &c, NULL),
                         CS_OK);
        make(&c, false, &t);
        double size = cs_minibatch_size(&c);
        cs_bounds b = i ? cs_bounds_tuna(size, 0.3)
                        : cs_bounds_poisson(size, 0.2 * size * size);
        assert_near(size, 0.15 * (GRID - 1), 1e-12, 0);
        assert_near(cs_bound_constant() * exp(-t.kl_mean[GRID - 1]), b.sharper,
                    1e-12, 0);
        cs_aux_theory_free(&t);
        cs_aux_chain_free(&c);
    }
}

/* ---- the exchange algorithm ---------------------------------------------- */

static const double spins[9] = {1, 1, 1, -1, 1, 1, -1, -1, 1};

static cs_aux_chain exchange_chain(size_t draws, cs_exchange_how how,
                                   size_t sweeps)
{
    cs_lattice l;
    cs_aux_chain c;
    assert_int_equal(cs_lattice_make(3, 3, &l, NULL), CS_OK);
    const cs_exchange_setting s = {.n = GRID,
                                   .low = -0.3,
                                   .gap = 0.06,
                                   .step = 0.2,
                                   .spins = spins,
                                   .draws = draws,
                                   .sweeps = sweeps,
                                   .how = how};
    assert_int_equal(cs_exchange_chain(&l, &s, &c, NULL), CS_OK);
    return c;
}

/* With more draws the chain of the exchange algorithm approaches the ideal
 * chain. Also tests proposition 3. */
static void exchange_kernels(void **state)
{
    (void)state;
    double before = 0, ideal = 0;
    for (size_t draws = 1; draws <= 4; draws++) {
        cs_aux_chain c = exchange_chain(draws, CS_EXCHANGE_BALANCED, 0);
        cs_aux_theory t;
        size_t values;
        hold_all(&c, true, "the exchange algorithm");
        make(&c, false, &t);
        assert_true(t.gap[CS_AUX].right > before);
        before = t.gap[CS_AUX].right;
        ideal = t.gap[CS_IDEAL].right;
        const double *p = cs_exchange_laws(&c, &values);
        double sets = cs_bound_exchange(p, c.n, values);
        if (draws == 1)
            assert_true(sets > 0 && sets <= cs_aux_bounds_of(&t).by_tv &&
                        before >= sets * ideal);
        cs_aux_theory_free(&t);
        cs_aux_chain_free(&c);
    }
    assert_true(before < ideal && before > 0.8 * ideal);
}

/* An inexact chain has its own stationary distribution, which converges to pi
 * as the number of sweeps grows. If the ratio is replaced by a mean of ratios,
 * the chain is not exact for any number of sweeps. */
static void inexact_exchange(void **state)
{
    (void)state;
    double before = 1;
    for (size_t sweeps = 1; sweeps <= 64; sweeps *= 2) {
        cs_aux_chain c = exchange_chain(1, CS_EXCHANGE_SWEEPS, sweeps);
        cs_aux_theory t;
        make(&c, false, &t);
        assert_true(t.bias < before / 2 || t.bias < 1e-12);
        assert_true(sweeps > 1 || (t.bias > 0.01 && !is_reversible(&t)));
        before = t.bias;
        cs_aux_theory_free(&t);
        cs_aux_chain_free(&c);
    }
    assert_true(before < 1e-12);
    cs_aux_chain c = exchange_chain(3, CS_EXCHANGE_AVERAGE, 0);
    cs_aux_theory t;
    make(&c, false, &t);
    assert_true(t.bias > 1e-4 && t.bias < 0.1 && !is_reversible(&t));
    cs_aux_theory_free(&t);
    cs_aux_chain_free(&c);
    c = exchange_chain(1, CS_EXCHANGE_AVERAGE, 0);
    hold_all(&c, false, "an average of one");
    cs_aux_chain_free(&c);
}

/* ---- planted faults ------------------------------------------------------ */

/* Returns the laws that a theory violates, one bit each. */
static unsigned broken(const cs_aux_theory *t)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < LAWS; i++)
        bits |= (unsigned)!laws[i].holds(t) << i;
    return bits;
}

enum { REVERSIBLE, ORDER, SLOWER, BY_TV, BY_KL, GAPS, GIVEN_FIRST };

/* Fault: omega_2 is drawn from P_ba instead of P_ab. */
static void drawn_at_the_wrong_state(void **state)
{
    (void)state;
    random_chain r;
    cs_aux_chain c;
    cs_aux_theory t;
    static double drawn[N1][N][N][N2];
    make_random(&r, 2);
    for (size_t k = 0; k < N1; k++)
        for (size_t a = 0; a < N; a++)
            for (size_t b = 0; b < N; b++)
                memcpy(drawn[k][a][b], r.second[k][b][a],
                       sizeof drawn[k][a][b]);
    r.t.drawn = ***drawn;
    assert_int_equal(cs_table_chain(&r.t, &c, NULL), CS_OK);
    make(&c, false, &t);
    assert_true(broken(&t) & 1u << REVERSIBLE);
    assert_true(t.bias > 1e-3);
    cs_aux_theory_free(&t);
    cs_aux_chain_free(&c);
}

/* If omega_2 is drawn correctly but declared inexact, the stationary
 * distribution is still pi, and there is no bias. */
static void drawn_at_the_right_state(void **state)
{
    (void)state;
    random_chain r;
    cs_aux_chain c;
    cs_aux_theory t;
    make_random(&r, 2);
    r.t.drawn = r.t.second;
    assert_int_equal(cs_table_chain(&r.t, &c, NULL), CS_OK);
    make(&c, false, &t);
    assert_true(is_reversible(&t) && t.bias < 1e-12);
    cs_aux_theory_free(&t);
    cs_aux_chain_free(&c);
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

static void faults_break_laws(void **state)
{
    (void)state;
    cs_aux_chain c = exchange_chain(1, CS_EXCHANGE_BALANCED, 0);
    cs_aux_theory t;
    size_t square = GRID * GRID;
    make(&c, false, &t);
    assert_int_equal(broken(&t), 0);
    /* fault: the order of lemma 1 is reversed */
    swap(&t.P[CS_AUX], &t.P[CS_WITHIN]);
    assert_true(broken(&t) & 1u << ORDER);
    swap(&t.P[CS_AUX], &t.P[CS_WITHIN]);
    cs_chain_gap gap = t.gap[CS_AUX];
    t.gap[CS_AUX] = (cs_chain_gap){1, 1};
    assert_true(broken(&t) & 1u << SLOWER);
    t.gap[CS_AUX] = (cs_chain_gap){1e-3, 1e-3};
    assert_true(broken(&t) & 1u << GAPS);
    t.gap[CS_AUX] = gap;
    /* fault: d_TV is 10 % too small; the bounds are attained within 10 % */
    double *overlap = cs_alloc(square, sizeof *overlap);
    memcpy(overlap, t.overlap, square * sizeof *overlap);
    for (size_t i = 0; i < square; i++)
        t.overlap[i] = 1 - 0.9 * (1 - t.overlap[i]);
    assert_true(broken(&t) & 1u << BY_TV);
    memcpy(t.overlap, overlap, square * sizeof *overlap);
    cs_free(overlap);
    /* fault: without exp(-1/e) the inequality for the divergence does not
     * hold */
    for (size_t i = 0; i < square; i++) {
        t.kl[i] -= exp(-1);
        t.kl_mean[i] -= exp(-1);
    }
    assert_true(broken(&t) & 1u << BY_KL);
    cs_aux_theory_free(&t);
    cs_aux_chain_free(&c);
}

/* Among the bounds for all even powers, the second bound of proposition 6 is
 * the tightest. */
static void each_power_is_tried(void **state)
{
    (void)state;
    random_chain r;
    cs_aux_chain c;
    cs_aux_theory t;
    make_random(&r, 7);
    assert_int_equal(cs_table_chain(&r.t, &c, NULL), CS_OK);
    make(&c, true, &t);
    double gibbs = t.gap[CS_GIBBS].absolute;
    for (size_t best = 0; best < CS_AUX_POWERS; best += 9) {
        for (size_t k = 0; k < CS_AUX_POWERS; k++)
            t.alpha[k] = gibbs * (k == best ? 0.125 : 0.999);
        double want =
            fmax(gibbs * 0.875 / (2 * ((double)best + 1)), gibbs * 0.001 / 2);
        assert_near(cs_aux_bounds_of(&t).within_2, want, 1e-9, 0);
    }
    cs_aux_theory_free(&t);
    cs_aux_chain_free(&c);
}

/* Fault: the step given omega_1 is replaced by a step that mixes more
 * slowly. */
static void proposition_6_can_fail(void **state)
{
    (void)state;
    random_chain r;
    cs_aux_chain c;
    cs_aux_theory t;
    make_random(&r, 7);
    assert_int_equal(cs_table_chain(&r.t, &c, NULL), CS_OK);
    make(&c, true, &t);
    assert_int_equal(broken(&t), 0);
    t.least.absolute = 1;
    assert_true(broken(&t) & 1u << GIVEN_FIRST);
    t.least.absolute = 0;
    t.alpha[0] = 0;
    assert_true(broken(&t) & 1u << GIVEN_FIRST);
    cs_aux_theory_free(&t);
    cs_aux_chain_free(&c);
}

/* The absolute gap of a chain that always moves is 0, because this chain has an
 * eigenvalue of -1. The absolute gap of a chain that sometimes rejects is
 * larger. Hence the order of lemma 1 holds only for right gaps. */
static void absolute_gaps_are_not_in_order(void **state)
{
    (void)state;
    static const double logp[] = {0, 0}, propose[] = {0, 1, 1, 0};
    static const double second[2][2][2] = {{{0.5, 0.5}, {0.7, 0.3}},
                                           {{0.3, 0.7}, {0.5, 0.5}}};
    const cs_chain_tables tables = {.n = 2,
                                    .n1 = 1,
                                    .n2 = 2,
                                    .logp = logp,
                                    .propose = propose,
                                    .second = **second};
    cs_aux_chain c;
    cs_aux_theory t;
    assert_int_equal(cs_table_chain(&tables, &c, NULL), CS_OK);
    make(&c, false, &t);
    assert_true(is_in_order(&t) && is_slower(&t));
    assert_near(t.P[CS_AUX][1], 0.6, 1e-14, 0);
    assert_near(t.gap[CS_AUX].right, 1.2, 1e-14, 0);
    assert_near(t.gap[CS_AUX].absolute, 0.8, 1e-13, 0);
    assert_near(t.gap[CS_IDEAL].right, 2, 1e-14, 0);
    assert_near(t.gap[CS_IDEAL].absolute, 0, 0, 1e-14);
    cs_aux_theory_free(&t);
    cs_aux_chain_free(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_chains),
    cmocka_unit_test(drawn_chains_are_the_matrix),
    cmocka_unit_test(poisson_kernels),
    cmocka_unit_test(tuna_kernels),
    cmocka_unit_test(sharper_bounds_are_attained),
    cmocka_unit_test(exchange_kernels),
    cmocka_unit_test(inexact_exchange),
    cmocka_unit_test(drawn_at_the_wrong_state),
    cmocka_unit_test(drawn_at_the_right_state),
    cmocka_unit_test(faults_break_laws),
    cmocka_unit_test(each_power_is_tried),
    cmocka_unit_test(proposition_6_can_fail),
    cmocka_unit_test(absolute_gaps_are_not_in_order),
};
TESTS(test_theory)
