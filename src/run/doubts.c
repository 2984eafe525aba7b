#include "run/doubts.h"

#include "base/count.h"
#include "base/memory.h"
#include "run/report_view.h"
#include "run/witnesses.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

/* ---- what was reported ---------------------------------------------------- */

/* Which of the words of a list `name` is; SIZE_MAX: none. */
static size_t place_of(const char *list, const char *name, size_t size)
{
    for (size_t i = 0; *list; i++) {
        size_t n = strcspn(list, " ");
        if (n == size && memcmp(list, name, n) == 0)
            return i;
        list += n + (list[n] == ' ');
    }
    return SIZE_MAX;
}

/* ---- what is exact -------------------------------------------------------- */

/* Effective draws of the quantity of that name, NULL: the fewest of any; the
 * fewest of those of its mean, of its ranks and in its tails, for a chain that
 * goes from side to side knows its mean, and not its law. NAN: not known. */
static double size_of(const cs_report_view *found, const char *name, size_t n)
{
    cs_flat_entry names, table;
    double size = (double)NAN;
    if (!cs_report_view_find(found, "names", &names) || !names.text ||
        !cs_report_view_find(found, "table", &table))
        return size;
    const cs_figures *row = CS_ENTRY_ROWS(table, cs_figures);
    size_t only = name ? place_of(names.text, name, n) : SIZE_MAX;
    for (size_t k = 0; row && k < table.rows; k++)
        if (!name || k == only)
            size = fmin(size, fmin(fmin(row[k].bulk, row[k].tail), row[k].ess));
    return size;
}

static void put_off(const char *name, size_t n, double distance, double size,
                    bool exact, cs_page *p)
{
    if (strncmp(name, "ks.", 3) == 0)
        cs_page_put(p, "%.*s is off its exact law by more than chance (ks",
                    (int)n - 3, name + 3);
    else
        cs_page_put(p,
                    "the draws are off the exact distribution by more than "
                    "chance (%.*s",
                    (int)n, name);
    cs_page_put(
        p,
        " %.3g at %.0f effective draws): %s, or a part of the target was "
        "missed\n",
        distance, size,
        exact ? "the kernel is wrong" : "by the bias of its kernel");
}

/* The temperature that the kernel has of its own: it does not sample p then, and
 * what is known of p is of something else. */
static double heat_of(const cs_kernel *kernel)
{
    const cs_kernel_type *type = kernel->type;
    int i = cs_param_find(type->params, type->n_params, "temperature");
    return i < 0 ? 1 : kernel->values[i];
}

static void put_heat(const cs_kernel *kernel, double heat, cs_page *p)
{
    if (p)
        cs_page_put(
            p,
            "%s samples p^(1/T) at temperature T = %g: the exact law and "
            "the distance from it are of p, at 1\n",
            kernel->type->name, heat);
}

/* Above 2.5 / sqrt(n) is the distance of Kolmogorov and Smirnov (ks) in 7 of a
 * million samples of n independent draws; that in total variation (tv) is near
 * its floor, which falls as 1 / sqrt(n). Ten draws where almost none should be
 * are not told: floors are of many. */
static double most_of(const char *name, double floor, double draws)
{
    if (strncmp(name, "ks.", 3) == 0)
        return 2.5;
    bool tv = strncmp(name, "tv", strcspn(name, " ")) == 0;
    return tv ? 3 * floor * sqrt(draws) : HUGE_VAL;
}

/* The share of an arm's kept draws that lie beyond the grid a law was summed
 * over: as much mass may be there that nothing is known of. */
static double share_beyond(cs_run *run, size_t arm)
{
    const cs_target *t = cs_run_target(run);
    const cs_enumeration *truth =
        t->type->marginal || t->outputs.n ? NULL : cs_enumeration_of(t);
    size_t dim = t->space.dim, width = 1 + dim + cs_run_aux(run, arm);
    double low, high, all = 0, beyond = 0;
    uint64_t every;
    if (!truth || !cs_enumeration_window(t, truth, 0, &low, &high))
        return 0;
    for (size_t c = 0; c < cs_run_arm(run, arm).chains; c++) {
        size_t n = cs_run_draws(run, arm, c, NULL, &every);
        double *row = cs_alloc(n * width, sizeof *row);
        n = row ? cs_run_draws(run, arm, c, row, &every) : 0;
        for (size_t i = 0; i < n; i++) {
            bool out = false;
            for (size_t k = 0; k < dim; k++)
                if (cs_enumeration_window(t, truth, k, &low, &high))
                    out |= row[i * width + 1 + k] < low ||
                           row[i * width + 1 + k] > high;
            beyond += out;
        }
        all += (double)n;
        cs_free(row);
    }
    return all > 0 ? beyond / all : 0;
}

/* Whether a distance is more than chance, once so much of it is put down to the
 * law it is from. */
static bool is_off(const char *name, double far, double floor, double draws,
                   double size)
{
    enum { LEAST = 10 };
    return far * sqrt(size) > most_of(name, floor, draws) && far * size > LEAST;
}

/* What the distances from an exact law say, p NULL: nothing is written. Returns
 * how many of them are more than chance. */
static size_t words_of_law(cs_run *run, size_t arm, const cs_flat *told,
                           cs_page *p)
{
    size_t off = 0;
    const cs_kernel *kernel = cs_run_arm(run, arm).kernel;
    bool exact = cs_kernel_is_exact(kernel, cs_run_target(run));
    cs_report_view known = cs_report_view_open(run, arm, "distance", told);
    cs_report_view found = cs_report_view_open(run, arm, "diagnostics", told);
    cs_flat_entry names, value, least, draws, law;
    bool there = cs_report_view_find(&known, "names", &names) && names.text &&
                 cs_report_view_find(&known, "values", &value) &&
                 cs_report_view_find(&known, "floor", &least) &&
                 cs_report_view_find(&known, "law", &law) &&
                 cs_report_view_find(&known, "draws", &draws) && draws.data;
    double heat = heat_of(kernel);
    const char *at = there ? names.text : "";
    if (*at && heat != 1) {
        put_heat(kernel, heat, p);
        at = "";
    }
    for (size_t k = 0, n; *at; k++, at += n + (at[n] == ' ')) {
        n = strcspn(at, " ");
        bool ks = strncmp(at, "ks.", 3) == 0;
        double size = size_of(&found, ks ? at + 3 : NULL, ks ? n - 3 : 0);
        double far = value.data[k] - law.data[k], floor = least.data[k];
        if (!is_off(at, far, floor, draws.data[0], size) ||
            !is_off(at, ks ? far - share_beyond(run, arm) : far, floor,
                    draws.data[0], size))
            continue;
        off++;
        if (p)
            put_off(at, n, value.data[k], size, exact, p);
    }
    cs_report_view_close(&known);
    cs_report_view_close(&found);
    return off;
}

bool cs_doubts_off(cs_run *run, size_t arm, const cs_flat *told)
{
    return cs_witnesses_off(run, arm) || words_of_law(run, arm, told, NULL) > 0;
}

/* ---- ladders -------------------------------------------------------------- */

static void words_of_ladder(cs_run *run, const cs_arm_view *v, size_t arm,
                            const cs_flat *told, cs_page *p)
{
    enum { LEAST = 1000 };
    cs_report_view l = cs_report_view_open(run, arm, "kernel", told);
    cs_flat_entry hot, swaps, trips;
    bool there = cs_report_view_find(&l, "temperature", &hot) &&
                 cs_report_view_find(&l, "swaps", &swaps) &&
                 cs_report_view_find(&l, "trips", &trips) && trips.data;
    size_t worst = 0;
    for (size_t k = 1; there && k < swaps.cols; k++)
        worst = swaps.data[k] < swaps.data[worst] ? k : worst;
    if (there && v->steps >= LEAST && swaps.data[worst] < 0.01)
        cs_page_put(p,
                    "%.3g %% of the changes between temperatures %.4g and %.4g "
                    "were made: put more temperatures between them\n",
                    100 * swaps.data[worst], hot.data[worst],
                    hot.data[worst + 1]);
    else if (there && v->steps >= LEAST && !(trips.data[0] > 0))
        cs_page_put(p, "no state has been to the hot end and back: the hot "
                       "chains have not helped; run longer, or put more "
                       "temperatures between\n");
    cs_report_view_close(&l);
}

/* Weights that are learned for all of the run leave no draws. */
static void words_of_learning(const cs_arm_view *v, cs_page *p)
{
    const cs_kernel_type *type = v->kernel->type;
    int learn = cs_param_find(type->params, type->n_params, "learn");
    if (learn >= 0 && v->steps > 0 &&
        (double)v->steps <= v->kernel->values[learn])
        cs_page_put(p,
                    "no draws: the weights are learned for "
                    "%.0f steps; run longer\n",
                    v->kernel->values[learn]);
}

/* ---- steps ---------------------------------------------------------------- */

static double accepted(const cs_run *run, size_t arm, double *steps)
{
    double yes = 0;
    *steps = 0;
    size_t chains = cs_run_arm(run, arm).chains;
    for (size_t c = 0; c < chains; c++) {
        cs_chain_view v = cs_run_decision(run, arm, c);
        *steps += v.tally.steps;
        yes += v.tally.accepted;
    }
    return yes / *steps;
}

/* Whether the draws of any quantity are few. */
static bool are_few(cs_run *run, const cs_arm_view *v, size_t arm,
                    const cs_flat *told)
{
    cs_report_view found = cs_report_view_open(run, arm, "diagnostics", told);
    cs_flat_entry table;
    bool few = false, there = cs_report_view_find(&found, "table", &table);
    double chains = (double)v->chains / (double)v->group;
    const cs_figures *row = there ? CS_ENTRY_ROWS(table, cs_figures) : NULL;
    for (size_t k = 0; row && k < table.rows; k++)
        few |= (isnan(row[k].bulk) ? row[k].ess : row[k].bulk) < 100 * chains;
    cs_report_view_close(&found);
    return few;
}

/* The value to try, and the command that sets it, of a step that is a number:
 * where next to nothing is accepted a tenth, which is as far as none of many
 * refusals shows that it must be. */
static void put_step(const cs_arm_view *v, int step, double factor, cs_page *p)
{
    double value = v->kernel->values[step] * factor;
    cs_page_put(p, "try %.4g (:set %s.step %.4g)", value, v->name, value);
}

/* The number of `step` in the kernel's table; -1: it has none, or a schedule
 * drives it. */
static int step_of(const cs_arm_view *v)
{
    const cs_kernel_type *type = v->kernel->type;
    int step = cs_param_find(type->params, type->n_params, "step");
    return step >= 0 && !v->plan->driven[step] ? step : -1;
}

/* Chains that have accepted nothing beside others that do: each may have begun
 * where the target is narrower than the step. */
static void words_of_stuck(const cs_run *run, const cs_arm_view *v, size_t arm,
                           cs_page *p)
{
    size_t stuck = 0, first = 0;
    double steps, share = accepted(run, arm, &steps), refused = 0;
    if (!(v->kernel->type->flags & CS_KERNEL_ACCEPTS) || !(share >= 0.005))
        return;
    for (size_t c = v->chains; c-- > 0;) {
        cs_chain_view chain = cs_run_decision(run, arm, c);
        if (chain.failed || chain.tally.accepted > 0 || chain.tally.steps < 100)
            continue;
        stuck++;
        first = c;
        refused = chain.tally.steps;
    }
    if (!stuck)
        return;
    cs_page_put(p, "chain %zu%s accepted 0 of %s proposals", first + 1,
                stuck > 1 ? ", the first of several," : "",
                cs_count(refused).text);
    int step = step_of(v);
    if (step >= 0) {
        cs_page_put(p, " at step %.4g: ", v->kernel->values[step]);
        put_step(v, step, 0.1, p);
    } else {
        cs_page_put(p, ": try smaller moves");
    }
    cs_page_put(p, ", or start it elsewhere\n");
}

static void words_of_step(cs_run *run, const cs_arm_view *v, size_t arm,
                          const cs_flat *told, cs_page *p)
{
    const cs_kernel_type *type = v->kernel->type;
    double steps, share = accepted(run, arm, &steps);
    int step = step_of(v);
    bool small = share > 0.98;
    if (!(type->flags & CS_KERNEL_ACCEPTS) || steps < 100 ||
        !(share < 0.005 || small) || (small && !are_few(run, v, arm, told)))
        return;
    cs_page_put(p, "%s of %s, %.3g %% of the proposals were accepted",
                cs_count(share * steps).text, cs_count(steps).text,
                100 * share);
    if (step >= 0)
        cs_page_put(p, " at step %.4g", v->kernel->values[step]);
    cs_page_put(p, "%s: ", small ? ", and effective draws are few" : "");
    if (step >= 0)
        put_step(v, step, small ? 3 : 0.1, p);
    else
        cs_page_put(p, "try %s moves", small ? "larger" : "smaller");
    cs_page_put(p, ", or");
    bool tuned = v->tuning.tuner && cs_tuner_finds(v->tuning.tuner);
    cs_page_put(p, "%s",
                tuned ? " let the tuner run longer\n"
                      : " tuner = cs.tuner.acceptance {} beside the kernel\n");
}

/* A kernel with a box refuses what ends outside; so it does with each move of a
 * chain that begins there. */
static void words_of_box(const cs_run *run, const cs_arm_view *v, size_t arm,
                         cs_page *p)
{
    const cs_kernel_type *type = v->kernel->type;
    const double *values = v->kernel->values;
    double steps, share = accepted(run, arm, &steps);
    int low = cs_param_find(type->params, type->n_params, "low");
    int high = cs_param_find(type->params, type->n_params, "high");
    if (low < 0 || high < 0 || !(values[low] < values[high]) || steps < 100 ||
        !(share < 0.5))
        return;
    cs_page_put(p,
                "%.3g %% of the moves ended in the box, %g to %g: start the "
                "chains inside it, lower the rate, or widen low and high\n",
                100 * share, values[low], values[high]);
}

/* ---- ensembles ------------------------------------------------------------ */

/* What R-hat and effective draws cannot know of chains that move each other. */
static void words_of_ensemble(const cs_run *run, const cs_arm_view *v,
                              cs_page *p)
{
    const cs_kernel_type *type = v->kernel->type;
    size_t dim = cs_run_target(run)->space.dim;
    if (!(type->flags & CS_KERNEL_ENSEMBLE))
        return;
    cs_page_put(p,
                "the chains of %s move by each other's states: R-hat and "
                "effective draws take them for independent, and may be too "
                "favourable; compare runs with other seeds\n",
                type->name);
    if (v->chains <= 2 * dim || v->chains % 2)
        cs_page_put(p,
                    "%s has %zu chains in %zu coordinates: take an even number "
                    "of them, more than %zu\n",
                    type->name, v->chains, dim, 2 * dim);
}

/* ---- the run -------------------------------------------------------------- */

static void words_of_end(const cs_run *run, const cs_arm_view *v,
                         const cs_flat *told, cs_page *p)
{
    uint64_t steps = cs_run_budget(run)->steps;
    if (!told && !v->finished && v->steps > 0 && v->steps < steps)
        cs_page_put(p, "%s of the %s steps of the budget were made\n",
                    cs_count((double)v->steps).text,
                    cs_count((double)steps).text);
}

/* Files and kept draws have the columns that they began with. */
static void words_of_weights(const cs_run *run, const cs_arm_view *v,
                             size_t arm, cs_page *p)
{
    if (cs_run_loses_weights(run, arm))
        cs_page_put(p,
                    "%s weighs its draws, and there is no column for that: the "
                    "arm began with a kernel that does not; open a run with "
                    "%s\n",
                    v->kernel->type->name, v->kernel->type->name);
}

void cs_doubts_words(cs_run *run, size_t arm, const cs_flat *told, cs_page *p)
{
    cs_arm_view v = cs_run_arm(run, arm);
    words_of_end(run, &v, told, p);
    if (v.chains == v.group)
        cs_page_put(p, "one chain alone: R-hat compares its halves, and cannot "
                       "see what other chains would; take four\n");
    /* A law that is off says more than a mean that is. */
    bool off = words_of_law(run, arm, told, p) > 0;
    cs_witnesses_words(run, arm, !off, p);
    words_of_ladder(run, &v, arm, told, p);
    words_of_learning(&v, p);
    words_of_weights(run, &v, arm, p);
    words_of_step(run, &v, arm, told, p);
    words_of_stuck(run, &v, arm, p);
    words_of_box(run, &v, arm, p);
    words_of_ensemble(run, &v, p);
}
