#include "bench/mixed_models.h"

/* ---- a change point in 20 counts ----------------------------------------- */

#define COUNTS "5, 3, 6, 4, 4, 7, 5, 2, 6, 3, 1, 2, 0, 3, 1, 1, 2, 0, 1, 2"

static const char point_lua[] =
    "local y = { " COUNTS " }\n"
    "return cs.target {\n"
    "  params = { { rate = cs.positive(2) }, { k = cs.integer(1, 19) } },\n"
    "  log_density = function(p)\n"
    "    local u = lpdf.gamma(p.rate, 2, 1)\n"
    "    for i = 1, #y do\n"
    "      u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)])\n"
    "    end\n"
    "    return u\n"
    "  end,\n"
    "}, cs.kernel.auto {}\n";

static const char point_jags[] =
    "model {\n"
    "  for (i in 1:19) { prior[i] <- 1 / 19 }\n"
    "  k ~ dcat(prior[])\n"
    "  for (j in 1:2) { rate[j] ~ dgamma(2, 1) }\n"
    "  for (i in 1:20) { y[i] ~ dpois(rate[1 + step(i - k - 0.5)]) }\n"
    "}\n";

/* ---- labels of eight observations ---------------------------------------- */

#define EIGHT "-2.1, -1.4, -0.3, 0.2, 0.9, 1.7, 2.2, 3.0"

static const char labels_lua[] =
    "local y = { " EIGHT " }\n"
    "return cs.target {\n"
    "  params = { { mu = cs.real(2) }, { z = cs.label(2, 8) } },\n"
    "  log_density = function(p)\n"
    "    return lpdf.categorical(p.z, { 0.35, 0.65 }) +\n"
    "      lpdf.normal(p.mu, { -1, 1.5 }, 1.5) +\n"
    "      lpdf.normal(y, M.gather(p.mu, p.z), 1)\n"
    "  end,\n"
    "}, cs.kernel.auto {}\n";

static const char labels_jags[] =
    "model {\n"
    "  mu[1] ~ dnorm(-1, 1 / 2.25)\n"
    "  mu[2] ~ dnorm(1.5, 1 / 2.25)\n"
    "  for (i in 1:8) { z[i] ~ dcat(w[]); y[i] ~ dnorm(mu[z[i]], 1) }\n"
    "}\n";

/* ---- accidents in coal mines --------------------------------------------- */

#define DEATHS                                                                 \
    "4, 5, 4, 0, 1, 4, 3, 4, 0, 6, 3, 3, 4, 0, 2, 6, 3, 3, 5, 4, 5, 3, 1, "    \
    "4, 4, 1, 5, 5, 3, 4, 2, 5, 2, 2, 3, 4, 2, 1, 3, 2, 2, 1, 1, 1, 1, 3, "    \
    "0, 0, 1, 0, 1, 1, 0, 0, 3, 1, 0, 3, 2, 2, 0, 1, 1, 1, 0, 1, 0, 1, 0, "    \
    "0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 2, 3, 3, 1, 1, 2, 1, 1, 1, 1, 2, 4, 2, "    \
    "0, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1"

static const char coal_lua[] =
    "local y = { " DEATHS " }\n"
    "return cs.target {\n"
    "  params = { { rate = cs.positive(2) }, { k = cs.integer(1, 110) } },\n"
    "  log_density = function(p)\n"
    "    local u = lpdf.exponential(p.rate, 1)\n"
    "    for i = 1, #y do\n"
    "      u = u + lpdf.poisson(y[i], p.rate[1 + M.gt(i, p.k)])\n"
    "    end\n"
    "    return u\n"
    "  end,\n"
    "}, cs.kernel.auto {}\n";

static const char coal_jags[] =
    "model {\n"
    "  for (i in 1:110) { prior[i] <- 1 / 110 }\n"
    "  k ~ dcat(prior[])\n"
    "  for (j in 1:2) { rate[j] ~ dexp(1) }\n"
    "  for (i in 1:111) { y[i] ~ dpois(rate[1 + step(i - k - 0.5)]) }\n"
    "}\n";

/* ---- spike and slab ------------------------------------------------------ */

static const char slab_lua[] =
    "local x, y = {}, {}\n"
    "for i = 1, 50 do\n"
    "  x[i] = {}\n"
    "  for j = 1, 10 do\n"
    "    x[i][j] = math.sin(i * i * 12.9898 + j * 78.233) + math.cos(i)\n"
    "  end\n"
    "  y[i] = x[i][1] - 0.6 * x[i][2] + 0.3 * x[i][3] +\n"
    "    math.sin(i * i * 3.7) + math.sin(i * i * 5.9)\n"
    "end\n"
    "x = M.matrix(x)\n"
    "return cs.target {\n"
    "  params = { { effect = cs.real(10) }, { log_sigma = cs.real() },\n"
    "    { bit = cs.bit(10) } },\n"
    "  log_density = function(p)\n"
    "    local sigma = M.exp(p.log_sigma)\n"
    "    return lpdf.normal(p.effect, 0, sigma) +\n"
    "      lpdf.normal(p.log_sigma, 0, 2) +\n"
    "      lpdf.normal(y, M.product(x, p.bit * p.effect), sigma)\n"
    "  end,\n"
    "}, cs.kernel.auto {}\n";

static const char slab_jags[] =
    "data {\n"
    "  for (i in 1:n) {\n"
    "    for (j in 1:10) {\n"
    "      x[i, j] <- sin(i * i * 12.9898 + j * 78.233) + cos(i)\n"
    "    }\n"
    "    y[i] <- x[i, 1] - 0.6 * x[i, 2] + 0.3 * x[i, 3] +\n"
    "      sin(i * i * 3.7) + sin(i * i * 5.9)\n"
    "  }\n"
    "}\n"
    "model {\n"
    "  log_sigma ~ dnorm(0, 0.25)\n"
    "  tau <- exp(-2 * log_sigma)\n"
    "  for (j in 1:10) {\n"
    "    effect[j] ~ dnorm(0, tau)\n"
    "    bit[j] ~ dbern(0.5)\n"
    "    b[j] <- bit[j] * effect[j]\n"
    "  }\n"
    "  for (i in 1:n) { y[i] ~ dnorm(inprod(x[i, ], b[]), tau) }\n"
    "}\n";

/* ---- occupancy of 39 sites ----------------------------------------------- */

#define SEEN "4, 3, 3, 3, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1"

static const char sites_lua[] =
    "local y = { " SEEN " }\n"
    "return cs.target {\n"
    "  params = { { psi = cs.interval(0, 1) }, { detect = cs.interval(0, 1) "
    "},\n"
    "    { z = cs.bit(21) } },\n"
    "  log_density = function(p)\n"
    "    return lpdf.binomial(y, 5, p.detect) + 18 * M.log(p.psi) +\n"
    "      lpdf.bernoulli(p.z, p.psi) +\n"
    "      M.sum(p.z * (5 * M.log(1 - p.detect)))\n"
    "  end,\n"
    "}, cs.kernel.auto {}\n";

static const char sites_jags[] =
    "model {\n"
    "  psi ~ dunif(0, 1)\n"
    "  detect ~ dunif(0, 1)\n"
    "  occupied ~ dbin(psi, 18)\n"
    "  for (i in 1:18) { y[i] ~ dbin(detect, 5) }\n"
    "  for (i in 1:21) {\n"
    "    z[i] ~ dbern(psi)\n"
    "    missed[i] ~ dbin(z[i] * detect, 5)\n"
    "  }\n"
    "}\n";

/* ---- clusters of galaxies ------------------------------------------------ */

#define GALAXIES                                                               \
    "9.172, 9.350, 9.483, 9.558, 9.775, 10.227, 10.406, 16.084, 16.170, "      \
    "18.419, 18.552, 18.600, 18.927, 19.052, 19.070, 19.330, 19.343, "         \
    "19.349, 19.440, 19.473, 19.529, 19.541, 19.547, 19.663, 19.846, "         \
    "19.856, 19.863, 19.914, 19.918, 19.973, 19.989, 20.166, 20.175, "         \
    "20.179, 20.196, 20.215, 20.221, 20.415, 20.629, 20.795, 20.821, "         \
    "20.846, 20.875, 20.986, 21.137, 21.492, 21.701, 21.814, 21.921, "         \
    "21.960, 22.185, 22.209, 22.242, 22.249, 22.314, 22.374, 22.495, "         \
    "22.746, 22.747, 22.888, 22.914, 23.206, 23.241, 23.263, 23.484, "         \
    "23.538, 23.542, 23.666, 23.706, 23.711, 24.129, 24.285, 24.289, "         \
    "24.366, 24.717, 24.990, 25.633, 26.960, 26.995, 32.065, 32.789, "         \
    "34.279"

static const char galaxies_lua[] =
    "local y = M.vector { " GALAXIES " }\n"
    "return cs.target {\n"
    "  params = { { mu = cs.ordered(3) }, { sigma = cs.positive() },\n"
    "    { weight = cs.simplex(3) }, { z = cs.label(3, 82) } },\n"
    "  log_density = function(p)\n"
    "    return lpdf.normal(p.mu, 20, 10) + lpdf.half_normal(p.sigma, 5) +\n"
    "      lpdf.categorical(p.z, p.weight) +\n"
    "      lpdf.normal(y, M.gather(p.mu, p.z), p.sigma)\n"
    "  end,\n"
    "}, cs.kernel.auto {}, { mu = { 10, 21, 33 }, sigma = 2,\n"
    "  weight = { 0.1, 0.85, 0.05 },\n"
    "  z = labels(y) }\n";

static const char galaxies_jags[] =
    "model {\n"
    "  for (k in 1:3) { any[k] ~ dnorm(20, 0.01); one[k] <- 1 }\n"
    "  mu <- sort(any)\n"
    "  sigma ~ dnorm(0, 0.04) T(0, )\n"
    "  weight ~ ddirch(one)\n"
    "  tau <- 1 / sigma ^ 2\n"
    "  for (i in 1:82) { z[i] ~ dcat(weight); y[i] ~ dnorm(mu[z[i]], tau) }\n"
    "}\n";

const cs_bench_mixed cs_bench_mixed_models[CS_BENCH_MIXED] = {
    {"W3dp", "change point, 20 counts", point_lua, point_jags,
     "y <- c(" COUNTS ")\n", "", "rate k", "rate k", 60000, 60000},
    {"W3dm", "mixture, 8 labels", labels_lua, labels_jags,
     "w <- c(0.35, 0.65)\ny <- c(" EIGHT ")\n", "", "mu z", "mu z", 60000,
     60000},
    {"W3dy", "coal mining, 111 years", coal_lua, coal_jags,
     "y <- c(" DEATHS ")\n", "", "rate k", "rate k", 20000, 5000},
    {"W3ds", "spike and slab, 10 bits", slab_lua, slab_jags, "n <- 50\n", "",
     "effect log_sigma bit", "effect log_sigma bit", 10000, 10000},
    {"W3do", "occupancy, 21 bits", sites_lua, sites_jags,
     "occupied <- 18\nmissed <- "
     "c(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0)\ny <- c(" SEEN ")\n",
     "", "psi detect z", "psi detect", 40000, 20000},
    {"W3dg", "galaxies, 82 labels", galaxies_lua, galaxies_jags,
     "y <- c(" GALAXIES ")\n", "any <- c(10, 21, 33)\nsigma <- 2\n",
     "mu sigma weight z", "mu sigma weight", 5000, 5000},
};
