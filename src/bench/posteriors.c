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

static const char process_jags[] =
    "model {\n"
    "  for (k in 1:3) { x[k] ~ dnorm(0, 1) }\n"
    "  for (i in 1:n) { zero[i] <- 0\n"
    "    for (j in 1:n) { k[i,j] <- equals(i, j) * exp(2 * x[3])\n"
    "      + exp(2 * x[1] - ((t[i] - t[j]) / exp(x[2]))^2 / 2) } }\n"
    "  y ~ dmnorm.vcov(zero, k)\n"
    "}\n";

static const char process_emcee[] =
    "dim, n = 3, len(y)\n"
    "square, one = (t[:, None] - t) ** 2, np.eye(n)\n"
    "def f(x):\n"
    "  size, length, noise = np.exp(x).T[:, :, None, None]\n"
    "  k = size ** 2 * np.exp(-square / 2 / length ** 2) + noise ** 2 * one\n"
    "  l = np.linalg.cholesky(k)\n"
    "  z = np.linalg.solve(l, np.broadcast_to(y[:, None], l.shape[:2] + "
    "(1,)))\n"
    "  return (-(z ** 2).sum((1, 2)) / 2 - (x ** 2).sum(1) / 2\n"
    "    - np.log(np.diagonal(l, 0, 1, 2)).sum(1))\n";

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

static const char groups_emcee[] =
    "dim, group = 89, group.astype(int) - 1\n"
    "def f(x):\n"
    "  mu, beta, log_tau, log_sigma = x.T[:4, :, None]\n"
    "  level = x[:, 4:]\n"
    "  tau, sigma = np.exp(log_tau), np.exp(log_sigma)\n"
    "  z = (y - level[:, group] - beta * floors) / sigma\n"
    "  return (-(mu ** 2 + beta ** 2)[:, 0] / 50\n"
    "    - (log_tau ** 2 + log_sigma ** 2)[:, 0] / 2\n"
    "    - (((level - mu) / tau) ** 2).sum(1) / 2 - (z ** 2).sum(1) / 2\n"
    "    - 85 * log_tau[:, 0] - len(y) * log_sigma[:, 0])\n";

/* ---- stochastic volatility ----------------------------------------------- */

/* The parametrisation is centred. The posterior has a bottleneck at small
 * sigma, and chains that do not enter it have more effective draws. Therefore
 * the ratios for two seeds can differ by a factor of two. */

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

static const char volatility_jags[] =
    "model {\n"
    "  mu ~ dnorm(0, 0.25)\n"
    "  a ~ dnorm(1, 1)\n"
    "  log_sigma ~ dnorm(-1, 1)\n"
    "  phi <- tanh(a)\n"
    "  over <- exp(-2 * log_sigma)\n"
    "  h[1] ~ dnorm(mu, over * (1 - phi^2))\n"
    "  for (t in 2:n) { h[t] ~ dnorm(mu + phi * (h[t - 1] - mu), over) }\n"
    "  for (t in 1:n) { y[t] ~ dnorm(0, exp(-h[t])) }\n"
    "}\n";

static const char volatility_emcee[] =
    "dim = 503\n"
    "def f(x):\n"
    "  mu, a, log_sigma = x.T[:3]\n"
    "  h = x[:, 3:] - mu[:, None]\n"
    "  phi, sigma = np.tanh(a), np.exp(log_sigma)\n"
    "  z = (h[:, 1:] - phi[:, None] * h[:, :-1]) / sigma[:, None]\n"
    "  first = 1 - phi ** 2\n"
    "  return (-mu ** 2 / 8 - (a - 1) ** 2 / 2 - (log_sigma + 1) ** 2 / 2\n"
    "    - (h[:, 0] / sigma) ** 2 * first / 2 + np.log(first) / 2\n"
    "    - (z ** 2).sum(1) / 2 - 500 * log_sigma\n"
    "    - (y ** 2 * np.exp(-x[:, 3:]) + x[:, 3:]).sum(1) / 2)\n";

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

/* JAGS cannot sum over the hidden states, and therefore samples them. */
static const char markov_jags[] =
    "model {\n"
    "  for (j in 1:5) { even[j] <- 0.2\n"
    "    level[j] ~ dnorm(j - 1, 1)\n"
    "    for (k in 1:5) { logits[j,k] ~ dnorm(0, 1)\n"
    "      w[j,k] <- exp(logits[j,k]) }\n"
    "    for (k in 1:5) { move[j,k] <- w[j,k] / sum(w[j,]) } }\n"
    "  s[1] ~ dcat(even)\n"
    "  for (t in 2:n) { s[t] ~ dcat(move[s[t - 1],]) }\n"
    "  for (t in 1:n) { y[t] ~ dnorm(level[s[t]], 1) }\n"
    "}\n";

static const char markov_emcee[] =
    "dim = 30\n"
    "def log_sum(x, axis):\n"
    "  most = x.max(axis, keepdims=True)\n"
    "  return (np.log(np.exp(x - most).sum(axis, keepdims=True)) + "
    "most).squeeze(axis)\n"
    "def f(x):\n"
    "  logits, level = x[:, :25].reshape(-1, 5, 5), x[:, 25:]\n"
    "  move = logits - log_sum(logits, 2)[:, :, None]\n"
    "  seen = -(y[:, None, None] - level) ** 2 / 2\n"
    "  a = seen[0]\n"
    "  for s in seen[1:]: a = log_sum(a[:, :, None] + move, 1) + s\n"
    "  return (log_sum(a, 1) - (logits ** 2).sum((1, 2)) / 2\n"
    "    - ((level - np.arange(5)) ** 2).sum(1) / 2)\n";

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

static const char logistic_emcee[] =
    "dim, z = 10, x\n"
    "def f(x):\n"
    "  eta = x @ z.T\n"
    "  return ((y * eta - np.logaddexp(0, eta)).sum(1)\n"
    "    - (x ** 2).sum(1) / 200)\n";

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
    {"W3g", &cs_bench_models[0], process_stan, process_jags, "x",
     process_emcee},
    {"W3r", &cs_bench_models[1], groups_stan, groups_jags,
     "mu beta log_tau log_sigma level", groups_emcee},
    {"W3v", &cs_bench_models[2], volatility_stan, volatility_jags,
     "mu a log_sigma h", volatility_emcee},
    {"W3h", &cs_bench_models[3], markov_stan, markov_jags, "logits level",
     markov_emcee},
    {"W3e", &schools, schools_stan, schools_jags, "mu tau eta", schools_emcee},
    {"W3l", &logistic, logistic_stan, logistic_jags, "b", logistic_emcee},
};
