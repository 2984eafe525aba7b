/* The step loop of a block: nothing here allocates, locks or fails. */
#include "chain/block.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { STEPS, ACCEPTED, MOVED, ROLLING }; /* rows of the tally */

static const double tally_window = 256;

/* A failed chain stays where it was, whatever its kernel makes of it. */
static void freeze(cs_block *b, bool back)
{
    size_t n = b->lanes, dim = b->move.dim;
    for (size_t l = 0; l < n; l++) {
        if (b->failed[l] == 0)
            continue;
        for (size_t d = 0; d < dim; d++) {
            double *x = &b->move.x[d * n + l], *kept = &b->frozen[d * n + l];
            *(back ? x : kept) = *(back ? kept : x);
        }
        double *u = &b->move.info.u[l], *kept = &b->frozen[dim * n + l];
        *(back ? u : kept) = *(back ? kept : u);
    }
}

/* Counts the step; true when a lane has failed, now or before. */
static bool tally(cs_block *b)
{
    size_t n = b->lanes;
    bool any = false;
    double *t = b->tally;
    for (size_t l = 0; l < n; l++) {
        bool bad = b->move.failed[l] || isnan(b->move.info.u[l]);
        any |= bad;
        double live = bad ? 0 : 1;
        double accepted = b->move.info.accepted[l] ? live : 0;
        double steps = t[STEPS * n + l] + live;
        double share =
            1 / (steps < tally_window ? fmax(steps, 1) : tally_window);
        t[STEPS * n + l] = steps;
        t[ACCEPTED * n + l] += accepted;
        t[MOVED * n + l] += b->move.info.moved[l] ? live : 0;
        t[ROLLING * n + l] += live * share * (accepted - t[ROLLING * n + l]);
    }
    return any;
}

static void set_params(cs_block *b, const double *table, size_t n, size_t at)
{
    for (size_t k = 0; k < b->kernel.type->n_params; k++) {
        double value = table[k * n + at];
        double *row = b->param + k * b->lanes;
        if (row[0] == value)
            continue;
        for (size_t l = 0; l < b->lanes; l++)
            row[l] = value;
    }
}

static void make_room(cs_tap *tap, size_t live, size_t row)
{
    size_t half = tap->used / 2;
    for (size_t l = 0; l < live; l++) {
        double *rows = tap->row + l * tap->room * row;
        for (size_t i = 0; i < half; i++)
            memcpy(rows + i * row, rows + (2 * i + 1) * row,
                   row * sizeof(double));
    }
    tap->used = half;
    tap->every *= 2;
}

/* The chance with which the last proposal would be accepted. */
static void fill_accept_stat(cs_block *b)
{
    for (size_t l = 0; l < b->live; l++) {
        double ratio = b->move.info.log_ratio[l];
        b->accept_stat[l] = ratio < 0 ? exp(ratio) : ratio >= 0 ? 1 : 0;
    }
}

static void draw(cs_block *b, cs_tap *tap)
{
    size_t row = tap->lead + b->move.dim;
    if (!tap->every || b->step % tap->every)
        return;
    if (tap->used == tap->room && tap->thin)
        make_room(tap, b->live, row);
    if (tap->used == tap->room || b->step % tap->every)
        return;
    if (tap->lead > 1)
        fill_accept_stat(b);
    for (size_t l = 0; l < b->live; l++) {
        double *to = tap->row + (l * tap->room + tap->used) * row;
        for (size_t k = 0; k < tap->lead; k++)
            *to++ = tap->column[k] ? tap->column[k][l] : (double)NAN;
        for (size_t d = 0; d < b->move.dim; d++)
            *to++ = b->move.x[d * b->lanes + l];
    }
    tap->used++;
}

static void observe(cs_block *b)
{
    cs_sight sight = {.x = b->move.x,
                      .info = &b->move.info,
                      .failed = b->move.failed,
                      .dim = b->move.dim,
                      .lanes = b->lanes,
                      .live = b->live,
                      .step = b->step};
    for (size_t i = 0; i < b->n_probes; i++)
        if (b->step % b->probe[i].every == 0)
            b->probe[i].type->observe(&b->probe[i], &sight, b->probe_memory[i]);
    for (size_t i = 0; i < CS_TAPS; i++)
        draw(b, &b->tap[i]);
}

static bool stopped(const _Atomic bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

size_t cs_block_run(cs_block *b, const double *table, size_t n,
                    const _Atomic bool *stop)
{
    bool failed = false;
    for (size_t l = 0; l < b->lanes; l++)
        failed |= b->failed[l] != 0;
    size_t i = 0;
    for (; i < n && !stopped(stop); i++) {
        set_params(b, table, n, i);
        b->move.streams.step = b->step + 1;
        if (failed)
            freeze(b, false);
        b->kernel.type->step(&b->move);
        b->step++;
        if (failed)
            freeze(b, true);
        failed = tally(b);
        if (failed)
            cs_block_note_failed(b, (double)b->step);
        observe(b);
        if (failed && !cs_block_lives(b))
            return i + 1;
    }
    return i;
}

void cs_block_trim(cs_block *b)
{
    for (size_t i = 0; i < CS_TAPS; i++) {
        cs_tap *tap = &b->tap[i];
        uint64_t rows = tap->every ? b->step / tap->every : 0;
        if (tap->thin && rows < tap->used)
            tap->used = (size_t)rows;
    }
}
