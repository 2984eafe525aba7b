/* Rows of the reports on single quantities (run/quantities.h). */
#pragma once

enum {
    CS_QUANTITY_MOST = 5,   /* quantities that one word names */
    CS_QUANTITY_CHAINS = 16 /* chains that are shown one by one, the first */
};

typedef struct cs_row_marginal {
    double mean, sd, mcse, low, high;  /* low, high: the 5 and 95 % quantiles */
    double tv, tv_floor, ks, ks_floor; /* NAN: the truth is not known */
    double draws, size; /* that count; of so many that count alike (Kish) */
} cs_row_marginal;

typedef struct cs_row_lags {
    double size, time, cut; /* effective draws of the mean; integrated time and
                               the end of the sum, in steps */
    double every;           /* steps between two draws */
} cs_row_lags;

typedef struct cs_row_ranks {
    double low, high;                /* of the bars, in draws */
    double level, size, rhat, draws; /* draws of a chain */
    double halves;                   /* 1: of one chain, its halves */
} cs_row_ranks;

typedef struct cs_row_running {
    double mean, error, exact; /* NAN: not known */
} cs_row_running;
