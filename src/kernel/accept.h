/* The accept step that every Metropolis-Hastings kernel shares: inline, so
 * that it is compiled for each instruction set with the kernel. */
#ifndef CS_KERNEL_ACCEPT_H
#define CS_KERNEL_ACCEPT_H

#include "kernel/kernel.h"

#include <math.h>

/* Row r of a [rows][lanes] array. */
static inline double *cs_row(double *array, size_t lanes, size_t r)
{
    return array + r * lanes;
}

/* Parameter number k of every lane. */
static inline const double *cs_move_param(const cs_move *m, size_t k)
{
    return m->param + k * m->lanes;
}

/* Copies rows of `from` over `to` ([rows][lanes]) in the lanes that moved. */
static inline void cs_keep_moved(const bool *moved, size_t lanes, size_t rows,
                                 const double *restrict from,
                                 double *restrict to)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t l = 0; l < lanes; l++)
            to[r * lanes + l] =
                moved[l] ? from[r * lanes + l] : to[r * lanes + l];
}

/* Decides every lane. In: info.proposal = y, info.u_proposal, log_q_forward,
 * log_q_back. Out: u_change, log_ratio, log_u, accepted, moved, u; the state
 * and the door's cache follow. A proposal with U = NaN marks the chain as
 * failed and is refused; a state of U = -HUGE_VAL accepts any better one. */
static inline void cs_accept(cs_move *m)
{
    cs_info *i = &m->info;
    size_t lanes = m->lanes;
    cs_fill_log_uniform(&m->streams, CS_FOR_ACCEPT, 1, i->log_u);
    for (size_t l = 0; l < lanes; l++) {
        double change = i->u_proposal[l] - i->u[l];
        double ratio = change + i->log_q_back[l] - i->log_q_forward[l];
        bool bad = isnan(i->u_proposal[l]);
        i->u_change[l] = change;
        i->log_ratio[l] = ratio;
        m->failed[l] = m->failed[l] | bad;
        i->accepted[l] = (i->log_u[l] < ratio) & !m->failed[l];
    }
    for (size_t l = 0; l < lanes; l++)
        i->moved[l] = false;
    for (size_t d = 0; d < m->dim; d++)
        for (size_t l = 0; l < lanes; l++)
            i->moved[l] |= i->accepted[l] &
                           (m->x[d * lanes + l] != i->proposal[d * lanes + l]);
    cs_keep_moved(i->accepted, lanes, m->dim, i->proposal, m->x);
    cs_keep_moved(i->accepted, lanes, 1, i->u_proposal, i->u);
    cs_eval_accept(m->eval, i->accepted);
}

#endif
