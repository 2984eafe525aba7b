/* Predictions of held-out data. */
#include "figure/figure.h"

#include "figure/list_summary.h"

#include <math.h>

static cs_figure find_held_out(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = cs_fact(f, q->arm, NAN, "held_out");
    return out;
}

static cs_figure find_average(const cs_facts *f, const cs_figure_of *q)
{
    enum { WIDTH = sizeof(cs_row_predictions) / sizeof(double) };
    size_t n;
    cs_figure out = cs_no_figure;
    const cs_row_predictions *row =
        CS_FACT_ROWS(f, q->arm, cs_row_predictions, &n, "predictions");
    if (row)
        out.value = cs_list_mean(&row->rmse + q->type->column, n, WIDTH);
    return out;
}

static const char nothing[] = "has no predictions of held-out data";

const cs_figure_type cs_figure_held_out = {
    .name = "held_out",
    .title = "error on held-out data",
    .help = "root mean square error of the chains' mean predictions of "
            "held-out data",
    .draws = CS_DRAWS_NONE,
    .merit = CS_MERIT_LESS,
    .find = find_held_out,
    .missing = nothing,
};

const cs_figure_type cs_figure_average_rmse = {
    .name = "average_rmse",
    .title = "error of the mean prediction",
    .help = "root mean square error on held-out data, for the weighted mean "
            "prediction of a chain's kept draws; averaged over chains",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_LESS,
    .find = find_average,
    .missing = nothing,
    .column = 0,
};

const cs_figure_type cs_figure_average_accuracy = {
    .name = "average_accuracy",
    .title = "accuracy of the mean prediction",
    .help = "fraction of the held-out rows whose class is predicted correctly "
            "by the weighted mean prediction of a chain's kept draws; averaged "
            "over chains",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_MORE,
    .high = 1,
    .find = find_average,
    .missing = nothing,
    .column = 1,
};

const cs_figure_type cs_figure_average_log_score = {
    .name = "average_log_score",
    .title = "log score of the mean prediction",
    .unit = "nats",
    .help = "log score: mean log probability (or log density) of the held-out "
            "rows, averaged over chains. The probability of a row is its "
            "weighted mean over the kept draws of a chain",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_MORE,
    .find = find_average,
    .missing = nothing,
    .column = 2,
};
