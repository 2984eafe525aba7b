/* Draws of coordinates that were summed out. */
#include "tape/sites/sum_out.h"

#include "simd/simd.h"

#include <assert.h>

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

/* Returns the index of the value of site i for a uniform number; -1 if the
 * probabilities are NaN. */
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

/* Draws the sites of one chain. */
static void draw_chain(const cs_sum_out *s, const cs_sum_draw *d,
                       const roots *r, size_t l)
{
    cs_streams own = cs_streams_alone(d->streams, l);
    double *uniform = d->scratch, logp = r->common[0];
    bool odd = false;
    for (size_t i = 0; i < s->n && !odd; i++) {
        if (i % SITES == 0) {
            size_t some = s->n - i < SITES ? s->n - i : SITES;
            own.skip = i;
            cs_fill_uniform(&own, CS_FOR_SITE, cs_pad_lanes(some), uniform);
        }
        int v = value_of(s, r, i, uniform[i % SITES]);
        double *to = d->x + s->site[i] * d->lanes + l;
        odd |= v < 0;
        if (odd)
            break;
        logp += r->term[((size_t)v * s->n + i) * r->stride];
        d->moved[l] |= *to != s->part.low + v;
        *to = s->part.low + v;
    }
    d->failed[l] |= odd;
    d->logp[l] = odd ? d->logp[l] : logp;
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
        const roots r = {at + p->root[0] * by + lane,
                         at + p->root[1] * by + lane,
                         at + p->root[2] * by + lane, by};
        draw_chain(s, d, &r, l);
    }
    for (size_t l = d->live; l < n; l++) {
        d->logp[l] = d->logp[last];
        d->moved[l] |= d->moved[last];
        for (size_t i = 0; i < s->n; i++)
            d->x[s->site[i] * n + l] = d->x[s->site[i] * n + last];
    }
}
