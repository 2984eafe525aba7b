/* Figures that are read unchanged from a probe's report. */
#include "figure/figure.h"

#include <math.h>

static cs_figure find_reported(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c;
    cs_figure out = cs_no_figure;
    const double *all = cs_fact_array(f, q->arm, &r, &c, "%s", q->type->key);
    if (all && q->type->column < c)
        out.value = all[q->type->column];
    return out;
}

static const char not_seen[] = "has no report yet";

const cs_figure_type cs_figure_hamming = {
    .name = "hamming",
    .title = "sites that a step changes",
    .unit = "sites",
    .help = "mean number of sites that a step changes (Hamming distance)",
    .probe = "movement",
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_STEADY,
    .find = find_reported,
    .missing = not_seen,
    .key = "movement/all",
    .column = 1,
};

const cs_figure_type cs_figure_hamming_accepted = {
    .name = "hamming_accepted",
    .title = "sites that an accepted step changes",
    .unit = "sites",
    .help = "mean number of sites that an accepted step changes",
    .probe = "movement",
    .flags = CS_FIGURE_STEADY,
    .find = find_reported,
    .missing = not_seen,
    .key = "movement/all",
    .column = 2,
};

const cs_figure_type cs_figure_jump = {
    .name = "jump",
    .title = "squared jumping distance",
    .help = "expected squared jumping distance: the mean of |x' - x|^2",
    .probe = "movement",
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_STEADY | CS_FIGURE_FAST | CS_FIGURE_SCALED,
    .find = find_reported,
    .missing = not_seen,
    .key = "movement/all",
    .column = 3,
};

const cs_figure_type cs_figure_gap = {
    .name = "gap",
    .title = "distance to the auxiliary variable",
    .help = "mean distance |x - a| between the state x and the auxiliary "
            "variable a, for kernels with an auxiliary variable",
    .probe = "movement",
    .flags = CS_FIGURE_STEADY | CS_FIGURE_SCALED,
    .find = find_reported,
    .missing = not_seen,
    .key = "movement/gap",
    .column = 0,
};

const cs_figure_type cs_figure_curvature_mean = {
    .name = "curvature_mean",
    .title = "mean curvature",
    .help = "mean eigenvalue of the Hessian of log p, over all eigenvalues "
            "computed along all chains",
    .probe = "curvature",
    .find = find_reported,
    .missing = not_seen,
    .key = "curvature/eigenvalues",
    .column = 0,
};

const cs_figure_type cs_figure_curvature_sd = {
    .name = "curvature_sd",
    .title = "spread of the curvature",
    .help = "standard deviation (divisor n) of all eigenvalues of the "
            "Hessian of log p that were computed along all chains",
    .probe = "curvature",
    .find = find_reported,
    .missing = not_seen,
    .key = "curvature/eigenvalues",
    .column = 1,
};

const cs_figure_type cs_figure_curvature_iqr = {
    .name = "curvature_iqr",
    .title = "quartiles of the curvature",
    .help = "interquartile range of all eigenvalues of the Hessian of log p "
            "that were computed along all chains",
    .probe = "curvature",
    .spread = CS_SPREAD_BOOTSTRAP,
    .find = find_reported,
    .missing = not_seen,
    .key = "curvature/eigenvalues",
    .column = 2,
};

const cs_figure_type cs_figure_rows_drawn = {
    .name = "rows_drawn",
    .title = "rows drawn",
    .unit = "rows",
    .help = "mean number of data rows that a step draws at random",
    .probe = "rows",
    .merit = CS_MERIT_LESS,
    .flags =
        CS_FIGURE_STEADY | CS_FIGURE_FAST | CS_FIGURE_SCALED | CS_FIGURE_COST,
    .find = find_reported,
    .missing = not_seen,
    .key = "rows/drawn",
    .column = 1,
};

const cs_figure_type cs_figure_rows_kept = {
    .name = "rows_kept",
    .title = "rows kept",
    .unit = "rows",
    .help = "mean number of the drawn data rows that remain in a step's "
            "minibatch after thinning",
    .probe = "rows",
    .merit = CS_MERIT_LESS,
    .flags =
        CS_FIGURE_STEADY | CS_FIGURE_FAST | CS_FIGURE_SCALED | CS_FIGURE_COST,
    .find = find_reported,
    .missing = not_seen,
    .key = "rows/kept",
    .column = 1,
};
