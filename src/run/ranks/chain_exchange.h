/* Exchanges of states between the chains of an arm. */
#pragma once

#include "run/arms/spec.h"

/* Memory for the exchanges of an arm; all arrays are [own]. */
typedef struct cs_exchange_scratch {
    double *logp, *uniform; /* [chains] */
    bool *failed;           /* [chains] */
    size_t *from;           /* [chains] */
    cs_chain_ref *lane;     /* [chains] */
    double *state;          /* [chains][words] */
    double *out, *in;       /* [chains][words], if ranks exchange */
    /* [chains][met_room] input of an exchange; NULL: there is only one
     * process */
    double *met;
    size_t words, met_room; /* row lengths of state and of met */
} cs_exchange_scratch;

/* Reserves memory for kernel `k`, so that exchanges cannot fail. */
cs_status cs_exchange_reserve(cs_arm *a, const cs_target *t, const cs_kernel *k,
                              cs_error *err);
void cs_exchange_free(cs_arm *a);
/* Returns the number of steps between exchanges; 0: chains never exchange. */
uint64_t cs_exchange_period(const cs_arm *a);
/* Makes one exchange, on the owner's thread, when all chains are at the same
 * step. */
void cs_arm_exchange(cs_run *r, cs_arm *a);
/* Copies the words that move with the state of a lane to state[words]. If `in`
 * is true, copies them from state[words] to the lane instead. The words after
 * the state and its cache are rows of the kernel's memory. */
void cs_lane_state(cs_block *b, size_t lane, size_t words, double *state,
                   bool in);

/* Writes the lanes of all chains to a->exchange, in the form that the kernel
 * needs. */
void cs_exchange_lay_out(const cs_arm *a);
