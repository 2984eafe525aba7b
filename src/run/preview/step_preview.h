/* Preview of the next step of a chain. It is computed on copies of the chain,
 * which are then discarded. Kernels need no code for it. */
#pragma once

#include "kernel/decision.h"
#include "kernel/odds.h"
#include "kernel/step_trace.h"
#include "kernel/turns.h"
#include "run/arms/spec.h"

enum {
    CS_PREVIEW_SITES = 64,
    CS_PREVIEW_OTHERS = 5,
    CS_PREVIEW_ROWS = 512,
    CS_PREVIEW_SWAPS = 128,
    CS_PREVIEW_TURNS = 32
};

typedef struct cs_step_preview {
    cs_decision step;
    const cs_kernel_type *kernel; /* the kernel of the step */
    /* number of changes of the arm that are repeated before the step, because
     * the run went back to the step of these changes */
    size_t changes;
    size_t dim;
    /* [dim] state and proposal [own]; y is NULL if the step has no proposal */
    double *x, *y;
    /* [dim] [own] y = x + drift + noise, for a kernel whose formula has a
     * scale; else NULL */
    double *drift, *noise;
    double *carried; /* [dim] contribution of the velocity, or NULL */
    /* [dim] [own] for a kernel that chooses the sign of the noise at random:
     * the gradient at x, or the value that the kernel uses in its place. In
     * each coordinate the sign of y - x is chosen with probability
     * 1 / (1 + exp(-(y - x) slope)). NULL for other kernels */
    double *slope;
    /* rows: number of data rows drawn at random; kept: number of rows kept
     * after thinning; NAN: the kernel draws no rows */
    double rows, kept;
    cs_step_trace notes; /* data rows drawn, and the next swaps [own] */
    uint64_t swap_step;  /* step after which swaps are tried; 0: none */
    bool swap_within;    /* true: this chain tries its swaps within that step */
    double multiplier;   /* factor of the gradient in the drift; NAN: none */
    /* log p(a|x) of an auxiliary variable a coupled to x, at the state and at
     * the proposal, up to a common constant. It is a part of log q. NAN:
     * none. */
    double coupled, coupled_there;
    cs_proposal_odds odds; /* sites is 0 if the odds are unknown */
    cs_site_odds *site;    /* [odds.known] result of cs_site_odds_find [own] */
    cs_other_step other[CS_PREVIEW_OTHERS];
    size_t n_others;
    const char *scaled; /* parameter that is scaled in `other` [borrowed] */
} cs_step_preview;

/* Computes the preview on the owner's thread, between steps. Returns false if
 * the chain has stopped, if functions of a script would be run, or if memory
 * runs out. The cost is about that of a dozen steps. On a discrete space, one
 * evaluation is added for each value of up to 64 sites; for a ladder, up to
 * CS_SWAPS_FAR steps of its chains are added. */
bool cs_run_preview(cs_run *r, size_t arm, size_t chain, cs_step_preview *out);
void cs_step_preview_clear(cs_step_preview *c);

/* Makes the next step on a copy of the chain and notes the turns of the members
 * of a composed kernel, and the draw of a coordinate (kernel/turns.h). End with
 * cs_turns_end. Returns false, without notes, if the kernel is not composed, and
 * in the cases of cs_run_preview. */
bool cs_run_turns(cs_run *r, size_t arm, size_t chain, size_t coordinate,
                  cs_turns *out);
