/* Exchanges between the chains of an arm. */
#pragma once

#include "run/arms/spec.h"

/* Memory for the exchanges of an arm, all [own]. */
typedef struct cs_exchange_scratch {
    double *logp, *uniform; /* [chains] */
    bool *failed;           /* [chains] */
    size_t *from;           /* [chains] */
    cs_chain_ref *lane;     /* [chains] */
    double *state;          /* [chains][words that go with a state] */
    double *out, *in;       /* [chains][those words], if ranks exchange */
    double *met; /* [chains][what an exchange reads]; NULL: one process */
    size_t words, met_room; /* of state, and of met */
} cs_exchange_scratch;

/* Reserves memory for kernel `k`, so that exchanges cannot fail. */
cs_status cs_exchange_reserve(cs_arm *a, const cs_target *t, const cs_kernel *k,
                              cs_error *err);
void cs_exchange_free(cs_arm *a);
uint64_t cs_exchange_period(const cs_arm *a); /* in steps; 0: never */
/* Makes one exchange, on the owner's thread: all chains are at one step. */
void cs_arm_exchange(cs_run *r, cs_arm *a);
/* Copies what moves with the state of a lane, then rows of the kernel's memory
 * until `words` are full, out to state[words] or in. */
void cs_lane_state(cs_block *b, size_t lane, size_t words, double *state,
                   bool in);

/* Lists the lanes of all chains for the kernel in a->exchange. */
void cs_exchange_lay_out(const cs_arm *a);
