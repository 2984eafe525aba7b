/* Sweeps: every site is drawn once from its distribution given all others. If
 * the target has colours, the sites of a colour are drawn in one call, which is
 * exact because they are independent given the rest. For the kernel gibbs. */
#pragma once

#include "kernels/discrete/ball.h"

/* Largest number of differences in one call. */
enum { CS_SWEEP_CELLS = 2048 };

/* The arrays of a sweep of one lane. */
typedef struct cs_colour_sweep {
    cs_move *m;
    size_t values, chunk;    /* chunk: sites per call, a multiple of CS_PAD */
    double *d;               /* [values][chunk] differences */
    double *uniform;         /* [chunk] */
    double *old, *value;     /* [chunk] values of the sites */
    double change;           /* change of log p */
    bool moved, odd, failed; /* odd: some difference was NaN */
} cs_colour_sweep;

static inline bool cs_sweep_has_colours(const cs_target *t)
{
    size_t n;
    return t->type->sites.colour && t->type->sites.colour(t, 0, &n);
}

static inline size_t cs_sweep_chunk(const cs_target *t)
{
    size_t most = CS_SWEEP_CELLS / (size_t)t->space.values / CS_PAD * CS_PAD;
    size_t all = cs_pad_lanes(t->space.dim);
    most = most > CS_PAD ? most : CS_PAD;
    return most < all ? most : all;
}

/* Returns the scratch size in doubles per lane. */
static inline size_t cs_sweep_words(const cs_target *t)
{
    if (!cs_sweep_has_colours(t))
        return 0;
    return cs_rows_for(((size_t)t->space.values + 3) * cs_sweep_chunk(t));
}

static inline cs_colour_sweep cs_sweep_of(cs_move *m, double *scratch)
{
    size_t chunk = cs_sweep_chunk(m->eval->target);
    cs_colour_sweep s = {
        .m = m, .values = (size_t)m->space->values, .chunk = chunk};
    s.d = scratch;
    s.uniform = s.d + s.values * chunk;
    s.old = s.uniform + chunk;
    s.value = s.old + chunk;
    return s;
}

/* Draws the values of the eight sites from i on, of which the first n count. */
static inline void cs_sweep_draw_eight(cs_colour_sweep *s, size_t i, size_t n)
{
    cs_vd change, old = cs_load(s->old + i);
    cs_vi odd;
    cs_vd drawn =
        s->m->space->low + cs_draw_row(s->d + i, s->values, s->chunk,
                                       cs_load(s->uniform + i), &change, &odd);
    cs_vi stays = (change != change) | (change == CS_VM_INF);
    cs_store(s->value + i, cs_vselect(stays, old, drawn));
    for (size_t k = 0; k < CS_VECTOR && k < n; k++) {
        s->odd |= odd[k] != 0 || change[k] != change[k];
        s->failed |= change[k] == (double)INFINITY;
        s->change += stays[k] ? 0 : change[k];
        s->moved |= s->value[i + k] != old[k];
    }
}

/* Redraws n <= chunk sites of one colour in one lane. The uniform numbers are
 * those of the rows from `row` on. */
static inline void cs_sweep_sites(cs_colour_sweep *s, size_t lane, size_t row,
                                  const uint32_t *site, size_t n)
{
    cs_move *m = s->m;
    cs_streams alone = cs_streams_alone(&m->streams, lane);
    alone.skip = row;
    cs_fill_uniform(&alone, CS_FOR_PROPOSAL, cs_pad_lanes(n), s->uniform);
    cs_eval_sites(m->eval, m->x, lane, site, n, s->chunk, s->d);
    for (size_t i = 0; i < n; i++)
        s->old[i] = m->x[site[i] * m->lanes + lane];
    for (size_t i = n; i % CS_PAD; i++)
        s->old[i] = m->space->low;
    for (size_t i = 0; i < n; i += CS_VECTOR)
        cs_sweep_draw_eight(s, i, n - i);
    cs_eval_set_sites(m->eval, m->x, lane, site, n, s->value);
}

/* Sweeps one lane, colour by colour. */
static inline void cs_sweep_lane(cs_colour_sweep *s, size_t lane)
{
    const cs_target *t = s->m->eval->target;
    const uint32_t *site;
    size_t n, row = 0;
    s->change = 0;
    s->moved = s->odd = s->failed = false;
    for (size_t k = 0; (site = t->type->sites.colour(t, k, &n)); k++)
        for (size_t i = 0; i < n && !s->failed; i += s->chunk) {
            size_t some = n - i < s->chunk ? n - i : s->chunk;
            cs_sweep_sites(s, lane, row, site + i, some);
            row += cs_pad_lanes(some);
        }
}
