/* Work and time per step. */
#include "figure/figure.h"

#include <math.h>

/* Returns the total number of steps of the sample's chains. */
static double steps_of(const cs_facts *f, size_t arm)
{
    return cs_fact(f, arm, NAN, "steps") * cs_fact(f, arm, NAN, "chains");
}

static cs_figure find_per_step(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value =
        cs_fact(f, q->arm, NAN, "%s", q->type->name) / steps_of(f, q->arm);
    return out;
}

static cs_figure find_passes(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = cs_fact(f, q->arm, NAN, "passes");
    return out;
}

static cs_figure find_step_time(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = 1e6 * cs_fact(f, q->arm, NAN, "seconds") / steps_of(f, q->arm);
    return out;
}

static cs_figure find_relative_time(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    double own = cs_fact(f, q->arm, NAN, "seconds") / steps_of(f, q->arm);
    out.value =
        own / (cs_fact(f, q->other, NAN, "seconds") / steps_of(f, q->other));
    return out;
}

static cs_figure find_terms(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = cs_facts_work(f, q->arm, CS_UNIT_TERMS);
    return out;
}

static const char no_steps[] = "has made no step";
#define PER_STEP_MEMBERS                                                       \
    .draws = CS_DRAWS_NONE, .merit = CS_MERIT_LESS, .spread = CS_SPREAD_COUNT, \
    .flags = CS_FIGURE_STEADY | CS_FIGURE_FAST | CS_FIGURE_SCALED |            \
             CS_FIGURE_COST | CS_FIGURE_ALL_WORK,                              \
    .find = find_per_step, .missing = no_steps

const cs_figure_type cs_figure_gradients = {
    .name = "gradients",
    .title = "gradients per step",
    .unit = "gradients",
    .help = "gradients per step of a chain",
    PER_STEP_MEMBERS,
};

const cs_figure_type cs_figure_data_terms = {
    .name = "data_terms",
    .title = "data terms per step",
    .unit = "data terms",
    .help = "data terms (evaluations of the term of one data row) per step of "
            "a chain",
    PER_STEP_MEMBERS,
};

const cs_figure_type cs_figure_simulations = {
    .name = "simulations",
    .title = "simulations per step",
    .unit = "data sets",
    .help = "data sets that a chain simulates per step",
    PER_STEP_MEMBERS,
};

const cs_figure_type cs_figure_site_updates = {
    .name = "site_updates",
    .title = "site updates per step",
    .unit = "updates",
    .help = "data values that a chain simulates per step",
    PER_STEP_MEMBERS,
};

const cs_figure_type cs_figure_passes = {
    .name = "passes",
    .title = "passes",
    .unit = "passes",
    .help = "passes over the data per chain: data terms divided by the number "
            "of rows",
    .draws = CS_DRAWS_NONE,
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_COUNT,
    .flags = CS_FIGURE_REACHED | CS_FIGURE_FAST | CS_FIGURE_SCALED |
             CS_FIGURE_COST | CS_FIGURE_STOPS,
    .find = find_passes,
    .missing = "has no rows of data",
};

const cs_figure_type cs_figure_step_time = {
    .name = "step_time",
    .title = "time per step",
    .unit = "microseconds",
    .help = "processor time per step of a chain, in microseconds",
    .draws = CS_DRAWS_NONE,
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_SEEDS,
    .flags = CS_FIGURE_FAST | CS_FIGURE_SCALED,
    .find = find_step_time,
    .missing = no_steps,
};

const cs_figure_type cs_figure_relative_time = {
    .name = "relative_time",
    .title = "relative time per step",
    .help = "processor time per step, relative to the arm `of`",
    .draws = CS_DRAWS_NONE,
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_SEEDS,
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_FAST | CS_FIGURE_SCALED,
    .of = CS_OF_ARM,
    .find = find_relative_time,
    .missing = no_steps,
};

const cs_figure_type cs_figure_terms = {
    .name = "terms",
    .title = "data terms",
    .unit = "data terms",
    .help =
        "data terms (evaluations of the term of one data row) of all chains",
    .draws = CS_DRAWS_NONE,
    .spread = CS_SPREAD_COUNT,
    .flags = CS_FIGURE_TOTAL,
    .find = find_terms,
    .missing = "reads no rows of data",
};
