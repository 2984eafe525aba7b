/* Tests tuna_mh and tuna_sgld on three rows, for which the counts can be summed
 * out. Each step equals the paper's formula up to rounding. The formula is
 * reversible, given the rows used by the proposal. The steps have the stated
 * probabilities. */
#include "check/laws.h"
#include "kernels/real/batch.h"
#include "support/by_name.h"
#include "support/sanitized.h"
#include "support/support.h"
#include "support/tuna_hand.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <string.h>

enum { LANES = 19, DIM = SMALL_TALL_DIM, ROWS = SMALL_TALL_ROWS };

/* A block of LANES chains, and second versions of the block's steps, computed
 * by this test. */
typedef struct bench {
    points p;
    setting s;
    cs_block *b;
    tuna h;
    tuna_move m[LANES]; /* moves of the last step */
} bench;

static void open_bench(bench *t, tuna h, uint64_t seed)
{
    *t = (bench){.h = h, .s = tuna_setting(&h)};
    t->p = points_create(&small_tall);
    t->b = open_block(&t->s, t->p.target, seed, LANES, t->p.x);
    tuna_bounds(&t->h, t->p.target);
}

static void close_bench(bench *t)
{
    cs_block_destroy(t->b);
    points_destroy(&t->p);
}

/* Copies the normal random numbers of the last step. */
static void noise_of(const bench *t, size_t l, double *z)
{
    static _Alignas(64) double all[DIM * 32];
    const cs_streams *s = &t->b->move.streams;
    assert_true(t->b->lanes <= 32);
    if (t->h.sgld)
        cs_fill_normal(s, CS_FOR_PROPOSAL, DIM, all);
    else
        cs_fill_single_normal(s, CS_FOR_PROPOSAL, DIM, all);
    for (size_t d = 0; d < DIM; d++)
        z[d] = all[d * t->b->lanes + l];
}

static bool is_guided_by(const bench *t, const tuna_move *m, const double *z)
{
    double mean[DIM];
    bool is = true;
    tuna_mean(&t->h, m, mean);
    for (size_t d = 0; d < DIM; d++)
        is &= fabs(mean[d] + t->h.step * z[d] - m->y[d]) < 1e-11;
    return is;
}

/* Finds the set of K rows that explains the proposal. Fails unless there is
 * exactly one such set. */
static void find_guides(const bench *t, size_t l, tuna_move *m)
{
    double z[DIM];
    size_t found = 0;
    tuna_move one = *m;
    noise_of(t, l, z);
    for (one.rows = 0; one.rows < 1u << ROWS; one.rows++) {
        size_t n = (size_t)__builtin_popcount(one.rows);
        if (n != (t->h.sgld ? t->h.batch : 0) || !is_guided_by(t, &one, z))
            continue;
        m->rows = one.rows;
        found++;
    }
    assert_int_equal(found, 1);
}

static void step_bench(bench *t)
{
    for (size_t l = 0; l < LANES; l++)
        cs_block_state(t->b, l, t->m[l].x);
    one_step(&t->s, t->b);
    for (size_t l = 0; l < LANES; l++) {
        for (size_t d = 0; d < DIM; d++)
            t->m[l].y[d] = t->b->move.info.proposal[d * t->b->lanes + l];
        find_guides(t, l, &t->m[l]);
    }
}

static double stat_of(const bench *t, size_t l, size_t column)
{
    return t->b->move.info.stat[column * t->b->lanes + l];
}

/* Returns the rows that the stream draws for the proposal. The rows are the
 * start of a permutation. No other draw of the step uses the random numbers of
 * this permutation. */
static unsigned guides_by_stream(const bench *t, size_t l)
{
    cs_streams s = cs_streams_alone(&t->b->move.streams, l);
    uint64_t key[CS_BATCH_KEYS];
    uint32_t row[CS_PLACES];
    unsigned rows = 0;
    s.skip = (size_t)1 << 40;
    cs_fill_words(&s, CS_FOR_DATA, CS_BATCH_KEYS, key);
    cs_permutation p = cs_permutation_of(ROWS, key, 1);
    cs_permute(&p, 0, t->h.batch, row);
    for (size_t k = 0; k < t->h.batch; k++)
        rows |= 1u << row[k];
    return rows;
}

/* ---- a step is the formula ----------------------------------------------- */

/* Returns log [p(x) q(y | x) P_xy(s)]. */
static long double flow(const tuna *h, const tuna_move *m, const size_t *s)
{
    return hand_logp(m->x) + tuna_log_q(h, m) + tuna_log_counts(h, m, s);
}

/* Checks that the acceptance ratio equals the probability flow back over the
 * flow forward, including the probabilities of the counts. */
static void compare_lane(const bench *t, size_t l)
{
    const cs_info *i = &t->b->move.info;
    const tuna_move *m = &t->m[l], back = tuna_back(m);
    const hand_draws d = tuna_draw(&t->h, t->b, l, m);
    double near = 1e-13 * (double)(100 + d.kept);
    double guides = t->h.sgld ? (double)t->h.batch : 0;
    assert_int_equal(m->rows, t->h.sgld ? guides_by_stream(t, l) : 0);
    assert_true(stat_of(t, l, 0) == (double)d.drawn + guides);
    assert_true(stat_of(t, l, 1) == (double)d.kept);
    assert_near(i->log_aux[l], (double)tuna_log_aux(&t->h, m, d.s), 1e-12,
                near);
    assert_near(i->log_q_back[l] - i->log_q_forward[l],
                (double)(tuna_log_q(&t->h, &back) - tuna_log_q(&t->h, m)),
                1e-11, near);
    assert_near(i->log_ratio[l],
                (double)(flow(&t->h, &back, d.s) - flow(&t->h, m, d.s)), 1e-11,
                10 * near);
    assert_true(i->accepted[l] == (i->log_uniform[l] < i->log_ratio[l]));
    for (size_t k = 0; k < DIM; k++)
        assert_true(t->b->move.x[k * t->b->lanes + l] ==
                    (i->accepted[l] ? m->y[k] : m->x[k]));
}

/* With the last settings the rows are drawn in many pieces. */
static const struct {
    tuna h;
    int steps;
} tried[] = {
    {{.step = 0.8, .chi = 1e-6}, 60},
    {{.step = 0.8, .chi = 0.1}, 60},
    {{.step = 2, .chi = 1}, 40},
    {{.step = 0.5, .chi = 300}, 6},
    {{.sgld = true, .step = 0.8, .chi = 0.1, .batch = 1}, 60},
    {{.sgld = true, .step = 0.8, .chi = 0.1, .batch = 2}, 60},
    {{.sgld = true, .step = 1.2, .chi = 1, .batch = 2, .length = 0.7}, 60},
    {{.sgld = true, .step = 0.6, .chi = 0.3, .batch = 1, .length = 2}, 60},
    {{.sgld = true, .step = 0.5, .chi = 300, .batch = 3}, 6},
};
enum { TRIED = sizeof tried / sizeof *tried };

static void steps_are_the_formula(void **state)
{
    (void)state;
    for (size_t i = 0; i < TRIED; i++) {
        bench t;
        open_bench(&t, tried[i].h, 40 + i);
        for (int n = 0; n < tried[i].steps; n++) {
            step_bench(&t);
            for (size_t l = 0; l < LANES; l++)
                compare_lane(&t, l);
        }
        close_bench(&t);
    }
}

/* ---- the formula is reversible ------------------------------------------- */

enum { GRID = 7 };

/* Returns a move between two points on a curve through the plane. */
static tuna_move grid_move(size_t i, size_t j, unsigned rows)
{
    tuna_move m = {.rows = rows};
    double s = -1.5 + 3.0 * (double)i / (GRID - 1);
    double t = -1.5 + 3.0 * (double)j / (GRID - 1);
    m.x[0] = s;
    m.x[1] = 0.6 * s * s - 0.8 * s;
    m.y[0] = t;
    m.y[1] = 0.6 * t * t - 0.8 * t;
    return m;
}

static void balance(const tuna *h, const tuna_move *m)
{
    const tuna_move back = tuna_back(m);
    tuna_sums a = tuna_sum(h, m, 1e-17), b = tuna_sum(h, &back, 1e-17);
    assert_near((double)a.off, 0, 0, 1e-14);
    long double there = hand_logp(m->x) + tuna_log_q(h, m) + logl(a.taken);
    long double here = hand_logp(m->y) + tuna_log_q(h, &back) + logl(b.taken);
    assert_near((double)expm1l(there - here), 0, 0, 1e-14);
}

/* Compares the probability flows for each set of rows that the proposal may
 * use. */
static void flows_are_symmetric(void **state)
{
    (void)state;
    static const double chis[] = {0.01, 0.3};
    points p = points_create(&small_tall);
    cs_error err;
    assert_int_equal(cs_row_bounds_make(p.target, CS_ROW_CHANGE, &err), CS_OK);
    for (unsigned rows = 0; rows < 1u << ROWS; rows++)
        for (size_t n = 0; n < 2; n++) {
            size_t k = (size_t)__builtin_popcount(rows);
            tuna h = {.sgld = k > 0,
                      .step = 0.9,
                      .chi = chis[n],
                      .batch = k,
                      .length = rows == 5 ? 0.7 : 0};
            tuna_bounds(&h, p.target);
            for (size_t i = 0; i < GRID; i += 2)
                for (size_t j = 0; j < i; j += SHORTER) {
                    tuna_move m = grid_move(i, j, rows);
                    balance(&h, &m);
                }
        }
    points_destroy(&p);
}

/* ---- frequencies of steps ------------------------------------------------ */

/* Sums over moves whose probabilities are known. Each sum has the expectation
 * 0. The result is the smallest p-value times the number of sums. */
typedef struct sums {
    double off[4], variance[4];
} sums;

static void add_move(sums *s, const tuna_move *m, double chance, bool taken)
{
    const double weight[4] = {1, 2 * chance - 1, m->y[0] - m->x[0],
                              m->y[1] - m->x[1]};
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

static double p_of_moves(tuna h, size_t draws, uint64_t seed)
{
    sums s = {0};
    bench t;
    open_bench(&t, h, seed);
    for (size_t n = 0; n < draws; n += LANES) {
        step_bench(&t);
        for (size_t l = 0; l < LANES; l++) {
            tuna_sums by = tuna_sum(&t.h, &t.m[l], 1e-7);
            add_move(&s, &t.m[l], (double)by.taken, t.b->move.info.accepted[l]);
        }
    }
    close_bench(&t);
    return p_of_sums(&s);
}

/* Runs a test, and repeats the test if its p-value is doubtful. */
static void look(double (*p_of)(tuna h, size_t draws, uint64_t seed),
                 size_t draws, const char *what)
{
    static const tuna is[] = {
        {.step = 0.9, .chi = 0.1},
        {.step = 1.5, .chi = 0.02},
        {.sgld = true, .step = 0.9, .chi = 0.1, .batch = 2},
        {.sgld = true, .step = 1.1, .chi = 0.05, .batch = 1, .length = 2},
    };
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        const cs_check c = {.draws = draws / SHORTER};
        cs_looks looks = {0};
        while (cs_check_look(&c, &looks))
            looks.p = p_of(is[i], looks.draws, (uint64_t)looks.look << 40);
        if (cs_check_refutes(&looks))
            fail_msg("%s, case %zu: p = %g", what, i, looks.p);
    }
}

static void moves_are_as_likely(void **state)
{
    (void)state;
    look(p_of_moves, 1000, "moves");
}

/* ---- the law of the counts ----------------------------------------------- */

enum { CELLS = 20 };

/* Returns the cell of a Poisson count with this mean, by a randomized
 * probability transform. */
static size_t cell_of(size_t n, double mean, uint64_t *seed)
{
    double below = n ? gsl_cdf_poisson_P((unsigned)n - 1, mean) : 0;
    double u = small_uniform(seed);
    u = below + u * gsl_ran_poisson_pdf((unsigned)n, mean);
    return (size_t)(fmin(u, 1 - 1e-9) * CELLS);
}

/* Returns the p-value of the hypothesis that s_i ~ Poisson(lambda c_i / C +
 * phi_i(x, y)). Since the counts s_i are independent, their sum is Poisson
 * too. */
static double p_of_counts(tuna h, size_t draws, uint64_t seed)
{
    double cell[ROWS + 1][CELLS] = {{0}}, even[CELLS], least = 1;
    uint64_t other = seed + 5;
    bench t;
    open_bench(&t, h, seed);
    for (size_t n = 0; n < draws; n += LANES) {
        step_bench(&t);
        for (size_t l = 0; l < LANES; l++) {
            hand_draws d = tuna_draw(&t.h, t.b, l, &t.m[l]);
            double all = 0;
            assert_true(stat_of(&t, l, 1) == (double)d.kept);
            for (size_t r = 0; r < ROWS; r++) {
                double rate = (double)tuna_rate(&t.h, &t.m[l], r);
                cell[r][cell_of(d.s[r], rate, &other)]++;
                all += rate;
            }
            cell[ROWS][cell_of(d.kept, all, &other)]++;
        }
    }
    close_bench(&t);
    for (size_t i = 0; i < CELLS; i++)
        even[i] = 1.0 / CELLS;
    for (size_t r = 0; r <= ROWS; r++)
        least = fmin(least, cs_check_cells_p(cell[r], even, CELLS));
    return least * (ROWS + 1);
}

static void counts_are_poisson(void **state)
{
    (void)state;
    look(p_of_counts, 5000, "counts");
}

/* ---- the rows of the proposal -------------------------------------------- */

/* Returns the p-value of the rows used by the proposal. All sets of K rows are
 * equally likely. The set depends neither on the chain's moves nor on the first
 * row drawn for the accept step. */
static double p_of_guides(tuna h, size_t draws, uint64_t seed)
{
    double cell[1 << ROWS][ROWS] = {{0}}, mass[1 << ROWS][ROWS] = {{0}};
    bench t;
    open_bench(&t, h, seed);
    const cs_row_bounds *bounds = cs_row_bounds_of(t.p.target, CS_ROW_CHANGE);
    for (size_t n = 0; n < draws; n += LANES) {
        step_bench(&t);
        for (size_t l = 0; l < LANES; l++) {
            cs_streams s = cs_streams_alone(&t.b->move.streams, l);
            uint64_t word;
            cs_fill_words(&s, CS_FOR_DATA, 1, &word);
            cell[t.m[l].rows][cs_row_bounds_pick(bounds, word)]++;
        }
    }
    for (unsigned rows = 0; rows < 1u << ROWS; rows++)
        for (size_t r = 0; r < ROWS; r++)
            if ((size_t)__builtin_popcount(rows) == h.batch)
                mass[rows][r] = (double)(t.h.c[r] / t.h.all / ROWS);
    close_bench(&t);
    return h.sgld ? cs_check_cells_p(*cell, *mass, (1 << ROWS) * ROWS) : 1;
}

static void guides_are_any(void **state)
{
    (void)state;
    look(p_of_guides, 4000, "rows that guide");
}

/* ---- limits -------------------------------------------------------------- */

static void open_mala(bench *t, double step, uint64_t seed)
{
    *t = (bench){.h.step = step};
    t->s = (setting){.kernel = kernel_of("mala"), .formula = "mala"};
    t->s.kernel.values[0] = step;
    t->p = points_create(&small_tall);
    t->b = open_block(&t->s, t->p.target, seed, LANES, t->p.x);
}

/* Returns the squared difference between log_ratio and the log ratio of MALA,
 * divided by its expectation. For a large lambda the expectation is sum_i
 * (change of term_i)^2 C / (lambda c_i). */
static double square_off(const bench *a, const bench *b, size_t l)
{
    const cs_info *i = &a->b->move.info, *j = &b->b->move.info;
    const tuna_move *m = &a->m[l];
    long double want = 0;
    for (size_t r = 0; r < ROWS; r++) {
        long double change =
            small_tall_term(r, m->y, NULL) - small_tall_term(r, m->x, NULL);
        want += change * change * a->h.all / a->h.c[r];
    }
    want /= tuna_lambda(&a->h, m);
    return pow(i->log_ratio[l] - j->log_ratio[l], 2) / (double)want;
}

/* A step that draws many rows almost always makes the same decision as a step
 * of MALA from the same state with the same random numbers. */
static void all_rows_make_mala(void **state)
{
    (void)state;
    const tuna h = {.sgld = true, .step = 0.8, .chi = 200, .batch = ROWS};
    double square = 0, n = 0, differ = 0;
    for (uint64_t seed = 0; seed < 60 / SHORTER; seed++) {
        bench a, b;
        open_bench(&a, h, seed);
        open_mala(&b, h.step, seed);
        step_bench(&a);
        one_step(&b.s, b.b);
        const cs_info *i = &a.b->move.info, *j = &b.b->move.info;
        for (size_t l = 0; l < LANES; l++, n++) {
            for (size_t d = 0; d < DIM; d++)
                assert_near(j->proposal[d * b.b->lanes + l], a.m[l].y[d], 0,
                            1e-12);
            assert_near(i->log_q_forward[l], j->log_q_forward[l], 0, 1e-12);
            assert_near(i->log_q_back[l], j->log_q_back[l], 0, 1e-12);
            square += square_off(&a, &b, l);
            differ += i->accepted[l] != j->accepted[l];
        }
        close_bench(&a);
        close_bench(&b);
    }
    assert_near(square / n, 1, 0, 6 * sqrt(2 / n));
    assert_true(differ < 0.05 * n);
}

/* By Theorem 3 the acceptance probability is at least exp(-1/e - 1 / (2 chi))
 * times that of MALA. A larger chi brings the ratio of the two probabilities
 * closer to 1. */
static void shares_are_bounded(void **state)
{
    (void)state;
    static const double chis[] = {1e-9, 0.03, 0.3, 3};
    bench t;
    open_bench(&t, (tuna){.step = 1, .chi = 1}, 1);
    double least[4];
    for (size_t n = 0; n < 4; n++) {
        t.h.chi = chis[n];
        least[n] = 1;
        for (size_t i = 0; i < GRID; i += 3)
            for (size_t j = 0; j < GRID; j += 3) {
                const tuna_move m = grid_move(i, j, 0);
                long double ideal =
                    fminl(1, expl(hand_logp(m.y) - hand_logp(m.x)));
                if (i != j)
                    least[n] =
                        fmin(least[n],
                             (double)(tuna_sum(&t.h, &m, 1e-9).taken / ideal));
            }
        print_message("chi %g: at least %.3f of the ideal probability\n",
                      chis[n], least[n]);
        assert_true(least[n] >= exp(-exp(-1) - 0.5 / chis[n]));
        assert_true(least[n] <= 1 && (n == 0 || least[n] > least[n - 1]));
    }
    assert_true(least[0] < 0.75 && least[3] > 0.98);
    close_bench(&t);
}

/* If the proposal equals the state, no row is drawn. */
static void a_step_of_no_length_draws_nothing(void **state)
{
    (void)state;
    static const double far[DIM] = {1e10, -1e10};
    const tuna h = {.step = 1e-12, .chi = 1e15};
    setting s = tuna_setting(&h);
    points p = points_create(&small_tall);
    cs_block *b = open_block(&s, p.target, 1, LANES, far);
    for (size_t n = 0; n < 20; n++) {
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++) {
            assert_true(b->move.info.log_aux[l] == 0);
            assert_true(b->move.info.stat[l] == 0);
            assert_true(b->move.info.accepted[l]);
        }
    }
    cs_block_destroy(b);
    points_destroy(&p);
}

/* ---- the measure M ------------------------------------------------------- */

/* Checks that M(x, y) = M(y, x) bit for bit, and that M is 0 for x = y. The
 * target has bounds on the changes of its terms. */
static void try_measure(const cs_target *t)
{
    enum { TIMES = 200 };
    static _Alignas(64) double x[CS_PAD * 128], y[CS_PAD * 128], there[CS_PAD],
        back[CS_PAD];
    size_t n = t->space.dim * CS_PAD;
    uint64_t seed = 3;
    assert_true(t->space.dim <= 128);
    for (int k = 0; k < TIMES; k++) {
        for (size_t at = 0; at < n; at++) {
            x[at] = 2 * small_normal(&seed);
            y[at] = x[at] + 0.3 * small_normal(&seed);
        }
        cs_row_change_measure(t, x, y, CS_PAD, there);
        cs_row_change_measure(t, y, x, CS_PAD, back);
        assert_memory_equal(there, back, sizeof there);
        cs_row_change_measure(t, x, x, CS_PAD, back);
        for (size_t l = 0; l < CS_PAD; l++)
            assert_true(there[l] > 0 && back[l] == 0);
    }
}

static void measures_are_symmetric(void **state)
{
    (void)state;
    size_t tested = 0;
    points p = points_create(&small_tall);
    try_measure(p.target);
    points_destroy(&p);
    for (size_t i = 0; cs_target_at(i); i++) {
        const cs_target_type *type = cs_target_at(i);
        cs_target *t;
        cs_error err;
        if (!type->rows.change_measure ||
            cs_target_create(type, NULL, 0, &t, &err) != CS_OK)
            continue;
        if (t->row_bounds & CS_ROW_CHANGE) {
            try_measure(t);
            tested++;
        }
        cs_target_release(t);
    }
    assert_true(tested >= 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_are_the_formula),
    cmocka_unit_test(flows_are_symmetric),
    cmocka_unit_test(moves_are_as_likely),
    cmocka_unit_test(counts_are_poisson),
    cmocka_unit_test(guides_are_any),
    cmocka_unit_test(all_rows_make_mala),
    cmocka_unit_test(shares_are_bounded),
    cmocka_unit_test(a_step_of_no_length_draws_nothing),
    cmocka_unit_test(measures_are_symmetric),
};
TESTS(test_tuna)
