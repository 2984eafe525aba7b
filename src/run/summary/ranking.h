/* Ranks the arms of a run by a figure and describes the ranking in one
 * sentence, which also names comparisons that are not significant. The result
 * depends only on a table of figures and their errors.
 *
 * Let arms a and b have the figures x and y, and let e and f be the standard
 * errors of log x and log y. The standard error of log(x / y) is sqrt(e^2 +
 * f^2), with Welch's degrees of freedom. The leader is the arm with the best
 * figure among the arms that can be compared. It is compared with each of the k
 * others. The interval of each ratio has the level 1 - 0.05 / k (Bonferroni),
 * so the probability that all intervals contain the true ratios is at least 95
 * %. The sentence states that the leader leads an arm only if the interval of
 * their ratio is above 1.
 *
 * If figures of several runs with common seeds are given, two arms are compared
 * within each run (run/summary/paired.h), and the standard error over the runs
 * is used. */
#pragma once

#include "figure/merit.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_contender {
    const char *name; /* name of the arm [borrowed] */
    double value;     /* the figure; NAN: unknown */
    /* standard error of log(value), or of the value for `seen` figures; NAN:
     * unknown */
    double error;
    double freedom; /* degrees of freedom of that error */
    double modes; /* number of target modes that the arm's chains have found, or
                   * NAN */
    bool stays;   /* no chain of the arm has moved to another mode */
    /* reason why the arm cannot win, as in "is not exact" [borrowed]; NULL: the
     * arm can win */
    const char *barred;
    /* reason why the figure of the arm is too inaccurate to be compared, as in
     * "has too few" [borrowed]; or NULL */
    const char *vague;
    /* disagreement with another arm about the target, which prevents the arm
     * from leading, as in "disagrees with `b`" [borrowed]; or NULL */
    const char *apart;
    /* reason why the figure is missing, as in "has no gradients" [borrowed];
     * NULL: unknown */
    const char *missing;
} cs_contender;

typedef struct cs_ranking {
    const cs_contender *arm; /* [n] [borrowed] */
    size_t n;
    cs_merit merit;
    /* the figures are observations of this run, not estimates. If there is only
     * one run, they are compared without errors; if there are several runs, by
     * their differences */
    bool seen;
    bool inexact; /* no arm is exact, so inexact arms are compared */
    /* disagreement of arms, as in "x.1 differs between `a` and `b` by 35
     * standard errors" [borrowed]. If arms disagree, no arm leads. NULL: all
     * arms agree */
    const char *apart;
    /* name of the figure, as in "effective draws" [borrowed] */
    const char *what;
    /* words that follow a statement, as in " per gradient" [borrowed] */
    const char *where;
    double modes;   /* number of modes of the target; NAN or 1: not reported */
    const char *at; /* text that follows the report of modes */
    /* [runs][n] figures of runs with other seeds; NAN: missing [borrowed].
     * The values of arms are then their means */
    const double *run;
    /* number of runs. It is 0 if there are fewer than CS_RANKING_RUNS runs,
     * which are too few for an error */
    size_t runs;
} cs_ranking;

enum { CS_RANKING_RUNS = 3 };

typedef struct cs_lead {
    double ratio, low, high;
} cs_lead;

/* Computes the factor by which a is better than b (for `seen` figures, the
 * difference), with a confidence interval at `level`. Returns false if the
 * error is unknown; low and high are then NAN. */
bool cs_ranking_lead(const cs_ranking *r, size_t a, size_t b, double level,
                     cs_lead *lead);

/* Sorts the arms order[n] by figure, the best first. Arms without a figure come
 * last. If large figures are neither better nor worse than small ones, sorts in
 * descending order. Arms with equal figures keep their order. */
void cs_ranking_sort(const cs_ranking *r, size_t *order);

/* Returns the arm with the best figure among the arms that can win. If no arm
 * can win, returns r->n. */
size_t cs_ranking_leader(const cs_ranking *r);

/* Writes the sentence without a full stop, or "" for a single arm. Text that
 * does not fit in text[size] is cut at the end of a clause. */
void cs_ranking_say(const cs_ranking *r, char *text, size_t size);
