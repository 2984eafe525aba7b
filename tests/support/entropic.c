#include "support/entropic.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

bool entropic_of(const char *kernel, const double *value, entropic *e)
{
    *e = (entropic){.step = value[0], .balance = value[1], .eta = value[2]};
    e->adjusted = strncmp(kernel, "edmala", 6) == 0;
    e->glu = strstr(kernel, "_glu") != NULL;
    e->step_a = e->glu ? 0 : value[3];
    return e->adjusted || strncmp(kernel, "edula", 5) == 0;
}

bool is_entropic(const char *kernel)
{
    static const double any[4];
    entropic e;
    return entropic_of(kernel, any, &e);
}

entropic_point entropic_at(const points *p, const double *x, const double *a)
{
    entropic_point at = {.u = 0};
    memcpy(at.x, x, p->dim * sizeof *x);
    memcpy(at.a, a, p->dim * sizeof *a);
    at.u = small_log_density(p, at.x, at.g);
    return at;
}

entropic_point entropic_state(const points *p, size_t s, const double *a)
{
    entropic_point at = {.u = p->u[s]};
    memcpy(at.x, p->x + s * p->dim, p->dim * sizeof *a);
    memcpy(at.g, p->g + s * p->dim, p->dim * sizeof *a);
    memcpy(at.a, a, p->dim * sizeof *a);
    return at;
}

static double weight(const entropic *e, const entropic_point *from, size_t i,
                     double v)
{
    double slope = from->g[i] - (from->x[i] - from->a[i]) / e->eta;
    double move = v - from->x[i];
    return exp(e->balance * slope * move - move * move / (2 * e->step));
}

double entropic_site(const entropic *e, const points *p,
                     const entropic_point *from, size_t i, double v)
{
    const cs_space *space = &p->target->space;
    double total = 0;
    for (int k = 0; k < space->values; k++)
        total += weight(e, from, i, space->low + k);
    return weight(e, from, i, v) / total;
}

double entropic_log_joint(const entropic *e, const points *p,
                          const entropic_point *at)
{
    double square = 0;
    for (size_t i = 0; i < p->dim; i++)
        square += (at->x[i] - at->a[i]) * (at->x[i] - at->a[i]);
    return at->u - square / (2 * e->eta);
}

/* The part of theta_a in log q. */
static double log_drift(const entropic *e, const points *p,
                        const entropic_point *from, const entropic_point *to)
{
    double sum = 0;
    for (size_t i = 0; i < p->dim && !e->glu; i++) {
        double drift = (from->x[i] - from->a[i]) / e->eta;
        double r = to->a[i] - from->a[i] - e->step_a / 2 * drift;
        sum -= r * r / (2 * e->step_a);
    }
    return sum;
}

/* The part of x in q. */
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

/* By the trapezium rule, which is exact to rounding for such integrands. */
static double site_on_average(const entropic *e, const points *p, size_t s,
                              size_t i, double v)
{
    double sum = 0, total = 0, a[4] = {0};
    for (int k = -90; k <= 90; k++) {
        double z = 0.1 * k;
        a[i] = p->x[s * p->dim + i] + sqrt(e->eta) * z;
        entropic_point from = entropic_state(p, s, a);
        sum += exp(-z * z / 2) * entropic_site(e, p, &from, i, v);
        total += exp(-z * z / 2);
    }
    return sum / total;
}

static void unadjusted(const entropic *e, const points *p, double *P)
{
    const cs_space *space = &p->target->space;
    for (size_t s = 0; s < p->n; s++) {
        double site[4][8];
        for (size_t i = 0; i < p->dim; i++)
            for (int v = 0; v < space->values; v++)
                site[i][v] = site_on_average(e, p, s, i, space->low + v);
        for (size_t t = 0; t < p->n; t++) {
            P[s * p->n + t] = 1;
            for (size_t i = 0; i < p->dim; i++)
                P[s * p->n + t] *=
                    site[i][(int)p->x[t * p->dim + i] - space->low];
        }
    }
}

/* a ~ N(x, eta I) and, unless it is held, b ~ q_a(. | x, a), for z[2 dim]. */
static void draw(const entropic *e, size_t dim, const double *x,
                 const double *z, double *a, double *b)
{
    for (size_t i = 0; i < dim; i++) {
        a[i] = x[i] + sqrt(e->eta) * z[i];
        b[i] = a[i] + e->step_a / 2 * (x[i] - a[i]) / e->eta +
               sqrt(e->step_a) * z[dim + i];
    }
}

static void add_moves(const entropic *e, const points *p, size_t s,
                      const double *z, double share, double *row)
{
    const cs_space *space = &p->target->space;
    double a[4], b[4], site[4][8];
    draw(e, p->dim, p->x + s * p->dim, z, a, b);
    entropic_point from = entropic_state(p, s, a);
    double here = entropic_log_joint(e, p, &from);
    for (size_t i = 0; i < p->dim; i++)
        for (int v = 0; v < space->values; v++)
            site[i][v] = entropic_site(e, p, &from, i, space->low + v);
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

/* Normals from the points k (g^-1, g^-2, ...) mod 1, evenly spread (Roberts's
 * sequence, g^(n+1) = g + 1): errors fall almost as 1 / k. */
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
        double z[8] = {0};
        spread_normals(e->glu ? p->dim : 2 * p->dim, k, z);
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

/* Matrices take long, and more than one law asks for each. */
typedef struct kept {
    entropic of;
    const cs_target_type *target;
    double P[32 * 32];
} kept;

static bool same(const entropic *a, const entropic *b)
{
    return a->step == b->step && a->balance == b->balance && a->eta == b->eta &&
           a->step_a == b->step_a && a->adjusted == b->adjusted &&
           a->glu == b->glu;
}

void entropic_matrix(const entropic *e, const points *p, double *P)
{
    enum { KEPT = 64 };
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
