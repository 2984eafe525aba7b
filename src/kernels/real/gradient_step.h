/* Kernels that propose along the gradient at the state. They store this
 * gradient. They compute the density of the reverse move from the gradient at
 * the proposal. A step therefore costs one evaluation of the gradient. The
 * arrays of a single chain are packed. */
#pragma once

#include "kernel/accept.h"

/* The functions of a kernel that proposes along the gradient, on arrays of
 * `span`. x and y are states, g is the gradient at the first of the two states,
 * and `scratch` has space for two arrays. */
typedef struct cs_gradient_form {
    bool single;   /* true: the normals have single precision */
    bool uniforms; /* true: a proposal needs one uniform per coordinate */
    /* Replaces the standard normals in y by the proposal, and sets
     * log_q_forward. */
    void (*propose)(cs_move *m, cs_span span, const double *x, const double *g,
                    const double *uniform, double *y, double *scratch);
    /* Computes out[lanes] = log q(to | from), up to terms that are equal in
     * both directions. */
    void (*density)(const cs_move *m, cs_span span, const double *from,
                    const double *to, const double *g, double *scratch,
                    double *out);
} cs_gradient_form;

/* Implements memory_words for a kernel that proposes along the gradient. The
 * memory holds the gradient at x. */
static inline size_t cs_gradient_memory(const cs_target *t,
                                        const double *values)
{
    (void)values;
    return t->space.dim;
}

static inline void cs_gradient_init(cs_move *m)
{
    cs_eval_gradient(m->eval, CS_NOW, m->x, m->info.logp, m->memory);
}

/* Implements scratch_words for a kernel that proposes along the gradient, in
 * doubles per lane. Layout: y, the gradient at y (which replaces uniforms), and
 * work space. For a single chain: y, and then packed arrays (x, the gradient at
 * x, y, the gradient at y, work space). */
static inline size_t cs_gradient_scratch(const cs_target *t,
                                         const double *values)
{
    (void)values;
    return 4 * t->space.dim + cs_packed_words(t, 6);
}

static inline __attribute__((always_inline)) void
cs_gradient_step_packed(cs_move *m, const cs_gradient_form *f)
{
    const cs_span span = cs_span_packed(m);
    double *proposal = m->scratch, *x = proposal + m->dim * m->lanes;
    double *now = x + span.end, *y = now + span.end, *g = y + span.end;
    double *scratch = g + span.end;
    cs_pack_rows_once(m, m->x, x);
    cs_pack_rows_once(m, m->memory, now);
    cs_packed_normal(m, f->single ? CS_SINGLE_NORMALS : CS_NORMALS, y);
    if (f->uniforms)
        cs_packed_numbers(m, CS_FOR_LENGTH, CS_UNIFORMS, g);
    f->propose(m, span, x, now, g, y, scratch);
    cs_packed_gradient(m, y, m->info.logp_proposal, g);
    cs_show_proposal(m, y, proposal);
    cs_refuse_overflow_packed(m, y);
    f->density(m, span, y, x, g, scratch, m->info.log_q_back);
    cs_accept_packed(m, &(cs_packed_proposal){x, y});
    if (m->info.accepted[0]) {
        cs_unpack_rows(m, g, m->memory);
        cs_commit_packed_rows(m, g, now);
    }
    m->packed_valid = m->multi_step;
}

static inline __attribute__((always_inline)) void
cs_gradient_step(cs_move *m, const cs_gradient_form *f)
{
    if (cs_eval_is_packed(m->eval)) {
        cs_gradient_step_packed(m, f);
        return;
    }
    const cs_span span = cs_span_of(m);
    double *y = m->scratch, *g = y + span.end, *room = g + span.end;
    m->info.proposal = y;
    if (f->single)
        cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    else
        cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    if (f->uniforms)
        cs_fill_uniform(&m->streams, CS_FOR_LENGTH, m->dim, g);
    f->propose(m, span, m->x, m->memory, g, y, room);
    cs_eval_gradient(m->eval, CS_NEXT, y, m->info.logp_proposal, g);
    cs_refuse_overflow(m);
    f->density(m, span, y, m->x, g, room, m->info.log_q_back);
    cs_accept(m);
    cs_commit_moved(m->info.accepted, m->lanes, m->dim, g, m->memory);
}
