/* The step that a chain is about to make, looked into: made on copies of the
 * chain alone, which are thrown away. No kernel writes anything for it. */
#pragma once

#include "kernel/notes.h"
#include "kernel/odds.h"
#include "run/run.h"

enum {
    CS_COMING_SITES = 64,
    CS_COMING_OTHERS = 5,
    CS_COMING_ROWS = 512,
    CS_COMING_SWAPS = 128
};

typedef struct cs_coming {
    cs_decision step;
    const cs_kernel_type *kernel; /* that makes it */
    size_t changes; /* so many changes of the arm, which come before it, lie
                       ahead: the run went back to where they were made */
    size_t dim;
    double *x, *y; /* [dim] the state, the proposal; [own], y NULL: there is
                      none */
    double *drift,
        *noise;        /* [dim] [own] y = x + drift + noise, of a kernel whose
                         formula has a scale; else NULL */
    double *carried;   /* [dim] of the velocity, a third part; or NULL */
    double *slope;     /* [dim] [own] the gradient at x, or what the kernel has
                          in its place, of one that turns the noise by it: y - x
                          has its sign with probability
                          1 / (1 + exp(-(y - x) slope)); else NULL */
    double rows, kept; /* rows of data that it draws at random, and keeps of
                          them; NAN: it draws none */
    cs_step_notes notes; /* the rows one by one, and the swaps to come [own] */
    uint64_t swap_step; /* those are tried after this step; 0: there are none */
    bool swap_within;   /* ... in that step, by the chain itself */
    double multiplier;  /* of the gradient in that drift; NAN: there is none */
    /* log p(a|x) of an auxiliary variable that is coupled to x, there and at the
     * proposal, up to one constant: a part of log q. NAN: there is none */
    double coupled, coupled_there;
    cs_proposal_odds odds; /* sites = 0: not known */
    cs_site_odds
        *site; /* [odds.known], as cs_site_odds_find gives them [own] */
    cs_other_step other[CS_COMING_OTHERS];
    size_t n_others;
    const char *scaled; /* the parameter that `other` is of [borrowed] */
} cs_coming;

/* False: the chain has stopped, a script's own functions would be run, or out of
 * memory. On the owner's thread, while the run rests; it takes about a dozen steps,
 * on a discrete space as many evaluations as 64 sites have values; of a ladder up
 * to CS_SWAPS_FAR steps of its chains. */
bool cs_run_coming(cs_run *r, size_t arm, size_t chain, cs_coming *out);
void cs_coming_clear(cs_coming *c);
