#include "kernels/auxiliary/tuna.h"

#include "base/memory.h"
#include "kernel/step_trace.h"

#include <stdio.h>

const char *const cs_tuna_stats[] = {
    [CS_TUNA_DRAWN] = "rows__", [CS_TUNA_KEPT] = "kept__", NULL};

/* ---- number of rows that a random walk draws ----------------------------- */

/* Number of vectors of trial moves; each vector holds CS_PAD moves. */
enum { TRIES = 8 };

typedef struct walk {
    const cs_target *t;
    double *x, *y; /* [dim][CS_PAD] x: states; y: proposals */
    double first,
        second; /* sums of M and of M^2 over the moves; both are later divided
                   by the number of moves */
} walk;

static void stand(walk *w)
{
    size_t dim = w->t->space.dim;
    for (size_t d = 0; d < dim; d++)
        w->y[d] = 0.5;
    cs_target_start(w->t, w->y, w->x);
    for (size_t d = dim; d-- > 0;)
        for (size_t l = CS_PAD; l-- > 0;)
            w->x[d * CS_PAD + l] = w->x[d];
}

static void try_moves(walk *w, double step)
{
    static const uint64_t chain[CS_PAD] = {0, 1, 2, 3, 4, 5, 6, 7};
    double measure[CS_PAD] __attribute__((aligned(CS_ALIGN)));
    size_t n = w->t->space.dim * CS_PAD;
    for (uint64_t k = 0; k < TRIES; k++) {
        cs_streams s = cs_streams_of(0, k, chain, CS_PAD, CS_PAD);
        cs_fill_normal(&s, CS_FOR_PROPOSAL, w->t->space.dim, w->y);
        for (size_t at = 0; at < n; at++)
            w->y[at] = w->x[at] + step * w->y[at];
        w->t->type->rows.change_measure(w->t, w->x, w->y, CS_PAD, measure);
        for (size_t l = 0; l < CS_PAD; l++) {
            w->first += measure[l] / (TRIES * CS_PAD);
            w->second += measure[l] * measure[l] / (TRIES * CS_PAD);
        }
    }
}

double cs_tuna_expected(const cs_target *t, const double *values)
{
    const cs_row_bounds *b = cs_row_bounds_of(t, CS_ROW_CHANGE);
    size_t n = t->space.dim * CS_PAD;
    double *scratch = b ? cs_alloc(2 * n, sizeof *scratch) : NULL;
    if (!scratch)
        return (double)NAN;
    walk w = {.t = t, .x = scratch, .y = scratch + n};
    stand(&w);
    try_moves(&w, values[CS_TUNA_STEP]);
    cs_free(scratch);
    return b->total * (w.first + values[CS_TUNA_CHI] * b->total * w.second);
}

/* ---- preparation before a run -------------------------------------------- */

cs_status cs_tuna_prepare(cs_target *t, const double *values, cs_error *err)
{
    cs_status s = cs_row_bounds_make(t, CS_ROW_CHANGE, err);
    if (s)
        return s;
    double mean = cs_tuna_expected(t, values);
    if (!(mean > CS_MOST_DRAWS))
        return CS_OK;
    cs_fail(err, CS_RANGE, "a step would draw about %.3g rows, more than %g",
            mean, CS_MOST_DRAWS);
    cs_hint(err,
            "the sum of the bounds of the rows is %.3g: use a "
            "smaller step or chi",
            cs_row_bounds_of(t, CS_ROW_CHANGE)->total);
    return CS_RANGE;
}

/* ---- reasons of failed chains -------------------------------------------- */

static void explain_change(const cs_reason *why, char *text, size_t size)
{
    if (isnan(why->value))
        snprintf(text, size,
                 "the term of row %.0f is not a number at the state or at the "
                 "proposal",
                 why->row + 1);
    else
        snprintf(text, size,
                 "row %.0f: its term changed by %.10g, more than its bound "
                 "%.10g: the target's bounds are wrong",
                 why->row + 1, why->value, why->bound);
}

static void explain_draws(const cs_reason *why, char *text, size_t size)
{
    snprintf(
        text, size,
        "a step would draw %.3g rows, more than %g: use a smaller step or chi",
        why->value, why->bound);
}

static void explain_measure(const cs_reason *why, char *text, size_t size)
{
    snprintf(text, size,
             "the length M of a move is %g, but must be at least 0: the "
             "target's bounds are wrong",
             why->value);
}

void cs_tuna_explain(const cs_reason *why, char *text, size_t size)
{
    static void (*const say[])(const cs_reason *, char *, size_t) = {
        [CS_TUNA_CHANGE] = explain_change,
        [CS_TUNA_DRAWS] = explain_draws,
        [CS_TUNA_MEASURE] = explain_measure,
    };
    say[why->code](why, text, size);
}

/* ---- step trace ---------------------------------------------------------- */

static cs_row_note note_of(const cs_tuna *t, size_t i)
{
    const cs_row_draws *d = &t->draws;
    double twice = 2 * cs_tuna_excess(t, 0);
    double bound = (double)d->bounds->of[d->row[i]].width * t->measure[0];
    double tilt = (t->here[i] - t->there[i]) / bound;
    tilt = fmin(fmax(tilt, -1), 1);
    double rate = twice + (1 + tilt), back = twice + (1 - tilt);
    double coin = (double)d->coin[i] + 0.5;
    bool kept = coin * (twice + 2) < rate * 4294967296.0;
    return (cs_row_note){.row = d->row[i],
                         .use = CS_ROW_WEIGHS,
                         .bound = bound,
                         .here = t->here[i],
                         .there = t->there[i],
                         .chance = rate / (twice + 2),
                         .kept = kept,
                         .part = kept ? log(back / rate) : 0};
}

void cs_tuna_tell(const cs_tuna *t)
{
    for (size_t i = t->draws.first[0]; i < t->draws.first[1]; i++)
        cs_note_row(cs_step_trace_of(t->m), note_of(t, i));
}
