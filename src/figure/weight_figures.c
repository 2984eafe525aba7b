/* Effective sample sizes of weights. */
#include "figure/figure.h"

#include "probe/rows.h"

#include <math.h>

static cs_figure find_share(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    cs_figure out = cs_no_figure;
    const cs_row_weights *all =
        CS_FACT_ROWS(f, q->arm, cs_row_weights, &n, "weights/all");
    if (all)
        out.value = all->size / all->draws;
    else if (cs_fact(f, q->arm, 0, "observed/weights") > 0)
        out.value = 1; /* all weights are equal */
    return out;
}

const cs_figure_type cs_figure_weight_share = {
    .name = "weight_share",
    .title = "effective share (Kish)",
    .help = "effective sample size of the weights (Kish) divided by the "
            "number of draws; 1 for equal weights",
    .probe = "weights",
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_STEADY,
    .find = find_share,
    .missing = "has no weights",
};

/* Returns the effective sample size of the weights, and its error, which is
 * estimated from the differences between chains. */
static cs_figure find_kish(const cs_facts *f, const cs_figure_of *q)
{
    enum { WIDTH = sizeof(cs_row_weights) / sizeof(double) };
    size_t n, chains;
    cs_figure out = cs_no_figure;
    const cs_row_weights *all =
        CS_FACT_ROWS(f, q->arm, cs_row_weights, &n, "weights/all");
    const cs_row_weights *row =
        CS_FACT_ROWS(f, q->arm, cs_row_weights, &chains, "weights/chains");
    if (!all)
        return out;
    if (row)
        out = cs_figure_over_chains(&row->size, chains, WIDTH);
    out.value = all->size;
    return out;
}

const cs_figure_type cs_figure_kish = {
    .name = "kish",
    .title = "effective size (Kish)",
    .unit = "draws",
    .help = "effective sample size of the weights (Kish), for the draws of all "
            "chains",
    .probe = "weights",
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_TOTAL | CS_FIGURE_SCALED,
    .find = find_kish,
    .missing = "has no weights",
};
