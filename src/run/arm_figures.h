/* The figures of an arm's draws that a summary shows: what the probe
 * diagnostics has reported of it, a row a quantity, as columns with names. */
#pragma once

#include "run/run.h"
#include "stat/diagnostics.h"

enum { CS_FIGURE_NAME = 64 };

/* Up to so many rows are all shown, else log p, at most so many scalars and so many
 * of the worst. */
enum { CS_FIGURES_ALL = 21, CS_FIGURES_WORST = 10, CS_FIGURES_SCALARS = 10 };

typedef struct cs_figure_column {
    size_t at; /* of cs_figures */
    const char *name;
    int digits; /* after the point, 0: as many as a number needs */
} cs_figure_column;

/* Everything but `memory` is [borrowed] from it; rows 0 where there is none. */
typedef struct cs_arm_figures {
    unsigned char *memory;         /* [own] */
    const cs_figures *table;       /* [rows] */
    const cs_quantiles *quantiles; /* [rows]; NULL: draws count alike */
    size_t rows;
    const char *reason, *words;
    double kish, kept, every, whole, missing, known, judged, of;
    double chains, of_chains; /* that the rows are of, the first of all */
    cs_logp_kind logp;        /* what lp__ is */
} cs_arm_figures;

/* End it with cs_arm_figures_free. */
cs_arm_figures cs_arm_figures_read(cs_run *run, size_t arm);
void cs_arm_figures_free(cs_arm_figures *d);

/* The columns of cs_figures that are shown; of weighted draws some have no
 * meaning, and quantiles stand behind them. */
const cs_figure_column *cs_figure_columns(bool weighted, size_t *n);
extern const char *const cs_quantile_names[CS_QUANTILES];
double cs_figure_value(const cs_arm_figures *d, size_t row,
                       const cs_figure_column *c);

/* The first row of the table that is one: there may be no log p. */
size_t cs_arm_figures_first(const cs_arm_figures *d);

/* Row i's quantity into out[CS_FIGURE_NAME]. */
void cs_arm_figures_name(const cs_run *run, size_t row, char *out);

/* Marks in shown[rows] the rows that a summary has room for: all, if they are few;
 * else log p, the first scalars (names without an index) and the worst of the
 * others. `also` (NULL: nothing) marks more: names with commas between them, of
 * quantities or of vectors ("z" marks z.1, z.2 ...), or "*" for all. Returns how
 * many scalars were marked as such. */
size_t cs_arm_figures_choose(const cs_run *run, const cs_arm_figures *d,
                             const char *also, bool *shown);

/* The share of steps that were accepted; what the kernel itself tells of its
 * acceptance where it does (*tells). NaN: there were no steps. */
double cs_arm_accepted(cs_run *run, size_t arm);
double cs_arm_acceptance(cs_run *run, size_t arm, bool *tells);
