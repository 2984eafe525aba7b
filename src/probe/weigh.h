/* Weighted sums over draws, computed without overflow.
 *
 * Weights are given as logarithms (cs_step_view.log_weight), between -1e6 and
 * 1e6, up to a constant of the chain. A lane's weighted sums are scaled by its
 * own maximum M (the streaming form of log-sum-exp). A draw with log weight lw
 * adds w = exp(lw - M). If lw > M, the sums are first multiplied by exp(M -
 * M'), where the new maximum M' is lw plus a margin; without the margin,
 * weights that grow from step to step would rescale all sums at each step.
 *
 * While log_weight is NULL, each draw adds 1. A lane with only zero log weights
 * also adds 1 and rescales nothing, even if other lanes of its block have
 * weights; its results are bit for bit the same in any block.
 *
 * The weights of each chain have their own unit. When chains are pooled, each
 * chain counts in proportion to its number of draws: its sums are multiplied by
 * draws / sum of weights. */
#pragma once

#include "probe/probe.h"
#include "simd/vlanes.h"
#include "simd/vmath.h"

/* Rows of a probe's memory. SUM and SQUARES are 0 while all weights of the
 * block are equal; both sums then equal the number of draws. */
enum {
    CS_WEIGH_DRAWS,
    CS_WEIGH_SUM,     /* sum of the weights w */
    CS_WEIGH_SQUARES, /* sum of the squared weights w^2 */
    CS_WEIGH_MOST,    /* maximum M of the log weights so far */
    CS_WEIGH_ROWS
};

/* Contribution of one step in eight lanes to the weighted sums. */
typedef struct cs_weighed {
    cs_vd w;           /* weight of the draw; 0: the state is not a draw */
    cs_vd scale;       /* factor for the weighted sums so far */
    cs_vd before, sum; /* sum of weights. before: without this draw (rescaled);
                        * sum: with this draw */
    bool rises;        /* true: the scale of some lane differs from 1 */
} cs_weighed;

/* Adds the draws of eight lanes to the rows. For use while all weights are
 * equal. `draws` marks the lanes that have a draw. */
static inline cs_weighed cs_weigh_alike(cs_vi draws, double *rows)
{
    cs_vd before = cs_load(rows), w = cs_vselect(draws, cs_vset(1), cs_vset(0));
    cs_store(rows, before + w);
    return (cs_weighed){w, cs_vset(1), before, before + w, false};
}

/* Adds the draws of eight lanes, from lane l, to the rows that begin at `rows`
 * ([CS_WEIGH_ROWS][lanes]). `draws` marks the lanes that have a draw. */
static inline cs_weighed cs_weigh_lanes(const cs_step_view *s, size_t l,
                                        cs_vi draws, double *rows)
{
    const cs_vd room = cs_vset(40), none = cs_vset(0);
    size_t n = s->lanes;
    rows += l;
    if (!s->log_weight)
        return cs_weigh_alike(draws, rows);
    cs_vd lw = cs_load(s->log_weight + l), seen = cs_load(rows);
    cs_vd sum = cs_load(rows + CS_WEIGH_SUM * n);
    cs_vd squares = cs_load(rows + CS_WEIGH_SQUARES * n);
    cs_vd most = cs_load(rows + CS_WEIGH_MOST * n);
    squares = cs_vselect(sum > 0, squares, seen);
    sum = cs_vselect(sum > 0, sum, seen);
    cs_vi rises = draws & (seen > 0) & (lw > most);
    most = cs_vselect(draws & ~(seen > 0), lw, most);
    cs_vd next = cs_vselect(rises, lw + room, most);
    cs_weighed to = {.w = cs_vselect(draws, cs_vexp(lw - next), none),
                     .scale = cs_vset(1),
                     .rises = cs_vbits(rises) != 0};
    if (to.rises)
        to.scale = cs_vexp(most - next);
    to.before = sum * to.scale;
    to.sum = to.before + to.w;
    cs_store(rows, seen + cs_vselect(draws, cs_vset(1), none));
    cs_store(rows + CS_WEIGH_SUM * n, to.sum);
    cs_store(rows + CS_WEIGH_SQUARES * n,
             squares * to.scale * to.scale + to.w * to.w);
    cs_store(rows + CS_WEIGH_MOST * n, next);
    return to;
}

/* Multiplies `count` rows of eight lanes, which begin at `rows`, by the scale
 * of each lane. */
static inline void cs_weigh_rescale(const cs_weighed *w, double *rows,
                                    size_t count, size_t lanes)
{
    for (size_t i = 0; w->rises && i < count; i++, rows += lanes)
        cs_store(rows, cs_load(rows) * w->scale);
}

/* ---- chains, for reports ---- */

/* The weights of one chain. */
typedef struct cs_chain_weight {
    double draws, sum, squares;
    double unit; /* factor for the sums of the chain, draws / sum; 1 for equal
                    weights */
} cs_chain_weight;

/* Reads the weight rows of a chain's memory, which begin at word `at`. */
static inline cs_chain_weight cs_chain_weight_of(const cs_lane_memory *m,
                                                 size_t at)
{
    const double *row = m->word + at * m->stride;
    cs_chain_weight w = {.draws = *row,
                         .sum = row[CS_WEIGH_SUM * m->stride],
                         .squares = row[CS_WEIGH_SQUARES * m->stride]};
    if (!(w.sum > 0))
        w.sum = w.squares = w.draws;
    w.unit = w.sum > 0 ? w.draws / w.sum : 1;
    return w;
}

/* Returns true if the weights of a chain differ. Each weight is at most 1, and
 * equal weights are all 1. */
static inline bool cs_weights_differ(const cs_chain_weight *w)
{
    return w->sum < w->draws;
}

/* The weights of pooled chains. */
typedef struct cs_pooled_weight {
    double draws, squares; /* sums over all chains, in units of draws. draws:
                            * sum of the weights; squares: sum of their
                            * squares */
    double size;           /* effective sample size of the weights (Kish) */
    bool differ;
} cs_pooled_weight;

/* Adds the weights of one chain to the pool. */
static inline void cs_pool_chain(cs_pooled_weight *all,
                                 const cs_chain_weight *w)
{
    if (!(w->sum > 0))
        return;
    all->draws += w->draws;
    all->squares += w->draws * (w->draws * w->squares / (w->sum * w->sum));
    all->size = all->draws * (all->draws / all->squares);
    all->differ |= cs_weights_differ(w);
}

static inline cs_pooled_weight cs_pool_weights(const cs_lane_memory *chain,
                                               size_t n, size_t at)
{
    cs_pooled_weight all = {.draws = 0};
    for (size_t c = 0; c < n; c++) {
        cs_chain_weight w = cs_chain_weight_of(&chain[c], at);
        cs_pool_chain(&all, &w);
    }
    return all;
}

/* Returns the divisor of the variance about the mean: n - 1 for n unweighted
 * draws. */
static inline double cs_pooled_freedom(const cs_pooled_weight *all)
{
    return all->draws - all->squares / all->draws;
}
