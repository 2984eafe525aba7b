/* The lowest energy (-log p) that a chain has reached, over all chains. */
#include "figure/figure.h"

#include <math.h>

static double reach_of_energy(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, n;
    const double *time = cs_fact_array(f, q->arm, &r, &n, "trace/time");
    cs_axis axis = cs_axis_of_all(f, q->arm, q->unit);
    return time && n && axis.known ? cs_axis_at(&axis, time[n - 1])
                                   : (double)NAN;
}

static cs_figure find_energy(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, n, chains, bins;
    const double *time = cs_fact_array(f, q->arm, &r, &n, "trace/time");
    const double *low = cs_fact_array(f, q->arm, &chains, &bins, "trace/0/low");
    cs_axis axis = cs_axis_of_all(f, q->arm, q->unit);
    cs_figure out = cs_no_figure;
    if (!time || !low || bins != n || !axis.known ||
        *cs_fact_text(f, q->arm, "trace/logp"))
        return out;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < chains; c++)
            if (cs_axis_at(&axis, time[i]) <= q->work * (1 + 1e-12))
                out.value = fmin(out.value, low[c * bins + i]);
    return out;
}

const cs_figure_type cs_figure_energy = {
    .name = "energy",
    .title = "lowest energy",
    .unit = "nats",
    .help = "lowest energy (-log p) that any chain has reached within the "
            "amount of work at which the arms are compared",
    .probe = "trace",
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_COUNT,
    .flags = CS_FIGURE_SEEN | CS_FIGURE_LOGP,
    .of = CS_OF_WORK,
    .find = find_energy,
    .reach = reach_of_energy,
    .missing = "has no exact log p",
};
