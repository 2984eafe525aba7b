/* Kolmogorov distances of kept draws from exact draws or from another arm's
 * draws. */
#include "figure/figure.h"

#include "base/memory.h"
#include "figure/list_summary.h"

#include <math.h>
#include <string.h>

typedef enum rank { LEAST, MIDDLE, MOST } rank;

static double ranked(double *x, size_t n, size_t which)
{
    double median = cs_list_median(x, n);
    return which == MIDDLE ? median : x[which == MOST ? n - 1 : 0];
}

/* Sorts the distances of the coordinates. */
static cs_figure find_ranked(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, n;
    cs_figure out = cs_no_figure;
    const double *all =
        q->other == CS_OF_NONE
            ? cs_fact_array(f, q->arm, &r, &n, "ks")
            : cs_fact_array(f, q->arm, &r, &n, "ks/%zu", q->other);
    double *x = all ? cs_alloc(n, sizeof *x) : NULL;
    if (x) {
        memcpy(x, all, n * sizeof *x);
        out.value = ranked(x, n, q->type->column);
    }
    cs_free(x);
    return out;
}

static const char nothing[] = "has no draws, or nothing to compare them with";

const cs_figure_type cs_figure_ks_min = {
    .name = "ks_min",
    .title = "Kolmogorov distance, least",
    .help = "Kolmogorov distance of a coordinate's kept draws from exact draws "
            "or, if the arm `of` is given, from the draws of this arm; the "
            "smallest over all coordinates",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_BOOTSTRAP,
    .of = CS_OF_ARM,
    .find = find_ranked,
    .missing = nothing,
    .column = LEAST,
};

const cs_figure_type cs_figure_ks_median = {
    .name = "ks_median",
    .title = "Kolmogorov distance, median",
    .help = "Kolmogorov distance of a coordinate's kept draws from exact draws "
            "or, if the arm `of` is given, from the draws of this arm; the "
            "median over all coordinates",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_BOOTSTRAP,
    .of = CS_OF_ARM,
    .find = find_ranked,
    .missing = nothing,
    .column = MIDDLE,
};

const cs_figure_type cs_figure_ks_max = {
    .name = "ks_max",
    .title = "Kolmogorov distance, largest",
    .help = "Kolmogorov distance of a coordinate's kept draws from exact draws "
            "or, if the arm `of` is given, from the draws of this arm; the "
            "largest over all coordinates",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_BOOTSTRAP,
    .of = CS_OF_ARM,
    .find = find_ranked,
    .missing = nothing,
    .column = MOST,
};
