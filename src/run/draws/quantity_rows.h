/* Rows of the reports on quantities (run/draws/quantities.h). */
#pragma once

enum {
    CS_QUANTITY_MOST = 5, /* maximum number of quantities in a request */
    /* maximum number of chains that are reported separately: the first ones */
    CS_QUANTITY_CHAINS = 16
};

typedef struct cs_row_marginal {
    double mean, sd, mcse, low, high;  /* low, high: the 5 and 95 % quantiles */
    double tv, tv_floor, ks, ks_floor; /* NAN: no exact answer is known */
    double draws, size; /* number of draws; ESS of the weights (Kish) */
} cs_row_marginal;

typedef struct cs_row_lags {
    /* size: ESS of the mean; time: integrated autocorrelation time, in steps;
     * cut: lag at which its sum ends, in steps */
    double size, time, cut;
    double every; /* steps between two draws */
} cs_row_lags;

typedef struct cs_row_ranks {
    /* level: probability of the band; size: ESS; draws: number of draws per
     * chain */
    double level, size, rhat, draws;
    double halves; /* 1: halves of a single chain are compared */
} cs_row_ranks;

typedef struct cs_row_running {
    double mean, error, exact; /* NAN: unknown */
} cs_row_running;
