/* Figures: each is a number that describes an arm, with its error. Each figure
 * is defined once, by one row of figures.def and a definition in the file that
 * the row names. The race, claims, stop rules, sweeps, summaries and scripts
 * use this list. Figures are computed from facts (figure/facts.h) of an open
 * run or of a published table. */
#pragma once

#include "figure/facts.h"
#include "figure/merit.h"
#include "figure/work.h"

/* Draws from which a figure is computed. */
typedef enum cs_figure_draws {
    CS_DRAWS_STEPS,     /* the states of all steps */
    CS_DRAWS_DIAGNOSED, /* all steps if they are known, else kept draws */
    CS_DRAWS_KEPT,      /* kept draws */
    CS_DRAWS_NONE,      /* no draws: the figure counts work or reads current
                      states */
    CS_DRAWS_KINDS
} cs_figure_draws;

/* How the standard error is computed. */
typedef enum cs_figure_spread {
    CS_SPREAD_JACKKNIFE, /* leave out one group of chains at a time */
    /* resample groups of chains; for medians, maxima and counts of distinct
     * values, for which the jackknife fails */
    CS_SPREAD_BOOTSTRAP,
    CS_SPREAD_SEEDS, /* only runs with other seeds give an error */
    CS_SPREAD_COUNT, /* a count in this run: no error */
    CS_SPREAD_KINDS
} cs_figure_spread;

/* The kind of object that a query names in `of`. */
typedef enum cs_figure_kind {
    CS_OF_NOTHING,
    CS_OF_COORDINATE,
    CS_OF_LEVEL,       /* a coordinate and a share of its draws */
    CS_OF_LAG,         /* a coordinate and a lag */
    CS_OF_SUPERCHAINS, /* a coordinate and a number of superchains */
    CS_OF_CONDITION,   /* a condition on a draw, which a script computes */
    CS_OF_MODE,
    CS_OF_POSITION, /* position in a kernel's cycle */
    CS_OF_STEP,
    CS_OF_ARM,
    CS_OF_BUDGET,       /* work of a chain, or "300 steps from ARM" */
    CS_OF_PLAIN_BUDGET, /* work of a chain */
    /* the work at which arms are compared; only the race supplies it */
    CS_OF_WORK,
    CS_OF_KINDS
} cs_figure_kind;

enum {
    CS_FIGURE_NEEDS = 1, /* `of` is required */
    /* grows with the work done: arms with unequal work are not ranked */
    CS_FIGURE_TOTAL = 2,
    /* once reached, the value does not change when the run is continued */
    CS_FIGURE_REACHED = 4,
    /* a property of kernel and target, which a longer run only estimates
     * better */
    CS_FIGURE_STEADY = 8,
    CS_FIGURE_FAST = 16,   /* the better arm is the faster one */
    CS_FIGURE_SCALED = 32, /* arms are compared by their ratio */
    /* a cost: less is better, but the benefit is not measured, so sweeps do not
     * rank it */
    CS_FIGURE_COST = 64,
    CS_FIGURE_STOPS = 128, /* may be used in a stop rule */
    CS_FIGURE_SEEN = 256,  /* an observation in this run, not an estimate */
    /* the figure is about the log density, so the kernel must compute it */
    CS_FIGURE_LOGP = 512,
    /* counts the work of the warm-up, whose share falls as the run continues:
     * with CS_FIGURE_STEADY, steady only for an arm without warm-up */
    CS_FIGURE_ALL_WORK = 1024
};

/* No quantity, no arm or no position. */
#define CS_OF_NONE ((size_t)-1)

typedef struct cs_figure_type cs_figure_type;

/* A query: which figure of which arm. */
typedef struct cs_figure_of {
    const cs_figure_type *type; /* set by cs_figure_ask */
    size_t arm;
    /* index, from 1, of the coordinate, mode, position or step; coordinate 0 is
     * the log density, and from CS_FACTS_DERIVED on it is a function of the
     * draws. NAN: no index was given, so the query is about the worst value */
    double k;
    /* for a query about a sample of the chains: the quantity whose figure is
     * worst if the figure is computed from all chains. CS_OF_NONE: not known */
    size_t at;
    size_t other; /* the arm named in `of`; CS_OF_NONE: none */
    /* CS_OF_LEVEL: a share between 0 and 1; CS_OF_LAG: the lag, in kept draws;
     * CS_OF_SUPERCHAINS: their number */
    double level;
    double work; /* NAN: not given */
    cs_unit unit;
    /* true: the caller reads neither the error nor `vague`, so that facts which
     * only these need are not computed */
    bool value_only;
} cs_figure_of;

/* Returns a query for an arm; all other members are unset. */
cs_figure_of cs_figure_of_arm(size_t arm);

typedef struct cs_figure {
    double value; /* NAN: no value */
    /* error: standard error of log(value), or of the value itself if it is an
     * observation. freedom: degrees of freedom of the error. Both are NAN if
     * the facts do not contain them */
    double error, freedom;
    /* the quantity to which the value belongs, if there are several; else
     * CS_OF_NONE */
    size_t at;
    /* reason why there is no value, to follow the arm's name: "has no weights";
     * NULL: there is a value */
    const char *missing;
    /* reason why the value is too imprecise to compare; NULL: none */
    const char *vague;
} cs_figure;
extern const cs_figure cs_no_figure;

struct cs_figure_type {
    const char *name, *title;
    const char *unit;  /* "" for shares and other pure numbers */
    const char *help;  /* definition, in one sentence */
    const char *probe; /* probe that must observe the arm; NULL: none */
    cs_figure_draws draws;
    cs_merit merit;
    cs_figure_spread spread;
    unsigned flags;
    cs_figure_kind of;
    /* if the figure is a mean over chains: the range of possible values for one
     * chain. If both are 0, the range is not known */
    double low, high;
    cs_figure (*find)(const cs_facts *f, const cs_figure_of *q);
    /* OPTIONAL. For CS_OF_WORK: returns the work that the arm has reached, up
     * to which the figure is known. */
    double (*reach)(const cs_facts *f, const cs_figure_of *q);
    /* reason for a missing value if `find` gives no reason; see cs_figure */
    const char *missing;
    /* Key of an entry in the facts, and index of a column of this entry. Used
     * if several figures share one `find` function. */
    const char *key;
    size_t column;
};

#define CS_FIGURE(name, file) extern const cs_figure_type cs_figure_##name;
#include "figure/figures.def"
#undef CS_FIGURE

/* cs_figure_at returns figure number i (NULL past the last); cs_figure_find
 * returns the figure with a name (NULL if no figure has that name). */
const cs_figure_type *cs_figure_at(size_t i);
const cs_figure_type *cs_figure_find(const char *name);

/* Computes a figure. If it has no value, `missing` gives the reason. An invalid
 * query sets f->err. */
cs_figure cs_figure_ask(const cs_figure_type *t, const cs_facts *f,
                        cs_figure_of q);

/* Returns the name of a kind or spread, for example "coordinate" or
 * "jackknife". */
const char *cs_figure_kind_name(cs_figure_kind kind);
const char *cs_figure_spread_name(cs_figure_spread spread);

/* Returns true if values must not be ranked because the arms did unequal
 * amounts of work, from `least` to `most`. Then writes the reason to text[size]
 * as the end of a sentence: "work is unequal and ess grows with it". */
bool cs_figure_is_unranked(const cs_figure_type *t, double least, double most,
                           char *text, size_t size);

/* Returns the mean of x[0], x[apart], ... (n values), with the standard error
 * of its logarithm over chains. Values that are not finite are left out. */
cs_figure cs_figure_over_chains(const double *x, size_t n, size_t apart);
