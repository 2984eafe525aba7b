#include "theory/bounds.h"

#include <math.h>

double cs_bound_constant(void)
{
    return exp(-exp(-1));
}

/* Returns the ratio of an exact value to its bound, or `least` if that is
 * smaller. Returns `least` if the bound is 0 up to rounding. */
static double slack(double moves, double bound, double least)
{
    return bound > 1e-13 ? fmin(least, moves / bound) : least;
}

static void bound_pairs(const cs_aux_theory *t, cs_aux_bounds *out)
{
    size_t n = t->n;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            size_t at = a * n + b, back = b * n + a;
            double kl = fmin(t->kl_mean[at], fmin(t->kl[at], t->kl[back]));
            double aux = t->P[CS_AUX][at], within = t->P[CS_WITHIN][at];
            if (a == b)
                continue;
            out->tv = fmax(out->tv, 1 - t->overlap[at]);
            out->kl = fmax(out->kl, kl);
            out->kl_mean = fmax(out->kl_mean, t->kl_mean[at]);
            out->slack_tv = slack(aux, t->overlap[at] * within, out->slack_tv);
            out->slack_kl = slack(aux, cs_bound_constant() * exp(-kl) * within,
                                  out->slack_kl);
        }
}

cs_aux_bounds cs_aux_bounds_of(const cs_aux_theory *t)
{
    cs_aux_bounds out = {.slack_tv = HUGE_VAL,
                         .slack_kl = HUGE_VAL,
                         .within_1 = (double)NAN,
                         .within_2 = (double)NAN};
    bound_pairs(t, &out);
    out.by_tv = 1 - out.tv;
    out.by_kl = cs_bound_constant() * exp(-out.kl);
    out.excess_aux = cs_chain_excess(t->P[CS_AUX], t->P[CS_WITHIN], t->n);
    out.excess_within = cs_chain_excess(t->P[CS_WITHIN], t->P[CS_IDEAL], t->n);
    if (!t->given)
        return out;
    double gibbs = t->gap[CS_GIBBS].absolute;
    out.within_1 = gibbs * t->least.absolute;
    out.within_2 = -HUGE_VAL;
    for (size_t k = 0; k < CS_AUX_POWERS; k++)
        out.within_2 =
            fmax(out.within_2, (gibbs - t->alpha[k]) / (2 * (double)(k + 1)));
    return out;
}

cs_bounds cs_bounds_poisson(double size, double lambda)
{
    cs_bounds out;
    out.older = exp(-size * size / (lambda + size)) / 2;
    out.newer = cs_bound_constant() * exp(-size * size / (2 * lambda));
    out.printed = fmax(out.older, out.newer);
    out.sharper = cs_bound_constant() * exp(-size / 2 * log1p(size / lambda));
    return out;
}

cs_bounds cs_bounds_tuna(double size, double chi)
{
    cs_bounds out;
    out.older = exp(-1 / chi - 2 * sqrt(log(2) / chi));
    out.newer = out.printed = cs_bound_constant() * exp(-1 / (2 * chi));
    out.sharper =
        cs_bound_constant() * exp(-size / 2 * log1p(1 / (chi * size)));
    return out;
}

/* ---- proposition 3 ------------------------------------------------------- */

/* Returns the smallest P_b{p_a > delta p_b} over all pairs of states a, b. */
static double least_mass(const double *p, size_t n, size_t values, double delta)
{
    double least = 1;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            double mass = 0;
            for (size_t w = 0; w < values; w++)
                if (p[a * values + w] > delta * p[b * values + w])
                    mass += p[b * values + w];
            least = fmin(least, mass);
        }
    return least;
}

/* Maximises the bound over a grid of delta. (Every delta gives a valid
 * bound.) */
double cs_bound_exchange(const double *p, size_t n, size_t values)
{
    enum { TRIED = 200 };
    double best = 0;
    for (int k = 1; k < TRIED; k++) {
        double delta = (double)k / TRIED;
        best = fmax(best, delta * least_mass(p, n, values, delta));
    }
    return best;
}
