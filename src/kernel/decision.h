/* The last decision of one chain, by its parts: the numbers that cs_info holds
 * for a lane. Views of a run, snapshots and panels all use this struct. */
#pragma once

typedef struct cs_decision {
    double logp; /* of the state after the step */
    double logp_proposal, logp_change, log_q_forward, log_q_back, log_ratio,
        log_uniform;        /* see cs_info; NAN for a chain that has failed */
    double log_aux;         /* likewise; 0 unless the ratio is an estimate */
    double estimates;       /* 0 or 1: the ratio is an estimate
                               (CS_KERNEL_ESTIMATES) */
    double accepted, moved; /* 0 or 1 */
    double failed_at;       /* step at which the chain failed; 0: it is live */
} cs_decision;

/* The ratio of one step, in nats: log_ratio as the kernel estimated it, and
 *
 *     log p(proposal) - log p(state) + log q back - log q forward. */
typedef struct cs_ratio {
    double step, estimate, truth;
} cs_ratio;
