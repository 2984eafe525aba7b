/* Declarations that the files of the laws share. */
#pragma once

#include "check/check.h"
#include "check/sites.h"

/* ---- laws, one file each ------------------------------------------------- */

typedef cs_status cs_attempt(cs_check *c, cs_target *t, const cs_arm_view *arm,
                             uint64_t seed, cs_error *err);
cs_attempt cs_check_density, cs_check_gradient, cs_check_differences,
    cs_check_again, cs_check_record, cs_check_matrix, cs_check_stationarity,
    cs_check_balance, cs_check_reach, cs_check_conditional, cs_check_returns,
    cs_check_sample, cs_check_sums;

/* ---- findings ------------------------------------------------------------ */

/* Reports a finding with any verdict except CS_HOLDS. */
void cs_check_say(cs_check *c, const char *arm, const char *law,
                  cs_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports CS_HOLDS with the given text, followed by the smallest error that
 * would have been detected. */
void cs_check_hold(cs_check *c, const char *arm, const char *law,
                   cs_detects seen, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Returns true if a wrapper's own variables are part of the state. Exact draws
 * of x are then not exact draws of the joint state. */
bool cs_check_is_joint(const cs_kernel_type *type);

/* Returns true if the transition matrix is small enough: at most CS_CHECK_SMALL
 * states, of which at most 64 are possible. */
enum { CS_CHECK_SMALL = 256 };
bool cs_check_is_small(const cs_check *c);

/* Reports the law "inside": `seen` chains started in states with log p > -inf,
 * and `outside` of these chains have left the support. */
void cs_check_inside(cs_check *c, const char *arm, size_t seen, size_t outside,
                     size_t failed);

/* ---- targets, starts and chains ------------------------------------------ */

/* Random numbers of a check. The same key always gives the same numbers. */
typedef struct cs_check_rng {
    uint64_t key, drawn;
} cs_check_rng;
double cs_check_uniform(cs_check_rng *d); /* returns a uniform number in (0,
                                             1) */

/* Fills c->place with the states of the run's chains, the target's own starts,
 * and states close to these. */
cs_status cs_check_find_starts(cs_check *c, cs_run *run, cs_error *err);

/* Lists all states of the target in c->states, if possible. */
void cs_check_list_states(cs_check *c, const cs_target *t);

/* Computes log p of all states of the sites (check/sites.h). Returns false if
 * there are too many states, their evaluation takes too long, or memory is
 * exhausted. Free *logp in any case. [own] */
bool cs_check_list_sites(const cs_check *c, const cs_site_list *s,
                         double **logp);

/* Returns true if exact draws are available, from the enumeration, from the
 * target, or from its sampler if the law `sample` holds. */
bool cs_check_can_draw(const cs_check *c, const cs_target *t);

/* Creates a block of CS_CHECK_LANES chains of the arm's kernel, without further
 * adaptation. Lane k starts at row k mod n of x[n][dim]. Returns NULL if memory
 * is exhausted. */
cs_block *cs_check_block(cs_target *t, const cs_arm_view *arm, uint64_t seed,
                         const double *x, size_t n);
/* Restarts the chains of the block at other states, with other random
 * numbers. */
bool cs_check_repeat(cs_block *b, uint64_t seed, const double *x, size_t n);
/* Switches to the random numbers of another seed. */
void cs_check_reseed(cs_block *b, uint64_t seed);
/* Makes the next n <= 64 steps, with the values of the arm's schedules. */
void cs_check_steps(cs_block *b, const cs_arm_view *arm, uint64_t from,
                    size_t n);

/* ---- log ratio of a kernel that draws no auxiliary variable -------------- */

/* All terms of the log ratio except the change of log p. */
typedef struct cs_ratio_rest {
    size_t compared; /* number of decisions that were compared */
    bool has_log_q;  /* true: the kernel has a log_q, so the rest must be 0 */
    bool same_way;   /* true: in each step, all chains had the same
                        displacement */
    double off;      /* largest absolute value of the rest */
    double least, most; /* smallest and largest rest, in the step where they
                           differ most. Only chains with equal displacements and
                           equal random numbers are compared */
    double scale;       /* 1 + the largest |log p(x)| + |log p(y)| of a compared
                         * decision */
} cs_ratio_rest;

/* Makes steps and compares the ratios. The arm's kernel may estimate log p.
 * Returns false if memory is exhausted. */
bool cs_check_ratio(cs_check *c, cs_target *t, const cs_arm_view *arm,
                    uint64_t seed, cs_ratio_rest *seen);

/* ---- random tests -------------------------------------------------------- */

/* Probability with which a reported error would have been detected. */
#define CS_CHECK_POWER 0.99
/* Further rounds are made until an error of this size would have been detected.
 * The error of a mean or a standard deviation is measured in standard
 * deviations; the error of a probability is an absolute difference. Detectable
 * errors above CS_CHECK_BLIND are not reported. */
#define CS_CHECK_AIM 0.03
#define CS_CHECK_BLIND 1

/* State of a sequential test. Each round ("look") uses new random numbers. A
 * small p-value may be due to chance. After a doubtful result the test is
 * therefore repeated with four times the draws, and the last round decides. A
 * test whose result is not doubtful is repeated while its power is too low. A
 * correct kernel is reported as broken less than once in 500000 tests. All
 * rounds together stay within the time limit, or within twice the limit if the
 * result is doubtful (2 % of the correct kernels). */
typedef struct cs_looks {
    unsigned look; /* number of the current round, from 1; 0 before the first
                      round */
    unsigned doubtful; /* number of consecutive doubtful rounds up to now */
    size_t draws; /* number of draws planned for this round; it grows with the
                     time limit */
    double p;     /* p-value of the last round */
    double error; /* smallest error that some round would have detected;
                     HUGE_VAL before the first round */
    size_t all;   /* number of draws of all rounds together */
    double begin,
        until;     /* begin: time when the test of the law starts (0: when the
                  first round starts); until: latest end of this round */
    bool late;     /* true: the time limit was reached */
    bool extended; /* true: the time was started again for a doubtful result */
} cs_looks;
/* Returns true if another round of the test is needed. */
bool cs_check_look(const cs_check *c, cs_looks *l);
/* Returns true if the test refutes the law. Call after the last round. */
bool cs_check_refutes(const cs_looks *l);
/* Returns true if time ran out before a decision. Call after a last round that
 * does not refute the law. */
bool cs_check_is_in_doubt(const cs_looks *l);
/* Returns the size of an error, in standard errors, that is detected with
 * probability CS_CHECK_POWER if `tests` tests are made. */
double cs_check_sds(double tests);

/* A distance and its name, for example 0.2 and "total variation". */
typedef struct cs_distance {
    const char *what;
    double far;
} cs_distance;
/* Returns the p-value of a chi-square test of count[cells] against the
 * probabilities mass[cells]. Rare cells are merged. Returns 0 if an impossible
 * cell has a count. */
double cs_check_cells_p(const double *count, const double *mass, size_t cells);
/* Returns the p-value of the counts of the states. The sum of the counts is n.
 * Sets *worst to the comparison with the strongest evidence against the counts.
 * Returns NaN if memory is exhausted. */
double cs_check_counts_p(const cs_target *t, const cs_enumeration *truth,
                         const double *count, size_t n, cs_distance *worst);
/* Returns the p-value of the Kolmogorov-Smirnov test that a[n] and b[n] have
 * the same distribution. Sorts both arrays. Sets *far to the distance. */
double cs_check_samples_p(double *a, double *b, size_t n, double *far);
