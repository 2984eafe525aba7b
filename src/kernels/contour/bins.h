/* Bins of the energy, or of another function of the state: what kernels share
 * that learn a weight for each. Bin 1 is all up to `first`, the last is all
 * above, those between are `width` wide. In C they count from 0. */
#ifndef CS_KERNELS_CONTOUR_BINS_H
#define CS_KERNELS_CONTOUR_BINS_H

#include "kernel/kernel.h"

#include <math.h>

/* A bin's weight is still being learned where the last visit to it moved its
 * log weight by more than this, or there was none. */
static const double CS_BIN_SETTLED = 0.05;

typedef struct cs_bins {
    double first, width; /* the upper border of bin 0; of bins 1 .. n - 2 */
    size_t n;            /* 2 or more */
} cs_bins;

/* The bin of a value. Compared before it is converted: an energy may be huge. */
static inline size_t cs_bin_of(cs_bins b, double value)
{
    double r = (value - b.first) / b.width;
    if (!(r > 0))
        return 0;
    return r > (double)(b.n - 2) ? b.n - 1 : (size_t)ceil(r);
}

/* The lower border of bin i, the open ends one width beyond the last. */
static inline double cs_bin_low(cs_bins b, size_t i)
{
    return b.first + ((double)i - 1) * b.width;
}

/* The rows of their parameters, where they stand. */
#define CS_BIN_ROWS(first_, width_, bins_, first_help, paper)                  \
    [first_] = {.name = "first",                                               \
                .unit = "nats",                                                \
                .min = -1e300,                                                 \
                .max = 1e300,                                                  \
                .help = first_help,                                            \
                .ref = paper},                                                 \
    [width_] = {.name = "width",                                               \
                .unit = "nats",                                                \
                .flags = CS_PARAM_LOG,                                         \
                .min = 1e-100,                                                 \
                .max = 1e100,                                                  \
                .def = 1,                                                      \
                .help = "of the bins between the first and the last",          \
                .ref = paper},                                                 \
    [bins_] = {.name = "bins",                                                 \
               .unit = "bins",                                                 \
               .kind = CS_PARAM_INT,                                           \
               .flags = CS_PARAM_LOG | CS_PARAM_SHARED | CS_PARAM_FIXED,       \
               .min = 2,                                                       \
               .max = 10000,                                                   \
               .def = 50,                                                      \
               .help = "m, their number",                                      \
               .ref = paper}

/* ---- the report, cold ---------------------------------------------------- */

/* What the memory of chain c has on bin i. */
typedef double cs_bin_number(const cs_exchange *m, size_t c, size_t i);

typedef struct cs_bins_told {
    cs_bins bins;
    cs_bin_number *log_weight; /* up to a constant of the chain's */
    cs_bin_number *visits;     /* how many steps ended in it */
    cs_bin_number *learning;   /* 1: its weight is still being learned, or 0 */
    cs_bin_number *multiplier; /* OPTIONAL: of the gradient there */
} cs_bins_told;

/* Of the chains that have not failed (none: NaN; visits are of all), under keys that start with `prefix`, each
 * [bins]: bin_low, bin_high, in units of the function binned; bin_weight, the
 * mean of the weights, of sum 1; bin_spread, the standard deviation over chains
 * of their logarithm, NaN with one chain; bin_multiplier, mean; bin_visits,
 * share of the steps; bin_learning, share of the chains. */
void cs_bins_report(const cs_bins_told *told, const cs_exchange *m,
                    const char *prefix, cs_flat *out);

#endif
