#include "bench/density.h"

#include <math.h>

enum { D = CS_BENCH_DIM, ROWS = 200, SCHOOLS = 8 };

/* ---- chained Rosenbrock -------------------------------------------------- */

static const char rosenbrock_code[] =
    "local function density(x)\n"
    "  local u = 0\n"
    "  for i = 1, #x - 1 do\n"
    "    u = u - (1 - x[i])^2 / 20 - 5 * (x[i + 1] - x[i]^2)^2\n"
    "  end\n"
    "  return u\n"
    "end\n"
    "local function by_hand(x, g)\n"
    "  local u = 0\n"
    "  for i = 1, #x do g[i] = 0 end\n"
    "  for i = 1, #x - 1 do\n"
    "    local a = x[i]\n"
    "    local off, r = 1 - a, x[i + 1] - a * a\n"
    "    u = u - off * off / 20 - 5 * r * r\n"
    "    g[i] = g[i] + off / 10 + 20 * a * r\n"
    "    g[i + 1] = -10 * r\n"
    "  end\n"
    "  return u\n"
    "end\n"
    "return density, by_hand\n";

static double rosenbrock(const double *x, double *g)
{
    double logp = 0;
    for (int i = 0; i < D; i++)
        g[i] = 0;
    for (int i = 0; i + 1 < D; i++) {
        double off = 1 - x[i], r = x[i + 1] - x[i] * x[i];
        logp -= off * off / 20 + 5 * r * r;
        g[i] += off / 10 + 20 * x[i] * r;
        g[i + 1] = -10 * r;
    }
    return logp;
}

/* ---- eight schools, mu, log tau and eight effects ------------------------ */

static const char schools_code[] =
    "local y = {28, 8, -3, 7, -1, 1, 18, 12}\n"
    "local s = {15, 10, 16, 11, 9, 11, 10, 18}\n"
    "local function density(x)\n"
    "  local mu, l = x[1], x[2]\n"
    "  local tau = math.exp(l)\n"
    "  local u = l - mu^2 / 50 - cs.math.log1p(tau^2 / 25)\n"
    "  for j = 1, 8 do\n"
    "    local off = (y[j] - mu - tau * x[2 + j]) / s[j]\n"
    "    u = u - off^2 / 2 - x[2 + j]^2 / 2\n"
    "  end\n"
    "  return u\n"
    "end\n"
    "local function by_hand(x, g)\n"
    "  local mu, l = x[1], x[2]\n"
    "  local tau = math.exp(l)\n"
    "  local square = tau * tau / 25\n"
    "  local u = l - mu * mu / 50 - math.log(1 + square)\n"
    "  local by_mu, by_tau = -mu / 25, 0\n"
    "  for j = 1, 8 do\n"
    "    local e = x[2 + j]\n"
    "    local off = (y[j] - mu - tau * e) / s[j]\n"
    "    local slope = off / s[j]\n"
    "    u = u - (off * off + e * e) / 2\n"
    "    by_mu, by_tau = by_mu + slope, by_tau + slope * e\n"
    "    g[2 + j] = slope * tau - e\n"
    "  end\n"
    "  g[1] = by_mu\n"
    "  g[2] = 1 - 2 * square / (1 + square) + by_tau * tau\n"
    "  return u\n"
    "end\n"
    "return density, by_hand\n";

static double schools(const double *x, double *g)
{
    static const double y[SCHOOLS] = {28, 8, -3, 7, -1, 1, 18, 12};
    static const double s[SCHOOLS] = {15, 10, 16, 11, 9, 11, 10, 18};
    double mu = x[0], tau = exp(x[1]), square = tau * tau / 25;
    double logp = x[1] - mu * mu / 50 - log1p(square);
    double by_mu = -mu / 25, by_tau = 0;
    for (int j = 0; j < SCHOOLS; j++) {
        double e = x[2 + j], off = (y[j] - mu - tau * e) / s[j];
        double slope = off / s[j];
        logp -= 0.5 * (off * off + e * e);
        by_mu += slope;
        by_tau += slope * e;
        g[2 + j] = slope * tau - e;
    }
    g[0] = by_mu;
    g[1] = 1 - 2 * square / (1 + square) + by_tau * tau;
    return logp;
}

/* ---- logistic regression, a loop over 200 rows --------------------------- */

static const char logistic_code[] =
    "local X, y = {}, {}\n"
    "for i = 1, 200 do\n"
    "  X[i], y[i] = {}, math.sin(3.7 * i * i) > 0 and 1 or 0\n"
    "  for j = 1, 10 do X[i][j] = 2 * math.sin(i * i * 12.9898 + j * 78.233) "
    "end\n"
    "end\n"
    "local function density(b)\n"
    "  local u = 0\n"
    "  for j = 1, #b do u = u - b[j]^2 / 200 end\n"
    "  for i = 1, #X do\n"
    "    local row, eta = X[i], 0\n"
    "    for j = 1, #b do eta = eta + row[j] * b[j] end\n"
    "    u = u + y[i] * eta - cs.math.softplus(eta)\n"
    "  end\n"
    "  return u\n"
    "end\n"
    "local exp, log = math.exp, math.log\n"
    "local function by_hand(b, g)\n"
    "  local u = 0\n"
    "  for j = 1, #b do\n"
    "    u = u - b[j]^2 / 200\n"
    "    g[j] = -b[j] / 100\n"
    "  end\n"
    "  for i = 1, #X do\n"
    "    local row, eta = X[i], 0\n"
    "    for j = 1, #b do eta = eta + row[j] * b[j] end\n"
    "    local e = exp(eta < 0 and eta or -eta)\n"
    "    u = u + y[i] * eta - (eta > 0 and eta or 0) - log(1 + e)\n"
    "    local w = y[i] - (eta < 0 and e or 1) / (1 + e)\n"
    "    for j = 1, #b do g[j] = g[j] + w * row[j] end\n"
    "  end\n"
    "  return u\n"
    "end\n"
    "return density, by_hand\n";

typedef struct table {
    double x[ROWS][D], y[ROWS];
} table;

static const table *rows(void)
{
    static table t;
    if (t.x[0][0] != 0)
        return &t;
    for (int i = 1; i <= ROWS; i++) {
        t.y[i - 1] = sin(3.7 * i * i) > 0;
        for (int j = 1; j <= D; j++)
            t.x[i - 1][j - 1] = 2 * sin(i * i * 12.9898 + j * 78.233);
    }
    return &t;
}

static double logistic(const double *b, double *g)
{
    const table *t = rows();
    double logp = 0;
    for (int j = 0; j < D; j++) {
        logp -= b[j] * b[j] / 200;
        g[j] = -b[j] / 100;
    }
    for (int i = 0; i < ROWS; i++) {
        double eta = 0;
        for (int j = 0; j < D; j++)
            eta += t->x[i][j] * b[j];
        double e = exp(-fabs(eta));
        logp += t->y[i] * eta - fmax(eta, 0) - log1p(e);
        double w = t->y[i] - (eta < 0 ? e : 1) / (1 + e);
        for (int j = 0; j < D; j++)
            g[j] += w * t->x[i][j];
    }
    return logp;
}

const cs_bench_density cs_bench_densities[CS_BENCH_DENSITIES] = {
    {"B12r", "chained Rosenbrock, d = 10", rosenbrock_code, rosenbrock, 5000,
     35, 0.5},
    {"B12e", "eight schools, d = 10", schools_code, schools, 5000, 35, 0.5},
    {"B12l", "logistic regression, a loop over 200 rows", logistic_code,
     logistic, 150, 70, 3},
};
