/* The true acceptance ratios of the selected chain, for comparison with its
 * kernel's estimates. The true ratios are evaluated only while the user
 * requests them. */
#pragma once

#include "session/state/showing.h"

typedef struct cs_compared {
    bool on;       /* true while the user requests ratios */
    cs_look_at of; /* the chain that is compared */
} cs_compared;

/* Starts or stops the evaluation of true ratios. */
cs_status cs_session_compare(cs_session *s, bool on, cs_error *err);

void cs_session_put_ratios(cs_session *s, cs_flat *f);
