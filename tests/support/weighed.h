/* Draws with weights: a kernel that makes them, the draws as they were, and what
 * each weighs, for laws of probes. */
#pragma once

#include "support/by_name.h"

enum { CHAINS = 7, MOST_STEPS = 700, BYTES = 4 << 20, MOST_DIM = 64 };

/* How log weights go: random between -1 and 1, -100 and 100, -1e6 and 1e6 ... */
typedef enum pattern {
    ALIKE,
    RANDOM_1,
    RANDOM_100,
    RISING,
    STEEP, /* rising by thousands a step */
    RANDOM_1E6,
    FALLING,
    PLUNGING, /* the first draw outweighs all others */
    OF_EACH,  /* a chain alike, the others by the patterns above in turn */
    PATTERNS
} pattern;

typedef struct series {
    pattern pattern;
    double constant; /* added to the log weights of chain 2 */
    bool weighs;
    uint64_t every;  /* of the probe, 0: 1 */
    bool changes;    /* halfway another kernel goes on, without weights */
    bool unrecorded; /* draws are not requested: `drawn` is unchanged */
} series;

/* States drawn anew at each step; one in five is not a draw (unless all weights
 * are equal). The probe watches them and reports: */
typedef struct report {
    _Alignas(8) unsigned char bytes[BYTES];
    size_t used;
    char probe[32];
} report;

void make_report(report *to, cs_target *t, const cs_probe_type *probe, series k,
                 size_t lanes, size_t steps);
bool same_bytes(const report *a, const report *b);

/* An entry of it, data NULL: there is none; a number of one, which must be
 * there. */
cs_flat_entry find(const report *r, const char *key);
double number(const report *r, const char *key, size_t i);

/* The draws of the newest report of a course that is recorded: its steps, and of x
 * the coordinates of the target. */
typedef struct draw {
    double there;                        /* 1: the chain has one at this step */
    double lw, logp, shown, x[MOST_DIM]; /* shown: the first number */
} draw;

extern draw drawn[CHAINS][MOST_STEPS];

/* weight[c][i] of a draw, 0: not a draw; per chain they sum to its number of
 * draws. */
typedef struct weights {
    double weight[CHAINS][MOST_STEPS];
    double n[CHAINS], all, size; /* draws; in total; effective sample size
                                  * (Kish) */
    size_t steps;
} weights;

const weights *weigh_draws(size_t steps);
