/* The last decision of one chain, in numbers: the values of cs_info for one
 * lane. Views of a run, snapshots and panels all use this struct. */
#pragma once

typedef struct cs_decision {
    double logp; /* log p after the step */
    double logp_proposal, logp_change, log_q_forward, log_q_back, log_ratio,
        log_uniform;        /* as in cs_info; NAN for a failed chain */
    double log_aux;         /* as in cs_info; 0 unless the ratio is an
                               estimate */
    double estimates;       /* 1 if the ratio is an estimate
                               (CS_KERNEL_ESTIMATES), else 0 */
    double accepted, moved; /* accepted: 1 if the proposal was accepted, else 0;
                               moved: 1 if the state has changed, else 0 */
    double failed_at;       /* step at which the chain failed; 0: it has not
                               failed */
} cs_decision;

/* The log acceptance ratio of one step, in nats. `estimate` is the kernel's
 * estimate. `truth` is the exact value: log p(proposal) - log p(state) + log q
 * back - log q forward. */
typedef struct cs_ratio {
    double step, estimate, truth;
} cs_ratio;
