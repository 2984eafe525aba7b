/* The share of proposals that were accepted, and the share of steps that
 * changed the state. */
#include "figure/figure.h"

#include "probe/rows.h"

#include <math.h>
#include <stddef.h>

/* Adds up a column over the tallies of the chains. Returns the sum divided by
 * the total number of steps of the chains. */
static double share_of_tallies(const cs_row_tally *row, size_t n, size_t column)
{
    double steps = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        steps += row[i].steps;
        sum += (&row[i].steps)[column];
    }
    return sum / steps;
}

enum { REPORTED = sizeof(cs_row_acceptance) / sizeof(double) };

/* Computes the share from a published table, which stores one share per
 * chain. */
static cs_figure share_reported(const cs_facts *f, const cs_figure_of *q)
{
    size_t n, column = q->type->column;
    double steps = 0, sum = 0;
    const cs_row_acceptance *row =
        CS_FACT_ROWS(f, q->arm, cs_row_acceptance, &n, "acceptance/chains");
    if (!row || !(row->steps > 0))
        return cs_no_figure;
    cs_figure out = cs_figure_over_chains(&row->steps + column, n, REPORTED);
    for (size_t i = 0; i < n; i++) {
        steps += row[i].steps;
        sum += row[i].steps * (&row[i].steps)[column];
    }
    out.value = sum / steps;
    return out;
}

/* In both row types, column 1 counts acceptances and column 2 counts moves. */
static cs_figure find_share(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    const cs_row_tally *row =
        CS_FACT_ROWS(f, q->arm, cs_row_tally, &n, "tally");
    if (!row)
        return share_reported(f, q);
    cs_figure out = cs_no_figure;
    out.value = share_of_tallies(row, n, q->type->column);
    return out;
}

const cs_figure_type cs_figure_acceptance = {
    .name = "acceptance",
    .title = "accepted share",
    .help = "share of the proposals that were accepted",
    .flags = CS_FIGURE_STEADY,
    .high = 1,
    .find = find_share,
    .missing = "has no accept step",
    .column = 1,
};

const cs_figure_type cs_figure_moved = {
    .name = "moved",
    .title = "moved share",
    .help = "share of the steps that changed the state",
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_STEADY,
    .high = 1,
    .find = find_share,
    .missing = "has made no steps",
    .column = 2,
};

static cs_figure find_cycle(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c, at = isnan(q->k) ? 0 : (size_t)q->k - 1;
    const double *all = cs_fact_array(f, q->arm, &r, &c, "cycle/acceptance");
    cs_figure out = cs_no_figure;
    if (q->at != CS_OF_NONE)
        at = q->at;
    for (size_t k = 0; q->at == CS_OF_NONE && isnan(q->k) && k < r * c; k++)
        at = all[k] < all[at] ? k : at;
    out.at = at;
    if (at < r * c)
        out.value = all[at];
    return out;
}

const cs_figure_type cs_figure_cycle_acceptance = {
    .name = "cycle_acceptance",
    .title = "acceptance in the cycle",
    .help = "mean acceptance at position `of` in the cycle; without `of`, the "
            "smallest mean acceptance of all positions",
    .probe = "cycle",
    .flags = CS_FIGURE_STEADY,
    .of = CS_OF_POSITION,
    .high = 1,
    .find = find_cycle,
    .missing = "has no cycle",
};
