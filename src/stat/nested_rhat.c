#include "stat/nested_rhat.h"

#include "base/memory.h"
#include "stat/moments.h"

#include <math.h>

static double variance(const double *x, size_t n)
{
    return n > 1 ? cs_variance(x, n) : 0;
}

static const char *find_reason(cs_draws d, size_t superchains)
{
    if (superchains < 2)
        return "nested R-hat needs at least two superchains";
    if (d.chains % superchains)
        return "the number of chains is not a multiple of the number of "
               "superchains";
    if (d.n == 1 && d.chains == superchains)
        return "superchains of one chain with one draw have no variance";
    return cs_draws_unusable(d);
}

/* Returns B / W. mean[chains] is scratch. */
static double ratio(cs_draws d, size_t superchains, double *mean)
{
    size_t each = d.chains / superchains;
    double within = 0;
    for (size_t c = 0; c < d.chains; c++) {
        mean[c] = cs_mean(d.x + c * d.n, d.n);
        within += variance(d.x + c * d.n, d.n) / (double)d.chains;
    }
    for (size_t k = 0; k < superchains; k++) {
        within += variance(mean + k * each, each) / (double)superchains;
        mean[k] = cs_mean(mean + k * each, each); /* mean[k] was read before */
    }
    return cs_variance(mean, superchains) / within;
}

double cs_nested_rhat(cs_draws d, size_t superchains, const char **reason)
{
    const char *why = find_reason(d, superchains);
    double *mean = why ? NULL : cs_alloc(d.chains, sizeof *mean);
    if (!why && !mean)
        why = cs_why_no_memory;
    double value = why ? (double)NAN : sqrt(1 + ratio(d, superchains, mean));
    cs_free(mean);
    if (reason)
        *reason = why;
    return value;
}
