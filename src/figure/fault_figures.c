/* Failed chains, faulty steps, and diagnostics of trajectories and
 * tempering. */
#include "figure/figure.h"

#include <math.h>

/* Adds up a column over the tallies of the chains, or reads the sum from a
 * published table. */
static cs_figure find_sum(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    cs_figure out = cs_no_figure;
    const cs_row_tally *row =
        CS_FACT_ROWS(f, q->arm, cs_row_tally, &n, "tally");
    out.value = row ? 0 : cs_fact(f, q->arm, NAN, "%s", q->type->name);
    for (size_t i = 0; i < n; i++)
        out.value += (&row[i].steps)[q->type->column];
    return out;
}

static cs_figure find_mean(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    cs_figure out = cs_no_figure;
    if (CS_FACT_ROWS(f, q->arm, cs_row_tally, &n, "tally"))
        out.value = find_sum(f, q).value / (double)n;
    return out;
}

const cs_figure_type cs_figure_divergent = {
    .name = "divergent",
    .title = "divergent steps",
    .unit = "steps",
    .help = "number of divergent steps of all chains: steps whose trajectory "
            "gained over 1000 nats of energy or overflowed. If the number is "
            "above 0, the chains may fail to reach a part of the target",
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_COUNT,
    .find = find_sum,
    .missing = "has made no steps",
    .column = 3,
};

const cs_figure_type cs_figure_not_finite = {
    .name = "not_finite",
    .title = "steps without a density",
    .unit = "steps",
    .help = "number of steps of all chains that were rejected because the log "
            "density or gradient was NaN",
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_COUNT,
    .find = find_sum,
    .missing = "has made no steps",
    .column = 4,
};

const cs_figure_type cs_figure_ebfmi = {
    .name = "ebfmi",
    .title = "E-BFMI",
    .help = "E-BFMI of trajectories: mean squared change of the energy between "
            "draws, divided by the variance of the energy. It is averaged over "
            "the chains with at least 100 draws. A value below 0.3 means that "
            "new momenta change the energy too little",
    .merit = CS_MERIT_MORE,
    .find = find_mean,
    .missing = "has no trajectories, or too few",
    .column = 5,
};

const cs_figure_type cs_figure_failed = {
    .name = "failed",
    .title = "failed chains",
    .unit = "chains",
    .help = "number of failed chains, which stopped because their state was "
            "impossible",
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_COUNT,
    .find = find_sum,
    .missing = "has made no steps",
    .column = 6,
};

/* Adds up the round trips of the units (groups of chains) in the sample.
 * Multiplies the sum by the number of all units, and divides it by the number
 * of units in the sample. If the facts list no units, uses all units. */
static cs_figure find_trips(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c, rows, units;
    cs_figure out = cs_no_figure;
    double sum = 0;
    const double *each = cs_fact_array(f, q->arm, &r, &c, "kernel/trips_each");
    const double *unit = cs_fact_array(f, q->arm, &rows, &units, "units");
    if (!each)
        return out;
    size_t all = r * c, n = unit ? units : all;
    for (size_t i = 0; i < n; i++) {
        size_t k = unit ? (size_t)unit[i] : i;
        if (k >= all)
            return out;
        sum += each[k];
    }
    out.value = sum * (double)all / (double)n;
    return out;
}

const cs_figure_type cs_figure_trips = {
    .name = "trips",
    .title = "trips to the hot end",
    .help = "number of round trips of a tempered kernel; in a round trip, a "
            "state moves to the highest temperature and back",
    .merit = CS_MERIT_MORE,
    .flags =
        CS_FIGURE_TOTAL | CS_FIGURE_REACHED | CS_FIGURE_FAST | CS_FIGURE_SCALED,
    .find = find_trips,
    .missing = "is not tempered",
};
