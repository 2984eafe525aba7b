/* Convergence and precision of draws from several chains.
 *
 * Vehtari, Gelman, Simpson, Carpenter and Buerkner, "Rank-normalization,
 * folding, and localization: an improved R-hat" (2021), with the details of
 * the R package posterior (1.4.0). Draws are x[chains][n], chain by chain.
 *
 * What is undefined is NAN, and *reason (if reason is not NULL) says why in a
 * constant text; it is NULL when the value is defined. Draws that are not
 * finite, or all equal, have no diagnostics. */
#pragma once

#include "stat/series.h"

#include <stddef.h>

typedef struct cs_draws {
    const double *x; /* [chains][n] [borrowed] */
    size_t n, chains;
} cs_draws;

/* The larger of the next two: what is reported as R-hat; the first where all
 * |x - median| are equal. */
double cs_rhat(cs_draws d, const char **reason);
/* Split and rank-normalised. */
double cs_rhat_bulk(cs_draws d, const char **reason);
/* The same of |x - median|: sees chains that differ in scale only. */
double cs_rhat_folded(cs_draws d, const char **reason);
/* Of the draws as they are, without a split (Gelman and Rubin 1992). */
double cs_rhat_basic(cs_draws d, const char **reason);

/* Effective sizes: of the rank-normalised split draws, ... */
double cs_ess_bulk(cs_draws d, const char **reason);
/* ... the smaller of those of the 5 % and 95 % quantiles, ... */
double cs_ess_tail(cs_draws d, const char **reason);
/* ... for the mean, ... */
double cs_ess_mean(cs_draws d, const char **reason);
/* ... and of the draws as they are, without a split. */
double cs_ess_basic(cs_draws d, const char **reason);

/* What makes the effective size for the mean: the autocorrelations of the split
 * chains as they are added up (section 3.2 of Vehtari et al.: chains that differ
 * are correlated at every lag) and where Geyer's sum ends. */
typedef struct cs_lags {
    double *rho; /* [room] of lags 0, 1 ...; NAN beyond the draws [borrowed] */
    size_t room;
    size_t cut;  /* lags before it are in the sum */
    double time; /* integrated autocorrelation time, in draws */
} cs_lags;
/* As cs_ess_mean, and fills in `lags`. */
double cs_ess_lags(cs_draws d, cs_lags *lags, const char **reason);

/* The Monte Carlo standard error of the mean. */
double cs_mcse_mean(cs_draws d, const char **reason);

/* The figures that tables print for one quantity, as above. A report's rows
 * have this type: doubles only, in this order.
 */
typedef struct cs_figures {
    double mean, sd, rhat, bulk, tail, mcse, ess; /* the last: of the mean */
} cs_figures;

/* Quantiles of weighted draws (stat/weighted.h): at 5, 50 and 95 %, and their
 * standard errors. */
enum { CS_QUANTILES = 3 };
typedef struct cs_quantiles {
    double at[CS_QUANTILES], mcse[CS_QUANTILES];
} cs_quantiles;

/* Whether chains agree at a site of a discrete state (stat/homogeneity.h). A
 * report's rows have this type: doubles only, in this order.
 */
typedef struct cs_homogeneity {
    double chi2;    /* F times its first degrees of freedom; HUGE_VAL: no chain
                       changes, and they differ */
    double freedom; /* (C - 1) f */
    double p;       /* of alike chains: uniform; NAN: not known */
    double values;  /* that are seen; 1: the site never changed */
} cs_homogeneity;

/* All diagnostics of one quantity. */
typedef struct cs_diagnosis {
    cs_figures figures;
    cs_quantiles quantiles; /* of weighted draws alone; else NAN */
    double chance; /* that chains of one law, as correlated as these, have an
                      R-hat that large; 1 up to CS_RHAT_MOST */
    double drift;  /* mean of the first quarters less that of the last ones, in
                        its standard errors (of the last halves); NAN: those
                        are no fifty draws' worth */
    double drift_chance; /* that stationary chains have one so large: of
                            Student's t, a fortieth of the effective draws
                            of the last halves being its freedom; 1 unless the
                            chains agree on it */
    double heavy; /* index of the tails, 1 / degrees of freedom of Student's t:
                     from 1/2 on there is no variance, from 1 on no mean */
    cs_homogeneity alike; /* left to who knows that it is a site: NAN */
    const char *why; /* R-hat is undefined, NULL: it is not; "out of memory"
                        where that was wanting for any */
} cs_diagnosis;
cs_diagnosis cs_diagnose(cs_draws d);
/* Diagnoses one of several quantities with equal numbers of draws; shares
 * intermediate results between them.
 */
cs_diagnosis cs_diagnose_with(cs_draws d, cs_scores *scores);
/* `why` where a draw is infinite or NaN. */
extern const char cs_why_not_finite[];
cs_diagnosis cs_no_diagnosis(const char *why); /* all undefined */

/* What R-hat is at most where chains agree (Vehtari et al.). */
#define CS_RHAT_MOST 1.01

/* Above it the errors of means are not to be relied on (Vehtari, Simpson et
 * al.). */
#define CS_HEAVY_MOST 0.7
