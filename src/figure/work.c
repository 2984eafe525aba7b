#include "figure/work.h"

#include "base/count.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cs_unit_row rows[CS_UNITS] = {
    [CS_UNIT_USUAL] = {"usual", "step", "evaluations", "evaluation",
                       "1k evaluations", "1k ev", 1000,
                       "steps along axes, evaluations in figures"},
    [CS_UNIT_STEPS] = {"steps", "step", "steps", "step", "1k steps", "1k st",
                       1000, "steps of chains"},
    [CS_UNIT_GRADIENTS] = {"gradients", "gradients per chain", "gradients",
                           "gradient", "1k gradients", "1k gr", 1000,
                           "gradients of the log density"},
    [CS_UNIT_DENSITIES] = {"densities", "log densities per chain",
                           "log densities", "log density", "1k log densities",
                           "1k ld", 1000, "log densities"},
    [CS_UNIT_EVALUATIONS] =
        {"evaluations", "evaluations per chain", "evaluations", "evaluation",
         "1k evaluations", "1k ev", 1000,
         "one evaluation is a log density, a gradient, the differences of all "
         "sites, or a pass over all rows of data"},
    [CS_UNIT_TERMS] = {"terms", "data terms per chain", "data terms",
                       "data term", "1M data terms", "1M dt", 1e6,
                       "evaluations of rows of data"},
    [CS_UNIT_SECONDS] = {"seconds", "seconds per chain", "seconds", "second",
                         "second", "s", 1, "seconds of processor time"},
};

static const char *const keys[CS_UNITS] = {
    [CS_UNIT_GRADIENTS] = "gradients",
    [CS_UNIT_DENSITIES] = "log_densities",
    [CS_UNIT_EVALUATIONS] = "evaluations",
    [CS_UNIT_TERMS] = "data_terms",
    [CS_UNIT_SECONDS] = "seconds",
};

const cs_unit_row *cs_unit_at(cs_unit unit)
{
    return unit < CS_UNITS ? &rows[unit] : NULL;
}

cs_unit cs_unit_find(const char *name)
{
    cs_unit unit = CS_UNIT_USUAL;
    while (unit < CS_UNITS && strcmp(rows[unit].name, name) != 0)
        unit++;
    return unit;
}

cs_unit cs_unit_of_axis(cs_unit unit)
{
    return unit == CS_UNIT_USUAL ? CS_UNIT_STEPS : unit;
}

/* The cost of draws that were read from files is unknown, so the rates of such
 * draws are per step. */
cs_unit cs_unit_of_figure(const cs_facts *f, cs_unit unit)
{
    bool made = *cs_fact_text(f, CS_FACTS_RUN, "watched") == 0;
    cs_unit usual = made ? CS_UNIT_EVALUATIONS : CS_UNIT_STEPS;
    return unit == CS_UNIT_USUAL ? usual : unit;
}

static double positive(double x)
{
    return x > 0 ? x : (double)NAN;
}

static double chains_of(const cs_facts *f, size_t arm)
{
    return cs_fact(f, arm, 0, "chains");
}

double cs_facts_units(const cs_facts *f, size_t arm)
{
    return chains_of(f, arm) / fmax(cs_fact(f, arm, 1, "group"), 1);
}

double cs_facts_work(const cs_facts *f, size_t arm, cs_unit unit)
{
    unit = cs_unit_of_figure(f, unit);
    if (unit == CS_UNIT_STEPS)
        return positive(cs_fact(f, arm, NAN, "steps") * chains_of(f, arm));
    return positive(cs_fact(f, arm, NAN, "%s", keys[unit]));
}

double cs_facts_step_work(const cs_facts *f, size_t arm, cs_unit unit)
{
    unit = cs_unit_of_axis(unit);
    if (unit == CS_UNIT_STEPS)
        return 1;
    return cs_facts_work(f, arm, unit) / cs_facts_work(f, arm, CS_UNIT_STEPS);
}

cs_axis cs_facts_axis(const cs_facts *f, size_t arm, cs_unit unit)
{
    cs_axis out = {.warmup = cs_fact(f, arm, 0, "warm_up")};
    double each = cs_facts_step_work(f, arm, unit);
    out.known = each > 0;
    out.each = out.known ? each : 1;
    out.name = rows[out.known ? unit : CS_UNIT_STEPS].axis;
    return out;
}

cs_axis cs_axis_of_all(const cs_facts *f, size_t arm, cs_unit unit)
{
    double steps = cs_facts_work(f, arm, CS_UNIT_STEPS);
    double each = cs_facts_work(f, arm, unit) / steps;
    return (cs_axis){.warmup = cs_fact(f, arm, 0, "warm_up"),
                     .each = each * fmax(chains_of(f, arm), 1),
                     .known = each > 0};
}

double cs_axis_at(const cs_axis *axis, double step)
{
    return (axis->warmup + step) * axis->each;
}

cs_place cs_axis_say(const cs_axis *axis, double place)
{
    cs_place out;
    if (axis->name == rows[CS_UNIT_STEPS].axis)
        snprintf(out.text, sizeof out.text, "%s %s", axis->name,
                 cs_count(place).text);
    else
        snprintf(out.text, sizeof out.text, "%s %s", cs_num(place).text,
                 axis->name);
    return out;
}

double cs_value_at(const double *time, const double *y, size_t n, double x)
{
    double x0 = NAN, y0 = NAN;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(y[i]))
            continue;
        if (time[i] == x)
            return y[i];
        if (time[i] > x)
            return y0 + (y[i] - y0) * (x - x0) / (time[i] - x0);
        x0 = time[i];
        y0 = y[i];
    }
    return NAN;
}
