/* Tests the sequential test of the kernel `austerity`: its decisions for all
 * orders of the rows, and its bias. If no error is allowed, the kernel equals
 * Metropolis. */
#include "support/by_name.h"
#include "support/laws.h"
#include "support/small_rows.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { LANES = 32, FEW = 5, SETS = 1 << FEW, DIM = SMALL_ROWS_DIM };

static setting austerity(double step, double batch, double epsilon)
{
    setting s = {.kernel = kernel_of("austerity"), .formula = "austerity"};
    s.kernel.values[0] = step;
    s.kernel.values[1] = batch;
    s.kernel.values[2] = epsilon;
    return s;
}

/* One step of one lane: state, proposal and uniform number. */
typedef struct decision {
    double x[DIM], y[DIM], log_uniform, rows;
    bool accepted;
} decision;

static double prior_at(const double *x)
{
    return -small_rows_prior * (x[0] * x[0] + x[1] * x[1]) / 2;
}

static double term_at(const double *x, size_t r)
{
    double sum = 0;
    for (size_t d = 0; d < DIM; d++)
        sum += pow(x[d] - small_rows_datum(r, d), 2);
    return -small_rows_weight * sum / 2;
}

static double mu_of(const decision *d, size_t rows)
{
    return (d->log_uniform + prior_at(d->x) - prior_at(d->y)) / (double)rows;
}

/* Returns the decision of a Metropolis step on all rows. */
static bool exact_verdict(const decision *d, size_t rows)
{
    double sum = 0;
    for (size_t r = 0; r < rows; r++)
        sum += term_at(d->y, r) - term_at(d->x, r);
    return sum / (double)rows > mu_of(d, rows);
}

static void step_all(const setting *s, cs_block *b, decision *d)
{
    for (size_t l = 0; l < LANES; l++)
        for (size_t i = 0; i < DIM; i++)
            d[l].x[i] = b->move.x[i * b->lanes + l];
    one_step(s, b);
    const cs_info *info = &b->move.info;
    for (size_t l = 0; l < LANES; l++) {
        for (size_t i = 0; i < DIM; i++)
            d[l].y[i] = info->proposal[i * b->lanes + l];
        d[l].log_uniform = info->log_uniform[l];
        d[l].accepted = info->accepted[l];
        d[l].rows = info->stat[l];
    }
}

/* ---- all orders ---------------------------------------------------------- */

/* The result of the sequential test after it has read a given set of rows. */
typedef enum verdict { GOES_ON, YES, NO } verdict;

static verdict verdict_of(const decision *d, unsigned set, double epsilon)
{
    double l[FEW], mean = 0, square = 0, n = 0, mu = mu_of(d, FEW);
    for (size_t r = 0; r < FEW; r++)
        if (set >> r & 1)
            mean += l[(size_t)n++] = term_at(d->y, r) - term_at(d->x, r);
    mean /= n;
    for (size_t i = 0; i < (size_t)n; i++)
        square += (l[i] - mean) * (l[i] - mean);
    double sd = sqrt(square / (n - 1));
    double error = sd / sqrt(n) * sqrt(1 - (n - 1) / (FEW - 1));
    double tail = 1 - gsl_cdf_tdist_P(fabs(mean - mu) / error, n - 1);
    if (set != SETS - 1 && !(tail < epsilon))
        return GOES_ON;
    return mean > mu ? YES : NO;
}

/* Averages over all orders of the rows: the share of acceptances, the number of
 * rows read, and the square of the number of rows read. */
typedef struct outcome {
    double accepts, rows, squares, orders;
} outcome;

static void follow(const verdict *of, unsigned set, size_t n, size_t batch,
                   outcome *o)
{
    bool ends = n == FEW || (n && n % batch == 0 && of[set] != GOES_ON);
    if (ends) {
        double orders = tgamma((double)(FEW - n) + 1);
        o->accepts += orders * (of[set] == YES);
        o->rows += orders * (double)n;
        o->squares += orders * (double)(n * n);
        o->orders += orders;
        return;
    }
    for (size_t r = 0; r < FEW; r++)
        if (!(set >> r & 1))
            follow(of, set | 1u << r, n + 1, batch, o);
}

static outcome outcome_of(const decision *d, size_t batch, double epsilon)
{
    verdict of[SETS] = {GOES_ON};
    outcome o = {0};
    for (unsigned set = 0; set < SETS; set++)
        if (__builtin_popcount(set) > 1)
            of[set] = verdict_of(d, set, epsilon);
    follow(of, 0, 0, batch, &o);
    o.accepts /= o.orders;
    o.rows /= o.orders;
    o.squares /= o.orders;
    return o;
}

/* Sums over all decisions. `off` is the sum of observed minus expected values,
 * and `variance` is the sum of their variances. */
typedef struct score {
    double off, variance;
} score;

static void add_score(score *s, double got, double want, double variance)
{
    s->off += got - want;
    s->variance += variance;
}

static void try_orders(size_t batch, double epsilon, uint64_t seed)
{
    static const double zero[DIM];
    setting s = austerity(1.2, (double)batch, epsilon);
    cs_target *t = small_rows_of(FEW, 0);
    cs_block *b = open_block(&s, t, seed, LANES, zero);
    score verdicts = {0}, rows = {0}, open = {0};
    decision d[LANES];
    for (size_t k = 0; k < 400; k++) {
        step_all(&s, b, d);
        for (size_t l = 0; l < LANES; l++) {
            outcome o = outcome_of(&d[l], batch, epsilon);
            double p = o.accepts, spread = p * (1 - p);
            if (p == 0 || p == 1)
                assert_int_equal(d[l].accepted, p == 1);
            add_score(&verdicts, d[l].accepted, p, spread);
            add_score(&open, d[l].accepted != exact_verdict(&d[l], FEW), 0, 1);
            add_score(&rows, d[l].rows, o.rows, o.squares - o.rows * o.rows);
        }
    }
    assert_true(verdicts.variance > 100 && open.off > 100);
    /* the p-value at 4.4 standard deviations is 1e-5 */
    if (fabs(verdicts.off) > 4.4 * sqrt(verdicts.variance))
        fail_msg("batch %zu, epsilon %g: %g acceptances too many, variance %g",
                 batch, epsilon, verdicts.off, sqrt(verdicts.variance));
    if (fabs(rows.off) > 4.4 * sqrt(rows.variance))
        fail_msg("batch %zu, epsilon %g: %g rows too many, variance %g", batch,
                 epsilon, rows.off, sqrt(rows.variance));
    cs_block_destroy(b);
    cs_target_release(t);
}

static void decisions_are_those_of_all_orders(void **state)
{
    (void)state;
    try_orders(2, 0.3, 1);
    try_orders(2, 0.15, 2);
    try_orders(3, 0.4, 3);
}

/* ---- the bias ------------------------------------------------------------ */

/* Returns how many of 1000 decisions differ from the decision on all rows.
 * *rows receives the number of rows read per step. */
static double errors_at(double epsilon, double *rows)
{
    enum { MANY = 60, STEPS = 400 };
    const double at[DIM] = {small_rows_mean(MANY, 0), small_rows_mean(MANY, 1)};
    setting s = austerity(0.4, 5, epsilon);
    cs_target *t = small_rows_of(MANY, 0);
    cs_block *b = open_block(&s, t, 7, LANES, at);
    decision d[LANES];
    double wrong = 0;
    *rows = 0;
    for (size_t k = 0; k < STEPS; k++) {
        step_all(&s, b, d);
        for (size_t l = 0; l < LANES; l++) {
            wrong += d[l].accepted != exact_verdict(&d[l], MANY);
            *rows += d[l].rows / STEPS / LANES;
        }
    }
    cs_block_destroy(b);
    cs_target_release(t);
    return 1000 * wrong / STEPS / LANES;
}

static void errors_fall_with_epsilon(void **state)
{
    (void)state;
    static const double epsilon[] = {0.4, 0.2, 0.05, 0.01, 0};
    double last = 1000, fewest = 0;
    for (size_t i = 0; i < sizeof epsilon / sizeof *epsilon; i++) {
        double rows, wrong = errors_at(epsilon[i], &rows);
        print_message("epsilon %g: %.3g of 1000 wrong, %.3g rows\n", epsilon[i],
                      wrong, rows);
        assert_true(wrong < 0.7 * last && rows > fewest);
        last = wrong;
        fewest = rows;
    }
    assert_true(last == 0 && fabs(fewest - 60) < 1e-9);
}

/* ---- without error ------------------------------------------------------- */

/* Checks that the kernel with no allowed error and Metropolis, with the same
 * seed, have equal states after each step. */
static void try_same(cs_target *t, const double *at, double step)
{
    setting a = austerity(step, 3, 0);
    setting b = {.kernel = kernel_of("random_walk"), .formula = "random_walk"};
    b.kernel.values[0] = step;
    cs_block *u = open_block(&a, t, 3, LANES, at);
    cs_block *v = open_block(&b, t, 3, LANES, at);
    double moved = 0;
    for (size_t k = 0; k < 200; k++) {
        one_step(&a, u);
        one_step(&b, v);
        for (size_t l = 0; l < LANES; l++)
            moved += u->move.info.moved[l];
        assert_memory_equal(u->move.info.accepted, v->move.info.accepted,
                            LANES);
        assert_memory_equal(u->move.x, v->move.x,
                            t->space.dim * u->lanes * sizeof(double));
    }
    assert_true(moved > 50 * LANES);
    cs_block_destroy(u);
    cs_block_destroy(v);
}

static void without_error_it_is_metropolis(void **state)
{
    (void)state;
    static const double zero[8];
    cs_target *rows = small_rows_of(11, 0.3);
    cs_target *robust = target_of("robust_regression");
    try_same(rows, zero, 0.6);
    try_same(robust, zero, 0.3);
    cs_target_release(rows);
    cs_target_release(robust);
}

/* A step evaluates two data terms for each row that it reads. These evaluations
 * are the work of the step. */
static void the_work_is_that_of_the_rows(void **state)
{
    (void)state;
    static const double zero[DIM];
    setting s = austerity(0.5, 4, 0.1);
    cs_target *t = small_rows_of(50, 0);
    cs_block *b = open_block(&s, t, 3, LANES, zero);
    uint64_t start = b->eval.work.data_terms;
    double rows = 0;
    for (size_t k = 0; k < 50; k++) {
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++)
            rows += b->move.info.stat[l];
    }
    assert_int_equal(b->eval.work.data_terms - start, (uint64_t)(2 * rows));
    assert_int_equal(b->eval.work.log_densities, 0);
    cs_block_destroy(b);
    cs_target_release(t);
}

static void it_asks_for_rows(void **state)
{
    (void)state;
    cs_target *t = target_of("gaussian");
    cs_kernel k = kernel_of("austerity");
    cs_error err = {0};
    assert_int_not_equal(cs_kernel_fits(&k, t, &err), CS_OK);
    assert_non_null(strstr(err.what, "sum over rows"));
    cs_target_release(t);
    assert_false(k.type->flags & CS_KERNEL_EXACT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(decisions_are_those_of_all_orders),
    cmocka_unit_test(errors_fall_with_epsilon),
    cmocka_unit_test(without_error_it_is_metropolis),
    cmocka_unit_test(the_work_is_that_of_the_rows),
    cmocka_unit_test(it_asks_for_rows),
};
TESTS(test_austerity)
