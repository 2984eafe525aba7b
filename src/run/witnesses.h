/* Arms of one target are witnesses of one law, and so is what is exact of it.
 * Where two of them disagree by more than their errors allow, at least one is
 * wrong, whatever R-hat says of each alone.
 *
 * Held against each other are of log p, where both have it, and of the first 64
 * coordinates mean, standard deviation and the 5, 50 and 95 % quantiles, of further
 * coordinates the means, and the shares of the target's modes; of the draws that are judged (run/judged.h), the
 * means of all steps where these are known. An arm says nothing of a quantity
 * whose chains do not agree or have few effective draws: of that it is warned
 * anyway. Of all runs that are right one in ten thousand is to be told that its
 * arms disagree, however many figures and arms there are. */
#pragma once

#include "base/page.h"
#include "run/reference_draws.h"
#include "run/run.h"

/* In place of an arm: what is exact. */
#define CS_EXACT_ANSWER SIZE_MAX

/* Two that disagree, and in what most. */
typedef struct cs_disagreement {
    size_t a, b;        /* arms; b may be CS_EXACT_ANSWER */
    char what[112];     /* "x.1", "the sd of x.1", "the share of mode 2" */
    char quantity[64];  /* "x.1", "mode 2" */
    const char *figure; /* "mean", "sd", "5%" ... "share" */
    double apart;       /* in standard errors of the difference */
    size_t figures;     /* in how many figures they do */
    bool biased[2];     /* a, b is no sample of the target by its own making:
                            of its bias, or at a temperature of its own */
} cs_disagreement;

typedef struct cs_witnesses {
    cs_disagreement *found; /* [n] [own] */
    size_t n;
    uint64_t epoch, steps; /* of the run when they were looked for */
    double sum;            /* of the reports that they were found by */
    bool looked, told;
    cs_reference_draws reference; /* heard beside the arms */
} cs_witnesses;

/* What is found by now. `told`: of a run that is watched, the reports of each
 * arm [arms] that were made already; it is then looked for anew only when the
 * run has grown by a quarter, or is over. NULL: the run has ended. [borrowed
 * until the next call] */
const cs_witnesses *cs_witnesses_look(cs_run *run, const cs_flat *told);
/* What was found last. */
const cs_witnesses *cs_witnesses_last(const cs_run *run);

/* Whether an exact arm was found off what is exact. */
bool cs_witnesses_off(const cs_run *run, size_t arm);

/* Whether neither of the two is biased: then one of them is wrong. */
bool cs_witnesses_accuse(const cs_disagreement *d);

/* "x.1 differs between nuts and pt by 35 standard errors" */
void cs_witnesses_say(const cs_run *run, const cs_disagreement *d, cs_page *p);
/* A line for each that arm is in, of what was found last: to `wrong` those that
 * say that one of the two is wrong, to `biased` those that a known bias of this
 * arm explains. With `exact` those with the exact answer too. */
void cs_witnesses_words(const cs_run *run, size_t arm, bool exact,
                        cs_page *wrong, cs_page *biased);
/* [{"figure": "mean", "of": "x.1", "arms": ["nuts", "pt"], ...}, ...] */
void cs_witnesses_json(const cs_run *run, cs_page *p);

void cs_witnesses_free(cs_witnesses *w);
