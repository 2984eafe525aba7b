/* Tests the kernels with a stochastic gradient on a normal target with closed
 * forms. Moves equal their formulas, and variances equal the closed forms. An
 * error stops only one chain. Batches are tested in test_batches.c. */
#include "base/memory.h"
#include "run/run.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/laws.h"
#include "support/mean_test.h"
#include "support/small_rows.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 7, LANES = 32, DIM = SMALL_ROWS_DIM };

/* ---- kernels with given parameters ------------ */

typedef struct value {
    const char *name;
    double number;
} value;

enum { GIVEN = 6 };

static double *parameter(setting *s, const char *name)
{
    const cs_kernel_type *type = s->kernel.type;
    int k = cs_param_find(type->params, type->n_params, name);
    if (k < 0)
        fail_msg("kernel %s has no parameter %s", type->name, name);
    return &s->kernel.values[k];
}

static setting made(const char *kernel, const value given[GIVEN])
{
    setting s = {.kernel = kernel_of(kernel), .formula = kernel};
    for (size_t i = 0; i < GIVEN && given[i].name; i++)
        *parameter(&s, given[i].name) = given[i].number;
    return s;
}

static double given(const value g[GIVEN], const char *name, double otherwise)
{
    for (size_t i = 0; i < GIVEN && g[i].name; i++)
        if (strcmp(g[i].name, name) == 0)
            return g[i].number;
    return otherwise;
}

/* ---- the moves are the formulas ---- */

typedef struct chain {
    double x[DIM], v[DIM], square[DIM]; /* square: V of psgld */
} chain;

static double slope(const double *x, size_t d)
{
    return (small_rows_mean(ROWS, d) - x[d]) / small_rows_variance(ROWS);
}

/* Makes one step of one chain on all rows by the formulas of the papers. z[DIM]
 * are the normal random numbers for the chain's move, and w[DIM] those for the
 * declared noise. */
static void move_by_hand(const char *kernel, const value g[GIVEN], chain *c,
                         const double *z, const double *w)
{
    double rate = given(g, "rate", 0.01), heat = given(g, "temperature", 1);
    double momentum = given(g, "momentum", 0.9), to[DIM];
    double taken = rate * given(g, "noise_variance", 0) / (2 * heat);
    for (size_t d = 0; d < DIM; d++) {
        double exact = slope(c->x, d), kick = sqrt(2 * rate * heat) * z[d];
        double force = exact + given(g, "gradient_noise", 0) * w[d];
        if (strcmp(kernel, "sgd") == 0)
            to[d] = c->x[d] + rate * force;
        else if (strcmp(kernel, "sgld") == 0)
            to[d] = c->x[d] + rate * force + kick;
        else if (strcmp(kernel, "psgld") == 0) {
            double mean = (exact + small_rows_prior * c->x[d]) / ROWS;
            double keep = given(g, "decay", 0.99);
            double *square = &c->square[d];
            *square = keep * *square + (1 - keep) * mean * mean;
            double root = sqrt(*square), bound = given(g, "lambda", 1e-5);
            double scale = 1 / (bound + root);
            double gamma = (1 - keep) * mean * small_rows_weight /
                           (root * (bound + root) * (bound + root));
            if (given(g, "correction", 0) == 0)
                gamma = 0;
            to[d] = c->x[d] + rate * (scale * force + heat * gamma) +
                    sqrt(scale) * kick;
        } else {
            double free = strcmp(kernel, "sghmc") == 0
                              ? sqrt(1 - momentum - taken) * kick
                              : 0;
            c->v[d] = momentum * c->v[d] + rate * force + free;
            to[d] = c->x[d] + c->v[d];
        }
    }
    memcpy(c->x, to, sizeof to);
}

static void compare_moves(const char *kernel, const value g[GIVEN])
{
    static const double start[DIM] = {0.9, -0.4};
    static _Alignas(CS_ALIGN) double z[2 * DIM * LANES];
    const double *w = z + DIM * LANES; /* drawn after z from the same stream */
    cs_target *t = small_rows_of(ROWS, 0);
    setting s = made(kernel, g);
    cs_block *b = open_block(&s, t, 4, LANES, start);
    chain c[LANES];
    memset(c, 0, sizeof c);
    for (size_t l = 0; l < LANES; l++)
        memcpy(c[l].x, start, sizeof start);
    for (int k = 0; k < 6; k++) {
        one_step(&s, b);
        cs_fill_normal(&b->move.streams, CS_FOR_PROPOSAL, 2 * DIM, z);
        for (size_t l = 0; l < LANES; l++) {
            const double own[DIM] = {z[l], z[b->lanes + l]};
            const double declared[DIM] = {w[l], w[b->lanes + l]};
            move_by_hand(kernel, g, &c[l], own, declared);
            for (size_t d = 0; d < DIM; d++)
                assert_near(b->move.x[d * b->lanes + l], c[l].x[d], 1e-7, 1e-9);
        }
    }
    cs_block_destroy(b);
    cs_target_release(t);
}

static void moves_are_the_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        value given[GIVEN];
    } is[] = {
        {"sgd", {{"rate", 0.1}, {"gradient_noise", 2}}},
        {"momentum_sgd", {{"rate", 0.1}, {"momentum", 0.6}}},
        {"sgld", {{"rate", 0.1}, {"temperature", 0.7}}},
        {"sgld", {{"rate", 0.3}, {"gradient_noise", 0.5}}},
        {"sghmc", {{"rate", 0.1}, {"momentum", 0.7}, {"temperature", 1.3}}},
        {"sghmc", {{"rate", 0.1}, {"momentum", 0.5}, {"noise_variance", 4}}},
        {"psgld", {{"rate", 0.01}, {"decay", 0.9}, {"lambda", 0.1}}},
        {"psgld", {{"rate", 0.02}, {"temperature", 0.6}, {"lambda", 0.2}}},
        {"psgld",
         {{"rate", 0.02},
          {"decay", 0.8},
          {"lambda", 0.3},
          {"correction", 1},
          {"gradient_noise", 1}}},
    };
    for (size_t i = 0; i < sizeof is / sizeof *is; i++)
        compare_moves(is[i].kernel, is[i].given);
}

/* ---- stationary variances ---- */

typedef struct variances {
    double mean[DIM], of[DIM];
} variances;

/* Returns the mean of (x - mean)^2 / variance over coordinates. Its expectation
 * is 1 if these variances are the variances of the chain. */
static double relative_square(const void *self, const cs_block *b, size_t l)
{
    const variances *v = self;
    double sum = 0;
    for (size_t d = 0; d < DIM; d++)
        sum += pow(b->move.x[d * b->lanes + l] - v->mean[d], 2) / v->of[d];
    return sum / DIM;
}

/* Returns the variance of coordinate d of the gradient: the declared noise plus
 * the noise of a batch. */
static double noise_of(const value g[GIVEN], size_t d)
{
    double n = given(g, "batch", 0), sd = given(g, "gradient_noise", 0);
    if (n == 0 || given(g, "control_variates", 0) != 0)
        return sd * sd; /* equal curvatures, so control variates are exact */
    double variance = ROWS * ROWS / n * small_rows_spread(ROWS, d);
    if (given(g, "order", 0) == 1)
        variance *= (ROWS - n) / (ROWS - 1);
    return sd * sd + variance;
}

/* Returns the stationary variance on N(., s2). Kernels without a velocity have
 * the variance of SGLD. Kernels with a velocity have the variance of SGHMC. The
 * kernel `momentum_sgd` is SGHMC with temperature 0. */
static double closed_form(const char *kernel, const value g[GIVEN], double s2,
                          double noise)
{
    double rate = given(g, "rate", 0.01), heat = given(g, "temperature", 1);
    double a = 1 - given(g, "momentum", 0.9), lambda = given(g, "lambda", 1);
    double b = rate * given(g, "noise_variance", 0) / 2; /* in units of the
                                                          * temperature */
    bool has_heat = strstr(kernel, "sgd") == NULL;
    if (strcmp(kernel, "psgld") == 0)
        rate /= lambda;
    if (strcmp(kernel, "sghmc") == 0 || strcmp(kernel, "momentum_sgd") == 0)
        return s2 * (has_heat * heat - b / a + rate * noise / (2 * a)) /
               (1 - rate / (s2 * (4 - 2 * a)));
    double left = 1 - rate / s2;
    return (2 * rate * has_heat * heat + rate * rate * noise) /
           (1 - left * left);
}

static void try_variance(const char *kernel, const value g[GIVEN])
{
    variances v;
    cs_target *t = small_rows_of(ROWS, 0);
    setting s = made(kernel, g);
    for (size_t d = 0; d < DIM; d++) {
        v.mean[d] = small_rows_mean(ROWS, d);
        v.of[d] =
            closed_form(kernel, g, small_rows_variance(ROWS), noise_of(g, d));
    }
    cs_block *b = open_block(&s, t, 21, LANES, v.mean);
    cs_block_run(b, NULL, 100, NULL);
    const mean_test test = {.block = b,
                            .value = relative_square,
                            .self = &v,
                            .want = 1,
                            .thin = 6,
                            .first = 6000};
    if (!mean_test_holds(&test))
        fail_msg("%s (rate %g, batch %g): the variance is not %g", kernel,
                 given(g, "rate", 0.01), given(g, "batch", 0), v.of[0]);
    cs_block_destroy(b);
    cs_target_release(t);
}

/* ---- with a metric ----- */

/* The eigenvectors of a metric, and the stationary variance along each
 * eigenvector. */
typedef struct turned {
    double mean[DIM], cosine, sine, of[DIM];
} turned;

static double relative_square_turned(const void *self, const cs_block *b,
                                     size_t l)
{
    const turned *v = self;
    double x = b->move.x[l] - v->mean[0];
    double y = b->move.x[b->lanes + l] - v->mean[1];
    double u = v->cosine * x + v->sine * y, w = v->cosine * y - v->sine * x;
    return (u * u / v->of[0] + w * w / v->of[1]) / DIM;
}

/* Returns DIM (x - mean)^2 / variance along the first eigenvector. Only one
 * direction is used, because an excess in one direction could cancel a deficit
 * in another. */
static double relative_square_first(const void *self, const cs_block *b,
                                    size_t l)
{
    turned first = *(const turned *)self;
    first.of[1] = HUGE_VAL;
    return DIM * relative_square_turned(&first, b, l);
}

/* Drift and noise are linear. Let e be the eigenvalue of the metric S for an
 * eigenvector. Along this eigenvector, a step is a step of SGLD with the rate
 * and the gradient noise multiplied by e. */
static void covariance_along_a_metric_is_exact(void **state)
{
    (void)state;
    static const value is[][GIVEN] = {
        {{"rate", 0.1}, {"temperature", 0.7}},
        {{"rate", 0.2}, {"gradient_noise", 1.5}},
    };
    static const double e[DIM] = {0.5, 2.5};
    const double c = cos(0.6), s = sin(0.6), off = c * s * (e[0] - e[1]);
    const double matrix[] = {c * c * e[0] + s * s * e[1], off, off,
                             s * s * e[0] + c * c * e[1]};
    for (size_t k = 0; k < sizeof is / sizeof *is; k++) {
        cs_target *t = small_rows_of(ROWS, 0);
        setting of = made("sgld", is[k]);
        cs_metric *metric;
        turned v = {.cosine = c, .sine = s};
        double rate = given(is[k], "rate", 0), s2 = small_rows_variance(ROWS);
        double heat = given(is[k], "temperature", 1);
        assert_int_equal(
            cs_metric_make(&metric, CS_METRIC_DENSE, DIM, matrix, NULL), CS_OK);
        of.metric = metric;
        for (size_t d = 0; d < DIM; d++) {
            double sd = given(is[k], "gradient_noise", 0), by = rate * e[d];
            v.mean[d] = small_rows_mean(ROWS, d);
            v.of[d] =
                (2 * by * heat + by * by * sd * sd) / (1 - pow(1 - by / s2, 2));
        }
        cs_block *b = open_block(&of, t, 21, LANES, v.mean);
        cs_block_run(b, NULL, 200, NULL);
        mean_test test = {.block = b,
                          .value = relative_square_turned,
                          .self = &v,
                          .want = 1,
                          .thin = 6,
                          .first = 6000};
        assert_true(mean_test_holds(&test));
        test.value = relative_square_first;
        assert_true(mean_test_holds(&test));
        cs_block_destroy(b);
        cs_metric_let_go(metric);
        cs_target_release(t);
    }
}

/* The target's variance s^2 is 4/9. */
static void variances_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        value given[GIVEN];
    } is[] = {
        {"sgld", {{"rate", 0.2}}},
        {"sgld", {{"rate", 0.3}, {"gradient_noise", 2}}},
        {"sgld", {{"rate", 0.2}, {"temperature", 0.25}}},
        {"sgld", {{"rate", 0.2}, {"temperature", 0}, {"gradient_noise", 1.5}}},
        {"sgd", {{"rate", 0.3}, {"gradient_noise", 1.5}}},
        {"sgld", {{"rate", 0.3}, {"batch", 2}, {"order", 2}}},
        {"sgld", {{"rate", 0.3}, {"batch", 2}, {"order", 1}}},
        {"sgd", {{"rate", 0.3}, {"batch", 3}, {"order", 1}}},
        {"sgld",
         {{"rate", 0.25},
          {"temperature", 0.5},
          {"batch", 1},
          {"order", 2},
          {"gradient_noise", 1}}},
        {"sgld",
         {{"rate", 0.2}, {"batch", 1}, {"order", 2}, {"control_variates", 1}}},
        {"psgld", {{"rate", 0.1}, {"decay", 1}, {"lambda", 0.5}}},
        {"psgld",
         {{"rate", 0.1},
          {"decay", 1},
          {"lambda", 0.4},
          {"batch", 2},
          {"order", 1}}},
        {"sghmc", {{"rate", 0.2}, {"momentum", 0.5}}},
        {"sghmc", {{"rate", 0.2}, {"momentum", 0.5}, {"gradient_noise", 2}}},
        {"sghmc",
         {{"rate", 0.2},
          {"momentum", 0.4},
          {"gradient_noise", 2},
          {"noise_variance", 4},
          {"temperature", 1.5}}},
        {"sghmc",
         {{"rate", 0.15}, {"momentum", 0.5}, {"batch", 2}, {"order", 2}}},
        {"momentum_sgd",
         {{"rate", 0.2}, {"momentum", 0.5}, {"gradient_noise", 2}}},
    };
    for (size_t i = 0; i < sizeof is / sizeof *is; i++)
        try_variance(is[i].kernel, is[i].given);
}

/* With a changing preconditioner the bias is small at a small rate. It is about
 * 1 - decay without the correction term, and smaller with the correction
 * term. */
static void preconditioned_at_a_small_rate(void **state)
{
    (void)state;
    static const value g[GIVEN] = {
        {"rate", 0.01}, {"decay", 0.999}, {"lambda", 0.5}, {"correction", 1}};
    cs_target *t = small_rows_of(ROWS, 0);
    setting s = made("psgld", g);
    double mean[DIM], sum = 0;
    enum { STEPS = 4000 };
    for (size_t d = 0; d < DIM; d++)
        mean[d] = small_rows_mean(ROWS, d);
    cs_block *b = open_block(&s, t, 22, LANES, mean);
    cs_block_run(b, NULL, 400, NULL);
    for (int k = 0; k < STEPS; k++) {
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++)
            for (size_t d = 0; d < DIM; d++)
                sum += pow(b->move.x[d * b->lanes + l] - mean[d], 2);
    }
    sum /= (double)STEPS * LANES * DIM * small_rows_variance(ROWS);
    assert_near(sum, 1, 0.05, 0);
    cs_block_destroy(b);
    cs_target_release(t);
}

/* ---- limits of the parameters ---- */

/* Without injected noise, both reference kernels converge to the mode. */
static void references_find_the_mode(void **state)
{
    (void)state;
    static const value plain[GIVEN] = {{"rate", 0.2}},
                       heavy[GIVEN] = {{"rate", 0.1}, {"momentum", 0.7}};
    static const double far[DIM] = {5, -7};
    cs_target *t = small_rows_of(ROWS, 0);
    for (int i = 0; i < 2; i++) {
        setting s = i ? made("momentum_sgd", heavy) : made("sgd", plain);
        cs_block *b = open_block(&s, t, 5, 3, far);
        cs_block_run(b, NULL, 300, NULL);
        for (size_t l = 0; l < 3; l++)
            for (size_t d = 0; d < DIM; d++)
                assert_near(b->move.x[d * b->lanes + l],
                            small_rows_mean(ROWS, d), 0, 1e-12);
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

/* Checks that two kernels make equal moves from one state, bit for bit. */
static void same_moves(const setting *a, const setting *b, const double *x)
{
    cs_target *t = small_rows_of(ROWS, 0);
    cs_block *one = open_block(a, t, 6, LANES, x);
    cs_block *two = open_block(b, t, 6, LANES, x);
    for (int k = 0; k < 20; k++) {
        one_step(a, one);
        one_step(b, two);
        assert_memory_equal(one->move.x, two->move.x,
                            DIM * one->lanes * sizeof(double));
    }
    cs_block_destroy(one);
    cs_block_destroy(two);
    cs_target_release(t);
}

static void without_heat_it_is_a_descent(void **state)
{
    (void)state;
    static const double x[DIM] = {0.9, -0.4};
    static const value
        cold[GIVEN] = {{"rate", 0.1}, {"temperature", 0}, {"batch", 3}},
        still[GIVEN] = {{"rate", 0.1}, {"batch", 3}},
        cold_heavy[GIVEN] = {{"rate", 0.1},
                             {"temperature", 0},
                             {"momentum", 0.6},
                             {"batch", 2}},
        heavy[GIVEN] = {{"rate", 0.1}, {"momentum", 0.6}, {"batch", 2}},
        frozen[GIVEN] = {{"rate", 0.1}, {"decay", 1}, {"lambda", 0.5}},
        twice[GIVEN] = {{"rate", 0.2}};
    setting a = made("sgld", cold), b = made("sgd", still);
    same_moves(&a, &b, x);
    a = made("sghmc", cold_heavy);
    b = made("momentum_sgd", heavy);
    same_moves(&a, &b, x);
    /* A preconditioner frozen at 2 doubles the rate. */
    a = made("psgld", frozen);
    b = made("sgld", twice);
    same_moves(&a, &b, x);
    /* A batch of all rows gives the full gradient. */
    static const value whole[GIVEN] = {{"rate", 0.2}, {"batch", ROWS}};
    a = made("sgld", whole);
    same_moves(&a, &b, x);
}

/* ---- all rows: the unadjusted Langevin step -------------- */

/* Compares a step with the proposal of mala for step^2 = 2 rate. Both results
 * are exact in floating point. */
static void compare_with_mala(cs_target *t, size_t live, const double *start)
{
    static const value g[GIVEN] = {{"rate", 0.125}};
    setting s = made("sgld", g), m = {.kernel = kernel_of("mala")};
    size_t dim = t->space.dim;
    m.kernel.values[0] = 0.5;
    cs_block *langevin = open_block(&s, t, 8, live, start);
    for (uint64_t k = 0; k < 10; k++) {
        double x[LANES][4];
        const double *at[LANES];
        for (size_t l = 0; l < live; l++) {
            cs_block_state(langevin, l, x[l]);
            at[l] = x[l];
        }
        cs_block *mala = open_block(&m, t, 8, live, start);
        assert_int_equal(cs_block_start(mala, at, NULL), CS_OK);
        mala->step = k;
        one_step(&m, mala);
        one_step(&s, langevin);
        for (size_t l = 0; l < live; l++)
            for (size_t d = 0; d < dim && !langevin->move.failed[l]; d++)
                assert_memory_equal(
                    &mala->move.info.proposal[d * mala->lanes + l],
                    &langevin->move.x[d * langevin->lanes + l], sizeof(double));
        cs_block_destroy(mala);
    }
    cs_block_destroy(langevin);
}

static void the_move_is_malas_proposal(void **state)
{
    (void)state;
    static const double start[4] = {0.9, -0.4, 0.1, 0};
    cs_target *rows = small_rows_of(ROWS, 0.2), *plain = target_of("gaussian");
    cs_target *banana = NULL;
    assert_int_equal(cs_target_create(&small_banana, NULL, 0, &banana, NULL),
                     CS_OK);
    for (size_t live = 1; live <= LANES; live += 15) {
        compare_with_mala(rows, live, start);
        compare_with_mala(plain, live, start);
        compare_with_mala(banana, live, start);
    }
    cs_target_release(rows);
    cs_target_release(plain);
    cs_target_release(banana);
}

/* ---- errors ------------- */

/* Returns log p = x^2 / 2 up to x = 3; above 3 the gradient is NaN. */
static double odd_hill(const double *x, double *g)
{
    g[0] = x[0] < 3 ? x[0] : (double)NAN;
    return x[0] * x[0] / 2;
}
#include "support/small_make.h"
SMALL(odd_hill, CS_CONTINUOUS, 1, 0, 0);

/* Returns a log p without an upper bound. */
static double endless(const double *x, double *g)
{
    g[0] = x[0];
    return x[0] * x[0] / 2;
}
SMALL(endless, CS_CONTINUOUS, 1, 0, 0);

/* Starts chain 2 of 3 at `at`. The other two chains start at 0, where only
 * noise moves them. Chain 2 must stop with the given message while the other
 * two continue. */
static void stops_alone(const cs_target_type *type, const char *kernel,
                        const value g[GIVEN], double at, const char *words)
{
    const double start[3] = {0, at, 0};
    setting s = made(kernel, g);
    cs_arm_spec arm = {.name = "a", .kernel = s.kernel};
    cs_target *t = NULL;
    cs_run *r = NULL;
    char said[512] = "";
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = 3,
                        .seed = 2,
                        .start = start,
                        .n_starts = 3,
                        .workers = 1,
                        .keep = 16,
                        .rewind_bytes = 1 << 20};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    run_steps(r, 400);
    assert_true(cs_run_chain_fault(r, 0, 1, said, sizeof said));
    if (!strstr(said, words))
        fail_msg("\"%s\" lacks \"%s\"", said, words);
    for (size_t c = 0; c < 3; c += 2) {
        assert_false(cs_run_chain_fault(r, 0, c, said, sizeof said));
        assert_int_equal((int)cs_run_chain(r, 0, c).tally.steps, 400);
    }
    cs_run_destroy(r);
    cs_target_release(t);
}

static void one_chain_stops_with_words(void **state)
{
    (void)state;
    static const value grows[GIVEN] = {{"rate", 1}},
                       cold[GIVEN] = {{"rate", 1}, {"temperature", 0}},
                       leaps[GIVEN] = {{"rate", 1e100}, {"temperature", 0}};
    static const char *const cold_kernels[] = {"sgld", "sghmc", "psgld"};
    stops_alone(&small_endless, "sgd", grows, 1, "diverged");
    stops_alone(&small_endless, "momentum_sgd", grows, 1, "diverged");
    for (size_t i = 0; i < 2; i++) {
        stops_alone(&small_endless, cold_kernels[i], cold, 1, "diverged");
        stops_alone(&small_odd_hill, cold_kernels[i], cold, 1, "gradient");
    }
    stops_alone(&small_endless, "sgld", leaps, 1, "diverged");
    stops_alone(&small_odd_hill, "sgd", grows, 1, "gradient");
    stops_alone(&small_odd_hill, "momentum_sgd", grows, 1, "gradient");
    stops_alone(&small_odd_hill, "psgld", cold, 1, "gradient");
}

/* sghmc stops if the gradient noise exceeds the noise that the friction can
 * balance (a < b). */
static void too_little_friction(void **state)
{
    (void)state;
    static const value g[GIVEN] = {
        {"rate", 0.1}, {"momentum", 0.9}, {"noise_variance", 2.5}};
    static const double x[DIM] = {0.9, -0.4};
    cs_target *t = small_rows_of(ROWS, 0);
    setting s = made("sghmc", g);
    cs_block *b = open_block(&s, t, 7, 2, x);
    char text[256];
    one_step(&s, b);
    assert_true(b->move.failed[0] && b->move.failed[1]);
    cs_reason why = cs_block_reason(b, 0);
    cs_kernel_explain(&s.kernel, &why, text, sizeof text);
    assert_non_null(strstr(
        text, "friction 1 - momentum = 0.1 is less than noise_variance needs, "
              "0.125"));
    cs_block_destroy(b);
    /* If the gradient noise equals the noise that the friction can balance, the
     * kernel runs and adds no noise. */
    *parameter(&s, "noise_variance") = 2;
    *parameter(&s, "momentum") = 0.9;
    *parameter(&s, "rate") = 0.0625;
    b = open_block(&s, t, 7, 2, x);
    one_step(&s, b);
    assert_false(b->move.failed[0] || b->move.failed[1]);
    cs_block_destroy(b);
    cs_target_release(t);
}

/* A move out of the square of nine_modes is rejected, and the next move uses
 * fresh noise. */
static void a_move_out_is_refused(void **state)
{
    (void)state;
    static const char *const kernels[] = {"sgld", "sghmc", "psgld"};
    static const double rate[] = {0.05, 0.02, 0.4}, corner[DIM] = {2.4, 2.4};
    cs_target *t = target_of("nine_modes");
    for (size_t k = 0; k < 3; k++) {
        const value g[GIVEN] = {{"rate", rate[k]}, {"gradient_noise", 3}};
        setting s = made(kernels[k], g);
        cs_block *b = open_block(&s, t, 3, LANES, corner);
        size_t refused = 0, moved_after = 0;
        bool stayed[LANES] = {false};
        double was[DIM * LANES];
        for (int n = 0; n < 400; n++) {
            memcpy(was, b->move.x, sizeof was);
            one_step(&s, b);
            for (size_t l = 0; l < LANES; l++) {
                double x = b->move.x[l], y = b->move.x[b->lanes + l];
                bool moved = x != was[l] || y != was[b->lanes + l];
                assert_true(fabs(x) <= 2.5 && fabs(y) <= 2.5);
                assert_false(b->move.failed[l]);
                assert_int_equal(b->move.info.moved[l], moved);
                assert_int_equal(b->move.info.accepted[l], moved);
                moved_after += stayed[l] && moved;
                refused += stayed[l] = !moved;
            }
        }
        assert_true(refused > 20);
        assert_true(4 * moved_after > refused);
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(moves_are_the_formulas),
    cmocka_unit_test(variances_are_exact),
    cmocka_unit_test(covariance_along_a_metric_is_exact),
    cmocka_unit_test(preconditioned_at_a_small_rate),
    cmocka_unit_test(references_find_the_mode),
    cmocka_unit_test(without_heat_it_is_a_descent),
    cmocka_unit_test(the_move_is_malas_proposal),
    cmocka_unit_test(one_chain_stops_with_words),
    cmocka_unit_test(too_little_friction),
    cmocka_unit_test(a_move_out_is_refused),
};
TESTS(test_stochastic_gradients)
