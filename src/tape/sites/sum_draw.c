/* Draws of coordinates that were summed out. */
#include "tape/sites/sum_out.h"

#include "simd/simd.h"

#include <assert.h>
#include <math.h>

/* Number of sites per call of the random numbers, and rows of scratch that hold
 * these numbers for one chain. */
enum { SITES = 64, NUMBER_ROWS = SITES / CS_PAD };

size_t cs_sum_out_scratch(const cs_sum_out *s)
{
    return NUMBER_ROWS + s->draw->slots;
}

/* The roots of one chain; element i is at [i * stride]. */
typedef struct roots {
    const double *common, *term, *p;
    size_t stride;
} roots;

/* Returns true if the probabilities of site i are NaN. Otherwise one of them is
 * above 0. */
static bool is_odd(const cs_sum_out *s, const roots *r, size_t i)
{
    for (int v = 0; v < s->part.values; v++)
        if (r->p[((size_t)v * s->n + i) * r->stride] > 0)
            return false;
    return true;
}

/* Returns the first site whose probabilities are NaN, or n. */
static size_t find_odd(const cs_sum_out *s, const roots *r)
{
    size_t i = 0;
    while (i < s->n && !is_odd(s, r, i))
        i++;
    return i;
}

static double term_of(const cs_sum_out *s, const roots *r, size_t i, int v)
{
    return r->term[((size_t)v * s->n + i) * r->stride];
}

/* Returns the index of the value of site i for a uniform number. */
static int value_of(const cs_sum_out *s, const roots *r, size_t i,
                    double uniform)
{
    double left = uniform;
    int last = -1;
    for (int v = 0; v < s->part.values; v++) {
        double p = r->p[((size_t)v * s->n + i) * r->stride];
        if (!(p > 0))
            continue;
        last = v;
        left -= p;
        if (left < 0)
            break;
    }
    return last;
}

/* Returns log p(x, z) for the values of the sites in the state. */
static double whole_logp(const cs_sum_out *s, const cs_sum_draw *d,
                         const roots *r, size_t l)
{
    double logp = r->common[0];
    for (size_t i = 0; i < s->n; i++) {
        double v = d->x[s->site[i] * d->lanes + l] - s->part.low;
        logp += term_of(s, r, i, (int)v);
    }
    return logp;
}

/* Draws the sites of one chain. */
static void draw_chain(const cs_sum_out *s, const cs_sum_draw *d,
                       const roots *r, size_t l)
{
    cs_streams own = cs_streams_alone(d->streams, l);
    double *uniform = d->scratch, logp = r->common[0];
    if (find_odd(s, r) < s->n) {
        d->failed[l] = true;
        d->logp[l] = whole_logp(s, d, r, l);
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (i % SITES == 0) {
            size_t some = s->n - i < SITES ? s->n - i : SITES;
            own.skip = i;
            cs_fill_uniform(&own, CS_FOR_SITE, cs_pad_lanes(some), uniform);
        }
        int v = value_of(s, r, i, uniform[i % SITES]);
        double *to = d->x + s->site[i] * d->lanes + l;
        logp += term_of(s, r, i, v);
        d->moved[l] |= *to != s->part.low + v;
        *to = s->part.low + v;
    }
    d->logp[l] = logp;
}

static roots roots_of(const cs_program *p, const double *at, size_t lane,
                      size_t stride)
{
    return (roots){at + p->root[0] * stride + lane,
                   at + p->root[1] * stride + lane,
                   at + p->root[2] * stride + lane, stride};
}

cs_sum_fault cs_sum_out_fault(const cs_sum_out *s, const cs_sum_draw *d,
                              size_t l)
{
    const cs_program *p = s->draw;
    double *at = d->scratch + NUMBER_ROWS * d->lanes;
    cs_program_run_one(p, false, d->x + l, d->lanes, at);
    const roots r = roots_of(p, at, 0, 1);
    size_t i = find_odd(s, &r);
    assert(i < s->n);
    int v = 0;
    while (v + 1 < s->part.values && !isnan(term_of(s, &r, i, v)))
        v++;
    return (cs_sum_fault){.site = s->site[i], .value = s->part.low + v};
}

void cs_sum_out_draw(const cs_sum_out *s, const cs_sum_draw *d)
{
    const cs_program *p = s->draw;
    size_t n = d->lanes, last = d->live - 1;
    double *at = d->scratch + NUMBER_ROWS * n;
    bool one = cs_program_suits_one(p, d->live, cs_whole_vectors(d->live));
    if (!one)
        cs_program_run(p, d->x, n, at);
    for (size_t l = 0; l < d->live; l++) {
        size_t by = one ? 1 : n, lane = one ? 0 : l;
        if (d->failed[l])
            continue;
        if (one)
            cs_program_run_one(p, false, d->x + l, n, at);
        const roots r = roots_of(p, at, lane, by);
        draw_chain(s, d, &r, l);
    }
    for (size_t l = d->live; l < n; l++) {
        d->logp[l] = d->logp[last];
        d->moved[l] |= d->moved[last];
        for (size_t i = 0; i < s->n; i++)
            d->x[s->site[i] * n + l] = d->x[s->site[i] * n + last];
    }
}
