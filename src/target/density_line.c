#include "target/density_line.h"

#include "base/memory.h"
#include "target/enumeration.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* FIRST: points at the start. MOST: largest number of points. ROUNDS: largest
 * number of rounds in which points are added. ROWS: states of one evaluation. */
enum { FIRST = 33, MOST = 768, ROUNDS = 60, MOST_VALUES = 4096, ROWS = 32 };

/* A cell with more than cell_share of the probability is divided, and so is a
 * cell with more than edge_share in which log p changes by more than 1/2. The
 * line is made longer while its ends might hold more than tail_share. */
static const double cell_share = 1.0 / 96, edge_share = 1.0 / 4000,
                    tail_share = 1e-6;

void cs_density_line_free(cs_density_line *line)
{
    CS_FREE_ALL(line->x, line->logp, line->below, line->weight, line->state);
    *line = (cs_density_line){0};
}

/* Reserves n points or values. The first two arrays hold twice that many and one
 * more, because points are added in place. */
static bool reserve(cs_density_line *line, size_t n, size_t dim)
{
    if (line->capacity >= n)
        return true;
    cs_density_line_free(line);
    line->x = cs_alloc(2 * n + 1, sizeof *line->x);
    line->logp = cs_alloc(2 * n + 1, sizeof *line->logp);
    line->below = cs_alloc(n, sizeof *line->below);
    line->weight = cs_alloc(n, sizeof *line->weight);
    line->rows = ROWS;
    line->state = cs_alloc(line->rows * dim, sizeof *line->state);
    if (line->x && line->logp && line->below && line->weight && line->state)
        line->capacity = n;
    else
        cs_density_line_free(line);
    return line->capacity == n;
}

void cs_density_line_evaluate(cs_density_line *line, const cs_target *t,
                              const double *x, size_t i, const double *v,
                              size_t n, double *logp)
{
    assert(line->state);
    size_t dim = t->space.dim;
    for (size_t first = 0; first < n; first += line->rows) {
        size_t some = n - first < line->rows ? n - first : line->rows;
        for (size_t r = 0; r < some; r++) {
            memcpy(line->state + r * dim, x, dim * sizeof *x);
            line->state[r * dim + i] = v[first + r];
        }
        cs_enumeration_log_densities(t, line->state, some, logp + first);
    }
    for (size_t r = 0; r < n; r++)
        if (isnan(logp[r]))
            logp[r] = -HUGE_VAL;
}

static double largest(const cs_density_line *line)
{
    double most = -HUGE_VAL;
    for (size_t k = 0; k < line->n; k++)
        most = fmax(most, line->logp[k]);
    return most;
}

/* ---- whole numbers ------------------------------------------------------- */

static bool find_values(cs_density_line *line, const cs_target *t,
                        const double *x, size_t i, const cs_part *part)
{
    size_t n = (size_t)part->values;
    if (n > MOST_VALUES || !reserve(line, n, t->space.dim))
        return false;
    line->real = false;
    line->n = n;
    line->low = part->low;
    for (size_t k = 0; k < n; k++)
        line->x[k] = part->low + (double)k;
    cs_density_line_evaluate(line, t, x, i, line->x, n, line->logp);
    double most = largest(line), sum = 0;
    if (!(fabs(most) < HUGE_VAL))
        return false;
    for (size_t k = 0; k < n; k++)
        sum += line->weight[k] = exp(line->logp[k] - most);
    double below = 0;
    for (size_t k = 0; k < n; k++) {
        line->below[k] = below;
        line->weight[k] /= sum;
        below += line->weight[k];
    }
    return true;
}

/* ---- real numbers -------------------------------------------------------- */

/* Computes the densities, and the probabilities below the points. Returns their
 * sum before scaling. */
static double integrate(cs_density_line *line)
{
    double most = largest(line), sum = 0;
    if (!(fabs(most) < HUGE_VAL))
        return 0;
    for (size_t k = 0; k < line->n; k++)
        line->weight[k] = exp(line->logp[k] - most);
    line->below[0] = 0;
    for (size_t k = 0; k + 1 < line->n; k++) {
        sum += 0.5 * (line->weight[k] + line->weight[k + 1]) *
               (line->x[k + 1] - line->x[k]);
        line->below[k + 1] = sum;
    }
    for (size_t k = 0; sum > 0 && k < line->n; k++) {
        line->below[k] /= sum;
        line->weight[k] /= sum;
    }
    return sum;
}

/* Writes the points to be added to v. Returns their number. */
static size_t choose_points(const cs_density_line *line, double *v)
{
    size_t n = line->n, some = 0;
    const double *x = line->x, *w = line->weight;
    double width = x[n - 1] - x[0];
    if (w[0] * width > tail_share)
        v[some++] = x[0] - width;
    for (size_t k = 0; k + 1 < n; k++) {
        double share = line->below[k + 1] - line->below[k];
        bool edge = fabs(line->logp[k + 1] - line->logp[k]) > 0.5;
        bool wide = x[k + 1] - x[k] > 1e-12 * (fabs(x[k]) + fabs(x[k + 1]));
        if (wide && share > (edge ? edge_share : cell_share))
            v[some++] = 0.5 * (x[k] + x[k + 1]);
    }
    if (w[n - 1] * width > tail_share)
        v[some++] = x[n - 1] + width;
    return some;
}

/* Adds `some` points, which follow the n present ones, in ascending order. */
static void merge(cs_density_line *line, size_t some)
{
    double *x = line->x, *logp = line->logp;
    for (size_t k = line->n; k < line->n + some; k++) {
        double at = x[k], value = logp[k];
        size_t j = k;
        for (; j > 0 && x[j - 1] > at; j--) {
            x[j] = x[j - 1];
            logp[j] = logp[j - 1];
        }
        x[j] = at;
        logp[j] = value;
    }
    line->n += some;
}

/* Places the first points around c, on both sides up to `far`. */
static void begin(cs_density_line *line, const cs_target *t, const double *x,
                  size_t i, double far)
{
    line->n = FIRST;
    for (size_t k = 0; k < FIRST; k++)
        line->x[k] =
            x[i] + far * (2 * (double)k / (FIRST - 1) - 1) + 1e-3 * far;
    cs_density_line_evaluate(line, t, x, i, line->x, FIRST, line->logp);
}

static bool find_points(cs_density_line *line, const cs_target *t,
                        const double *x, size_t i)
{
    double far = 6, sum = 0;
    if (!reserve(line, MOST, t->space.dim))
        return false;
    line->real = true;
    begin(line, t, x, i, far);
    for (int k = 0; k < ROUNDS; k++) {
        sum = integrate(line);
        if (sum == 0 && k > 12)
            return false;
        if (sum == 0) { /* no point has a density: look nearer and farther */
            far = 6 * pow(k % 2 ? 8 : 0.125, (k + 2) / 2);
            begin(line, t, x, i, far);
            continue;
        }
        size_t some = choose_points(line, line->x + line->n);
        if (!some || line->n + some > MOST)
            return some == 0 || line->n > MOST / 4;
        cs_density_line_evaluate(line, t, x, i, line->x + line->n, some,
                                 line->logp + line->n);
        merge(line, some);
    }
    return sum > 0;
}

/* Returns the probability below y, with the density linear in each cell. */
static double below_point(const cs_density_line *line, double y)
{
    const double *x = line->x, *w = line->weight;
    size_t low = 0, high = line->n - 1;
    if (!(y > x[0]))
        return 0;
    if (y >= x[high])
        return 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (x[middle] <= y)
            low = middle;
        else
            high = middle;
    }
    double h = y - x[low], slope = (w[high] - w[low]) / (x[high] - x[low]);
    return line->below[low] + h * (w[low] + 0.5 * h * slope);
}

/* ---- both ---------------------------------------------------------------- */

bool cs_density_line_find(cs_density_line *line, const cs_target *t,
                          const double *x, size_t i)
{
    assert(line && x && i < t->space.dim);
    const cs_part part = cs_space_part(&t->space, i);
    return part.kind == CS_CONTINUOUS ? find_points(line, t, x, i)
                                      : find_values(line, t, x, i, &part);
}

bool cs_density_line_range(const cs_density_line *line, double drop,
                           double *low, double *high)
{
    size_t first = 0, last = line->n - 1;
    double least = largest(line) - drop;
    assert(line->real && line->n);
    while (first < last && line->logp[first] < least)
        first++;
    while (last > first && line->logp[last] < least)
        last--;
    *low = line->x[first ? first - 1 : 0];
    *high = line->x[last + 1 < line->n ? last + 1 : last];
    return *low < *high;
}

double cs_density_line_below(const cs_density_line *line, double y,
                             double uniform)
{
    assert(line->n);
    if (line->real)
        return below_point(line, y);
    size_t k = (size_t)(y - line->low);
    return k < line->n ? line->below[k] + uniform * line->weight[k] : 1;
}
