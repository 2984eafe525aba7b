/* The last decision of one chain by its parts: what cs_info holds of a lane, as
 * numbers alone. Views of a run, snapshots and panels all carry this struct. */
#ifndef CS_KERNEL_DECISION_H
#define CS_KERNEL_DECISION_H

#include "kernel/kernel.h"

#include <math.h>

typedef struct cs_decision {
    double logp; /* of the state after the step */
    double logp_proposal, logp_change, log_q_forward, log_q_back, log_ratio,
        log_uniform;        /* see cs_info; NAN of a chain that has failed */
    double accepted, moved; /* 0 or 1 */
    double failed_at; /* the step at which the chain failed, 0: it lives */
} cs_decision;

/* That of lane l; `failed_at`: the step at which it failed, or 0. */
static inline cs_decision cs_decision_of(const cs_info *i, size_t l,
                                         double failed_at)
{
    const double nan = (double)NAN;
    if (failed_at != 0)
        return (cs_decision){i->logp[l], nan, nan, nan, nan,
                             nan,        nan, 0,   0,   failed_at};
    return (cs_decision){.logp = i->logp[l],
                         .logp_proposal = i->logp_proposal[l],
                         .logp_change = i->logp_change[l],
                         .log_q_forward = i->log_q_forward[l],
                         .log_q_back = i->log_q_back[l],
                         .log_ratio = i->log_ratio[l],
                         .log_uniform = i->log_uniform[l],
                         .accepted = i->accepted[l],
                         .moved = i->moved[l]};
}

#endif
