/* Convergence and precision of an arm's draws, for one quantity or for the
 * worst quantity. */
#include "figure/quantity_table.h"
#include "stat/multivariate_size.h"

#include <math.h>
#include <string.h>

/* ---- precision of an effective sample size in published tables ---- */

/* A fraction of the number of kept draws. If the effective sample size of the
 * kept draws exceeds this fraction, the effective sample size of all steps is
 * larger. */
static const double full = 0.5;

/* Returns true if the effective size was computed from thinned draws that are
 * nearly independent. The effective size of all steps is then larger. */
static bool is_cut(const cs_facts *f, size_t arm, double ess)
{
    double kept = cs_fact(f, arm, NAN, "diagnostics/n");
    return cs_fact(f, arm, 1, "diagnostics/whole") == 0 &&
           ess > full * kept * cs_facts_units(f, arm);
}

/* Returns true if the effective size is below two draws per chain. Chains that
 * disagree or never move count as about one effective draw each, even if a
 * chain is left out, so the jackknife finds little or no error. In tests with
 * four or eight stationary chains, which were autoregressive or rested between
 * jumps, the 95 % intervals contained the true value in 33 to 92 % of the cases
 * below two draws per chain, and in 83 to 99 % of the cases above. */
static bool counts_chains(const cs_facts *f, size_t arm, double ess)
{
    double chains =
        cs_fact(f, arm, cs_facts_units(f, arm), "diagnostics/chains");
    return ess < 2 * chains;
}

/* Returns true if the arm has this warning: draws were made while the kernel of
 * the arm was still adapting. */
static bool is_adapting(const cs_facts *f, size_t arm)
{
    const char *warned = cs_fact_text(f, arm, "warned");
    const char *at = strstr(warned, "adapting");
    return at && (at == warned || at[-1] == ' ');
}

static const char too_thin[] =
    "keeps too few draws to measure its effective size over all steps";
static const char adapts[] = "adapts for more than a tenth of its draws";
static const char few_per_chain[] =
    "has fewer than two effective draws per chain, too few to compare";

static void add_error(const cs_facts *f, size_t arm, cs_figure *out)
{
    size_t r, c;
    const double *error =
        cs_fact_array(f, arm, &r, &c, "diagnostics/size_errors");
    out->freedom = cs_fact(f, arm, NAN, "diagnostics/size_freedom");
    if (cs_fact(f, arm, 0, "diagnostics/known") == 0 &&
        is_cut(f, arm, out->value))
        out->vague = too_thin;
    else if (is_adapting(f, arm))
        out->vague = adapts;
    else if (counts_chains(f, arm, out->value))
        out->vague = few_per_chain;
    else if (error && out->at < r * c)
        out->error = error[out->at];
}

/* ---- the figures ---- */

/* Returns the worst quantity, by the rule of the summary. Constants have no
 * value and are never the worst. */
static size_t worst_of(const cs_facts *f, const cs_figure_of *q)
{
    size_t n;
    const cs_figures *row = cs_quantity_table(f, q->arm, &n);
    bool largest = q->type->merit == CS_MERIT_LESS;
    size_t worst =
        cs_figures_worst(row, n, (cs_figures_column)q->type->column, largest);
    return worst < n ? worst : CS_OF_NONE;
}

static cs_figure find_diagnosed(const cs_facts *f, const cs_figure_of *q)
{
    bool one = !isnan(q->k);
    cs_figure out = cs_no_figure;
    out.at = one ? (size_t)q->k : q->at != CS_OF_NONE ? q->at : worst_of(f, q);
    if (out.at == CS_OF_NONE)
        return out;
    cs_figures_column column = (cs_figures_column)q->type->column;
    out.value = cs_quantity_value(f, q->arm, out.at, column, !one);
    if (column == CS_COLUMN_ESS && !q->value_only)
        add_error(f, q->arm, &out);
    return out;
}

static const char no_size[] = "has no effective size yet";

const cs_figure_type cs_figure_rhat = {
    .name = "rhat",
    .title = "R-hat",
    .help = "R-hat of a coordinate; if no coordinate is given, the largest "
            "R-hat of all coordinates and the log density",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_FAST | CS_FIGURE_STOPS,
    .of = CS_OF_COORDINATE,
    .find = find_diagnosed,
    .missing = "has no R-hat yet",
    .column = CS_COLUMN_RHAT,
};

const cs_figure_type cs_figure_ess = {
    .name = "ess",
    .title = "effective draws",
    .unit = "draws",
    .help =
        "effective sample size for the mean of a coordinate; if no coordinate "
        "is given, the smallest for all coordinates and the log density",
    .probe = "diagnostics",
    .draws = CS_DRAWS_DIAGNOSED,
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_TOTAL | CS_FIGURE_REACHED | CS_FIGURE_FAST |
             CS_FIGURE_SCALED | CS_FIGURE_STOPS,
    .of = CS_OF_COORDINATE,
    .find = find_diagnosed,
    .missing = no_size,
    .column = CS_COLUMN_ESS,
};

const cs_figure_type cs_figure_ess_bulk = {
    .name = "ess_bulk",
    .title = "effective draws, bulk",
    .unit = "draws",
    .help = "bulk effective sample size of the kept draws",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_TOTAL | CS_FIGURE_REACHED | CS_FIGURE_FAST |
             CS_FIGURE_SCALED | CS_FIGURE_STOPS,
    .of = CS_OF_COORDINATE,
    .find = find_diagnosed,
    .missing = no_size,
    .column = CS_COLUMN_BULK,
};

const cs_figure_type cs_figure_ess_tail = {
    .name = "ess_tail",
    .title = "effective draws, tails",
    .unit = "draws",
    .help = "tail effective sample size of the kept draws",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_TOTAL | CS_FIGURE_REACHED | CS_FIGURE_FAST |
             CS_FIGURE_SCALED | CS_FIGURE_STOPS,
    .of = CS_OF_COORDINATE,
    .find = find_diagnosed,
    .missing = no_size,
    .column = CS_COLUMN_TAIL,
};

/* ---- figures with a further number in the query ---- */

/* Reads the entry "KEY/K/NUMBER" of an open run; published tables have none. */
static cs_figure find_numbered(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.value =
        cs_fact(f, q->arm, NAN, "%s/%.0f/%.0f", q->type->name, q->k, q->level);
    return out;
}

const cs_figure_type cs_figure_autocorrelation = {
    .name = "autocorrelation",
    .title = "autocorrelation",
    .help =
        "autocorrelation of a coordinate at a lag, averaged over the chains "
        "as for the effective size; differences between chains increase "
        "it: `of` is the coordinate, and `lag` the number of kept draws; "
        "or of = \"mu at lag 3\"",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_STEADY,
    .of = CS_OF_LAG,
    .find = find_numbered,
    .missing = "has too few draws for the lag",
};

static double nested_of(const cs_facts *f, const cs_figure_of *q, size_t k)
{
    return cs_fact(f, q->arm, NAN, "rhat_nested/%zu/%.0f", k, q->level);
}

/* Returns the quantity with the largest nested R-hat. Constants have no value
 * and are never the largest. */
static size_t worst_nested(const cs_facts *f, const cs_figure_of *q)
{
    size_t n, worst = CS_OF_NONE;
    double largest = NAN;
    cs_quantity_table(f, q->arm, &n);
    for (size_t k = 0; k < n; k++) {
        double value = nested_of(f, q, k);
        if (!isnan(value) && !(value <= largest)) {
            largest = value;
            worst = k;
        }
    }
    return worst;
}

static cs_figure find_nested(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    out.at = !isnan(q->k)          ? (size_t)q->k
             : q->at != CS_OF_NONE ? q->at
                                   : worst_nested(f, q);
    if (out.at != CS_OF_NONE)
        out.value = nested_of(f, q, out.at);
    return out;
}

const cs_figure_type cs_figure_rhat_nested = {
    .name = "rhat_nested",
    .title = "nested R-hat",
    .help =
        "nested R-hat of a coordinate, for many short chains (Margossian "
        "et al. 2024); if no coordinate is given, the largest of all "
        "coordinates and the log density: `of` is the coordinate, and "
        "`superchains` the number S of superchains, by default the number of "
        "starts in the list `start`; chains u, u + S, u + 2 S ... are a "
        "superchain, as they share a start; or of = \"mu in 16 superchains\"",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_FAST,
    .of = CS_OF_SUPERCHAINS,
    .find = find_nested,
    .missing = "has no nested R-hat",
};

/* Returns true if the autocorrelation time of the slowest quantity is longer
 * than the batches, from which the multivariate size is then too large. */
static bool has_short_batches(const cs_facts *f, size_t arm)
{
    size_t n;
    const cs_figures *row = cs_quantity_table(f, arm, &n);
    double kept = cs_fact(f, arm, NAN, "diagnostics/n");
    double chains =
        cs_fact(f, arm, cs_facts_units(f, arm), "diagnostics/chains");
    return row &&
           cs_batches_are_short(
               kept, chains, cs_figures_extreme(row, n, CS_COLUMN_ESS, false));
}

/* Finds the entry of an open run's facts for the chains of the sample. Falls back
 * to the report of all chains. */
static cs_figure find_joint(const cs_facts *f, const cs_figure_of *q)
{
    size_t r, c;
    cs_figure out = cs_no_figure;
    const double *row = cs_fact_array(f, q->arm, &r, &c, "ess_multivariate");
    if (!row)
        row = cs_fact_array(f, q->arm, &r, &c, "diagnostics/multivariate");
    if (!row || r * c < CS_JOINT_WORDS)
        return out;
    out.value = row[0];
    if (q->value_only)
        return out;
    out.freedom = cs_fact(f, q->arm, NAN, "diagnostics/size_freedom");
    out.error = row[1];
    if (is_cut(f, q->arm, out.value))
        out.vague = too_thin;
    else if (is_adapting(f, q->arm))
        out.vague = adapts;
    else if (has_short_batches(f, q->arm))
        out.vague = "has an autocorrelation longer than its batches";
    return out;
}

const cs_figure_type cs_figure_ess_multivariate = {
    .name = "ess_multivariate",
    .title = "effective draws, all quantities together",
    .unit = "draws",
    .help = "multivariate effective sample size of the kept draws, for the "
            "means of all quantities together (Vats et al. 2019), from batch "
            "means of all chains",
    .probe = "diagnostics",
    .draws = CS_DRAWS_KEPT,
    .merit = CS_MERIT_MORE,
    .flags = CS_FIGURE_TOTAL | CS_FIGURE_REACHED | CS_FIGURE_FAST |
             CS_FIGURE_SCALED | CS_FIGURE_STOPS,
    .find = find_joint,
    .missing = "has no multivariate effective size",
};

const cs_figure_type cs_figure_mcse = {
    .name = "mcse",
    .title = "error of the mean",
    .help = "Monte Carlo error of the mean of a coordinate; if no coordinate "
            "is given, the largest for all coordinates and the log density",
    .probe = "diagnostics",
    .draws = CS_DRAWS_DIAGNOSED,
    .merit = CS_MERIT_LESS,
    .flags = CS_FIGURE_FAST | CS_FIGURE_STOPS,
    .of = CS_OF_COORDINATE,
    .find = find_diagnosed,
    .missing = "has no error of the mean yet",
    .column = CS_COLUMN_MCSE,
};
