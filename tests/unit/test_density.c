/* Tests the rows of src/density: every formula compiles; with numbers, the log
 * densities are those of GSL at random arguments, integrate or sum to 1, and
 * have the same value as the compiled graph. */
#include "support/support.h"

#include "base/memory.h"
#include "density/density_formula.h"
#include "density/domain.h"
#include "rng/stream.h"

#include <gsl/gsl_cdf.h>
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

static double r_gumbel(const double *x)
{
    return gsl_ran_gumbel1_pdf((x[0] - x[1]) / x[2], 1, 1) / x[2];
}
static double r_rayleigh(const double *x)
{
    return gsl_ran_rayleigh_pdf(x[0], x[1]);
}
static double r_pareto(const double *x)
{
    return gsl_ran_pareto_pdf(x[0], x[2], x[1]);
}
static double r_chi_square(const double *x)
{
    return gsl_ran_chisq_pdf(x[0], x[1]);
}
static double r_geometric(const double *x)
{
    return gsl_ran_geometric_pdf((unsigned)x[0] + 1, x[1]);
}

static const reference references[] = {
    {"gumbel", r_gumbel, "rrp"},
    {"rayleigh", r_rayleigh, "pp"},
    {"pareto", r_pareto, "ppp"},
    {"chi_square", r_chi_square, "pp"},
    {"geometric", r_geometric, "ku"},
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

/* Distribution functions, below and above y. */
typedef struct tails {
    const char *name;
    double (*below)(const double *x);
    double (*above)(const double *x);
    const char *kinds;
} tails;

#define TAILS(name, p, q)                                                      \
    static double below_##name(const double *x)                                \
    {                                                                          \
        return p;                                                              \
    }                                                                          \
    static double above_##name(const double *x)                                \
    {                                                                          \
        return q;                                                              \
    }
#define BOTH(name, f, ...) TAILS(name, f##_P(__VA_ARGS__), f##_Q(__VA_ARGS__))
BOTH(normal, gsl_cdf_gaussian, x[0] - x[1], x[2])
BOTH(student_t, gsl_cdf_tdist, (x[0] - x[2]) / x[3], x[1])
BOTH(cauchy, gsl_cdf_cauchy, x[0] - x[1], x[2])
BOTH(laplace, gsl_cdf_laplace, x[0] - x[1], x[2])
BOTH(logistic, gsl_cdf_logistic, x[0] - x[1], x[2])
BOTH(gumbel, gsl_cdf_gumbel1, (x[0] - x[1]) / x[2], 1, 1)
BOTH(exponential, gsl_cdf_exponential, x[0], 1 / x[1])
BOTH(weibull, gsl_cdf_weibull, x[0], x[2], x[1])
BOTH(rayleigh, gsl_cdf_rayleigh, x[0], x[1])
BOTH(lognormal, gsl_cdf_lognormal, x[0], x[1], x[2])
BOTH(pareto, gsl_cdf_pareto, x[0], x[2], x[1])
BOTH(gamma, gsl_cdf_gamma, x[0], x[1], 1 / x[2])
BOTH(chi_square, gsl_cdf_chisq, x[0], x[1])
BOTH(beta, gsl_cdf_beta, x[0], x[1], x[2])
BOTH(poisson, gsl_cdf_poisson, (unsigned)x[0], x[1])
BOTH(neg_binomial, gsl_cdf_negative_binomial, (unsigned)x[0],
     x[2] / (x[1] + x[2]), x[2])
BOTH(binomial, gsl_cdf_binomial, (unsigned)x[0], x[2], (unsigned)x[1])
#undef BOTH
#undef TAILS

#define ROW(name, kinds)                                                       \
    {                                                                          \
#name, below_##name, above_##name, kinds                               \
    }
static const tails all_tails[] = {
    ROW(normal, "rrp"),       ROW(student_t, "rprp"), ROW(cauchy, "rrp"),
    ROW(laplace, "rrp"),      ROW(logistic, "rrp"),   ROW(gumbel, "rrp"),
    ROW(exponential, "pp"),   ROW(weibull, "ppp"),    ROW(rayleigh, "pp"),
    ROW(lognormal, "prp"),    ROW(pareto, "ppp"),     ROW(gamma, "ppp"),
    ROW(chi_square, "pp"),    ROW(beta, "upp"),       ROW(poisson, "kp"),
    ROW(neg_binomial, "kpp"), ROW(binomial, "knu"),
};
#undef ROW

/* GSL's tails lose digits where they are near 1e-300, and its tail that is near
 * 1 has no digits of the log. */
static void compare_tail(const tails *t, const double *x, size_t n, bool above)
{
    cs_density *d = cs_densities_find(
        all, above ? CS_DENSITY_LCCDF : CS_DENSITY_LCDF, t->name);
    assert_non_null(d);
    double p = (above ? t->above : t->below)(x), want = log(p);
    double got = value_of(d, x, n);
    if (p == 0 || p > 1 - 1e-6 || isnan(p) || want < -500)
        return;
    if (!(fabs(got - want) <= 1e-8 * (1 + fabs(want))))
        fail_msg("%s(%g, %g, %g, %g) is %.17g, not %.17g", d->label, x[0], x[1],
                 x[2], x[3], got, want);
}

static void tails_agree_with_gsl(void **state)
{
    (void)state;
    enum { POINTS = 500 };
    for (size_t i = 0; i < sizeof all_tails / sizeof *all_tails; i++) {
        const tails *t = &all_tails[i];
        size_t n = strlen(t->kinds);
        for (uint64_t k = 0; k < POINTS; k++) {
            double x[8] = {0};
            for (size_t j = 0; j < n; j++)
                x[j] = draw(t->kinds[j], k, j, j ? x[j - 1] : 0);
            compare_tail(t, x, n, false);
            compare_tail(t, x, n, true);
        }
    }
}

/* The derivative of a distribution function is the density, and both tails add
 * up to 1: for the distributions that GSL lacks. */
static void tails_are_integrals(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double x[5];
    } rows[] = {
        {"std_normal", {0.7}},
        {"gev", {1.5, -2, 3, 0.3}},
        {"gev", {1.5, 1, 2, -0.4}},
        {"half_normal", {0.5, 2}},
        {"half_normal", {5, 2}},
        {"frechet", {1.5, 2, 3}},
        {"log_logistic", {1.5, 2, 3}},
        {"pareto_type_2", {3.5, 2, 3}},
        {"generalised_pareto", {3.5, 2, 3, 0.4}},
        {"generalised_pareto", {3.5, 2, 3, -0.4}},
        {"uniform", {0.3, -1, 4}},
        {"inverse_gamma", {0.5, 2, 3}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double x[CS_DENSITY_ARGUMENTS] = {0}, p[5], q = 0;
        memcpy(x, rows[i].x, sizeof rows[i].x);
        cs_density *f = cs_densities_find(all, CS_DENSITY_LPDF, rows[i].name);
        cs_density *low = cs_densities_find(all, CS_DENSITY_LCDF, rows[i].name);
        cs_density *up = cs_densities_find(all, CS_DENSITY_LCCDF, rows[i].name);
        assert_true(f && low && up);
        const double h = 1e-3 * x[0], y = x[0];
        double density = exp(value_of(f, x, f->n));
        for (int k = -2; k <= 2; k++) {
            x[0] = y + k * h;
            p[k + 2] = exp(value_of(low, x, f->n));
            if (k == 0)
                q = exp(value_of(up, x, f->n));
        }
        double slope = (8 * (p[3] - p[1]) - (p[4] - p[0])) / (12 * h);
        if (!(fabs(slope - density) < 1e-8 * (1 + density)) ||
            !(fabs(p[2] + q - 1) < 1e-12))
            fail_msg("%s: slope %.12g for the density %.12g; tails %g and %g",
                     rows[i].name, slope, density, p[2], q);
    }
}

/* Outside the support, one tail is 0 and the other 1. */
static void tails_outside(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double x[4];
        bool above; /* y is above the support */
    } rows[] = {
        {"half_normal", {-1, 2}, false},
        {"exponential", {-1, 2}, false},
        {"weibull", {-1, 2, 1}, false},
        {"frechet", {-1, 2, 1}, false},
        {"rayleigh", {0, 2}, false},
        {"log_logistic", {-1, 2, 1}, false},
        {"lognormal", {-1, 2, 1}, false},
        {"pareto", {1, 2, 1}, false},
        {"pareto_type_2", {-1, 2, 1}, false},
        {"generalised_pareto", {-1, 0, 1, 0.2}, false},
        {"generalised_pareto", {6, 0, 1, -0.2}, true},
        {"gev", {-6, 0, 1, 0.2}, false},
        {"gev", {6, 0, 1, -0.2}, true},
        {"uniform", {-1, 0, 1}, false},
        {"uniform", {2, 0, 1}, true},
        {"gamma", {-1, 2, 1}, false},
        {"chi_square", {0, 2}, false},
        {"inverse_gamma", {-1, 2, 1}, false},
        {"beta", {-1, 2, 1}, false},
        {"beta", {2, 2, 1}, true},
        {"binomial", {5, 5, 0.5}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int above = 0; above < 2; above++) {
            cs_density *d = cs_densities_find(
                all, above ? CS_DENSITY_LCCDF : CS_DENSITY_LCDF, rows[i].name);
            double got = value_of(d, rows[i].x, d->n);
            if (got != (rows[i].above == !above ? 0 : -HUGE_VAL))
                fail_msg("%s(%g) is %g", d->label, rows[i].x[0], got);
        }
}

/* ---- totals -------------------------------------------------------------- */

/* A density of its first argument with fixed other arguments, and its range:
 * 'r' all real numbers, 'p' positive numbers, 'u' from 0 to 1, 'c' from -pi to pi, 'k' counts
 * from 0. */
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
    {"std_normal", 'r', {0}},
    {"skew_normal", 'r', {0, 0.3, 1.5, 2}},
    {"exp_mod_normal", 'r', {0, 0.3, 1.5, 0.7}},
    {"skew_laplace", 'r', {0, 0.3, 1.5, 0.2}},
    {"gumbel", 'r', {0, 0.3, 1.5}},
    {"gev", 'r', {0, 0.3, 1.5, 0.2}},
    {"gev", 'r', {0, 0.3, 1.5, -0.2}},
    {"gev", 'r', {0, 0.3, 1.5, 0}},
    {"von_mises", 'c', {0, 0.3, 2}},
    {"von_mises", 'c', {0, 3, 60}},
    {"chi_square", 'p', {0, 5}},
    {"inverse_chi_square", 'p', {0, 5}},
    {"scaled_inverse_chi_square", 'p', {0, 5, 0.7}},
    {"rayleigh", 'p', {0, 0.7}},
    {"frechet", 'p', {0, 1.5, 0.7}},
    {"log_logistic", 'p', {0, 1.5, 0.7}},
    {"pareto", 'p', {0, 0.5, 2}},
    {"pareto_type_2", 'p', {0, 0.5, 2}},
    {"generalised_pareto", 'p', {0, 0, 0.5, 0.2}},
    {"generalised_pareto", 'p', {0, 0, 0.5, -0.2}},
    {"beta_proportion", 'u', {0, 0.3, 6}},
    {"neg_binomial_log", 'k', {0, 1, 1.5}},
    {"geometric", 'k', {0, 0.3}},
    {"zero_inflated_poisson", 'k', {0, 0.3, 2.5}},
    {"zero_inflated_neg_binomial", 'k', {0, 0.3, 2.5, 1.5}},
    {"zero_inflated_binomial", 'k', {0, 12, 0.3, 0.4}},
    {"hurdle_poisson", 'k', {0, 0.3, 2.5}},
    {"hurdle_neg_binomial", 'k', {0, 0.3, 2.5, 1.5}},
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
    else if (f->w->range == 'c')
        gsl_integration_qags(&g, -M_PI, M_PI, 0, 1e-10, PIECES, w, &sum,
                             &error);
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
    cmocka_unit_test(formulas_compile),
    cmocka_unit_test(names_are_unique),
    cmocka_unit_test(agree_with_gsl),
    cmocka_unit_test(tails_agree_with_gsl),
    cmocka_unit_test(tails_are_integrals),
    cmocka_unit_test(tails_outside),
    cmocka_unit_test(totals_are_1),
    cmocka_unit_test(mistakes_in_formulas),
    cmocka_unit_test(memory_runs_out),
};
TESTS_WITH(test_density, open_all, close_all)
