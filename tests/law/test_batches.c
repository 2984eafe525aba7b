/* Tests the batches of kernels with a stochastic gradient. The step size is so
 * small that a chain hardly moves, and the chain stores the gradient estimate
 * of each step. The gradient of row r is 16^r, so the estimate shows how often
 * each row was in the batch. */
#include "base/memory.h"
#include "check/laws.h"
#include "support/by_name.h"
#include "support/laws.h"
#include "support/mean_test.h"
#include "support/small_rows.h"
#include "support/support.h"

#include <string.h>

enum { MOST = 10, LANES = 32 };
enum { EPOCHS, WITHOUT, WITH };

/* ---- a target whose gradient shows which rows were in a batch ----- */

static double code_of(size_t r)
{
    return ldexp(1, (int)(4 * r));
}

/* log p = sum_r 16^r x; with a wall, log p is -infinity except at 0. */
static void coded_prior(const cs_target *t, const cs_point *at, double *logp,
                        double *g)
{
    bool wall = t->values[1] != 0;
    for (size_t l = 0; l < at->lanes; l++) {
        logp[l] = wall && at->x[l] != 0 ? -HUGE_VAL : 0;
        if (g)
            g[l] = 0;
    }
}

static void coded_slope(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *g)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++)
        g[l] = 0;
    for (size_t l = 0; l < at->live; l++)
        for (size_t i = b->first[l]; i < b->first[l + 1]; i++) {
            logp[i] = code_of(b->row[i]) * at->x[l];
            g[l] += code_of(b->row[i]);
        }
}

static void coded_terms(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp)
{
    (void)t;
    for (size_t l = 0; l < at->live; l++)
        for (size_t i = b->first[l]; i < b->first[l + 1]; i++)
            logp[i] = code_of(b->row[i]) * at->x[l];
}

static void coded_gradient(const cs_target *t, const cs_point *at, double *logp,
                           double *g)
{
    coded_prior(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        for (size_t r = 0; r < t->n_rows; r++) {
            logp[l] += code_of(r) * at->x[l];
            if (g)
                g[l] += code_of(r);
        }
}

static void coded_log_density(const cs_target *t, const cs_point *at,
                              double *logp)
{
    coded_gradient(t, at, logp, NULL);
}

static cs_status coded_create(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->n_rows = t->data_terms = (size_t)v[0].number;
    return CS_OK;
}

static void coded_destroy(cs_target *t)
{
    (void)t;
}

static const cs_param coded_rows[] = {
    {.name = "rows",
     .kind = CS_PARAM_INT,
     .flags = CS_PARAM_FIXED,
     .min = 1,
     .max = MOST,
     .def = 3},
    {.name = "wall", .kind = CS_PARAM_BOOL, .flags = CS_PARAM_FIXED, .max = 1}};

static const cs_target_type coded = {.name = "coded",
                                     .title = "coded",
                                     .params = coded_rows,
                                     .n_params = 2,
                                     .create = coded_create,
                                     .destroy = coded_destroy,
                                     .log_density = coded_log_density,
                                     .gradient = coded_gradient,
                                     .prior = coded_prior,
                                     .rows.terms = coded_terms,
                                     .rows.slope = coded_slope};

/* ---- decoding -------- */

static double *parameter(setting *s, const char *name)
{
    const cs_kernel_type *type = s->kernel.type;
    int k = cs_param_find(type->params, type->n_params, name);
    if (k < 0)
        fail_msg("kernel %s has no parameter %s", type->name, name);
    return &s->kernel.values[k];
}

/* Returns a setting of the kernel with a rate so small that the chains do not
 * move. */
static setting still(const char *kernel, size_t n, int order)
{
    setting s = {.kernel = kernel_of(kernel), .formula = kernel};
    *parameter(&s, "rate") = 1e-300;
    *parameter(&s, "batch") = (double)n;
    *parameter(&s, "order") = order;
    return s;
}

typedef struct reader {
    cs_target *target;
    setting s;
    cs_block *b;
    size_t rows, n;
} reader;

static void open_reader(reader *r, size_t rows, size_t n, int order, bool wall,
                        uint64_t seed, size_t live)
{
    static const double zero = 0;
    const cs_value given[] = {
        {.name = "rows", .kind = CS_PARAM_INT, .number = (double)rows},
        {.name = "wall", .kind = CS_PARAM_BOOL, .number = wall}};
    *r = (reader){.rows = rows, .n = n, .s = still("sgd", n, order)};
    if (wall)
        *parameter(&r->s, "rate") = 1;
    assert_int_equal(cs_target_create(&coded, given, 2, &r->target, NULL),
                     CS_OK);
    r->b = open_block(&r->s, r->target, seed, live, &zero);
}

static void close_reader(reader *r)
{
    cs_block_destroy(r->b);
    cs_target_release(r->target);
}

/* Decodes count[rows], the rows in the batch of lane l, from the estimate that
 * the chain stores. */
static void read_batch(const reader *r, size_t l, size_t *count)
{
    double g = r->b->move.memory[l] * (double)r->n / (double)r->rows;
    uint64_t code = (uint64_t)llround(g);
    size_t all = 0;
    for (size_t i = 0; i < r->rows; i++, code >>= 4)
        all += count[i] = code & 15;
    assert_int_equal(all, r->n);
}

static void step_reader(reader *r)
{
    one_step(&r->s, r->b);
}

/* ---- epochs ---- */

/* Tests how often each row has been used after P rows have been drawn. Every
 * row has been used floor(P / rows) times; P mod rows of the rows have been
 * used one more time. */
static void try_epochs(size_t rows, size_t n, bool wall)
{
    reader r;
    size_t seen[LANES][MOST] = {{0}}, one[MOST];
    open_reader(&r, rows, n, EPOCHS, wall, 1, LANES);
    for (size_t k = 0; k < 60; k++, step_reader(&r))
        for (size_t l = 0; l < LANES; l++) {
            size_t places = (k + 1) * n, more = 0;
            read_batch(&r, l, one);
            for (size_t i = 0; i < rows; i++) {
                size_t times = seen[l][i] += one[i];
                assert_true(times == places / rows ||
                            times == places / rows + 1);
                more += times == places / rows + 1;
            }
            assert_int_equal(more, places % rows);
        }
    close_reader(&r);
}

static void every_row_once_an_epoch(void **state)
{
    (void)state;
    static const size_t is[][2] = {{3, 1},  {3, 2},  {5, 1},  {5, 2},
                                   {5, 4},  {10, 3}, {10, 5}, {10, 7},
                                   {10, 1}, {4, 3},  {8, 2},  {9, 4}};
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        try_epochs(is[i][0], is[i][1], false);
        try_epochs(is[i][0], is[i][1], true); /* with a wall: each move is
                                               * rejected */
    }
}

/* ---- which rows ---- */

/* Returns the p-value of the counts for the hypothesis that all cells are
 * equally likely. */
static double p_of_even(const double *count, size_t cells)
{
    double mass[1024];
    assert_true(cells <= 1024);
    for (size_t i = 0; i < cells; i++)
        mass[i] = 1 / (double)cells;
    return cs_check_cells_p(count, mass, cells);
}

/* Returns the index of the set `code` in the list of known sets, and appends
 * the set if it is new. */
static size_t number_of(size_t code, size_t *known, size_t *n_known)
{
    size_t i = 0;
    while (i < *n_known && known[i] != code)
        i++;
    if (i == *n_known)
        known[(*n_known)++] = code;
    return i;
}

/* Checks that all sets of n rows are equally likely, in the first batch of each
 * epoch or at each step. Also checks the batches of two chains at one step, and
 * two successive batches of one chain. */
static void try_sets(size_t rows, size_t n, int order, size_t sets)
{
    enum { SETS = 256, ENOUGH = 60 };
    reader r;
    size_t known[SETS], n_known = 0, one[MOST], was[LANES] = {0};
    static double single[SETS], chains[SETS * SETS], steps[SETS * SETS];
    double seen = 0;
    memset(single, 0, sizeof single);
    memset(chains, 0, sizeof chains);
    memset(steps, 0, sizeof steps);
    open_reader(&r, rows, n, order, false, 17, LANES);
    bool pairs = sets * sets <= 1024;
    double wanted = ENOUGH * (double)(pairs ? sets * sets : sets);
    for (size_t k = 0; seen < wanted; k++, step_reader(&r)) {
        size_t before = 0;
        if (order == EPOCHS && k * n % rows != 0)
            continue;
        for (size_t l = 0; l < LANES; l++) {
            size_t code = 0;
            read_batch(&r, l, one);
            for (size_t i = 0; i < rows; i++) {
                assert_true(one[i] <= 1);
                code |= one[i] << i;
            }
            size_t now = number_of(code, known, &n_known);
            assert_true(n_known <= sets);
            single[now]++;
            if (l % 2)
                chains[before * sets + now] += 1;
            if (k)
                steps[was[l] * sets + now] += 1;
            was[l] = before = now;
            seen++;
        }
    }
    assert_int_equal(n_known, sets);
    if (p_of_even(single, sets) < 1e-7)
        fail_msg("sets of %zu of %zu rows are not equally likely", n, rows);
    if (pairs && p_of_even(chains, sets * sets) < 1e-7)
        fail_msg("chains share batches of %zu of %zu", n, rows);
    /* `steps` counts the pairs of successive batches of one chain */
    if (pairs && p_of_even(steps, sets * sets) < 1e-7)
        fail_msg("batches of %zu of %zu depend on the previous batch", n, rows);
    close_reader(&r);
}

static void all_sets_are_alike(void **state)
{
    (void)state;
    for (int order = EPOCHS; order <= WITHOUT; order++) {
        try_sets(3, 1, order, 3);
        try_sets(3, 2, order, 3);
        try_sets(5, 1, order, 5);
        try_sets(5, 2, order, 10);
        try_sets(10, 1, order, 10);
        try_sets(10, 2, order, 45);
        try_sets(10, 3, order, 120);
    }
}

/* Checks that each of the rows! permutations is equally likely as the order of
 * an epoch. */
static void try_orders(size_t rows, size_t orders)
{
    enum { MANY = 120, ENOUGH = 60 };
    reader r;
    size_t known[MANY + 1], n_known = 0, one[MOST], order[LANES] = {0};
    double count[MANY] = {0};
    open_reader(&r, rows, 1, EPOCHS, false, 5, LANES);
    for (size_t k = 0; k < ENOUGH * orders * rows / LANES; k++) {
        for (size_t l = 0; l < LANES; l++) {
            read_batch(&r, l, one);
            for (size_t i = 0; i < rows; i++)
                order[l] = one[i] ? order[l] * rows + i : order[l];
            if ((k + 1) % rows)
                continue;
            size_t number = number_of(order[l], known, &n_known);
            assert_true(number < orders);
            count[number]++;
            order[l] = 0;
        }
        step_reader(&r);
    }
    assert_int_equal(n_known, orders);
    if (p_of_even(count, orders) < 1e-7)
        fail_msg("orders of %zu rows are not equally likely", rows);
    close_reader(&r);
}

static void all_orders_are_alike(void **state)
{
    (void)state;
    try_orders(3, 6);
    try_orders(4, 24);
    try_orders(5, 120);
}

/* If rows are drawn with replacement, the count of each row is binomial, like
 * the count of a face in n throws of a die. */
static void try_throws(size_t rows, size_t n)
{
    reader r;
    size_t one[MOST];
    double count[MOST + 1] = {0}, mass[MOST + 1], first[MOST] = {0};
    double p = 1 / (double)rows, choose = 1;
    open_reader(&r, rows, n, WITH, false, 23, LANES);
    for (size_t k = 0; k < 400; k++, step_reader(&r))
        for (size_t l = 0; l < LANES; l++) {
            read_batch(&r, l, one);
            count[one[(k + l) % rows]]++;
            for (size_t i = 0; i < rows && n == 1; i++)
                first[i] += (double)one[i];
        }
    for (size_t i = 0; i <= n; i++) {
        mass[i] = choose * pow(p, (double)i) * pow(1 - p, (double)(n - i));
        choose *= (double)(n - i) / (double)(i + 1);
    }
    if (cs_check_cells_p(count, mass, n + 1) < 1e-7 ||
        (n == 1 && p_of_even(first, rows) < 1e-7))
        fail_msg("batches of %zu of %zu: counts are not binomial", n, rows);
    close_reader(&r);
}

static void throws_are_of_a_die(void **state)
{
    (void)state;
    for (size_t rows = 3; rows <= MOST; rows++) {
        try_throws(rows, 1);
        try_throws(rows, 2);
        try_throws(rows, rows);
    }
}

/* A chain's batches depend on the seed, but not on the block that contains the
 * chain. */
static void batches_are_a_chains_own(void **state)
{
    (void)state;
    enum { CHAINS = 17, STEPS = 12 };
    static const size_t blocks[] = {17, 1, 3, 8};
    for (int order = EPOCHS; order <= WITH; order++) {
        double first[STEPS][CHAINS] = {{0}};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            for (size_t from = 0; from < CHAINS; from += blocks[i]) {
                reader r;
                open_reader(&r, 10, 4, order, false, 31, 1);
                cs_block_destroy(r.b);
                size_t live =
                    CHAINS - from < blocks[i] ? CHAINS - from : blocks[i];
                assert_int_equal(cs_block_create(&r.b, r.target, &r.s.kernel,
                                                 31, from, live, NULL, 0, NULL),
                                 CS_OK);
                assert_int_equal(cs_block_start(r.b, NULL, NULL), CS_OK);
                for (size_t k = 0; k < STEPS; k++, step_reader(&r))
                    for (size_t l = 0; l < live; l++) {
                        double g = r.b->move.memory[l];
                        if (i == 0)
                            first[k][from + l] = g;
                        assert_true(g == first[k][from + l]);
                    }
                close_reader(&r);
            }
        reader other;
        size_t differ = 0;
        open_reader(&other, 10, 4, order, false, 32, CHAINS);
        for (size_t k = 0; k < STEPS; k++, step_reader(&other))
            for (size_t l = 0; l < CHAINS; l++)
                differ += other.b->move.memory[l] != first[k][l];
        assert_true(differ > STEPS * CHAINS * 9 / 10);
        close_reader(&other);
    }
}

/* ---- the gradient of a batch ---- */

typedef struct estimate {
    double g[SMALL_ROWS_DIM]; /* gradient over all rows */
    size_t d;
} estimate;

static double gradient_of(const void *self, const cs_block *b, size_t l)
{
    const estimate *e = self;
    return b->move.memory[e->d * b->lanes + l];
}

static double square_of(const void *self, const cs_block *b, size_t l)
{
    const estimate *e = self;
    return pow(gradient_of(self, b, l) - e->g[e->d], 2);
}

/* Computes the gradient over all rows at x, and returns log p. */
static double whole(cs_target *t, const double *x, double *g)
{
    setting all = still("sgd", 0, EPOCHS);
    cs_block *b = open_block(&all, t, 1, 1, x);
    double logp = b->move.info.logp[0];
    for (size_t d = 0; d < SMALL_ROWS_DIM; d++)
        g[d] = b->move.memory[d * b->lanes];
    cs_block_destroy(b);
    return logp;
}

static void has_mean(cs_block *b, const estimate *e,
                     double (*value)(const void *, const cs_block *, size_t),
                     double want, const char *what)
{
    const mean_test test = {.block = b,
                            .value = value,
                            .self = e,
                            .want = want,
                            .thin = 1,
                            .first = 500};
    if (!mean_test_holds(&test))
        fail_msg("%s of a batch is not %g", what, want);
}

/* Checks that the estimate is unbiased. With replacement its variance is N^2 /
 * n times the variance of the row gradients. Without replacement, and in epochs
 * of whole batches, the variance is multiplied by (N - n) / (N - 1). */
static void try_gradient(const char *kernel, size_t rows, size_t n, int order)
{
    static const double x[SMALL_ROWS_DIM] = {1.5, -0.5};
    cs_target *t = small_rows_of(rows, 0);
    setting s = still(kernel, n, order);
    cs_block *b = open_block(&s, t, 3, LANES, x);
    estimate e;
    whole(t, x, e.g);
    for (e.d = 0; e.d < SMALL_ROWS_DIM; e.d++) {
        double all = (double)rows, of = (double)n;
        double variance = all * all / of * small_rows_spread(rows, e.d);
        if (order != WITH)
            variance *= (all - of) / (all - 1);
        has_mean(b, &e, gradient_of, e.g[e.d], "the gradient");
        has_mean(b, &e, square_of, variance, "the variance of the gradient");
    }
    cs_block_destroy(b);
    cs_target_release(t);
}

static void gradients_are_unbiased(void **state)
{
    (void)state;
    static const char *const kernels[] = {"sgd", "momentum_sgd", "sgld",
                                          "sghmc", "psgld"};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int order = EPOCHS; order <= WITH; order++)
            try_gradient(kernels[k], 10, 2, order);
    for (int order = EPOCHS; order <= WITH; order++) {
        try_gradient("sgld", 3, 1, order);
        try_gradient("sgld", 60, 12, order);
    }
    for (int order = WITHOUT; order <= WITH; order++) {
        try_gradient("sgld", 5, 4, order);
        try_gradient("sgld", 60, 7, order);
    }
}

/* Returns the estimate of log p, which is computed from the same batch as the
 * gradient. The formulas for the mean and variance of the gradient estimate
 * also apply to the estimate of log p. */
static double logp_of(const void *self, const cs_block *b, size_t l)
{
    (void)self;
    return b->move.info.logp[l];
}

static void log_p_is_unbiased(void **state)
{
    (void)state;
    static const double x[SMALL_ROWS_DIM] = {1.5, -0.5};
    cs_target *t = small_rows_of(10, 0.3);
    estimate e;
    double logp = whole(t, x, e.g);
    for (int order = EPOCHS; order <= WITH; order++) {
        setting s = still("sgld", 3, order);
        cs_block *b = open_block(&s, t, 9, LANES, x);
        assert_int_equal(b->logp_kind, CS_LOGP_ESTIMATE);
        has_mean(b, &e, logp_of, logp, "log p");
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

/* ---- control variates ---- */

/* At the reference point of the control variates, each batch gives the gradient
 * and log p of all rows. At other points the estimate is unbiased, and control
 * variates reduce its variance. */
static void control_variates(void **state)
{
    (void)state;
    static const double x[SMALL_ROWS_DIM] = {1.5, -0.5};
    cs_target *t = small_rows_of(10, 0.3);
    for (int order = EPOCHS; order <= WITH; order++) {
        setting s = still("sgld", 2, order), plain = s;
        *parameter(&s, "control_variates") = 1;
        cs_block *b = open_block(&s, t, 4, LANES, x);
        estimate e;
        double logp = whole(t, x, e.g), noise[2] = {0};
        for (int k = 0; k < 20; k++) {
            for (size_t l = 0; l < LANES; l++) {
                assert_near(b->move.info.logp[l], logp, 1e-12, 0);
                for (e.d = 0; e.d < SMALL_ROWS_DIM; e.d++)
                    assert_near(gradient_of(&e, b, l), e.g[e.d], 1e-12, 1e-12);
            }
            one_step(&s, b);
        }
        double away[SMALL_ROWS_DIM] = {1.4, -0.4};
        assert_int_equal(cs_block_reserve_place(b, NULL), CS_OK);
        for (size_t l = 0; l < LANES; l++)
            assert_int_equal(cs_block_place(b, l, away, NULL), CS_OK);
        whole(t, away, e.g);
        cs_block *other = open_block(&plain, t, 4, LANES, away);
        for (e.d = 0; e.d < SMALL_ROWS_DIM; e.d++)
            has_mean(b, &e, gradient_of, e.g[e.d], "the gradient");
        e.d = 0;
        for (int k = 0; k < 200; k++) {
            one_step(&s, b);
            one_step(&plain, other);
            for (size_t l = 0; l < LANES; l++) {
                noise[0] += square_of(&e, b, l);
                noise[1] += square_of(&e, other, l);
            }
        }
        assert_true(noise[0] > 0);
        assert_true(noise[0] < noise[1] / 4);
        cs_block_destroy(b);
        cs_block_destroy(other);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_row_once_an_epoch),
    cmocka_unit_test(all_sets_are_alike),
    cmocka_unit_test(all_orders_are_alike),
    cmocka_unit_test(throws_are_of_a_die),
    cmocka_unit_test(batches_are_a_chains_own),
    cmocka_unit_test(gradients_are_unbiased),
    cmocka_unit_test(log_p_is_unbiased),
    cmocka_unit_test(control_variates),
};
TESTS(test_batches)
