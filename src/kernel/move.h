/* One step of a block of chains, as a kernel sees it.
 *
 * Arrays are [rows][lanes]: one lane per chain, lanes contiguous, their number
 * given by cs_target_lanes. The last lanes may be padding: copies of the last
 * live chain. */
#pragma once

#include "rng/stream.h"
#include "target/eval.h"

#include <stdbool.h>

enum { CS_KERNEL_STATS = 6 }; /* columns that a kernel may add to a draw */

/* The decision of the last step, one entry per lane [lanes], densities in nats.
 * A kernel without accept step writes log_q and log_ratio as 0 and accepted as
 * true; with CS_KERNEL_ACCEPT_STAT, accepted means moved. */
typedef struct cs_info {
    double *logp;          /* log p of the state after the step, or the kernel's
                              substitute: see cs_logp_kind */
    double *logp_proposal; /* log p of the proposal */
    double *logp_change;   /* log p(proposal) - log p(state before), times the
                              inverse temperature of a tempered chain; with
                              CS_KERNEL_ESTIMATES only the exact part: the
                              change of the log prior */
    double *log_aux;       /* with CS_KERNEL_ESTIMATES: the estimate of the
                              rest, log of the ratio of the densities of the
                              auxiliary variables that were drawn, given the
                              proposal and given the state. NULL without */
    double *log_q_forward; /* log q(proposal | state), up to a constant that
                              is the same in both directions */
    double *log_q_back;    /* log q(state | proposal) */
    double *log_ratio;     /* logp_change + log_aux + log_q_back -
                              log_q_forward. Also NaN where a kernel without
                              accept step met log p = NaN */
    double *log_uniform;   /* the log uniform that log_ratio is compared with */
    const double *proposal; /* [dim][lanes], live lanes only; NULL: the kernel
                               proposes nothing */
    const double *aux_proposal; /* [auxiliary rows][lanes] the proposal for the
                                   kernel's auxiliary variables, or NULL */
    double *accept_stat; /* with CS_KERNEL_ACCEPT_STAT: the mean probability of
                            acceptance in this step, accept_stat__; else NULL */
    double *stat;        /* [CS_KERNEL_STATS][lanes] the columns that the type's
                       `stats` name; 0 where it writes none */
    double *log_weight;  /* the log weight of the state in estimates, up to a
                            constant per chain; -HUGE_VAL: not a draw of the
                            target. NULL without CS_KERNEL_WEIGHS: all draws
                            have equal weight */
    bool *accepted;
    bool *moved; /* the state differs from the one before */
} cs_info;

/* The meaning of info.logp. A kernel that reads only part of the target may
 * have an estimate of log p, or nothing; in the latter case the row is private
 * to the kernel (with CS_KERNEL_ESTIMATES it holds the log prior). */
typedef enum cs_logp_kind {
    CS_LOGP_EXACT,
    CS_LOGP_ESTIMATE,
    CS_LOGP_NONE
} cs_logp_kind;

const char *cs_logp_name(cs_logp_kind kind); /* "exact", "estimate", "none" */

/* The reason why a chain failed. `code` is the kernel's own, from 1; 0: no
 * reason given, and log p and its gradient show what is wrong. The numbers are
 * interpreted by the type's `explain`, for example as a row of data, the value
 * found there and the bound it violates. */
typedef struct cs_reason {
    int code;
    double row, value, bound;
} cs_reason;

/* The view of one block that a kernel gets during one step. */
typedef struct cs_move {
    cs_eval *eval;
    const cs_space *space;
    size_t dim, lanes, live;
    cs_streams streams;  /* streams.step is the number of this step, from 1 */
    double *x;           /* [dim][lanes] the states, which the kernel moves */
    double *memory;      /* [memory_words][lanes] kept between steps */
    double *scratch;     /* [scratch_words][lanes] not kept between steps */
    const double *param; /* [n_params][lanes], in the order of the rows. A
                            value may differ from lane to lane unless its row
                            is CS_PARAM_SHARED */
    cs_info info;
    bool *failed; /* [lanes] the kernel sets it where the state is impossible or
                     log p of a proposal is HUGE_VAL. The chain then stays where
                     it was and makes no more steps. (A proposal with log p =
                     NaN is only rejected) */
    cs_reason *why; /* [lanes] OPTIONAL to set, together with `failed` */
    /* A chain ends if it meets log p = NaN, and stays where it was, even if the
     * step has evaluated other points since and would move to one of them. */
    bool strict;
    bool fresh; /* in init: the first call for this kernel, with zero memory.
                   False after x or the target was replaced */
    /* The packed path of a single chain, for kernels that query
     * cs_eval_is_packed. While `multi_step`, the chain makes many steps in a
     * row and its state may stay packed: dim numbers next to each other, in the
     * kernel's scratch, at `packed_x`. x is then stale until the step loop
     * unpacks it (packed_x NULL: x is up to date). `packed_proposal` [dim] is
     * copied to info.proposal, the first rows of the scratch, at the same time.
     * `packed_valid`: the packed data of the last step are still valid. */
    bool multi_step, packed_valid;
    const double *packed_x, *packed_proposal;
    const struct cs_metric
        *metric; /* see kernel/metric.h; NULL: the unit metric */
    /* For a kernel whose step may be long: once *stop (NULL allowed) is true it
     * may abandon the step without having changed x, memory, info.logp or the
     * cache NOW, and sets `gave_up`. The whole step is then repeated. */
    const _Atomic bool *stop;
    bool gave_up;
    void *self; /* of the kernel instance: a wrapper, a Lua function ... */
} cs_move;
