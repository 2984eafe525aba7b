/* The figures of an arm's draws in summaries. They are the report of the probe
 * diagnostics, as named columns with a row per quantity. */
#pragma once

#include "figure/figure.h"
#include "run/arms/spec.h"
#include "stat/diagnostics.h"
#include "stat/multivariate_size.h"

#include <math.h>

enum { CS_FIGURE_NAME = 64 };

/* If there are at most CS_FIGURES_ALL rows, all rows are shown. Otherwise three
 * kinds of rows are shown: log p, at most CS_FIGURES_SCALARS scalars, and the
 * CS_FIGURES_WORST worst rows. */
enum { CS_FIGURES_ALL = 21, CS_FIGURES_WORST = 10, CS_FIGURES_SCALARS = 10 };

typedef struct cs_figure_column {
    const cs_figure_type *type; /* its name is the name of the column */
    int digits;                 /* number of decimals; 0: as needed */
    bool printed;               /* in tables; others are in CSV and JSON */
} cs_figure_column;

/* All members are [borrowed] from `memory`. rows is 0 if there are no
 * figures. */
typedef struct cs_arm_figures {
    unsigned char *memory;   /* [own] */
    const cs_figures *table; /* [rows] */
    /* [rows][probabilities.n] NULL: no quantiles are known */
    const cs_quantile_figures *quantiles;
    cs_probabilities probabilities;
    size_t rows;
    const char *reason, *words;
    double kish, kept, every, whole, missing, known, diagnosed, of;
    /* chains: number of chains whose draws the rows describe; of_chains: number
     * of all chains */
    double chains, of_chains;
    cs_joint_size joint; /* multivariate effective size */
    cs_logp_kind logp;   /* kind of lp__ */
} cs_arm_figures;

/* Reads the figures of an arm. Free with cs_arm_figures_free. */
cs_arm_figures cs_arm_figures_read(cs_run *run, size_t arm);
void cs_arm_figures_free(cs_arm_figures *d);

/* True if the draws have different weights; figures that rank draws are then
 * undefined. */
static inline bool cs_arm_figures_weighted(const cs_arm_figures *d)
{
    return !isnan(d->kish);
}

/* Returns the columns of cs_figures. For weighted draws, undefined columns are
 * omitted. */
const cs_figure_column *cs_figure_columns(bool weighted, size_t *n);
/* Writes the name of a quantile, "2.5%", to out[CS_QUANTILE_NAME]. */
enum { CS_QUANTILE_NAME = 24 };
void cs_quantile_name(double p, char *out);
/* Returns quantile j of row i; NAN if it is not known. */
cs_quantile_figures cs_arm_figures_quantile(const cs_arm_figures *d, size_t i,
                                            size_t j);
double cs_figure_value(const cs_arm_figures *d, size_t row,
                       const cs_figure_column *c);

/* Returns the first row with figures: row 0 (log p) may be missing. */
size_t cs_arm_figures_first(const cs_arm_figures *d);

/* Writes the name of row i's quantity to out[CS_FIGURE_NAME]. */
void cs_arm_figures_name(const cs_run *run, size_t row, char *out);

/* Marks the rows for a summary in shown[rows]. If there are only a few rows,
 * marks all. Otherwise marks log p, the first scalars (names without an index)
 * and the worst of the other rows. `also` (or NULL) adds names separated by
 * commas: quantities, vectors ("z" adds z.1, z.2, ...), or "*" for all. Returns
 * the number of marked scalars. */
size_t cs_arm_figures_choose(const cs_run *run, const cs_arm_figures *d,
                             const char *also, bool *shown);

/* cs_arm_accepted returns the fraction of accepted steps. cs_arm_acceptance
 * returns the mean acceptance that the kernel reports, and sets *tells to true.
 * If the kernel reports none, it returns the fraction of accepted steps, and
 * sets *tells to false. NaN: unknown, for example before the first step or for
 * draws from files without accept_stat__. */
double cs_arm_accepted(cs_run *run, size_t arm);
double cs_arm_acceptance(cs_run *run, size_t arm, bool *tells);
