/* Effective draws per unit of work or time. */
#include "figure/quantity_table.h"

#include "base/memory.h"
#include "stat/sort.h"

#include <math.h>

static cs_figure find_per_work(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_figure_ask(&cs_figure_ess, f, *q);
    double work = cs_fact(f, q->arm, NAN, "evaluations");
    out.value = 1000 * out.value / work;
    return out;
}

/* ---- rates of ranked coordinates ---- */

typedef enum rank { LEAST, MIDDLE, MOST } rank;

/* Returns the coordinate with the smallest, the median or the largest number of
 * effective draws. Coordinates with equal numbers are ordered by their indices.
 * Returns CS_OF_NONE if no coordinate has an effective sample size. */
static size_t find_ranked(const cs_facts *f, size_t arm, rank which)
{
    size_t n, used = 0;
    const cs_figures *row = cs_quantity_table(f, arm, &n);
    cs_sort_place *place = row ? cs_alloc(n, sizeof *place) : NULL;
    for (size_t k = 1; place && k < n; k++)
        if (!isnan(row[k].ess))
            place[used++] = (cs_sort_place){row[k].ess, (uint32_t)k};
    size_t out = CS_OF_NONE;
    if (used) {
        cs_sort_places(place, used);
        out = place[which == LEAST  ? 0
                    : which == MOST ? used - 1
                                    : (used + 1) / 2 - 1]
                  .at;
    }
    cs_free(place);
    return out;
}

static cs_figure find_rate(const cs_facts *f, const cs_figure_of *q, double lot)
{
    double spent = cs_fact(f, q->arm, NAN, "%s", q->type->key);
    cs_figure out = cs_no_figure;
    out.at = q->at != CS_OF_NONE
                 ? q->at
                 : find_ranked(f, q->arm, (rank)q->type->column);
    if (out.at == CS_OF_NONE)
        return out;
    double n = cs_quantity_value(f, q->arm, out.at, CS_COLUMN_ESS, true);
    out.value = spent > 0 ? n / (spent / lot) : (double)NAN;
    return out;
}

static cs_figure find_per_second(const cs_facts *f, const cs_figure_of *q)
{
    return find_rate(f, q, 1);
}

static cs_figure find_per_million(const cs_facts *f, const cs_figure_of *q)
{
    return find_rate(f, q, 1e6);
}

static const char no_size[] = "has no effective size yet, or no such work";
enum {
    RATE = CS_FIGURE_FAST | CS_FIGURE_SCALED,
    WORK_RATE = RATE | CS_FIGURE_STEADY | CS_FIGURE_ALL_WORK
};
#define RATE_MEMBERS                                                           \
    .unit = "draws", .probe = "diagnostics", .draws = CS_DRAWS_DIAGNOSED,      \
    .merit = CS_MERIT_MORE, .missing = no_size

const cs_figure_type cs_figure_ess_per_work = {
    .name = "ess_per_work",
    .title = "effective draws per 1000 evaluations",
    RATE_MEMBERS,
    .help =
        "effective sample size for the mean of a coordinate (if none is given, "
        "the smallest for all coordinates and the log density) per 1000 "
        "evaluations. An evaluation is a log density, a gradient or a pass "
        "over all sites. For a target with rows of data, an evaluation is one "
        "pass over all rows, also if the rows are read in batches. The "
        "evaluations of the warm-up count too, so short runs have smaller "
        "values",
    .flags = WORK_RATE,
    .of = CS_OF_COORDINATE,
    .find = find_per_work,
};

const cs_figure_type cs_figure_ess_per_second_min = {
    .name = "ess_per_second_min",
    .title = "effective draws per second, fewest",
    RATE_MEMBERS,
    .help = "effective draws of the mean per second of processor time, for the "
            "coordinate with the fewest effective draws",
    .spread = CS_SPREAD_SEEDS,
    .flags = RATE,
    .find = find_per_second,
    .key = "seconds",
    .column = LEAST,
};

const cs_figure_type cs_figure_ess_per_second_median = {
    .name = "ess_per_second_median",
    .title = "effective draws per second, median",
    RATE_MEMBERS,
    .help = "effective draws of the mean per second of processor time: the "
            "median over the coordinates",
    .spread = CS_SPREAD_SEEDS,
    .flags = RATE,
    .find = find_per_second,
    .key = "seconds",
    .column = MIDDLE,
};

const cs_figure_type cs_figure_ess_per_second_max = {
    .name = "ess_per_second_max",
    .title = "effective draws per second, most",
    RATE_MEMBERS,
    .help = "effective draws of the mean per second of processor time, for the "
            "coordinate with the most effective draws",
    .spread = CS_SPREAD_SEEDS,
    .flags = RATE,
    .find = find_per_second,
    .key = "seconds",
    .column = MOST,
};

const cs_figure_type cs_figure_ess_per_million_rows_min = {
    .name = "ess_per_million_rows_min",
    .title = "effective draws per million rows, fewest",
    RATE_MEMBERS,
    .help = "effective draws of the mean per million evaluations of data rows, "
            "for the coordinate with the fewest effective draws",
    .flags = WORK_RATE,
    .find = find_per_million,
    .key = "data_terms",
    .column = LEAST,
};

const cs_figure_type cs_figure_ess_per_million_rows_median = {
    .name = "ess_per_million_rows_median",
    .title = "effective draws per million rows, median",
    RATE_MEMBERS,
    .help = "effective draws of the mean per million evaluations of data rows: "
            "the median over the coordinates",
    .flags = WORK_RATE,
    .find = find_per_million,
    .key = "data_terms",
    .column = MIDDLE,
};

const cs_figure_type cs_figure_ess_per_million_rows_max = {
    .name = "ess_per_million_rows_max",
    .title = "effective draws per million rows, most",
    RATE_MEMBERS,
    .help = "effective draws of the mean per million evaluations of data rows, "
            "for the coordinate with the most effective draws",
    .flags = WORK_RATE,
    .find = find_per_million,
    .key = "data_terms",
    .column = MOST,
};
