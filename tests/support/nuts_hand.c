#include "support/nuts_hand.h"

#include "support/support.h"

#include <string.h>

typedef struct walk {
    const hand_nuts *nuts;
    double way;   /* 1 forward, -1 backward */
    hand_point z; /* current point */
    double start_energy, accept;
    size_t leaves;
    bool divergent;
    /* The members below describe the half of the tree that is being built. */
    const double *log_leaf; /* logs of uniforms for the leaves; NULL: no point
                             * is drawn */
    size_t taken;           /* number of log_leaf values used */
    double log_weight;
    hand_point pick;
    size_t n; /* number of leaves built so far */
    hand_point leaf[HAND_LEAVES];
} walk;

/* Computes S p. */
static void sharp(const hand_nuts *nuts, const double *p, double *out)
{
    const cs_metric *m = nuts->metric;
    for (size_t i = 0; i < nuts->dim; i++) {
        out[i] = m ? 0 : p[i];
        for (size_t j = 0; m && j < nuts->dim; j++)
            out[i] += m->kind == CS_METRIC_DENSE
                          ? m->covariance[i * nuts->dim + j] * p[j]
                      : i == j ? m->covariance[i] * p[j]
                               : 0;
    }
}

static double dot(const hand_nuts *nuts, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < nuts->dim; i++)
        sum += a[i] * b[i];
    return sum;
}

static double energy_of(const hand_nuts *nuts, const hand_point *z)
{
    double v[HAND_DIM];
    sharp(nuts, z->p, v);
    double h = 0.5 * dot(nuts, z->p, v) - z->logp;
    return isnan(h) ? HUGE_VAL : h;
}

static void leapfrog(walk *w)
{
    const hand_nuts *nuts = w->nuts;
    double e = w->way * nuts->step, v[HAND_DIM];
    for (size_t i = 0; i < nuts->dim; i++)
        w->z.p[i] += e / 2 * w->z.g[i];
    sharp(nuts, w->z.p, v);
    for (size_t i = 0; i < nuts->dim; i++)
        w->z.x[i] += e * v[i];
    w->z.logp = nuts->density(w->z.x, w->z.g);
    for (size_t i = 0; i < nuts->dim; i++)
        w->z.p[i] += e / 2 * w->z.g[i];
}

static double log_of_sum(double a, double b)
{
    double high = fmax(a, b);
    return high == -HUGE_VAL ? high : high + log1p(exp(fmin(a, b) - high));
}

/* A subtree: the momenta at its ends in the order of construction, the sum of
 * its momenta, and data needed by one of the planted faults. */
typedef struct tree {
    double first[HAND_DIM], last[HAND_DIM], rho[HAND_DIM];
    double log_weight;
    hand_point pick;
} tree;

static bool goes_on(const hand_nuts *nuts, const double *first,
                    const double *last, const double *rho)
{
    double v[HAND_DIM];
    sharp(nuts, last, v);
    bool good = dot(nuts, v, rho) > 0;
    if (nuts->fault == HAND_ONE_END)
        return good;
    sharp(nuts, first, v);
    return good && dot(nuts, v, rho) > 0;
}

/* Returns true if the subtrees a and b form a tree without a turn. Subtree b
 * was built after a. */
static bool join(const hand_nuts *nuts, const tree *a, const tree *b)
{
    double rho[HAND_DIM], before[HAND_DIM], behind[HAND_DIM];
    for (size_t i = 0; i < nuts->dim; i++) {
        rho[i] = a->rho[i] + b->rho[i];
        before[i] = a->rho[i] + b->first[i];
        behind[i] = b->rho[i] + a->last[i];
    }
    return goes_on(nuts, a->first, b->last, rho) &&
           goes_on(nuts, a->first, b->first, before) &&
           goes_on(nuts, a->last, b->last, behind);
}

/* Adds one leaf to the subtree t; returns false if the trajectory diverges
 * there. */
static bool leaf(walk *w, tree *t)
{
    leapfrog(w);
    w->leaf[w->n++] = w->z;
    w->leaves++;
    double h = energy_of(w->nuts, &w->z), weight = w->start_energy - h;
    w->accept += weight > 0 ? 1 : exp(weight);
    w->divergent = !(weight > -1000);
    if (w->nuts->fault == HAND_UNIFORM)
        weight = 0;
    w->log_weight = w->n == 1 ? weight : log_of_sum(w->log_weight, weight);
    t->log_weight = weight;
    t->pick = w->z;
    bool takes = w->log_leaf && w->nuts->fault != HAND_BIASED &&
                 w->log_leaf[w->n - 1] < weight - w->log_weight;
    if (w->n == 1 || takes)
        w->pick = w->z;
    memcpy(t->first, w->z.p, sizeof t->first);
    memcpy(t->last, w->z.p, sizeof t->last);
    memcpy(t->rho, w->z.p, sizeof t->rho);
    return !w->divergent;
}

static bool build(walk *w, int depth, tree *t)
{
    if (depth == 0)
        return leaf(w, t);
    tree b;
    if (!build(w, depth - 1, t) || !build(w, depth - 1, &b))
        return false;
    bool good = join(w->nuts, t, &b);
    if (w->nuts->fault == HAND_BIASED && w->log_leaf &&
        w->log_leaf[w->taken++] < b.log_weight - t->log_weight)
        t->pick = b.pick;
    t->log_weight = log_of_sum(t->log_weight, b.log_weight);
    memcpy(t->last, b.last, sizeof t->last);
    for (size_t i = 0; i < w->nuts->dim; i++)
        t->rho[i] += b.rho[i];
    return good;
}

/* Builds the new half of a tree. The half starts at the last point of the tree
 * if `forward` is true, otherwise at the first point. */
static bool build_half(walk *w, const hand_tree *out, bool forward, int depth,
                       tree *half)
{
    w->way = forward ? 1 : -1;
    w->z = out->point[forward ? out->n - 1 : 0];
    w->n = w->taken = 0;
    bool good = build(w, depth, half);
    if (w->nuts->fault == HAND_BIASED)
        w->pick = half->pick;
    return good || (w->nuts->fault == HAND_LAST_HALF && !w->divergent);
}

/* Adds the points of the new half to the tree. */
static void grow(const walk *w, hand_tree *out, bool forward)
{
    if (!forward) {
        memmove(out->point + w->n, out->point, out->n * sizeof *out->point);
        out->start += w->n;
    }
    for (size_t i = 0; i < w->n; i++)
        out->point[forward ? out->n + i : w->n - 1 - i] = w->leaf[i];
    out->n += w->n;
}

/* Describes the whole tree as a subtree built in the given direction. */
static void whole_of(const hand_nuts *nuts, const hand_tree *out, bool forward,
                     tree *t)
{
    const hand_point *low = out->point, *high = out->point + out->n - 1;
    memset(t->rho, 0, sizeof t->rho);
    memcpy(t->first, (forward ? low : high)->p, sizeof t->first);
    memcpy(t->last, (forward ? high : low)->p, sizeof t->last);
    for (size_t k = 0; k < out->n; k++)
        for (size_t i = 0; i < nuts->dim; i++)
            t->rho[i] += out->point[k].p[i];
}

static void begin(const hand_nuts *nuts, walk *w, const hand_point *from,
                  hand_tree *out)
{
    memset(w, 0,
           offsetof(walk, leaf)); /* the leaves are set as they are built */
    w->nuts = nuts;
    out->draw = out->point[0] = *from;
    out->n = 1;
    out->start = 0;
    out->depth = 0;
    out->turns = false;
    w->start_energy = out->energy = energy_of(nuts, from);
}

/* Makes one doubling. Returns false after the last doubling. If log_half is
 * NULL, no draw is made. */
static bool doubled(walk *w, hand_tree *out, bool forward,
                    const double *log_half, double *log_whole)
{
    tree half, whole;
    whole_of(w->nuts, out, forward, &whole);
    if (!build_half(w, out, forward, out->depth, &half))
        return false;
    out->depth++;
    if (log_half && *log_half < w->log_weight - *log_whole) {
        out->draw = w->pick;
        out->energy = energy_of(w->nuts, &w->pick);
    }
    *log_whole = log_of_sum(*log_whole, w->log_weight);
    grow(w, out, forward);
    out->turns = !join(w->nuts, &whole, &half);
    return !out->turns;
}

static void end(const walk *w, hand_tree *out)
{
    out->leaves = w->leaves;
    out->divergent = w->divergent;
    out->accept = w->leaves ? w->accept / (double)w->leaves : 0;
}

/* Solves L' p = z for the momentum p. */
static void momentum_of(const hand_nuts *nuts, const double *z, double *p)
{
    const cs_metric *m = nuts->metric;
    for (size_t i = nuts->dim; i-- > 0;) {
        p[i] = z[i];
        if (!m || nuts->fault == HAND_MOMENTA)
            continue;
        bool dense = m->kind == CS_METRIC_DENSE;
        for (size_t j = i + 1; dense && j < nuts->dim; j++)
            p[i] -= m->lower[j * m->stride + i] * p[j];
        p[i] /= dense ? m->lower[i * m->stride + i] : sqrt(m->covariance[i]);
    }
}

void nuts_by_hand(const hand_nuts *nuts, const double *x,
                  const hand_numbers *numbers, hand_tree *out)
{
    static _Thread_local walk w;
    hand_point from = {.logp = 0};
    double log_whole = 0;
    memcpy(from.x, x, nuts->dim * sizeof *x);
    momentum_of(nuts, numbers->normal, from.p);
    from.logp = nuts->density(from.x, from.g);
    begin(nuts, &w, &from, out);
    for (int k = 0; k < nuts->max_depth; k++) {
        w.log_leaf = numbers->log_leaf + ((size_t)1 << k) - 1;
        if (!doubled(&w, out, numbers->side[k] > 0.5, numbers->log_half + k,
                     &log_whole))
            break;
    }
    end(&w, out);
}

void nuts_from_place(const hand_nuts *nuts, const hand_point *from, size_t j,
                     int depth, hand_tree *out)
{
    static _Thread_local walk w;
    double log_whole = 0;
    begin(nuts, &w, from, out);
    for (int k = 0; k < depth; k++)
        if (!doubled(&w, out, !(j >> k & 1), NULL, &log_whole))
            break;
    end(&w, out);
}
