/* Exchanges between the chains of an arm. */
#pragma once

#include "run/run.h"

typedef struct cs_arm cs_arm;

/* Memory for the exchanges of an arm, all [own]. */
typedef struct cs_exchange_room {
    double *logp, *uniform; /* [chains] */
    bool *failed;           /* [chains] */
    size_t *from;           /* [chains] */
    cs_chain_ref *lane;     /* [chains] */
    double *state;          /* [chains][words that go with a state] */
    double *out, *in;       /* [chains][those words], where ranks meet ... */
    double *met; /* ... [chains][what an exchange reads]; NULL: alone */
    size_t words, met_room; /* of state, and of met */
} cs_exchange_room;

/* Room for those of kernel `k`, which then cannot fail. */
cs_status cs_exchange_reserve(cs_arm *a, const cs_target *t, const cs_kernel *k,
                              cs_error *err);
void cs_exchange_free(cs_arm *a);
uint64_t cs_exchange_period(const cs_arm *a); /* steps, 0: never */
/* One exchange, on the owner's thread: all chains are at one step. */
void cs_arm_exchange(cs_run *r, cs_arm *a);
/* What its kernel has to say; false: nothing. Of bins with what they weigh
 * exactly, if that takes work only with `now` (run/bins.h). */
bool cs_arm_report(cs_run *r, cs_arm *a, const char *prefix, bool now,
                   cs_flat *out);
/* Copies what moves with the state of a lane, then rows of the kernel's memory
 * until `words` are full, out to state[words] or in. */
void cs_lane_state(cs_block *b, size_t lane, size_t words, double *state,
                   bool in);
