/* The true acceptance ratios of the chain that is looked at, beside what its
 * kernel estimates: evaluated while a user asks for them, and only then. */
#pragma once

#include "session/state/showing.h"

typedef struct cs_compared {
    bool on;       /* they are asked for */
    cs_look_at of; /* the chain that is followed */
} cs_compared;

/* From now on they are evaluated, or not. */
cs_status cs_session_compare(cs_session *s, bool on, cs_error *err);

void cs_session_put_ratios(cs_session *s, cs_flat *f);
