/* Preview of the step that a chain is about to make, computed on copies of the
 * chain that are then discarded. Kernels need no code for it. */
#pragma once

#include "kernel/decision.h"
#include "kernel/odds.h"
#include "kernel/step_trace.h"
#include "run/arms/spec.h"

enum {
    CS_COMING_SITES = 64,
    CS_COMING_OTHERS = 5,
    CS_COMING_ROWS = 512,
    CS_COMING_SWAPS = 128
};

typedef struct cs_step_preview {
    cs_decision step;
    const cs_kernel_type *kernel; /* the kernel of the step */
    size_t changes; /* changes of the arm before the step, made again because
                     * the run went back to where they were made */
    size_t dim;
    double *x, *y;         /* [dim] the state and the proposal [own]; y NULL: no
                            * proposal */
    double *drift, *noise; /* [dim] [own] y = x + drift + noise, for a kernel
                            * whose formula has a scale; else NULL */
    double *carried;       /* [dim] contribution of the velocity; or NULL */
    double *slope;         /* [dim] [own] the gradient at x, or what the
                            * kernel uses instead, if it chooses the sign of
                            * the noise by it: y - x has its sign with
                            * probability 1 / (1 + exp(-(y - x) slope)); else
                            * NULL */
    double rows, kept;     /* rows of data that it draws at random, and keeps
                            * after thinning; NAN: it draws none */
    cs_step_trace notes;   /* the rows one by one, and the next swaps [own] */
    uint64_t swap_step;    /* swaps are tried after this step; 0: none */
    bool swap_within;      /* in that step, by the chain itself */
    double multiplier;     /* of the gradient in the drift; NAN: none */
    /* log p(a|x) of an auxiliary variable coupled to x, at x and at the
     * proposal, up to one constant: a part of log q. NAN: none */
    double coupled, coupled_there;
    cs_proposal_odds odds; /* sites = 0: unknown */
    cs_site_odds
        *site; /* [odds.known], as returned by cs_site_odds_find [own] */
    cs_other_step other[CS_COMING_OTHERS];
    size_t n_others;
    const char *scaled; /* the parameter that `other` refers to [borrowed] */
} cs_step_preview;

/* Computes the preview. False: the chain has stopped, a script's own functions
 * would be run, or out of memory. On the owner's thread, between steps. Costs
 * about a dozen steps; on a discrete space as many evaluations as 64 sites have
 * values; for a ladder up to CS_SWAPS_FAR steps of its chains. */
bool cs_run_preview(cs_run *r, size_t arm, size_t chain, cs_step_preview *out);
void cs_step_preview_clear(cs_step_preview *c);
