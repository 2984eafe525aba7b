/* Ranks the arms that are compared, in one sentence that also says what is
 * still undecided: a pure function of a table of figures with their errors.
 *
 * For two arms a and b with figures x and y the logarithm of x / y has the
 * standard error sqrt(e^2 + f^2), where e and f are those of log x and log y,
 * with Welch's degrees of freedom. Only the leader is compared with each of the
 * others, k comparisons in total. Each interval has level 1 - 0.05 / k
 * (Bonferroni), so that all of them hold with 95 %, whichever arm leads. The
 * sentence says that an arm leads only if its interval excludes 1.
 *
 * If figures of several runs with common seeds are given, two arms are
 * compared within each run (run/summary/paired.h), and the error over the
 * runs is used. */
#pragma once

#include "figure/merit.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_contender {
    const char *name;    /* of the arm [borrowed] */
    double value;        /* the figure; NAN: none */
    double error;        /* standard error of log(value), or of the value for
                          * `seen` figures; NAN: unknown */
    double freedom;      /* of that error */
    double modes;        /* modes of the target that its chains have found, or
                          * NAN */
    bool stays;          /* none of its chains has ever changed its mode */
    const char *barred;  /* why it cannot win, as in "is not exact" [borrowed];
                          * NULL: it can */
    const char *vague;   /* why its figure is too imprecise to compare, as in
                          * "has too few" [borrowed]; NULL: it is not */
    const char *apart;   /* the arm that it disagrees with about the target, so
                          * that it cannot lead, as in "disagrees with `b`"
                          * [borrowed]; NULL: none */
    const char *missing; /* why it has no figure, as in "has no gradients"
                          * [borrowed]; NULL: unknown */
} cs_contender;

typedef struct cs_ranking {
    const cs_contender *arm; /* [n] [borrowed] */
    size_t n;
    cs_merit merit;
    bool seen;         /* figures are observations of this run, not estimates:
                        * values are compared without an error;
                        * those of several runs by their differences */
    bool inexact;      /* no arm is exact: they are compared anyway */
    const char *apart; /* how arms disagree, "x.1 differs between `a` and `b`
                        * by 35 standard errors" [borrowed]: then no arm
                        * leads.
                        * NULL: they agree */
    const char *what;  /* "effective draws" [borrowed] */
    const char *where; /* after a claim: " per gradient" [borrowed] */
    double modes;      /* modes of the target; NAN or 1: modes are not
                        * mentioned */
    const char *at;    /* text after the report of modes */
    const double *run; /* [runs][n] figures of runs with other seeds; NAN:
                        * none
                        * [borrowed]. Values are then their means */
    size_t runs;       /* fewer than CS_RANKING_RUNS give no error: 0 */
} cs_ranking;

enum { CS_RANKING_RUNS = 3 };

/* Computes how many times better a is than b, or for `seen` figures by how
 * much, with its interval at the level; false: the error is unknown, and low
 * and high are NAN. */
typedef struct cs_lead {
    double ratio, low, high;
} cs_lead;
bool cs_ranking_lead(const cs_ranking *r, size_t a, size_t b, double level,
                     cs_lead *lead);

/* Sorts order[n] by figure, the best first and arms without a figure last;
 * stable. Figures without merit: the largest first. */
void cs_ranking_sort(const cs_ranking *r, size_t *order);

/* Returns the arm with the best figure among those that can win; r->n: none. */
size_t cs_ranking_leader(const cs_ranking *r);

/* Writes the sentence without a full stop; "": nothing to report (a single
 * arm). Cut to text[size] at the end of a clause. */
void cs_ranking_say(const cs_ranking *r, char *text, size_t size);
