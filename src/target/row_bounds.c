#include "target/row_bounds.h"

#include "base/memory.h"

#include <gsl/gsl_randist.h>
#include <math.h>

void cs_row_bounds_free(cs_row_bounds *b)
{
    if (!b)
        return;
    cs_free(b->of);
    cs_free(b->cell);
    cs_free(b);
}

/* The nearest single number that is not above, or not below. */
static float down(double v)
{
    float f = (float)v;
    return (double)f <= v ? f : nextafterf(f, -INFINITY);
}

static float up(double v)
{
    float f = (float)v;
    return (double)f >= v ? f : nextafterf(f, INFINITY);
}

static cs_status bad_row(const cs_target *t, size_t row, double low,
                         double high, cs_error *err)
{
    cs_fail(err, CS_RANGE,
            "target %s: the bounds of row %zu are %g and %g: they must be "
            "finite, within 1e30, and in order",
            t->name, row + 1, low, high);
    cs_hint(err, "a smaller region of the prior makes them tighter");
    return CS_RANGE;
}

static cs_status round_rows(const cs_target *t, cs_row_bounds *b,
                            const double *low, const double *high,
                            cs_error *err)
{
    const double most = 1e30;
    for (size_t r = 0; r < b->rows; r++) {
        double from = low ? low[r] : 0;
        if (!(from <= high[r] && fabs(from) <= most && fabs(high[r]) <= most))
            return bad_row(t, r, from, high[r], err);
        b->of[r].low = down(from);
        b->of[r].width = up(high[r] - (double)b->of[r].low);
        b->total += (double)b->of[r].width;
    }
    return CS_OK;
}

/* The table of GSL, whose cell k of K is chosen where a uniform u has k = floor
 * (K u), and keeps its own row where u < F[k] = (k + share) / K, 1: always. */
static cs_status make_cells(cs_row_bounds *b, double *width)
{
    for (size_t r = 0; r < b->rows; r++)
        width[r] = (double)b->of[r].width;
    gsl_ran_discrete_t *table = gsl_ran_discrete_preproc(b->rows, width);
    if (!table)
        return CS_MEMORY;
    for (size_t k = 0; k < b->rows; k++) {
        double share = table->F[k] * (double)b->rows - (double)k;
        bool whole = table->F[k] >= 1 || share >= 1;
        double limit = whole ? 4294967296.0 : fmax(share, 0) * 4294967296.0;
        b->cell[k].limit = limit < 4294967295.0 ? (uint32_t)limit : UINT32_MAX;
        b->cell[k].other = whole ? (uint32_t)k : (uint32_t)table->A[k];
    }
    gsl_ran_discrete_free(table);
    return CS_OK;
}

static cs_status fill(const cs_target *t, unsigned kind, cs_row_bounds *b,
                      double *low, double *high, cs_error *err)
{
    bool range = kind == CS_ROW_RANGE;
    cs_status s = range ? t->type->term_range(t, low, high, err)
                        : t->type->term_change(t, high, err);
    if (!s)
        s = round_rows(t, b, range ? low : NULL, high, err);
    if (!s && b->total > 0 && make_cells(b, high))
        s = cs_fail(err, CS_MEMORY, "target %s: out of memory for its bounds",
                    t->name);
    return s;
}

static cs_status refuse(const cs_target *t, unsigned kind, cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED, "target %s has no bounds of its terms%s",
            t->name,
            kind == CS_ROW_RANGE ? "" : " over a distance of the states");
    cs_hint(err, kind == CS_ROW_RANGE
                     ? "a sum over rows in Lua takes `bound`, or a `region` in "
                       "which they are found"
                     : "a sum over rows in Lua takes `lipschitz`, or a "
                       "`region` in which it is found");
    return CS_UNSUPPORTED;
}

cs_status cs_row_bounds_make(cs_target *t, unsigned kind, cs_error *err)
{
    cs_row_bounds **slot = &t->bounds[kind == CS_ROW_CHANGE];
    if (*slot)
        return CS_OK;
    if (!(t->row_bounds & kind))
        return refuse(t, kind, err);
    size_t n = t->n_rows;
    cs_row_bounds *b = cs_alloc(1, sizeof *b);
    double *low = cs_alloc(n, sizeof *low), *high = cs_alloc(n, sizeof *high);
    cs_status s = CS_MEMORY;
    if (b) {
        b->rows = n;
        b->of = cs_alloc(n, sizeof *b->of);
        b->cell = cs_alloc(n, sizeof *b->cell);
    }
    if (b && low && high && b->of && b->cell)
        s = fill(t, kind, b, low, high, err);
    else
        cs_fail(err, s, "target %s: out of memory for its bounds", t->name);
    cs_free(low);
    cs_free(high);
    if (s)
        cs_row_bounds_free(b);
    else
        *slot = b;
    return s;
}
