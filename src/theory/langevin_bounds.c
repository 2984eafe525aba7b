#include "theory/langevin_bounds.h"

#include <math.h>

cs_minorant_bound cs_bound_dmala(const cs_bit_constants *c, double step,
                                 double balance)
{
    double square = c->diameter * c->diameter;
    double curved = balance * (c->lipschitz - c->concavity / 2) * square;
    double slope = c->least_gradient * c->diameter;
    return (cs_minorant_bound){
        .applies = c->concavity > 0 && step * balance * c->lipschitz < 1,
        .printed = -square / (2 * step) - curved - slope,
        .proof = -square / step - curved - balance * slope};
}

/* Takes a normal density without its constant, and sums it over the grid of one
 * coordinate. Returns the log of the largest such sum over all means between
 * the first and the last grid point. */
static double log_phi(const cs_entropic_step *s)
{
    enum { MEANS = 400 };
    double most = 0, low = s->grid[0], high = s->grid[s->k - 1];
    for (int m = 0; m <= MEANS; m++) {
        double mean = low + (high - low) * m / MEANS, sum = 0;
        for (size_t k = 0; k < s->k; k++)
            sum += exp(-pow(s->grid[k] - mean, 2) / (2 * s->step_a));
        most = fmax(most, sum);
    }
    return log(most);
}

cs_minorant_bound cs_bound_edmala(const cs_bit_constants *c,
                                  const cs_bit_target *t,
                                  const cs_entropic_step *s)
{
    cs_entropic_sizes z = cs_entropic_sizes_of(t, s);
    double far = z.furthest * z.furthest, wide = z.diameter * z.diameter;
    double square = c->diameter * c->diameter, d = (double)t->dim;
    double e = -(c->lipschitz / 2 + 1 / s->step - c->concavity / 4) * square -
               c->least_gradient * c->diameter / 2 -
               (3 * s->step_a / (8 * s->eta * s->eta) + 2 / s->eta) * far +
               z.alignment / s->eta;
    double mass = d * (log((double)s->k) - log_phi(s)) - wide / (2 * s->step_a);
    return (cs_minorant_bound){.applies = c->concavity > 0 &&
                                          s->step * c->lipschitz < 2,
                               .printed = e,
                               .proof = e + mass};
}

/* Returns the log of the rate (D.3) without the terms of theta_a. */
static double log_rate_of_bits(const cs_bit_constants *c, double step,
                               double eta, double states)
{
    double M = c->lipschitz, D = c->diameter, g = c->least_gradient;
    double grown = (step * M + 1) * (step * M + 1) * D * D;
    double root = sqrt(grown + 2 * (M + step) * g * D + step * step * g * g);
    double sum = grown + step * M * M * D * D +
                 (2 * (M + step) + 2 * step * M) * g * D +
                 (step * step + step) * g * g + 2 * step / eta * root * D;
    return -sum / (2 * step) - log(states);
}

cs_edula_bound cs_bound_edula(const cs_bit_constants *c, const cs_bit_target *t,
                              const cs_entropic_step *s)
{
    cs_entropic_sizes z = cs_entropic_sizes_of(t, s);
    double far = z.furthest * z.furthest, wide = z.diameter * z.diameter;
    double places = -(double)t->dim * log_phi(s) - wide / s->step_a -
                    s->step_a / (s->eta * s->eta) * far;
    return (cs_edula_bound){
        .applies = s->step * c->lipschitz < 2,
        .log_bias = c->log_z + c->lipschitz / 4 - 1 / (2 * s->step) +
                    (far - z.alignment) / (2 * s->eta),
        .log_rate =
            places + log_rate_of_bits(c, s->step, s->eta, (double)t->n)};
}
