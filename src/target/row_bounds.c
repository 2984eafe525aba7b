#include "target/row_bounds.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>

void cs_row_bounds_free(cs_row_bounds *b)
{
    if (!b)
        return;
    CS_FREE_ALL(b->of, b->cell, b);
}

/* Rounds to single precision downwards. (The function `up` rounds upwards.) */
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

/* Returns high - low, rounded upwards. */
static double gap(double low, double high)
{
    double d = high - low, part = d - high; /* rounding error of d, by Knuth's
                                               TwoSum */
    double lacks = (high - (d - part)) - (low + part);
    return lacks > 0 ? nextafter(d, HUGE_VAL) : d;
}

static cs_status bad_row(const cs_target *t, size_t row, double low,
                         double high, cs_error *err)
{
    cs_fail(err, CS_RANGE,
            "target %s: row %zu has bounds %g and %g; they must be finite, "
            "within 1e30, and in order",
            t->name, row + 1, low, high);
    cs_hint(
        err,
        "use a smaller region of the prior, which makes the bounds tighter");
    return CS_RANGE;
}

static cs_status round_rows(const cs_target *t, cs_row_bounds *b,
                            const double *low, const double *high,
                            cs_error *err)
{
    const double most = 1e30;
    long double total = 0;
    for (size_t r = 0; r < b->rows; r++) {
        double from = low ? low[r] : 0;
        if (!(from <= high[r] && fabs(from) <= most && fabs(high[r]) <= most))
            return bad_row(t, r, from, high[r], err);
        b->of[r].low = down(from);
        b->of[r].width = up(gap((double)b->of[r].low, high[r]));
        total += (long double)b->of[r].width;
    }
    b->total = (double)total;
    return CS_OK;
}

/* Units of probability per cell. All `rows` cells together hold rows * full
 * units. */
static const uint64_t full = UINT64_C(1) << 32;

/* Computes the number of units of each row. Carries the rounding error of a row
 * to the next row, and adds the last error to the row with the most units. */
static void share_units(const cs_row_bounds *b, uint64_t *unit)
{
    long double scale = (long double)b->rows * (long double)full, carry = 0;
    uint64_t left = (uint64_t)b->rows * full;
    size_t largest = 0;
    scale /= (long double)b->total;
    for (size_t r = 0; r < b->rows; r++) {
        unit[r] = 0;
        if (!(b->of[r].width > 0))
            continue;
        long double want = scale * (long double)b->of[r].width + carry;
        unit[r] =
            want + 0.5L < (long double)left ? (uint64_t)(want + 0.5L) : left;
        carry = want - (long double)unit[r];
        left -= unit[r];
        largest = unit[r] > unit[largest] ? r : largest;
    }
    unit[largest] += left;
}

/* Fills the cells by Vose's alias method (1991) in integers, so that each row
 * gets exactly its units. If a row has fewer units than a full cell, a row with
 * more units fills up the cell. In list[rows], the rows with too few units are
 * at the start, and the rows with too many units are at the end. */
static void make_cells(cs_row_bounds *b, uint64_t *unit, uint32_t *list)
{
    size_t poor = 0, rich = b->rows;
    share_units(b, unit);
    for (size_t r = 0; r < b->rows; r++) {
        b->cell[r] = (cs_row_cell){UINT32_MAX, (uint32_t)r};
        list[unit[r] < full ? poor++ : --rich] = (uint32_t)r;
    }
    while (poor && rich < b->rows) {
        uint32_t from = list[rich], to = list[--poor];
        b->cell[to] = (cs_row_cell){(uint32_t)unit[to], from};
        unit[from] -= full - unit[to];
        if (unit[from] < full) {
            rich++;
            list[poor++] = from;
        }
    }
}

/* Computes the bounds and rounds them. Then fills the cells, in the memory that
 * low and high used. */
static cs_status fill(const cs_target *t, unsigned kind, cs_row_bounds *b,
                      double *low, double *high, cs_error *err)
{
    bool range = kind == CS_ROW_RANGE;
    cs_status s = range ? t->type->rows.range(t, low, high, err)
                        : t->type->rows.change(t, high, err);
    if (!s)
        s = round_rows(t, b, range ? low : NULL, high, err);
    if (!s && b->total > 0)
        make_cells(b, (uint64_t *)(void *)high, (uint32_t *)(void *)low);
    return s;
}

static cs_status refuse(const cs_target *t, unsigned kind, cs_error *err)
{
    cs_fail(
        err, CS_UNSUPPORTED, "target %s has no bounds on its terms%s", t->name,
        kind == CS_ROW_RANGE ? "" : " relative to the distance between states");
    cs_hint(err, kind == CS_ROW_RANGE
                     ? "give the Lua sum over rows a `bound`, or a "
                       "`region` in which bounds are computed"
                     : "give the Lua sum over rows a `lipschitz`, or a "
                       "`region` in which it is computed");
    return CS_UNSUPPORTED;
}

cs_status cs_row_bounds_make(cs_target *t, unsigned kind, cs_error *err)
{
    assert(t && (kind == CS_ROW_RANGE || kind == CS_ROW_CHANGE));
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
        cs_fail(err, s, "out of memory for the bounds of target %s", t->name);
    cs_free(low);
    cs_free(high);
    if (s)
        cs_row_bounds_free(b);
    else
        *slot = b;
    return s;
}
