#include "support/matrix.h"

#include "support/entropic.h"

#include <math.h>
#include <string.h>

static const double *state(const points *p, size_t s)
{
    return p->x + s * p->dim;
}

static double langevin_site(const points *p, size_t from, size_t i, double to,
                            double step, double balance)
{
    double x = state(p, from)[i], g = p->g[from * p->dim + i], total = 0;
    const cs_space *space = &p->target->space;
    for (int k = 0; k < space->values; k++) {
        double move = space->low + k - x;
        total += exp(balance * g * move - move * move / (2 * step));
    }
    double move = to - x;
    return exp(balance * g * move - move * move / (2 * step)) / total;
}

void langevin(const points *p, double step, double balance, double *q)
{
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = 0; b < p->n; b++) {
            q[a * p->n + b] = 1;
            for (size_t i = 0; i < p->dim; i++)
                q[a * p->n + b] *=
                    langevin_site(p, a, i, state(p, b)[i], step, balance);
        }
}

static size_t differing(const points *p, size_t a, size_t b)
{
    size_t n = 0;
    for (size_t i = 0; i < p->dim; i++)
        n += state(p, a)[i] != state(p, b)[i];
    return n;
}

static double walk(const points *p, const double *value, size_t a, size_t b)
{
    const cs_space *space = &p->target->space;
    double d = (double)p->dim;
    if (space->kind == CS_CATEGORICAL)
        return differing(p, a, b) == 1 ? 1 / (d * (space->values - 1)) : 0;
    if (space->kind == CS_BINARY) {
        double sets = 1;
        for (int k = 0; k < (int)value[2]; k++)
            sets *= (d - k) / (k + 1);
        return differing(p, a, b) == (size_t)value[2] ? 1 / sets : 0;
    }
    double q = 1;
    for (size_t i = 0; i < p->dim; i++)
        q *= fabs(state(p, a)[i] - state(p, b)[i]) <= value[1]
                 ? 1 / (2 * value[1] + 1)
                 : 0;
    return q;
}

void metropolis(const points *p, const double *q, double *P)
{
    for (size_t a = 0; a < p->n; a++) {
        double left = 1;
        for (size_t b = 0; b < p->n; b++) {
            double there = q[a * p->n + b], back = q[b * p->n + a], move = 0;
            if (b != a && there > 0)
                move = there * fmin(1, p->pi[b] * back / (p->pi[a] * there));
            P[a * p->n + b] = move;
            left -= move;
        }
        P[a * p->n + a] = left;
    }
}

static void gibbs_site(const points *p, size_t i, double weight, double *P)
{
    for (size_t a = 0; a < p->n; a++) {
        double total = 0;
        for (size_t b = 0; b < p->n; b++)
            if (differing(p, a, b) == 0 ||
                (differing(p, a, b) == 1 && state(p, a)[i] != state(p, b)[i]))
                total += p->pi[b];
        for (size_t b = 0; b < p->n; b++)
            if (differing(p, a, b) == 0 ||
                (differing(p, a, b) == 1 && state(p, a)[i] != state(p, b)[i]))
                P[a * p->n + b] += weight * p->pi[b] / total;
    }
}

bool matrix_of(const char *kernel, const points *p, const double *value,
               size_t turn, double *P)
{
    double q[32 * 32];
    entropic e;
    memset(P, 0, p->n * p->n * sizeof *P);
    if (strcmp(kernel, "dula") == 0) {
        langevin(p, value[0], value[1], P);
    } else if (strcmp(kernel, "dmala") == 0) {
        langevin(p, value[0], value[1], q);
        metropolis(p, q, P);
    } else if (strcmp(kernel, "random_walk") == 0) {
        for (size_t a = 0; a < p->n; a++)
            for (size_t b = 0; b < p->n; b++)
                q[a * p->n + b] = walk(p, value, a, b);
        metropolis(p, q, P);
    } else if (strcmp(kernel, "gibbs") == 0) {
        if (value[0] == 1)
            gibbs_site(p, turn % p->dim, 1, P);
        else
            for (size_t i = 0; i < p->dim; i++)
                gibbs_site(p, i, 1 / (double)p->dim, P);
    } else if (entropic_of(kernel, value, &e)) {
        entropic_matrix(&e, p, P);
    } else {
        return false;
    }
    return true;
}

void stationary(const double *P, size_t n, double *pi)
{
    double next[32];
    for (size_t s = 0; s < n; s++)
        pi[s] = 1 / (double)n;
    for (int round = 0; round < 20000; round++) {
        for (size_t b = 0; b < n; b++) {
            next[b] = 0;
            for (size_t a = 0; a < n; a++)
                next[b] += pi[a] * P[a * n + b];
        }
        memcpy(pi, next, n * sizeof *pi);
    }
}

double row_error(const double *P, size_t n)
{
    double worst = 0;
    for (size_t a = 0; a < n; a++) {
        double sum = -1;
        for (size_t b = 0; b < n; b++)
            sum += P[a * n + b] >= 0 ? P[a * n + b] : HUGE_VAL;
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

double invariance_error(const points *p, const double *P)
{
    double worst = 0;
    for (size_t b = 0; b < p->n; b++) {
        double sum = -p->pi[b];
        for (size_t a = 0; a < p->n; a++)
            sum += p->pi[a] * P[a * p->n + b];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

double balance_error(const points *p, const double *P)
{
    double worst = 0;
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = 0; b < p->n; b++)
            worst = fmax(worst, fabs(p->pi[a] * P[a * p->n + b] -
                                     p->pi[b] * P[b * p->n + a]));
    return worst;
}
