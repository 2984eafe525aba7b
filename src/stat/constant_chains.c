#include "stat/constant_chains.h"

#include <math.h>

static bool is_constant(const double *x, size_t n)
{
    size_t i = 1;
    while (i < n && x[i] == x[0])
        i++;
    return i >= n;
}

/* Returns the probability that chain c never changes, if it is like the
 * others. */
static double chance(cs_draws d, size_t c)
{
    double v = d.x[c * d.n], other = 0, changes = 0, n = (double)d.n;
    double chains = (double)(d.chains - 1);
    for (size_t k = 0; k < d.chains; k++) {
        const double *x = d.x + k * d.n;
        for (size_t i = 0; k != c && i < d.n; i++) {
            other += x[i] != v;
            changes += i > 0 && (x[i] != v) != (x[i - 1] != v);
        }
    }
    double q = other / (chains * n);
    double m = q > 0 && q < 1 ? changes / chains / (2 * q * (1 - q)) : 1;
    return pow(1 - q, fmin(fmax(m, 1), n));
}

cs_constant_chains cs_constant_chains_of(cs_draws d)
{
    static const double false_alarms = 0.001;
    cs_constant_chains out = {.of = d.chains};
    size_t first = 0;
    bool differ = false;
    for (size_t c = 0; d.n > 0 && c < d.chains; c++) {
        if (!is_constant(d.x + c * d.n, d.n))
            continue;
        out.value = out.chains ? out.value : d.x[c * d.n];
        differ |= d.x[c * d.n] != out.value;
        if (out.chains++ == 0)
            first = c;
    }
    /* Constant chains of one value have the same chance. */
    bool some = out.chains > 0 && out.chains < d.chains;
    out.apart = differ ||
                (some && chance(d, first) * (double)out.chains < false_alarms);
    return out;
}
