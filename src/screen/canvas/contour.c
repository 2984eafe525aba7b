#include "screen/canvas/contour.h"

#include <math.h>
#include <string.h>

static const double *row(const cs_shot *s, size_t arm, const char *key,
                         size_t n)
{
    size_t r, c;
    const double *of = cs_shot_array(s, &r, &c, "arm/%zu/kernel/%s", arm, key);
    return of && r * c == n ? of : NULL;
}

/* Returns the value of a parameter. If there is no parameter with that name,
 * returns NAN. */
static double param(const cs_shot *s, size_t arm, const char *name)
{
    double n = cs_shot_number(s, 0, "arm/%zu/params", arm);
    for (size_t k = 0; k < cs_shot_whole(n, 64); k++) {
        const cs_row_param *p = cs_shot_param(s, arm, k);
        if (p && strcmp(cs_shot_text(s, "arm/%zu/param/%zu/name", arm, k),
                        name) == 0)
            return p->value;
    }
    return (double)NAN;
}

bool cs_contour_find(const cs_shot *s, size_t arm, cs_contour *c)
{
    size_t r, n;
    *c = (cs_contour){0};
    c->low = cs_shot_array(s, &r, &n, "arm/%zu/kernel/bin_low", arm);
    if (!c->low || r * n < 2)
        return false;
    c->n = r * n;
    c->high = row(s, arm, "bin_high", c->n);
    c->weight = row(s, arm, "bin_weight", c->n);
    c->spread = row(s, arm, "bin_spread", c->n);
    c->truth = row(s, arm, "bin_truth", c->n);
    c->multiplier = row(s, arm, "bin_multiplier", c->n);
    c->visits = row(s, arm, "bin_visits", c->n);
    c->learning = row(s, arm, "bin_learning", c->n);
    c->of = cs_shot_text(s, "arm/%zu/kernel/bin_of", arm);
    c->zeta = param(s, arm, "zeta");
    c->heat = param(s, arm, "temperature");
    c->forward = param(s, arm, "multiplier") == 1;
    c->uniform = param(s, arm, "measure") == 1;
    double span = c->high ? c->high[c->n - 1] - c->low[0] : 0;
    return c->high && c->weight && span > 0 && isfinite(span);
}

size_t cs_contour_bin(const cs_contour *c, double energy)
{
    size_t low = 0, high = c->n - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (energy <= c->high[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

double cs_contour_flat(const cs_contour *c, double energy)
{
    size_t at = cs_contour_bin(c, energy), last = c->n - 1;
    size_t from = c->forward ? at : at ? at - 1 : 0;
    size_t to = c->forward ? (at < last ? at + 1 : last) : at;
    double width = c->high[at] - c->low[at];
    if (!isfinite(energy))
        return energy;
    if (isnan(c->zeta) || isnan(c->heat))
        return (c->uniform ? 0 : energy) + log(c->weight[at]);
    double low = log(c->weight[from]), high = log(c->weight[to]);
    double part = at == last ? 0 : (energy - c->low[at]) / width;
    double psi = low + (high - low) * part;
    return isfinite(psi) ? energy + c->zeta * c->heat * psi : (double)NAN;
}
