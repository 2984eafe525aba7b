/* Eight schools: the coaching experiments of Rubin, "Estimation in Parallel
 * Randomized Experiments" (Journal of Educational Statistics 6, 1981), in the
 * hierarchical model of Gelman et al., Bayesian Data Analysis, section 5.5.
 *
 *     y_j ~ N(theta_j, sigma_j),  theta_j ~ N(mu, tau),
 *     mu ~ N(0, 5),  tau ~ half-Cauchy(0, 5)
 *
 * Coordinates: mu, l = log tau, and either theta_j (centred) or eta_j =
 * (theta_j - mu) / tau (non-centred). Constants are left out; the Jacobian of
 * log tau adds l. The gradient p_j is
 *
 *     (y_j - theta_j) / sigma_j^2 - (theta_j - mu) / tau^2   in theta_j,
 *     tau (y_j - theta_j) / sigma_j^2 - eta_j                in eta_j. */
#include "simd/simd.h"
#include "simd/vmath.h"
#include "target/target.h"

#include <math.h>
#include <stdio.h>

enum { FORM, N_PARAMS };
enum { NON_CENTRED, CENTRED };
enum { SCHOOLS = 8, MU = 0, LOG_TAU = 1, FIRST = 2, DIM = FIRST + SCHOOLS };

static const double effect[SCHOOLS] = {28, 8, -3, 7, -1, 1, 18, 12};
static const double error[SCHOOLS] = {15, 10, 16, 11, 9, 11, 10, 18};
static const double mu_sd = 5, tau_scale = 5;

/* Sums over the schools in the non-centred form, for eight lanes. Returns the
 * terms of log p that are sums over the schools. Unless g is NULL, also sets
 * g[FIRST ...] and adds to the slopes along mu and log tau. */
static inline cs_vd schools_apart(const cs_vd *x, cs_vd tau, cs_vd *g)
{
    cs_vd sum = cs_vset(0);
    for (int j = 0; j < SCHOOLS; j++) {
        cs_vd eta = x[FIRST + j], rest = effect[j] - (x[MU] + tau * eta);
        double p = 1 / (error[j] * error[j]);
        sum -= 0.5 * (p * rest * rest + eta * eta);
        if (g) {
            g[MU] += p * rest;
            g[LOG_TAU] += p * rest * tau * eta;
            g[FIRST + j] = p * rest * tau - eta;
        }
    }
    return sum;
}

/* Does the work of schools_apart in the centred form. In this form the normal
 * densities of the eight theta_j add -8 log tau. */
static inline cs_vd schools_together(const cs_vd *x, cs_vd tau, cs_vd *g)
{
    cs_vd sum = -SCHOOLS * x[LOG_TAU], rate = 1 / (tau * tau);
    for (int j = 0; j < SCHOOLS; j++) {
        cs_vd rest = effect[j] - x[FIRST + j], off = x[FIRST + j] - x[MU];
        double p = 1 / (error[j] * error[j]);
        sum -= 0.5 * (p * rest * rest + rate * off * off);
        if (g) {
            g[MU] += rate * off;
            g[LOG_TAU] += rate * off * off - 1;
            g[FIRST + j] = p * rest - rate * off;
        }
    }
    return sum;
}

static inline cs_vd eight(const cs_target *t, const cs_vd *x, cs_vd *g)
{
    cs_vd tau = cs_vexp(x[LOG_TAU]), ratio = tau / tau_scale;
    cs_vd odds = 1 + ratio * ratio, m = x[MU] / mu_sd;
    if (g) {
        g[MU] = -m / mu_sd;
        g[LOG_TAU] = 1 - 2 * (1 - 1 / odds);
    }
    cs_vd sum = t->values[FORM] == CENTRED ? schools_together(x, tau, g)
                                           : schools_apart(x, tau, g);
    return sum - 0.5 * m * m - cs_vlog(odds) + x[LOG_TAU];
}

static void load(const cs_point *at, size_t l, cs_vd *x)
{
    for (size_t i = 0; i < DIM; i++)
        x[i] = *(const cs_vd *)(at->x + i * at->lanes + l);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    cs_vd x[DIM];
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        load(at, l, x);
        *(cs_vd *)(logp + l) = eight(t, x, NULL);
    }
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    cs_vd x[DIM], slope[DIM];
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        load(at, l, x);
        *(cs_vd *)(logp + l) = eight(t, x, slope);
        for (size_t i = 0; i < DIM; i++)
            *(cs_vd *)(g + i * at->lanes + l) = slope[i];
    }
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const char *school = t->values[FORM] == CENTRED ? "theta" : "eta";
    if (i == MU)
        snprintf(text, size, "mu");
    else if (i == LOG_TAU)
        snprintf(text, size, "log_tau");
    else
        snprintf(text, size, "%s.%zu", school, i - FIRST + 1);
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = DIM};
    t->data_terms = SCHOOLS;
    t->exact = (cs_exact){.log_z = NAN, .view = {-10, 20, -3, 4}};
    return CS_OK;
}

static const char *const forms[] = {"non_centred", "centred", NULL};

static const cs_param params[N_PARAMS] = {
    [FORM] = {.name = "form",
              CS_FIXED(CHOICE),
              CS_PARAM_RANGE(0, 1, NON_CENTRED),
              .choices = forms,
              .help = "parameterisation: the coordinates are eta (non_centred) "
                      "or theta (centred)"},
};

const cs_target_type CS_VARIANT(cs_target_eight_schools) = {
    .name = "eight_schools",
    .title = "Eight schools",
    .ref = "Rubin 1981; Gelman et al., Bayesian Data Analysis, section 5.5",
    .help = "The hierarchical model for eight coaching experiments. The "
            "posterior is a funnel in centred coordinates, but not in "
            "non-centred coordinates.",
    CS_PARAM_TABLE(params),
    .create = create,
    .log_density = log_density,
    .gradient = gradient,
    .coordinate = coordinate,
};
