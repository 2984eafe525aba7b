#include "support/entropic.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

bool entropic_of(const char *kernel, const double *value, cs_space_kind kind,
                 entropic *e)
{
    *e = (entropic){.step = value[0], .balance = value[1], .eta = value[2]};
    e->adjusted = strncmp(kernel, "edmala", 6) == 0;
    e->glu = strstr(kernel, "_glu") != NULL;
    e->step_a = e->glu ? 0 : value[3];
    e->hot = kind == CS_CATEGORICAL && value[4] == 1;
    return e->adjusted || strncmp(kernel, "edula", 5) == 0;
}

bool is_entropic(const char *kernel)
{
    static const double any[5];
    entropic e;
    return entropic_of(kernel, any, CS_BINARY, &e);
}

size_t entropic_rows(const entropic *e, const points *p)
{
    return e->hot ? p->dim * (size_t)p->target->space.values : p->dim;
}

double entropic_coordinate(const entropic *e, const points *p, const double *x,
                           size_t r)
{
    size_t values = (size_t)p->target->space.values;
    if (!e->hot)
        return x[r];
    return x[r / values] == p->target->space.low + (double)(r % values);
}

entropic_point entropic_at(const points *p, const double *x, const double *a)
{
    entropic_point at = {.logp = 0};
    memcpy(at.x, x, p->dim * sizeof *x);
    memcpy(at.a, a, sizeof at.a);
    at.logp = small_log_density(p, at.x, at.g);
    return at;
}

entropic_point entropic_state(const points *p, size_t s, const double *a)
{
    entropic_point at = {.logp = p->logp[s]};
    memcpy(at.x, p->x + s * p->dim, p->dim * sizeof *a);
    memcpy(at.g, p->g + s * p->dim, p->dim * sizeof *a);
    memcpy(at.a, a, sizeof at.a);
    return at;
}

/* Returns the weight with which value v of a one-hot site is proposed. Its log
 * is log p(x with v) - log p(x), minus the first-order change of |x - a|^2 / (2
 * eta), minus |move|^2 / (2 step). The bits of the other sites are constant. */
static double hot_weight(const entropic *e, const points *p,
                         const entropic_point *from, size_t i, double v)
{
    if (v == from->x[i])
        return 1;
    entropic_point to = *from;
    double g[4], pull = 0, far = 0;
    size_t values = (size_t)p->target->space.values;
    to.x[i] = v;
    for (size_t r = i * values; r < (i + 1) * values; r++) {
        double x = entropic_coordinate(e, p, from->x, r);
        double move = entropic_coordinate(e, p, to.x, r) - x;
        pull += (x - from->a[r]) / e->eta * move;
        far += move * move;
    }
    double change = small_log_density(p, to.x, g) - from->logp;
    return exp(e->balance * (change - pull) - far / (2 * e->step));
}

static double weight(const entropic *e, const points *p,
                     const entropic_point *from, size_t i, double v)
{
    if (e->hot)
        return hot_weight(e, p, from, i, v);
    double move = v - from->x[i];
    if (move == 0)
        return 1;
    double slope = from->g[i] - (from->x[i] - from->a[i]) / e->eta;
    return exp(e->balance * slope * move - move * move / (2 * e->step));
}

enum { VALUES = 8 };

/* Computes the probabilities of all values of a site. */
static void site_law(const entropic *e, const points *p,
                     const entropic_point *from, size_t i, double law[VALUES])
{
    const cs_space *space = &p->target->space;
    double total = 0;
    for (int k = 0; k < space->values; k++)
        total += law[k] = weight(e, p, from, i, space->low + k);
    for (int k = 0; k < space->values; k++)
        law[k] /= total;
}

double entropic_site(const entropic *e, const points *p,
                     const entropic_point *from, size_t i, double v)
{
    const cs_space *space = &p->target->space;
    double law[VALUES];
    int k = (int)v - space->low;
    if (k < 0 || k >= space->values) /* a faulty kernel left the space */
        return 0;
    site_law(e, p, from, i, law);
    return law[k];
}

double entropic_log_joint(const entropic *e, const points *p,
                          const entropic_point *at)
{
    double square = 0;
    for (size_t r = 0; r < entropic_rows(e, p); r++) {
        double off = entropic_coordinate(e, p, at->x, r) - at->a[r];
        square += off * off;
    }
    return at->logp - square / (2 * e->eta);
}

/* Returns the contribution of theta_a to log q. */
static double log_drift(const entropic *e, const points *p,
                        const entropic_point *from, const entropic_point *to)
{
    double sum = 0;
    for (size_t r = 0; r < entropic_rows(e, p) && !e->glu; r++) {
        double x = entropic_coordinate(e, p, from->x, r);
        double drift = (x - from->a[r]) / e->eta;
        double off = to->a[r] - from->a[r] - e->step_a / 2 * drift;
        sum -= off * off / (2 * e->step_a);
    }
    return sum;
}

/* Returns the contribution of x to q. */
static double state_q(const entropic *e, const points *p,
                      const entropic_point *from, const entropic_point *to)
{
    double q = 1;
    for (size_t i = 0; i < p->dim; i++)
        q *= entropic_site(e, p, from, i, to->x[i]);
    return q;
}

double entropic_log_q(const entropic *e, const points *p,
                      const entropic_point *from, const entropic_point *to)
{
    return log(state_q(e, p, from, to)) + log_drift(e, p, from, to);
}

static void add(double *sum, const double *law, double share)
{
    for (size_t v = 0; v < VALUES; v++)
        sum[v] += share * law[v];
}

/* Averages the probabilities of the values of a site over theta_a. Uses a
 * recursion over the bits of the site (at most three). */
static void mean_over_bits(const entropic *e, const points *p, size_t s,
                           size_t i, size_t left, double share, double *a,
                           double sum[VALUES])
{
    double law[VALUES] = {0}, total = 0;
    if (left == 0) {
        entropic_point from = entropic_state(p, s, a);
        site_law(e, p, &from, i, law);
        add(sum, law, share);
        return;
    }
    size_t r = i * (size_t)p->target->space.values + left - 1;
    double x = entropic_coordinate(e, p, p->x + s * p->dim, r);
    for (int k = -15; k <= 15; k++)
        total += exp(-0.18 * k * k);
    for (int k = -15; k <= 15; k++) {
        a[r] = x + sqrt(e->eta) * 0.6 * k;
        mean_over_bits(e, p, s, i, left - 1, share * exp(-0.18 * k * k) / total,
                       a, sum);
    }
}

/* Integrates by the trapezoidal rule, which is exact up to rounding for this
 * integrand. */
static void site_on_average(const entropic *e, const points *p, size_t s,
                            size_t i, double sum[VALUES])
{
    double law[VALUES] = {0}, total = 0, a[ENTROPIC_ROWS] = {0};
    memset(sum, 0, VALUES * sizeof *sum);
    if (e->hot) {
        mean_over_bits(e, p, s, i, (size_t)p->target->space.values, 1, a, sum);
        return;
    }
    for (int k = -90; k <= 90; k++)
        total += exp(-0.005 * k * k);
    for (int k = -90; k <= 90; k++) {
        a[i] = p->x[s * p->dim + i] + sqrt(e->eta) * 0.1 * k;
        entropic_point from = entropic_state(p, s, a);
        site_law(e, p, &from, i, law);
        add(sum, law, exp(-0.005 * k * k) / total);
    }
}

static void unadjusted(const entropic *e, const points *p, double *P)
{
    const cs_space *space = &p->target->space;
    for (size_t s = 0; s < p->n; s++) {
        double site[4][VALUES];
        for (size_t i = 0; i < p->dim; i++)
            site_on_average(e, p, s, i, site[i]);
        for (size_t t = 0; t < p->n; t++) {
            P[s * p->n + t] = 1;
            for (size_t i = 0; i < p->dim; i++)
                P[s * p->n + t] *=
                    site[i][(int)p->x[t * p->dim + i] - space->low];
        }
    }
}

/* Draws a ~ N(x, eta I), and b from the conditional distribution q_a(. | x, a).
 * Uses the normals z[2 rows]. With `glu`, b is not used. */
static void draw(const entropic *e, const points *p, size_t s, const double *z,
                 double *a, double *b)
{
    size_t rows = entropic_rows(e, p);
    for (size_t r = 0; r < rows; r++) {
        double x = entropic_coordinate(e, p, p->x + s * p->dim, r);
        a[r] = x + sqrt(e->eta) * z[r];
        b[r] = a[r] + e->step_a / 2 * (x - a[r]) / e->eta +
               sqrt(e->step_a) * z[rows + r];
    }
}

static void add_moves(const entropic *e, const points *p, size_t s,
                      const double *z, double share, double *row)
{
    const cs_space *space = &p->target->space;
    double a[ENTROPIC_ROWS], b[ENTROPIC_ROWS], site[4][VALUES];
    draw(e, p, s, z, a, b);
    entropic_point from = entropic_state(p, s, a);
    double here = entropic_log_joint(e, p, &from);
    for (size_t i = 0; i < p->dim; i++)
        site_law(e, p, &from, i, site[i]);
    for (size_t t = 0; t < p->n; t++) {
        entropic_point to = entropic_state(p, t, b);
        double q = 1, ratio = entropic_log_joint(e, p, &to) - here;
        if (t == s)
            continue;
        for (size_t i = 0; i < p->dim; i++)
            q *= site[i][(int)to.x[i] - space->low];
        ratio += log_drift(e, p, &to, &from) - log_drift(e, p, &from, &to);
        double back = exp(ratio) * state_q(e, p, &to, &from);
        row[t] += share * fmin(q, back);
    }
}

/* Transforms the points k (g^-1, g^-2, ...) mod 1 to normals. The points are
 * evenly spread (Roberts's sequence, g^(n+1) = g + 1), so errors decrease
 * almost as 1 / k. */
static void spread_normals(size_t n, size_t k, double *z)
{
    double g = 1.5, share = 1;
    for (int i = 0; i < 60; i++)
        g = pow(1 + g, 1.0 / (double)(n + 1));
    for (size_t i = 0; i < n; i++) {
        share /= g;
        z[i] = gsl_cdf_ugaussian_Pinv(fmod(0.5 + (double)k * share, 1));
    }
}

static void adjusted(const entropic *e, const points *p, double *P)
{
    enum { DRAWS = 1500 };
    memset(P, 0, p->n * p->n * sizeof *P);
    for (size_t k = 1; k <= DRAWS; k++) {
        double z[2 * ENTROPIC_ROWS] = {0};
        spread_normals((e->glu ? 1 : 2) * entropic_rows(e, p), k, z);
        for (size_t s = 0; s < p->n; s++)
            add_moves(e, p, s, z, 1.0 / DRAWS, P + s * p->n);
    }
    for (size_t s = 0; s < p->n; s++) {
        double left = 1;
        for (size_t t = 0; t < p->n; t++)
            left -= P[s * p->n + t];
        P[s * p->n + s] = left;
    }
}

/* A stored matrix. Computing a matrix is slow, and several laws need the same
 * matrices. */
typedef struct kept {
    entropic of;
    const cs_target_type *target;
    double P[32 * 32];
} kept;

static bool same(const entropic *a, const entropic *b)
{
    return a->step == b->step && a->balance == b->balance && a->eta == b->eta &&
           a->step_a == b->step_a && a->adjusted == b->adjusted &&
           a->glu == b->glu && a->hot == b->hot;
}

void entropic_matrix(const entropic *e, const points *p, double *P)
{
    enum { KEPT = 256 };
    static kept all[KEPT];
    static size_t n;
    for (size_t k = 0; k < n && k < KEPT; k++)
        if (all[k].target == p->target->type && same(&all[k].of, e)) {
            memcpy(P, all[k].P, p->n * p->n * sizeof *P);
            return;
        }
    if (e->adjusted)
        adjusted(e, p, P);
    else
        unadjusted(e, p, P);
    kept *k = &all[n++ % KEPT];
    *k = (kept){.of = *e, .target = p->target->type};
    memcpy(k->P, P, p->n * p->n * sizeof *P);
}
