/* Declarations shared by the files of the law book. */
#pragma once

#include "check/check.h"

/* ---- the laws, a file each ----------------------------------------------- */

typedef cs_status cs_attempt(cs_check *c, cs_target *t, const cs_arm_view *arm,
                             uint64_t seed, cs_error *err);
cs_attempt cs_check_density, cs_check_gradient, cs_check_differences,
    cs_check_again, cs_check_record, cs_check_matrix, cs_check_stationarity,
    cs_check_balance, cs_check_reach;

/* ---- findings ------------------------------------------------------------ */

/* Reports any verdict but CS_HOLDS. */
void cs_check_say(cs_check *c, const char *arm, const char *law,
                  cs_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports CS_HOLDS: the text, then the error that would have been detected. */
void cs_check_hold(cs_check *c, const char *arm, const char *law,
                   cs_detects seen, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Returns whether a wrapper's own variables are part of the state. Exact draws
 * of x are then not exact draws of the joint state.
 */
bool cs_check_is_joint(const cs_kernel_type *type);

/* Returns whether the transition matrix is small enough: at most 64 possible
 * states of CS_CHECK_SMALL.
 */
enum { CS_CHECK_SMALL = 256 };
bool cs_check_is_small(const cs_check *c);

/* Reports law "inside" from `seen` chains that began where log p > -inf. */
void cs_check_inside(cs_check *c, const char *arm, size_t seen, size_t outside,
                     size_t failed);

/* ---- targets, starts and chains ------------------------------------------ */

/* Random numbers of a check, always the same for a key. */
typedef struct cs_check_rng {
    uint64_t key, drawn;
} cs_check_rng;
double cs_check_uniform(cs_check_rng *d); /* in (0, 1) */

/* Fills c->place: the states of the run's chains, the target's own starts, and
 * states close to these.
 */
cs_status cs_check_find_starts(cs_check *c, cs_run *run, cs_error *err);

/* Fills c->states. */
void cs_check_list_states(cs_check *c, const cs_target *t);

/* Returns whether exact draws are available, from the states or the target. */
bool cs_check_can_draw(const cs_check *c, const cs_target *t);

/* Computes log p of n states x[n][dim]; NaN if it is not a number or takes too
 * long.
 */
void cs_check_log_densities(const cs_target *t, const double *x, size_t n,
                            double *logp);

/* Creates a block of CS_CHECK_LANES chains of the arm's kernel, without further
 * adaptation, started at x[n][dim] in turn. Returns NULL if out of memory.
 */
cs_block *cs_check_block(cs_target *t, const cs_arm_view *arm, uint64_t seed,
                         const double *x, size_t n);
/* Restarts the same chains at other states with other random numbers. */
bool cs_check_repeat(cs_block *b, uint64_t seed, const double *x, size_t n);
/* Switches to the random numbers of another seed. */
void cs_check_reseed(cs_block *b, uint64_t seed);
/* Makes the next n <= 64 steps by the arm's plan. */
void cs_check_steps(cs_block *b, const cs_arm_view *arm, uint64_t from,
                    size_t n);

/* ---- the ratio of a kernel that draws no auxiliary variable -------------- */

/* The terms of the log ratio other than the change of log p. */
typedef struct cs_ratio_rest {
    size_t compared;    /* decisions */
    bool has_log_q;     /* it has a log_q, so that the rest must be 0 */
    bool same_way;      /* of each step: all chains go the same way */
    double off;         /* the largest absolute rest */
    double least, most; /* of chains that went the same way with the same random
                           numbers, where these differ most */
    double scale;       /* 1 + the largest sum of absolute log p */
} cs_ratio_rest;

/* Makes steps and compares. The kernel of `arm` estimates. Returns false if out
 * of memory.
 */
bool cs_check_ratio(cs_check *c, cs_target *t, const cs_arm_view *arm,
                    uint64_t seed, cs_ratio_rest *seen);

/* ---- random tests -------------------------------------------------------- */

/* Probability with which an error that "would have been detected" is detected.
 */
#define CS_CHECK_POWER 0.99
/* Looks continue until an error of this size would have been detected: in sds
 * for a mean or an sd, or in a probability. Errors above CS_CHECK_BLIND are not
 * reported.
 */
#define CS_CHECK_AIM 0.03
#define CS_CHECK_BLIND 1

/* Sequential tests, on fresh numbers each time. One small p-value may be due to
 * chance: a doubtful result is tested again with four times the numbers, and
 * the last look decides. A result without doubt is tested again while its power
 * is too low. A correct kernel is reported as broken less than once in half a
 * million times. All looks together stay within the time limit.
 */
typedef struct cs_looks {
    unsigned look;     /* which one this is, from 1; 0 before the first */
    unsigned doubtful; /* of the last looks, how many in a row were in doubt */
    size_t draws;      /* that it should have: more seconds, more draws */
    double p;          /* what came of it */
    double error;      /* that one of them would have seen; before, HUGE_VAL */
    size_t all;        /* draws of all looks */
    double begin,
        until; /* when the law began (0: with the first look), when this
                            look must end */
    bool late; /* the time was over */
} cs_looks;
/* Returns whether another look is due. */
bool cs_check_look(const cs_check *c, cs_looks *l);
/* Call after the last look. */
bool cs_check_refutes(const cs_looks *l);
/* Call after a last look that does not refute: returns whether time ran out
 * before a decision.
 */
bool cs_check_is_in_doubt(const cs_looks *l);
/* From no error to one that is seen with CS_CHECK_POWER, in standard errors of
 * the worst of so many tests. */
double cs_check_sds(double tests);

/* How far off something is: "total variation" 0.2. */
typedef struct cs_distance {
    const char *what;
    double far;
} cs_distance;
/* The p-value of n counts in cells of such masses (chi-square), rare cells put
 * together; 0 when the impossible happened. */
double cs_check_cells_p(const double *count, const double *mass, size_t cells);
/* The p-value of how often each of the states was seen, n times in all; the
 * part of them that speaks most against it. NaN when out of memory. */
double cs_check_counts_p(const cs_target *t, const cs_enumeration *truth,
                         const double *count, size_t n, cs_distance *worst);
/* The p-value of two samples a[n], b[n] of one distribution (Kolmogorov and
 * Smirnov): sorts both; the distance in *far. */
double cs_check_samples_p(double *a, double *b, size_t n, double *far);
