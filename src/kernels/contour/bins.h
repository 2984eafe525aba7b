/* Bins of the energy, or of another function of the state: what kernels share
 * that learn a weight for each. Bin 1 is all up to `first`, the last is all
 * above, those between are `width` wide; or borders are given in place of both.
 * In C they count from 0. */
#pragma once

#include "kernel/lists.h"

#include <math.h>

/* A bin's weight is still being learned where the last visit to it moved its
 * log weight by more than this, or there was none. */
static const double CS_BIN_SETTLED = 0.05;

typedef struct cs_bins {
    double first, width; /* the upper border of bin 0; of bins 1 .. n - 2 */
    size_t n;            /* 2 or more */
    /* OPTIONAL [n - 1] in place of both: the upper borders of bins 0 .. n - 2,
     * rising. (Of a single one the width is `width`.) */
    const double *border;
} cs_bins;

/* The first bin whose upper border is not below the value. */
static inline size_t cs_bin_search(cs_bins b, double value)
{
    size_t low = 0, left = b.n - 1;
    while (left) {
        size_t half = left / 2;
        bool above = value > b.border[low + half];
        low += above ? half + 1 : 0;
        left = above ? left - half - 1 : half;
    }
    return low;
}

/* The bin of a value. Compared before it is converted: an energy may be huge. */
static inline size_t cs_bin_of(cs_bins b, double value)
{
    if (b.border)
        return cs_bin_search(b, value);
    double r = (value - b.first) / b.width;
    if (!(r > 0))
        return 0;
    return r > (double)(b.n - 2) ? b.n - 1 : (size_t)ceil(r);
}

/* The width of bin i; of those at the ends that of their neighbour. */
static inline double cs_bin_width(cs_bins b, size_t i)
{
    size_t at = i < 1 ? 1 : i + 2 > b.n ? b.n - 2 : i;
    return b.border && b.n > 2 ? b.border[at] - b.border[at - 1] : b.width;
}

/* The lower border of bin i, the open ends one width beyond the last. */
static inline double cs_bin_low(cs_bins b, size_t i)
{
    if (!b.border)
        return b.first + ((double)i - 1) * b.width;
    if (i == 0)
        return b.border[0] - cs_bin_width(b, 0);
    return i < b.n ? b.border[i - 1]
                   : b.border[b.n - 2] + cs_bin_width(b, b.n - 1);
}

/* Lists of kernels with bins, behind their numbers, in this order. */
enum { CS_BIN_BORDERS, CS_BIN_LOG_WEIGHTS, CS_BIN_LISTS };
enum { CS_BIN_MOST = 10000 };

#define CS_BIN_LIST_ROWS(numbers, paper)                                       \
    [(numbers) +                                                               \
        CS_BIN_BORDERS] =                                                      \
        {.name = "borders",                                                    \
         .unit = "nats",                                                       \
         .kind = CS_PARAM_ARRAY,                                               \
         .flags = CS_PARAM_FIXED,                                              \
         .max = CS_BIN_MOST - 1,                                               \
         .help = "rising borders between the bins, in place of first, width "  \
                 "and bins",                                                   \
         .ref = paper},                                                        \
        [(numbers) + CS_BIN_LOG_WEIGHTS] = {                                   \
            .name = "log_weights",                                             \
            .unit = "nats",                                                    \
            .kind = CS_PARAM_ARRAY,                                            \
            .flags = CS_PARAM_FIXED,                                           \
            .max = CS_BIN_MOST,                                                \
            .help =                                                            \
                "of each bin, up to a constant: where learning begins, or "    \
                "with gain = 0 the weights that are known",                    \
            .ref = paper}

/* That a list, if it was given, has one number for each bin. */
cs_status cs_bins_check_list(const cs_value *list, double bins, cs_error *err);

/* `arrange` of such a kernel: FIRST, WIDTH and BINS stand at given[first] and
 * behind it, the lists at given[numbers]. What borders say follows: `first`,
 * `bins`, and as `width` their mean. */
cs_status cs_bins_arrange(const cs_value *given, size_t first, size_t numbers,
                          double *values, cs_error *err);

/* Given log weights as weights of sum 1, in theta[n * stride], none below
 * `least`; equal ones where none were given. */
void cs_bins_weigh(const double *log_weight, size_t n, double least,
                   double *theta, size_t stride);

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
               .max = CS_BIN_MOST,                                             \
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

/* Of the chains that have not failed (none: NaN; visits are of all), under keys
 * that start with `prefix`, each [bins]: bin_low, bin_high, in units of the
 * function binned; bin_weight, the mean of the weights, of sum 1; bin_spread,
 * the standard deviation over chains of their logarithm, NaN with one chain;
 * bin_multiplier, mean; bin_visits, share of the steps; bin_learning, share of
 * the chains. */
void cs_bins_report(const cs_bins_told *told, const cs_exchange *m,
                    const char *prefix, cs_flat *out);
