/* Warnings about kernels that do not sample the target exactly. */
#include "base/count.h"
#include "warn/kinds.h"

#include <math.h>

/* Returns the share of draws that come from bins whose weights were still being
 * learned. */
static double learning_share(const cs_warn_facts *f)
{
    const cs_warn_counts *c = &f->counts;
    return c->marking > 0 ? c->learning / c->marking : 0;
}

/* Reports why the draws do not exactly have the target's distribution. */
bool cs_warn_bias(const cs_warn_facts *f, cs_page *p)
{
    const cs_kernel_type *type = f->kernel->type;
    const char *why = "has no accept step: its draws have a bias that depends "
                      "on the step size; estimate it with --bias";
    if (f->exact || type->flags & CS_KERNEL_EXACT)
        return false;
    if (type->flags & CS_KERNEL_ESTIMATES)
        why = "accepts by an estimate that may be wrong: its draws have a bias "
              "from the errors of the estimate";
    else if (type->flags & (CS_KERNEL_ACCEPTS | CS_KERNEL_DECIDES))
        why = "learns its weights during the run: while they change, its draws "
              "have a bias, which decreases";
    else if (learning_share(f) > 0)
        why = "has no accept step and learns its weights during the run: its "
              "draws have a bias from the step size and from the changing "
              "weights";
    cs_page_put(p, "%s %s\n", type->name, why);
    return true;
}

/* Reports a kernel that would be exact with other parameter values. */
bool cs_warn_partial(const cs_warn_facts *f, cs_page *p)
{
    const cs_kernel_type *type = f->kernel->type;
    if (f->exact || !(type->flags & CS_KERNEL_EXACT))
        return false;
    cs_page_put(p,
                "%s is not exact with these parameter values: its draws do not "
                "cover the whole target\n",
                type->name);
    return true;
}

bool cs_warn_learning(const cs_warn_facts *f, cs_page *p)
{
    double share = learning_share(f);
    if (!(share > 0))
        return false;
    cs_page_put(
        p,
        "%.3g %% of the draws were made while the weight of their bin was "
        "still being learned (learning__ = 1): their weights are not final\n",
        100 * share);
    return true;
}

/* A kernel that adapts its parameters to past states does not sample the target
 * until the adaptation ends. The warning is omitted if at most 10 % of the
 * draws are affected. */
bool cs_warn_adapting(const cs_warn_facts *f, cs_page *p)
{
    double from = (double)f->warmup, draws = (double)f->steps - from;
    double made = fmin(f->adapts, (double)f->steps) - from;
    if (!(made > 0.1 * draws))
        return false;
    cs_page_put(p,
                "%s adapts until step %s, and %.3g %% of the draws are from "
                "earlier steps: set `warmup` to that step and run longer, or "
                "decrease `adapt`\n",
                f->kernel->type->name, cs_count(f->adapts).text,
                100 * made / draws);
    return true;
}

bool cs_warn_unchecked(const cs_warn_facts *f, cs_page *p)
{
    if (!f->unchecked)
        return false;
    cs_page_put(p,
                "the kernel of %s, a function of the script, has not been "
                "checked: run `chainscope check` on the file\n",
                f->arm);
    return true;
}

/* Reports that no draws are recorded because the weights are learned during the
 * whole run. */
bool cs_warn_all_learning(const cs_warn_facts *f, cs_page *p)
{
    const cs_kernel_type *type = f->kernel->type;
    int learn = cs_param_find(type->params, type->n_params, "learn");
    if (learn < 0 || f->steps == 0 ||
        (double)f->steps > f->kernel->values[learn])
        return false;
    cs_page_put(p,
                "no draws: the weights are learned for "
                "%s steps; run longer\n",
                cs_count(f->kernel->values[learn]).text);
    return true;
}

/* Reports weighted draws without a column of weights. The columns of files and
 * recorded draws are fixed at the start of a run. */
bool cs_warn_weightless(const cs_warn_facts *f, cs_page *p)
{
    const char *name = f->kernel->type->name;
    if (!f->loses_weights)
        return false;
    cs_page_put(
        p,
        "%s weights its draws, but they have no weight column, because the arm "
        "started with an unweighted kernel; start a run with %s\n",
        name, name);
    return true;
}

bool cs_warn_loose_bounds(const cs_warn_facts *f, cs_page *p)
{
    if (f->rows)
        cs_page_put(p, "%s\n", f->rows);
    return f->rows;
}

/* Returns what a kernel does that breaks this law. */
static const char *broken_law(const char *law)
{
    static const struct {
        const char *law, *words;
    } row[] = {
        {"again", "the same random numbers give other states"},
        {"record", "its ratios are not those of log p and log_q"},
        {"inside", "it leaves the support, or a function fails"},
        {"transitions", "its transition probabilities change the target"},
        {"stationarity", "exact draws do not stay exact"},
        {"balance", "more moves go one way than back"},
        {"reach", "it cannot reach every state"},
        {"sums", "its proposals do not follow log_q"},
        {"conditional", "its draws do not follow the conditional density"},
        {"returns", "its path does not return, or changes volumes"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(row[i].law, law) == 0)
            return row[i].words;
    return "its draws cannot be trusted";
}

bool cs_warn_check(const cs_warn_facts *f, cs_page *p)
{
    if (!f->broken || !*f->broken)
        return false;
    cs_page_put(p, "the kernel is wrong: %s (:check, law %s)\n",
                broken_law(f->broken), f->broken);
    return true;
}
