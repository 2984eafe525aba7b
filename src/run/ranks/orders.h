/* Messages between ranks that contain no states of chains: orders of the first
 * rank, and agreement on errors. */
#pragma once

#include "base/status.h"
#include "run/arms/spec.h"
#include "run/arms/world.h"

typedef enum cs_order_kind {
    CS_ORDER_ADVANCE, /* advance to the step `goal` */
    CS_ORDER_KEEP,    /* collect chains for a checkpoint */
    CS_ORDER_GATHER,  /* collect all chains with draws on the first rank */
    CS_ORDER_END
} cs_order_kind;

typedef struct cs_order {
    cs_order_kind kind;
    uint64_t goal;
} cs_order;

/* Sends an order from the first rank to the others; does nothing if the run is
 * not split. */
void cs_run_order(const cs_run *r, cs_order order);
cs_order cs_ranks_await(const cs_world *k);
void cs_ranks_end(const cs_world *k); /* sends CS_ORDER_END */

/* Makes all ranks return the same status. If at least one rank fails, all ranks
 * fail. *err becomes the error of the failed rank with the smallest number. On
 * the other ranks the message also gives the number of that rank. */
cs_status cs_ranks_agree(const cs_world *k, cs_status mine, cs_error *err);
