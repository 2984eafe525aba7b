#include "stat/predictive.h"

#include "base/memory.h"
#include "stat/diagnostics.h"
#include "stat/moments.h"
#include "stat/sort.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const cs_predictive_view_names[CS_PREDICTIVE_VIEWS] = {
    "density", "interval", "rootogram", "calibration"};

/* ---- statistics ---------------------------------------------------------- */

static double mean_of(const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += y[i];
    return sum / (double)n;
}

static double sd_of(const double *y, size_t n)
{
    return n > 1 ? sqrt(cs_variance(y, n)) : (double)NAN;
}

static double min_of(const double *y, size_t n)
{
    double least = y[0];
    for (size_t i = 1; i < n; i++)
        least = fmin(least, y[i]);
    return least;
}

static double max_of(const double *y, size_t n)
{
    double most = y[0];
    for (size_t i = 1; i < n; i++)
        most = fmax(most, y[i]);
    return most;
}

static double median_of(const double *y, size_t n)
{
    return cs_quantile(y, n, 0.5);
}

static double zeros_of(const double *y, size_t n)
{
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++)
        zeros += y[i] == 0;
    return (double)zeros / (double)n;
}

static const struct {
    const char *name;
    cs_predictive_statistic *of;
} statistics[] = {{"mean", mean_of},     {"sd", sd_of},
                  {"min", min_of},       {"max", max_of},
                  {"median", median_of}, {"zeros", zeros_of}};
enum { STATISTICS = sizeof statistics / sizeof *statistics };

const char *cs_predictive_statistic_name(size_t i)
{
    return i < STATISTICS ? statistics[i].name : NULL;
}

cs_predictive_statistic *cs_predictive_statistic_find(const char *name)
{
    for (size_t i = 0; i < STATISTICS; i++)
        if (strcmp(statistics[i].name, name) == 0)
            return statistics[i].of;
    return NULL;
}

bool cs_predictive_compare(double data, const double *t, size_t m,
                           size_t chains, cs_predictive_test *out)
{
    assert(m > 0);
    double *above = cs_alloc(2 * m, sizeof *above), *sorted = above + m;
    if (!above)
        return false;
    memcpy(sorted, t, m * sizeof *t);
    cs_sort(sorted, m);
    for (size_t i = 0; i < m; i++)
        above[i] = t[i] > data ? 1 : t[i] == data ? 0.5 : 0;
    *out = (cs_predictive_test){.data = data,
                                .mean = mean_of(t, m),
                                .low = cs_quantile_of(sorted, m, 0.05),
                                .high = cs_quantile_of(sorted, m, 0.95),
                                .p = mean_of(above, m)};
    cs_draws d = {above, chains ? m / chains : m, chains ? chains : 1};
    out->error = chains ? cs_mcse_mean(d, NULL)
                        : sqrt(cs_variance(above, m) / (double)m);
    if (!(out->error > 0))
        out->error = (double)NAN;
    cs_free(above);
    return true;
}

/* ---- views --------------------------------------------------------------- */

/* A view of one run: `of` computes out[rows] from a data set. */
typedef struct view {
    const cs_replications *r;
    size_t rows;
    double low, width; /* density: first cell and its width; rootogram: 0 and
                        * the width of a bin */
    size_t cells;      /* density: cells for counting, several per row */
    double *kernel; /* density: weight of a distance in cells [cells] [own] */
    double *count;  /* density: scratch [cells] [own] */
    size_t *group;  /* calibration: group of each observation [n] [own] */
    double *size;   /* calibration: observations per group [rows] [own] */
    double *x;      /* [rows] [own] */
    void (*of)(const struct view *v, const double *y, double *out);
} view;

enum { GRID = 96, FINE = 4, BINS = 48, GROUPS = 10, SHOWN = 400 };

/* Returns the quantile of all replicated numbers of the first replications,
 * at most SHOWN of them, or NAN if memory runs out. */
static double quantile_of_all(const cs_replications *r, double p)
{
    size_t m = r->m < SHOWN ? r->m : SHOWN;
    return cs_quantile(r->rep, m * r->n, p);
}

/* Adds a Gaussian of the cell's count to every row. */
static void density_of(const view *v, const double *y, double *out)
{
    memset(v->count, 0, v->cells * sizeof *v->count);
    for (size_t i = 0; i < v->r->n; i++) {
        double at = floor((y[i] - v->low) / v->width);
        if (at >= 0 && at < (double)v->cells)
            v->count[(size_t)at]++;
    }
    for (size_t k = 0; k < v->rows; k++) {
        size_t row = k * FINE + FINE / 2;
        double sum = 0;
        for (size_t c = 0; c < v->cells; c++)
            sum += v->count[c] * v->kernel[c > row ? c - row : row - c];
        out[k] = sum / (double)v->r->n;
    }
}

/* Returns Silverman's width for the data, or 1 if all data are equal. */
static double kernel_width(const cs_replications *r)
{
    double sd = r->n > 1 ? sqrt(cs_variance(r->data, r->n)) : 0;
    double quarters =
        (cs_quantile(r->data, r->n, 0.75) - cs_quantile(r->data, r->n, 0.25)) /
        1.349;
    double spread = quarters > 0 ? fmin(sd, quarters) : sd;
    return spread > 0 ? 0.9 * spread * pow((double)r->n, -0.2) : 1;
}

/* The axis holds the data and the replications, without the rarest 1 % on
 * either side, and two widths of the kernel. */
static bool make_density(view *v)
{
    const double norm = 0.3989422804014327; /* 1 / sqrt(2 pi) */
    const cs_replications *r = v->r;
    double h = kernel_width(r);
    double low = fmin(min_of(r->data, r->n), quantile_of_all(r, 0.01)) - 2 * h;
    double high = fmax(max_of(r->data, r->n), quantile_of_all(r, 0.99)) + 2 * h;
    v->rows = GRID;
    v->cells = GRID * FINE;
    v->low = low;
    v->width = (high - low) / (double)v->cells;
    v->kernel = cs_alloc(v->cells, sizeof *v->kernel);
    v->count = cs_alloc(v->cells, sizeof *v->count);
    v->x = cs_alloc(v->rows, sizeof *v->x);
    if (!v->kernel || !v->count || !v->x ||
        !(v->width > 0 && v->width < HUGE_VAL))
        return false;
    h = fmax(h, v->width); /* a narrower kernel would not have the area 1 */
    for (size_t c = 0; c < v->cells; c++) {
        double z = (double)c * v->width / h;
        v->kernel[c] = norm / h * exp(-z * z / 2);
    }
    for (size_t k = 0; k < v->rows; k++)
        v->x[k] = low + ((double)(k * FINE + FINE / 2) + 0.5) * v->width;
    v->of = density_of;
    return true;
}

static void interval_of(const view *v, const double *y, double *out)
{
    for (size_t k = 0; k < v->rows; k++)
        out[k] = y[(size_t)v->x[k] - 1];
}

static bool make_interval(view *v, size_t most)
{
    size_t n = v->r->n;
    v->rows = n < most ? n : most;
    v->x = cs_alloc(v->rows, sizeof *v->x);
    for (size_t k = 0; v->x && k < v->rows; k++)
        v->x[k] = 1 + floor((double)k * (double)n / (double)v->rows);
    v->of = interval_of;
    return v->x != NULL;
}

static void bins_of(const view *v, const double *y, double *out)
{
    memset(out, 0, v->rows * sizeof *out);
    for (size_t i = 0; i < v->r->n; i++) {
        double at = floor(y[i] / v->width);
        if (at >= 0 && at < (double)v->rows)
            out[(size_t)at]++;
    }
}

static bool make_rootogram(view *v)
{
    double top =
        fmax(max_of(v->r->data, v->r->n), quantile_of_all(v->r, 0.999));
    v->width = fmax(1, ceil((top + 1) / BINS));
    v->rows = (size_t)(top / v->width) + 1;
    v->x = cs_alloc(v->rows, sizeof *v->x);
    for (size_t k = 0; v->x && k < v->rows; k++)
        v->x[k] = (double)k * v->width;
    v->of = bins_of;
    return v->x != NULL;
}

static void shares_of(const view *v, const double *y, double *out)
{
    memset(out, 0, v->rows * sizeof *out);
    for (size_t i = 0; i < v->r->n; i++)
        out[v->group[i]] += y[i] / v->size[v->group[i]];
}

/* Divides the observations, in the order of their mean replication, into groups
 * of equal size: a group per five observations, from 2 to 10. */
static bool make_calibration(view *v)
{
    const cs_replications *r = v->r;
    size_t groups = r->n / 5;
    groups = groups > GROUPS ? GROUPS : groups < 2 ? 2 : groups;
    v->rows = groups < r->n ? groups : r->n;
    v->group = cs_alloc(r->n, sizeof *v->group);
    v->size = cs_alloc(v->rows, sizeof *v->size);
    v->x = cs_alloc(v->rows, sizeof *v->x);
    cs_sort_place *order = cs_alloc(r->n, sizeof *order);
    bool good = v->group && v->size && v->x && order;
    for (size_t i = 0; good && i < r->n; i++) {
        order[i] = (cs_sort_place){.at = i};
        for (size_t s = 0; s < r->m; s++)
            order[i].value += r->rep[s * r->n + i] / (double)r->m;
    }
    if (good)
        cs_sort_places(order, r->n);
    for (size_t i = 0; good && i < r->n; i++) {
        size_t g = i * v->rows / r->n;
        v->group[order[i].at] = g;
        v->size[g]++;
        v->x[g] += order[i].value;
    }
    for (size_t g = 0; good && g < v->rows; g++)
        v->x[g] /= v->size[g];
    v->of = shares_of;
    cs_free(order);
    return good;
}

static void free_view(view *v)
{
    CS_FREE_ALL(v->kernel, v->count, v->group, v->size, v->x);
}

bool cs_predictive_fits(cs_predictive_view kind, const cs_replications *r)
{
    bool counts = kind == CS_PREDICTIVE_ROOTOGRAM;
    for (size_t i = 0;
         (counts || kind == CS_PREDICTIVE_CALIBRATION) && i < r->n; i++) {
        double y = r->data[i];
        if (counts ? !(y >= 0 && y == floor(y)) : y != 0 && y != 1)
            return false;
    }
    return true;
}

/* Writes the quantiles of one row; scratch has its m numbers. */
static void put_row(double *scratch, size_t m, bool centre,
                    cs_predictive_row *out)
{
    out->mid = mean_of(scratch, m);
    cs_sort(scratch, m);
    if (centre)
        out->mid = cs_quantile_of(scratch, m, 0.5);
    out->low = cs_quantile_of(scratch, m, 0.05);
    out->lower = cs_quantile_of(scratch, m, 0.25);
    out->upper = cs_quantile_of(scratch, m, 0.75);
    out->high = cs_quantile_of(scratch, m, 0.95);
}

static cs_predictive_row *compute(const view *v, bool centre)
{
    size_t m = v->r->m, n = v->r->n, rows = v->rows;
    cs_predictive_row *out = cs_alloc(rows, sizeof *out);
    double *all = cs_alloc((m + 1) * rows + m, sizeof *all);
    double *scratch = all + (m + 1) * rows;
    if (!out || !all) {
        CS_FREE_ALL(out, all);
        return NULL;
    }
    v->of(v, v->r->data, all + m * rows);
    for (size_t s = 0; s < m; s++)
        v->of(v, v->r->rep + s * n, all + s * rows);
    for (size_t k = 0; k < rows; k++) {
        for (size_t s = 0; s < m; s++)
            scratch[s] = all[s * rows + k];
        put_row(scratch, m, centre, &out[k]);
        out[k].x = v->x[k];
        out[k].data = all[m * rows + k];
    }
    cs_free(all);
    return out;
}

cs_predictive_row *cs_predictive_compute(cs_predictive_view kind,
                                         const cs_replications *r, size_t most,
                                         size_t *rows)
{
    assert(r->n > 0 && r->m > 0 && most > 1);
    view v = {.r = r};
    bool good = kind == CS_PREDICTIVE_DENSITY     ? make_density(&v)
                : kind == CS_PREDICTIVE_INTERVAL  ? make_interval(&v, most)
                : kind == CS_PREDICTIVE_ROOTOGRAM ? make_rootogram(&v)
                                                  : make_calibration(&v);
    cs_predictive_row *out =
        good ? compute(&v, kind == CS_PREDICTIVE_INTERVAL) : NULL;
    *rows = out ? v.rows : 0;
    free_view(&v);
    return out;
}

cs_predictive_cover cs_predictive_covered(const cs_replications *r)
{
    size_t rows, half = 0, most = 0;
    cs_predictive_row *all =
        cs_predictive_compute(CS_PREDICTIVE_INTERVAL, r, r->n + 1, &rows);
    for (size_t i = 0; i < rows; i++) {
        half += all[i].lower <= all[i].data && all[i].data <= all[i].upper;
        most += all[i].low <= all[i].data && all[i].data <= all[i].high;
    }
    cs_free(all);
    double n = rows ? (double)rows : (double)NAN;
    return (cs_predictive_cover){(double)half / n, (double)most / n};
}
