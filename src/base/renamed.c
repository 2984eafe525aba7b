#include "base/renamed.h"

#include <string.h>

/* Renamed words. `where` is a list of kernels, targets or tables, separated by
 * blanks. In these the name `old` was replaced. */
static const struct row {
    const char *where, *old, *now;
} rows[] = {
    /* Parameters of kernels. */
    {"dula dmala edula edmala edula_glu edmala_glu any_scale cs.theory.dmala "
     "cs.theory.dula",
     "weight", "balance"},
    {"dula dmala edula edmala edula_glu edmala_glu gwg", "values", "coding"},
    {"dmala gwg hmc", "force", "gradient_precision"},
    {"gradient_precision", "exact", "double"},
    {"gradient_precision", "single", "float"},
    {"gradient_precision", "bytes", "float"},
    {"gradient_precision", "int8", "float"},
    {"random_walk gwg", "sites", "flips"},
    {"random_walk locally_balanced gwg path_auxiliary", "reach", "radius"},
    {"parallel_tempering simulated_tempering replica_exchange_sgld", "every",
     "swap_interval"},
    {"parallel_tempering simulated_tempering", "period", "swap_interval"},
    /* Parameters of tuners. */
    {"acceptance acs", "target", "acceptance"},
    {"acceptance acs", "test", "trial_steps"},
    {"acs", "budget", "trials"},
    {"acs", "weight_min", "balance_min"},
    {"acs", "weight_max", "balance_max"},
    /* Parameters of targets. */
    {"logistic_regression binary_network", "data", "file"},
    {"binary_network", "test", "held_out"},
    {"ising potts max_cut independent_set", "graph", "file"},
    {"tsp", "start", "tours"},
    /* Parameters of networks. */
    {"reconstruct", "spoil", "corruption"},
    /* Commands of the session. */
    {"command", "reseed", "seed"},
    {"command", "write", "out"},
    {"command", "keep", "screenshot"},
    {"command", "course", "branch"},
    /* Lua: tables, classes and the module. */
    {"panel", "of", "quantity"},
    {"claim", "less", "less_than"},
    {"claim", "over", "ratio_to"},
    {"info", "u", "log_density"},
    {"info", "u_proposal", "log_density_proposed"},
    {"info", "u_change", "log_density_change"},
    {"info", "log_u", "log_uniform"},
    {"probes", "others", "only = true, without which probes are added"},
    {"chainscope", "figure", "arm:figure(name, of)"},
    {"chainscope", "judge", "run:judge(claims)"},
};

/* Returns true if word[n] is an item of the list, which is separated by
 * blanks. */
static bool is_in(const char *list, const char *word, size_t n)
{
    for (size_t k; *list; list += k + (list[k] == ' ')) {
        k = strcspn(list, " ");
        if (k == n && memcmp(list, word, n) == 0)
            return true;
    }
    return false;
}

/* Returns true if the list contains `where`. The name of a kernel that wraps
 * another kernel is "outer(inner)"; the list must then contain at least one of
 * the two names. */
static bool is_there(const char *list, const char *where)
{
    for (size_t n; *where; where += n + (where[n] != 0)) {
        n = strcspn(where, "() ");
        if (n && is_in(list, where, n))
            return true;
    }
    return false;
}

const char *cs_renamed(const char *where, const char *old)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].old, old) == 0 && is_there(rows[i].where, where))
            return rows[i].now;
    return NULL;
}

bool cs_fail_renamed(cs_error *err, const char *what, const char *where,
                     const char *old)
{
    const char *now = cs_renamed(where, old);
    if (!now)
        return false;
    cs_fail(err, CS_UNKNOWN, "%s: '%s' was replaced", what, old);
    cs_hint(err, "write %s", now);
    return true;
}
