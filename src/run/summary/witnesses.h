/* Compares the arms of a run with each other and with exact answers. All arms
 * sample the same target, so if two arms differ by more than their errors
 * allow, at least one is wrong, even if R-hat is small for each.
 *
 * The comparison covers log p, where both arms have it; the mean, the standard
 * deviation and the 5, 50 and 95 % quantiles of the first 64 coordinates; the
 * means of further coordinates; and the shares of the target's modes. The
 * comparison uses the diagnosed draws (run/draws/diagnosed.h), and the means
 * over all steps where known. An arm is not compared in a quantity for which
 * its chains disagree or its ESS is small; these cases have their own warnings.
 * The probability that a correct run has any false disagreement, in all figures
 * and arms, is 1e-4. */
#pragma once

#include "base/page.h"
#include "run/draws/reference_draws.h"

/* Used instead of the number of an arm, it means the exact answer. */
#define CS_EXACT_ANSWER SIZE_MAX

/* A disagreement between two arms, or between an arm and the exact answer. */
typedef struct cs_disagreement {
    size_t a, b;        /* numbers of the arms; b may be CS_EXACT_ANSWER */
    char what[112];     /* figure that differs most: "x.1", "the sd of x.1" */
    char quantity[64];  /* "x.1", "mode 2" */
    const char *figure; /* "mean", "sd", "5%" ... "share" */
    double apart;       /* largest difference, in standard errors */
    size_t figures;     /* number of figures that disagree */
    /* true if a (element 0) or b (element 1) does not sample the target,
     * because of a known bias or its own temperature */
    bool biased[2];
} cs_disagreement;

typedef struct cs_witnesses {
    cs_disagreement *found; /* [n] [own] */
    size_t n;
    uint64_t epoch, steps; /* epoch and step of the comparison */
    double sum;            /* sum of the reports that were compared */
    bool looked, reported;
    cs_reference_draws reference; /* reference draws, compared like an arm */
} cs_witnesses;

/* Compares the arms. For a run in progress, `reported` has the existing reports
 * of each arm [arms]; the comparison is then repeated only after the run has
 * grown by a quarter, or has ended. NULL: the run has ended. The result is
 * [borrowed until the next call]. */
const cs_witnesses *cs_witnesses_look(cs_run *run, const cs_flat *reported);

/* Returns the result of the last comparison; before the first comparison, an
 * empty result. */
const cs_witnesses *cs_witnesses_last(const cs_run *run);

/* Returns true if an arm with an exact kernel differs from the exact answer. */
bool cs_witnesses_off(const cs_run *run, size_t arm);

/* Returns true if neither side of a disagreement is biased, so that one side
 * must be wrong. */
bool cs_witnesses_accuse(const cs_disagreement *d);

/* Writes "x.1 differs between nuts and pt by 35 standard errors". */
void cs_witnesses_say(const cs_run *run, const cs_disagreement *d, cs_page *p);
/* Writes a line for each disagreement of the arm that the last comparison
 * found. Writes a difference from the exact answer, which shows that the arm is
 * wrong, to `wrong`; a difference from another arm, where either may be wrong,
 * to `apart`; and a difference that a known bias of this arm explains to
 * `biased`. Includes comparisons with the exact answer if `exact`
 * is true. */
void cs_witnesses_words(const cs_run *run, size_t arm, bool exact,
                        cs_page *wrong, cs_page *apart, cs_page *biased);
/* Writes [{"figure": "mean", "of": "x.1", "arms": ["nuts", "pt"], ...},
 * ...]. */
void cs_witnesses_json(const cs_run *run, cs_page *p);

void cs_witnesses_free(cs_witnesses *w);
