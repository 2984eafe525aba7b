/* Draws in order: normal scores of their ranks and of the ranks of their
 * distances from the median, and quantiles of both. The draws are sorted once;
 * the distances below and above the median are two ascending sequences, which
 * are merged at each use. */
#pragma once

#include "stat/diagnostics.h"
#include "stat/series.h"
#include "stat/sort.h"

#include <stdbool.h>

typedef struct cs_ranked {
    cs_draws d;
    cs_sort_order all; /* all draws in order [borrowed from the scores] */
    size_t below;      /* number of draws that are at most the median */
    double median;
    double *z; /* [d.n * d.chains] scratch [borrowed from the scores] */
    bool full; /* memory was short */
} cs_ranked;

/* The scores of draws (CS_BY_VALUE), or of their distances from the median. */
typedef enum cs_rank_by { CS_BY_VALUE, CS_BY_DISTANCE } cs_rank_by;

/* Sorts the draws, which must be finite. All arrays are in the scratch memory of
 * `scores`. Returns false if memory is short. */
bool cs_ranked_begin(cs_draws d, cs_scores *scores, cs_ranked *r);

/* Returns R-hat of the normal scores of the halves of all chains; HUGE_VAL: no
 * half varies. If `ess` is not NULL, sets *ess to the effective size of the
 * scores. If R-hat is above CS_RHAT_MOST, *odds becomes the smaller of *odds and
 * the p-value of R-hat. If R-hat is undefined, sets *why to the reason and
 * returns NAN. */
double cs_ranked_rhat(cs_ranked *r, cs_rank_by by, cs_scores *scores,
                      double *ess, double *odds, const char **why);

/* Returns distance number k from the median in ascending order, from 0. */
double cs_ranked_distance(const cs_ranked *r, size_t k);

/* Returns the median of the distances from the median. */
double cs_ranked_mad(const cs_ranked *r);

/* Returns the sum of the logs of the n largest distances. */
double cs_ranked_log_tail(const cs_ranked *r, size_t n);
