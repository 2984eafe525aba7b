#include "stat/nested_rhat.h"

#include "base/memory.h"
#include "stat/moments.h"

#include <math.h>

static double variance(const double *x, size_t n)
{
    return n > 1 ? cs_variance(x, n) : 0;
}

/* Returns B / W. Sets *superchains to the number of superchains that have
 * chains, and *single to true if each has one chain. Needs
 * scratch[2 * chains]. */
static double ratio(cs_draws d, const size_t *of, double *scratch,
                    size_t *superchains, bool *single)
{
    double *mean = scratch, *means = scratch + d.chains, within = 0;
    size_t most = 0, n = 0;
    *single = true;
    for (size_t c = 0; c < d.chains; c++)
        most = of[c] > most ? of[c] : most;
    for (size_t k = 0; k <= most && d.chains; k++) {
        size_t chains = 0;
        double inside = 0;
        for (size_t c = 0; c < d.chains; c++) {
            if (of[c] != k)
                continue;
            mean[chains++] = cs_mean(d.x + c * d.n, d.n);
            inside += variance(d.x + c * d.n, d.n);
        }
        if (!chains)
            continue;
        means[n++] = cs_mean(mean, chains);
        within += variance(mean, chains) + inside / (double)chains;
        *single &= chains == 1;
    }
    *superchains = n;
    return n > 1 ? cs_variance(means, n) / (within / (double)n) : (double)NAN;
}

double cs_nested_rhat(cs_draws d, const size_t *of, const char **reason)
{
    const char *why = cs_draws_unusable(d);
    double *scratch = why ? NULL : cs_alloc(2 * d.chains, sizeof *scratch);
    double value = (double)NAN;
    size_t superchains = 0;
    bool single = false;
    if (!why && !scratch)
        why = cs_why_no_memory;
    if (!why)
        value = sqrt(1 + ratio(d, of, scratch, &superchains, &single));
    if (!why && superchains < 2)
        why = "nested R-hat needs at least two superchains";
    else if (!why && single && d.n == 1)
        why = "superchains of one chain with one draw have no variance";
    cs_free(scratch);
    if (reason)
        *reason = why;
    return why ? (double)NAN : value;
}
