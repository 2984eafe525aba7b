/* Compares the arms of a target, which must all sample one law, with each other
 * and with exact answers. If two of them differ by more than their errors
 * allow, at least one is wrong, even if R-hat is good for each.
 *
 * Compared are log p, where both have it, and the first 64 coordinates by mean,
 * standard deviation and the 5, 50 and 95 % quantiles; further coordinates by
 * their means; and the shares of the target's modes. The diagnosed draws are
 * used (run/draws/diagnosed.h), and the means of all steps where known. An arm is
 * left out of a quantity if its chains do not agree or have few effective
 * draws, which has its own warning. Among correct runs one in ten thousand has
 * a false disagreement, however many figures and arms there are. */
#pragma once

#include "base/page.h"
#include "run/draws/reference_draws.h"

/* In place of an arm: the exact answer. */
#define CS_EXACT_ANSWER SIZE_MAX

/* A pair that disagrees, and its largest difference. */
typedef struct cs_disagreement {
    size_t a, b;        /* arms; b may be CS_EXACT_ANSWER */
    char what[112];     /* "x.1", "the sd of x.1", "the share of mode 2" */
    char quantity[64];  /* "x.1", "mode 2" */
    const char *figure; /* "mean", "sd", "5%" ... "share" */
    double apart;       /* in standard errors of the difference */
    size_t figures;     /* number of figures in which they disagree */
    bool biased[2];     /* a, b is known not to sample the target:
                         * it is biased, or has its own temperature */
} cs_disagreement;

typedef struct cs_witnesses {
    cs_disagreement *found; /* [n] [own] */
    size_t n;
    uint64_t epoch, steps; /* of the run when they were compared */
    double sum;            /* of the reports that were compared */
    bool looked, reported;
    cs_reference_draws reference; /* compared along with the arms */
} cs_witnesses;

/* Compares the arms. `told`: for a run in progress, the existing reports of
 * each arm [arms]; it then repeats the comparison only when the run has grown
 * by a quarter, or is over. NULL: the run has ended. [borrowed until the next
 * call] */
const cs_witnesses *cs_witnesses_look(cs_run *run, const cs_flat *reported);

/* True if an exact arm differs from the exact answer. */
bool cs_witnesses_off(const cs_run *run, size_t arm);

/* True if neither of the two is biased, so that one of them is wrong. */
bool cs_witnesses_accuse(const cs_disagreement *d);

/* Writes "x.1 differs between nuts and pt by 35 standard errors". */
void cs_witnesses_say(const cs_run *run, const cs_disagreement *d, cs_page *p);
/* Writes a line for each of the last results that involves the arm: to `wrong`
 * those that show that one of the two is wrong, to `biased` those that a known
 * bias of this arm explains. With `exact`, comparisons with the exact answer
 * are included. */
void cs_witnesses_words(const cs_run *run, size_t arm, bool exact,
                        cs_page *wrong, cs_page *biased);
/* Writes [{"figure": "mean", "of": "x.1", "arms": ["nuts", "pt"], ...},
 * ...]. */
void cs_witnesses_json(const cs_run *run, cs_page *p);

void cs_witnesses_free(cs_witnesses *w);
