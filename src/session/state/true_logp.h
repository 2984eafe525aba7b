/* Log p of the selected chain's state, by the target: evaluated at the user's
 * request, shown while the chain keeps that state. */
#pragma once

#include "run/run.h"
#include "run/views/view.h"

typedef struct cs_session cs_session;

typedef struct cs_truth {
    bool known;
    uint64_t place; /* identifies the chain's state at the evaluation */
    double logp;
} cs_truth;

/* Evaluates it unless it is known; fails if the target has no value there. */
cs_status cs_session_find_truth(cs_session *s, cs_error *err);

/* Returns the kind of log p that the kernel has for that chain.
 * cs_session_put_truth publishes it, and log p itself if requested. */
cs_logp_kind cs_session_logp_kind(const cs_session *s);
void cs_session_put_truth(const cs_session *s, const cs_chain_view *v,
                          cs_flat *f);
