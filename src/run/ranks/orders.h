/* What ranks tell each other beside words of chains: orders of the first, and
 * whether all are well. */
#pragma once

#include "base/status.h"
#include "run/arms/spec.h"
#include "run/arms/world.h"

typedef enum cs_order_kind {
    CS_ORDER_ADVANCE, /* to the step `goal` */
    CS_ORDER_KEEP,    /* for a checkpoint */
    CS_ORDER_GATHER,  /* the first is to have all chains, with their draws */
    CS_ORDER_END
} cs_order_kind;

typedef struct cs_order {
    cs_order_kind kind;
    uint64_t goal;
} cs_order;

/* The first rank tells the others what comes; nothing where the run is not
 * split. */
void cs_run_order(const cs_run *r, cs_order order);
cs_order cs_ranks_await(const cs_world *k);
void cs_ranks_end(const cs_world *k); /* the order to end */

/* A status and error of every rank: all fail where one did, the first with its
 * own error, or with that of the first rank that has one, by name. */
cs_status cs_ranks_agree(const cs_world *k, cs_status mine, cs_error *err);
