/* Tests moments in many coordinates. Every exact kernel of real spaces
 * preserves the means and sds of correlated normals with 5, 9 and 20
 * coordinates. The means are far from 0, the sds are far from 1, and the
 * kernels' parameters are far from 0 and 1. The test uses the law
 * `stationarity` of src/check. With only three coordinates, some of the planted
 * faults would not be detected. */
#include "base/memory.h"
#include "check/laws.h"
#include "support/laws.h"
#include "support/slice_faults.h"
#include "support/support.h"

#include "kernel/accept.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { DRAWS = 8000, MOST = 20 };
static const size_t dims[] = {5, 9, MOST};
enum { DIMS = sizeof dims / sizeof *dims };

/* ---- the target ---------------------------------------------------------- */

static size_t dim = 5; /* dimension of the next target */
static const double correlation = 0.4;

static double mean_of(size_t i)
{
    return 1.5 + 0.5 * (double)(i % 4);
}

static double sd_of(size_t i)
{
    return 0.7 + 0.25 * (double)(i % 5);
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values, (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = dim};
    t->n_uniform = dim + 1;
    return CS_OK;
}

/* Uses (1 - r) u' C^-1 u = sum u^2 - c (sum u)^2 for u = (x - mean) / sd. */
static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    size_t n = t->space.dim;
    double r = correlation, c = r / (1 + ((double)n - 1) * r);
    for (size_t l = 0; l < at->lanes; l++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < n; i++) {
            double u = (at->x[i * at->lanes + l] - mean_of(i)) / sd_of(i);
            sum += u;
            squares += u * u;
        }
        logp[l] = -0.5 * (squares - c * sum * sum) / (1 - r);
        for (size_t i = 0; g && i < n; i++) {
            double u = (at->x[i * at->lanes + l] - mean_of(i)) / sd_of(i);
            g[i * at->lanes + l] = -(u - c * sum) / (1 - r) / sd_of(i);
        }
    }
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    gradient(t, at, logp, NULL);
}

static void draw(const cs_target *t, const double *uniform, double *x)
{
    size_t n = t->space.dim;
    double shared = gsl_cdf_ugaussian_Pinv(uniform[n]);
    for (size_t i = 0; i < n; i++) {
        double own = gsl_cdf_ugaussian_Pinv(uniform[i]);
        x[i] = mean_of(i) + sd_of(i) * (sqrt(1 - correlation) * own +
                                        sqrt(correlation) * shared);
    }
}

static void destroy(cs_target *t)
{
    (void)t;
}

static const cs_target_type wide = {.name = "wide",
                                    .title = "wide",
                                    .create = create,
                                    .destroy = destroy,
                                    .log_density = log_density,
                                    .gradient = gradient,
                                    .exact.draw = draw};

/* ---- the law ------------------------------------------------------------- */

static void note(void *to, const cs_finding *f)
{
    if (strcmp(f->law, "stationarity") == 0 || f->verdict == CS_BROKEN)
        *(cs_finding *)to = *f;
}

static cs_finding stationarity(const cs_kernel *kernel, size_t n)
{
    static const cs_plan undriven;
    cs_finding f = {.verdict = CS_UNTRIED};
    const cs_arm_view arm = {
        .name = kernel->type->name, .kernel = kernel, .plan = &undriven};
    double start[MOST];
    cs_target *t;
    dim = n;
    assert_int_equal(cs_target_create(&wide, NULL, 0, &t, NULL), CS_OK);
    for (size_t i = 0; i < n; i++)
        start[i] = mean_of(i);
    cs_check c = {.say = note,
                  .to = &f,
                  .seconds = 3600,
                  .draws = DRAWS,
                  .place = start,
                  .places = 1};
    assert_int_equal(cs_kernel_fits(kernel, t, NULL), CS_OK);
    assert_int_equal(cs_law_find("stationarity")->attempt(&c, t, &arm, 3, NULL),
                     CS_OK);
    cs_target_release(t);
    return f;
}

/* ---- kernels ------------------------------------------------------------- */

static const struct {
    const char *name;
    double value[6]; /* values of its first parameters */
    size_t n;
} rows[] = {
    {"random_walk", {0.35}, 1},
    {"mala", {0.45}, 1},
    {"barker", {0.5}, 1},
    {"hmc", {0.35, 4}, 2},
    {"nuts", {0.4, 4}, 2},
    {"metropolis_within_gibbs", {1.3, 1}, 2},
    {"slice", {1.7, 6, 0, 3}, 4},
    {"slice_direction", {1.7, 6}, 2},
    {"elliptical_slice", {2.4, 2.2, 1}, 3},
    {"h2mc", {1.5, 1}, 2},
    {"stretch", {2.6}, 1},
    {"independence", {2, 1.4}, 2},
};
enum { ROWS = sizeof rows / sizeof *rows };

static cs_kernel kernel_of_row(size_t k)
{
    cs_kernel out;
    const cs_kernel_type *type = cs_kernel_find(rows[k].name);
    assert_non_null(type);
    assert_int_equal(cs_kernel_init(&out, type, NULL, 0, NULL), CS_OK);
    memcpy(out.values, rows[k].value, rows[k].n * sizeof *out.values);
    return out;
}

static void every_exact_kernel_keeps_moments(void **state)
{
    (void)state;
    for (size_t k = 0; k < ROWS; k++)
        for (size_t d = 0; d < DIMS; d++) {
            cs_kernel kernel = kernel_of_row(k);
            cs_finding f = stationarity(&kernel, dims[d]);
            if (f.verdict != CS_HOLDS)
                fail_msg("%s in %zu coordinates: %s", rows[k].name, dims[d],
                         f.text);
            cs_kernel_release(&kernel);
        }
}

/* Every exact kernel of real spaces is in the list of kernels. */
static void no_kernel_is_left_out(void **state)
{
    (void)state;
    const cs_kernel_type *type;
    unsigned others = CS_KERNEL_ESTIMATES | CS_KERNEL_PARTS | CS_KERNEL_HIDDEN;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        size_t k = 0;
        if (!(type->flags & CS_KERNEL_EXACT) || type->flags & others ||
            !(type->spaces & CS_CONTINUOUS) || type->wraps || type->instance)
            continue;
        while (k < ROWS && strcmp(rows[k].name, type->name) != 0)
            k++;
        if (k == ROWS)
            fail_msg("%s has no row in test_wide.c", type->name);
    }
}

/* ---- faults -------------------------------------------------------------- */

static double power_off; /* error in the exponent d - 1 of z in stretch */

/* Makes a step of stretch without the exchange that comes first; all lanes
 * move. */
static void stretch_by_hand(cs_move *m)
{
    size_t n = m->lanes;
    double *y = m->scratch, *z = y + m->dim * n;
    double a = m->param[0], power = (double)m->dim - 1 + power_off;
    m->info.proposal = y;
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, 1, z);
    for (size_t l = 0; l < n; l++) {
        z[l] = (1 + (a - 1) * z[l]) * (1 + (a - 1) * z[l]) / a;
        for (size_t at = l; at < m->dim * n; at += n)
            y[at] = m->memory[at] + z[l] * (m->x[at] - m->memory[at]);
        m->info.log_q_forward[l] = 0;
        m->info.log_q_back[l] = power * log(z[l]);
    }
    cs_eval_log_density(m->eval, CS_NEXT, y, m->info.logp_proposal);
    cs_refuse_overflow(m);
    cs_accept(m);
}

static cs_finding with_step(const char *name, void (*step)(cs_move *m),
                            size_t n)
{
    size_t k = 0;
    while (strcmp(rows[k].name, name) != 0)
        k++;
    cs_kernel kernel = kernel_of_row(k);
    cs_kernel_type type = *kernel.type;
    type.step = step;
    kernel.type = &type;
    cs_finding f = stationarity(&kernel, n);
    kernel.type = cs_kernel_find(name);
    cs_kernel_release(&kernel);
    return f;
}

static void a_wrong_power_of_stretch_is_caught(void **state)
{
    (void)state;
    for (size_t d = 0; d < DIMS; d++) {
        power_off = 0;
        assert_int_equal(with_step("stretch", stretch_by_hand, dims[d]).verdict,
                         CS_HOLDS);
        power_off = -1;
        assert_int_equal(with_step("stretch", stretch_by_hand, dims[d]).verdict,
                         CS_BROKEN);
    }
}

static void an_ellipse_around_another_mean_is_caught(void **state)
{
    (void)state;
    for (size_t d = 0; d < DIMS; d++) {
        ellipse_centre = 1;
        assert_int_equal(
            with_step("elliptical_slice", ellipse_around_a_mean, dims[d])
                .verdict,
            CS_HOLDS);
        ellipse_centre = 0.9;
        assert_int_equal(
            with_step("elliptical_slice", ellipse_around_a_mean, dims[d])
                .verdict,
            CS_BROKEN);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_exact_kernel_keeps_moments),
    cmocka_unit_test(no_kernel_is_left_out),
    cmocka_unit_test(a_wrong_power_of_stretch_is_caught),
    cmocka_unit_test(an_ellipse_around_another_mean_is_caught),
};
TESTS(test_wide)
