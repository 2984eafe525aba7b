/* One step of a block of chains, as a kernel sees it. Arrays are [rows][lanes],
 * with one lane per chain and lanes contiguous; cs_target_lanes gives the
 * number of lanes. The last lanes may be padding: copies of the last live
 * chain. */
#pragma once

#include "rng/stream.h"
#include "target/eval.h"

#include <stdbool.h>

/* Maximum number of columns that a kernel adds to a draw. A block has rows only
 * for the columns that its kernel has. */
enum { CS_KERNEL_STATS = 96 };

/* The decision of the last step, one entry per lane [lanes]; densities are in
 * nats. A kernel without an accept step sets log_q and log_ratio to 0 and
 * accepted to true. With CS_KERNEL_ACCEPT_STAT, `accepted` means that the state
 * has moved. */
typedef struct cs_info {
    double *logp;          /* log p of the state after the step, or the kernel's
                              substitute: see cs_logp_kind */
    double *logp_proposal; /* log p of the proposal */
    double *logp_change;   /* log p(proposal) - log p(state before), times the
                              inverse temperature of a tempered chain; with
                              CS_KERNEL_ESTIMATES only the exact part, which is
                              the change of the log prior */
    double *log_aux;       /* with CS_KERNEL_ESTIMATES: an estimate of the
                              remaining change of log p: the log density of the
                              drawn auxiliary variables given the proposal,
                              minus their log density given the state; otherwise
                              NULL */
    double *log_q_forward; /* log q(proposal | state), up to a constant that is
                              equal in both directions */
    double *log_q_back;    /* log q(state | proposal), up to the same
                              constant */
    double *log_ratio;     /* logp_change + log_aux + log_q_back -
                              log_q_forward. Also NaN if log p was NaN in a
                              kernel without an accept step */
    double *log_uniform;   /* logarithm of the uniform number with which
                              log_ratio is compared */
    const double *proposal; /* [dim][lanes], live lanes only; NULL: the kernel
                               has no proposal */
    const double *aux_proposal; /* [auxiliary rows][lanes] proposed auxiliary
                                   variables, or NULL */
    double *accept_stat; /* with CS_KERNEL_ACCEPT_STAT: the mean acceptance
                            probability of this step, which is recorded as
                            accept_stat__. Otherwise NULL */
    double *stat;        /* [n][lanes] the n columns named in the type's
                            `stats`; 0 if not written */
    double *log_weight;  /* log of the weight of the state in estimates, up to a
                            constant per chain; -HUGE_VAL: the state is not a
                            draw from the target. NULL without CS_KERNEL_WEIGHS,
                            where all draws have equal weight */
    bool *accepted;
    bool *moved; /* true: the state has changed in this step */
} cs_info;

/* The meaning of info.logp. A kernel that reads only a part of the target may
 * store in info.logp an estimate of log p, or no log p. Without log p the row
 * is private to the kernel; with CS_KERNEL_ESTIMATES it holds the log prior. */
typedef enum cs_logp_kind {
    CS_LOGP_EXACT,
    CS_LOGP_ESTIMATE,
    CS_LOGP_NONE
} cs_logp_kind;

const char *cs_logp_name(cs_logp_kind kind); /* Returns "exact", "estimate" or
                                                "none". */

/* The reason why a chain failed. `code` is defined by the kernel and starts at
 * 1. If `code` is 0, no reason was given, and the error appears in log p or its
 * gradient. The type's `explain` interprets the other members: for example, as
 * the index of a row of data, a value of this row, and the bound that the value
 * violates. */
typedef struct cs_reason {
    int code;
    double row, value, bound;
} cs_reason;

/* The part of a block that a kernel can access during one step. */
typedef struct cs_move {
    cs_eval *eval;
    const cs_space *space;
    size_t dim, lanes, live;
    cs_streams streams;  /* random streams; streams.step is the number of this
                            step, from 1 */
    double *x;           /* [dim][lanes] states, changed by the kernel */
    double *memory;      /* [memory_words][lanes] the kernel's memory, kept
                            between steps */
    double *scratch;     /* [scratch_words][lanes] scratch, not kept between
                            steps */
    const double *param; /* [n_params][lanes] values of the parameters, in the
                            order of the rows. A value may differ between lanes
                            unless its row has CS_PARAM_SHARED */
    cs_info info;
    bool *failed; /* [lanes] set by the kernel if the state is impossible or log
                     p of a proposal is HUGE_VAL. The chain then keeps its state
                     and makes no more steps. (A proposal with log p = NaN is
                     only rejected) */
    cs_reason *why; /* [lanes] reasons, which the kernel may set together with
                       `failed` */
    /* true: a chain that evaluates log p = NaN fails. The chain then keeps its
     * state, even if the step has since evaluated other points and would move
     * to one of them. */
    bool strict;
    bool fresh; /* for init: true in the first call for this kernel, when the
                   memory is zero; false in calls after x or the target was
                   replaced */
    /* The packed path of a single chain, for kernels that call
     * cs_eval_is_packed. While `multi_step` is true, the chain makes many
     * consecutive steps and its state may remain packed at `packed_x`: dim
     * contiguous numbers in the kernel's scratch. x is then out of date until
     * the step loop unpacks it (packed_x NULL: x is up to date). At the same
     * time the step loop copies `packed_proposal` [dim] to info.proposal, the
     * first rows of the scratch. `packed_valid` means that the packed data of
     * the last step are still valid. */
    bool multi_step, packed_valid;
    const double *packed_x, *packed_proposal;
    const struct cs_metric
        *metric; /* metric of the proposals (see kernel/metric.h); NULL: the
                    unit metric */
    /* For a kernel whose steps may be long. Once *stop (NULL allowed) is true,
     * the kernel may abandon the step: it leaves x, memory, info.logp and the
     * cache CS_NOW unchanged and sets `gave_up`. The whole step is then
     * repeated. */
    const _Atomic bool *stop;
    bool gave_up;
    void *self; /* instance data of the kernel: a wrapper, a Lua function ... */
} cs_move;
