/* What a run knows of one arm when it looks for warnings: plain numbers and
 * texts, so that each condition is a function that a test can call with made-up
 * values. NAN, 0 and NULL mean: not known. All pointers are borrowed. */
#pragma once

#include "kernel/kernel.h"
#include "stat/diagnostics.h"
#include "warn/evidence.h"

/* Visits of all chains to the modes of the target; n = 0: none are known. */
typedef struct cs_warn_modes {
    const double *visits; /* [chains][n] */
    const double *weight; /* [n] exact shares, or NULL */
    size_t n, chains;
} cs_warn_modes;

/* A ladder of temperatures. */
typedef struct cs_warn_ladder {
    const double *temperature; /* [n + 1] */
    const double *swaps;       /* [n] share of the proposed swaps accepted */
    size_t n;                  /* 0: the kernel has no ladder */
    double trips;              /* to the hot end and back */
} cs_warn_ladder;

/* A distance from the exact distribution that is larger than chance allows. */
typedef struct cs_warn_distance {
    char name[64];
    double value, size; /* size: effective draws */
} cs_warn_distance;
enum { CS_WARN_DISTANCES = 32 };

/* Counts after the warm-up, summed over the chains (cs_tally). */
typedef struct cs_warn_counts {
    double steps, accepted, divergent, not_finite;
    double zero; /* refused, for the density of the proposal is zero */
    double trajectories, deep, ebfmi;
    double marking, learning;        /* draws of bins, and still learned */
    size_t stuck, stuck_first;       /* chains that accepted nothing */
    double stuck_steps;              /* of the first of them */
    size_t stopped;                  /* chains */
    const char *stops, *why_refused; /* lines of text */
} cs_warn_counts;

/* The worst figures of the draws, over all quantities. */
typedef struct cs_warn_worst {
    double rhat; /* the largest */
    double size; /* the smallest bulk effective size */
} cs_warn_worst;

typedef struct cs_warn_facts {
    const char *arm;
    const cs_kernel *kernel;
    bool exact;         /* the kernel leaves the target invariant */
    bool ended;         /* the run is over: the facts are final */
    bool finished;      /* the arm has spent the budget */
    bool warming;       /* its warm-up is not over */
    bool tuned;         /* a tuner chose the parameters */
    bool one_place;     /* all chains started at one state */
    bool loses_weights; /* draws have weights and no column for them */
    bool unchecked;     /* a kernel of functions that no law has judged */
    double adapts;      /* its kernel adapts up to this step; 0: it does not */
    uint64_t warmup;    /* steps before its draws begin */
    size_t chains, group; /* group: chains that belong together */
    size_t dim;
    uint64_t longest; /* draws of the longest chain in files; 0: not known */
    uint64_t steps, budget;
    double step; /* value of the parameter `step`; NAN: none or a schedule */
    double best; /* acceptance at which the kernel does best; NAN: unknown */
    double heat; /* temperature of a kernel beside an exact law at 1; 1: none */
    cs_warn_counts counts;
    cs_warn_worst worst;
    cs_warn_modes modes;
    cs_warn_ladder ladder;
    cs_warn_distance distance[CS_WARN_DISTANCES];
    size_t n_distances;
    cs_evidence evidence;
    /* Lines: arms or exact answers that disagree with it; the same where a known
     * bias explains it; why its bounds of data terms are too loose. */
    const char *differs, *biased, *rows;
} cs_warn_facts;
