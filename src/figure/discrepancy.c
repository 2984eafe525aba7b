/* The discrepancy from a reference: the curve of the probe `mmd`. */
#include "figure/figure.h"

#include <math.h>

/* Logarithms of the discrepancy at given steps. */
typedef struct curve {
    const double *time, *value;
    size_t n;
    double warm_up; /* warm-up steps; figures count them as steps too */
} curve;

static curve curve_of(const cs_facts *f, size_t arm)
{
    size_t r, n = 0, values = 0;
    curve c = {.warm_up = cs_fact(f, arm, 0, "warm_up")};
    c.time = cs_fact_array(f, arm, &r, &n, "mmd/time");
    c.value = cs_fact_array(f, arm, &r, &values, "mmd/curve");
    c.n = c.time && c.value ? n < values ? n : values : 0;
    return c;
}

/* Returns the last value of the curve at or before the step that the query
 * names. */
static cs_figure find_at(const cs_facts *f, const cs_figure_of *q)
{
    curve c = curve_of(f, q->arm);
    cs_figure out = cs_no_figure;
    for (size_t i = 0; i < c.n; i++)
        if (c.time[i] + c.warm_up <= q->k)
            out.value = c.value[i];
    return out;
}

static cs_figure find_late(const cs_facts *f, const cs_figure_of *q)
{
    curve c = curve_of(f, q->arm);
    double half = cs_fact(f, CS_FACTS_RUN, NAN, "steps") / 2, sum = 0, n = 0;
    cs_figure out = cs_no_figure;
    for (size_t i = 0; i < c.n; i++) {
        if (!(c.time[i] + c.warm_up > half))
            continue;
        sum += exp(c.value[i]);
        n++;
    }
    if (n > 0)
        out.value = log(sum / n);
    return out;
}

static const char no_reference[] = "has no discrepancy yet";

const cs_figure_type cs_figure_log_mmd = {
    .name = "log_mmd",
    .title = "log discrepancy",
    .help = "log of the mean discrepancy (MMD) between the chains' states and "
            "the reference; the mean is over the later half of the run's steps",
    .probe = "mmd",
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_FAST,
    .find = find_late,
    .missing = no_reference,
};

const cs_figure_type cs_figure_log_mmd_at = {
    .name = "log_mmd_at",
    .title = "log discrepancy at a step",
    .help = "log of the discrepancy (MMD) from the reference at step `of`; "
            "steps of the warm-up are counted",
    .probe = "mmd",
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_FAST,
    .of = CS_OF_STEP,
    .find = find_at,
    .missing = no_reference,
};
