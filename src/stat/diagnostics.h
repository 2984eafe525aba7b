/* Convergence and precision of draws from several chains.
 *
 * Vehtari, Gelman, Simpson, Carpenter and Buerkner, "Rank-normalization,
 * folding, and localization: an improved R-hat" (2021), with the details of the
 * R package posterior (1.4.0). Draws are x[chains][n], chain by chain.
 *
 * An undefined value is NAN. If `reason` is not NULL, *reason is set to a
 * constant text with the reason, or to NULL if the value is defined. Draws that
 * are not finite or are all equal have no diagnostics. */
#pragma once

#include "stat/series.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_draws {
    const double *x; /* [chains][n] [borrowed] */
    size_t n, chains;
} cs_draws;

/* Returns the reason why the draws cannot be diagnosed, or NULL. */
const char *cs_draws_unusable(cs_draws d);

/* Returns the R-hat that is reported. This is the larger of cs_rhat_bulk and
 * cs_rhat_folded, or cs_rhat_bulk if |x - median| is equal for all draws. */
double cs_rhat(cs_draws d, const char **reason);
/* Returns R-hat of the split, rank-normalised draws. */
double cs_rhat_bulk(cs_draws d, const char **reason);
/* Returns the bulk R-hat of |x - median|, which detects chains that differ only
 * in scale. */
double cs_rhat_folded(cs_draws d, const char **reason);
/* Returns R-hat of the unchanged draws, without a split (Gelman and Rubin
 * 1992). */
double cs_rhat_basic(cs_draws d, const char **reason);

/* Returns the effective size of the rank-normalised split draws. */
double cs_ess_bulk(cs_draws d, const char **reason);
/* Returns the smaller of the effective sizes for the 5 % and 95 % quantiles. */
double cs_ess_tail(cs_draws d, const char **reason);
/* Returns the effective size for the mean. */
double cs_ess_mean(cs_draws d, const char **reason);
/* Returns the effective size for the share of draws that are at most `at`. */
double cs_ess_below(cs_draws d, double at, const char **reason);
/* Returns the effective size of the unchanged draws, without a split. */
double cs_ess_basic(cs_draws d, const char **reason);

/* The autocorrelations of the split chains and the lag at which Geyer's sum
 * ends. The effective size for the mean is computed from these
 * autocorrelations. Differences between chains increase them at every lag
 * (section 3.2 of Vehtari et al.). */
typedef struct cs_lags {
    double
        *rho; /* [capacity] at lags 0, 1 ...; NAN beyond the draws [borrowed] */
    size_t capacity;
    size_t cut;  /* number of lags in the sum */
    double time; /* integrated autocorrelation time, in draws */
} cs_lags;
/* Returns the value of cs_ess_mean, and also fills in `lags`. */
double cs_ess_lags(cs_draws d, cs_lags *lags, const char **reason);

/* Returns the autocorrelation of cs_ess_lags at a lag, averaged over the split
 * chains. */
double cs_autocorrelation(cs_draws d, size_t lag, const char **reason);

/* Returns the Monte Carlo standard error of the mean. */
double cs_mcse_mean(cs_draws d, const char **reason);

/* Returns the standard error of a quantile, from the effective size for this
 * quantile and all n draws in ascending order: half of the distance between the
 * draws at the 15.9 % and the 84.1 % quantiles of a beta distribution. */
double cs_mcse_quantile(const double *sorted, size_t n, double p, double ess);

/* The diagnostics that tables print for one quantity, as defined above and in
 * the package posterior. Rows of a report have this type: only doubles, in this
 * order. */
typedef struct cs_figures {
    double mean, sd, rhat, bulk, tail, mcse, ess; /* ess: for the mean */
    double median, mad; /* mad: 1.4826 median |x - median| */
    /* Standard errors of sd, median and mad. The error of mad is that of the
     * median of |x - median|, for a median without error. */
    double mcse_sd, mcse_median, mcse_mad;
    double ess_sd, ess_median;
} cs_figures;

/* A quantile (type 7 of Hyndman and Fan 1996), its standard error and its
 * effective size. Rows of a report have CS_QUANTILE_WORDS columns per
 * quantile. */
typedef struct cs_quantile_figures {
    double at, mcse, ess;
} cs_quantile_figures;

/* The probabilities of the quantiles of a summary, in ascending order. */
enum { CS_QUANTILES_MOST = 9, CS_QUANTILE_WORDS = 3 };
typedef struct cs_probabilities {
    double p[CS_QUANTILES_MOST];
    size_t n;
} cs_probabilities;
extern const cs_probabilities cs_usual_quantiles; /* 5, 50 and 95 % */

/* Result of the test whether chains agree at a site of a discrete state
 * (stat/homogeneity.h). Rows of a report have this type: only doubles, in this
 * order. */
typedef struct cs_homogeneity {
    /* F times its first degrees of freedom; HUGE_VAL: no chain changes, and the
     * chains differ */
    double chi2;
    double freedom; /* (C - 1) f */
    double p;       /* p-value, uniform if the chains agree; NAN: not known */
    double values;  /* number of values seen; 1: the site never changed */
} cs_homogeneity;

/* Chains in which a coordinate never changes (stat/constant_chains.h). */
typedef struct cs_constant_chains {
    size_t chains; /* number of chains whose draws are all equal */
    size_t of;     /* number of all chains */
    double value;  /* value in the first of these chains */
    bool apart;    /* the chains differ by more than chance */
} cs_constant_chains;

/* All diagnostics of one quantity. */
typedef struct cs_diagnosis {
    cs_figures figures;
    cs_quantile_figures quantile[CS_QUANTILES_MOST]; /* NAN after the last */
    /* p-value of R-hat: the probability that chains with the same distribution
     * and the same autocorrelation have an R-hat at least this large; 1 if
     * R-hat is at most CS_RHAT_MOST */
    double chance;
    /* mean of the first quarters minus mean of the last quarters, in standard
     * errors (computed from the last halves); NAN if the last halves have fewer
     * than 50 effective draws */
    double drift;
    /* p-value of the drift: the probability that stationary chains drift at
     * least this much. Computed from Student's t with 1/40 of the effective
     * draws of the last halves as degrees of freedom. 1 if the chains do not
     * agree on the drift */
    double drift_chance;
    /* tail index, which for Student's t is 1 / (degrees of freedom). If it is
     * at least 1/2, the variance is infinite; if it is at least 1, the mean
     * does not exist */
    double heavy;
    cs_homogeneity alike; /* NAN; set by callers if the quantity is a site */
    size_t at_end; /* number of draws at the largest value of a count; 0; set by
                    * callers */
    cs_constant_chains
        constant; /* 0; set by callers if the quantity is a coordinate
                             that belongs to a named parameter */
    /* reason why R-hat is undefined; NULL: R-hat is defined; "out of memory":
     * there was not enough memory for one of the diagnostics */
    const char *why;
} cs_diagnosis;
cs_diagnosis cs_diagnose(cs_draws d);
/* Diagnoses one quantity, with the quantiles for the probabilities p. Quantities
 * that have equal numbers of draws share intermediate results in `scores`. */
cs_diagnosis cs_diagnose_with(cs_draws d, const cs_probabilities *p,
                              cs_scores *scores);
extern const char cs_why_no_memory[];
extern const char cs_why_too_short[];
/* The value of `why` if some draws are infinite or NaN. */
extern const char cs_why_not_finite[];
extern const char cs_why_all_equal[];          /* the same for equal draws */
cs_diagnosis cs_no_diagnosis(const char *why); /* all values undefined */

/* Largest R-hat of chains that agree (Vehtari et al.). */
#define CS_RHAT_MOST 1.01

/* Above this tail index, standard errors of means are unreliable (Vehtari,
 * Simpson et al.). */
#define CS_HEAVY_MOST 0.7
