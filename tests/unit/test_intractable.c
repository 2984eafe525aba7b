/* Tests targets with an unknown normalising constant. Tests the factors of the
 * density that are known, the constants that can be computed for some models,
 * and simulated data. */
#include "support/support.h"

#include "base/memory.h"
#include "target/eval.h"

#include <gsl/gsl_linalg.h>
#include <string.h>

enum { LANES = 32, THETA = 3 };

static cs_value whole(const char *name, double x)
{
    return (cs_value){.name = name, .kind = CS_PARAM_INT, .number = x};
}

static cs_value yes(const char *name)
{
    return (cs_value){.name = name, .kind = CS_PARAM_BOOL, .number = 1};
}

static cs_value number(const char *name, double x)
{
    return (cs_value){.name = name, .kind = CS_PARAM_REAL, .number = x};
}

static cs_value list(const char *name, const double *x, size_t rows,
                     size_t cols)
{
    return (cs_value){.name = name,
                      .kind = CS_PARAM_ARRAY,
                      .array = x,
                      .rows = rows,
                      .cols = cols};
}

/* A target with buffers for its results. */
typedef struct model {
    cs_target *t;
    cs_eval e;
    uint64_t chain[LANES];
    bool failed[LANES];
    double *x, *y, *logp, *g, *scratch, *reported;
} model;

static model open_model(const char *name, const cs_value *given, size_t n)
{
    model m = {0};
    cs_error err = {0};
    if (cs_target_create(cs_target_find(name), given, n, &m.t, &err))
        fail_msg("%s: %s", name, err.what);
    size_t dim = m.t->space.dim;
    m.x = cs_alloc(dim * LANES, sizeof *m.x);
    m.g = cs_alloc(dim * LANES, sizeof *m.g);
    m.y = cs_alloc(m.t->n_data * LANES, sizeof *m.y);
    m.logp = cs_alloc(LANES, sizeof *m.logp);
    m.reported = cs_alloc(3 * LANES, sizeof *m.reported);
    m.scratch =
        cs_alloc((m.t->simulate_words + cs_eval_scratch_words(m.t)) * LANES,
                 sizeof *m.scratch);
    for (uint64_t l = 0; l < LANES; l++)
        m.chain[l] = l;
    cs_eval_open(&m.e, m.t, LANES, LANES, NULL, m.scratch);
    return m;
}

static void close_model(model *m)
{
    cs_free(m->x);
    cs_free(m->g);
    cs_free(m->y);
    cs_free(m->logp);
    cs_free(m->reported);
    cs_free(m->scratch);
    cs_target_release(m->t);
}

static void set_theta(model *m, const double *theta)
{
    for (size_t i = 0; i < m->t->space.dim * LANES; i++)
        m->x[i] = theta[i / LANES];
}

static double log_p(model *m, const double *theta)
{
    set_theta(m, theta);
    cs_eval_gradient(&m->e, CS_NOW, m->x, m->logp, m->g);
    return m->logp[LANES - 1];
}

static double known_part(model *m, const double *theta)
{
    set_theta(m, theta);
    cs_eval_prior(&m->e, m->x, m->logp, NULL);
    return m->logp[0];
}

/* Returns log f of one data set y[n_data]. */
static double log_f(model *m, const double *theta, const double *y)
{
    set_theta(m, theta);
    for (size_t i = 0; i < m->t->n_data * LANES; i++)
        m->y[i] = y[i / LANES];
    cs_eval_log_factor(&m->e, m->x, m->y, m->logp);
    return m->logp[0];
}

static void simulate(model *m, uint64_t step, size_t sweeps)
{
    cs_streams streams = cs_streams_of(5, step, m->chain, LANES, LANES);
    cs_simulation s = {.streams = &streams,
                       .first = sweeps ? CS_SIMULATION_ROWS : 0,
                       .sweeps = sweeps,
                       .data = m->y,
                       .updates = m->reported,
                       .past = m->reported + LANES,
                       .left = m->reported + 2 * LANES};
    (sweeps ? cs_eval_sweep : cs_eval_simulate)(&m->e, m->x, m->failed,
                                                m->scratch, &s);
}

/* ---- log f by definition ------------------------------------------------- */

/* Returns the sum of a function over all pairs of neighbours on a grid. */
static double over_pairs(const double *y, size_t rows, size_t cols,
                         bool periodic, double (*pair)(double a, double b))
{
    double sum = 0;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++) {
            double own = y[r * cols + c];
            if (c + 1 < cols || (periodic && cols > 1))
                sum += pair(own, y[r * cols + (c + 1) % cols]);
            if (r + 1 < rows || (periodic && rows > 1))
                sum += pair(own, y[(r + 1) % rows * cols + c]);
        }
    return sum;
}

static double spins(double a, double b)
{
    return (2 * a - 1) * (2 * b - 1);
}

static double alike(double a, double b)
{
    return a == b;
}

static double step(double a, double b)
{
    return -0.5 * (a - b) * (a - b);
}

/* A test case: a target, its parameters, theta, and a function that computes
 * log f by definition. */
typedef struct row {
    const char *name;
    cs_value given[5];
    size_t n, values;
    double theta[THETA];
    double (*log_f)(const double *theta, const double *y);
} row;

static double ising_3x3(const double *theta, const double *y)
{
    return theta[0] * over_pairs(y, 3, 3, false, spins);
}

static double ising_2x4_torus(const double *theta, const double *y)
{
    double sum = theta[0] * over_pairs(y, 2, 4, true, spins);
    for (size_t i = 0; i < 8; i++)
        sum += theta[1] * (2 * y[i] - 1);
    return sum;
}

static double potts_3x3(const double *theta, const double *y)
{
    return theta[0] * over_pairs(y, 3, 3, true, alike);
}

static double potts_2x3(const double *theta, const double *y)
{
    double sum = theta[0] * over_pairs(y, 2, 3, false, alike);
    for (size_t i = 0; i < 6; i++)
        sum += theta[1] * (y[i] == 0);
    return sum;
}

static const double house[6][2] = {{1, 2}, {2, 3}, {3, 4},
                                   {4, 1}, {1, 5}, {2, 5}};
static const double at_home[6] = {1, 0, 0, 1, 1, 0};

static double autologistic_house(const double *theta, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < 6; k++)
        sum +=
            theta[0] * y[(size_t)house[k][0] - 1] * y[(size_t)house[k][1] - 1];
    for (size_t i = 0; i < 6; i++) /* the sixth vertex has no neighbour */
        sum += theta[1] * y[i];
    return sum;
}

/* Counts edges, stars and triangles from the adjacency matrix. */
static double graph_5(const double *theta, const double *y)
{
    double a[5][5] = {{0}}, edges = 0, stars = 0, triangles = 0;
    size_t e = 0;
    for (size_t i = 0; i < 5; i++)
        for (size_t j = i + 1; j < 5; j++, e++) {
            a[i][j] = a[j][i] = y[e];
            edges += y[e];
        }
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            for (size_t k = 0; k < 5; k++) {
                stars += j < k ? a[i][j] * a[i][k] : 0;
                triangles += i < j && j < k ? a[i][j] * a[i][k] * a[j][k] : 0;
            }
    return theta[0] * edges + theta[1] * stars + theta[2] * triangles;
}

static const row rows[] = {
    {"ising_parameter",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 3}},
     1,
     2,
     {0.35},
     ising_3x3},
    {"ising_parameter",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 2},
      {.name = "cols", .kind = CS_PARAM_INT, .number = 4},
      {.name = "periodic", .kind = CS_PARAM_BOOL, .number = 1},
      {.name = "two", .kind = CS_PARAM_BOOL, .number = 1}},
     4,
     2,
     {0.2, -0.15},
     ising_2x4_torus},
    {"potts_parameter",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 3},
      {.name = "periodic", .kind = CS_PARAM_BOOL, .number = 1}},
     2,
     3,
     {0.4},
     potts_3x3},
    {"potts_parameter",
     {{.name = "rows", .kind = CS_PARAM_INT, .number = 2},
      {.name = "cols", .kind = CS_PARAM_INT, .number = 3},
      {.name = "colours", .kind = CS_PARAM_INT, .number = 4},
      {.name = "two", .kind = CS_PARAM_BOOL, .number = 1}},
     4,
     4,
     {0.5, 0.3},
     potts_2x3},
    {"autologistic",
     {{.name = "edges",
       .kind = CS_PARAM_ARRAY,
       .array = house[0],
       .rows = 6,
       .cols = 2},
      {.name = "data",
       .kind = CS_PARAM_ARRAY,
       .array = at_home,
       .rows = 6,
       .cols = 1}},
     2,
     2,
     {0.7, -0.6},
     autologistic_house},
    {"random_graph",
     {{.name = "vertices", .kind = CS_PARAM_INT, .number = 5},
      {.name = "statistics", .kind = CS_PARAM_INT, .number = 3}},
     2,
     2,
     {-0.5, 0.1, 0.3},
     graph_5},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void put_state(const row *r, size_t k, size_t n, double *y)
{
    for (size_t i = n; i-- > 0; k /= r->values)
        y[i] = (double)(k % r->values);
}

/* Returns log Z as a sum over all states. Also compares log f of each state
 * with the definition. */
static double by_all_states(model *m, const row *r)
{
    double y[16], sum = 0;
    size_t n = m->t->n_data, states = 1;
    for (size_t i = 0; i < n; i++)
        states *= r->values;
    for (size_t k = 0; k < states; k++) {
        put_state(r, k, n, y);
        double f = r->log_f(r->theta, y);
        if (k % 7 == 0)
            assert_near(log_f(m, r->theta, y), f, 1e-13, 1e-12);
        sum += exp(f);
    }
    return log(sum);
}

static void test_constants_of_small_data(void **state)
{
    (void)state;
    for (const row *r = rows; r < rows + ROWS; r++) {
        model m = open_model(r->name, r->given, r->n);
        assert_false(m.t->flags & CS_TARGET_UNNORMALISED);
        double known = known_part(&m, r->theta);
        assert_near(known, r->log_f(r->theta, m.t->data), 1e-13, 1e-12);
        assert_near(log_p(&m, r->theta), known - by_all_states(&m, r), 1e-12,
                    1e-11);
        close_model(&m);
    }
}

/* Log f minus log p is log Z. At theta = beta, log Z agrees with Kaufman's
 * formula for a torus, which the target `ising` provides. At theta = 0, log Z
 * is the logarithm of the number of states. */
static void test_constants_of_a_torus(void **state)
{
    (void)state;
    const double beta[] = {0.1, 0.3, 0.44, 0.8}, none = 0;
    for (size_t k = 0; k < 4; k++) {
        cs_value grid[] = {whole("rows", 6), yes("periodic")};
        cs_value model_of[] = {whole("rows", 6), number("beta", beta[k])};
        model m = open_model("ising_parameter", grid, 2);
        model known = open_model("ising", model_of, 2);
        double z = known_part(&m, &beta[k]) - log_p(&m, &beta[k]);
        assert_near(z, known.t->exact.log_z, 1e-12, 0);
        z = known_part(&m, &none) - log_p(&m, &none);
        assert_near(z, 36 * log(2), 1e-12, 0);
        close_model(&m);
        close_model(&known);
    }
}

/* Tests Kaufman's formula on a torus with too many states to enumerate. The
 * slope of the formula is correct, and the formula agrees with the series
 * around 0. */
static void test_constants_of_a_large_torus(void **state)
{
    (void)state;
    const double beta[] = {-0.3, -1e-3, 0.999e-3,  1.001e-3,
                           0.2,  0.44,  0.4406868, 0.9};
    const double low = -1, none = 0;
    cs_value grid[] = {whole("rows", 12), yes("periodic"),
                       list("low", &low, 1, 1)};
    model m = open_model("ising_parameter", grid, 3);
    double z = known_part(&m, &none) - log_p(&m, &none);
    assert_near(z, 144 * log(2), 1e-13, 0);
    for (size_t k = 0; k < sizeof beta / sizeof *beta; k++) {
        double up = beta[k] + 1e-5, down = beta[k] - 1e-5;
        double slope = (log_p(&m, &up) - log_p(&m, &down)) / 2e-5;
        log_p(&m, &beta[k]);
        assert_near(m.g[0], slope, 1e-6, 1e-4);
    }
    close_model(&m);
}

/* On larger models log Z at theta = 0 is the logarithm of the number of
 * states. */
static void test_constants_of_more_data(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        cs_value given[3];
        size_t n;
        double states;
    } of[] = {
        {"ising_parameter",
         {{.name = "rows", .kind = CS_PARAM_INT, .number = 10}},
         1,
         100 * M_LN2},
        {"ising_parameter",
         {{.name = "rows", .kind = CS_PARAM_INT, .number = 7},
          {.name = "two", .kind = CS_PARAM_BOOL, .number = 1}},
         2,
         49 * M_LN2},
        {"potts_parameter",
         {{.name = "rows", .kind = CS_PARAM_INT, .number = 7}},
         1,
         49 * 1.0986122886681098},
        {"autologistic", {{0}}, 0, 49 * M_LN2},
        {"random_graph",
         {{.name = "vertices", .kind = CS_PARAM_INT, .number = 7},
          {.name = "statistics", .kind = CS_PARAM_INT, .number = 3}},
         2,
         21 * M_LN2},
        {"random_graph", {{0}}, 0, 120 * M_LN2},
    };
    const double none[THETA] = {0};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        model m = open_model(of[k].name, of[k].given, of[k].n);
        double z = known_part(&m, none) - log_p(&m, none);
        assert_near(z, of[k].states, 1e-12, 0);
        close_model(&m);
    }
}

/* Compares log Z with the value computed from the determinant of the precision
 * matrix Q. */
static void test_constants_of_a_gaussian_field(void **state)
{
    (void)state;
    enum { R = 3, C = 4, N = R * C };
    cs_value grid[] = {whole("rows", R), whole("cols", C)};
    const double theta[2] = {0.8, 0.3};
    model m = open_model("gmrf_precision", grid, 2);
    gsl_matrix *q = gsl_matrix_calloc(N, N);
    double own = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            size_t far = (i / C > j / C ? i / C - j / C : j / C - i / C) +
                         (i % C > j % C ? i % C - j % C : j % C - i % C);
            if (far == 1)
                gsl_matrix_set(q, i, j, -theta[0]);
            if (far == 1)
                gsl_matrix_set(q, i, i, gsl_matrix_get(q, i, i) + theta[0]);
        }
    for (size_t i = 0; i < N; i++) {
        gsl_matrix_set(q, i, i, gsl_matrix_get(q, i, i) + theta[1]);
        own -= 0.5 * m.t->data[i] * m.t->data[i];
    }
    gsl_linalg_cholesky_decomp1(q);
    double z = 0.5 * N * log(2 * M_PI);
    for (size_t i = 0; i < N; i++)
        z -= log(gsl_matrix_get(q, i, i));
    double f =
        theta[0] * over_pairs(m.t->data, R, C, false, step) + theta[1] * own;
    assert_near(known_part(&m, theta), f, 1e-13, 1e-12);
    assert_near(log_f(&m, theta, m.t->data), f, 1e-13, 1e-12);
    assert_near(log_p(&m, theta), f - z, 1e-13, 1e-12);
    gsl_matrix_free(q);
    close_model(&m);
}

/* ---- simulations --------------------------------------------------------- */

/* Returns the statistic S_p of lane l, which is log f if theta is the p-th unit
 * vector. */
static double statistic(model *m, size_t p, size_t l)
{
    double unit[THETA] = {0};
    unit[p] = 1;
    set_theta(m, unit);
    cs_eval_log_factor(&m->e, m->x, m->y, m->logp);
    return m->logp[l];
}

/* Returns the largest error, over all p, of the mean of S_p over simulated
 * data, in standard errors. The gradient is S_p(data) - E[S_p | theta], so it
 * gives the expected value of S_p. */
static double off(model *m, const double *theta, const double *at, size_t steps,
                  size_t sweeps)
{
    double most = 0, sum[THETA] = {0}, square[THETA] = {0};
    double wanted[THETA], n = (double)(steps * LANES);
    size_t dim = m->t->space.dim;
    for (size_t k = 0; k < steps; k++) {
        set_theta(m, at);
        simulate(m, k, 0);
        for (size_t l = 0; l < LANES; l++)
            assert_true(m->reported[2 * LANES + l] == 0 && m->reported[l] > 0);
        if (sweeps)
            simulate(m, k, sweeps);
        for (size_t p = 0; p < dim; p++)
            for (size_t l = 0; l < LANES; l++) {
                double s = statistic(m, p, l);
                sum[p] += s;
                square[p] += s * s;
            }
    }
    log_p(m, theta);
    for (size_t p = 0; p < dim; p++)
        wanted[p] = -m->g[p * LANES];
    for (size_t i = 0; i < m->t->n_data * LANES; i++)
        m->y[i] = m->t->data[i / LANES];
    for (size_t p = 0; p < dim; p++) {
        wanted[p] += statistic(m, p, 0);
        double mean = sum[p] / n, variance = square[p] / n - mean * mean;
        most = fmax(most, fabs(mean - wanted[p]) / sqrt(variance / n));
    }
    return most;
}

static void test_simulations_have_the_means(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        cs_value given[4];
        size_t n;
        double theta[THETA];
    } of[] = {
        {"ising_parameter", {{0}}, 0, {0.35}},
        {"ising_parameter", {{0}}, 0, {0.45}},
        {"ising_parameter",
         {{.name = "rows", .kind = CS_PARAM_INT, .number = 5},
          {.name = "periodic", .kind = CS_PARAM_BOOL, .number = 1},
          {.name = "two", .kind = CS_PARAM_BOOL, .number = 1}},
         3,
         {0.2, 0.1}},
        {"ising_parameter",
         {{.name = "rows", .kind = CS_PARAM_INT, .number = 16},
          {.name = "periodic", .kind = CS_PARAM_BOOL, .number = 1}},
         2,
         {0.4}},
        {"potts_parameter",
         {{.name = "rows", .kind = CS_PARAM_INT, .number = 6}},
         1,
         {0.7}},
        {"potts_parameter",
         {{.name = "rows", .kind = CS_PARAM_INT, .number = 4},
          {.name = "two", .kind = CS_PARAM_BOOL, .number = 1}},
         2,
         {0.3, 0.4}},
        {"autologistic", {{0}}, 0, {0.4, -0.9}},
        {"random_graph", {{0}}, 0, {-1.2}},
        {"random_graph",
         {{.name = "vertices", .kind = CS_PARAM_INT, .number = 6},
          {.name = "statistics", .kind = CS_PARAM_INT, .number = 3}},
         2,
         {-0.6, 0.05, 0.3}},
        {"gmrf_precision", {{0}}, 0, {1.2, 0.4}},
    };
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        model m = open_model(of[k].name, of[k].given, of[k].n);
        double wrong[THETA];
        for (size_t p = 0; p < THETA; p++)
            wrong[p] = 0.3 * of[k].theta[p];
        double exact = off(&m, of[k].theta, of[k].theta, 60, 0);
        double swept = off(&m, of[k].theta, of[k].theta, 60, 2);
        double beside = off(&m, of[k].theta, wrong, 60, 0);
        if (exact > 4.5 || swept > 4.5 || beside < 4.5)
            fail_msg("%s: %g standard errors off, %g after sweeps, %g at "
                     "another theta",
                     of[k].name, exact, swept, beside);
        close_model(&m);
    }
}

/* Lanes for which no simulation is requested keep their data. */
static void test_lanes_that_are_not_asked(void **state)
{
    (void)state;
    const char *names[] = {"ising_parameter", "potts_parameter", "autologistic",
                           "random_graph", "gmrf_precision"};
    const double theta[THETA] = {0.3, 0.2, 0.1};
    for (size_t k = 0; k < 5; k++) {
        model m = open_model(names[k], NULL, 0);
        size_t n = m.t->n_data;
        double *before = cs_alloc(n * LANES, sizeof *before);
        set_theta(&m, theta);
        simulate(&m, 1, 0);
        memcpy(before, m.y, n * LANES * sizeof *before);
        for (size_t l = 0; l < LANES; l++)
            m.failed[l] = l % 3 == 0;
        simulate(&m, 2, 3);
        size_t moved = 0;
        for (size_t i = 0; i < n * LANES; i++) {
            bool same = m.y[i] == before[i];
            assert_true(same || !m.failed[i % LANES]);
            moved += !same;
        }
        assert_true(moved > n);
        cs_free(before);
        close_model(&m);
    }
}

/* ---- instances of the targets -------------------------------------------- */

static void test_data_at_hand(void **state)
{
    (void)state;
    const double edges[THETA] = {1, 0, 0}, stars[THETA] = {0, 1, 0},
                 triangles[THETA] = {0, 0, 1}, pair[2] = {1, 0},
                 sum[2] = {0, 1};
    cs_value three = whole("statistics", 3);
    model m = open_model("random_graph", &three, 1);
    assert_int_equal(m.t->n_data, 120);
    assert_true(m.t->flags & CS_TARGET_UNNORMALISED);
    assert_true(isnan(log_p(&m, edges)));
    assert_true(log_f(&m, edges, m.t->data) == 20);
    assert_true(log_f(&m, stars, m.t->data) == 47);
    assert_true(log_f(&m, triangles, m.t->data) == 3);
    close_model(&m);
    m = open_model("autologistic", NULL, 0);
    double all[49];
    for (size_t i = 0; i < 49; i++)
        all[i] = 1;
    assert_int_equal(m.t->n_data, 49);
    assert_true(log_f(&m, pair, all) == 107);
    assert_true(log_f(&m, sum, m.t->data) == 25);
    close_model(&m);
}

static void test_large_data_have_no_constant(void **state)
{
    (void)state;
    const double theta = 0.35;
    cs_value side = whole("rows", 32);
    model m = open_model("ising_parameter", &side, 1);
    assert_true(m.t->flags & CS_TARGET_UNNORMALISED);
    assert_int_equal(m.t->n_data, 1024);
    assert_true(isnan(log_p(&m, &theta)) && isnan(m.g[0]));
    assert_true(isfinite(known_part(&m, &theta)));
    const double outside = 1.5;
    assert_true(known_part(&m, &outside) == -HUGE_VAL);
    close_model(&m);
}

static void test_priors(void **state)
{
    (void)state;
    const double low = -1, high = 0.9, mean = 0.2, sd = 0.5;
    const double y[9] = {-1, 1, 1, 1, 1, -1, -1, 1, 1};
    cs_value flat[] = {list("data", y, 3, 3), list("low", &low, 1, 1),
                       list("high", &high, 1, 1)};
    cs_value normal[] = {flat[0], flat[1], flat[2],
                         list("prior_mean", &mean, 1, 1),
                         list("prior_sd", &sd, 1, 1)};
    model a = open_model("ising_parameter", flat, 3);
    model b = open_model("ising_parameter", normal, 5);
    for (double x = -0.9; x < 0.9; x += 0.3) {
        double z = (x - mean) / sd;
        assert_near(log_p(&b, &x) - log_p(&a, &x), -0.5 * z * z, 0, 1e-12);
        assert_near(b.g[0] - a.g[0], -z / sd, 0, 1e-12);
    }
    const double outside = 0.95;
    assert_true(log_p(&a, &outside) == -HUGE_VAL);
    assert_int_equal(a.t->n_data, 9);
    assert_true(a.t->data[0] == 0 && a.t->data[1] == 1);
    close_model(&a);
    close_model(&b);
}

static void refuse(const char *name, const cs_value *given, size_t n,
                   const char *words)
{
    cs_target *t = NULL;
    cs_error err = {0};
    cs_status s = cs_target_create(cs_target_find(name), given, n, &t, &err);
    if (!s || !strstr(err.what, words))
        fail_msg("%s: \"%s\", not \"%s\"", name, err.what, words);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    const double half[4] = {0, 1, 0.5, 1}, two[2] = {0, 1}, loop[2] = {2, 2},
                 far[2] = {0, 1}, lopsided[4] = {0, 1, 0, 0}, hot[2] = {4, 0},
                 zero[2] = {0, 0.1};
    cs_value of[2] = {list("data", half, 2, 2)};
    refuse("ising_parameter", of, 1, "entry 3 of the data is 0.5");
    of[1] = whole("rows", 3);
    refuse("ising_parameter", of, 2, "`data` has 4 numbers, but 6 are needed");
    of[0] = list("low", two, 2, 1);
    refuse("ising_parameter", of, 1, "2 numbers in low, not 1");
    of[1] = yes("two");
    refuse("ising_parameter", of, 2, "range of field is empty: 1 to 1");
    (void)far;
    of[0] = list("edges", loop, 1, 2);
    of[1] = list("data", two, 2, 1);
    refuse("autologistic", of, 2, "joined to itself");
    of[0] = list("edges", far, 1, 2);
    refuse("autologistic", of, 2, "edge 1 has the end 0");
    of[0] = list("data", lopsided, 2, 2);
    refuse("random_graph", of, 1,
           "vertex 1 is joined to vertex 2, but not 2 to 1");
    of[0] = list("low", zero, 2, 1);
    refuse("gmrf_precision", of, 1, "low must be above 0");
    cs_value cold[] = {list("truth", hot, 2, 1), number("limit", 1e4),
                       yes("two")};
    refuse("ising_parameter", cold, 3, "no exact draw from the truth");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_constants_of_small_data),
    cmocka_unit_test(test_constants_of_a_torus),
    cmocka_unit_test(test_constants_of_a_large_torus),
    cmocka_unit_test(test_constants_of_more_data),
    cmocka_unit_test(test_constants_of_a_gaussian_field),
    cmocka_unit_test(test_simulations_have_the_means),
    cmocka_unit_test(test_lanes_that_are_not_asked),
    cmocka_unit_test(test_data_at_hand),
    cmocka_unit_test(test_large_data_have_no_constant),
    cmocka_unit_test(test_priors),
    cmocka_unit_test(test_what_is_refused),
};
TESTS(test_intractable)
