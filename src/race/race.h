/* Compares a figure over all arms, at equal work or per unit of work. */
#pragma once

#include "race/look.h"
#include "run/summary/ranking.h"

typedef enum cs_race_figure {
    CS_RACE_ESS,          /* ESS, smallest over all quantities */
    CS_RACE_CHOSEN,       /* ESS of the chosen coordinate */
    CS_RACE_MULTIVARIATE, /* ESS of all quantities together */
    CS_RACE_DISTANCE,
    CS_RACE_MODES,
    CS_RACE_ENERGY,
    CS_RACE_ACCEPTANCE,
    CS_RACE_KISH,
    CS_RACE_TERMS,
    CS_RACE_FIGURES
} cs_race_figure;

/* The figures of a replicate: a run that differs from the open run only in its
 * seed (screen/state/replicates.c). There are no figures per second, since
 * background runs get little processor time. */
enum { CS_REPLICATES = 200 };
typedef struct cs_replicated {
    double seed;
    size_t coordinate; /* the chosen coordinate, for CS_RACE_CHOSEN */
    /* figures; NAN: missing */
    double value[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS];
    /* 95 % interval estimated from this run; NAN: unknown. */
    double low[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS],
        high[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS];
} cs_replicated;

typedef struct cs_replicas {
    /* n: number of completed runs; of: number of requested runs (may be 0) */
    size_t n, of;
    double steps; /* steps per run; NAN: until the run's budget is spent */
    double left;  /* seconds until all runs are complete; NAN: unknown */
    /* Used for a sweep, whose runs differ in one parameter instead of the seed.
     * over: name of the parameter ("": no sweep). value: values of the
     * parameter in order, as text. Values that are numbers are stored as
     * numbers too. */
    char over[80], value[CS_REPLICATES][40];
    double x[CS_REPLICATES];
    bool log; /* the parameter of the sweep has a logarithmic axis */
    cs_replicated run[CS_REPLICATES];
} cs_replicas;

/* Computes all figures of a single run. */
void cs_race_keep(const cs_shot *s, size_t coordinate, cs_replicated *out);

/* The data from which all figures of an arm are computed. */
typedef struct cs_runner {
    const char *name; /* [borrowed] */
    double chains;
    /* work of all chains in each unit; NAN: the arm has no work in this unit */
    double work[CS_UNITS];
    /* reason why the arm has no figures; NULL: no such reason is known */
    const char *out;
    char barred[96];   /* see cs_contender; "": it can win */
    const char *apart; /* see cs_contender; "": none [borrowed] */
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
    char title[160];  /* for example "effective draws per 1k gradients" */
    char brief[24];   /* short title, for the head of a column */
    const char *note; /* definition, and whether more or less is better */
    double work; /* work at which arms are compared; NAN: arms differ in work */
    cs_ranking ranking; /* ranking of the arms */
    cs_contender arm[CS_SHOT_ARMS];
    size_t order[CS_SHOT_ARMS]; /* arms, best first */
    char why[CS_SHOT_ARMS][96];
    char where[96], at[64]; /* parts of the sentence about the ranking */
    /* Replicates. If at least CS_RANKING_RUNS replicates are complete, the
     * value of an arm is a mean over the replicates. It is a mean of logarithms
     * if the figure is compared by ratios. If fewer replicates are complete,
     * they are stored too, but ranking.runs is 0. */
    size_t runs;
    double run[CS_REPLICATES * CS_SHOT_ARMS]; /* [runs][n] */
    double mean[CS_SHOT_ARMS];                /* mean over all replicates */
} cs_race;

/* Returns the figure's name, as in `:panel race=modes`. After the last figure,
 * returns NULL. */
const char *cs_race_name(cs_race_figure which);
/* Returns true if at least one arm reports the data needed for a figure. */
bool cs_race_has(const cs_racers *f, cs_race_figure which);

/* Computes a figure for all arms. *out contains pointers into itself and into
 * *f: do not copy it. */
void cs_race_find(const cs_racers *f, cs_race_figure which, cs_race *out);

/* Writes the ranking of the arms by effective draws and by modes. */
void cs_race_say(const cs_racers *f, char *text, size_t size);

/* Compares arms a and b over all replicates, even if there are only a few
 * replicates. */
bool cs_race_pair(const cs_race *r, size_t a, size_t b, double level,
                  cs_lead *lead);

/* Computes the 95 % interval of arm i's figure. Returns false if the error is
 * unknown. */
bool cs_race_interval(const cs_race *r, size_t i, double *low, double *high);
