/* Means and standard deviations of coordinates and of the log density. */
#include "figure/quantity_table.h"

#include <math.h>
#include <string.h>

static cs_figure find_moment(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c;
    cs_figure out = cs_no_figure;
    if (q->k >= CS_FACTS_DERIVED) {
        const double *of =
            cs_fact_array(f, q->arm, &r, &c, "moment/%.0f", q->k);
        out.value = of ? of[q->type->column] : (double)NAN;
        return out;
    }
    const double *all =
        cs_fact_array(f, q->arm, &r, &c, "moments/%s", q->type->key);
    if (all && q->k >= 1 && q->k <= (double)(r * c)) {
        out.value = all[(size_t)q->k - 1];
    } else if (all) {
        cs_fail(f->err, CS_RANGE,
                "coordinate %.0f is not recorded: the probe moments records "
                "only the first %zu coordinates",
                q->k, r * c);
        cs_hint(f->err, "probes = { moments = { coordinates = %.0f } }", q->k);
    }
    return out;
}

static cs_figure find_error(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c;
    cs_figure out = cs_no_figure;
    const double *all = cs_fact_array(f, q->arm, &r, &c, "moments/error");
    if (all && q->type->column < r * c)
        out.value = all[q->type->column];
    return out;
}

/* Uses only the exact log density, not a kernel's estimate. */
static cs_figure find_logp(const cs_facts *f, const cs_figure_of *q)
{
    const char *kind = cs_fact_text(f, q->arm, "diagnostics/logp");
    cs_figure out = cs_no_figure;
    if (!*kind || strcmp(kind, "exact") == 0)
        out.value = cs_quantity_value(
            f, q->arm, 0, (cs_figures_column)q->type->column, false);
    return out;
}

static const char no_moments[] = "has no moments yet";
static const char no_logp[] = "has no exact log density";

const cs_figure_type cs_figure_mean = {
    .name = "mean",
    .title = "mean",
    .help = "mean of coordinate `of`",
    .probe = "moments",
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_STEADY,
    .of = CS_OF_COORDINATE,
    .find = find_moment,
    .missing = no_moments,
    .key = "mean",
    .column = CS_COLUMN_MEAN, /* column of the table of quantities */
};

const cs_figure_type cs_figure_sd = {
    .name = "sd",
    .title = "standard deviation",
    .help = "standard deviation of coordinate `of`",
    .probe = "moments",
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_STEADY,
    .of = CS_OF_COORDINATE,
    .find = find_moment,
    .missing = no_moments,
    .key = "sd",
    .column = CS_COLUMN_SD,
};

const cs_figure_type cs_figure_mean_error = {
    .name = "mean_error",
    .title = "error of the means",
    .help = "root mean square error of the means over all coordinates, in "
            "units of exact standard deviations",
    .probe = "moments",
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_STOPS,
    .find = find_error,
    .missing = "has no exactly known means",
    .column = 0,
};

const cs_figure_type cs_figure_sd_error = {
    .name = "sd_error",
    .title = "error of the standard deviations",
    .help = "root mean square of log(standard deviation / exact standard "
            "deviation) over the coordinates",
    .probe = "moments",
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_STOPS,
    .find = find_error,
    .missing = "has no exactly known standard deviations",
    .column = 2,
};

const cs_figure_type cs_figure_log_density = {
    .name = "log_density",
    .title = "log density",
    .unit = "nats",
    .help = "mean of the log density",
    .probe = "diagnostics",
    .draws = CS_DRAWS_DIAGNOSED,
    .flags = CS_FIGURE_STEADY | CS_FIGURE_LOGP,
    .find = find_logp,
    .missing = no_logp,
    .column = CS_COLUMN_MEAN,
};

const cs_figure_type cs_figure_log_density_sd = {
    .name = "log_density_sd",
    .title = "spread of the log density",
    .unit = "nats",
    .help = "standard deviation of the log density",
    .probe = "diagnostics",
    .draws = CS_DRAWS_DIAGNOSED,
    .flags = CS_FIGURE_STEADY | CS_FIGURE_LOGP,
    .find = find_logp,
    .missing = no_logp,
    .column = CS_COLUMN_SD,
};
