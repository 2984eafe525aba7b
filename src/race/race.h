/* Compares a figure over all arms, at equal work or per unit of work. */
#pragma once

#include "race/look.h"
#include "run/summary/ranking.h"

typedef enum cs_race_figure {
    CS_RACE_ESS,    /* smallest over all quantities */
    CS_RACE_CHOSEN, /* of the chosen coordinate */
    CS_RACE_DISTANCE,
    CS_RACE_MODES,
    CS_RACE_ENERGY,
    CS_RACE_ACCEPTANCE,
    CS_RACE_KISH,
    CS_RACE_TERMS,
    CS_RACE_FIGURES
} cs_race_figure;

/* The figures of runs that differ from the open one in their seeds: see
 * replicates.h. None in seconds, since background runs get little processor
 * time. */
enum { CS_REPLICATES = 200 };
typedef struct cs_replicated {
    double seed;
    size_t coordinate; /* the chosen coordinate, for CS_RACE_CHOSEN */
    double value[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS]; /* NAN: none */
    /* 95 % interval from the single run; NAN: the error is unknown. */
    double low[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS],
        high[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS];
} cs_replicated;

typedef struct cs_replicas {
    size_t n, of; /* completed; requested (0: none) */
    double steps; /* steps of each run; NAN: its budget */
    double left;  /* seconds until all are complete; NAN: unknown */
    /* For a sweep, whose runs differ in the value of a parameter instead of the
     * seed: the parameter's name ("": no sweep), its values in order as words,
     * and as numbers where possible. */
    char over[80], value[CS_REPLICATES][40];
    double x[CS_REPLICATES];
    bool log; /* on a logarithmic axis */
    cs_replicated run[CS_REPLICATES];
} cs_replicas;

/* Computes all figures of a run, as a race of only that run does. */
void cs_race_keep(const cs_shot *s, size_t coordinate, cs_replicated *out);

/* The data from which all figures of an arm are computed. */
typedef struct cs_runner {
    const char *name; /* [borrowed] */
    double chains;
    double work[CS_UNITS]; /* work of all chains; NAN: none in that unit */
    const char *out;       /* why it has no figures; NULL: it may have some */
    char barred[96];       /* see cs_contender; "": it can win */
    const char *apart;     /* see cs_contender; "": not tied [borrowed] */
} cs_runner;

typedef struct cs_racers {
    const cs_shot *s;
    cs_figure_look at;
    cs_runner arm[CS_SHOT_ARMS];
    size_t n;
    bool inexact; /* see cs_ranking */
} cs_racers;

void cs_race_line_up(const cs_shot *s, const cs_figure_look *at,
                     cs_racers *out);

typedef struct cs_race {
    cs_race_figure figure;
    cs_unit unit;     /* unit of work, if not the default */
    char title[160];  /* "effective draws per 1k gradients" */
    char brief[24];   /* short title, for the head of a column */
    const char *note; /* its definition, and the better direction */
    double
        work; /* work at which arms are compared; NAN: each at its own work */
    cs_ranking ranking; /* ranking of arm[n] */
    cs_contender arm[CS_SHOT_ARMS];
    size_t order[CS_SHOT_ARMS]; /* arms, best first */
    char why[CS_SHOT_ARMS][96];
    char where[96], at[64]; /* parts of the ranking's sentence */
    /* Replicates: if at least CS_RANKING_RUNS are complete, values are their
     * means (of logarithms for figures compared by ratios). Fewer are also
     * stored, but ranking.runs is 0. */
    size_t runs;
    double run[CS_REPLICATES * CS_SHOT_ARMS]; /* [runs][n] */
    double mean[CS_SHOT_ARMS];                /* mean over all replicates */
} cs_race;

/* Returns the figure's name, as in `:panel race=modes`; NULL past the last. */
const char *cs_race_name(cs_race_figure which);
/* Returns true if any arm reports the data of a figure. */
bool cs_race_has(const cs_racers *f, cs_race_figure which);

/* Finds a figure of all arms. The result points into itself and into the field:
 * do not copy it. */
void cs_race_find(const cs_racers *f, cs_race_figure which, cs_race *out);

/* Writes the ranking of the arms by effective draws and by modes. */
void cs_race_say(const cs_racers *f, char *text, size_t size);

/* Compares arms a and b from any number of replicates. */
bool cs_race_pair(const cs_race *r, size_t a, size_t b, double level,
                  cs_lead *lead);

/* Returns the 95 % interval of arm i's figure; false: the error is unknown. */
bool cs_race_interval(const cs_race *r, size_t i, double *low, double *high);
