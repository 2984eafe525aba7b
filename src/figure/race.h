/* A figure of every arm, to be compared: at equal work, or for so much work. */
#pragma once

#include "figure/look.h"
#include "run/ranking.h"

typedef enum cs_race_figure {
    CS_RACE_ESS,    /* of the quantity that has the fewest */
    CS_RACE_CHOSEN, /* of the coordinate that is looked at */
    CS_RACE_DISTANCE,
    CS_RACE_MODES,
    CS_RACE_ENERGY,
    CS_RACE_ACCEPTANCE,
    CS_RACE_KISH,
    CS_RACE_TERMS,
    CS_RACE_FIGURES
} cs_race_figure;

/* The figures of runs like the open one, but for their seeds: see replicates.h.
 * In seconds there are none, which would be of a background with little of the
 * machine. */
enum { CS_REPLICATES = 32 };
typedef struct cs_replicated {
    double seed;
    size_t coordinate; /* that was chosen: CS_RACE_CHOSEN is of it */
    double value[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS]; /* NAN: none */
    /* Of 95 %, by the run alone; NAN: no error is known. */
    double low[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS],
        high[CS_RACE_FIGURES][CS_UNITS][CS_SHOT_ARMS];
} cs_replicated;

typedef struct cs_replicas {
    size_t n, of; /* so many of how many are done; of 0: none are wanted */
    double steps; /* of each; NAN: as many as its budget allows */
    double left;  /* seconds until all are done, NAN: not known */
    /* Of a sweep, whose runs differ by the value of a parameter and not by their
     * seeds: its name, "": it is none; the values in their order, as words, and
     * as numbers where they are. */
    char over[80], value[CS_REPLICATES][40];
    double x[CS_REPLICATES];
    bool log; /* by their logarithms */
    cs_replicated run[CS_REPLICATES];
} cs_replicas;

/* Finds all figures of a run, as the race of that run alone has them. */
void cs_race_keep(const cs_shot *s, size_t coordinate, cs_replicated *out);

/* What all figures of an arm are found from. */
typedef struct cs_runner {
    const char *name;      /* [borrowed] */
    double chains, units;  /* units: chains whose draws are of the target */
    double warmup;         /* steps */
    double work[CS_UNITS]; /* of all chains; NAN: none of that unit */
    const char *out;       /* why it has no figures, NULL: it may have some */
    char barred[96];       /* see cs_contender, "": it can win */
    const char *apart;     /* likewise, "": with nobody [borrowed] */
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
    cs_unit unit;     /* of work, not the usual one */
    char title[160];  /* "effective draws per 1k gradients" */
    char brief[24];   /* the same as the head of a column */
    const char *note; /* what it is of, and which way is better */
    double work; /* at which arms are compared, NAN: at what each has done */
    cs_ranking ranking; /* of arm[n] */
    cs_contender arm[CS_SHOT_ARMS];
    size_t order[CS_SHOT_ARMS]; /* of the arms, the best first */
    char why[CS_SHOT_ARMS][96];
    char where[96], at[64]; /* of the ranking's sentence */
    /* Of replicates, where CS_RANKING_RUNS are done or more: values are their
     * means, of logarithms where figures are compared by ratios. Fewer are
     * there, too, but ranking.runs is 0. */
    size_t runs;
    double run[CS_REPLICATES * CS_SHOT_ARMS]; /* [runs][n] */
    double mean[CS_SHOT_ARMS];                /* over them, however many */
} cs_race;

/* The figure's name, as in `:panel race=modes`; NULL past the last. */
const char *cs_race_name(cs_race_figure which);
/* Whether any arm reports what it is found from. */
bool cs_race_has(const cs_racers *f, cs_race_figure which);

/* A figure of all arms. The result points into itself and into the field: it is
 * not to be copied. */
void cs_race_find(const cs_racers *f, cs_race_figure which, cs_race *out);

/* What can be said of the arms by their effective draws and their modes. */
void cs_race_say(const cs_racers *f, char *text, size_t size);

/* The same from any number of replicates: how arm a stands to arm b. */
bool cs_race_pair(const cs_race *r, size_t a, size_t b, double level,
                  cs_lead *lead);

/* The interval of 95 % of arm i's figure; false: no error is known. */
bool cs_race_interval(const cs_race *r, size_t i, double *low, double *high);
