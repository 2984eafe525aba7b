/* Events of a chain: occurrences at one step that users may want to visit. A
 * probe records an event in O(1) per step. The probe keeps only the newest
 * events, in a ring in its memory of the chain, so that a rewind also rewinds
 * the events. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rarest kinds come first. If two events occur at the same step, the kind
 * that comes first is displayed. */
typedef enum cs_event_kind {
    CS_EVENT_STOP,       /* the chain has failed */
    CS_EVENT_CHANGE,     /* a change that is recorded in the journal; no probe
                            reports such events */
    CS_EVENT_VISIT,      /* first visit to mode a (counted from 1) */
    CS_EVENT_DIVERGENCE, /* the trajectory of the step diverged */
    CS_EVENT_NAN,        /* the proposal was rejected because log p of the
                            proposal, a gradient or the ratio is NaN */
    CS_EVENT_REJECTIONS, /* at least CS_EVENT_LONG consecutive rejections. a:
                            number of these rejections; if they have not ended,
                            their number up to now */
    CS_EVENT_JUMP,       /* jump to mode a from mode b; b = 0: no earlier mode
                            is known */
    CS_EVENT_SWAP,       /* the chain received the state of chain a (counted
                            from 1) */
    CS_EVENT_KINDS
} cs_event_kind;

enum { CS_EVENT_LONG = 100 };

typedef struct cs_event {
    uint64_t step;
    size_t arm, chain; /* arm: index of the arm; chain: index of the chain;
                        * SIZE_MAX: all arms or all chains */
    cs_event_kind kind;
    double a, b;
} cs_event;

/* Called by `events` for each event. */
typedef void cs_event_sink(void *self, const cs_event *e);

/* ---- rings ---- */

/* Layout of a ring: the total number of events, then the newest entries, each
 * with its step and two numbers. Word w of a lane is at w * lanes. */
enum {
    CS_RING = 8,
    CS_RING_ROW = 3,
    CS_RING_WORDS = 1 + CS_RING_ROW * CS_RING
};

static inline void cs_ring_add(double *ring, size_t lanes, double step,
                               double a, double b)
{
    uint64_t n = (uint64_t)ring[0];
    double *row = ring + (1 + n % CS_RING * CS_RING_ROW) * lanes;
    row[0] = step;
    row[lanes] = a;
    row[2 * lanes] = b;
    ring[0] = (double)(n + 1);
}

typedef struct cs_ring_row {
    double step, a, b;
} cs_ring_row;

/* Returns the number of entries that a ring stores. */
static inline size_t cs_ring_held(const double *ring)
{
    return ring[0] < CS_RING ? (size_t)ring[0] : CS_RING;
}

/* Returns entry number i of a ring; entry 0 is the oldest. */
static inline cs_ring_row cs_ring_at(const double *ring, size_t stride,
                                     size_t i)
{
    uint64_t n = (uint64_t)ring[0];
    uint64_t k = n - cs_ring_held(ring) + i;
    const double *row = ring + (1 + k % CS_RING * CS_RING_ROW) * stride;
    return (cs_ring_row){row[0], row[stride], row[2 * stride]};
}

/* Returns true if entries of a ring after step `since` may have been
 * overwritten. */
static inline bool cs_ring_lost(const double *ring, size_t stride,
                                uint64_t since)
{
    return ring[0] > CS_RING &&
           cs_ring_at(ring, stride, 0).step > (double)since + 1;
}
