/* Log p of the state of the chain that is looked at, by the target: evaluated
 * when a user asks, shown as long as the chain stands there. */
#pragma once

#include "run/run.h"

typedef struct cs_session cs_session;

typedef struct cs_truth {
    bool known;
    uint64_t place; /* where the chain stood then */
    double logp;
} cs_truth;

/* Evaluates it, unless it is known; fails where the target has none there. */
cs_status cs_session_find_truth(cs_session *s, cs_error *err);

/* What log p of that chain is to its kernel, and itself where it was asked for. */
cs_logp_kind cs_session_logp_kind(const cs_session *s);
void cs_session_put_truth(const cs_session *s, const cs_chain_view *v,
                          cs_flat *f);
