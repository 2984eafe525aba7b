#include "check/shift.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { DRAWS = 1024, LEAST = 128, FEW = 40 };

/* Bound on standardised coordinates and on standardised log p. */
static const double bound = 3;

/* ---- functions of a state ------------------------------------------------ */

static double standard(const cs_shift *s, size_t i, double x)
{
    return s->scale[i] > 0 ? (x - s->centre[i]) / s->scale[i] : 0;
}

/* Returns the value of function number r at a state. Sets *slope to the
 * derivative of the function with respect to a relative error of the mean or
 * the standard deviation. */
static double value_of(const cs_shift *s, size_t r, const double *x,
                       double logp, double *slope)
{
    size_t n = s->coordinates, i = r % n;
    bool energy = r + 1 == s->rows, square = r >= n;
    double z = standard(s, energy ? n : i, energy ? logp : x[i]);
    bool bounded = energy || !cs_space_is_whole(&s->t->space, i);
    bool inside = !bounded || fabs(z) < bound;
    if (energy || !square) {
        *slope = !energy && inside;
        return inside ? z : copysign(bound, z);
    }
    *slope = inside ? 2 * z * z : 0;
    return inside ? z * z : bound * bound;
}

/* ---- sums ---------------------------------------------------------------- */

static void take_moments(cs_shift *s, size_t at, double value, double n)
{
    double off = value - s->centre[at];
    s->centre[at] += off / n;
    s->scale[at] += off * (value - s->centre[at]);
}

bool cs_shift_open(cs_shift *s, cs_origin *o, bool grouped, double until)
{
    size_t dim = o->t->space.dim, most = CS_SHIFT_COORDINATES, n = 0;
    double *x = cs_alloc(dim, sizeof *x), logp, weight;
    *s = (cs_shift){.t = o->t, .grouped = grouped};
    s->coordinates = dim < most ? dim : most;
    s->rows = s->coordinates * (cs_space_is_real(&o->t->space) ? 2 : 1) + 1;
    while (x && n < DRAWS && (n < LEAST || cs_clock_work() < until) &&
           cs_origin_draw(o, x, &logp, &weight)) {
        n++;
        for (size_t i = 0; i < s->coordinates; i++)
            take_moments(s, i, x[i], (double)n);
        take_moments(s, s->coordinates, logp, (double)n);
    }
    for (size_t i = 0; i <= s->coordinates; i++)
        s->scale[i] = n > 1 ? sqrt(s->scale[i] / (double)(n - 1)) : 0;
    cs_free(x);
    return x != NULL;
}

void cs_shift_clear(cs_shift *s)
{
    s->weight = 0;
    memset(s->row, 0, sizeof s->row);
}

void cs_shift_note(cs_shift *s, const double *x, double logp, const double *y,
                   double v, double weight)
{
    assert(x && y && weight >= 0);
    s->weight += weight;
    for (size_t r = 0; r < s->rows; r++) {
        cs_shift_row *row = &s->row[r];
        double slope, other;
        double from = value_of(s, r, x, logp, &slope);
        double by = value_of(s, r, y, v, &other) - from;
        row->group += weight * by;
        row->moved += weight * by * by;
        row->mean += weight * from;
        row->spread += weight * from * from;
        row->slope += weight * slope;
        row->n += by != 0;
    }
    if (!s->grouped)
        cs_shift_end_group(s);
}

void cs_shift_end_group(cs_shift *s)
{
    for (size_t r = 0; r < s->rows; r++) {
        cs_shift_row *row = &s->row[r];
        row->sum += row->group;
        row->squares += row->group * row->group;
        row->group = 0;
    }
}

/* ---- results ------------------------------------------------------------- */

double cs_shift_p(const cs_shift *s, cs_distance *worst)
{
    double least = 1;
    *worst = (cs_distance){.what = "largest shift of a mean in sds"};
    for (size_t r = 0; r < s->rows; r++) {
        const cs_shift_row *row = &s->row[r];
        if (row->n < FEW || !(row->squares > 0))
            continue;
        double z = fabs(row->sum) / sqrt(row->squares);
        double p = 2 * gsl_cdf_ugaussian_Q(z);
        if (p < least) {
            least = p;
            worst->far = fabs(row->sum) / s->weight;
        }
    }
    return fmin(1, least * (double)s->rows);
}

double cs_shift_error(const cs_shift *s)
{
    double most = 0;
    for (size_t r = 0; r + 1 < s->rows; r++) {
        const cs_shift_row *row = &s->row[r];
        double mean = row->mean / s->weight;
        double spread = row->spread / s->weight - mean * mean;
        if (!(spread > 0))
            continue; /* the statistic is constant, so it detects no error */
        double se = sqrt(row->squares) / s->weight;
        double forgets = row->moved / s->weight / (2 * spread);
        double slope = row->slope / s->weight;
        double error = row->n < FEW ? HUGE_VAL
                                    : cs_check_sds((double)s->rows) * se /
                                          (slope * forgets);
        most = fmax(most, error);
    }
    return most;
}
