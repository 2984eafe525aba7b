/* Helpers for laws of probes: a kernel with weighted draws, a record of the
 * draws, and the weights of the draws. */
#pragma once

#include "support/by_name.h"

enum { CHAINS = 7, MOST_STEPS = 700, BYTES = 4 << 20, MOST_DIM = 64 };

/* Patterns of log weights. RANDOM_x is uniform on (-x, x). */
typedef enum pattern {
    ALIKE,
    RANDOM_1,
    RANDOM_100,
    RISING,
    STEEP, /* rises by thousands per step */
    RANDOM_1E6,
    FALLING,
    PLUNGING, /* the first draw outweighs all others */
    OF_EACH,  /* each chain has one of the patterns above, in turn */
    PATTERNS
} pattern;

typedef struct series {
    pattern pattern;
    double constant; /* added to the log weights of chain 2 */
    bool weighs;
    uint64_t every;  /* recording interval of the probe; 0 means 1 */
    bool changes;    /* switches to an unweighted kernel halfway */
    bool unrecorded; /* draws are not recorded in `drawn` */
} series;

/* The report of a probe on a run. Every step of the run draws new states.
 * Unless all weights are equal, one state in five is not a draw of the
 * target. */
typedef struct report {
    _Alignas(8) unsigned char bytes[BYTES];
    size_t used;
    char probe[32];
} report;

void make_report(report *to, cs_target *t, const cs_probe_type *probe, series k,
                 size_t lanes, size_t steps);
bool same_bytes(const report *a, const report *b);

/* Returns an entry of the report. If the entry is missing, its data are
 * NULL. */
cs_flat_entry find(const report *r, const char *key);
/* Returns number i of an entry; fails if the entry is missing. */
double number(const report *r, const char *key, size_t i);

/* A draw of the last recorded run. x has the target's coordinates. */
typedef struct draw {
    double there;                        /* 1: a draw exists at this step */
    double lw, logp, shown, x[MOST_DIM]; /* shown: first displayed number */
} draw;

extern draw drawn[CHAINS][MOST_STEPS];

/* Weights of the draws. weight[c][i] is 0 if chain c has no draw at i. The sum
 * over i is the number of draws of chain c. */
typedef struct weights {
    double weight[CHAINS][MOST_STEPS];
    double n[CHAINS], all, size; /* n: draws per chain; all: total; size:
                                  * effective sample size (Kish) */
    size_t steps;
} weights;

const weights *weigh_draws(size_t steps);
