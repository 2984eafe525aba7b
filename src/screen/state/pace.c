#include "screen/state/pace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define BURST 0.1 /* seconds of output that may accumulate as credit */
/* longest wait of a part, in seconds, at the default rate */
#define LONGEST 0.5
enum {
    FEW = 48 /* parts with at most this many changed cells never wait */,
    CELL = 8 /* bytes per cell, initial estimate */
};

static size_t row_of(const cs_area *a, int y)
{
    return (size_t)(a->y + y) * (size_t)a->canvas->width + (size_t)a->x;
}

static size_t count_changes(const cs_area *a, const cs_canvas *shown)
{
    size_t n = 0;
    for (int y = 0; y < a->h; y++) {
        const cs_cell *cell = a->canvas->cell + row_of(a, y);
        const cs_cell *old = shown->cell + row_of(a, y);
        for (int x = 0; x < a->w; x++)
            n += memcmp(&cell[x], &old[x], sizeof *cell) != 0 &&
                 (cell[x].code != old[x].code ||
                  !cs_cells_alike(&cell[x], &old[x]));
    }
    return n;
}

static void put_back(const cs_area *a, const cs_canvas *shown)
{
    for (int y = 0; y < a->h; y++)
        memcpy(a->canvas->cell + row_of(a, y), shown->cell + row_of(a, y),
               (size_t)a->w * sizeof *shown->cell);
    cs_pixel_grid *g = &a->canvas->pixels;
    for (size_t i = 0; i < g->n; i++) {
        cs_pixel_picture *q = &g->picture[i];
        q->waits |= q->x >= a->x && q->x < a->x + a->w && q->y >= a->y &&
                    q->y < a->y + a->h;
    }
}

/* Returns the part that has waited longest, among the parts that have not had a
 * turn in this frame. If all parts have had a turn, returns n. */
static size_t next_of(const cs_pace *p, const bool *had, size_t n)
{
    size_t next = n;
    for (size_t i = 0; i < n; i++)
        if (!had[i] && (next == n || p->painted[i] < p->painted[next]))
            next = i;
    return next;
}

double cs_pace_rate(const cs_pace *p)
{
    return p->rate > 0 ? p->rate : CS_PACE_RATE;
}

/* Returns the longest wait in seconds of a part with this number of changed
 * cells. A part whose cells need more than the rate waits longer. */
static double longest(const cs_pace *p, double changes)
{
    double cell = p->cell > 0 ? p->cell : CELL;
    return fmax(LONGEST * CS_PACE_RATE, 1.2 * cell * changes) / cs_pace_rate(p);
}

/* Returns the number of parts painted before part i. */
static size_t rank_of(const cs_pace *p, size_t n, size_t i)
{
    size_t rank = 0;
    for (size_t k = 0; k < n; k++)
        rank += p->painted[k] < p->painted[i] ||
                (p->painted[k] == p->painted[i] && k < i);
    return rank;
}

void cs_pace_rest(const cs_pace *p, size_t n, bool *rests)
{
    assert(n <= CS_PACE_PARTS);
    for (size_t i = 0; i < n; i++)
        rests[i] = rank_of(p, n, i) >= (n + 1) / 2;
}

bool cs_pace_hold(cs_pace *p, double now, const cs_area *part, size_t n,
                  const bool *rests, const cs_canvas *shown)
{
    assert(n <= CS_PACE_PARTS && now >= p->now);
    bool had[CS_PACE_PARTS] = {false}, held = false;
    double rate = cs_pace_rate(p);
    p->credit = fmin(p->credit + rate * (now - p->now), rate * BURST);
    p->pictures = fmin(p->pictures + rate * (now - p->now), rate * LONGEST);
    p->now = now;
    double cell = p->cell > 0 ? p->cell : CELL;
    p->cells = 0;
    n = n < CS_PACE_PARTS ? n : CS_PACE_PARTS;
    for (size_t i = 0; rests && i < n; i++)
        held |= had[i] = rests[i];
    for (size_t i; (i = next_of(p, had, n)) < n; had[i] = true) {
        size_t changes = shown ? count_changes(&part[i], shown) : 0;
        if (changes > FEW && p->credit <= cell * (double)p->cells &&
            now - p->painted[i] < longest(p, (double)changes)) {
            put_back(&part[i], shown);
            held = true;
            continue;
        }
        p->cells += changes;
        p->painted[i] = now;
    }
    return held;
}

void cs_pace_spend(cs_pace *p, size_t bytes)
{
    if (p->cells > FEW) {
        double now = (double)bytes / (double)p->cells;
        p->cell = p->cell > 0 ? p->cell + (now - p->cell) / 4 : now;
    }
    p->credit = fmax(p->credit - (double)bytes,
                     -cs_pace_rate(p) * longest(p, (double)p->cells));
}

double cs_pace_pictures(const cs_pace *p)
{
    return p->pictures;
}

void cs_pace_spend_pictures(cs_pace *p, size_t bytes)
{
    double rate = cs_pace_rate(p);
    /* pictures of a frame that could not wait are not paid for later */
    p->pictures = fmax(p->pictures - (double)bytes, -rate);
    p->credit =
        fmax(p->credit - (double)bytes, fmin(p->credit, -rate * LONGEST));
}
