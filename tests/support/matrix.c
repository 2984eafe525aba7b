#include "support/matrix.h"

#include "support/clusters.h"

#include "support/entropic.h"

#include <math.h>
#include <string.h>

enum { MOST_STATES = 32 };

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

/* Returns the state a with the value of site i replaced by v. */
static size_t with_value(const points *p, size_t a, size_t i, double v)
{
    double x[8];
    memcpy(x, state(p, a), p->dim * sizeof *x);
    x[i] = v;
    return cs_space_index(&p->target->space, x, 1);
}

/* Computes the Langevin proposal for sites that are coded as one bit per value.
 * Between the values of a site, log p is linear. */
static void hot_langevin(const points *p, double step, double balance,
                         double *q)
{
    const cs_space *space = &p->target->space;
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = 0; b < p->n; b++) {
            q[a * p->n + b] = 1;
            for (size_t i = 0; i < p->dim; i++) {
                double total = 0, weight = 0;
                for (int k = 0; k < space->values; k++) {
                    double v = space->low + k;
                    double d = p->logp[with_value(p, a, i, v)] - p->logp[a];
                    double stay = state(p, a)[i] == v;
                    double w = stay ? 1 : exp(balance * d - 1 / step);
                    total += w;
                    weight = state(p, b)[i] == v ? w : weight;
                }
                q[a * p->n + b] *= weight / total;
            }
        }
}

/* `value` has the step, the balance and the number of values. */
static void langevin_of(const points *p, const double *value, double coding,
                        double *q)
{
    if (coding == 1 && p->target->space.kind == CS_CATEGORICAL)
        hot_langevin(p, value[0], value[1], q);
    else
        langevin(p, value[0], value[1], q);
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
        P[a * p->n + a] = left > 1e-14 ? left : 0; /* removes rounding errors */
    }
}

/* Returns true if states a and b agree outside of the sites in `places`. */
static bool agree(const points *p, size_t a, size_t b, unsigned places)
{
    for (size_t i = 0; i < p->dim; i++)
        if (!(places >> i & 1) && state(p, a)[i] != state(p, b)[i])
            return false;
    return true;
}

/* Adds the exact conditional distribution of the sites in `places` to P, times
 * a weight. */
static void resample(const points *p, unsigned places, double weight, double *P)
{
    for (size_t a = 0; a < p->n; a++) {
        double total = 0;
        for (size_t b = 0; b < p->n; b++)
            total += agree(p, a, b, places) ? p->pi[b] : 0;
        for (size_t b = 0; b < p->n; b++)
            if (agree(p, a, b, places))
                P[a * p->n + b] += weight * p->pi[b] / total;
    }
}

static bool in_ball(const points *p, size_t a, size_t b, unsigned places,
                    size_t radius)
{
    return agree(p, a, b, places) && differing(p, a, b) <= radius;
}

/* Adds a Hamming ball step to P, times a weight. The step draws a uniform state
 * u of the ball around a. It then draws from the target within the ball around
 * u. */
static void hamming(const points *p, unsigned places, size_t radius,
                    double weight, double *P)
{
    for (size_t u = 0; u < p->n; u++) {
        double size = 0, total = 0;
        for (size_t b = 0; b < p->n; b++) {
            size += in_ball(p, u, b, places, radius);
            total += in_ball(p, u, b, places, radius) ? p->pi[b] : 0;
        }
        for (size_t a = 0; a < p->n; a++)
            for (size_t b = 0; b < p->n; b++)
                if (in_ball(p, u, a, places, radius) &&
                    in_ball(p, u, b, places, radius))
                    P[a * p->n + b] += weight / size * p->pi[b] / total;
    }
}

/* Updates every set of `sites` sites with equal weight. With radius 0 the whole
 * set is resampled. */
static void every_set(const points *p, size_t sites, size_t radius, double *P)
{
    unsigned sets = 0, all = 1u << p->dim;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned s = 0; s < all; s++) {
            if ((size_t)__builtin_popcount(s) != sites)
                continue;
            if (pass == 0)
                sets++;
            else if (radius)
                hamming(p, s, radius, 1.0 / sets, P);
            else
                resample(p, s, 1.0 / sets, P);
        }
}

/* Computes P, the matrix of `times` sweeps. A sweep resamples all sites in
 * order. */
static void sweeps(const points *p, size_t times, double *P)
{
    double site[32 * 32], next[32 * 32];
    size_t n = p->n;
    for (size_t a = 0; a < n; a++)
        P[a * n + a] = 1;
    for (size_t k = 0; k < times * p->dim; k++) {
        memset(site, 0, sizeof site);
        memset(next, 0, sizeof next);
        resample(p, 1u << k % p->dim, 1, site);
        for (size_t a = 0; a < n; a++)
            for (size_t c = 0; c < n; c++)
                for (size_t b = 0; b < n; b++)
                    next[a * n + b] += P[a * n + c] * site[c * n + b];
        memcpy(P, next, n * n * sizeof *P);
    }
}

/* `value` has the scan and the number of sites. */
static void gibbs(const points *p, const double *value, size_t turn, double *P)
{
    size_t sites = value[1] < (double)p->dim ? (size_t)value[1] : p->dim;
    unsigned places = 0;
    if (value[0] == 0) {
        every_set(p, sites, 0, P);
        return;
    }
    if (value[0] == 2) {
        sweeps(p, 1, P);
        return;
    }
    for (size_t k = 0; k < sites; k++)
        places |= 1u << (turn * sites + k) % p->dim;
    resample(p, places, 1, P);
}

/* Returns the weight of neighbour b, computed from the exact change of log p or
 * from the gradient. Returns 0 if b is not a neighbour of a. `value` has the
 * balancing function and the reach. */
static double informed(const points *p, bool exact, const double *value,
                       size_t a, size_t b)
{
    double change = 0, by = 0;
    for (size_t i = 0; i < p->dim; i++) {
        by += fabs(state(p, b)[i] - state(p, a)[i]);
        change += p->g[a * p->dim + i] * (state(p, b)[i] - state(p, a)[i]);
    }
    bool ordinal = p->target->space.kind == CS_ORDINAL;
    if (differing(p, a, b) != 1 || (ordinal && by > value[1]))
        return 0;
    double t = exp(exact ? p->logp[b] - p->logp[a] : change);
    const double weight[] = {sqrt(t), t / (1 + t), fmin(1, t), fmax(1, t)};
    return weight[(int)value[0]];
}

static void informed_proposal(const points *p, bool exact, const double *value,
                              double *q)
{
    for (size_t a = 0; a < p->n; a++) {
        double total = 0;
        for (size_t b = 0; b < p->n; b++)
            total += q[a * p->n + b] = informed(p, exact, value, a, b);
        for (size_t b = 0; b < p->n; b++)
            q[a * p->n + b] /= total;
    }
}

/* Returns the state a with bit i flipped. */
static size_t flipped(const points *p, size_t a, size_t i)
{
    return a ^ (size_t)1 << (p->dim - 1 - i);
}

/* Computes the steps that draw several sites in order and flip the set of sites
 * drawn. Adds these steps to P. */
static void draws_in_order(const points *p, const double *value,
                           const double *q, double *P)
{
    size_t draws = (size_t)value[2], orders = 1;
    for (size_t k = 0; k < draws; k++)
        orders *= p->dim;
    for (size_t a = 0; a < p->n; a++) {
        P[a * p->n + a] = 1;
        for (size_t order = 0; order < orders; order++) {
            size_t set = 0, b = a, left = order;
            double there = 1, back = 1;
            for (size_t k = 0; k < draws; k++, left /= p->dim)
                set |= (size_t)1 << left % p->dim;
            for (size_t i = 0; i < p->dim; i++)
                b = set >> i & 1 ? flipped(p, b, i) : b;
            left = order;
            for (size_t k = 0; k < draws; k++, left /= p->dim) {
                there *= q[a * p->n + flipped(p, a, left % p->dim)];
                back *= q[b * p->n + flipped(p, b, left % p->dim)];
            }
            double move = there * fmin(1, p->pi[b] * back / (p->pi[a] * there));
            P[a * p->n + b] += move;
            P[a * p->n + a] -= move;
        }
    }
}

/* ---- paths --------------------------------------------------------------- */

/* A path from state `from`. It has a list of sites and, for each site, the
 * state that equals `from` except for the new value of the site. */
typedef struct path {
    size_t from, length, site[8], to[8];
} path;

/* Returns the product of the weights of the moves from state s to to[r]. Each
 * weight is divided by the sum of the weights of all sites that are not yet
 * used. */
static double path_chance(const points *p, const double *w, size_t s,
                          const size_t *site, const size_t *to, size_t length)
{
    double chance = 1;
    for (size_t r = 0; r < length; r++) {
        double left = 0;
        for (size_t b = 0; b < p->n; b++) {
            bool gone = false;
            for (size_t k = 0; k < r; k++)
                gone |= state(p, b)[site[k]] != state(p, s)[site[k]];
            left += gone ? 0 : w[s * p->n + b];
        }
        chance *= w[s * p->n + to[r]] / left;
    }
    return chance;
}

/* Adds the step along this path to P, times a weight. */
static void take_path(const points *p, const double *w, const path *t,
                      double weight, double *P)
{
    size_t y = t->from, back_site[8], back_to[8];
    for (size_t r = 0; r < t->length; r++)
        y = with_value(p, y, t->site[r], state(p, t->to[r])[t->site[r]]);
    for (size_t r = 0; r < t->length; r++) {
        size_t i = t->site[t->length - 1 - r];
        back_site[r] = i;
        back_to[r] = with_value(p, y, i, state(p, t->from)[i]);
    }
    double there = path_chance(p, w, t->from, t->site, t->to, t->length);
    double back = path_chance(p, w, y, back_site, back_to, t->length);
    if (!(there > 0))
        return;
    double move =
        weight * there * fmin(1, p->pi[y] * back / (p->pi[t->from] * there));
    P[t->from * p->n + y] += move;
    P[t->from * p->n + t->from] -= move;
}

static void lengthen_path(const points *p, const double *w, path *t,
                          size_t length, double weight, double *P)
{
    if (t->length == length) {
        take_path(p, w, t, weight, P);
        return;
    }
    for (size_t b = 0; b < p->n; b++) {
        size_t site = p->dim;
        for (size_t i = 0; i < p->dim; i++)
            site = state(p, b)[i] != state(p, t->from)[i] ? i : site;
        bool taken = !(w[t->from * p->n + b] > 0);
        for (size_t r = 0; r < t->length; r++)
            taken |= t->site[r] == site;
        if (taken)
            continue;
        t->site[t->length] = site;
        t->to[t->length++] = b;
        lengthen_path(p, w, t, length, weight, P);
        t->length--;
    }
}

/* `value` has the number of sites, the balancing function, the reach and the
 * coding. For example, if the number of sites is 2.3, a path has 3 sites with
 * probability 0.3 and 2 sites with probability 0.7. */
static void paths(const points *p, const double *value, double *P)
{
    double w[MOST_STATES * MOST_STATES];
    double sites = fmin(value[0], fmax(1, (double)p->dim - 0.5));
    double least = floor(sites);
    bool hot = p->target->space.kind == CS_CATEGORICAL && value[3] == 1;
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = 0; b < p->n; b++)
            w[a * p->n + b] = informed(p, hot, value + 1, a, b);
    for (size_t a = 0; a < p->n; a++) {
        P[a * p->n + a] = 1;
        for (size_t more = 0; more < 2; more++) {
            path t = {.from = a};
            double weight = more ? sites - least : 1 - (sites - least);
            if (weight > 0)
                lengthen_path(p, w, &t, (size_t)least + more, weight, P);
        }
        double *stays = &P[a * p->n + a];
        *stays = *stays > 1e-14 ? *stays : 0; /* removes rounding errors */
    }
}

/* ---- jump processes ------------------------------------------------------ */

/* Returns the change of log p if site i is set to v. `value` has the time, the
 * balancing function, the solver and the coding. */
static double flow_change(const points *p, const double *value, size_t a,
                          size_t i, double v)
{
    if (p->target->space.kind == CS_CATEGORICAL && value[3] == 1)
        return p->logp[with_value(p, a, i, v)] - p->logp[a];
    return p->g[a * p->dim + i] * (v - state(p, a)[i]);
}

static double flow_site(const points *p, const double *value, size_t a,
                        size_t i, double to)
{
    const cs_space *space = &p->target->space;
    double all = 0, goes = 0, chance = 0;
    for (int k = 0; k < space->values; k++)
        all += exp(flow_change(p, value, a, i, space->low + k));
    for (int k = 0; k < space->values; k++) {
        double v = space->low + k, t = exp(flow_change(p, value, a, i, v));
        const double rates[] = {sqrt(t), t / (1 + t), fmin(1, t), fmax(1, t)};
        double rate = rates[(int)value[1]], nu = t / all;
        double q = value[2] == 1 ? fmin(value[0] * rate, nu)
                                 : nu * (1 - exp(-value[0] * rate / nu));
        goes += v == state(p, a)[i] ? 0 : q;
        chance = v == to ? q : chance;
    }
    return to == state(p, a)[i] ? 1 - goes : chance;
}

static void flows(const points *p, const double *value, double *q)
{
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = 0; b < p->n; b++) {
            q[a * p->n + b] = 1;
            for (size_t i = 0; i < p->dim; i++)
                q[a * p->n + b] *= flow_site(p, value, a, i, state(p, b)[i]);
        }
}

/* Returns true if the kernel uses the force instead of the gradient. */
static bool is_steered(const char *kernel, const points *p, const double *value)
{
    bool asks = strcmp(kernel, "dmala") == 0 || strcmp(kernel, "gwg") == 0;
    return p->force && asks && value[3] == CS_GRADIENT_FLOAT;
}

/* Computes the transition matrix with the force in place of the gradient. */
static bool steered(const char *kernel, const points *p, const double *value,
                    double *P)
{
    double plain[CS_KERNEL_PARAMS];
    points rough = *p;
    memcpy(plain, value, sizeof plain);
    plain[3] = CS_GRADIENT_DOUBLE;
    rough.g = p->force;
    return matrix_of(kernel, &rough, plain, 0, P);
}

bool matrix_of(const char *kernel, const points *p, const double *value,
               size_t turn, double *P)
{
    double q[MOST_STATES * MOST_STATES];
    entropic e;
    memset(P, 0, p->n * p->n * sizeof *P);
    if (is_steered(kernel, p, value))
        return steered(kernel, p, value, P);
    if (strcmp(kernel, "dula") == 0) {
        langevin_of(p, value, value[2], P);
    } else if (strcmp(kernel, "dmala") == 0) {
        langevin_of(p, value, value[2], q);
        metropolis(p, q, P);
    } else if (strcmp(kernel, "random_walk") == 0) {
        for (size_t a = 0; a < p->n; a++)
            for (size_t b = 0; b < p->n; b++)
                q[a * p->n + b] = walk(p, value, a, b);
        metropolis(p, q, P);
    } else if (strcmp(kernel, "gibbs") == 0) {
        gibbs(p, value, turn, P);
    } else if (strcmp(kernel, "hamming_ball") == 0) {
        size_t sites = value[0] < (double)p->dim ? (size_t)value[0] : p->dim;
        every_set(p, sites, (size_t)value[1], P);
    } else if (strcmp(kernel, "any_scale") == 0) {
        langevin_of(p, value, value[4], q);
        metropolis(p, q, P);
    } else if (strcmp(kernel, "path_auxiliary") == 0) {
        paths(p, value, P);
    } else if (strcmp(kernel, "dlmc") == 0) {
        flows(p, value, q);
        metropolis(p, q, P);
    } else if (strcmp(kernel, "locally_balanced") == 0) {
        informed_proposal(p, true, value, q);
        metropolis(p, q, P);
    } else if (strcmp(kernel, "gwg") == 0) {
        bool hot = p->target->space.kind == CS_CATEGORICAL && value[4] == 1;
        informed_proposal(p, hot, value, q);
        if (value[2] > 1)
            draws_in_order(p, value, q, P);
        else
            metropolis(p, q, P);
    } else if (strcmp(kernel, "block_gibbs") == 0) {
        sweeps(p, (size_t)value[0], P);
    } else if (cluster_matrix(kernel, p, P)) {
        return true;
    } else if (entropic_of(kernel, value, p->target->space.kind, &e)) {
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
