/* Numbers that describe the proposal of the next step. Previews, snapshots and
 * panels use these structs. */
#pragma once

/* The discrete proposal distribution for one site. Forward: the distribution at
 * the state before the step. Back: the distribution at the proposed state. */
typedef struct cs_site_odds {
    double site;     /* index of the coordinate, from 0 */
    double now;      /* value of the site at the state */
    double proposed; /* value of the site at the proposal */
    double leaves;   /* probability that a change of the site is proposed */
    double value;    /* the most probable other value */
    double to_value; /* probability that the proposal gives the site the value
                      * `value` */
    double there;    /* probability that the forward proposal gives the site the
                      * value `proposed` */
    double back;     /* probability that the backward proposal gives the site
                      * the value `now` */
    double change;   /* change of log p if the site takes `value`: exact, or
                        linearised by the gradient */
} cs_site_odds;

/* A repetition of the step with another step size. The random numbers are those
 * of the step. */
typedef struct cs_other_step {
    double factor, value; /* value = factor times the present step size */
    double log_ratio;     /* NAN: the kernel has no accept step */
    /* Euclidean distance of the proposal, or of the new state without an accept
     * step, from the state */
    double distance;
} cs_other_step;

/* A proposal over sites: the number of sites, whether exactly one site changes
 * or each changes independently, and log q forward and back, from the kernel's
 * log_q. */
typedef struct cs_proposal_odds {
    double sites, known; /* sites: number of sites; known: number of sites that
                            were evaluated */
    double one;          /* 1: exactly one site changes, and the probabilities
                            sum to 1; 0: each site changes independently */
    double gradient;     /* 1: `change` is linearised by the gradient */
} cs_proposal_odds;
