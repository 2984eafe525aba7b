/* Compares the gradient used by poisson_mala and poisson_barker with finite
 * differences of log p(x) + log P_x(s), at the state and at the proposal. Also
 * tests the other parts of a step on built-in targets. For these tests the
 * counts s are read again from the stream, row by row. */
#include "base/memory.h"
#include "support/poisson_hand.h"
#include "support/support.h"

#include <string.h>

enum { LANES = 11, MOST_DIM = 8, MOST_ROWS = 400 };

/* ---- targets ------------------------------------------------------------- */

#define NUMBER(what, value)                                                    \
    {                                                                          \
        .name = what, .number = value                                          \
    }

static const struct {
    const char *name;
    cs_value given[5];
    size_t n;
    double step;
} talls[] = {
    {"robust_regression",
     {NUMBER("rows", 300), NUMBER("dim", 5), NUMBER("beta", 0.1)},
     3,
     0.2},
    {"robust_regression",
     {NUMBER("rows", 61), NUMBER("dim", 1), NUMBER("radius", 1.5)},
     3,
     0.3},
    {"truncated_gaussian",
     {NUMBER("rows", 200), NUMBER("dim", 3), NUMBER("beta", 0.05)},
     3,
     0.3},
    {"logistic_regression", {NUMBER("radius", 3)}, 1, 0.5},
};
enum { TALLS = sizeof talls / sizeof *talls };

/* A block of chains, and a block of one chain for evaluating rows. */
typedef struct bench {
    cs_target *t;
    setting s;
    cs_block *b, *one;
    hand_kernel kernel;
    double step;
    size_t dim, rows, s_of[MOST_ROWS]; /* s_of: counts of a lane */
    long double big, all;
    double x[LANES][MOST_DIM];
} bench;

static void open_bench(bench *e, size_t which, hand_kernel kernel, double drawn)
{
    const cs_target_type *type = cs_target_find(talls[which].name);
    assert_int_equal(
        cs_target_create(type, talls[which].given, talls[which].n, &e->t, NULL),
        CS_OK);
    assert_int_equal(cs_row_bounds_make(e->t, CS_ROW_RANGE, NULL), CS_OK);
    e->kernel = kernel;
    e->step = talls[which].step;
    e->dim = e->t->space.dim;
    e->rows = e->t->n_rows;
    e->all = cs_row_bounds_of(e->t, CS_ROW_RANGE)->total;
    e->s =
        hand_setting(kernel, e->step, drawn / (double)e->all / (double)e->all);
    e->big = e->s.kernel.values[1] * e->all * e->all;
    assert_true(e->dim <= MOST_DIM && e->rows <= MOST_ROWS);
    assert_int_equal(
        cs_block_create(&e->b, e->t, &e->s.kernel, 5, 0, LANES, NULL, 0, NULL),
        CS_OK);
    assert_int_equal(
        cs_block_create(&e->one, e->t, &e->s.kernel, 5, 0, 1, NULL, 0, NULL),
        CS_OK);
    assert_int_equal(cs_block_start(e->b, NULL, NULL), CS_OK);
    assert_int_equal(cs_block_start(e->one, NULL, NULL), CS_OK);
}

static void close_bench(bench *e)
{
    cs_block_destroy(e->b);
    cs_block_destroy(e->one);
    cs_target_release(e->t);
}

/* Copies x to all lanes of the one-chain block. */
static void spread(const bench *e, const double *x, double *out)
{
    for (size_t i = 0; i < e->dim * e->one->lanes; i++)
        out[i] = x[i / e->one->lanes];
}

/* Computes all terms at x, one at a time. */
static void terms_at(const bench *e, const double *x, double *term)
{
    static _Alignas(CS_ALIGN) double wide[MOST_DIM * CS_PAD];
    uint32_t row[MOST_ROWS];
    const size_t first[] = {0, e->rows};
    for (size_t r = 0; r < e->rows; r++)
        row[r] = (uint32_t)r;
    spread(e, x, wide);
    cs_batch b = {.row = row, .first = first};
    cs_eval_terms(e->one->move.eval, wide, &b, term);
}

static double prior_at(const bench *e, const double *x)
{
    static _Alignas(CS_ALIGN) double wide[MOST_DIM * CS_PAD];
    _Alignas(CS_ALIGN) double logp[CS_PAD];
    spread(e, x, wide);
    cs_eval_prior(e->one->move.eval, wide, logp, NULL);
    return logp[0];
}

static long double rate_of(const bench *e, size_t r, double term)
{
    const cs_row_bound *of = cs_row_bounds_of(e->t, CS_ROW_RANGE)->of;
    return e->big * (long double)of[r].width / e->all + term -
           (long double)of[r].low;
}

/* Returns sum_i s_i log rate_i(x). This equals log p(x) + log P_x(s) without
 * the prior and without terms independent of x. The sum of the terms in log
 * p(x) cancels against the sum of the rates in log P_x(s). */
static long double of_counts(const bench *e, const double *x)
{
    double term[MOST_ROWS];
    long double sum = 0;
    terms_at(e, x, term);
    for (size_t r = 0; r < e->rows; r++)
        if (e->s_of[r])
            sum += (long double)e->s_of[r] * logl(rate_of(e, r, term[r]));
    return sum;
}

static void slope_at(const bench *e, const double *x, double *g)
{
    const double h = 1e-5;
    for (size_t d = 0; d < e->dim; d++) {
        double to[MOST_DIM];
        long double side[2];
        for (int i = 0; i < 2; i++) {
            memcpy(to, x, sizeof to);
            to[d] += i ? h : -h;
            side[i] = of_counts(e, to) + prior_at(e, to);
        }
        g[d] = (double)((side[1] - side[0]) / (2 * h));
    }
}

/* ---- one lane of a step -------------------------------------------------- */

/* Fills s_of and returns the number of counted rows. */
static size_t count_rows(bench *e, size_t l)
{
    const cs_row_bounds *b = cs_row_bounds_of(e->t, CS_ROW_RANGE);
    hand_stream s = hand_read(&e->b->move, b, l, (double)(e->big + e->all));
    double term[MOST_ROWS];
    size_t kept = 0;
    terms_at(e, e->x[l], term);
    memset(e->s_of, 0, sizeof e->s_of);
    for (size_t i = 0; i < s.n; i++) {
        uint32_t r = s.row[i];
        bool keeps = hand_keeps(s.coin[i], rate_of(e, r, term[r]), e->big,
                                e->all, (long double)b->of[r].width);
        e->s_of[r] += keeps;
        kept += keeps;
    }
    hand_forget(&s);
    return kept;
}

/* Returns log q(to | from) without terms that are equal in both directions. */
static double log_q(const bench *e, const double *from, const double *to,
                    const double *g)
{
    double sum = 0;
    for (size_t d = 0; d < e->dim; d++) {
        double move = to[d] - from[d];
        if (e->kernel == HAND_BARKER)
            sum -= log1p(exp(-move * g[d]));
        if (e->kernel == HAND_MALA)
            sum -= pow(move / e->step - e->step / 2 * g[d], 2) / 2;
    }
    return sum;
}

static bool compare_lane(bench *e, size_t l)
{
    const cs_info *i = &e->b->move.info;
    double y[MOST_DIM], here[MOST_DIM] = {0}, there[MOST_DIM] = {0};
    for (size_t d = 0; d < e->dim; d++)
        y[d] = i->proposal[d * e->b->lanes + l];
    size_t kept = count_rows(e, l);
    bool inside = i->logp_proposal[l] > -HUGE_VAL;
    if (inside || e->kernel != HAND_MH)
        assert_true(i->stat[e->b->lanes + l] == (double)kept);
    if (!inside)
        return false;
    assert_near(i->log_aux[l],
                (double)(of_counts(e, y) - of_counts(e, e->x[l])), 1e-11,
                1e-11 * (double)(10 + kept));
    if (e->kernel != HAND_MH) {
        slope_at(e, e->x[l], here);
        slope_at(e, y, there);
    }
    assert_near(i->log_q_forward[l], log_q(e, e->x[l], y, here), 1e-6, 1e-6);
    assert_near(i->log_q_back[l], log_q(e, y, e->x[l], there), 1e-6, 1e-6);
    return true;
}

/* ---- the tests ----------------------------------------------------------- */

/* Compares the gradient with finite differences of its definition, on the three
 * rows that test_poisson.c also uses. */
static void the_formula_is_a_gradient(void **state)
{
    (void)state;
    const double h = 1e-5;
    points p = points_create(&small_tall);
    uint64_t seed = 2;
    assert_int_equal(cs_row_bounds_make(p.target, CS_ROW_RANGE, NULL), CS_OK);
    hand w = hand_of(HAND_MALA, 1, 0.1, p.target);
    for (int n = 0; n < 50; n++) {
        double x[SMALL_TALL_DIM], g[SMALL_TALL_DIM];
        size_t s[SMALL_TALL_ROWS];
        points_draw(&p, &seed, x);
        for (size_t r = 0; r < SMALL_TALL_ROWS; r++)
            s[r] = (size_t)(6 * small_uniform(&seed));
        hand_slope(&w, s, x, g);
        for (size_t d = 0; d < SMALL_TALL_DIM; d++) {
            double at = x[d];
            x[d] = at + h;
            long double up = hand_logp(x) + hand_log_counts(&w, s, x);
            x[d] = at - h;
            long double down = hand_logp(x) + hand_log_counts(&w, s, x);
            x[d] = at;
            assert_near((double)((up - down) / (2 * h)), g[d], 1e-7, 1e-7);
        }
    }
    points_destroy(&p);
}

/* Checks one lane per step. */
static void try_bench(size_t which, hand_kernel kernel, double drawn,
                      size_t steps)
{
    static bench e;
    size_t seen = 0;
    open_bench(&e, which, kernel, drawn);
    for (size_t n = 0; n < steps; n++) {
        for (size_t l = 0; l < LANES; l++)
            cs_block_state(e.b, l, e.x[l]);
        one_step(&e.s, e.b);
        seen += compare_lane(&e, n % LANES);
    }
    assert_true(seen > steps / 3);
    close_bench(&e);
}

/* In the second setting the number of rows drawn exceeds the number of rows
 * that are stored. */
static void gradients_are_differences(void **state)
{
    (void)state;
    for (size_t i = 0; i < TALLS; i++)
        for (hand_kernel k = HAND_MH; k < HANDS; k++) {
            try_bench(i, k, 300, 50);
            try_bench(i, k, 9000, 4);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_formula_is_a_gradient),
    cmocka_unit_test(gradients_are_differences),
};
TESTS(test_poisson_gradients)
