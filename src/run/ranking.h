/* What can be said of arms that are compared, and what cannot yet, in one
 * sentence: a pure function of a table of figures with their errors.
 *
 * Of two arms a and b with figures x and y the logarithm of x / y has the
 * standard error sqrt(e^2 + f^2), e and f those of log x and log y, with
 * Welch's degrees of freedom. Only the leader is compared with each of the
 * others, k comparisons in all; each interval holds with 1 - 0.05 / k
 * (Bonferroni), so that all of them hold with 95 %, whichever leads. It is
 * said that the leader leads only where its interval excludes 1.
 *
 * Where the figures of several runs are there, whose seeds all arms share, two
 * arms are compared within each run (run/paired.h), and it is the error over the
 * runs that counts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum cs_merit {
    CS_MERIT_MORE, /* the larger the better */
    CS_MERIT_LESS,
    CS_MERIT_NONE /* it says nothing of who is better */
} cs_merit;

typedef struct cs_contender {
    const char *name;   /* of the arm [borrowed] */
    double value;       /* its figure; NAN: none */
    double error;       /* standard error of log(value), of the value itself
                            where figures are `seen`; NAN: not known */
    double freedom;     /* of that error */
    double modes;       /* of the target's that its chains have found, or NAN */
    bool stays;         /* no chain of it has ever changed its mode */
    const char *barred; /* why it cannot win, as in "is not exact" [borrowed];
                            NULL: it can */
    const char *vague;  /* why its figure is too rough to be compared, as in
                            "has too few" [borrowed]; NULL: it is not */
    const char *apart;  /* with whom it disagrees about the target, so that it
                            cannot lead, as in "disagrees with `b`" [borrowed];
                            NULL: with nobody */
    const char *missing; /* why it has no figure, as in "has no gradients"
                            [borrowed]; NULL: not known */
} cs_contender;

typedef struct cs_ranking {
    const cs_contender *arm; /* [n] [borrowed] */
    size_t n;
    cs_merit merit;
    bool seen;         /* the figure is what was seen in this run, no estimate:
                          values are compared as they are, without an error;
                          those of several runs by their differences */
    bool inexact;      /* no arm is exact: they are compared all the same */
    const char *apart; /* how arms disagree, "x.1 differs between `a` and `b` by
                          35 standard errors" [borrowed]: nobody leads then.
                          NULL: they do not */
    const char *what;  /* "effective draws" [borrowed] */
    const char *where; /* behind a claim: " per gradient" [borrowed] */
    double modes;      /* that there are; NAN, 1: nothing is said of modes */
    const char *at;    /* ... behind what is said of them */
    const double *run; /* [runs][n] figures of runs of other seeds, NAN: none
                          [borrowed]. Values are then their means */
    size_t runs;       /* fewer than CS_RANKING_RUNS tell no error: 0 */
} cs_ranking;

enum { CS_RANKING_RUNS = 3 };

/* How many times better a is than b, of figures that are seen how much better,
 * with its interval at the level; false: no error is known, low and high are
 * NAN. */
typedef struct cs_lead {
    double ratio, low, high;
} cs_lead;
bool cs_ranking_lead(const cs_ranking *r, size_t a, size_t b, double level,
                     cs_lead *lead);

/* order[n] = the arms, the best figure first; those without one last, as they
 * come. Figures without merit: the largest first. */
void cs_ranking_sort(const cs_ranking *r, size_t *order);

/* The arm that has the best figure of those that can win, r->n: none. */
size_t cs_ranking_leader(const cs_ranking *r);

/* The sentence, without a full stop; "": nothing is to be said (a single arm).
 * Cut to text[size] at the end of a clause. */
void cs_ranking_say(const cs_ranking *r, char *text, size_t size);
