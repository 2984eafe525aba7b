/* The true acceptance ratios of the selected chain, next to its kernel's
 * estimates: evaluated only while a user requests them. */
#pragma once

#include "session/state/showing.h"

typedef struct cs_compared {
    bool on;       /* requested by the user */
    cs_look_at of; /* chain that is followed */
} cs_compared;

/* Starts or stops evaluating them. */
cs_status cs_session_compare(cs_session *s, bool on, cs_error *err);

void cs_session_put_ratios(cs_session *s, cs_flat *f);
