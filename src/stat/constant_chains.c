#include "stat/constant_chains.h"

#include <math.h>

static bool is_constant(const double *x, size_t n)
{
    size_t i = 1;
    while (i < n && x[i] == x[0])
        i++;
    return i >= n;
}

/* Returns the share of draws of the chains except `but` that differ from v. */
static double share_of_others(cs_draws d, size_t but, double v)
{
    size_t other = 0;
    for (size_t c = 0; c < d.chains; c++)
        for (size_t i = 0; c != but && i < d.n; i++)
            other += d.x[c * d.n + i] != v;
    return (double)other / (double)((d.chains - 1) * d.n);
}

cs_constant_chains cs_constant_chains_of(cs_draws d, double size)
{
    static const double false_alarms = 0.001;
    cs_constant_chains out = {.of = d.chains};
    double least = 1, m = size / (double)d.chains;
    bool differ = false;
    for (size_t c = 0; d.n > 0 && c < d.chains; c++) {
        const double *x = d.x + c * d.n;
        if (!is_constant(x, d.n))
            continue;
        out.value = out.chains ? out.value : x[0];
        differ |= x[0] != out.value;
        out.chains++;
        if (d.chains > 1)
            least =
                fmin(least, pow(1 - share_of_others(d, c, x[0]), fmax(m, 1)));
    }
    out.apart = (differ && out.chains == d.chains) ||
                least * (double)out.chains < false_alarms;
    out.apart &= out.chains > 0;
    return out;
}
