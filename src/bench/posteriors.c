#include "bench/posteriors.h"

#include "bench/logistic.h"

/* ---- a Gaussian process -------------------------------------------------- */

static const char process_stan[] =
    "data { int n; real t[n]; vector[n] y; }\n"
    "parameters { vector[3] x; }\n"
    "model {\n"
    "  real noise = exp(x[3]);\n"
    "  matrix[n, n] k = cov_exp_quad(t, exp(x[1]), exp(x[2]));\n"
    "  for (i in 1:n) k[i, i] += square(noise);\n"
    "  x ~ std_normal();\n"
    "  y ~ multi_normal_cholesky(rep_vector(0, n), cholesky_decompose(k));\n"
    "}\n";

/* ---- a hierarchical regression ------------------------------------------- */

static const char groups_stan[] =
    "data { int n; int groups; vector[n] y; vector[n] floors; int group[n]; }\n"
    "parameters { real mu; real beta; real log_tau; real log_sigma;\n"
    "  vector[groups] level; }\n"
    "model {\n"
    "  mu ~ normal(0, 5);\n"
    "  beta ~ normal(0, 5);\n"
    "  log_tau ~ std_normal();\n"
    "  log_sigma ~ std_normal();\n"
    "  level ~ normal(mu, exp(log_tau));\n"
    "  y ~ normal(level[group] + beta * floors, exp(log_sigma));\n"
    "}\n";

static const char groups_jags[] =
    "model {\n"
    "  mu ~ dnorm(0, 0.04)\n"
    "  beta ~ dnorm(0, 0.04)\n"
    "  log_tau ~ dnorm(0, 1)\n"
    "  log_sigma ~ dnorm(0, 1)\n"
    "  for (j in 1:groups) { level[j] ~ dnorm(mu, exp(-2 * log_tau)) }\n"
    "  for (i in 1:n) { y[i] ~ dnorm(level[group[i]] + beta * floors[i],"
    " exp(-2 * log_sigma)) }\n"
    "}\n";

/* ---- stochastic volatility ----------------------------------------------- */

static const char volatility_stan[] =
    "data { int n; vector[n] y; }\n"
    "parameters { real mu; real a; real log_sigma; vector[n] h; }\n"
    "model {\n"
    "  real phi = tanh(a);\n"
    "  real sigma = exp(log_sigma);\n"
    "  mu ~ normal(0, 2);\n"
    "  a ~ normal(1, 1);\n"
    "  log_sigma ~ normal(-1, 1);\n"
    "  h[1] ~ normal(mu, sigma / sqrt(1 - square(phi)));\n"
    "  h[2:n] ~ normal(mu + phi * (h[1:(n - 1)] - mu), sigma);\n"
    "  y ~ normal(0, exp(h / 2));\n"
    "}\n";

/* ---- a hidden Markov model ----------------------------------------------- */

static const char markov_stan[] =
    "data { int n; vector[n] y; }\n"
    "parameters { vector[5] logits[5]; vector[5] level; }\n"
    "model {\n"
    "  vector[5] move[5];\n"
    "  vector[5] a;\n"
    "  for (j in 1:5) {\n"
    "    vector[5] way = log_softmax(logits[j]);\n"
    "    for (k in 1:5) move[k][j] = way[k];\n"
    "    logits[j] ~ std_normal();\n"
    "    level[j] ~ normal(j - 1, 1);\n"
    "  }\n"
    "  for (k in 1:5) a[k] = normal_lpdf(y[1] | level[k], 1);\n"
    "  for (t in 2:n) {\n"
    "    vector[5] b;\n"
    "    for (k in 1:5)\n"
    "      b[k] = log_sum_exp(a + move[k]) + normal_lpdf(y[t] | level[k], 1);\n"
    "    a = b;\n"
    "  }\n"
    "  target += log_sum_exp(a);\n"
    "}\n";

/* ---- eight schools: mu, log tau, eight eta ------------------------------- */

static const char schools_code[] =
    "local M = cs.math\n"
    "local effect = { 28, 8, -3, 7, -1, 1, 18, 12 }\n"
    "local error  = { 15, 10, 16, 11, 9, 11, 10, 18 }\n"
    "return function(x)\n"
    "  local mu, tau, eta = x[1], M.exp(x[2]), M.slice(x, 3, 10)\n"
    "  return cs.lpdf.normal(mu, 0, 5) + cs.lpdf.half_cauchy(tau, 5) + x[2]\n"
    "    + cs.lpdf.normal(eta, 0, 1)\n"
    "    + cs.lpdf.normal(effect, mu + tau * eta, error)\n"
    "end\n";

static const char schools_stan[] =
    "data { vector[8] y; vector[8] s; }\n"
    "parameters { real mu; real log_tau; vector[8] eta; }\n"
    "model {\n"
    "  mu ~ normal(0, 5);\n"
    "  target += cauchy_lpdf(exp(log_tau) | 0, 5) + log_tau;\n"
    "  eta ~ std_normal();\n"
    "  y ~ normal(mu + exp(log_tau) * eta, s);\n"
    "}\n";

static const char schools_jags[] =
    "model {\n"
    "  mu ~ dnorm(0, 0.04)\n"
    "  tau ~ dt(0, 0.04, 1) T(0,)\n"
    "  for (j in 1:8) { eta[j] ~ dnorm(0, 1)\n"
    "    y[j] ~ dnorm(mu + tau * eta[j], 1 / s[j]^2) }\n"
    "}\n";

static const char schools_emcee[] =
    "dim = 10\n"
    "def f(x):\n"
    "  mu, t, eta = x[:, :1], x[:, 1], x[:, 2:]\n"
    "  tau = np.exp(t)\n"
    "  return (-mu[:, 0] ** 2 / 50 - np.log1p((tau / 5) ** 2) + t\n"
    "    - (eta ** 2).sum(1) / 2\n"
    "    - (((y - mu - tau[:, None] * eta) / s) ** 2).sum(1) / 2)\n";

static void schools_write(FILE *to)
{
    static const double y[] = {28, 8, -3, 7, -1, 1, 18, 12};
    static const double s[] = {15, 10, 16, 11, 9, 11, 10, 18};
    cs_bench_assign(to, "y", y, 8);
    cs_bench_assign(to, "s", s, 8);
}

static const cs_bench_model schools = {
    "W3e", "eight schools", schools_code, 10, NULL, 0, schools_write};

/* ---- a logistic regression ----------------------------------------------- */

static const char logistic_stan[] =
    "data { int n; matrix[n, 10] x; int y[n]; }\n"
    "parameters { vector[10] b; }\n"
    "model { b ~ normal(0, 10); y ~ bernoulli_logit_glm(x, 0, b); }\n";

static const char logistic_jags[] =
    "model {\n"
    "  for (i in 1:n) { y[i] ~ dbern(p[i])\n"
    "    logit(p[i]) <- inprod(x[i,], b[]) }\n"
    "  for (j in 1:10) { b[j] ~ dnorm(0, 0.01) }\n"
    "}\n";

static void logistic_write(FILE *to)
{
    enum { N = CS_BENCH_LOGISTIC_ROWS, D = CS_BENCH_LOGISTIC };
    static double x[N * D], y[N];
    cs_bench_logistic_make(N, x, y);
    fprintf(to, "n <- %d\nx <- structure(c(", N);
    for (size_t j = 0; j < D; j++)
        for (size_t i = 0; i < N; i++)
            fprintf(to, "%s%.6f", i + j ? "," : "", x[i * D + j]);
    fprintf(to, "), .Dim = c(%d, %d))\n", N, D);
    cs_bench_assign(to, "y", y, N);
}

static const cs_bench_model logistic = {"W3l",
                                        "logistic, 1000 rows of ten",
                                        cs_bench_logistic_code,
                                        10,
                                        NULL,
                                        0,
                                        logistic_write};

const cs_bench_posterior cs_bench_posteriors[CS_BENCH_POSTERIORS] = {
    {.id = "W3g", .model = &cs_bench_models[0], .stan = process_stan},
    {"W3r", &cs_bench_models[1], groups_stan, groups_jags,
     "mu beta log_tau log_sigma level", NULL},
    {.id = "W3v", .model = &cs_bench_models[2], .stan = volatility_stan},
    {.id = "W3h", .model = &cs_bench_models[3], .stan = markov_stan},
    {"W3e", &schools, schools_stan, schools_jags, "mu tau eta", schools_emcee},
    {"W3l", &logistic, logistic_stan, logistic_jags, "b", NULL},
};

/* ---- what runs them ------------------------------------------------------ */

static const char stan_script[] =
    "suppressMessages(library(rstan))\n"
    "rstan_options(boost_lib = '/usr/include')\n"
    "d <- new.env()\n"
    "sys.source(data, d)\n"
    "stan <- file.path(Sys.getenv('CHAINSCOPE_STAN', tempdir()),\n"
    "  paste0(id, '.stan'))\n"
    "if (!file.exists(stan) ||\n"
    "    !identical(paste(readLines(stan), collapse = '\\n'),\n"
    "      sub('\\n$', '', code))) cat(code, file = stan)\n"
    "spent <- system.time(m <- stan_model(stan, auto_write = TRUE))\n"
    "cat('compile', sum(spent[-3]), '\\n')\n"
    "to <- file(out, 'wb')\n"
    "all <- 0\n"
    "for (seed in 1:seeds) {\n"
    "  f <- sampling(m, data = as.list(d), chains = 4, iter = 2000,\n"
    "    refresh = 0, seed = seed)\n"
    "  x <- extract(f, permuted = FALSE)\n"
    "  g <- sapply(get_sampler_params(f), function(p)"
    " sum(p[, 'n_leapfrog__']))\n"
    "  seconds <- sum(get_elapsed_time(f))\n"
    "  all <- all + seconds\n"
    "  writeBin(as.double(c(seconds, sum(g), dim(x)[c(2, 1, 3)], x)), to)\n"
    "}\n"
    "close(to)\n"
    "cat('seconds', all, '\\n')\n";

/* CPU seconds less those of a run that ends when it is ready. */
static const char jags_script[] =
    "setwd(tempdir())\n"
    "cat(code, file = 'm.bug')\n"
    "go <- function(seed, what) {\n"
    "  start <- character()\n"
    "  for (k in 1:4) {\n"
    "    file <- paste0('start', k, '.R')\n"
    "    cat('.RNG.name <- \"base::Mersenne-Twister\"\\n.RNG.seed <- ',\n"
    "      4 * seed + k, '\\n', sep = '', file = file)\n"
    "    start[k] <- paste0('parameters in \"', file, '\", chain(', k, ')')\n"
    "  }\n"
    "  writeLines(c('load glm', 'model in m.bug',\n"
    "    paste0('data in \"', data, '\"'), 'compile, nchains(4)', start,\n"
    "    'initialize', what), 'commands')\n"
    "  sum(system.time(system2('jags', 'commands', stdout = FALSE,\n"
    "    stderr = FALSE))[4:5])\n"
    "}\n"
    "to <- file(out, 'wb')\n"
    "all <- 0\n"
    "for (seed in 1:seeds) {\n"
    "  none <- go(seed, character())\n"
    "  seconds <- go(seed, c('adapt 1000',\n"
    "    paste('monitor', strsplit(monitors, ' ')[[1]]), 'update 1000',\n"
    "    'coda *')) - none\n"
    "  x <- sapply(1:4, function(k) matrix(scan(paste0('CODAchain', k,"
    " '.txt'),\n"
    "    list(0, 0), quiet = TRUE)[[2]], 1000), simplify = 'array')\n"
    "  x <- aperm(x, c(1, 3, 2))\n"
    "  all <- all + seconds\n"
    "  writeBin(as.double(c(seconds, NaN, dim(x)[c(2, 1, 3)], x)), to)\n"
    "}\n"
    "close(to)\n"
    "cat('seconds', all, '\\n')\n";

static const char emcee_script[] =
    "import time, numpy as np, emcee\n"
    "exec(open(data).read().replace('<- c(', '= np.array([')"
    ".replace(')', '])'))\n"
    "exec(code)\n"
    "total, walkers, n = 0, 64, 1000\n"
    "with open(out, 'wb') as to:\n"
    "  for seed in range(1, seeds + 1):\n"
    "    np.random.seed(seed)\n"
    "    run = emcee.EnsembleSampler(walkers, dim, f, vectorize=True)\n"
    "    start = time.process_time()\n"
    "    x = run.run_mcmc(np.random.normal(size=(walkers, dim)), n)\n"
    "    run.reset()\n"
    "    run.run_mcmc(x, n)\n"
    "    used = time.process_time() - start\n"
    "    total += used\n"
    "    x = np.concatenate([run.get_log_prob()[:, :, None],"
    " run.get_chain()], 2)\n"
    "    np.array([used, np.nan, walkers, n, dim + 1]).tofile(to)\n"
    "    np.ascontiguousarray(x.transpose(2, 1, 0)).tofile(to)\n"
    "print('seconds', total)\n";

static const char *stan_of(const cs_bench_posterior *p)
{
    return p->stan;
}

static const char *jags_of(const cs_bench_posterior *p)
{
    return p->jags;
}

static const char *emcee_of(const cs_bench_posterior *p)
{
    return p->emcee;
}

static const char *const r[] = {"Rscript", NULL};
static const char *const python[] = {"/usr/bin/python3", "python3", NULL};

const cs_bench_racer cs_bench_racers[CS_BENCH_RACERS] = {
    {"rstan", stan_of, "<-", stan_script, r, 3, false},
    {"JAGS", jags_of, "<-", jags_script, r, 3, true},
    {"emcee", emcee_of, "=", emcee_script, python, 3, false},
};

/* Neither programs nor names of files have a quote three times over; R knows
 * raw texts, Python takes the same letters with another bracket. */
void cs_bench_race_script(const cs_bench_racer *by, const cs_bench_posterior *p,
                          size_t seeds, const char *data, const char *out,
                          char *text, size_t size)
{
    const char *code = by->program(p), *is = by->assign;
    bool in_r = *is == '<';
    snprintf(text, size,
             "id %s '%s'\nseeds %s %zu\ndata %s '%s'\nout %s '%s'\n"
             "monitors %s '%s'\ncode %s %s%s%s\n%s",
             is, p->id, is, seeds, is, data, is, out, is,
             p->monitors ? p->monitors : "", is, in_r ? "r\"(" : "'''", code,
             in_r ? ")\"" : "'''", by->script);
}
