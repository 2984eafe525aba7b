/* The list of figures (figures.def). */
#include "figure/figure.h"

#include "base/registry.h"
#include "figure/quantity_table.h"

#include <math.h>
#include <stdio.h>

static const cs_figure_type *const table[][1] = {
#define CS_FIGURE(name, file) CS_SINGLE_ROW(cs_figure_##name)
#include "figure/figures.def"
#undef CS_FIGURE
    {NULL}};

CS_REGISTRY(cs_figure_type, cs_figure)

const cs_figure cs_no_figure = {(double)NAN, (double)NAN, (double)NAN,
                                CS_OF_NONE,  NULL,        NULL};

cs_figure_of cs_figure_of_arm(size_t arm)
{
    return (cs_figure_of){.arm = arm,
                          .k = (double)NAN,
                          .at = CS_OF_NONE,
                          .other = CS_OF_NONE,
                          .level = (double)NAN,
                          .work = (double)NAN};
}

static const char mixed[] =
    "mixes quantities of all steps with quantities of kept draws";

/* Returns true if the figure is computed from the values of several quantities
 * (as their worst value or their median), and these values come from different
 * draws. */
static bool mixes(const cs_facts *f, const cs_figure_of *q)
{
    return q->type->draws == CS_DRAWS_DIAGNOSED && isnan(q->k) &&
           q->at == CS_OF_NONE && cs_quantities_mix(f, q->arm);
}

cs_figure cs_figure_ask(const cs_figure_type *t, const cs_facts *f,
                        cs_figure_of q)
{
    q.type = t;
    if (mixes(f, &q)) {
        cs_figure none = cs_no_figure;
        none.missing = mixed;
        return none;
    }
    cs_figure out = t->find(f, &q);
    if (isnan(out.value) && !out.missing)
        out.missing = t->missing;
    return out;
}

const char *cs_figure_kind_name(cs_figure_kind kind)
{
    static const char *const names[CS_OF_KINDS] = {
        [CS_OF_NOTHING] = "",
        [CS_OF_COORDINATE] = "coordinate",
        [CS_OF_LEVEL] = "level",
        [CS_OF_LAG] = "lag",
        [CS_OF_SUPERCHAINS] = "superchains",
        [CS_OF_CONDITION] = "condition",
        [CS_OF_MODE] = "mode",
        [CS_OF_POSITION] = "position",
        [CS_OF_STEP] = "step",
        [CS_OF_ARM] = "arm",
        [CS_OF_BUDGET] = "budget",
        [CS_OF_PLAIN_BUDGET] = "budget",
        [CS_OF_WORK] = "work",
    };
    return kind < CS_OF_KINDS ? names[kind] : "";
}

const char *cs_figure_spread_name(cs_figure_spread spread)
{
    static const char *const names[CS_SPREAD_KINDS] = {
        [CS_SPREAD_JACKKNIFE] = "jackknife",
        [CS_SPREAD_BOOTSTRAP] = "bootstrap",
        [CS_SPREAD_SEEDS] = "seeds",
        [CS_SPREAD_COUNT] = "count",
    };
    return spread < CS_SPREAD_KINDS ? names[spread] : "";
}

/* Two amounts of work count as equal if their ratio is at most this value. The
 * ratio may exceed 1, because the step that ends a budget may take more work
 * than other steps. */
static const double nearly = 1.05;

bool cs_figure_is_unranked(const cs_figure_type *t, double least, double most,
                           char *text, size_t size)
{
    bool total = t->flags & CS_FIGURE_TOTAL;
    bool unranked = total && most > nearly * least;
    if (size)
        snprintf(text, size, "%s%s%s", unranked ? "work is unequal and " : "",
                 unranked ? t->name : "", unranked ? " grows with it" : "");
    return unranked;
}

enum {
    CHAINS = 4
}; /* minimum number of chains for which an error is
                        computed */

cs_figure cs_figure_over_chains(const double *x, size_t n, size_t apart)
{
    double mean = 0, squares = 0, seen = 0;
    for (size_t i = 0; i < n; i++) {
        double v = x[i * apart];
        if (!isfinite(v))
            continue;
        double delta = v - mean;
        mean += delta / ++seen;
        squares += delta * (v - mean);
    }
    cs_figure out = cs_no_figure;
    out.value = seen > 0 ? mean : (double)NAN;
    if (seen >= CHAINS) {
        out.error = sqrt(squares / (seen - 1) / seen) / fabs(mean);
        out.freedom = seen - 1;
    }
    return out;
}
