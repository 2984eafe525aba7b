/* Reports on single quantities from the diagnosed draws (run/draws/diagnosed.h):
 * the energy -log p, coordinates. A report is made from a copy of the draws, on
 * another thread; exact answers are computed before, on the thread that owns
 * the target. */
#pragma once

#include "run/draws/chosen.h"
#include "run/draws/diagnosed.h"
#include "run/draws/quantity_rows.h"
#include "target/marginal.h"

enum {
    CS_QUANTITIES = 8,     /* words at a time */
    CS_QUANTITY_WORD = 160 /* bytes of a word */
};

/* A requested word: "marginal=x.3", "pairs=x.1,x.2". */
typedef struct cs_quantity {
    char word[CS_QUANTITY_WORD];
    size_t kind; /* see quantities.c */
    size_t
        scalar[CS_QUANTITY_MOST]; /* 0: the energy, then coordinates from 1 */
    size_t n;
    unsigned long long from, to; /* steps of a branch: "series=x.1@0..9" */
    const char *why; /* why there is no report; NULL: there is one */
} cs_quantity;

/* Exact answers about one scalar. */
typedef struct cs_quantity_truth {
    size_t scalar;
    cs_marginal marginal;
} cs_quantity_truth;

/* All requests for a run. */
typedef struct cs_quantities {
    char words[CS_QUANTITIES * CS_QUANTITY_WORD];
    uint64_t number; /* increases when they change or more is known */
    cs_quantity one[CS_QUANTITIES];
    size_t n;
    cs_quantity_truth truth[CS_QUANTITIES]; /* of the first scalar of each */
    size_t n_truth, sought;                 /* exact answers found, and words
                                             * searched */
} cs_quantities;

/* Draws of one word's quantities, for the report functions. */
typedef struct cs_quantity_draws {
    const cs_chosen *chosen;
    const size_t *scalar;              /* [n] */
    const double *x[CS_QUANTITY_MOST]; /* [n] [chains][draws] */
    size_t n;
    unsigned long long from, to; /* see cs_quantity */
    const cs_marginal *truth;    /* of the first; NULL: unknown */
    const char *prefix;
    cs_flat *out;
} cs_quantity_draws;

/* A report function; false: out of memory. (quantity_*.c) */
typedef bool cs_quantity_report(const cs_quantity_draws *q);
cs_quantity_report cs_report_marginal, cs_report_autocorrelation,
    cs_report_ranks, cs_report_running, cs_report_pairs, cs_report_series;

/* Reads the requested words; true if they have changed. */
bool cs_quantities_read(cs_quantities *w, const cs_target *t,
                        const char *words);
/* Computes the exact answers of one more word; false: all are known. */
bool cs_quantities_settle(cs_quantities *w, const cs_target *t);
void cs_quantities_free(cs_quantities *w);

/* Writes the coordinates whose draws are needed to out[], from 0, ascending,
 * only those below `there`; returns their number. */
size_t cs_quantities_columns(const cs_quantities *w, size_t there,
                             size_t out[CS_QUANTITIES * CS_QUANTITY_MOST]);

/* Reports all of them under prefix ("arm/0/draws/"), from a view whose
 * coordinates are column[columns]. */
void cs_quantities_report(const cs_quantities *w, const cs_target *t,
                          cs_diagnosed_view *v, const size_t *column,
                          size_t columns, const char *prefix, cs_flat *out);
