/* Log p of the selected chain's state, computed by the target. It is evaluated
 * when the user requests it, and is displayed until the chain's state
 * changes. */
#pragma once

#include "run/run.h"
#include "run/views/view.h"

typedef struct cs_session cs_session;

typedef struct cs_truth {
    bool known;
    uint64_t place; /* hash of the chain's state and of the target's generation
                     * at the evaluation */
    double logp;
} cs_truth;

/* Evaluates log p of the selected chain's state unless log p is already known.
 * Fails if the target has no value at this state. */
cs_status cs_session_find_truth(cs_session *s, cs_error *err);

/* cs_session_logp_kind returns the kind of log p (exact, estimate, none) that
 * the kernel stores for the selected chain. cs_session_put_truth publishes the
 * kind, and log p itself if the user has requested it. */
cs_logp_kind cs_session_logp_kind(const cs_session *s);
void cs_session_put_truth(const cs_session *s, const cs_chain_view *v,
                          cs_flat *f);
