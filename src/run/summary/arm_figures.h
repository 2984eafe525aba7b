/* The figures of an arm's draws in summaries: the report of the probe
 * diagnostics, a row per quantity, as named columns. */
#pragma once

#include "figure/figure.h"
#include "run/arms/spec.h"
#include "stat/diagnostics.h"

enum { CS_FIGURE_NAME = 64 };

/* Up to ALL rows are all shown; otherwise log p, at most SCALARS scalars and
 * the WORST worst rows. */
enum { CS_FIGURES_ALL = 21, CS_FIGURES_WORST = 10, CS_FIGURES_SCALARS = 10 };

typedef struct cs_figure_column {
    const cs_figure_type *type; /* which has the column's name */
    int digits;                 /* decimals; 0: as many as a number needs */
} cs_figure_column;

/* All members except `memory` are [borrowed] from it; rows 0 if there are
 * none. */
typedef struct cs_arm_figures {
    unsigned char *memory;         /* [own] */
    const cs_figures *table;       /* [rows] */
    const cs_quantiles *quantiles; /* [rows]; NULL: unweighted draws */
    size_t rows;
    const char *reason, *words;
    double kish, kept, every, whole, missing, known, diagnosed, of;
    double chains, of_chains; /* with draws: in the rows, in total */
    cs_logp_kind logp;        /* kind of lp__ */
} cs_arm_figures;

/* End it with cs_arm_figures_free. */
cs_arm_figures cs_arm_figures_read(cs_run *run, size_t arm);
void cs_arm_figures_free(cs_arm_figures *d);

/* Returns the displayed columns of cs_figures. For weighted draws some are
 * undefined and omitted, and quantiles follow. */
const cs_figure_column *cs_figure_columns(bool weighted, size_t *n);
extern const char *const cs_quantile_names[CS_QUANTILES];
double cs_figure_value(const cs_arm_figures *d, size_t row,
                       const cs_figure_column *c);

/* Returns the first row with figures: log p may be missing. */
size_t cs_arm_figures_first(const cs_arm_figures *d);

/* Writes the name of row i's quantity to out[CS_FIGURE_NAME]. */
void cs_arm_figures_name(const cs_run *run, size_t row, char *out);

/* Marks in shown[rows] the rows for a summary: all, if they are few; else log
 * p, the first scalars (names without an index) and the worst of the others.
 * `also` (may be NULL) adds names separated by commas, of quantities or of
 * vectors ("z" adds z.1, z.2 ...), or "*" for all. Returns the number of marked
 * scalars. */
size_t cs_arm_figures_choose(const cs_run *run, const cs_arm_figures *d,
                             const char *also, bool *shown);

/* Returns the fraction of accepted steps, or the acceptance that the kernel
 * itself reports (*tells). NaN: no steps. */
double cs_arm_accepted(cs_run *run, size_t arm);
double cs_arm_acceptance(cs_run *run, size_t arm, bool *tells);
