/* The proposal of the next step, as plain numbers: previews, snapshots and
 * panels all use these structs. */
#pragma once

/* A discrete proposal at one site: at the state before the step (forward) and
 * at its proposal (back). */
typedef struct cs_site_odds {
    double site;     /* coordinate, from 0 */
    double now;      /* its present value */
    double proposed; /* its value at the proposal */
    double leaves;   /* probability that it is proposed to change */
    double value;    /* the likeliest other value */
    double to_value; /* probability of the likeliest other value */
    double there;    /* probability of the proposed value */
    double back;     /* probability of `now` from the proposal */
    double change;   /* change of log p by `value`: exact, or along the
                        gradient */
} cs_site_odds;

/* The same step with the same random numbers, and another step size. */
typedef struct cs_other_step {
    double factor, value; /* value = factor times the present step size */
    double log_ratio;
} cs_other_step;

/* A proposal over sites: number of sites; whether exactly one site changes or
 * each independently; log q forward and back, from the kernel's log_q. */
typedef struct cs_proposal_odds {
    double sites, known; /* number of sites that are evaluated */
    double one;          /* 1: exactly one site changes, whose odds sum to 1 */
    double gradient;     /* 1: `change` is along the gradient */
} cs_proposal_odds;
