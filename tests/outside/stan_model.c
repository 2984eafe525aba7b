/* A small library with the C interface of a model compiled by BridgeStan, for
 * tests. The model is
 *
 *     parameters { real mu; real<lower=0> tau; vector[2] theta; }
 *     transformed parameters { real spread = 2 * tau; }
 *     model { mu ~ normal(0, 1); tau ~ exponential(1); theta ~ normal(mu, 1); }
 *
 * If the data, a JSON string, name a fault, the library has this fault. Macros
 * select another version of the interface, or omit one of the functions. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MAJOR
#define MAJOR 2
#endif
#ifndef THREADS
#define THREADS "true"
#endif

typedef struct bs_model {
    char fault[32];
} bs_model;
typedef struct bs_rng bs_rng;

#if MAJOR
const int bs_major_version = MAJOR, bs_minor_version = 6, bs_patch_version = 0;
#endif

enum { DIM = 4, WITH_TRANSFORMED = 5 };

static bool has(const bs_model *m, const char *fault)
{
    return strcmp(m->fault, fault) == 0;
}

static int say(char **error, const char *text)
{
    if (error)
        *error = strdup(text);
    return 1;
}

bs_model *bs_model_construct(const char *data, unsigned seed, char **error)
{
    bs_model *m = calloc(1, sizeof *m);
    const char *at = data ? strstr(data, "\"fault\":") : NULL;
    (void)seed;
    if (at)
        sscanf(at + 8, " \"%31[a-z]", m->fault);
    if (data && strstr(data, "\"level\":[2]"))
        strcpy(m->fault, "throw");
    if (has(m, "construct") || (data && data[0] != '{')) {
        free(m);
        say(error, "construct() failed with exception: variable does not "
                   "exist; name=N");
        return NULL;
    }
    return m;
}

void bs_model_destruct(bs_model *m)
{
    free(m);
}

#ifndef WITHOUT_FREE
void bs_free_error_msg(char *error)
{
    free(error);
}
#endif

const char *bs_name(const bs_model *m)
{
    (void)m;
    return "small_model";
}

const char *bs_model_info(const bs_model *m)
{
    (void)m;
    return "BridgeStan version: 2.6.0\nStan C++ "
           "Defines:\n\tSTAN_THREADS=" THREADS "\n";
}

const char *bs_param_names(const bs_model *m, bool tp, bool gq)
{
    (void)gq;
    if (has(m, "names"))
        return "mu,tau";
    if (has(m, "nameless"))
        return NULL;
    return tp ? "mu,tau,theta.1,theta.2,spread" : "mu,tau,theta.1,theta.2";
}

int bs_param_num(const bs_model *m, bool tp, bool gq)
{
    (void)gq;
    if (has(m, "many"))
        return 1 << 30;
    return tp ? WITH_TRANSFORMED : DIM;
}

const char *bs_param_unc_names(const bs_model *m)
{
    return bs_param_names(m, false, false);
}

int bs_param_unc_num(const bs_model *m)
{
    return has(m, "negative") ? -1 : has(m, "none") ? 0 : DIM;
}

int bs_param_constrain(const bs_model *m, bool tp, bool gq, const double *x,
                       double *y, bs_rng *rng, char **error)
{
    (void)gq;
    (void)rng;
    if (has(m, "constrain") && x[0] > 0)
        return say(error, "spread is nan");
    memcpy(y, x, DIM * sizeof *y);
    y[1] = exp(x[1]);
    if (tp)
        y[DIM] = 2 * y[1];
    return 0;
}

int bs_param_unconstrain(const bs_model *m, const double *y, double *x,
                         char **error)
{
    (void)m;
    memcpy(x, y, DIM * sizeof *x);
    if (!(y[1] > 0))
        return say(error, "lub_free: tau is -1, but must be greater than 0");
    x[1] = log(y[1]);
    return 0;
}

int bs_log_density_gradient(const bs_model *m, bool propto, bool jacobian,
                            const double *x, double *logp, double *g,
                            char **error)
{
    double tau = exp(x[1]), a = x[2] - x[0], b = x[3] - x[0];
    (void)propto;
    if (has(m, "throw") && x[0] > 1)
        return say(error, "Exception: normal_lpdf: Location parameter is inf\n"
                          "\x1b[2J(in 'small.stan', line 3)");
    if (has(m, "silent") && x[0] > 1)
        return 1;
    *logp = -0.5 * (x[0] * x[0] + a * a + b * b) - tau + (jacobian ? x[1] : 0);
    g[0] = -x[0] + a + b;
    g[1] = -tau + jacobian;
    g[2] = -a;
    g[3] = has(m, "slope") ? b : -b;
    if (has(m, "nan") && x[0] > 1)
        *logp = NAN;
    if (has(m, "infinite") && x[0] > 1)
        *logp = INFINITY;
    return 0;
}

int bs_log_density(const bs_model *m, bool propto, bool jacobian,
                   const double *x, double *logp, char **error)
{
    double g[DIM];
    return bs_log_density_gradient(m, propto, jacobian, x, logp, g, error);
}

int bs_set_print_callback(void (*print)(const char *text, size_t size),
                          char **error)
{
    (void)error;
    if (print)
        print("constructed\n", 12);
    return 0;
}
