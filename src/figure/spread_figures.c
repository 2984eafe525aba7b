/* Medians, errors of the spread and effective sizes other than that of the
 * mean, for one quantity or for the worst quantity. All are computed from the
 * diagnosed draws (stat/diagnostics.h). */
#include "figure/quantity_table.h"

#include <math.h>

/* Returns the worst quantity in the column. */
static size_t worst_of(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    const cs_figures *row = cs_quantity_table(f, q->arm, &n);
    bool largest = q->type->merit == CS_MERIT_LESS;
    size_t worst =
        cs_figures_worst(row, n, (cs_figures_column)q->type->column, largest);
    return worst < n ? worst : CS_OF_NONE;
}

static cs_figure find(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.at = !isnan(q->k)                      ? (size_t)q->k
             : q->at != CS_OF_NONE             ? q->at
             : q->type->merit != CS_MERIT_NONE ? worst_of(f, q)
                                               : CS_OF_NONE;
    if (out.at != CS_OF_NONE)
        out.value = cs_quantity_value(
            f, q->arm, out.at, (cs_figures_column)q->type->column, false);
    return out;
}

/* ---- points of a distribution ---- */

/* Returns quantile p of a coordinate for the chains of the sample. */
static double quantile(const cs_facts *f, const cs_figure_of *q, double p)
{
    return cs_fact(f, q->arm, NAN, "quantile/%.0f/%.17g", q->k, p);
}

static cs_figure find_median(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = quantile(f, q, 0.5);
    if (isnan(out.value)) /* a published table has no quantiles of samples */
        out.value =
            cs_quantity_value(f, q->arm, (size_t)q->k, CS_COLUMN_MEDIAN, false);
    return out;
}

static cs_figure find_quantile(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = quantile(f, q, q->level);
    return out;
}

static cs_figure find_interval(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    double out_of = (1 - q->level) / 2;
    out.value = quantile(f, q, 1 - out_of) - quantile(f, q, out_of);
    return out;
}

/* The condition is a quantity that a script has computed, 0 or 1 in each draw
 * (lua/chainscope/functions.lua). */
static cs_figure find_probability(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c;
    cs_figure out = cs_no_figure;
    const double *of = cs_fact_array(f, q->arm, &r, &c, "moment/%.0f", q->k);
    out.value = of ? of[0] : (double)NAN;
    return out;
}

#define POINT                                                                  \
    .probe = "diagnostics", .draws = CS_DRAWS_KEPT,                            \
    .spread = CS_SPREAD_BOOTSTRAP,                                             \
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_STEADY, .missing = "has no draws yet"
#define ERROR                                                                  \
    .probe = "diagnostics", .draws = CS_DRAWS_KEPT, .merit = CS_MERIT_LESS,    \
    .flags = CS_FIGURE_FAST | CS_FIGURE_STOPS, .of = CS_OF_COORDINATE,         \
    .find = find, .missing = "has no such error yet"
#define SIZE                                                                   \
    .unit = "draws", .probe = "diagnostics", .draws = CS_DRAWS_KEPT,           \
    .merit = CS_MERIT_MORE,                                                    \
    .flags = CS_FIGURE_TOTAL | CS_FIGURE_REACHED | CS_FIGURE_FAST |            \
             CS_FIGURE_SCALED | CS_FIGURE_STOPS,                               \
    .of = CS_OF_COORDINATE, .find = find,                                      \
    .missing = "has no effective size yet"

const cs_figure_type cs_figure_median = {
    POINT,
    .name = "median",
    .title = "median",
    .help = "median of coordinate `of`",
    .of = CS_OF_COORDINATE,
    .find = find_median,
    .column = CS_COLUMN_MEDIAN,
};

const cs_figure_type cs_figure_quantile = {
    POINT,
    .name = "quantile",
    .title = "quantile",
    .help = "quantile of a coordinate: `of` is the coordinate and the "
            "percentage, \"mu at 97.5 %\"",
    .of = CS_OF_LEVEL,
    .find = find_quantile,
};

const cs_figure_type cs_figure_interval = {
    POINT,
    .name = "interval",
    .title = "width of the interval",
    .help = "width of the central interval of a coordinate: `of` is the "
            "coordinate and the percentage in the interval, \"mu at 90 %\"",
    .of = CS_OF_LEVEL,
    .find = find_interval,
};

const cs_figure_type cs_figure_probability = {
    .name = "probability",
    .title = "probability",
    .help = "share of the draws for which a condition holds: `of` is a Lua "
            "expression, \"mu > 0 and theta[2] < theta[1]\", or a function "
            "that takes a draw",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .spread = CS_SPREAD_JACKKNIFE,
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_STEADY,
    .high = 1,
    .of = CS_OF_CONDITION,
    .find = find_probability,
    .missing = "has no draws yet",
};

const cs_figure_type cs_figure_mad = {
    POINT,
    .name = "mad",
    .title = "median absolute deviation",
    .help = "1.4826 times the median of |x - median| of coordinate `of`; the "
            "standard deviation of a normal distribution",
    .of = CS_OF_COORDINATE,
    .find = find,
    .column = CS_COLUMN_MAD,
};

/* ---- errors and effective sizes ---- */

const cs_figure_type cs_figure_mcse_sd = {
    ERROR,
    .name = "mcse_sd",
    .title = "error of the standard deviation",
    .help = "Monte Carlo error of the standard deviation of a coordinate; if "
            "no coordinate is given, the largest",
    .column = CS_COLUMN_MCSE_SD,
};

const cs_figure_type cs_figure_mcse_median = {
    ERROR,
    .name = "mcse_median",
    .title = "error of the median",
    .help = "Monte Carlo error of the median of a coordinate; if no coordinate "
            "is given, the largest",
    .column = CS_COLUMN_MCSE_MEDIAN,
};

const cs_figure_type cs_figure_mcse_mad = {
    ERROR,
    .name = "mcse_mad",
    .title = "error of the MAD",
    .help = "Monte Carlo error of the median absolute deviation of a "
            "coordinate; if no coordinate is given, the largest",
    .column = CS_COLUMN_MCSE_MAD,
};

const cs_figure_type cs_figure_ess_sd = {
    SIZE,
    .name = "ess_sd",
    .title = "effective draws, standard deviation",
    .help = "effective sample size for the standard deviation of a coordinate; "
            "if no coordinate is given, the smallest",
    .column = CS_COLUMN_ESS_SD,
};

const cs_figure_type cs_figure_ess_median = {
    SIZE,
    .name = "ess_median",
    .title = "effective draws, median",
    .help = "effective sample size for the median of a coordinate; if no "
            "coordinate is given, the smallest",
    .column = CS_COLUMN_ESS_MEDIAN,
};
