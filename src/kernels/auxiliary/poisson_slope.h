/* The gradient that guides poisson_mala and poisson_barker,
 *
 *     g(x) = grad [log p(x) + log P_x(s)]
 *          = grad prior(x) + sum_i s_i grad phi_i(x) /
 *                            (Lambda M_i / L + phi_i(x))
 *
 * (Yuan and Wang 2026, section 3.2.1; notation as in poisson.h). The rows are
 * drawn at the state; the gradient at the proposal uses the same rows. The kept
 * rows of the first pieces are stored for the proposal. Later pieces are drawn
 * again, so the number of pieces is unlimited. */
#pragma once

#include "kernel/step_trace.h"
#include "kernels/auxiliary/poisson.h"

enum { CS_POISSON_STORED = 16 /* number of pieces that are stored */ };

typedef struct cs_poisson_slope {
    cs_row_draws draws;
    double ratio; /* Lambda / L, as in poisson.h */
    double *term; /* [live CS_PIECE] terms of a piece */
    double *part; /* [dim][lanes] gradient over one piece */
    cs_kept stored[CS_POISSON_STORED], again;
} cs_poisson_slope;

/* Returns the size of the work space in rows of [lanes] doubles. */
static inline size_t cs_poisson_slope_words(const cs_target *t)
{
    return CS_PIECE + t->space.dim + cs_row_draws_words() +
           (CS_POISSON_STORED + 1) * cs_kept_words();
}

/* Sets up the work space and draws the number of rows of every lane. */
static inline void cs_poisson_slope_open(cs_poisson_slope *s, cs_move *m,
                                         double *scratch)
{
    s->term = scratch;
    s->part = s->term + CS_PIECE * m->lanes;
    scratch = s->part + m->dim * m->lanes;
    s->draws = cs_poisson_open(m, scratch);
    scratch += cs_row_draws_words() * m->lanes;
    for (size_t p = 0; p <= CS_POISSON_STORED; p++) {
        cs_kept *k = p < CS_POISSON_STORED ? &s->stored[p] : &s->again;
        *k = cs_kept_open(m, scratch);
        scratch += cs_kept_words() * m->lanes;
    }
    s->ratio = cs_poisson_ratio(m, &s->draws);
    for (size_t l = 0; l < m->live; l++)
        cs_poisson_count_lane(m, &s->draws, l);
}

static inline cs_kept *cs_poisson_kept(cs_poisson_slope *s, size_t piece)
{
    return piece < CS_POISSON_STORED ? &s->stored[piece] : &s->again;
}

static inline void cs_poisson_add(const cs_move *m, const double *part,
                                  double *g)
{
    for (size_t at = 0; at < m->dim * m->lanes; at += CS_VECTOR)
        cs_store(g + at, cs_load(g + at) + cs_load(part + at));
}

/* Draws s, and adds the gradient of sum_i term_i(x) + log P_x(s) to
 * g[dim][lanes]. */
static inline void cs_poisson_slope_draw(cs_poisson_slope *s, cs_move *m,
                                         double *g)
{
    while (cs_row_draws_next(&s->draws)) {
        cs_kept *kept = cs_poisson_kept(s, s->draws.piece - 1);
        cs_thinning thin = cs_thin_begin(m, &s->draws, s->ratio, kept);
        cs_batch b = cs_row_draws_batch(&s->draws);
        b.weigh = cs_thin;
        b.of = &thin;
        cs_eval_slope(m->eval, m->x, &b, s->term, s->part);
        cs_thin_end(&thin);
        if (cs_step_trace_of(m))
            cs_poisson_tell(&thin, s->term);
        cs_poisson_note_kept(m, kept);
        cs_poisson_add(m, s->part, g);
    }
}

/* Draws the kept rows of the current piece again, because they were not
 * stored. */
static inline void cs_poisson_keep_again(cs_poisson_slope *s, cs_move *m)
{
    cs_batch b = cs_row_draws_batch(&s->draws);
    cs_thinning thin = cs_thin_begin(m, &s->draws, s->ratio, &s->again);
    cs_eval_terms(m->eval, m->x, &b, s->term);
    cs_thin_terms(&thin, s->term);
}

/* Drops the kept draws of lanes whose proposal is outside the support of the
 * prior. Outside the support, rows have no bounds and are not evaluated. */
static inline void cs_poisson_keep_inside(const cs_move *m, cs_kept *k)
{
    size_t used = 0, from = 0;
    for (size_t l = 0; l < m->live; l++) {
        size_t end = k->first[l + 1], n = end - from;
        if (!(m->info.logp_proposal[l] > -HUGE_VAL))
            n = 0;
        else if (used != from) {
            memmove(k->row + used, k->row + from, n * sizeof *k->row);
            memmove(k->bound + used, k->bound + from, n * sizeof *k->bound);
            memmove(k->rate + used, k->rate + from, n * sizeof *k->rate);
        }
        k->first[l] = used;
        used += n;
        from = end;
    }
    k->first[m->live] = used;
}

/* Computes the gradient of sum_i term_i(y) + log P_y(s) at the proposal y, and
 * fills log_aux. Uses the s that was drawn at x. Skips lanes whose y is outside
 * the support of the prior. */
static inline void cs_poisson_slope_compare(cs_poisson_slope *s, cs_move *m,
                                            const double *y, double *g)
{
    size_t pieces = s->draws.piece - 1; /* the last piece that was drawn was
                                           empty */
    s->draws.piece = CS_POISSON_STORED;
    for (size_t p = 0; p < pieces; p++) {
        cs_kept *kept = cs_poisson_kept(s, p);
        if (p >= CS_POISSON_STORED) {
            cs_row_draws_next(&s->draws);
            cs_poisson_keep_again(s, m);
        }
        cs_poisson_keep_inside(m, kept);
        cs_weighing w = {m, kept, s->ratio};
        cs_batch b = cs_kept_batch(kept);
        b.weigh = cs_weigh_kept;
        b.of = &w;
        cs_eval_slope(m->eval, y, &b, s->term, s->part);
        if (cs_step_trace_of(m))
            cs_poisson_tell_kept(&w, s->term);
        cs_poisson_add(m, s->part, g);
    }
    cs_poisson_pad(m);
}
