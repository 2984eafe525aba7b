#include "kernels/auxiliary/poisson.h"

#include <stdio.h>

const char *const cs_poisson_stats[] = {
    [CS_POISSON_DRAWN] = "rows__", [CS_POISSON_KEPT] = "kept__", NULL};

double cs_poisson_expected(const cs_target *t, const double *values)
{
    const cs_row_bounds *b = cs_row_bounds_of(t, CS_ROW_RANGE);
    return b ? (values[CS_POISSON_LAMBDA] * b->total + 1) * b->total
             : (double)NAN;
}

/* What to do about too many draws: the lambda that draws a tenth of the rows,
 * where there is one. */
static void advise(const cs_target *t, const cs_row_bounds *b, cs_error *err)
{
    double want = fmin((double)t->n_rows, CS_MOST_DRAWS) / 10;
    double lambda = (want - b->total) / b->total / b->total;
    if (lambda > 0)
        cs_hint(err, "lambda = %.2g draws a tenth of the rows", lambda);
    else
        cs_hint(err,
                "no lambda helps: the bounds add up to %.3g; a smaller region "
                "of the prior, or a smaller power of the likelihood, makes "
                "them tighter",
                b->total);
}

cs_status cs_poisson_prepare(cs_target *t, const double *values, cs_error *err)
{
    cs_status s = cs_row_bounds_make(t, CS_ROW_RANGE, err);
    if (s)
        return s;
    double mean = cs_poisson_expected(t, values);
    if (mean <= CS_MOST_DRAWS)
        return CS_OK;
    cs_fail(err, CS_RANGE, "a step would draw %.3g rows, more than %g", mean,
            CS_MOST_DRAWS);
    advise(t, cs_row_bounds_of(t, CS_ROW_RANGE), err);
    return CS_RANGE;
}

void cs_poisson_explain(const cs_reason *why, char *text, size_t size)
{
    if (why->code == CS_POISSON_DRAWS)
        snprintf(text, size,
                 "a step would draw %.3g rows, more than %g: make lambda "
                 "smaller",
                 why->value, why->bound);
    else if (isnan(why->value))
        snprintf(text, size, "the term of row %.0f is no number", why->row + 1);
    else
        snprintf(text, size,
                 "the term of row %.0f is %.10g, beyond its bound %.10g: its "
                 "target's bounds are wrong",
                 why->row + 1, why->value, why->bound);
}
