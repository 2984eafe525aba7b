/* Predictive checks: data y[n] beside m replicated data sets, drawn from the
 * posterior (or prior) predictive distribution (Gelman, Meng and Stern 1996;
 * Gabry et al. 2019).
 *
 * A view maps a data set to a few numbers: a density on a grid, the counts of
 * values, the shares of ones in groups. It compares the numbers of the data
 * with their quantiles over the replications. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The data and the replicated data. All numbers are finite. */
typedef struct cs_replications {
    const double *data; /* [n] [borrowed] */
    const double *rep;  /* [m][n] a replication per row [borrowed] */
    size_t n, m;        /* both at least 1 */
} cs_replications;

/* A row of a view. Rows of a report have this type: only doubles, in this
 * order. */
typedef struct cs_predictive_row {
    double x;    /* position of the row, see the views */
    double data; /* number computed from the data */
    /* 5, 25, 75 and 95 % quantiles over the replications; mid: their mean or
     * (intervals) median */
    double low, lower, mid, upper, high;
} cs_predictive_row;

typedef enum cs_predictive_view {
    /* x: value; data: density, by a Gaussian kernel whose width is
     * Silverman's for the data, but at least a cell of the grid */
    CS_PREDICTIVE_DENSITY,
    CS_PREDICTIVE_INTERVAL, /* x: number of the observation, from 1 */
    /* x: lowest value of a bin of equal whole width; data: number of
     * observations in the bin */
    CS_PREDICTIVE_ROOTOGRAM,
    /* Observations in groups by their predicted probability, the mean of
     * their replications. x: mean predicted probability of the group; data:
     * share of ones */
    CS_PREDICTIVE_CALIBRATION,
    CS_PREDICTIVE_VIEWS
} cs_predictive_view;

extern const char *const cs_predictive_view_names[CS_PREDICTIVE_VIEWS];

/* cs_predictive_fits returns true if the view is defined for the data:
 * rootograms need whole numbers from 0, calibration needs zeros and ones.
 * cs_predictive_compute returns its rows, and sets *rows to their number (at
 * most `most`, at least 2, for intervals: if there are more observations, they
 * are chosen evenly). [own: cs_free] Returns NULL if memory runs out, or if
 * the numbers have no density: their range is not finite. */
bool cs_predictive_fits(cs_predictive_view view, const cs_replications *r);
cs_predictive_row *cs_predictive_compute(cs_predictive_view view,
                                         const cs_replications *r, size_t most,
                                         size_t *rows);

/* Shares of the observations inside the central 50 % and 90 % intervals of
 * their replications. Both are NAN if memory runs out. */
typedef struct cs_predictive_cover {
    double half, most;
} cs_predictive_cover;
cs_predictive_cover cs_predictive_covered(const cs_replications *r);

/* Statistics by name: mean, sd, min, max, median, zeros (the share of zeros).
 * cs_predictive_statistic_name returns NULL past the last. */
typedef double cs_predictive_statistic(const double *y, size_t n);
cs_predictive_statistic *cs_predictive_statistic_find(const char *name);
const char *cs_predictive_statistic_name(size_t i);

/* A statistic T of the data beside T of the replications t[m]. */
typedef struct cs_predictive_test {
    double data;            /* T of the data */
    double mean, low, high; /* mean, 5 and 95 % quantiles of t */
    /* posterior predictive p: the share of t above T of the data, where an
     * equal t counts as a half; and its Monte Carlo error, NAN if all shares
     * are equal */
    double p, error;
} cs_predictive_test;

/* `chains` chains of equal length make up t[m] in this order; 0: unknown, the
 * replications count as independent. Returns false if memory runs out. */
bool cs_predictive_compare(double data, const double *t, size_t m,
                           size_t chains, cs_predictive_test *out);
