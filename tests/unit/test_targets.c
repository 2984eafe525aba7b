/* Compares the built-in targets with known values. */
#include "support/support.h"

#include "base/memory.h"
#include "target/enumeration.h"
#include "target/eval.h"

#include <gsl/gsl_integration.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LANES = 8 };

typedef struct probe {
    cs_target *t;
    double *x, *logp, *g, *scratch;
} probe;

static probe make_with(const char *name, const cs_value *given, size_t n)
{
    probe p = {0};
    cs_error err = {0};
    if (cs_target_create(cs_target_find(name), given, n, &p.t, &err))
        print_error("%s\n", err.what);
    assert_non_null(p.t);
    p.x = cs_alloc(p.t->space.dim * LANES, sizeof(double));
    p.g = cs_alloc(p.t->space.dim * LANES, sizeof(double));
    p.logp = cs_alloc(LANES, sizeof(double));
    p.scratch = cs_alloc(cs_eval_scratch_words(p.t) * LANES, sizeof(double));
    return p;
}

static probe make(const char *name)
{
    return make_with(name, NULL, 0);
}

static void drop(probe *p)
{
    cs_target_release(p->t);
    cs_free(p->x);
    cs_free(p->g);
    cs_free(p->logp);
    cs_free(p->scratch);
}

/* Returns log p at x[dim]; stores the gradient in g[dim][LANES]. */
static double at(probe *p, const double *x)
{
    cs_eval e;
    cs_eval_open(&e, p->t, LANES, 1, NULL, p->scratch);
    for (size_t i = 0; i < p->t->space.dim; i++)
        for (size_t l = 0; l < LANES; l++)
            p->x[i * LANES + l] = x[i];
    cs_eval_gradient(&e, CS_NOW, p->x, p->logp, p->g);
    return p->logp[0];
}

/* Compares gradients with exact differences of the sixteen log masses. */
static void bernoulli4_gradients(void **state)
{
    (void)state;
    static const double x[2][4] = {{0, 0, 0, 0}, {0, 1, 1, 1}};
    static const double g[2][4] = {{-0.486787, 0.122242, 0.485942, -0.486787},
                                   {-2.529688, 2.307411, 0.779029, 0.779029}};
    probe p = make("bernoulli4");
    for (int k = 0; k < 2; k++) {
        at(&p, x[k]);
        for (size_t i = 0; i < 4; i++)
            assert_near(p.g[i * LANES], g[k][i], 0, 5e-7);
    }
    assert_near(at(&p, x[1]), log(0.16756987), 0, 1e-7);
    drop(&p);
}

/* Compares with the published program: with the extremes on its 500 x 500 grid,
 * and with the masses of its nine boxes. */
static void nine_modes_energies(void **state)
{
    (void)state;
    probe p = make("nine_modes");
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < 500; i++)
        for (int j = 0; j < 500; j++) {
            double x[2] = {-2.5 + 5.0 * i / 499, -2.5 + 5.0 * j / 499};
            double energy = -at(&p, x);
            least = fmin(energy, least);
            most = fmax(energy, most);
        }
    assert_near(least, -6.665461, 0, 1e-6);
    assert_near(most, 16.333333, 0, 1e-6);
    assert_near(p.t->exact.mode_weight[0], 0.0495, 0, 5e-5);
    assert_near(p.t->exact.mode_weight[1], 0.1237, 0, 5e-5);
    assert_near(p.t->exact.mode_weight[4], 0.3072, 0, 6e-5);
    /* by another program: quadrature with 40 nodes between the borders */
    assert_near(p.t->exact.log_z, 5.902418749134029, 0, 1e-11);
    assert_near(p.t->exact.variance[0], 1.2192557609702888, 0, 1e-11);
    assert_near(p.t->exact.mode_weight[0], 0.049495117839836886, 0, 1e-12);
    static const double out[2] = {2.6, 0};
    assert_true(at(&p, out) == -HUGE_VAL);
    drop(&p);
}

/* Integrates x^power times the density over a <= x <= b by the midpoint
 * rule. */
static double sum_of(double a, double b, int power)
{
    enum { N = 400000 };
    double sum = 0, h = (b - a) / N;
    for (int i = 0; i < N; i++) {
        double x = a + (i + 0.5) * h;
        sum +=
            pow(x, power) * exp(-(x * x - 10 * cos(3.769911184307752 * x)) / 3);
    }
    return sum * h;
}

/* In the form stated in the paper, the target is a product of two equal
 * one-dimensional distributions. Hence a single one-dimensional sum
 * suffices. */
static void nine_modes_of_the_formula(void **state)
{
    (void)state;
    const cs_value given[] = {{.name = "box", .number = 0},
                              {.name = "penalty", .number = 0}};
    probe p = make_with("nine_modes", given, 2);
    double b = 1 / 1.2, inner = sum_of(0, b, 0), outer = sum_of(b, 12, 0);
    double all = 2 * (inner + outer);
    assert_near(p.t->exact.log_z, 2 * log(all), 0, 1e-8);
    assert_near(p.t->exact.mode_weight[4], 4 * inner * inner / (all * all), 0,
                1e-8);
    assert_near(p.t->exact.mode_weight[1], 2 * inner * outer / (all * all), 0,
                1e-8);
    assert_near(p.t->exact.mode_weight[8], outer * outer / (all * all), 0,
                1e-8);
    assert_near(p.t->exact.variance[1],
                2 * (sum_of(0, b, 2) + sum_of(b, 12, 2)) / all, 0, 1e-7);
    static const double far[2] = {3, -2};
    double logp = 0;
    for (int i = 0; i < 2; i++)
        logp -= (far[i] * far[i] - 10 * cos(3.769911184307752 * far[i])) / 3;
    assert_near(at(&p, far), logp, 0, 1e-12);
    for (size_t i = 0; i < 2; i++)
        assert_near(p.g[i * LANES],
                    -(2 * far[i] +
                      37.69911184307752 * sin(3.769911184307752 * far[i])) /
                        3,
                    0, 1e-11);
    drop(&p);
}

/* ---- nine_modes with and without its square and its penalty ---- */

enum { NODES = 32 };

typedef struct plane {
    double penalty, y, x0, x1;
    int power; /* exponent of x */
} plane;

/* Integrates f from a to b by Gauss-Legendre quadrature over short pieces that
 * contain no break. */
static double pieces(double a, double b, const double *breaks, size_t n,
                     double (*f)(const plane *p, double at), const plane *p)
{
    gsl_integration_glfixed_table *table =
        gsl_integration_glfixed_table_alloc(NODES);
    double sum = 0;
    while (a < b) {
        double to = fmin(b, a + 0.5);
        for (size_t i = 0; i < n; i++)
            if (breaks[i] > a + 1e-12 && breaks[i] < to)
                to = breaks[i];
        for (size_t i = 0; i < NODES; i++) {
            double at, weight;
            gsl_integration_glfixed_point(a, to, i, &at, &weight, table);
            sum += weight * f(p, at);
        }
        a = to;
    }
    gsl_integration_glfixed_table_free(table);
    return sum;
}

static double mass_at(const plane *p, double x)
{
    double square = x * x + p->y * p->y;
    double e = (square - 10 * (cos(3.769911184307752 * x) +
                               cos(3.769911184307752 * p->y))) /
                   3 +
               p->penalty * fmax(square - 7, 0);
    return pow(x, p->power) * exp(-e);
}

static double row_at(const plane *p, double y)
{
    plane row = *p;
    double rim = sqrt(fmax(7 - y * y, 0));
    row.y = y;
    return pieces(p->x0, p->x1, &rim, 1, mass_at, &row);
}

/* Returns the integrand along the circle |x|^2 = 7, where it is a smooth
 * function of the angle. */
static double row_at_angle(const plane *p, double angle)
{
    return sqrt(7) * cos(angle) * row_at(p, sqrt(7) * sin(angle));
}

/* Returns the integral of x^power exp(-E) over x0 <= x <= x1, y0 <= y <= y1,
 * where x0 and y0 are at least 0. */
static double rectangle(double penalty, int power, double x0, double x1,
                        double y0, double y1)
{
    plane p = {.penalty = penalty, .x0 = x0, .x1 = x1, .power = power};
    double rim = sqrt(7);
    const double bend[2] = {acos(fmin(x0 / rim, 1)), acos(fmin(x1 / rim, 1))};
    double sum = 0;
    if (y0 < rim)
        sum = pieces(asin(y0 / rim), y1 < rim ? asin(y1 / rim) : M_PI_2, bend,
                     2, row_at_angle, &p);
    if (y1 > rim)
        sum += pieces(fmax(y0, rim), y1, NULL, 0, row_at, &p);
    return sum;
}

static probe nine_modes_of(double box, double penalty)
{
    const cs_value given[] = {{.name = "box", .number = box},
                              {.name = "penalty", .number = penalty}};
    return make_with("nine_modes", given, 2);
}

/* Compares three values for the grid that the probes use for marginal
 * distributions: P(x_i < -5/6), P(|x_i| < 5/6) and the second moment. */
static void compare_marginals(const probe *p, double side, double middle)
{
    double mass[480], first, width, left = 0, inner = 0, square = 0, mean = 0;
    const cs_enumeration *truth = cs_enumeration_of(p->t);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            cs_enumeration_axis(p->t, truth, i, &first, &width, mass), 480);
        left = inner = square = mean = 0;
        for (size_t v = 0; v < 480; v++) {
            double x = first + width * ((double)v + 0.5);
            mean += mass[v] * x;
            square += mass[v] * x * x;
            left += x < -5.0 / 6 ? mass[v] : 0;
            inner += fabs(x) < 5.0 / 6 ? mass[v] : 0;
        }
        assert_near(mean, 0, 0, 1e-12);
        assert_near(square, p->t->exact.variance[i], 2e-4, 0);
        assert_near(left, side, 0, 3e-4);
        assert_near(inner, middle, 0, 6e-4);
    }
}

static void nine_modes_by_quadrature(void **state)
{
    (void)state;
    static const double is[][2] = {{2.5, 1}, {2.5, 0},  {0, 1},   {0, 0.5},
                                   {0, 0},   {2.5, 10}, {4, 0.3}, {1.2, 1},
                                   {0.5, 0}, {100, 0},  {3, 0}};
    for (size_t k = 0; k < sizeof is / sizeof *is; k++) {
        probe p = nine_modes_of(is[k][0], is[k][1]);
        double end = is[k][0] > 0 ? fmin(is[k][0], 12) : 12, q = is[k][1];
        double b = fmin(1 / 1.2, end);
        double centre = rectangle(q, 0, 0, b, 0, b);
        double right = rectangle(q, 0, b, end, 0, b);
        double corner = rectangle(q, 0, b, end, b, end);
        double z = 4 * (centre + 2 * right + corner);
        const double weight[] = {corner, 2 * right, corner, 2 * right,
                                 4 * centre};
        const cs_exact *e = &p.t->exact;
        assert_near(e->log_z, log(z), 0, 1e-9);
        for (size_t m = 0; m < 9; m++)
            assert_near(e->mode_weight[m], weight[m < 5 ? m : 8 - m] / z, 0,
                        1e-10);
        for (size_t i = 0; i < 2; i++) {
            assert_near(e->mean[i], 0, 0, 0);
            assert_near(e->variance[i], 4 * rectangle(q, 2, 0, end, 0, end) / z,
                        1e-9, 0);
        }
        compare_marginals(&p, 2 * (right + corner) / z,
                          4 * (centre + right) / z);
        drop(&p);
    }
}

/* The mixture 0.4 N(-6, 1) + 0.6 N(4, 1) has mean 0 and variance 1 + 24. Also
 * checks its lowest energy. */
static void mixture_by_hand(void **state)
{
    (void)state;
    probe p = make("mixture");
    static const double x[1] = {4};
    assert_near(p.t->exact.mean[0], 0, 0, 1e-14);
    assert_near(p.t->exact.variance[0], 25, 1e-14, 0);
    assert_near(at(&p, x), -1.42976415, 0, 1e-7);
    assert_near(p.g[0], 0, 0, 1e-15);
    drop(&p);
}

/* Compares sums over all states with the sums that belong to the published
 * program's density. */
static void lattice_sums(void **state)
{
    (void)state;
    probe p = make("lattice_modes");
    double log_z = p.t->exact.log_z, first = 0, second = 0;
    for (int i = 0; i < 450; i++)
        for (int j = 0; j < 450; j++) {
            double x[2] = {i, j}, logp = at(&p, x), mass = exp(logp - log_z);
            first += mass * logp;
            second += mass * logp * logp;
        }
    assert_int_equal(p.t->space.values, 450);
    assert_near(log_z, 7.70095, 0, 5e-6);
    assert_near(first, -1.99732, 0, 5e-6);
    assert_near(sqrt(second - first * first), 1.41209, 0, 5e-6);
    static const double centre[2] = {75, 75}, near[2] = {76, 75};
    assert_near(at(&p, centre), 0, 0, 1e-6);
    at(&p, near);
    assert_near(p.g[0], -1 / 3.75, 1e-6, 0);
    drop(&p);
}

/* Both forms of eight_schools are the same distribution in different
 * coordinates: theta = mu + tau eta, with the Jacobian tau^8. */
static void schools_in_both_forms(void **state)
{
    (void)state;
    static const cs_value form = {
        .name = "form", .kind = CS_PARAM_TEXT, .text = "centred"};
    static const double origin[10];
    probe apart = make("eight_schools"),
          together = make_with("eight_schools", &form, 1);
    /* by hand: -1/2 sum y^2 / sigma^2 - log(1 + 1/25) */
    assert_near(at(&apart, origin), -4.17402769235, 1e-11, 0);
    double x[10] = {3, 0.7, -1, 0.5, 0.2, 1.5, -0.3, 0, 2, 1}, y[10];
    for (int i = 0; i < 10; i++)
        y[i] = i < 2 ? x[i] : x[0] + exp(x[1]) * x[i];
    double logp = at(&apart, x);
    assert_near(at(&together, y), logp - 8 * x[1], 1e-13, 0);
    double slope = apart.g[LANES]; /* chain rule along log tau */
    for (size_t j = 2; j < 10; j++) {
        double g = apart.g[j * LANES] / exp(x[1]);
        assert_near(together.g[j * LANES], g, 1e-12, 1e-14);
        slope -= g * (y[j] - x[0]);
    }
    assert_near(together.g[LANES], slope - 8, 1e-12, 1e-13);
    char name[16];
    cs_target_coordinate(together.t, 9, name, sizeof name);
    assert_string_equal(name, "theta.8");
    drop(&apart);
    drop(&together);
}

/* Compares with the maximum-likelihood fit to the O-ring data, which is 15.0429
 * - 0.2322 t with a residual deviance of 20.315 (R's glm; Dalal, Fowlkes and
 * Hoadley 1989). */
static void challenger_fit(void **state)
{
    (void)state;
    static const char *const sources[] = {"challenger",
                                          "../assets/data/challenger.csv"};
    static const double fit[2] = {15.0429, -0.2322};
    for (int k = 0; k < 2; k++) {
        const cs_value given[] = {
            {.name = "file", .kind = CS_PARAM_TEXT, .text = sources[k]},
            {.name = "prior_sd", .kind = CS_PARAM_REAL, .number = 1e6},
            {.name = "standardise", .kind = CS_PARAM_BOOL, .number = 0}};
        probe p = make_with("logistic_regression", given, 3);
        assert_near(-2 * at(&p, fit), 20.315, 0, 1e-3);
        assert_near(p.g[0], 0, 0, 0.02);
        assert_int_equal(p.t->data_terms, 23);
        char name[32];
        cs_target_coordinate(p.t, 1, name, sizeof name);
        assert_string_equal(name, "temperature");
        drop(&p);
    }
}

enum { ROWS = 333, COLUMNS = 6 };

/* Creates a regression on a table. The number of rows is a multiple neither of
 * eight nor of the number of rows in a pass. */
static probe many_rows(void)
{
    char path[] = "/tmp/chainscope-rows-XXXXXX";
    int handle = mkstemp(path);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    assert_non_null(file);
    for (int j = 0; j < COLUMNS; j++)
        fprintf(file, "x%d,", j);
    fprintf(file, "y\n");
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            fprintf(file, "%.6f,", 3 * sin(1 + 1.7 * i + i * j));
        fprintf(file, "%d\n", i % 3 == 0);
    }
    assert_int_equal(fclose(file), 0);
    const cs_value given[] = {
        {.name = "file", .kind = CS_PARAM_TEXT, .text = path}};
    probe p = make_with("logistic_regression", given, 1);
    remove(path);
    return p;
}

/* With a single chain, the loops over the rows are nested in another order than
 * with several chains. The bits of the results are the same in both orders. */
static void many_rows_in_any_block(void **state)
{
    enum { DIM = COLUMNS + 1, SIZE = DIM * LANES };
    (void)state;
    _Alignas(64) double logp[LANES], g[SIZE], alone[SIZE];
    _Alignas(CS_ALIGN) double x[DIM];
    probe p = many_rows();
    for (int j = 0; j < DIM; j++)
        x[j] = cos(1 + j);
    at(&p, x);
    for (size_t live = 1; live <= LANES; live += LANES - 1) {
        cs_eval e;
        cs_eval_open(&e, p.t, LANES, live, NULL, p.scratch);
        cs_eval_gradient(&e, CS_NOW, p.x, logp, g);
        assert_true(cs_eval_gradient_alone(&e, p.x, alone));
        assert_memory_equal(logp, p.logp, sizeof logp);
        assert_memory_equal(g, p.g, sizeof g);
        assert_memory_equal(alone, p.g, sizeof g);
        cs_eval_log_density(&e, CS_NOW, p.x, logp);
        assert_memory_equal(logp, p.logp, sizeof logp);
    }
    drop(&p);
}

/* A table that is too large to be stored twice, by rows and by columns, is
 * transposed during each pass. Rows that are selected for a batch give the same
 * terms. */
static void a_table_held_once(void **state)
{
    enum { N = 699061, P = 5, COLS = P + 1, DIM = P, PICKED = 3 };
    (void)state;
    double *rows = cs_alloc((size_t)N * COLS, sizeof *rows);
    _Alignas(CS_ALIGN) double x[DIM] = {0.5, -1, 0.25, 0.7, -0.1}, want = 0,
                              slope[DIM] = {0};
    uint32_t row[PICKED] = {0, N - 1, 345678};
    _Alignas(CS_ALIGN) double of_row[PICKED], logp[PICKED * LANES];
    assert_non_null(rows);
    for (size_t i = 0; i < N; i++) {
        double e = 0, *at = rows + i * COLS;
        for (size_t j = 0; j < P; j++) {
            at[j] = (double)((i * (j + 3) * 7919) % 1009) / 500 - 1;
            e += x[j] * at[j];
        }
        at[P] = i % 3 == 0;
        double term = (at[P] != 0 ? e : 0) - log1p(exp(e));
        want += term;
        for (size_t j = 0; j < P; j++)
            slope[j] += (at[P] - 1 / (1 + exp(-e))) * at[j];
        for (size_t k = 0; k < PICKED; k++)
            of_row[k] = row[k] == i ? term : of_row[k];
    }
    const cs_value given[] = {{.name = "table",
                               .kind = CS_PARAM_ARRAY,
                               .array = rows,
                               .rows = N,
                               .cols = COLS},
                              {.name = "intercept", .kind = CS_PARAM_BOOL},
                              {.name = "standardise", .kind = CS_PARAM_BOOL},
                              {.name = "radius", .number = 2}};
    probe p = make_with("logistic_regression", given, 4);
    cs_free(rows);
    assert_near(at(&p, x), want, 1e-11, 0);
    for (size_t j = 0; j < DIM; j++)
        assert_near(p.g[j * LANES], slope[j], 0, 1e-6);
    size_t first[LANES + 1] = {0, PICKED};
    cs_eval e;
    cs_eval_open(&e, p.t, LANES, 1, NULL, p.scratch);
    cs_eval_terms(&e, p.x, &(cs_batch){.row = row, .first = first}, logp);
    for (size_t k = 0; k < PICKED; k++)
        assert_near(logp[k], of_row[k], 1e-13, 0);
    x[1] = -2;
    assert_true(at(&p, x) == -HUGE_VAL);
    drop(&p);
}

/* String parameters that are not paths must be listed here. All other string
 * parameters are marked as paths, so that their files are found and access to
 * these files is checked. */
static void texts_are_paths_but_for_a_few(void **state)
{
    (void)state;
    static const char *const plain[] = {"binary_network without",
                                        "masked_words sentence"};
    const cs_target_type *type;
    size_t paths = 0;
    for (size_t i = 0; (type = cs_target_at(i)); i++)
        for (size_t k = 0; k < type->n_params; k++) {
            const cs_param *row = &type->params[k];
            bool is_plain = row->kind != CS_PARAM_TEXT;
            char name[80];
            snprintf(name, sizeof name, "%s %s", type->name, row->name);
            for (size_t j = 0; j < sizeof plain / sizeof *plain; j++)
                is_plain |= strcmp(name, plain[j]) == 0;
            if (is_plain != !(row->flags & CS_PARAM_PATH))
                fail_msg("%s: the path flag differs from the list in this test",
                         name);
            paths += !is_plain;
        }
    assert_true(paths >= 6);
}

/* ---- a normal truncated to a cube ---- */

/* Returns the integral of (x - about)^power exp(-(x - centre)^2 / 2 v) over low
 * <= x <= high, relative to the largest density in the cube. */
static double cut_sum(double centre, double v, double box, double low,
                      double high, int power, double about)
{
    enum { N = 200000 };
    double sum = 0, h = (high - low) / N;
    double top = fmax(fabs(centre) - box, 0);
    for (int i = 0; i < N; i++) {
        double x = low + (i + 0.5) * h, d = x - centre;
        sum += h * pow(x - about, power) * exp((top * top - d * d) / (2 * v));
    }
    return sum;
}

static void compare_cut(double centre, double variance, double box)
{
    const cs_value given[] = {{.name = "table",
                               .kind = CS_PARAM_ARRAY,
                               .array = &centre,
                               .rows = 1,
                               .cols = 1},
                              {.name = "variances",
                               .kind = CS_PARAM_ARRAY,
                               .array = &variance,
                               .rows = 1,
                               .cols = 1},
                              {.name = "box", .number = box}};
    probe p = make_with("truncated_gaussian", given, 3);
    const cs_exact *exact = &p.t->exact;
    double top = fmax(fabs(centre) - box, 0), v = variance;
    double z = cut_sum(centre, v, box, -box, box, 0, 0);
    double mean = cut_sum(centre, v, box, -box, box, 1, 0) / z;
    assert_near(exact->mean[0], mean, 0, 1e-7 * box);
    assert_near(exact->variance[0],
                cut_sum(centre, v, box, -box, box, 2, mean) / z, 1e-5, 0);
    assert_near(exact->log_z, log(z) - top * top / (2 * v), 1e-7, 1e-7);
    for (int k = 1; k < 8; k++) {
        double at = box * (k - 4) / 4.0;
        double want = cut_sum(centre, v, box, -box, at, 0, 0) / z;
        assert_near(p.t->type->exact.marginal(p.t, 0, at), want, 0, 1e-6);
    }
    assert_true(p.t->type->exact.marginal(p.t, 0, box) == 1 &&
                p.t->type->exact.marginal(p.t, 0, -box - 1) == 0);
    for (int k = 1; k < 10 && p.t->n_uniform; k++) {
        double u = k / 10.0, x;
        p.t->type->exact.draw(p.t, &u, &x);
        u = centre > 0 ? 1 - u : u;
        assert_near(p.t->type->exact.marginal(p.t, 0, x), u, 0, 1e-7);
    }
    drop(&p);
}

static void a_cube_cuts(void **state)
{
    (void)state;
    compare_cut(0.5, 1, 3);
    compare_cut(0, 0.04, 1);
    compare_cut(-2.5, 0.7, 2);
    compare_cut(6, 0.5, 3);
    compare_cut(-60, 1, 0.5); /* underflow in the tail: no exact draws */
    compare_cut(0.3, 1e8, 3); /* nearly uniform */
}

/* Compares a benchmark's model, at the true coefficients, with 10 rows computed
 * by hand. */
static void robust_by_hand(void **state)
{
    (void)state;
    static const double row[10][3] = {
        {1, 2, 3}, {-1, 0.5, 0}, {0, 0, 9},     {2, 2, -1}, {3, -3, 1},
        {1, 1, 1}, {-2, 1, 0},   {0.1, 0.2, 0}, {5, 1, 6},  {-4, -4, 2}};
    static const double b[2] = {0.6, -1.1}, out[2] = {2.1, 2.2};
    const cs_value given[] = {{.name = "table",
                               .kind = CS_PARAM_ARRAY,
                               .array = row[0],
                               .rows = 10,
                               .cols = 3},
                              {.name = "nu", .number = 2.5},
                              {.name = "beta", .number = 0.1},
                              {.name = "radius", .number = 3}};
    probe p = make_with("robust_regression", given, 4);
    double logp = 0, g[2] = {0};
    for (int i = 0; i < 10; i++) {
        double r = row[i][2] - row[i][0] * b[0] - row[i][1] * b[1];
        logp -= 0.1 * 3.5 / 2 * log(1 + r * r / 2.5);
        for (int j = 0; j < 2; j++)
            g[j] += 0.1 * 3.5 * r * row[i][j] / (2.5 + r * r);
    }
    assert_near(at(&p, b), logp, 1e-14, 0);
    for (size_t j = 0; j < 2; j++)
        assert_near(p.g[j * LANES], g[j], 1e-13, 0);
    assert_true(at(&p, out) == -HUGE_VAL && p.g[0] == 0);
    drop(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bernoulli4_gradients),
    cmocka_unit_test(nine_modes_energies),
    cmocka_unit_test(nine_modes_of_the_formula),
    cmocka_unit_test(nine_modes_by_quadrature),
    cmocka_unit_test(mixture_by_hand),
    cmocka_unit_test(lattice_sums),
    cmocka_unit_test(schools_in_both_forms),
    cmocka_unit_test(challenger_fit),
    cmocka_unit_test(many_rows_in_any_block),
    cmocka_unit_test(a_table_held_once),
    cmocka_unit_test(a_cube_cuts),
    cmocka_unit_test(robust_by_hand),
    cmocka_unit_test(texts_are_paths_but_for_a_few),
};
TESTS(test_targets)
