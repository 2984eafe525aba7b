/* Tours through cities, as the probe `tours` reports them for each chain. */
#include "figure/figure.h"

#include "figure/list_summary.h"

static cs_figure find_mean(const cs_facts *f, const cs_figure_of *q)
{
    size_t chains, columns;
    cs_figure out = cs_no_figure;
    const double *row =
        cs_fact_array(f, q->arm, &chains, &columns, "tours/chains");
    if (row && q->type->column < columns)
        out.value = cs_list_mean(row + q->type->column, chains, columns);
    return out;
}

static const char no_tours[] = "has recorded no tours";
#define TOUR_MEMBERS .probe = "tours", .find = find_mean, .missing = no_tours

const cs_figure_type cs_figure_tours = {
    .name = "tours",
    .title = "distinct tours",
    .unit = "tours",
    .help = "number of distinct tours that a chain has visited; averaged over "
            "chains",
    TOUR_MEMBERS,
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_TOTAL,
    .column = 0,
};

const cs_figure_type cs_figure_tour_cost = {
    .name = "tour_cost",
    .title = "cost of the tours",
    .help = "mean cost of the distinct tours that a chain has visited; "
            "averaged over chains",
    TOUR_MEMBERS,
    .merit = CS_MERIT_LESS,
    .column = 1,
};

const cs_figure_type cs_figure_tour_cost_sd = {
    .name = "tour_cost_sd",
    .title = "spread of the tours' costs",
    .help = "standard deviation of the costs of the distinct tours that a "
            "chain has visited; averaged over chains",
    TOUR_MEMBERS,
    .column = 2,
};

const cs_figure_type cs_figure_tour_best = {
    .name = "tour_best",
    .title = "cost of the best tour",
    .help =
        "cost of the best tour that a chain has visited; averaged over chains",
    TOUR_MEMBERS,
    .merit = CS_MERIT_LESS,
    .column = 3,
};

const cs_figure_type cs_figure_tour_mismatch = {
    .name = "tour_mismatch",
    .title = "mismatches of the tours",
    .help = "mean number of mismatches between each distinct tour of a chain "
            "and the best tour of the chain; averaged over chains",
    TOUR_MEMBERS,
    .column = 4,
};

const cs_figure_type cs_figure_tour_mismatch_sd = {
    .name = "tour_mismatch_sd",
    .title = "spread of the mismatches",
    .help = "standard deviation of the number of mismatches between a chain's "
            "distinct tours and its best tour; averaged over chains",
    TOUR_MEMBERS,
    .column = 5,
};

const cs_figure_type cs_figure_tour_visits = {
    .name = "tour_visits",
    .title = "cost of all visits",
    .help = "mean cost of the visited tours, counting repeated visits; "
            "averaged over chains",
    TOUR_MEMBERS,
    .column = 6,
};
