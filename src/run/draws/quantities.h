/* Reports on quantities (the energy -log p, coordinates) computed from the
 * diagnosed draws (run/draws/diagnosed.h). A report is made on another thread
 * from a copy of the draws. Exact answers are computed earlier, on the thread
 * that owns the target. */
#pragma once

#include "run/draws/chosen.h"
#include "run/draws/diagnosed.h"
#include "run/draws/quantity_rows.h"
#include "target/marginal.h"

enum {
    CS_QUANTITIES = 8,     /* maximum number of requests */
    CS_QUANTITY_WORD = 160 /* maximum bytes of a request */
};

/* A request: "marginal=x.3", "pairs=x.1,x.2". */
typedef struct cs_quantity {
    char word[CS_QUANTITY_WORD];
    size_t kind; /* index of the kind in the table of quantities.c */
    /* 0: the energy; d: coordinate d, from 1 */
    size_t scalar[CS_QUANTITY_MOST];
    size_t n;
    /* steps of a time series, as in "series=x.1@0..9" */
    unsigned long long from, to;
    const char *why; /* reason why the report is missing; NULL: it exists */
} cs_quantity;

/* Exact answers about one scalar. */
typedef struct cs_quantity_truth {
    size_t scalar;
    cs_marginal marginal;
} cs_quantity_truth;

/* All requests of a run. */
typedef struct cs_quantities {
    char words[CS_QUANTITIES * CS_QUANTITY_WORD];
    uint64_t number; /* increases with each new request or exact answer */
    cs_quantity one[CS_QUANTITIES];
    size_t n;
    /* exact answers, each about the first scalar of a request */
    cs_quantity_truth truth[CS_QUANTITIES];
    /* n_truth: number of exact answers; sought: number of requests whose exact
     * answer was sought */
    size_t n_truth, sought;
} cs_quantities;

/* The draws for one request, passed to the report functions. */
typedef struct cs_quantity_draws {
    const cs_chosen *chosen;
    const size_t *scalar;              /* [n] */
    const double *x[CS_QUANTITY_MOST]; /* [n] [chains][draws] */
    size_t n;
    unsigned long long from, to; /* first and last step of a time series */
    /* exact marginal of the first scalar; NULL: unknown */
    const cs_marginal *truth;
    const char *prefix;
    cs_flat *out;
} cs_quantity_draws;

/* A report function (quantity_*.c); returns false if memory runs out. */
typedef bool cs_quantity_report(const cs_quantity_draws *q);
cs_quantity_report cs_report_marginal, cs_report_autocorrelation,
    cs_report_ranks, cs_report_running, cs_report_pairs, cs_report_series;

/* Reads the requests. Returns true if the requests have changed. */
bool cs_quantities_read(cs_quantities *w, const cs_target *t,
                        const char *words);
/* Computes the exact answers for one more request. Returns false if the exact
 * answers for all requests are computed. */
bool cs_quantities_settle(cs_quantities *w, const cs_target *t);
void cs_quantities_free(cs_quantities *w);

/* Lists the coordinates whose draws are needed in out[], in ascending order,
 * and returns their number. Here coordinates are numbered from 0, unlike in
 * cs_quantity. Omits coordinates that are not less than `there`. */
size_t cs_quantities_columns(const cs_quantities *w, size_t there,
                             size_t out[CS_QUANTITIES * CS_QUANTITY_MOST]);

/* Writes the reports of all requests with the key prefix `prefix`
 * ("arm/0/draws/"), from a view with coordinates column[columns]. */
void cs_quantities_report(const cs_quantities *w, const cs_target *t,
                          cs_diagnosed_view *v, const size_t *column,
                          size_t columns, const char *prefix, cs_flat *out);
