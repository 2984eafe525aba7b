/* The proposal of a step that is about to be made, as numbers alone: what a run
 * finds out about it, snapshots and panels all carry these structs. */
#pragma once

/* What a discrete proposal does at one site, at the state before the step
 * (there) and at its proposal (back). */
typedef struct cs_site_odds {
    double site;     /* coordinate, from 0 */
    double now;      /* its value */
    double proposed; /* ... at the proposal */
    double leaves;   /* probability that it is proposed to change */
    double value;    /* the likeliest other value */
    double to_value; /* probability of that */
    double there;    /* probability of what is proposed */
    double back;     /* ... from the proposal, of `now` */
    double change;   /* of log p by `value`: exactly, or along the gradient */
} cs_site_odds;

/* The same step with the same random numbers, and another step size. */
typedef struct cs_other_step {
    double factor, value; /* value = factor times what it is */
    double log_ratio;
} cs_other_step;

/* Of a proposal at sites: over how many; whether one of them changes, or each by
 * itself; log q of it there and back, as the kernel's log_q says. */
typedef struct cs_proposal_odds {
    double sites, known; /* of which so many are looked at */
    double one;          /* 1: exactly one site changes, whose odds sum to 1 */
    double gradient;     /* 1: `change` is along the gradient */
} cs_proposal_odds;
