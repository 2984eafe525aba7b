#include "bench/models.h"

#include <math.h>
#include <string.h>

static const double half_log_tau = 0.91893853320467274178;

/* Returns the log density of a normal, and sets its derivatives. */
static double normal(double y, double mu, double sigma, double *by_y,
                     double *by_sigma)
{
    double z = (y - mu) / sigma;
    *by_y = -z / sigma;
    *by_sigma = (z * z - 1) / sigma;
    return -0.5 * z * z - log(sigma) - half_log_tau;
}

void cs_bench_assign(FILE *to, const char *name, const double *x, size_t n)
{
    fprintf(to, "%s <- c(", name);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%.17g", i ? "," : "", x[i]);
    fprintf(to, ")\n");
}

/* ---- a Gaussian process at 50 points: log amplitude, length, noise ------- */

enum { POINTS = 50 };

static const char process_code[] =
    "local M, n = cs.math, 50\n"
    "local y, zero, square, one = {}, {}, {}, {}\n"
    "for i = 1, n do\n"
    "  y[i], zero[i] = math.sin(i / 5) + 0.3 * math.sin(37.1 * i * i), 0\n"
    "  square[i], one[i] = {}, {}\n"
    "  for j = 1, n do\n"
    "    square[i][j], one[i][j] = (i / 5 - j / 5)^2, i == j and 1 or 0\n"
    "  end\n"
    "end\n"
    "square, one = M.matrix(square), M.matrix(one)\n"
    "return function(x)\n"
    "  local size, length, noise = M.exp(x[1]), M.exp(x[2]), M.exp(x[3])\n"
    "  local k = size^2 * M.exp(square * (-0.5 / length^2)) + one * noise^2\n"
    "  return cs.lpdf.multi_normal_cholesky(y, zero, M.cholesky(k))\n"
    "    - 0.5 * (x[1]^2 + x[2]^2 + x[3]^2)\n"
    "end\n";

typedef struct process {
    double y[POINTS], square[POINTS][POINTS];
    double smooth[POINTS][POINTS], l[POINTS][POINTS], inverse[POINTS][POINTS];
    double a[POINTS];
} process;

static process *process_data(void)
{
    static process p;
    if (p.y[0] != 0)
        return &p;
    for (int i = 0; i < POINTS; i++) {
        p.y[i] = sin((i + 1) / 5.0) + 0.3 * sin(37.1 * (i + 1) * (i + 1));
        for (int j = 0; j < POINTS; j++) {
            double d = (i + 1) / 5.0 - (j + 1) / 5.0;
            p.square[i][j] = d * d;
        }
    }
    return &p;
}

static void process_write(FILE *to)
{
    double t[POINTS];
    for (int i = 0; i < POINTS; i++)
        t[i] = (i + 1) / 5.0;
    fprintf(to, "n <- %d\n", POINTS);
    cs_bench_assign(to, "t", t, POINTS);
    cs_bench_assign(to, "y", process_data()->y, POINTS);
}

/* Computes the Cholesky factor l of smooth + noise^2 I, and the inverse of l.
 * Returns the log density of y. */
static double process_solve(process *p, double noise)
{
    double logp = -POINTS * half_log_tau;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j <= i; j++) {
            double rest = p->smooth[i][j] + (i == j ? noise * noise : 0);
            for (int k = 0; k < j; k++)
                rest -= p->l[i][k] * p->l[j][k];
            p->l[i][j] = i == j ? sqrt(rest) : rest / p->l[j][j];
        }
    for (int i = 0; i < POINTS; i++) {
        double z = 0;
        for (int j = 0; j <= i; j++) {
            double rest = i == j;
            for (int k = j; k < i; k++)
                rest -= p->l[i][k] * p->inverse[k][j];
            p->inverse[i][j] = rest / p->l[i][i];
            z += p->inverse[i][j] * p->y[j];
        }
        logp -= 0.5 * z * z + log(p->l[i][i]);
        p->a[i] = z;
    }
    return logp;
}

static double process_by_hand(const double *x, double *g)
{
    process *p = process_data();
    double size = exp(x[0]), length = exp(x[1]), noise = exp(x[2]);
    double by[3] = {0}, a[POINTS];
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j <= i; j++)
            p->smooth[i][j] =
                size * size * exp(-0.5 * p->square[i][j] / (length * length));
    double logp = process_solve(p, noise);
    for (int i = 0; i < POINTS; i++) {
        a[i] = 0;
        for (int k = i; k < POINTS; k++)
            a[i] += p->inverse[k][i] * p->a[k];
    }
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j <= i; j++) {
            double w = a[i] * a[j];
            for (int k = i; k < POINTS; k++)
                w -= p->inverse[k][i] * p->inverse[k][j];
            w *= i == j ? 0.5 : 1;
            by[0] += w * 2 * p->smooth[i][j];
            by[1] += w * p->smooth[i][j] * p->square[i][j] / (length * length);
            by[2] += i == j ? w * 2 * noise * noise : 0;
        }
    for (int k = 0; k < 3; k++) {
        logp -= 0.5 * x[k] * x[k];
        g[k] = by[k] - x[k];
    }
    return logp;
}

/* ---- 919 rows in 85 groups: mu, beta, log tau, log sigma, 85 levels ------ */

enum { ROWS = 919, GROUPS = 85 };

static const char groups_code[] =
    "local M, y, floor, group = cs.math, {}, {}, {}\n"
    "for i = 1, 919 do\n"
    "  group[i], floor[i] = 1 + i * i % 85, i % 3 == 0 and 1 or 0\n"
    "  y[i] = 1 + math.sin(group[i]) - 0.6 * floor[i] + math.sin(77.7 * i)\n"
    "end\n"
    "floor, y = M.vector(floor), M.vector(y)\n"
    "return function(x)\n"
    "  local mu, beta, tau, sigma = x[1], x[2], M.exp(x[3]), M.exp(x[4])\n"
    "  local level = M.slice(x, 5, 89)\n"
    "  return cs.lpdf.normal(mu, 0, 5) + cs.lpdf.normal(beta, 0, 5)\n"
    "    + cs.lpdf.normal(x[3], 0, 1) + cs.lpdf.normal(x[4], 0, 1)\n"
    "    + cs.lpdf.normal(level, mu, tau)\n"
    "    + cs.lpdf.normal(y, M.gather(level, group) + beta * floor, sigma)\n"
    "end\n";

typedef struct groups {
    double y[ROWS], floor[ROWS];
    int group[ROWS];
} groups;

static const groups *groups_data(void)
{
    static groups d;
    for (int i = 1; i <= ROWS && d.y[ROWS - 1] == 0; i++) {
        d.group[i - 1] = i * i % GROUPS;
        d.floor[i - 1] = i % 3 == 0;
        d.y[i - 1] =
            1 + sin(d.group[i - 1] + 1) - 0.6 * d.floor[i - 1] + sin(77.7 * i);
    }
    return &d;
}

static void groups_write(FILE *to)
{
    const groups *d = groups_data();
    double group[ROWS];
    for (int i = 0; i < ROWS; i++)
        group[i] = d->group[i] + 1;
    fprintf(to, "n <- %d\ngroups <- %d\n", ROWS, GROUPS);
    cs_bench_assign(to, "y", d->y, ROWS);
    cs_bench_assign(to, "floors", d->floor, ROWS);
    cs_bench_assign(to, "group", group, ROWS);
}

static double groups_by_hand(const double *x, double *g)
{
    const groups *d = groups_data();
    double tau = exp(x[2]), sigma = exp(x[3]), logp = 0, by_y, by_s;
    double by_tau = 0, by_mu = 0, squares = 0, by_beta = 0, none;
    static const double prior[4] = {5, 5, 1, 1};
    for (int k = 0; k < 4; k++)
        logp += normal(x[k], 0, prior[k], &g[k], &none);
    for (int j = 0; j < GROUPS; j++) {
        logp += normal(x[4 + j], x[0], tau, &by_y, &by_s);
        g[4 + j] = by_y;
        by_mu -= by_y;
        by_tau += by_s;
    }
    double over = 1 / sigma;
    for (int i = 0; i < ROWS; i++) {
        double z = (d->y[i] - x[4 + d->group[i]] - x[1] * d->floor[i]) * over;
        squares += z * z;
        by_beta += z * over * d->floor[i];
        g[4 + d->group[i]] += z * over;
    }
    g[0] += by_mu;
    g[1] += by_beta;
    g[2] += by_tau * tau;
    g[3] += squares - ROWS;
    return logp - 0.5 * squares - ROWS * (x[3] + half_log_tau);
}

/* ---- stochastic volatility: mu, artanh of phi, log sigma, 500 log variance */

enum { TIMES = 500 };

static const char volatility_code[] =
    "local M, y = cs.math, {}\n"
    "for t = 1, 500 do\n"
    "  y[t] = math.sin(51.3 * t * t) * math.exp(0.5 * math.sin(t / 20))\n"
    "end\n"
    "return function(x)\n"
    "  local mu, sigma = x[1], M.exp(x[3])\n"
    "  local phi = M.tanh(x[2])\n"
    "  local u = cs.lpdf.normal(mu, 0, 2) + cs.lpdf.normal(x[2], 1, 1)\n"
    "    + cs.lpdf.normal(x[3], -1, 1)\n"
    "  u = u + cs.lpdf.normal(x[4], mu, sigma / M.sqrt(1 - phi^2))\n"
    "  for t = 1, 500 do\n"
    "    local h = x[3 + t]\n"
    "    if t > 1 then\n"
    "      u = u + cs.lpdf.normal(h, mu + phi * (x[2 + t] - mu), sigma)\n"
    "    end\n"
    "    u = u + cs.lpdf.normal(y[t], 0, M.exp(h / 2))\n"
    "  end\n"
    "  return u\n"
    "end\n";

static const double *volatility_data(void)
{
    static double y[TIMES];
    for (int t = 1; t <= TIMES && y[TIMES - 1] == 0; t++)
        y[t - 1] = sin(51.3 * t * t) * exp(0.5 * sin(t / 20.0));
    return y;
}

static void volatility_write(FILE *to)
{
    fprintf(to, "n <- %d\n", TIMES);
    cs_bench_assign(to, "y", volatility_data(), TIMES);
}

static double volatility_by_hand(const double *x, double *g)
{
    const double *y = volatility_data(), *h = x + 3;
    double mu = x[0], phi = tanh(x[1]), sigma = exp(x[2]), none, by_y, by_s;
    double logp = normal(mu, 0, 2, &g[0], &none) +
                  normal(x[1], 1, 1, &g[1], &none) +
                  normal(x[2], -1, 1, &g[2], &none);
    double root = sqrt(1 - phi * phi), by_phi = 0, squares = 0;
    logp += normal(h[0], mu, sigma / root, &by_y, &by_s);
    memset(g + 3, 0, TIMES * sizeof *g);
    g[3] += by_y;
    g[0] -= by_y;
    g[2] += by_s * sigma / root;
    by_phi += by_s * sigma * phi / (root * root * root);
    double over = 1 / sigma, by_mu = 0;
    for (int t = 1; t < TIMES; t++) {
        double z = (h[t] - mu - phi * (h[t - 1] - mu)) * over, w = z * over;
        squares += z * z;
        g[3 + t] -= w;
        g[2 + t] += w * phi;
        by_mu += w * (1 - phi);
        by_phi += w * (h[t - 1] - mu);
    }
    for (int t = 0; t < TIMES; t++) {
        double part = 0.5 * y[t] * y[t] * exp(-h[t]);
        logp -= part + 0.5 * h[t];
        g[3 + t] += part - 0.5;
    }
    g[0] += by_mu;
    g[1] += by_phi * (1 - phi * phi);
    g[2] += squares - (TIMES - 1);
    return logp - 0.5 * squares - (TIMES - 1) * x[2] -
           (2 * TIMES - 1) * half_log_tau;
}

/* ---- a hidden Markov model: 5 x 5 logits, 5 means ------------------------ */

enum { STATES = 5, STEPS = 200 };

static const char markov_code[] =
    "local M, y, S = cs.math, {}, 5\n"
    "for t = 1, 200 do\n"
    "  y[t] = (t * t // 37 % 5) + 0.7 * math.sin(91.7 * t)\n"
    "end\n"
    "return function(x)\n"
    "  local u, move, level = 0, {}, {}\n"
    "  for j = 1, S do\n"
    "    local row = {}\n"
    "    for k = 1, S do row[k] = x[(j - 1) * S + k] end\n"
    "    local all = M.log_sum_exp(table.unpack(row))\n"
    "    move[j], level[j] = {}, x[S * S + j]\n"
    "    for k = 1, S do\n"
    "      move[j][k] = row[k] - all\n"
    "      u = u - 0.5 * row[k]^2\n"
    "    end\n"
    "    u = u - 0.5 * (level[j] - j + 1)^2\n"
    "  end\n"
    "  local a = {}\n"
    "  for k = 1, S do a[k] = cs.lpdf.normal(y[1], level[k], 1) end\n"
    "  for t = 2, #y do\n"
    "    local b = {}\n"
    "    for k = 1, S do\n"
    "      local from = {}\n"
    "      for j = 1, S do from[j] = a[j] + move[j][k] end\n"
    "      b[k] = M.log_sum_exp(table.unpack(from))\n"
    "        + cs.lpdf.normal(y[t], level[k], 1)\n"
    "    end\n"
    "    a = b\n"
    "  end\n"
    "  return u + M.log_sum_exp(table.unpack(a))\n"
    "end\n";

static const double *markov_data(void)
{
    static double y[STEPS];
    for (int t = 1; t <= STEPS && y[STEPS - 1] == 0; t++)
        y[t - 1] = t * t / 37 % 5 + 0.7 * sin(91.7 * t);
    return y;
}

static void markov_write(FILE *to)
{
    fprintf(to, "n <- %d\n", STEPS);
    cs_bench_assign(to, "y", markov_data(), STEPS);
}

/* Returns log sum exp of a[5]. Sets share[5] to the fraction that each term
 * contributes to the sum. */
static double log_sum_exp(const double *a, double *share)
{
    double most = a[0], sum = 0;
    for (int k = 1; k < STATES; k++)
        most = a[k] > most ? a[k] : most;
    for (int k = 0; k < STATES; k++)
        sum += share[k] = exp(a[k] - most);
    for (int k = 0; k < STATES; k++)
        share[k] /= sum;
    return most + log(sum);
}

/* Runs the forward pass of the hidden Markov model, and stores all fractions
 * for the backward pass. */
static double markov_forward(const double *x, double move[][STATES],
                             double share[][STATES][STATES])
{
    const double *y = markov_data(), *level = x + STATES * STATES;
    double a[STATES], b[STATES], from[STATES];
    for (int t = 0; t < STEPS; t++) {
        for (int k = 0; k < STATES; k++) {
            double z = y[t] - level[k];
            b[k] = -0.5 * z * z - half_log_tau;
            for (int j = 0; t > 0 && j < STATES; j++)
                from[j] = a[j] + move[j][k];
            if (t > 0)
                b[k] += log_sum_exp(from, share[t][k]);
        }
        memcpy(a, b, sizeof a);
    }
    return log_sum_exp(a, share[0][0]);
}

static double markov_by_hand(const double *x, double *g)
{
    static double share[STEPS][STATES][STATES];
    const double *y = markov_data(), *level = x + STATES * STATES;
    double move[STATES][STATES], of[STATES][STATES], by[STATES][STATES] = {{0}};
    double w[STATES], next[STATES], logp = 0;
    for (int j = 0; j < STATES; j++) {
        const double *row = x + j * STATES;
        double all = log_sum_exp(row, of[j]);
        for (int k = 0; k < STATES; k++) {
            move[j][k] = row[k] - all;
            logp -= 0.5 * row[k] * row[k];
        }
        logp -= 0.5 * (level[j] - j) * (level[j] - j);
        g[STATES * STATES + j] = j - level[j];
    }
    logp += markov_forward(x, move, share);
    memcpy(w, share[0][0], sizeof w);
    for (int t = STEPS - 1; t >= 0; t--) {
        memset(next, 0, sizeof next);
        for (int k = 0; k < STATES; k++) {
            g[STATES * STATES + k] += w[k] * (y[t] - level[k]);
            for (int j = 0; t > 0 && j < STATES; j++) {
                double part = w[k] * share[t][k][j];
                next[j] += part;
                by[j][k] += part;
            }
        }
        memcpy(w, next, sizeof w);
    }
    for (int j = 0; j < STATES; j++) {
        double sum = 0;
        for (int k = 0; k < STATES; k++)
            sum += by[j][k];
        for (int k = 0; k < STATES; k++)
            g[j * STATES + k] = by[j][k] - sum * of[j][k] - x[j * STATES + k];
    }
    return logp;
}

const cs_bench_model cs_bench_models[CS_BENCH_MODELS] = {
    {"W2g", "a Gaussian process of 50 points", process_code, 3, process_by_hand,
     40, process_write},
    {"W2r", "919 rows in 85 groups", groups_code, 4 + GROUPS, groups_by_hand,
     400, groups_write},
    {"W2v", "stochastic volatility of 500, a loop", volatility_code, 3 + TIMES,
     volatility_by_hand, 400, volatility_write},
    {"W2h", "a hidden Markov model, 5 x 200", markov_code,
     STATES *STATES + STATES, markov_by_hand, 100, markov_write},
};
