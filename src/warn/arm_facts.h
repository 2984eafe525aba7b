/* Facts about one arm, from which the warnings about the arm are found. They
 * are plain numbers and strings, so a test can call each warning function with
 * invented values. NAN, 0 and NULL mean unknown. All pointers are borrowed. */
#pragma once

#include "kernel/kernel.h"
#include "stat/diagnostics.h"
#include "warn/evidence.h"

/* Number of visits to each mode of the target; n = 0: no modes are known. */
typedef struct cs_warn_modes {
    const double *visits; /* [chains][n] number of visits */
    const double *weight; /* [n] exact weights, or NULL */
    size_t n, chains;
} cs_warn_modes;

/* The files of an arm that reads draws. */
typedef struct cs_warn_files {
    uint64_t longest; /* number of draws of the longest chain; 0: unknown */
    size_t left_out;  /* number of chains left out, since they have far fewer
                       * draws */
    size_t damaged;   /* number of chains whose files are damaged */
    uint64_t planned; /* number of draws per chain that the headers promise; 0:
                       * unknown */
    bool complete;    /* true if no file will grow */
} cs_warn_files;

/* The temperature ladder of a tempered kernel. */
typedef struct cs_warn_ladder {
    const double *temperature; /* [n + 1] temperatures of the levels */
    const double *swaps;       /* [n] accepted share of the proposed swaps */
    size_t n; /* number of pairs of neighbouring levels; 0: the kernel has no
                 ladder */
    double trips; /* round trips to the hottest level and back */
} cs_warn_ladder;

/* A distance to the exact distribution that is too large to be explained by
 * chance. */
typedef struct cs_warn_distance {
    char name[64];
    double value, size; /* size: ESS of the draws */
} cs_warn_distance;
enum { CS_WARN_DISTANCES = 32 };

/* Counts after the warm-up, summed over all chains (see cs_tally). */
typedef struct cs_warn_counts {
    double steps, accepted, divergent, not_finite;
    double zero; /* number of steps rejected because the proposal has density
                    0 */
    double trajectories, deep, ebfmi;
    /* marking: number of draws with a column learning__; learning: number of
     * draws with learning__ = 1 */
    double marking, learning;
    size_t stuck, stuck_first; /* stuck: number of chains that never accepted a
                                  proposal; stuck_first: the first such chain */
    double stuck_steps;        /* steps of chain stuck_first */
    size_t stopped;            /* number of stopped chains */
    /* stops: lines about stopped chains; why_refused: reason why the density
     * was not finite */
    const char *stops, *why_refused;
} cs_warn_counts;

/* The worst diagnostics over all quantities. */
typedef struct cs_warn_worst {
    double rhat; /* largest R-hat */
    double size; /* smallest bulk ESS */
} cs_warn_worst;

typedef struct cs_warn_facts {
    const char *arm;
    const cs_kernel *kernel;
    bool exact;         /* the kernel leaves the target invariant */
    bool ended;         /* the run is over: the facts are final */
    bool finished;      /* the arm has spent the budget */
    bool warming;       /* the arm is still in its warm-up */
    bool tuned;         /* a tuner chose the parameters */
    bool one_place;     /* all chains started at the same state */
    bool loses_weights; /* the draws have weights, but no column for them */
    bool unchecked;     /* the kernel is written in Lua, and no check has tested
                           it */
    const char *broken; /* broken law found by :check; "" or NULL: none */
    /* last step at which the kernel adapts; 0: the kernel does not adapt */
    double adapts;
    uint64_t warmup;      /* number of warm-up steps */
    size_t chains, group; /* group: number of chains that move together */
    size_t dim;
    cs_warn_files files;
    uint64_t steps, budget;
    double step; /* parameter `step`; NAN: no such parameter, or a schedule */
    double best; /* optimal acceptance rate of the kernel; NAN: unknown */
    /* If an exact distribution is known (at temperature 1): the temperature at
     * which the kernel samples. Otherwise 1 */
    double heat;
    cs_warn_counts counts;
    cs_warn_worst worst;
    cs_warn_modes modes;
    cs_warn_ladder ladder;
    cs_warn_distance distance[CS_WARN_DISTANCES];
    size_t n_distances;
    cs_evidence evidence;
    /* Text lines, or NULL. differs: exact values that disagree with this arm.
     * apart: arms that disagree with this arm. biased: arms or exact values
     * whose disagreement with this arm is explained by a known bias. rows: why
     * the bounds of the data terms are too loose. */
    const char *differs, *apart, *biased, *rows;
} cs_warn_facts;
