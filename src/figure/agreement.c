/* Agreement between chains or between arms. */
#include "figure/figure.h"

#include <math.h>

static cs_figure find_alike(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = cs_fact(f, q->arm, NAN, "diagnostics/alike");
    return out;
}

static cs_figure find_stuck(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = cs_fact(f, q->arm, NAN, "diagnostics/never") +
                cs_fact(f, q->arm, NAN, "diagnostics/apart");
    return out;
}

/* Compares the states [chains][dim] of both arms. */
static cs_figure find_apart(const cs_facts *f, const cs_figure_of *q)
{
    size_t chains, dim, others, other_dim;
    cs_figure out = cs_no_figure;
    const double *x = cs_fact_array(f, q->arm, &chains, &dim, "state");
    const double *y = cs_fact_array(f, q->other, &others, &other_dim, "state");
    if (!x || !y || dim != other_dim)
        return out;
    if (chains > others) {
        cs_fail(f->err, CS_RANGE, "the other arm has only %zu chains", others);
        return out;
    }
    out.value = 0;
    for (size_t i = 0; i < chains * dim; i++) {
        double far = fabs(x[i] - y[i]);
        out.value = far > out.value ? far : out.value;
    }
    return out;
}

static const char no_sites[] = "has no discrete state, or too few draws";

const cs_figure_type cs_figure_alike = {
    .name = "alike",
    .title = "probability that chains agree",
    .help = "p-value of the hypothesis that all chains have the same "
            "distribution, from a chi-square test corrected for "
            "autocorrelation. For a discrete state it is the smallest "
            "p-value of the sites, times the number of sites",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .spread = CS_SPREAD_COUNT,
    .find = find_alike,
    .missing = no_sites,
};

const cs_figure_type cs_figure_sites_stuck = {
    .name = "sites_stuck",
    .title = "sites that never changed",
    .unit = "sites",
    .help = "number of sites of a discrete state that did not change in any "
            "chain",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .spread = CS_SPREAD_COUNT,
    .find = find_stuck,
    .missing = no_sites,
};

const cs_figure_type cs_figure_apart = {
    .name = "apart",
    .title = "distance between arms",
    .help = "largest difference between a coordinate of a chain and the same "
            "coordinate of the corresponding chain in the arm `of`; 0 if the "
            "two arms generate identical chains",
    .draws = CS_DRAWS_NONE,
    .spread = CS_SPREAD_COUNT,
    .flags = CS_FIGURE_NEEDS,
    .of = CS_OF_ARM,
    .find = find_apart,
    .missing = "has no states to compare with the other arm's",
};
