#include "kernels/auxiliary/poisson.h"

#include "kernel/step_trace.h"

#include <stdio.h>

const char *const cs_poisson_stats[] = {
    [CS_POISSON_DRAWN] = "rows__", [CS_POISSON_KEPT] = "kept__", NULL};

double cs_poisson_expected(const cs_target *t, const double *values)
{
    const cs_row_bounds *b = cs_row_bounds_of(t, CS_ROW_RANGE);
    return b ? (values[CS_POISSON_LAMBDA] * b->total + 1) * b->total
             : (double)NAN;
}

/* Adds a hint to the message about too many draws: the value of lambda for
 * which a step draws a tenth of the rows. Adds nothing if no such value
 * exists. */
static void advise(const cs_target *t, const cs_row_bounds *b, cs_error *err)
{
    double want = fmin((double)t->n_rows, CS_MOST_DRAWS) / 10;
    double lambda = (want - b->total) / b->total / b->total;
    if (lambda > 0)
        cs_hint(err, "use lambda = %.2g, which draws a tenth of the rows",
                lambda);
    else
        cs_hint(err,
                "the sum of bounds is %.3g, too large for any lambda: reduce "
                "the region or the likelihood's power",
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
        snprintf(
            text, size,
            "a step would draw %.3g rows, more than %g: use a smaller lambda",
            why->value, why->bound);
    else if (isnan(why->value))
        snprintf(text, size, "the term of row %.0f is not a number",
                 why->row + 1);
    else
        snprintf(text, size,
                 "row %.0f: its term %.10g is beyond its bound %.10g: the "
                 "target's bounds are wrong",
                 why->row + 1, why->value, why->bound);
}

/* ---- step trace ---------------------------------------------------------- */

/* Returns Lambda M_i / L + phi_i of a row. */
static double rate_of(double ratio, const cs_row_bound *b, double term)
{
    double width = (double)b->width;
    double phi = fmin(fmax(term - (double)b->low, 0), width);
    return ratio * width + phi;
}

void cs_poisson_tell(const cs_thinning *t, const double *term)
{
    const cs_row_draws *d = t->draws;
    for (size_t i = d->first[0]; i < d->first[1]; i++) {
        const cs_row_bound *b = &d->bounds->of[d->row[i]];
        double rate = rate_of(t->ratio, b, term[i]);
        double whole = (t->ratio + 1) * (double)b->width;
        double coin = (double)d->coin[i] + 0.5;
        cs_note_row(cs_step_trace_of(t->m),
                    (cs_row_note){.row = d->row[i],
                                  .use = CS_ROW_WEIGHS,
                                  .bound = (double)b->width,
                                  .here = term[i],
                                  .there = (double)NAN,
                                  .chance = rate / whole,
                                  .kept = coin * whole < rate * 4294967296.0});
    }
}

void cs_poisson_tell_kept(const cs_weighing *w, const double *term)
{
    const cs_kept *k = w->kept;
    for (size_t i = k->first[0]; i < k->first[1]; i++) {
        double rate = rate_of(w->ratio, &k->bound[i], term[i]);
        cs_note_part(cs_step_trace_of(w->m), term[i], log(rate / k->rate[i]));
    }
}
