/* Tests the rows of src/density: every formula compiles; with numbers, the log
 * densities are those of GSL at random arguments, integrate or sum to 1, and
 * have the same value as the compiled graph. */
#include "support/support.h"

#include "base/memory.h"
#include "density/density_formula.h"
#include "density/domain.h"
#include "rng/stream.h"

#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

static cs_densities *all;

static int open_all(void **state)
{
    cs_error err;
    gsl_errors_off(state);
    return cs_densities_create(&all, &err) != CS_OK;
}

static int close_all(void **state)
{
    (void)state;
    cs_densities_destroy(all);
    return 0;
}

static void formulas_compile(void **state)
{
    (void)state;
    cs_error err;
    for (size_t i = 0; i < all->n; i++) {
        cs_density_formula *f;
        const cs_density *d = &all->all[i];
        assert_true((d->row->formula != NULL) != (d->row->build != NULL));
        assert_true((d->row->help != NULL) != (d->kind == CS_DENSITY_HELPER));
        if (!d->row->formula)
            continue;
        if (cs_density_formula_create(all, d, &f, &err))
            fail_msg("%s", err.what);
        cs_density_formula_destroy(f);
    }
}

/* A name must select one function of formulas. */
static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < i; j++)
            if (all->all[i].kind == all->all[j].kind &&
                !strcmp(all->all[i].row->name, all->all[j].row->name))
                fail_msg("two rows %s", all->all[i].label);
}

/* Returns the value of a row for known numbers; NaN after an error. */
static double value_of(cs_density *d, const double *x, size_t n)
{
    cs_calc c;
    cs_arg a[CS_DENSITY_ARGUMENTS] = {{0}};
    double u = NAN;
    assert_int_equal(d->n, n);
    cs_calc_open(&c, NULL);
    c.densities = all;
    c.name = d->label;
    for (size_t i = 0; i < n; i++)
        a[i] = cs_calc_number(&c, x[i]);
    if (cs_density_check(&c, d, a, false)) {
        cs_arg y = cs_density_value(&c, d, a, false);
        u = y.size ? *y.v : (double)NAN;
    }
    if (c.err.status)
        fail_msg("%s", c.err.what);
    cs_calc_close(&c);
    return u;
}

/* ---- GSL ----------------------------------------------------------------- */

typedef struct reference {
    const char *name;
    double (*density)(const double *x); /* not its log */
    const char *kinds; /* one letter per argument: r real, p positive, u between
                        * 0 and 1, k a count, n a number of trials */
} reference;

static double r_normal(const double *x)
{
    return gsl_ran_gaussian_pdf(x[0] - x[1], x[2]);
}
static double r_student_t(const double *x)
{
    return gsl_ran_tdist_pdf((x[0] - x[2]) / x[3], x[1]) / x[3];
}
static double r_cauchy(const double *x)
{
    return gsl_ran_cauchy_pdf(x[0] - x[1], x[2]);
}
static double r_laplace(const double *x)
{
    return gsl_ran_laplace_pdf(x[0] - x[1], x[2]);
}
static double r_logistic(const double *x)
{
    return gsl_ran_logistic_pdf(x[0] - x[1], x[2]);
}
static double r_gamma(const double *x)
{
    return gsl_ran_gamma_pdf(x[0], x[1], 1 / x[2]);
}
static double r_inverse_gamma(const double *x)
{
    return gsl_ran_gamma_pdf(1 / x[0], x[1], 1 / x[2]) / (x[0] * x[0]);
}
static double r_weibull(const double *x)
{
    return gsl_ran_weibull_pdf(x[0], x[2], x[1]);
}
static double r_exponential(const double *x)
{
    return gsl_ran_exponential_pdf(x[0], 1 / x[1]);
}
static double r_lognormal(const double *x)
{
    return gsl_ran_lognormal_pdf(x[0], x[1], x[2]);
}
static double r_beta(const double *x)
{
    return gsl_ran_beta_pdf(x[0], x[1], x[2]);
}
static double r_poisson(const double *x)
{
    return gsl_ran_poisson_pdf((unsigned)x[0], x[1]);
}
static double r_neg_binomial(const double *x)
{
    return gsl_ran_negative_binomial_pdf((unsigned)x[0], x[2] / (x[1] + x[2]),
                                         x[2]);
}
static double r_binomial(const double *x)
{
    return gsl_ran_binomial_pdf((unsigned)x[0], x[2], (unsigned)x[1]);
}
static double r_bernoulli(const double *x)
{
    return gsl_ran_bernoulli_pdf(x[0] > 0, x[1]);
}

static const reference references[] = {
    {"normal", r_normal, "rrp"},
    {"student_t", r_student_t, "rprp"},
    {"cauchy", r_cauchy, "rrp"},
    {"laplace", r_laplace, "rrp"},
    {"logistic", r_logistic, "rrp"},
    {"gamma", r_gamma, "ppp"},
    {"inverse_gamma", r_inverse_gamma, "ppp"},
    {"weibull", r_weibull, "ppp"},
    {"exponential", r_exponential, "pp"},
    {"lognormal", r_lognormal, "prp"},
    {"beta", r_beta, "upp"},
    {"poisson", r_poisson, "kp"},
    {"neg_binomial", r_neg_binomial, "kpp"},
    {"binomial", r_binomial, "knu"},
    {"bernoulli", r_bernoulli, "bu"},
};

/* Returns argument i of a random point. */
static double draw(char kind, uint64_t point, uint64_t i, double last)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){point, i}, (const uint64_t[]){7, 8},
                    word);
    double u = ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
    double v = ((double)(word[1] >> 11) + 0.5) * 0x1p-53;
    switch (kind) {
    case 'p':
        return exp(6 * u - 3);
    case 'u':
        return u;
    case 'b':
        return u < 0.5;
    case 'k':
        return floor(exp(4 * u) - 1);
    case 'n':
        return last + floor(30 * u);
    default:
        return (u - 0.5) * exp(4 * v - 1);
    }
}

static void agree_with_gsl(void **state)
{
    (void)state;
    enum { POINTS = 500 };
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        const reference *r = &references[i];
        cs_density *d = cs_densities_find(all, CS_DENSITY_LPDF, r->name);
        size_t n = strlen(r->kinds), compared = 0;
        assert_non_null(d);
        for (uint64_t k = 0; k < POINTS; k++) {
            double x[8] = {0};
            for (size_t j = 0; j < n; j++)
                x[j] = draw(r->kinds[j], k, j, j ? x[j - 1] : 0);
            double want = log(r->density(x)), got = value_of(d, x, n);
            if (!(want > -600)) /* GSL's density is 0 or not precise */
                continue;
            compared++;
            if (fabs(got - want) > 1e-10 * (1 + fabs(want)))
                fail_msg("%s(%g, %g, %g, %g) is %.17g, not %.17g", r->name,
                         x[0], x[1], x[2], x[3], got, want);
        }
        assert_true(compared > POINTS / 3);
    }
}

/* ---- totals -------------------------------------------------------------- */

/* A density of its first argument with fixed other arguments, and its range:
 * 'r' all real numbers, 'p' positive numbers, 'u' from 0 to 1, 'k' counts from
 * 0. */
typedef struct whole {
    const char *name;
    char range;
    double x[CS_DENSITY_ARGUMENTS]; /* x[0] is ignored */
} whole;

static const whole wholes[] = {
    {"normal", 'r', {0, 0.7, 1.3}},
    {"student_t", 'r', {0, 2.5, -1, 0.6}},
    {"cauchy", 'r', {0, 0.3, 2}},
    {"laplace", 'r', {0, 0.3, 2}},
    {"logistic", 'r', {0, 0.3, 0.5}},
    {"half_normal", 'p', {0, 2}},
    {"half_student_t", 'p', {0, 3, 2}},
    {"half_cauchy", 'p', {0, 1.5}},
    {"gamma", 'p', {0, 2.5, 1.5}},
    {"inverse_gamma", 'p', {0, 2.5, 1.5}},
    {"weibull", 'p', {0, 1.5, 2}},
    {"exponential", 'p', {0, 0.4}},
    {"lognormal", 'p', {0, 0.3, 0.6}},
    {"beta", 'u', {0, 2.5, 3.5}},
    {"beta", 'u', {0, 1200, 900}},
    {"uniform", 'u', {0, 0, 1}},
    {"poisson", 'k', {0, 6.5}},
    {"poisson_log", 'k', {0, 1.2}},
    {"neg_binomial", 'k', {0, 3, 1.5}},
    {"binomial", 'k', {0, 12, 0.3}},
    {"binomial_logit", 'k', {0, 12, -0.4}},
    {"beta_binomial", 'k', {0, 12, 1.5, 2.5}},
    {"bernoulli", 'k', {0, 0.3}},
    {"bernoulli_logit", 'k', {0, 0.8}},
};

typedef struct integrand {
    cs_density *d;
    const whole *w;
} integrand;

static double at_point(double y, void *self)
{
    const integrand *f = self;
    double x[CS_DENSITY_ARGUMENTS];
    memcpy(x, f->w->x, sizeof x);
    x[0] = y;
    return exp(value_of(f->d, x, f->d->n));
}

/* Returns the integral, or the sum over counts up to 4000, or over 0 and 1. */
static double total(const integrand *f)
{
    enum { PIECES = 1000 };
    gsl_function g = {at_point, (void *)(uintptr_t)f};
    double sum = 0, error;
    if (f->w->range == 'k') {
        bool bits = f->d->argument[0].domain->column[0] == 'b';
        for (int k = 0; k <= (bits ? 1 : 4000); k++)
            sum += at_point(k, g.params);
        return sum;
    }
    gsl_integration_workspace *w = gsl_integration_workspace_alloc(PIECES);
    if (f->w->range == 'r')
        gsl_integration_qagi(&g, 0, 1e-10, PIECES, w, &sum, &error);
    else if (f->w->range == 'p')
        gsl_integration_qagiu(&g, 0, 0, 1e-10, PIECES, w, &sum, &error);
    else
        gsl_integration_qags(&g, 0, 1, 0, 1e-10, PIECES, w, &sum, &error);
    gsl_integration_workspace_free(w);
    return sum;
}

static void totals_are_1(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        integrand f = {cs_densities_find(all, CS_DENSITY_LPDF, wholes[i].name),
                       &wholes[i]};
        assert_non_null(f.d);
        double sum = total(&f);
        if (!(fabs(sum - 1) < 1e-8))
            fail_msg("%s has the total %.12g", wholes[i].name, sum);
    }
}

/* ---- faults -------------------------------------------------------------- */

static void mistakes_in_formulas(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "y +",         "y + unknown",  "log(y, mu)", "(y",  "y) + 1",
        "z = y; z + ", "known(y) ? y", "y mu",       "= y", "",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cs_error err;
        cs_density_formula *f;
        cs_density d = *cs_densities_find(all, CS_DENSITY_LPDF, "normal");
        cs_density_row row = *d.row;
        row.formula = texts[i];
        d.row = &row;
        assert_int_equal(cs_density_formula_create(all, &d, &f, &err),
                         CS_INTERNAL);
    }
}

static void memory_runs_out(void **state)
{
    (void)state;
    cs_error err;
    for (unsigned long n = 1; n < 10; n++) {
        cs_densities *one = NULL;
        cs_memory_fail_at(n, true);
        cs_status status = cs_densities_create(&one, &err);
        cs_memory_fail_at(0, false);
        cs_densities_destroy(one);
        if (!status)
            return;
        assert_int_equal(status, CS_MEMORY);
    }
    fail_msg("the densities need too many requests");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(formulas_compile),     cmocka_unit_test(names_are_unique),
    cmocka_unit_test(agree_with_gsl),       cmocka_unit_test(totals_are_1),
    cmocka_unit_test(mistakes_in_formulas), cmocka_unit_test(memory_runs_out),
};
TESTS_WITH(test_density, open_all, close_all)
