/* Events of a chain: what happens at one step and is worth going to. A probe
 * notices them in O(1) a step and keeps the newest few in a ring, in its memory
 * of the chain, so that they go back with the steps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rarest first, as a rule: what stands where two are at one place. */
typedef enum cs_event_kind {
    CS_EVENT_STOP,       /* the chain has failed */
    CS_EVENT_CHANGE,     /* of the journal; of no probe */
    CS_EVENT_VISIT,      /* the first visit to mode a, from 1 */
    CS_EVENT_DIVERGENCE, /* the trajectory of the step diverged */
    CS_EVENT_NAN,        /* refused: log p there, a gradient or the ratio is not
                            a number */
    CS_EVENT_REJECTIONS, /* CS_EVENT_LONG refusals in a row; a: how many there
                            have been by now, or were in the end */
    CS_EVENT_JUMP,       /* it came to mode a from mode b; 0: not known */
    CS_EVENT_SWAP,       /* it went on with the state of chain a, from 1 */
    CS_EVENT_KINDS
} cs_event_kind;

enum { CS_EVENT_LONG = 100 };

typedef struct cs_event {
    uint64_t step;
    size_t arm, chain; /* SIZE_MAX: of all */
    cs_event_kind kind;
    double a, b;
} cs_event;

/* Takes one event. */
typedef void cs_event_sink(void *self, const cs_event *e);

/* ---- rings ---- */

/* The words of a ring: how many there were, then the newest, each its step and
 * two numbers. Word w of a lane is at w * lanes. */
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

/* How many it holds. */
static inline size_t cs_ring_held(const double *ring)
{
    return ring[0] < CS_RING ? (size_t)ring[0] : CS_RING;
}

/* Number i of those, the oldest first. */
static inline cs_ring_row cs_ring_at(const double *ring, size_t stride,
                                     size_t i)
{
    uint64_t n = (uint64_t)ring[0];
    uint64_t k = n - cs_ring_held(ring) + i;
    const double *row = ring + (1 + k % CS_RING * CS_RING_ROW) * stride;
    return (cs_ring_row){row[0], row[stride], row[2 * stride]};
}

/* Whether some after step `since` may be held no longer. */
static inline bool cs_ring_lost(const double *ring, size_t stride,
                                uint64_t since)
{
    return ring[0] > CS_RING &&
           cs_ring_at(ring, stride, 0).step > (double)since + 1;
}
