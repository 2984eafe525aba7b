/* Tests poisson_mh, poisson_mala and poisson_barker on three rows, for which
 * the counts can be summed out. Each step equals the paper's formula up to
 * rounding, the formula is reversible, and the steps have the stated
 * probabilities. */
#include "check/laws.h"
#include "support/poisson_hand.h"
#include "support/sanitized.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_randist.h>
#include <string.h>

enum { LANES = 19, DIM = SMALL_TALL_DIM, ROWS = SMALL_TALL_ROWS };

/* A block of LANES chains, and second versions of the block's steps, computed
 * by this test. */
typedef struct pair {
    points p;
    setting s;
    cs_block *b;
    hand h;
    double x[LANES][DIM]; /* before the last step */
} pair;

static void open_pair(pair *t, hand_kernel kernel, double step, double lambda,
                      uint64_t seed)
{
    t->p = points_create(&small_tall);
    t->s = hand_setting(kernel, step, lambda);
    t->b = open_block(&t->s, t->p.target, seed, LANES, t->p.x);
    t->h = hand_of(kernel, step, lambda, t->p.target);
}

static void close_pair(pair *t)
{
    cs_block_destroy(t->b);
    points_destroy(&t->p);
}

static void step_pair(pair *t)
{
    for (size_t l = 0; l < LANES; l++)
        cs_block_state(t->b, l, t->x[l]);
    one_step(&t->s, t->b);
}

static void proposal_of(const pair *t, size_t l, double *y)
{
    for (size_t d = 0; d < DIM; d++)
        y[d] = t->b->move.info.proposal[d * t->b->lanes + l];
}

static double stat_of(const pair *t, size_t l, size_t column)
{
    return t->b->move.info.stat[column * t->b->lanes + l];
}

/* ---- a step is the formula ----------------------------------------------- */

/* Returns log [p(x) P_x(s) q_s(y | x)], where s are the counts of the rows. */
static long double flow(const hand *h, const size_t *s, const double *x,
                        const double *y)
{
    return hand_logp(x) + hand_log_counts(h, s, x) + hand_log_q(h, s, x, y);
}

/* Checks that the acceptance ratio equals the probability flow back over the
 * flow forward, including the probabilities of the counts. */
static void compare_lane(const pair *t, size_t l, const hand_draws *drawn)
{
    const cs_info *i = &t->b->move.info;
    const double *x = t->x[l];
    double y[DIM];
    proposal_of(t, l, y);
    const hand_draws d = *drawn;
    double near = 1e-13 * (double)(100 + d.kept);
    assert_true(stat_of(t, l, 0) == (double)d.drawn);
    assert_true(stat_of(t, l, 1) == (double)d.kept);
    assert_near(i->log_aux[l], (double)hand_log_aux(&t->h, d.s, x, y), 1e-12,
                near);
    assert_near(
        i->log_q_back[l] - i->log_q_forward[l],
        (double)(hand_log_q(&t->h, d.s, y, x) - hand_log_q(&t->h, d.s, x, y)),
        1e-11, near);
    assert_near(i->log_ratio[l],
                (double)(flow(&t->h, d.s, y, x) - flow(&t->h, d.s, x, y)),
                1e-11, 10 * near);
    assert_true(i->accepted[l] == (i->log_uniform[l] < i->log_ratio[l]));
    for (size_t k = 0; k < DIM; k++)
        assert_true(t->b->move.x[k * t->b->lanes + l] ==
                    (i->accepted[l] ? y[k] : x[k]));
}

/* Checks the proposal, given the normal random numbers and the gradient. */
static void compare_proposals(const pair *t, const hand_draws *drawn)
{
    static _Alignas(64) double z[DIM * 32], u[DIM * 32];
    const cs_streams *s = &t->b->move.streams;
    assert_true(t->b->lanes <= 32);
    if (t->h.kernel == HAND_MALA)
        cs_fill_normal(s, CS_FOR_PROPOSAL, DIM, z);
    else
        cs_fill_single_normal(s, CS_FOR_PROPOSAL, DIM, z);
    cs_fill_uniform(s, CS_FOR_LENGTH, DIM, u);
    for (size_t l = 0; l < LANES; l++) {
        double y[DIM], g[DIM], step = t->h.step;
        hand_slope(&t->h, drawn[l].s, t->x[l], g);
        proposal_of(t, l, y);
        for (size_t k = 0; k < DIM; k++) {
            double move = step * z[k * t->b->lanes + l];
            if (t->h.kernel == HAND_MALA)
                move += step * step / 2 * g[k];
            if (t->h.kernel == HAND_BARKER &&
                u[k * t->b->lanes + l] > 1 / (1 + exp(-move * g[k])))
                move = -move;
            assert_near(y[k], t->x[l][k] + move, 1e-12, 1e-12);
        }
    }
}

/* Compares steps with the formula. With the last setting the rows are drawn in
 * twenty pieces. These are more pieces than are stored for the reverse move. */
static void steps_are_the_formula(void **state)
{
    (void)state;
    static const struct {
        double step, lambda;
        int steps;
    } is[] = {
        {0.8, 1e-6, 60}, {0.8, 0.02, 60}, {1.5, 0.3, 60},
        {0.4, 3, 20},    {0.3, 60, 4},    {0.2, 300, 4 / SHORTER},
    };
    pair t;
    hand_draws d[LANES];
    for (hand_kernel k = 0; k < HANDS; k++)
        for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
            open_pair(&t, k, is[i].step, is[i].lambda, 40 + i);
            for (int n = 0; n < is[i].steps; n++) {
                step_pair(&t);
                for (size_t l = 0; l < LANES; l++) {
                    d[l] = hand_draw(&t.h, t.b, l, t.x[l]);
                    compare_lane(&t, l, &d[l]);
                }
                compare_proposals(&t, d);
            }
            close_pair(&t);
        }
}

/* The results of a lane do not depend on the other lanes of its block. */
static void chains_are_alone(void **state)
{
    (void)state;
    static const double lambdas[] = {0.3, 30};
    for (hand_kernel k = 0; k < HANDS; k++)
        for (size_t i = 0; i < 2; i++) {
            pair t;
            open_pair(&t, k, 0.7, lambdas[i], 3);
            cs_block *b[3];
            static const uint64_t chain[] = {0, 7, 18};
            for (size_t j = 0; j < 3; j++) {
                const double *x = t.p.x;
                assert_int_equal(cs_block_create(&b[j], t.p.target, &t.s.kernel,
                                                 3, chain[j], 1, NULL, 0, NULL),
                                 CS_OK);
                assert_int_equal(cs_block_start(b[j], &x, NULL), CS_OK);
            }
            for (int n = 0; n < 20; n++) {
                step_pair(&t);
                for (size_t j = 0; j < 3; j++) {
                    double one[DIM], many[DIM];
                    one_step(&t.s, b[j]);
                    cs_block_state(b[j], 0, one);
                    cs_block_state(t.b, chain[j], many);
                    assert_memory_equal(one, many, sizeof one);
                    assert_true(b[j]->move.info.log_ratio[0] ==
                                t.b->move.info.log_ratio[chain[j]]);
                }
            }
            for (size_t j = 0; j < 3; j++)
                cs_block_destroy(b[j]);
            close_pair(&t);
        }
}

/* ---- the formula is reversible ------------------------------------------- */

enum { GRID = 7 };

/* Returns point i on a curve through the plane. */
static const double *grid_at(size_t i)
{
    static double x[GRID][DIM];
    double t = -1.5 + 3.0 * (double)i / (GRID - 1);
    x[i][0] = t;
    x[i][1] = 0.6 * t * t - 0.8 * t;
    return x[i];
}

static void flows_are_symmetric(void **state)
{
    (void)state;
    static const double lambdas[] = {0.001, 0.02};
    pair t;
    for (hand_kernel k = 0; k < HANDS; k++)
        for (size_t n = 0; n < 2; n++) {
            open_pair(&t, k, 0.9, lambdas[n], 1);
            for (size_t i = 0; i < GRID; i += 2)
                for (size_t j = 0; j < i; j += SHORTER) {
                    const double *x = grid_at(i), *y = grid_at(j);
                    hand_sums there = hand_sum(&t.h, x, y, 1e-17);
                    hand_sums back = hand_sum(&t.h, y, x, 1e-17);
                    assert_near((double)there.off, 0, 0, 1e-14);
                    assert_near((double)(there.taken / back.taken *
                                         expl(hand_logp(x) - hand_logp(y))),
                                1, 0, 1e-14);
                }
            close_pair(&t);
        }
}

/* ---- frequencies of steps ------------------------------------------------ */

/* Sums over moves whose probabilities are known. Each sum has the expectation
 * 0. The result is the smallest p-value times the number of sums. */
typedef struct sums {
    double off[4], variance[4];
} sums;

static void add_move(sums *s, const double *x, const double *y, double chance,
                     bool taken)
{
    const double weight[4] = {1, 2 * chance - 1, y[0] - x[0], y[1] - x[1]};
    for (size_t k = 0; k < 4; k++) {
        s->off[k] += weight[k] * ((double)taken - chance);
        s->variance[k] += weight[k] * weight[k] * chance * (1 - chance);
    }
}

static double p_of_sums(const sums *s)
{
    double least = 1;
    for (size_t k = 0; k < 4; k++)
        least = fmin(least, 2 * gsl_cdf_ugaussian_Q(fabs(s->off[k]) /
                                                    sqrt(s->variance[k])));
    return 4 * least;
}

/* Returns the p-value of the hypothesis that moves are accepted with the right
 * probabilities. With the counts summed out, the acceptance probability of a
 * proposal is sum P_x(s) q_s min(1, r) over sum P_x(s) q_s. */
static double p_of_moves(hand_kernel kernel, size_t draws, uint64_t seed)
{
    pair t;
    sums s = {0};
    double y[DIM];
    open_pair(&t, kernel, 1.1, 0.01, seed);
    for (size_t n = 0; n < draws; n += LANES) {
        step_pair(&t);
        for (size_t l = 0; l < LANES; l++) {
            proposal_of(&t, l, y);
            hand_sums h = hand_sum(&t.h, t.x[l], y, 1e-6);
            add_move(&s, t.x[l], y, (double)(h.taken / h.proposed),
                     t.b->move.info.accepted[l]);
        }
    }
    close_pair(&t);
    return p_of_sums(&s);
}

static void moves_are_as_likely(void **state)
{
    (void)state;
    for (hand_kernel k = 0; k < HANDS; k++) {
        const cs_check c = {.draws = 600 / SHORTER};
        cs_looks looks = {0};
        while (cs_check_look(&c, &looks))
            looks.p = p_of_moves(k, looks.draws, (uint64_t)looks.look << 40);
        if (cs_check_refutes(&looks))
            fail_msg("%s: p = %g", hand_name[k], looks.p);
    }
}

/* Returns the p-value of the hypothesis that the counts have their
 * distribution. All proposals of the chain are rejected, so x is constant. */
static double p_of_counts(hand_kernel kernel, double lambda, size_t draws,
                          uint64_t seed)
{
    enum { MOST = 64 };
    double count[ROWS + 1][MOST] = {{0}}, mass[MOST], least = 1;
    size_t n = 0;
    pair t;
    open_pair(&t, kernel, 1e3, lambda, seed);
    while (n < draws) {
        step_pair(&t);
        for (size_t l = 0; l < LANES; l++, n++) {
            hand_draws d = hand_draw(&t.h, t.b, l, t.p.x);
            assert_true(stat_of(&t, l, 1) == (double)d.kept);
            assert_false(t.b->move.info.accepted[l]);
            for (size_t r = 0; r < ROWS; r++)
                count[r][d.s[r] < MOST ? d.s[r] : MOST - 1]++;
            count[ROWS][d.kept < MOST ? d.kept : MOST - 1]++;
        }
    }
    for (size_t r = 0; r <= ROWS; r++) {
        double rate = 0;
        for (size_t i = 0; i < ROWS; i++)
            rate += r == i || r == ROWS ? (double)hand_rate(&t.h, i, t.p.x) : 0;
        for (size_t k = 0; k + 1 < MOST; k++)
            mass[k] = gsl_ran_poisson_pdf((unsigned)k, rate);
        mass[MOST - 1] = gsl_cdf_poisson_Q(MOST - 2, rate);
        least = fmin(least, cs_check_cells_p(count[r], mass, MOST));
    }
    close_pair(&t);
    return least * (ROWS + 1);
}

/* s_i ~ Poisson(Lambda M_i / L + phi_i(x)). Since the counts s_i are
 * independent, their sum is Poisson too. */
static void counts_are_poisson(void **state)
{
    (void)state;
    static const double lambdas[] = {0.003, 0.3};
    for (hand_kernel k = 0; k < HANDS; k++)
        for (size_t i = 0; i < 2; i++) {
            const cs_check c = {.draws = 6000 / SHORTER};
            cs_looks looks = {0};
            while (cs_check_look(&c, &looks))
                looks.p = p_of_counts(k, lambdas[i], looks.draws,
                                      (uint64_t)looks.look << 40);
            if (cs_check_refutes(&looks))
                fail_msg("%s, lambda %g: p = %g", hand_name[k], lambdas[i],
                         looks.p);
        }
}

/* ---- lambda -------------------------------------------------------------- */

/* For a large lambda the mean squared error of the log ratio is sum_i (change
 * of term_i)^2 L / (Lambda M_i), which is small. */
static void many_rows_make_metropolis(void **state)
{
    (void)state;
    static const double lambdas[] = {3, 30, 300};
    for (size_t i = 0; i < 3; i++) {
        double square = 0, n = 0;
        pair t;
        open_pair(&t, HAND_MH, 0.5, lambdas[i], 9);
        for (size_t k = 0; k < 600 / lambdas[i] + 10; k++) {
            step_pair(&t);
            for (size_t l = 0; l < LANES; l++, n++) {
                const cs_info *info = &t.b->move.info;
                double y[DIM], want = 0, exact = info->logp_change[l];
                proposal_of(&t, l, y);
                for (size_t r = 0; r < ROWS; r++) {
                    double change = small_tall_term(r, y, NULL) -
                                    small_tall_term(r, t.x[l], NULL);
                    exact += change;
                    want += change * change *
                            (double)(t.h.all / t.h.big / t.h.width[r]);
                }
                square += pow(info->log_ratio[l] - exact, 2) / want;
            }
        }
        assert_near(square / n, 1, 0, 6 * sqrt(2 / n));
        close_pair(&t);
    }
}

/* Returns 1 minus the second largest absolute eigenvalue of P, which is
 * reversible for pi. */
static double gap_of(double P[GRID][GRID], const double *pi)
{
    gsl_matrix *m = gsl_matrix_alloc(GRID, GRID);
    gsl_vector *value = gsl_vector_alloc(GRID);
    gsl_eigen_symm_workspace *w = gsl_eigen_symm_alloc(GRID);
    double second = 0;
    size_t one = 0;
    assert_true(m && value && w);
    for (size_t i = 0; i < GRID; i++)
        for (size_t j = 0; j < GRID; j++)
            gsl_matrix_set(m, i, j, P[i][j] * sqrt(pi[i] / pi[j]));
    gsl_eigen_symm(m, value, w);
    for (size_t i = 0; i < GRID; i++)
        if (gsl_vector_get(value, i) > gsl_vector_get(value, one))
            one = i;
    assert_near(gsl_vector_get(value, one), 1, 1e-12, 0);
    for (size_t i = 0; i < GRID; i++)
        if (i != one)
            second = fmax(second, fabs(gsl_vector_get(value, i)));
    gsl_eigen_symm_free(w);
    gsl_vector_free(value);
    gsl_matrix_free(m);
    return 1 - second;
}

/* Returns the gap on the grid for a uniform proposal. The proposal is accepted
 * by the ratio with counts or, if h is NULL, by the exact ratio. */
static double gap_on_grid(const hand *h)
{
    double P[GRID][GRID], pi[GRID];
    for (size_t i = 0; i < GRID; i++) {
        double left = 1;
        pi[i] = (double)expl(hand_logp(grid_at(i)));
        for (size_t j = 0; j < GRID; j++) {
            const double *x = grid_at(i), *y = grid_at(j);
            double chance = (double)fminl(1, expl(hand_logp(y) - hand_logp(x)));
            if (i != j && h) {
                hand_sums s = hand_sum(h, x, y, 1e-14);
                chance = (double)(s.taken / s.proposed);
            }
            P[i][j] = chance / GRID;
            left -= i == j ? 0 : P[i][j];
        }
        P[i][i] = left;
    }
    return gap_of(P, pi);
}

/* Tests the bound of Proposition 4, and the tighter bound that its proof
 * contains. */
static void gaps_are_bounded(void **state)
{
    (void)state;
    static const double lambdas[] = {0.003, 0.03, 0.3};
    double ideal = gap_on_grid(NULL), last = 0;
    for (size_t i = 0; i < 3; i++) {
        pair t;
        open_pair(&t, HAND_MH, 1, lambdas[i], 1);
        double all = (double)t.h.all, big = (double)t.h.big;
        double share = gap_on_grid(&t.h) / ideal;
        double printed = exp(-exp(-1) - all * all / 2 / big);
        double sharper = exp(-exp(-1) - log1p(all / big) * all / 2);
        double other = exp(-all * all / (big + all)) / 2;
        assert_true(sharper >= printed);
        assert_true(share >= fmax(sharper, other));
        assert_true(share > last && share < 1 + 1e-12);
        last = share;
        close_pair(&t);
    }
    assert_true(last > 0.8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_are_the_formula),
    cmocka_unit_test(chains_are_alone),
    cmocka_unit_test(flows_are_symmetric),
    cmocka_unit_test(moves_are_as_likely),
    cmocka_unit_test(counts_are_poisson),
    cmocka_unit_test(many_rows_make_metropolis),
    cmocka_unit_test(gaps_are_bounded),
};
TESTS(test_poisson)
