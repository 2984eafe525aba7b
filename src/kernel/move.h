/* One step of a block of chains, as a kernel sees it.
 *
 * Arrays are [rows][lanes]: one lane a chain, lanes next to each other, their
 * number as cs_target_lanes gives it. The last lanes may be padding: copies of the
 * last live chain. */
#pragma once

#include "rng/stream.h"
#include "target/eval.h"

#include <stdbool.h>

enum { CS_KERNEL_STATS = 6 }; /* columns that a kernel may add to a draw */

/* What the last step decided, one entry a lane [lanes], densities in nats. A
 * kernel without accept step writes log_q and log_ratio as 0 and accepted as
 * true; with CS_KERNEL_ACCEPT_STAT it is accepted where it moved. */
typedef struct cs_info {
    double *logp;          /* log p of the state after the step, or what the
                              kernel has for it: see cs_logp_kind */
    double *logp_proposal; /* log p of the proposal */
    double *logp_change;   /* log p(proposal) - log p(state before), times the
                              inverse temperature of a tempered chain; with
                              CS_KERNEL_ESTIMATES what of it is not estimated:
                              the change of the log prior */
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
                           constant of the chain's; -HUGE_VAL: it is no draw of
                           the target. NULL without CS_KERNEL_WEIGHS: all draws
                           count alike */
    bool *accepted;
    bool *moved; /* the state differs from the one before */
} cs_info;

/* What info.logp is. A kernel that looks at a part of the target may have an
 * estimate of log p only, or nothing: then the row is its own (with
 * CS_KERNEL_ESTIMATES it holds the log prior), and nobody else reads it. */
typedef enum cs_logp_kind {
    CS_LOGP_EXACT,
    CS_LOGP_ESTIMATE,
    CS_LOGP_NONE
} cs_logp_kind;

const char *cs_logp_name(cs_logp_kind kind); /* "exact", "estimate", "none" */

/* Why a kernel gave a chain up. `code` is the kernel's own, from 1; 0: it gave
 * no reason, and log p and its gradient say what is wrong. The numbers mean
 * what the type's `explain` makes of them: a row of data, say, the value found
 * there and the bound it broke. */
typedef struct cs_reason {
    int code;
    double row, value, bound;
} cs_reason;

/* What a kernel sees of one block during one step. */
typedef struct cs_move {
    cs_eval *eval;
    const cs_space *space;
    size_t dim, lanes, live;
    cs_streams streams;  /* streams.step is the number of this step, from 1 */
    double *x;           /* [dim][lanes] the states: the kernel moves them */
    double *memory;      /* [memory_words][lanes] kept between steps */
    double *scratch;     /* [scratch_words][lanes] not kept between steps */
    const double *param; /* [n_params][lanes], in the order of the rows. A
                            value may differ from lane to lane unless its row
                            is CS_PARAM_SHARED */
    cs_info info;
    bool *failed; /* [lanes] the kernel sets it where the state is impossible or
                     log p of a proposal is HUGE_VAL. The chain then stays where
                     it was and makes no more steps. (A proposal with
                     log p = NaN is only refused) */
    cs_reason *why; /* [lanes] OPTIONAL to set, together with `failed` */
    /* A chain ends where it meets log p = NaN, and stays where it was: also one
     * that has looked at other points since, and would go to one of them. */
    bool strict;
    bool fresh; /* in init: the first time for this kernel, its memory is
                       zero. False after x or the target was replaced */
    /* The path of a single chain, for kernels that ask cs_eval_is_packed.
     * While `multi_step`, the chain makes many steps in a row and its state may
     * stay packed: dim numbers next to each other, in the kernel's scratch,
     * at `packed_x`. x is then stale until the step loop unpacks it (packed_x
     * NULL: x is up to date). `packed_proposal` [dim] is copied to
     * info.proposal, the first rows of the scratch, at the same time.
     * `packed_valid`: what the last step packed is still there. */
    bool multi_step, packed_valid;
    const double *packed_x, *packed_proposal;
    const struct cs_metric
        *metric; /* see kernel/metric.h; NULL: the unit one */
    /* For a kernel whose step may be long: once *stop (NULL allowed) is true it
     * may give the step up, having changed neither x, memory, info.logp nor the
     * cache NOW, and sets `gave_up`. The step is then made again, as a whole. */
    const _Atomic bool *stop;
    bool gave_up;
    void *self; /* of the kernel instance: a wrapper, a Lua function ... */
} cs_move;
