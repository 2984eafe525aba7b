/* Distances of the draws from the exact distribution. */
#include "figure/figure.h"

#include "figure/distances.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Returns true if a name is `word`, or is `word` followed by a separator and
 * other text, as in "ks.x.1". */
static bool is_of(const char *name, const char *word)
{
    size_t n = strlen(word);
    return strncmp(name, word, n) == 0 && !isalnum((unsigned char)name[n]);
}

/* Returns the largest value that the probe reports under the figure's name. */
static cs_figure find_largest(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, n;
    char name[64];
    cs_figure out = cs_no_figure;
    const double *value = cs_fact_array(f, q->arm, &r, &n, "distance/values");
    const char *names = cs_fact_text(f, q->arm, "distance/names");
    for (size_t i = 0;
         value && i < n && cs_fact_word(names, i, name, sizeof name); i++)
        if (is_of(name, q->type->name) && !(value[i] <= out.value))
            out.value = value[i];
    return out;
}

static cs_figure find_plane(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value = cs_fact(f, q->arm, NAN, "plane/tv");
    return out;
}

/* ---- at equal work ---- */

/* Finds the first distance that the arm has. */
static bool find_curve(const cs_facts *f, const cs_figure_of *q,
                       cs_distance_curve *out)
{
    const cs_distance_wanted first = {.unit = q->unit, .of = ""};
    return cs_distance_find(f, &first, q->arm, out) && out->axis.known;
}

/* Returns the work of a chain up to the last point of the curve. */
static double reach_of_distance(const cs_facts *f, const cs_figure_of *q)
{
    cs_distance_curve c;
    if (!find_curve(f, q, &c) || c.n == 0)
        return (double)NAN;
    return cs_axis_at(&c.axis, c.time[c.n - 1]);
}

static cs_figure find_distance(const cs_facts *f, const cs_figure_of *q)
{
    cs_distance_curve c;
    double y[CS_DISTANCE_POINTS], e[CS_DISTANCE_POINTS];
    if (!find_curve(f, q, &c) || c.n > CS_DISTANCE_POINTS)
        return cs_no_figure;
    for (size_t i = 0; i < c.n; i++) {
        y[i] = cs_distance_at(&c, i);
        e[i] = c.error && !c.log ? c.error[i] : (double)NAN;
    }
    double step = q->work / c.axis.each - c.axis.warmup;
    cs_figure out = cs_no_figure;
    out.value = cs_value_at(c.time, y, c.n, step);
    out.freedom = cs_facts_units(f, q->arm) - 1;
    out.error = cs_value_at(c.time, e, c.n, step) / out.value;
    if (out.value <= 2 * c.law)
        out.vague = "is within the possible error of the exact answer";
    return out;
}

static const char not_known[] = "has no distance yet";

const cs_figure_type cs_figure_tv = {
    .name = "tv",
    .title = "total variation",
    .help = "total variation distance between the draws and the exact "
            "distribution, if the exact distribution is known",
    .probe = "distance",
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_STOPS,
    .find = find_largest,
    .missing = not_known,
};

const cs_figure_type cs_figure_kl = {
    .name = "kl",
    .title = "divergence",
    .unit = "nats",
    .help = "Kullback-Leibler divergence from the exact distribution",
    .probe = "distance",
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_STOPS,
    .find = find_largest,
    .missing = not_known,
};

const cs_figure_type cs_figure_chi2 = {
    .name = "chi2",
    .title = "chi-square",
    .help = "chi-square distance from the exact distribution: the sum of "
            "(share of the draws - p)^2 / p",
    .probe = "distance",
    .merit = CS_MERIT_LESS,
    .find = find_largest,
    .missing = not_known,
};

const cs_figure_type cs_figure_ks = {
    .name = "ks",
    .title = "Kolmogorov distance",
    .help = "Kolmogorov distance between the draws of a coordinate and the "
            "exact distribution; the largest over all coordinates",
    .probe = "distance",
    .merit = CS_MERIT_LESS,
    .spread = CS_SPREAD_BOOTSTRAP,
    .flags = CS_FIGURE_STOPS,
    .find = find_largest,
    .missing = not_known,
};

const cs_figure_type cs_figure_tv_plane = {
    .name = "tv_plane",
    .title = "total variation on the plane",
    .help = "total variation distance from the exact distribution on the "
            "displayed plane",
    .probe = "plane",
    .merit = CS_MERIT_LESS,
    .find = find_plane,
    .missing = not_known,
};

const cs_figure_type cs_figure_distance = {
    .name = "distance",
    .title = "distance from exact",
    .help = "distance from the exact distribution, averaged over chains, at "
            "the amount of work at which the arms are compared. If several "
            "distances are known, the first one is used",
    .merit = CS_MERIT_LESS,
    .of = CS_OF_WORK,
    .find = find_distance,
    .reach = reach_of_distance,
    .missing = not_known,
};
