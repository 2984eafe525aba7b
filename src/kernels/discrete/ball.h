/* Enumerates a Hamming ball: all states that differ from a centre at no more
 * than `radius` sites of a set of `sites` sites. Computes the log density of
 * each state by site differences. Shared by gibbs (radius = sites) and
 * hamming_ball. Each lane has its own set of sites; the order of the states is
 * the same in all lanes.
 *
 * State 0 is the centre. The others follow in depth-first order, by site of the
 * set; at each site the other values follow in the order value number + 1, + 2
 * ... modulo the number of values. */
#pragma once

#include "kernel/accept.h"

#include <math.h>
#include <string.h>

enum { CS_BALL_SITES = 16, CS_BALL_STATES = 1024 };

typedef struct cs_ball {
    cs_move *m;
    size_t sites, radius;
    size_t values;          /* number of values per site */
    size_t n;               /* number of states enumerated so far */
    uint32_t *site;         /* [sites][lanes] the set of sites */
    double *old;            /* [sites][lanes] values of the sites before the
                               step */
    double *centre;         /* [sites][lanes] values of the sites in the ball's
                               centre */
    double *logp;           /* [n][lanes] log density of each state */
    double *now;            /* [lanes] log density of the current state x */
    double *d, *y;          /* d[values][lanes]: log densities by value;
                               y[dim][lanes]: scratch */
    double *value;          /* [lanes] scratch: new value of a site */
    double *logp_trial;     /* [lanes] scratch for log densities */
    double *logp_look;      /* [lanes] scratch for log densities */
    bool *outside, *inside; /* [lanes] masks. outside: lanes in which log p of
                               the state is -HUGE_VAL, so that the state has no
                               differences; inside: all other lanes */
} cs_ball;

/* Returns the number of states of a ball, the sum over k <= radius of C(sites,
 * k) (values - 1)^k, at most `limit`. */
static inline size_t cs_ball_size(size_t sites, size_t radius, size_t values,
                                  size_t limit)
{
    double size = 0, term = 1;
    for (size_t k = 0; k <= radius && k <= sites; k++) {
        size += term;
        term *= (double)(sites - k) / (double)(k + 1) * (double)(values - 1);
        if (size > (double)limit)
            return limit;
    }
    return (size_t)(size + 0.5);
}

/* Returns the largest number of states that a ball may have on this target.
 * Kernels ask at every step, so the product ends at the limit. */
static inline size_t cs_ball_states(const cs_target *t)
{
    size_t all = 1;
    for (size_t i = 0; i < t->space.dim && all < CS_BALL_STATES; i++)
        all *= (size_t)t->space.values;
    return all < CS_BALL_STATES ? all : CS_BALL_STATES;
}

static inline size_t cs_ball_words(const cs_target *t)
{
    return 3 * CS_BALL_SITES + cs_ball_states(t) + (size_t)t->space.values +
           t->space.dim + 5;
}

/* Places the arrays in the memory at `at`. Returns the address after the last
 * array. */
static inline double *cs_ball_lay(cs_ball *b, cs_move *m, double *at)
{
    size_t n = m->lanes;
    *b = (cs_ball){.m = m, .values = (size_t)m->space->values};
    b->site = (uint32_t *)(void *)at;
    b->old = at + CS_BALL_SITES * n;
    b->centre = b->old + CS_BALL_SITES * n;
    b->logp = b->centre + CS_BALL_SITES * n;
    b->d = b->logp + cs_ball_states(m->eval->target) * n;
    b->y = b->d + b->values * n;
    b->value = b->y + m->dim * n;
    b->logp_trial = b->value + n;
    b->now = b->logp_trial + n;
    b->logp_look = b->now + n;
    b->outside = (bool *)(void *)(b->logp_look + n);
    b->inside = b->outside + n;
    return b->logp_look + 2 * n;
}

/* Sets the number of sites and the radius. Reduces the number of sites to at
 * most dim, and the radius until the states fit into memory. (A schedule may
 * give any values.) */
static inline void cs_ball_bound(cs_ball *b, size_t sites, size_t radius)
{
    size_t dim = b->m->dim;
    b->sites = sites < dim ? sites : dim;
    b->radius = radius < b->sites ? radius : b->sites;
    while (b->radius && cs_ball_size(b->sites, b->radius, b->values,
                                     CS_BALL_STATES + 1) > CS_BALL_STATES)
        b->radius--;
}

static inline const uint32_t *cs_ball_site(const cs_ball *b, size_t k)
{
    return b->site + k * b->m->lanes;
}

/* Draws a random set of sites in each lane, all sets equally likely: site k of
 * the set is number floor(uniform (dim - k)) of the sites that are not yet in
 * the set. uniform[sites][lanes] are uniforms. */
static inline void cs_ball_any_sites(cs_ball *b, const double *uniform)
{
    size_t n = b->m->lanes, dim = b->m->dim;
    for (size_t l = 0; l < n; l++) {
        uint32_t taken[CS_BALL_SITES]; /* sites of the set so far, ascending */
        for (size_t k = 0; k < b->sites; k++) {
            double left = (double)(dim - k);
            uint32_t s = (uint32_t)(uniform[k * n + l] * left);
            s = s < dim - k ? s : s - 1;
            size_t at = 0;
            for (; at < k && taken[at] <= s; at++)
                s++;
            memmove(taken + at + 1, taken + at, (k - at) * sizeof *taken);
            taken[at] = s;
            b->site[k * n + l] = s;
        }
    }
}

/* Uses the sites from `first` on, wrapping around at dim. */
static inline void cs_ball_next_sites(cs_ball *b, size_t first)
{
    for (size_t k = 0; k < b->sites; k++)
        for (size_t l = 0; l < b->m->lanes; l++)
            b->site[k * b->m->lanes + l] = (uint32_t)((first + k) % b->m->dim);
}

/* Copies the current values of the sites to row[sites][lanes]. */
static inline void cs_ball_read(const cs_ball *b, double *row)
{
    size_t n = b->m->lanes;
    for (size_t k = 0; k < b->sites; k++)
        for (size_t l = 0; l < n; l++)
            row[k * n + l] = b->m->x[b->site[k * n + l] * n + l];
}

/* In the lanes marked in `outside`, sets d to log p with each value at the
 * site. Uses complete evaluations. */
static inline void cs_ball_differences_outside(cs_ball *b, const uint32_t *site)
{
    cs_move *m = b->m;
    size_t n = m->lanes;
    cs_eval_ask(m->eval, b->outside);
    memcpy(b->y, m->x, m->dim * n * sizeof *b->y);
    for (size_t v = 0; v < b->values; v++) {
        for (size_t l = 0; l < n; l++)
            b->y[site[l] * n + l] = m->space->low + (double)v;
        cs_eval_log_density(m->eval, CS_NEXT, b->y, b->logp_look);
        for (size_t l = 0; l < n; l++)
            if (b->outside[l])
                b->d[v * n + l] = b->logp_look[l];
    }
}

/* Sets d[values][lanes] to log p with each value at the site, for a state whose
 * log density is logp[lanes]. A lane whose logp is -HUGE_VAL has no differences
 * and is evaluated completely. This does not change the counted work of the
 * other lanes. */
static inline void cs_ball_differences(cs_ball *b, const uint32_t *site,
                                       const double *logp)
{
    cs_move *m = b->m;
    size_t n = m->lanes, outside = 0;
    for (size_t l = 0; l < n; l++) {
        b->outside[l] = logp[l] == -HUGE_VAL;
        b->inside[l] = !b->outside[l];
        outside += b->outside[l];
    }
    if (outside)
        cs_eval_ask(m->eval, b->inside);
    if (outside < n)
        cs_eval_site(m->eval, m->x, logp, site, b->d);
    for (size_t v = 0; v < b->values; v++)
        for (size_t l = 0; l < n; l++)
            b->d[v * n + l] += logp[l];
    if (outside) {
        cs_ball_differences_outside(b, site);
        cs_eval_ask(m->eval, NULL);
    }
}

/* Returns the value that follows `from` by `by` places, modulo the number of
 * values. */
static inline double cs_ball_shift(const cs_ball *b, double from, size_t by)
{
    size_t v = (size_t)(from - b->m->space->low) + by;
    return b->m->space->low + (double)(v % b->values);
}

/* Enumerates the states in which 1 to `left` sites of the set differ from the
 * current state; only the sites from index `from` of the set on may differ.
 * `at` is the index of the current state. */
static inline void cs_ball_visit(cs_ball *b, size_t at, size_t from,
                                 size_t left)
{
    size_t n = b->m->lanes;
    for (size_t k = from; left && k < b->sites; k++) {
        const double *centre = b->centre + k * n;
        const uint32_t *site = cs_ball_site(b, k);
        size_t first = b->n;
        cs_ball_differences(b, site, b->logp + at * n);
        for (size_t s = 1; s < b->values; s++, b->n++)
            for (size_t l = 0; l < n; l++) {
                double v = cs_ball_shift(b, centre[l], s) - b->m->space->low;
                b->logp[b->n * n + l] = b->d[(size_t)v * n + l];
            }
        if (left == 1 || k + 1 == b->sites)
            continue;
        for (size_t s = 1; s < b->values; s++) {
            for (size_t l = 0; l < n; l++)
                b->value[l] = cs_ball_shift(b, centre[l], s);
            cs_eval_set_site(b->m->eval, b->m->x, site, b->value);
            cs_ball_visit(b, first + s - 1, k + 1, left - 1);
        }
        cs_eval_set_site(b->m->eval, b->m->x, site, centre);
    }
}

/* Enumerates the ball around the current state, whose log density is b->now.
 * Fills logp, n and centre. x is unchanged at the end. */
static inline void cs_ball_walk(cs_ball *b)
{
    cs_ball_read(b, b->centre);
    memcpy(b->logp, b->now, b->m->lanes * sizeof *b->logp);
    b->n = 1;
    cs_ball_visit(b, 0, 0, b->radius);
}

/* Converts state number `number` of the ball to shift[sites], the shifts of the
 * sites' values relative to the centre. */
static inline void cs_ball_shifts(size_t sites, size_t radius, size_t values,
                                  size_t number, size_t *shift)
{
    size_t k = 0;
    memset(shift, 0, sites * sizeof *shift);
    while (number > 0 && k < sites) {
        size_t below =
            cs_ball_size(sites - k - 1, radius - 1, values, CS_BALL_STATES);
        /* number of states whose first changed site is k: for each other value
         * of site k, one state and the descendants of this state */
        size_t whole = (values - 1) * below;
        if (number > whole) {
            number -= whole;
            k++;
            continue;
        }
        radius--;
        if (number < values) {
            shift[k] = number;
            return;
        }
        number -= values;
        shift[k] = number / (below - 1) + 1;
        number = number % (below - 1) + 1;
        k++;
    }
}

/* In eight lanes, draws the index of a row with weights exp(d), d[rows][lanes],
 * and sets *drawn to d of that row. Rows of weight 0 and rows with NaN are
 * never drawn; a NaN also marks its lane in *odd. *drawn = NaN: no row can be
 * drawn. *drawn = HUGE_VAL: some d is HUGE_VAL. */
static inline cs_vd cs_draw_row(const double *d, size_t rows, size_t lanes,
                                cs_vd uniform, cs_vd *drawn, cs_vi *odd)
{
    cs_vd top = cs_vset(-CS_VM_INF), total = cs_vset(0), below = total,
          index = total;
    *odd = (cs_vi){0};
    for (size_t v = 0; v < rows; v++)
        top = cs_vmax(cs_load(d + v * lanes), top);
    for (size_t v = 0; v < rows; v++) {
        cs_vd weight = cs_vexp(cs_load(d + v * lanes) - top);
        *odd |= weight != weight;
        total += cs_vselect(weight == weight, weight, cs_vset(0));
    }
    cs_vd threshold = uniform * total;
    *drawn = cs_vselect(top == CS_VM_INF, top, cs_vset(CS_VM_NAN));
    for (size_t v = 0; v < rows; v++) {
        cs_vd weight = cs_vexp(cs_load(d + v * lanes) - top);
        cs_vi here = (below <= threshold) & (weight > 0.0);
        index = cs_vselect(here, cs_vset((double)v), index);
        *drawn = cs_vselect(here, cs_load(d + v * lanes), *drawn);
        below += cs_vselect(weight == weight, weight, cs_vset(0));
    }
    return index;
}

/* Writes the values to[sites][lanes] to x. Skips sites that do not change in
 * any lane; the target spends no time on these sites. */
static inline void cs_ball_write(cs_ball *b, const double *to)
{
    size_t n = b->m->lanes;
    for (size_t k = 0; k < b->sites; k++) {
        const uint32_t *site = cs_ball_site(b, k);
        bool change = false;
        for (size_t l = 0; l < n; l++)
            change |= b->m->x[site[l] * n + l] != to[k * n + l];
        if (change)
            cs_eval_set_site(b->m->eval, b->m->x, site, to + k * n);
    }
}

/* Fills to[sites][lanes] with the values of state number index[lane] of the
 * ball. */
static inline void cs_ball_values(const cs_ball *b, const double *index,
                                  double *to)
{
    size_t n = b->m->lanes, shift[CS_BALL_SITES];
    for (size_t l = 0; l < n; l++) {
        cs_ball_shifts(b->sites, b->radius, b->values, (size_t)index[l], shift);
        for (size_t k = 0; k < b->sites; k++)
            to[k * n + l] = cs_ball_shift(b, b->centre[k * n + l], shift[k]);
    }
}

/* Enumerates the ball around the current state. Moves every lane to a state of
 * the ball that is drawn from the target, with uniform[lanes]. If a state of
 * the ball has log p = NaN, the lane returns to the `old` values, because the
 * differences from such a state are not known. The target remains invariant: a
 * chain at any other state of this ball would also return to its old values. */
static inline void cs_ball_resample(cs_ball *b, const double *uniform)
{
    cs_move *m = b->m;
    size_t n = m->lanes;
    double *index = b->value, *logp = b->logp_trial, *to = b->logp;
    cs_ball_walk(b);
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        cs_vi odd;
        cs_vd drawn, at = cs_draw_row(b->logp + l, b->n, n,
                                      cs_load(uniform + l), &drawn, &odd);
        cs_store(index + l, at);
        odd &= drawn != CS_VM_INF;
        cs_store(logp + l, cs_vselect(odd, cs_vset(CS_VM_NAN), drawn));
    }
    cs_ball_values(b, index, to); /* overwrites logp, which is no longer
                                     needed */
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        cs_vi moved = {0};
        for (size_t at = l; at < b->sites * n; at += n)
            moved |= cs_load(to + at) != cs_load(b->old + at);
        cs_vd change = cs_load(logp + l) - cs_load(m->info.logp + l);
        cs_vi stays =
            cs_finish_resampled(m, l, moved, change, change != change);
        for (size_t at = l; at < b->sites * n; at += n)
            cs_store(to + at,
                     cs_vselect(stays, cs_load(b->old + at), cs_load(to + at)));
    }
    cs_ball_write(b, to);
}
