/* What is looked at of single quantities, in the draws that are judged
 * (run/judged.h): of the energy -log p, of coordinates. A report is made of a
 * copy of those draws, on another thread; what is exact is found before, on the
 * thread that owns the target. */
#pragma once

#include "run/chosen.h"
#include "run/quantity_rows.h"
#include "target/marginal.h"

enum {
    CS_QUANTITIES = 8,     /* words at once */
    CS_QUANTITY_WORD = 160 /* bytes of one */
};

/* A word that was asked for: "marginal=x.3", "pairs=x.1,x.2". */
typedef struct cs_quantity {
    char word[CS_QUANTITY_WORD];
    size_t kind; /* see quantities.c */
    size_t
        scalar[CS_QUANTITY_MOST]; /* 0: the energy, then coordinates from 1 */
    size_t n;
    unsigned long long from, to; /* steps of a course: "course=x.1@0..9" */
    const char *why;             /* nothing can be said, NULL: something can */
} cs_quantity;

/* What is exact of one scalar. */
typedef struct cs_quantity_truth {
    size_t scalar;
    cs_marginal marginal;
} cs_quantity_truth;

/* All that is asked for of a run. */
typedef struct cs_quantities {
    char words[CS_QUANTITIES * CS_QUANTITY_WORD];
    uint64_t number; /* grows when they change, or more is known of them */
    cs_quantity one[CS_QUANTITIES];
    size_t n;
    cs_quantity_truth truth[CS_QUANTITIES]; /* of the first scalar of each */
    size_t n_truth, sought;                 /* sought: of so many words */
} cs_quantities;

/* Draws of one word's quantities, for the functions that report on them. */
typedef struct cs_quantity_draws {
    const cs_chosen *chosen;
    const size_t *scalar;              /* [n] */
    const double *x[CS_QUANTITY_MOST]; /* [n] [chains][draws] */
    size_t n;
    unsigned long long from, to; /* see cs_quantity */
    const cs_marginal *truth;    /* of the first, NULL: not known */
    const char *prefix;
    cs_flat *out;
} cs_quantity_draws;

/* One each; false: memory was wanting. (quantity_*.c) */
typedef bool cs_quantity_report(const cs_quantity_draws *q);
cs_quantity_report cs_report_marginal, cs_report_autocorrelation,
    cs_report_ranks, cs_report_running, cs_report_pairs, cs_report_course;

/* Reads the words that are asked for; true where they are others than before. */
bool cs_quantities_read(cs_quantities *w, const cs_target *t,
                        const char *words);
/* Finds what is exact of one word more; false: all is found. */
bool cs_quantities_settle(cs_quantities *w, const cs_target *t);
void cs_quantities_free(cs_quantities *w);

/* The coordinates whose draws they need, from 0, ascending, of those that there
 * are: into out[]; returns how many. */
size_t cs_quantities_columns(const cs_quantities *w, size_t there,
                             size_t out[CS_QUANTITIES * CS_QUANTITY_MOST]);

/* Reports on all of them under prefix ("arm/0/draws/"), of a view whose
 * coordinates are column[columns]. */
void cs_quantities_report(const cs_quantities *w, const cs_target *t,
                          cs_judged_view *v, const size_t *column,
                          size_t columns, const char *prefix, cs_flat *out);

/* The part of a cs_copy (run/run.h) that is of them. (quantity_copy.c) */
cs_status cs_copy_take_draws(cs_copy *c, const cs_run *r, size_t arm,
                             cs_error *err);
void cs_copy_report_draws(const cs_copy *c, cs_flat *out);
void cs_copy_free_wanted(cs_copy *c);
