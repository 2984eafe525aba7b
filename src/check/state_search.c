#include "check/state_search.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "check/laws.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* STATES, CELLS: largest numbers of states, and of their values together. VALUES:
 * a site with more values is searched at some of them only. */
enum { STATES = 1 << 17, CELLS = 1 << 23, VALUES = 32, BATCH = 64 };

enum { UNKNOWN, IMPOSSIBLE, POSSIBLE, CONNECTED };
static const uint16_t far_away = UINT16_MAX;
static const uint32_t nothing = UINT32_MAX;

/* The states that were met. */
typedef struct cs_state_table {
    size_t n, capacity, slots;
    int32_t *value;     /* [capacity][sites] [own] */
    uint32_t *slot;     /* [slots] hash table of numbers of states + 1 [own] */
    uint32_t *source;   /* [capacity] the state from which it was met [own] */
    uint32_t *queue;    /* [capacity] [own] */
    uint16_t *distance; /* [capacity] number of sites in which it differs from
                           the nearest connected state; far_away: not known
                           [own] */
    uint8_t *kind;      /* [capacity] UNKNOWN ... CONNECTED [own] */
    int32_t *now;       /* [sites] scratch [own] */
    double *x;          /* [BATCH][dim] scratch [own] */
    size_t queued, batched;
    uint32_t batch[BATCH]; /* states whose log p is to be computed */
    bool *fixed;           /* [sites] [own] */
    double end;
    bool limited; /* a limit was reached */
} table;

static void close_table(table *b)
{
    CS_FREE_ALL(b->value, b->slot, b->source, b->queue, b->distance, b->kind,
                b->now, b->x, b->fixed, b);
}

static table *open_table(const cs_site_list *s)
{
    table *b = cs_alloc(1, sizeof *b);
    if (!b)
        return NULL;
    size_t most = CELLS / (s->n + 1);
    b->capacity = most < STATES ? most : STATES;
    b->slots = 2 * STATES;
    b->value = cs_alloc(b->capacity * s->n, sizeof *b->value);
    b->slot = cs_alloc(b->slots, sizeof *b->slot);
    b->source = cs_alloc(b->capacity, sizeof *b->source);
    b->queue = cs_alloc(b->capacity, sizeof *b->queue);
    b->distance = cs_alloc(b->capacity, sizeof *b->distance);
    b->kind = cs_alloc(b->capacity, sizeof *b->kind);
    b->now = cs_alloc(s->n, sizeof *b->now);
    b->x = cs_alloc(BATCH * s->t->space.dim, sizeof *b->x);
    b->fixed = cs_alloc(s->n, sizeof *b->fixed);
    if (b->value && b->slot && b->source && b->queue && b->distance &&
        b->kind && b->now && b->x && b->fixed)
        return b;
    close_table(b);
    return NULL;
}

bool cs_state_search_open(cs_state_search *f, const cs_target *t,
                          const cs_kernel *kernel, const bool *driven,
                          const double *x)
{
    *f = (cs_state_search){0};
    if (!cs_site_list_open(&f->sites, t, x) ||
        !cs_site_moves_open(&f->moves, &f->sites, kernel, driven))
        return false;
    f->from = cs_alloc(t->space.dim, sizeof *f->from);
    f->to = cs_alloc(t->space.dim, sizeof *f->to);
    f->table = open_table(&f->sites);
    return f->from && f->to && f->table;
}

void cs_state_search_close(cs_state_search *f)
{
    if (f->table)
        close_table(f->table);
    CS_FREE_ALL(f->from, f->to);
    cs_site_moves_close(&f->moves);
    cs_site_list_close(&f->sites);
    *f = (cs_state_search){0};
}

/* ---- states --------------------------------------------------------------- */

static int32_t *values_of(const cs_state_search *f, uint32_t k)
{
    return f->table->value + (size_t)k * f->sites.n;
}

/* Returns the slot of the values, or the empty slot for them. */
static uint32_t *slot_of(const cs_state_search *f, const int32_t *value)
{
    const table *b = f->table;
    uint64_t h = f->sites.n;
    for (size_t i = 0; i < f->sites.n; i++)
        h = cs_hash_word(h, (uint64_t)(uint32_t)value[i]);
    h ^= h >> 32;
    for (size_t k = h % b->slots;; k = (k + 1) % b->slots) {
        uint32_t at = b->slot[k];
        if (!at ||
            !memcmp(values_of(f, at - 1), value, f->sites.n * sizeof *value))
            return &b->slot[k];
    }
}

/* Writes the state to x[dim]. */
static void state_of(const cs_state_search *f, uint32_t k, double *x)
{
    const int32_t *value = values_of(f, k);
    memcpy(x, f->sites.x, f->sites.t->space.dim * sizeof *x);
    for (size_t i = 0; i < f->sites.n; i++)
        x[f->sites.coordinate[i]] = value[i];
}

/* Returns the state with the values `now`; `nothing` if there is no room. A new
 * state is added to the batch. */
static uint32_t meet(cs_state_search *f, uint32_t from)
{
    table *b = f->table;
    uint32_t *slot = slot_of(f, b->now);
    if (*slot)
        return *slot - 1;
    b->limited |= b->n == b->capacity;
    if (b->limited)
        return nothing;
    uint32_t k = (uint32_t)b->n++;
    *slot = k + 1;
    memcpy(values_of(f, k), b->now, f->sites.n * sizeof *b->now);
    b->source[k] = from;
    b->distance[k] = far_away;
    b->batch[b->batched++] = k;
    return k;
}

/* Computes which states of the batch are possible. */
static void evaluate(cs_state_search *f)
{
    table *b = f->table;
    double logp[BATCH];
    size_t dim = f->sites.t->space.dim;
    for (size_t i = 0; i < b->batched; i++)
        state_of(f, b->batch[i], b->x + i * dim);
    cs_enumeration_log_densities(f->sites.t, b->x, b->batched, logp);
    for (size_t i = 0; i < b->batched; i++)
        b->kind[b->batch[i]] = logp[i] > -HUGE_VAL ? POSSIBLE : IMPOSSIBLE;
    f->tried += b->batched;
    b->batched = 0;
    b->limited |= cs_clock_work() > b->end;
}

/* Returns the number of values of a site that are tried. */
static int tries_of(const cs_state_search *f, size_t site)
{
    return f->sites.values[site] <= VALUES ? f->sites.values[site] : VALUES;
}

/* Returns value number j of a site, whose value is `now`. A site
 * with many values has these at distances 1, 2, 4 ... on both sides. */
static int32_t nth_value(const cs_state_search *f, size_t site, int32_t now,
                         int j)
{
    int64_t low = f->sites.low[site], values = f->sites.values[site];
    if (values <= VALUES)
        return (int32_t)(low + j);
    int64_t to = now + (j % 2 ? 1 : -1) * ((int64_t)1 << j / 2);
    return (int32_t)(to < low             ? low
                     : to >= low + values ? low + values - 1
                                          : to);
}

/* ---- connected states ----------------------------------------------------- */

/* A change of up to `left` more sites of a move, from site number `first` on. */
typedef struct change {
    const cs_site_move *move;
    uint32_t from;
    size_t first, left;
} change;

static void connect_batch(cs_state_search *f)
{
    table *b = f->table;
    size_t n = b->batched;
    evaluate(f);
    for (size_t i = 0; i < n; i++)
        if (b->kind[b->batch[i]] == POSSIBLE) {
            b->kind[b->batch[i]] = CONNECTED;
            b->queue[b->queued++] = b->batch[i];
        }
}

/* Meets all states that a move leads to. */
static void meet_moved(cs_state_search *f, change c)
{
    table *b = f->table;
    for (size_t i = c.first; i < c.move->n && !b->limited; i++) {
        size_t site = c.move->site[i];
        int32_t was = b->now[site];
        if (b->fixed[site])
            continue;
        for (int j = 0; j < tries_of(f, site) && !b->limited; j++) {
            b->now[site] = nth_value(f, site, was, j);
            if (b->now[site] == was)
                continue;
            meet(f, c.from);
            if (b->batched == BATCH)
                connect_batch(f);
            if (c.left > 1)
                meet_moved(f, (change){c.move, c.from, i + 1, c.left - 1});
        }
        b->now[site] = was;
    }
}

static void find_connected(cs_state_search *f)
{
    table *b = f->table;
    for (size_t i = 0; i < f->sites.n; i++)
        b->now[i] = (int32_t)f->sites.x[f->sites.coordinate[i]];
    meet(f, 0);
    connect_batch(f);
    for (size_t i = 0; i < b->queued && !b->limited; i++) {
        memcpy(b->now, values_of(f, b->queue[i]), f->sites.n * sizeof *b->now);
        for (size_t k = 0; k < f->moves.n; k++) {
            const cs_site_move *m = &f->moves.move[k];
            meet_moved(f, (change){m, b->queue[i], 0, m->known ? m->most : 1});
        }
        if (b->batched && i + 1 == b->queued)
            connect_batch(f);
    }
    f->connected = b->queued;
    f->closed = b->queued > 0 && !b->limited;
}

/* ---- the nearest other state ---------------------------------------------- */

/* Meets the states that differ from state k in one site. */
static void meet_neighbours(cs_state_search *f, uint32_t k, size_t *met)
{
    table *b = f->table;
    memcpy(b->now, values_of(f, k), f->sites.n * sizeof *b->now);
    for (size_t site = 0; site < f->sites.n && !b->limited; site++) {
        int32_t was = b->now[site];
        for (int j = 0; !b->fixed[site] && j < tries_of(f, site) && !b->limited;
             j++) {
            b->now[site] = nth_value(f, site, was, j);
            uint32_t other = meet(f, k);
            if (other == nothing || b->distance[other] != far_away)
                continue;
            b->distance[other] = (uint16_t)(b->distance[k] + 1);
            b->source[other] = k;
            b->queue[(*met)++] = other;
            if (b->batched == BATCH)
                evaluate(f);
        }
        b->now[site] = was;
    }
}

/* Sets the two states of the result. */
static void set_found(cs_state_search *f, uint32_t k)
{
    const table *b = f->table;
    f->found = true;
    state_of(f, k, f->to);
    while (b->kind[k] != CONNECTED)
        k = b->source[k];
    state_of(f, k, f->from);
}

/* Visits the states in the order of their distances from the connected ones. */
static void find_nearest(cs_state_search *f)
{
    table *b = f->table;
    size_t met = b->queued;
    for (size_t i = 0; i < met; i++)
        b->distance[b->queue[i]] = 0;
    for (size_t i = 0; i < met && !b->limited && !f->found; i++) {
        uint32_t k = b->queue[i];
        size_t first = met;
        f->far = b->distance[k];
        meet_neighbours(f, k, &met);
        if (b->batched)
            evaluate(f);
        for (size_t j = first; j < met && !f->found; j++)
            if (b->kind[b->queue[j]] == POSSIBLE)
                set_found(f, b->queue[j]);
    }
}

void cs_state_search_run(cs_state_search *f, const bool *fixed, double end)
{
    table *b = f->table;
    bool coarse = false;
    assert(b && !b->n);
    b->end = end;
    for (size_t i = 0; i < f->sites.n; i++) {
        bool many = f->sites.values[i] > VALUES;
        b->fixed[i] = fixed && (many || fixed[f->sites.coordinate[i]]);
        coarse |= many && !b->fixed[i];
    }
    find_connected(f);
    f->closed &= !coarse;
    if (f->closed)
        find_nearest(f);
}

bool cs_state_search_has(const cs_state_search *f, const double *x)
{
    table *b = f->table;
    for (size_t i = 0; i < f->sites.n; i++)
        b->now[i] = (int32_t)x[f->sites.coordinate[i]];
    uint32_t at = *slot_of(f, b->now);
    return at && b->kind[at - 1] == CONNECTED;
}
