/* Figures: a number of an arm with its error, each defined once, in one row of
 * figures.def and in the file that the row names. The race, claims, stop rules,
 * sweeps, summaries and scripts ask this list. A figure is found from facts
 * (figure/facts.h), of a run that is open or of a table that was published. */
#pragma once

#include "figure/facts.h"
#include "figure/merit.h"
#include "figure/work.h"

/* The draws that a figure is found from. */
typedef enum cs_figure_draws {
    CS_DRAWS_STEPS,  /* the states of all steps */
    CS_DRAWS_JUDGED, /* all steps, or kept draws where the former are unknown */
    CS_DRAWS_KEPT,   /* kept draws */
    CS_DRAWS_NONE,   /* none: it counts work, or looks at present states */
    CS_DRAWS_KINDS
} cs_figure_draws;

/* How its standard error is found. */
typedef enum cs_figure_spread {
    CS_SPREAD_JACKKNIFE, /* over groups of chains, one left out */
    CS_SPREAD_BOOTSTRAP, /* over resampled groups: of medians, maxima, counts of
                            what is different, which leaving one out cannot tell */
    CS_SPREAD_SEEDS,     /* only runs of other seeds know it */
    CS_SPREAD_COUNT,     /* a count of this run: no error */
    CS_SPREAD_KINDS
} cs_figure_spread;

/* What `of` names in a question. */
typedef enum cs_figure_kind {
    CS_OF_NOTHING,
    CS_OF_COORDINATE,
    CS_OF_MODE,
    CS_OF_POSITION, /* of the cycle of a kernel */
    CS_OF_STEP,
    CS_OF_ARM,
    CS_OF_BUDGET,       /* work of a chain, perhaps from an arm's mean */
    CS_OF_PLAIN_BUDGET, /* work of a chain */
    CS_OF_WORK, /* the work at which arms are compared: of the race only */
    CS_OF_KINDS
} cs_figure_kind;

enum {
    CS_FIGURE_NEEDS = 1, /* `of` must be given */
    CS_FIGURE_TOTAL =
        2, /* it grows with the work that was done: two of them are
                              not ranked at unequal work */
    CS_FIGURE_REACHED = 4, /* what a run has reached of it a longer one keeps */
    CS_FIGURE_STEADY = 8,  /* a property of kernel and target: a longer run only
                              knows it better */
    CS_FIGURE_FAST = 16,   /* the better one is the faster */
    CS_FIGURE_SCALED = 32, /* arms differ by factors: compared by their ratio */
    CS_FIGURE_COST = 64,   /* less is better, of what it bought nothing is said:
                              sweeps do not rank it */
    CS_FIGURE_STOPS = 128, /* a stop rule may be of it */
    CS_FIGURE_SEEN = 256,  /* what was seen in this run, no estimate */
    CS_FIGURE_LOGP = 512   /* of the log density, which the kernel must know */
};

/* No quantity, no arm, no place. */
#define CS_OF_NONE ((size_t)-1)

typedef struct cs_figure_type cs_figure_type;

/* Which number of which arm. */
typedef struct cs_figure_of {
    const cs_figure_type *type; /* filled in by cs_figure_ask */
    size_t arm;
    double k;  /* number of the coordinate (0: the log density), mode, position
                     or step, from 1; NAN: not given, which is the worst of all */
    size_t at; /* quantity that was the worst of all chains, whose figure is
                     wanted of a sample of them; CS_OF_NONE: not known */
    size_t other; /* the arm that is named; CS_OF_NONE: none */
    double work;  /* NAN: not given */
    cs_unit unit;
} cs_figure_of;

/* A question of nothing in particular. */
cs_figure_of cs_figure_of_arm(size_t arm);

typedef struct cs_figure {
    double value;          /* NAN: none */
    double error, freedom; /* standard error of log(value), of the value itself
                              where it is seen, as facts tell it; NAN: they do not */
    size_t at; /* the quantity that it is of, of several; CS_OF_NONE */
    const char *missing; /* why there is no value, after the arm's name: "has no
                            weights"; NULL: there is one */
    const char *vague;   /* why its value is too rough to be compared; NULL */
} cs_figure;
extern const cs_figure cs_no_figure;

struct cs_figure_type {
    const char *name, *title;
    const char *unit;  /* "" of shares and other pure numbers */
    const char *help;  /* what it is, in one sentence */
    const char *probe; /* that must observe the arm; NULL: none */
    cs_figure_draws draws;
    cs_merit merit;
    cs_figure_spread spread;
    unsigned flags;
    cs_figure_kind of;
    double low,
        high; /* the ends of what it can be of one chain, where it is a mean
                         over chains; both 0: not known */
    cs_figure (*find)(const cs_facts *f, const cs_figure_of *q);
    /* OPTIONAL. The work that the arm has reached, up to which the figure is known,
     * of CS_OF_WORK. */
    double (*reach)(const cs_facts *f, const cs_figure_of *q);
    const char *missing; /* see cs_figure, where `find` does not say */
    /* What `find` reads, where one function serves several figures: the key of an
     * entry, and a column of it from 0. */
    const char *key;
    size_t column;
};

#define CS_FIGURE(name, file) extern const cs_figure_type cs_figure_##name;
#include "figure/figures.def"
#undef CS_FIGURE

/* Number i of the list, NULL past the last; that of a name, NULL: none. */
const cs_figure_type *cs_figure_at(size_t i);
const cs_figure_type *cs_figure_find(const char *name);

/* The figure; without a value `missing` says why. Where the question itself is
 * wrong f->err is filled in. */
cs_figure cs_figure_ask(const cs_figure_type *t, const cs_facts *f,
                        cs_figure_of q);

/* The words of the fields: "coordinate" of what `of` names, "jackknife". */
const char *cs_figure_kind_name(cs_figure_kind kind);
const char *cs_figure_spread_name(cs_figure_spread spread);

/* Whether values at work from `least` to `most` must not be ranked, and why, as the
 * end of a sentence, into text[size]: "work is unequal and ess grows with it". */
bool cs_figure_is_unranked(const cs_figure_type *t, double least, double most,
                           char *text, size_t size);

/* The mean of x[n], `apart` numbers between two, with the error of its logarithm
 * over chains; values that are not finite are left out. */
cs_figure cs_figure_over_chains(const double *x, size_t n, size_t apart);
