#include "support/target_laws.h"

#include "base/memory.h"
#include "support/support.h"

#include <string.h>

/* Laws that compare exact values declared by a target with sums over states,
 * grids and exact draws. */

static bool near(double got, double want, double relative, double absolute)
{
    return got == want || fabs(got - want) <= absolute + relative * fabs(want);
}

typedef struct sums {
    double z, first[8], second[8];
} sums;

static void add(sums *s, const double *x, size_t dim, double mass)
{
    s->z += mass;
    for (size_t i = 0; i < dim; i++) {
        s->first[i] += mass * x[i];
        s->second[i] += mass * x[i] * x[i];
    }
}

/* Computes the midpoint of cell `at` of a regular grid, and returns the size of
 * the cell. The grid is three times as wide as the target's default view. */
static double grid_point(const room *r, size_t at, size_t side, double *x)
{
    const double *view = r->t->exact.view;
    double cell = 1;
    for (size_t i = 0; i < r->dim; i++, at /= side) {
        double width = 3 * (view[2 * i + 1] - view[2 * i]);
        double low = view[2 * i] - width / 3;
        x[i] = low + width * ((double)(at % side) + 0.5) / (double)side;
        cell *= width / (double)side;
    }
    return cell;
}

static void sum_up(room *r, sums *s, size_t n, size_t side)
{
    _Alignas(CS_ALIGN) double x[8][8], cell[8];
    cs_eval_open(&r->e, r->t, 8, 8, r->cache, r->scratch);
    for (size_t k = 0; k < n; k += 8) {
        for (size_t l = 0; l < 8; l++) {
            size_t at = k + l < n ? k + l : 0;
            cell[l] = k + l < n;
            if (side)
                cell[l] *= grid_point(r, at, side, x[l]);
            else
                cs_space_state(&r->t->space, at, x[l]);
            for (size_t i = 0; i < r->dim; i++)
                r->x[i * 8 + l] = x[l][i];
        }
        cs_eval_log_density(&r->e, CS_NOW, r->x, r->logp);
        for (size_t l = 0; l < 8; l++)
            add(s, x[l], r->dim, cell[l] * exp(r->logp[l]));
    }
}

static bool exact_values_are_exact(room *r)
{
    const cs_exact *exact = &r->t->exact;
    bool discrete = cs_space_is_discrete(&r->t->space);
    double states = cs_space_states(&r->t->space);
    if (discrete ? states > 1e6 || r->dim > 8 : r->dim > 2)
        return true;
    sums s = {0};
    size_t side = r->dim == 1 ? 20000 : 1500;
    size_t n = discrete ? (size_t)states : r->dim == 1 ? side : side * side;
    sum_up(r, &s, n, discrete ? 0 : side);
    double error = discrete ? 1e-9 : 2e-6;
    bool good =
        isnan(exact->log_z) || near(log(s.z), exact->log_z, error, error);
    for (size_t i = 0; i < r->dim && exact->mean; i++) {
        double mean = s.first[i] / s.z, sd = sqrt(exact->variance[i]);
        good &= near(mean, exact->mean[i], error, error * sd) &&
                near(s.second[i] / s.z - mean * mean, exact->variance[i],
                     100 * error, 0);
    }
    return good || broken("%s: sums and declared values differ", r->t->name);
}

static size_t nearest_mode(const cs_exact *exact, size_t dim, const double *x)
{
    size_t best = 0;
    double least = HUGE_VAL;
    for (size_t k = 0; k < exact->n_modes; k++) {
        double square = 0;
        for (size_t i = 0; i < dim; i++) {
            double r = x[i] - exact->modes[k * dim + i];
            square += r * r;
        }
        best = square < least ? k : best;
        least = fmin(square, least);
    }
    return best;
}

enum { DRAWS = 100000 };

typedef struct drawn {
    double *hits, *first, *second; /* counts and moments about the exact mean */
    bool outside;
} drawn;

static void draw_many(room *r, drawn *d)
{
    const cs_exact *exact = &r->t->exact;
    uint64_t seed = 3;
    double *uniform = cs_alloc(r->t->n_uniform, 8), *x = cs_alloc(r->dim, 8);
    for (size_t k = 0; k < DRAWS; k++) {
        for (size_t i = 0; i < r->t->n_uniform; i++)
            uniform[i] = room_uniform(&seed);
        r->t->type->exact.draw(r->t, uniform, x);
        d->outside |= !cs_space_contains(&r->t->space, x, 1);
        if (exact->n_modes)
            d->hits[nearest_mode(exact, r->dim, x)] += 1;
        for (size_t i = 0; i < r->dim; i++) {
            double centred = x[i] - exact->mean[i];
            d->first[i] += centred / DRAWS;
            d->second[i] += centred * centred / DRAWS;
        }
    }
    cs_free(uniform);
    cs_free(x);
}

/* Returns true if moments and shares agree within six standard errors. This
 * limit gives one false alarm in 5e8 comparisons. The kurtosis of the
 * distributions is at most ten. If modes are mixture components, components
 * that overlap may exchange draws. */
static bool draws_agree(const room *r, const drawn *d)
{
    const cs_exact *exact = &r->t->exact;
    bool good = !d->outside;
    for (size_t i = 0; i < r->dim; i++) {
        double variance = exact->variance[i];
        good &= near(d->first[i], 0, 0, 6 * sqrt(variance / DRAWS)) &&
                near(d->second[i], variance, 6 * sqrt(9.0 / DRAWS), 0);
    }
    for (size_t k = 0; k < exact->n_modes; k++) {
        double p = exact->mode_weight[k];
        good &= near(d->hits[k] / DRAWS, p, 0,
                     6 * sqrt(p * (1 - p) / DRAWS) + 1e-5);
    }
    return good || broken("%s: exact draws do not follow the law", r->t->name);
}

static bool draws_follow_the_law(room *r)
{
    if (!r->t->type->exact.draw || !r->t->exact.mean)
        return true;
    drawn d = {.hits = cs_alloc(r->t->exact.n_modes, 8),
               .first = cs_alloc(2 * r->dim, 8)};
    d.second = d.first + r->dim;
    draw_many(r, &d);
    bool good = draws_agree(r, &d);
    cs_free(d.hits);
    cs_free(d.first);
    return good;
}

static bool weights_sum_to_one(room *r)
{
    double sum = 0;
    for (size_t k = 0; k < r->t->exact.n_modes; k++)
        sum += r->t->exact.mode_weight[k];
    return r->t->exact.n_modes == 0 || near(sum, 1, 1e-12, 0) ||
           broken("%s: the modes' weights sum to %.15g", r->t->name, sum);
}

/* Returns true if the names of the coordinates fit into a CSV header and if
 * each name differs from the name before it. */
static bool coordinates_have_names(room *r)
{
    char text[64], last[64] = "";
    for (size_t i = 0; i < cs_target_shown(r->t); i++) {
        cs_target_coordinate(r->t, i, text, sizeof text);
        if (!text[0] || strpbrk(text, ", \"\n") || strcmp(text, last) == 0)
            return broken("%s: coordinate %zu is '%s'", r->t->name, i, text);
        memcpy(last, text, sizeof last);
    }
    return true;
}

#define LAW(name)                                                              \
    {                                                                          \
#name, name                                                            \
    }
const target_law exact_laws[] = {LAW(exact_values_are_exact),
                                 LAW(draws_follow_the_law),
                                 LAW(weights_sum_to_one),
                                 LAW(coordinates_have_names),
                                 {NULL, NULL}};
