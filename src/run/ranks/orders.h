/* Messages between ranks other than words of chains: orders of the first rank,
 * and agreement on errors. */
#pragma once

#include "base/status.h"
#include "run/arms/spec.h"
#include "run/arms/world.h"

typedef enum cs_order_kind {
    CS_ORDER_ADVANCE, /* to the step `goal` */
    CS_ORDER_KEEP,    /* for a checkpoint */
    CS_ORDER_GATHER,  /* the first rank receives all chains, with their draws */
    CS_ORDER_END
} cs_order_kind;

typedef struct cs_order {
    cs_order_kind kind;
    uint64_t goal;
} cs_order;

/* Sends an order of the first rank to the others; does nothing if the run is
 * not split. */
void cs_run_order(const cs_run *r, cs_order order);
cs_order cs_ranks_await(const cs_world *k);
void cs_ranks_end(const cs_world *k); /* the order to end */

/* Agrees on a status and error: all ranks fail if one does, the first with its
 * own error or with that of the first rank that has one, by name. */
cs_status cs_ranks_agree(const cs_world *k, cs_status mine, cs_error *err);
