/* Rows of the reports on single quantities (run/draws/quantities.h). */
#pragma once

enum {
    CS_QUANTITY_MOST = 5,   /* maximum quantities of a word */
    CS_QUANTITY_CHAINS = 16 /* the first chains, which are displayed one by
                             * one */
};

typedef struct cs_row_marginal {
    double mean, sd, mcse, low, high;  /* low, high: the 5 and 95 % quantiles */
    double tv, tv_floor, ks, ks_floor; /* NAN: no exact answer */
    double draws,
        size; /* number; effective sample size of the weights (Kish) */
} cs_row_marginal;

typedef struct cs_row_lags {
    double size, time, cut; /* effective draws of the mean; integrated
                             * autocorrelation time and the end of its sum, in
                             * steps */
    double every;           /* steps between two draws */
} cs_row_lags;

typedef struct cs_row_ranks {
    double low, high;                /* of the bars, in draws */
    double level, size, rhat, draws; /* per chain */
    double halves;                   /* 1: halves of a single chain */
} cs_row_ranks;

typedef struct cs_row_running {
    double mean, error, exact; /* NAN: unknown */
} cs_row_running;
