#include "support/contour.h"

#include "base/memory.h"
#include "support/support.h"

#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>

/* ---- formulas of contour SGLD -------------------------------------------- */

/* Returns the lower border of bin j. The first and last bin are as wide as
 * their neighbours. */
static double border_below(const contour *c, size_t j)
{
    const double *at = c->border;
    size_t m = c->bins;
    if (!at)
        return c->first + ((double)j - 1) * c->width;
    return j == 0  ? 2 * at[0] - at[1]
           : j < m ? at[j - 1]
                   : 2 * at[m - 2] - at[m - 3];
}

static double width_of(const contour *c, size_t j)
{
    return c->border ? border_below(c, j + 1) - border_below(c, j) : c->width;
}

size_t contour_bin(const contour *c, double energy)
{
    size_t j = 0;
    if (c->border) {
        while (j + 1 < c->bins && energy > c->border[j])
            j++;
        return j;
    }
    double above = (energy - c->first) / c->width;
    if (above <= 0)
        return 0;
    return above >= (double)c->bins - 1 ? c->bins - 1 : (size_t)ceil(above);
}

/* Returns d log Psi / dU in bin j. */
static double slope_of(const contour *c, const double *theta, size_t j)
{
    size_t m = c->bins, low = c->forward ? j : j - (j > 0);
    size_t high = c->forward ? j + (j + 1 < m) : j;
    if (j == m - 1 && c->clamp > 0)
        return 0;
    return (log(theta[high]) - log(theta[low])) / width_of(c, j);
}

double contour_multiplier(const contour *c, const double *theta, size_t j)
{
    double all = 1 + c->zeta * c->temperature * slope_of(c, theta, j);
    return c->clamp > 0 ? fmin(fmax(all, -c->clamp), c->clamp) : all;
}

double contour_log_psi(const contour *c, const double *theta, double energy)
{
    size_t j = contour_bin(c, energy);
    double left = border_below(c, j);
    double at = log(theta[c->forward || j == 0 ? j : j - 1]);
    return at + slope_of(c, theta, j) * (energy - left);
}

/* Returns the change of theta(i) when a chain visits bin j. */
static double change(const contour *c, const double *theta, size_t i, size_t j,
                     double gain)
{
    double by = c->plain ? theta[j] : pow(theta[j], c->zeta);
    if (c->by_rho && i >= j)
        by += gain * c->rho;
    return gain * by * ((i == j) - theta[i]);
}

void contour_meet(const contour *c, double *theta, const size_t *j, size_t n,
                  double gain)
{
    double next[CONTOUR_BINS], sum = 0;
    for (size_t i = 0; i < c->bins; i++) {
        next[i] = theta[i];
        for (size_t k = 0; k < n; k++)
            next[i] += change(c, theta, i, j[k], gain) / (double)n;
        sum += next[i];
    }
    for (size_t i = 0; i < c->bins; i++)
        theta[i] = next[i] / (c->by_rho ? sum : 1);
}

void contour_update(const contour *c, double *theta, size_t j, double gain)
{
    contour_meet(c, theta, &j, 1, gain);
}

/* ---- quadrature nodes: Gauss-Legendre between the borders of the bins ---- */

enum { POINTS = 5, NODES = 2400 };

typedef struct nodes {
    size_t n;
    double x[NODES], w[NODES], energy[NODES], force[NODES];
} nodes;

static double energy_at(const contour *c, double x)
{
    double slope;
    return -c->log_density(x, &slope);
}

static void add_piece(const contour *c, double from, double to, nodes *out)
{
    double widest = fmin(0.4, sqrt(2 * c->rate * c->temperature));
    gsl_integration_glfixed_table *rule =
        gsl_integration_glfixed_table_alloc(POINTS);
    size_t pieces = (size_t)ceil((to - from) / widest);
    double h = (to - from) / (double)pieces;
    for (size_t k = 0; k < pieces; k++)
        for (size_t i = 0; i < POINTS; i++) {
            size_t at = out->n++;
            double a = from + (double)k * h;
            assert_true(at < NODES);
            gsl_integration_glfixed_point(a, a + h, i, &out->x[at], &out->w[at],
                                          rule);
            out->energy[at] = -c->log_density(out->x[at], &out->force[at]);
        }
    gsl_integration_glfixed_table_free(rule);
}

/* Returns the point in [a, b] where the bin changes, by bisection. */
static double border(const contour *c, double a, double b)
{
    size_t from = contour_bin(c, energy_at(c, a));
    for (int i = 0; i < 60; i++) {
        double middle = (a + b) / 2;
        if (contour_bin(c, energy_at(c, middle)) == from)
            a = middle;
        else
            b = middle;
    }
    return (a + b) / 2;
}

static nodes *nodes_of(const contour *c)
{
    enum { SCAN = 20000 };
    nodes *out = cs_alloc(1, sizeof *out);
    double from = c->low, step = (c->high - c->low) / SCAN;
    for (int k = 0; k < SCAN; k++) {
        double a = c->low + k * step, b = a + step;
        if (contour_bin(c, energy_at(c, a)) == contour_bin(c, energy_at(c, b)))
            continue;
        double at = border(c, a, b);
        add_piece(c, from, at, out);
        from = at;
    }
    add_piece(c, from, c->high, out);
    return out;
}

/* ---- laws ---- */

/* Returns the probability that the noisy energy of a state is in bin j. */
static double chance_of_bin(const contour *c, double energy, size_t j)
{
    double low = border_below(c, j), high = border_below(c, j + 1);
    double sd = c->energy_noise * sqrt(2);
    if (c->energy_noise == 0)
        return contour_bin(c, energy) == j;
    double above = j == 0 ? 1 : erfc((low - energy) / sd) / 2;
    double beyond = j == c->bins - 1 ? 0 : erfc((high - energy) / sd) / 2;
    return above - beyond;
}

/* Computes a law from its density at the nodes. The density is given up to a
 * factor. Psi is evaluated at the energy without noise. */
static contour_law law_of(const contour *c, const double *theta,
                          const nodes *at, const double *density)
{
    contour_law law = {.mean = 0};
    double all = 0, first = 0, second = 0;
    for (size_t i = 0; i < at->n; i++) {
        double mass = at->w[i] * density[i], x = at->x[i], w = 0;
        double psi = exp(c->zeta * contour_log_psi(c, theta, at->energy[i]));
        for (size_t j = 0; j < c->bins; j++) {
            double here = chance_of_bin(c, at->energy[i], j);
            law.share[j] += mass * here;
            w += here * pow(theta[j], c->zeta);
        }
        all += mass;
        law.weight += mass * w;
        law.weight_by_energy += mass * psi;
        first += mass * w * x;
        second += mass * psi * x;
    }
    law.mean = first / law.weight;
    law.mean_by_energy = second / law.weight_by_energy;
    law.weight /= all;
    law.weight_by_energy /= all;
    for (size_t j = 0; j < c->bins; j++)
        law.share[j] /= all;
    return law;
}

static contour_law limit_at(const contour *c, const double *theta,
                            const nodes *at)
{
    double density[NODES];
    for (size_t i = 0; i < at->n; i++)
        density[i] = exp(-at->energy[i] / c->temperature -
                         c->zeta * contour_log_psi(c, theta, at->energy[i]));
    return law_of(c, theta, at, density);
}

/* Computes the density of a move from node k to each node i. */
static void move_density(const contour *c, const double *theta, const nodes *at,
                         size_t k, double *out)
{
    for (size_t i = 0; i < at->n; i++)
        out[i] = 0;
    for (size_t j = 0; j < c->bins; j++) {
        double chance = chance_of_bin(c, at->energy[k], j);
        if (chance < 1e-14)
            continue;
        double by = c->rate * contour_multiplier(c, theta, j);
        double to = at->x[k] + by * at->force[k];
        double variance =
            2 * c->rate * c->temperature + pow(by * c->gradient_noise, 2);
        double height = chance / sqrt(2 * M_PI * variance);
        for (size_t i = 0; i < at->n; i++)
            out[i] += height * exp(-pow(at->x[i] - to, 2) / (2 * variance));
    }
}

/* Solves (1 - A + 1 w') density = 1 for the stationary density of the chain. A
 * contains the moves between nodes. In a box, a move outside is rejected;
 * without a box, the small mass beyond the ends is redistributed. */
static void solve(const contour *c, const double *theta, const nodes *at,
                  double *density)
{
    size_t n = at->n;
    gsl_matrix *m = gsl_matrix_alloc(n, n);
    gsl_vector *one = gsl_vector_alloc(n), *found = gsl_vector_alloc(n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    double to[NODES];
    int sign;
    for (size_t k = 0; k < n; k++) {
        double inside = 0;
        move_density(c, theta, at, k, to);
        for (size_t i = 0; i < n; i++)
            inside += at->w[i] * to[i];
        double scale = c->boxed ? 1 : 1 / inside;
        for (size_t i = 0; i < n; i++) {
            double stays = i == k ? (c->boxed ? inside : 1) : 0;
            gsl_matrix_set(m, i, k, stays + at->w[k] * (1 - scale * to[i]));
        }
    }
    gsl_vector_set_all(one, 1);
    gsl_linalg_LU_decomp(m, order, &sign);
    gsl_linalg_LU_solve(m, order, one, found);
    for (size_t i = 0; i < n; i++)
        density[i] = gsl_vector_get(found, i);
    gsl_permutation_free(order);
    gsl_vector_free(found);
    gsl_vector_free(one);
    gsl_matrix_free(m);
}

static contour_law chain_at(const contour *c, const double *theta,
                            const nodes *at)
{
    double density[NODES];
    solve(c, theta, at, density);
    return law_of(c, theta, at, density);
}

typedef contour_law law_at(const contour *c, const double *theta,
                           const nodes *at);

static contour_law once(const contour *c, const double *theta, law_at *law)
{
    nodes *at = nodes_of(c);
    contour_law out = law(c, theta, at);
    cs_free(at);
    return out;
}

contour_law contour_limit(const contour *c, const double *theta)
{
    return once(c, theta, limit_at);
}

contour_law contour_chain(const contour *c, const double *theta)
{
    return once(c, theta, chain_at);
}

/* Makes one iteration towards the fixed point, and returns the largest relative
 * change. Under the update of Eq. 10, theta is stationary if theta(i) is
 * proportional to theta(i)^zeta share(i). Under the update of Eq. 15, theta is
 * stationary if all bins have equal shares. */
static double turn(const contour *c, const contour_law *law, double *theta)
{
    double sum = 0, off = 0, next[CONTOUR_BINS];
    for (size_t i = 0; i < c->bins; i++) {
        double share = fmax(law->share[i], 1e-250);
        next[i] = c->plain ? theta[i] * pow(share, 1 / fmax(c->zeta, 1))
                           : pow(theta[i], c->zeta) * share;
        sum += next[i];
    }
    for (size_t i = 0; i < c->bins; i++) {
        double to = fmax(next[i] / sum, 1e-120);
        off = fmax(off, fabs(to - theta[i]) / (to + 1e-9));
        theta[i] = to;
    }
    return off;
}

static contour_law settle(const contour *c, const nodes *at, law_at *law,
                          double tolerance, double *theta)
{
    double off = 1;
    for (int k = 0; k < 400 && off > tolerance; k++) {
        contour_law now = law(c, theta, at);
        off = turn(c, &now, theta);
    }
    if (!(off <= tolerance))
        fail_msg("theta does not converge: last change %g", off);
    return law(c, theta, at);
}

static contour_law rest(const contour *c, bool chain, double *theta)
{
    nodes *at = nodes_of(c);
    for (size_t i = 0; i < c->bins; i++)
        theta[i] = 1 / (double)c->bins;
    contour_law law = settle(c, at, limit_at, 1e-7, theta);
    if (chain)
        law = settle(c, at, chain_at, 1e-4, theta);
    cs_free(at);
    return law;
}

contour_law contour_rest_of_limit(const contour *c, double *theta)
{
    return rest(c, false, theta);
}

contour_law contour_rest_of_chain(const contour *c, double *theta)
{
    return rest(c, true, theta);
}
