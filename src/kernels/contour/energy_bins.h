/* Bins of the energy, or of another function of the state, for kernels that
 * learn a weight for each bin. Bin 1 holds all values up to `first`. The last
 * bin holds the largest values and has no upper border. The bins between are
 * `width` wide. Alternatively `borders` are given. In C the bins are numbered
 * from 0. */
#pragma once

#include "kernel/lists.h"

#include <math.h>

/* Threshold for learning. A bin that was never visited is still being learned.
 * A visited bin is still being learned if its last visit changed its log weight
 * by more than this value. */
static const double CS_BIN_SETTLED = 0.05;

typedef struct cs_bins {
    double first, width; /* first: upper border of bin 0; width: width of bins
                            1 .. n - 2 */
    size_t n;            /* number of bins, at least 2 */
    /* OPTIONAL [n - 1], replaces `first` and `width`: increasing upper borders
     * of bins 0 .. n - 2. (With a single border the width is `width`.) */
    const double *border;
} cs_bins;

/* Returns the first bin whose upper border is not less than the value. */
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

/* Returns the bin of a value. Compares before converting to an integer, because
 * an energy may be huge. */
static inline size_t cs_bin_of(cs_bins b, double value)
{
    if (b.border)
        return cs_bin_search(b, value);
    double r = (value - b.first) / b.width;
    if (!(r > 0))
        return 0;
    return r > (double)(b.n - 2) ? b.n - 1 : (size_t)ceil(r);
}

/* Returns the width of bin i. The end bins have the width of their
 * neighbour. */
static inline double cs_bin_width(cs_bins b, size_t i)
{
    size_t at = i < 1 ? 1 : i + 2 > b.n ? b.n - 2 : i;
    return b.border && b.n > 2 ? b.border[at] - b.border[at - 1] : b.width;
}

/* Returns the lower border of bin i. The open ends are placed one width beyond
 * the first and the last border. */
static inline double cs_bin_low(cs_bins b, size_t i)
{
    if (!b.border)
        return b.first + ((double)i - 1) * b.width;
    if (i == 0)
        return b.border[0] - cs_bin_width(b, 0);
    return i < b.n ? b.border[i - 1]
                   : b.border[b.n - 2] + cs_bin_width(b, b.n - 1);
}

/* Indices of the lists of a kernel with bins. The lists follow the numeric
 * parameters. */
enum { CS_BIN_BORDERS, CS_BIN_LOG_WEIGHTS, CS_BIN_LISTS };
enum { CS_BIN_MOST = 10000 };

#define CS_BIN_LIST_ROWS(numbers, paper)                                       \
    [(numbers) +                                                               \
        CS_BIN_BORDERS] = {.name = "borders",                                  \
                           .unit = "nats",                                     \
                           .kind = CS_PARAM_ARRAY,                             \
                           .flags = CS_PARAM_FIXED,                            \
                           .max = CS_BIN_MOST - 1,                             \
                           .help = "borders between the bins, in "             \
                                   "increasing order, instead of `first`, "    \
                                   "`width` and `bins`",                       \
                           .ref = paper},                                      \
        [(numbers) + CS_BIN_LOG_WEIGHTS] = {                                   \
            .name = "log_weights",                                             \
            .unit = "nats",                                                    \
            .kind = CS_PARAM_ARRAY,                                            \
            .flags = CS_PARAM_FIXED,                                           \
            .max = CS_BIN_MOST,                                                \
            .help = "log weight of each bin, up to a common constant: the "    \
                    "initial weights for learning or, with gain = 0, the "     \
                    "known weights",                                           \
            .ref = paper}

/* Checks that a list, if given, has one number per bin. */
cs_status cs_bins_check_list(const cs_value *list, double bins, cs_error *err);

/* Implements `arrange` for a kernel with bins. Three parameters start at
 * given[first]: the first border, the width and the number of bins. The lists
 * start at given[numbers]. If borders are given, derives the three parameters
 * from them; the width is then the mean width. */
cs_status cs_bins_arrange(const cs_value *given, size_t first, size_t numbers,
                          double *values, cs_error *err);

/* Writes the given log weights to theta[n * stride] as weights that sum to 1,
 * each at least `least`. Writes equal weights if none are given. */
void cs_bins_weigh(const double *log_weight, size_t n, double least,
                   double *theta, size_t stride);

/* Parameter rows of the bins, each with its index. */
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
                .help = "width of each bin between the first and the last "    \
                        "bin",                                                 \
                .ref = paper},                                                 \
    [bins_] = {.name = "bins",                                                 \
               .unit = "bins",                                                 \
               .kind = CS_PARAM_INT,                                           \
               .flags = CS_PARAM_LOG | CS_PARAM_SHARED | CS_PARAM_FIXED,       \
               .min = 2,                                                       \
               .max = CS_BIN_MOST,                                             \
               .def = 50,                                                      \
               .help = "m, the number of bins",                                \
               .ref = paper}

/* ---- report -------------------------------------------------------------- */

/* Reads bin i from the memory of chain c. */
typedef double cs_bin_number(const cs_exchange *m, size_t c, size_t i);

typedef struct cs_bins_reported {
    cs_bins bins;
    cs_bin_number *log_weight; /* log weight of a bin, up to a constant per
                                  chain */
    cs_bin_number *visits;     /* number of steps that ended in the bin */
    cs_bin_number *learning;   /* 1 if the weight of the bin is still being
                                  learned, else 0 */
    cs_bin_number *multiplier; /* OPTIONAL: multiplier of the gradient in the
                                  bin */
} cs_bins_reported;

/* Reports the bins of the chains that have not failed, under keys that start
 * with `prefix`, each with [bins] numbers. The numbers are NaN if all chains
 * have failed; visits count all chains.
 *
 *   bin_low, bin_high  borders, in units of the binned function
 *   bin_weight         mean over chains of the weights, which sum to 1
 *   bin_spread         standard deviation over chains of the log weight, NaN
 *                      with one chain
 *   bin_multiplier     mean over chains
 *   bin_visits         share of the steps
 *   bin_learning       share of the chains */
void cs_bins_report(const cs_bins_reported *reported, const cs_exchange *m,
                    const char *prefix, cs_flat *out);
