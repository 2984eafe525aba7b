/* Modes that were visited, and jumps between them. */
#include "figure/figure.h"

#include "base/memory.h"
#include "figure/list_summary.h"

#include <math.h>

/* Counts of visits [chains][modes]. */
typedef struct visits {
    const double *at;
    size_t chains, modes;
} visits;

static visits visits_of(const cs_facts *f, size_t arm)
{
    visits v;
    v.at = cs_fact_array(f, arm, &v.chains, &v.modes, "modes/visits");
    return v;
}

static double visited_by(const visits *v, size_t chain)
{
    double n = 0;
    for (size_t m = 0; m < v->modes; m++)
        n += v->at[chain * v->modes + m] > 0;
    return n;
}

/* Returns the number of modes that each chain has visited [own]; NULL if
 * unknown. */
static double *visited(const cs_facts *f, size_t arm, size_t *chains)
{
    visits v = visits_of(f, arm);
    double *n = v.at ? cs_alloc(v.chains, sizeof *n) : NULL;
    for (size_t i = 0; n && i < v.chains; i++)
        n[i] = visited_by(&v, i);
    *chains = v.chains;
    return n;
}

static cs_figure find_visited(const cs_facts *f, const cs_figure_of *q)
{
    size_t chains;
    cs_figure out = cs_no_figure;
    double *n = visited(f, q->arm, &chains);
    if (n)
        out.value = cs_list_median(n, chains);
    cs_free(n);
    return out;
}

static cs_figure find_mean(const cs_facts *f, const cs_figure_of *q)
{
    size_t chains;
    cs_figure out = cs_no_figure;
    double *n = visited(f, q->arm, &chains);
    if (n)
        out.value = cs_list_mean(n, chains, 1);
    cs_free(n);
    return out;
}

static cs_figure find_together(const cs_facts *f, const cs_figure_of *q)
{
    visits v = visits_of(f, q->arm);
    cs_figure out = cs_no_figure;
    if (!v.at)
        return out;
    out.value = 0;
    for (size_t m = 0; m < v.modes; m++) {
        double any = 0;
        for (size_t i = 0; i < v.chains; i++)
            any += v.at[i * v.modes + m];
        out.value += any > 0;
    }
    return out;
}

static const char no_modes[] = "has no modes to find";
enum { GROWS = CS_FIGURE_TOTAL | CS_FIGURE_REACHED };

const cs_figure_type cs_figure_modes_visited = {
    .name = "modes_visited",
    .title = "modes visited by a chain",
    .unit = "modes",
    .help = "number of modes that a chain has visited; median over chains",
    .probe = "modes",
    .merit = CS_MERIT_MORE,
    .spread = CS_SPREAD_BOOTSTRAP,
    .flags = GROWS | CS_FIGURE_STOPS,
    .find = find_visited,
    .missing = no_modes,
};

const cs_figure_type cs_figure_modes_mean = {
    .name = "modes_mean",
    .title = "modes visited, the mean over chains",
    .unit = "modes",
    .help = "number of modes that a chain has visited; mean over chains",
    .probe = "modes",
    .merit = CS_MERIT_MORE,
    .flags = GROWS,
    .find = find_mean,
    .missing = no_modes,
};

const cs_figure_type cs_figure_modes_together = {
    .name = "modes_together",
    .title = "modes visited by any chain",
    .unit = "modes",
    .help = "number of modes that at least one chain has visited",
    .probe = "modes",
    .merit = CS_MERIT_MORE,
    .spread = CS_SPREAD_BOOTSTRAP,
    .flags = GROWS,
    .find = find_together,
    .missing = no_modes,
};

static cs_figure find_jumps(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c;
    cs_figure out = cs_no_figure;
    const double *all = cs_fact_array(f, q->arm, &r, &c, "modes/jumps");
    if (all)
        out.value = cs_list_mean(all, r * c, 1);
    return out;
}

const cs_figure_type cs_figure_jumps = {
    .name = "jumps",
    .title = "jumps between modes",
    .unit = "jumps",
    .help = "number of jumps between modes; mean over chains",
    .probe = "modes",
    .merit = CS_MERIT_MORE,
    .flags = GROWS | CS_FIGURE_FAST | CS_FIGURE_SCALED,
    .find = find_jumps,
    .missing = no_modes,
};

/* ---- at equal work ---- */

static double reach_of_modes(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c;
    if (!cs_fact_array(f, q->arm, &r, &c, "modes/first"))
        return (double)NAN;
    return cs_facts_work(f, q->arm, q->unit);
}

static cs_figure find_found(const cs_facts *f, const cs_figure_of *q)
{
    size_t chains, modes;
    const double *first =
        cs_fact_array(f, q->arm, &chains, &modes, "modes/first");
    cs_axis axis = cs_axis_of_all(f, q->arm, q->unit);
    cs_figure out = cs_no_figure;
    if (!first || !axis.known)
        return out;
    out.value = 0;
    for (size_t m = 0; m < modes; m++) {
        double step = NAN;
        for (size_t c = 0; c < chains; c++)
            step = fmin(step, first[c * modes + m]);
        out.value += cs_axis_at(&axis, step) <= q->work * (1 + 1e-12);
    }
    return out;
}

const cs_figure_type cs_figure_modes_found = {
    .name = "modes_found",
    .title = "modes found",
    .unit = "modes",
    .help = "number of modes that at least one chain has visited within the "
            "amount of work at which the arms are compared",
    .probe = "modes",
    .spread = CS_SPREAD_COUNT,
    .flags = CS_FIGURE_TOTAL | CS_FIGURE_SEEN,
    .of = CS_OF_WORK,
    .find = find_found,
    .reach = reach_of_modes,
    .missing = no_modes,
};
