/* Data of the panels that the scenario defines. The host calls the panels'
 * functions between steps: for a snapshot if a panel is displayed, and for each
 * point of a curve. Each call has a time limit, and all calls together may use
 * only a small share of the time. */
#include "session/state/own_panel_data.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/views/view.h"
#include "session/state/session_state.h"

#include <math.h>

enum { BYTES = 1 << 20 };
#define REST 0.5 /* minimum seconds between calls while the run advances */
/* maximum share of the time that is used for calls; calls for curves may use
 * FREE seconds more */
#define SHARE 0.05
#define FREE 0.5
#define QUICK 0.1   /* maximum duration of a fast call, in seconds */
#define BETWEEN 0.1 /* seconds between the calls of slow panels */
#define LONGEST 2   /* maximum seconds between calls while the run is paused */

/* Returns a number that identifies the state of the run. */
static uint64_t place_of(const cs_run *r)
{
    const cs_change *change;
    uint64_t h = cs_hash_word(cs_run_steps(r), cs_run_journal(r, &change));
    for (size_t i = 0; i < cs_run_arms(r); i++)
        h = cs_hash_word(h, cs_run_arm(r, i).steps);
    return h;
}

static bool nobody(const void *of, const char *word)
{
    (void)of, (void)word;
    return false;
}

void cs_own_opened(cs_own_panels *o, const cs_host *h)
{
    unsigned char *memory = o->flat.base;
    size_t capacity = 0;
    *o = (cs_own_panels){.since = cs_clock(), .sample = UINT64_MAX};
    if (!memory && h->panels) /* the memory is not zeroed, since panels fill
                               * only a few of its pages */
        CS_EXTEND(memory, 0, capacity, BYTES);
    cs_flat_begin(&o->flat, memory, memory ? BYTES : 0);
    if (!memory || !h->sample)
        return;
    h->panels(h->self, nobody, NULL, &o->flat);
    o->there = o->flat.used > 0;
    if (!o->there)
        cs_own_close(o);
    else
        o->sample = h->sample(h->self, 0);
}

void cs_own_close(cs_own_panels *o)
{
    cs_free(o->flat.base);
    *o = (cs_own_panels){.sample = UINT64_MAX};
}

void cs_own_placed(cs_own_panels *o, const cs_host *h)
{
    if (o->there)
        o->sample = h->sample(h->self, 0);
}

void cs_own_ask(cs_own_panels *o)
{
    o->known = false;
    o->place = ~o->place; /* panels that were called for another display do not
                           * count */
    o->made = o->next = 0;
}

uint64_t cs_own_limit(const cs_own_panels *o, uint64_t now, uint64_t n)
{
    uint64_t due = o->sample;
    return due > now && due - now < n ? due - now : n;
}

/* Returns the maximum number of points of the curves. It is ALL while the calls
 * stay within their share of the time. If the calls exceed their share, it is
 * FEW if the last call was fast, otherwise 0. */
static size_t room_for(const cs_own_panels *o, double now)
{
    enum { ALL = 1 << 10, FEW = 32 };
    bool paid = o->spent < FREE + SHARE * (now - o->since);
    return paid ? ALL : o->last < QUICK ? FEW : 0;
}

void cs_own_sample(cs_own_panels *o, const cs_host *h, uint64_t now)
{
    double from = cs_clock();
    if (now < o->sample)
        return;
    size_t capacity = room_for(o, from);
    o->sample = h->sample(h->self, capacity);
    if (capacity)
        o->last = cs_clock() - from;
    o->spent += cs_clock() - from;
}

bool cs_own_tend(cs_session *s)
{
    cs_own_panels *o = &s->own;
    double now = cs_clock();
    if (cs_own_is_current(&s->own, s->open.run) || now < o->next ||
        (s->move.running && now < o->made + REST))
        return false;
    if (!o->begun)
        o->place = place_of(s->open.run);
    cs_flat_begin(&o->flat, o->flat.base, o->flat.capacity);
    bool all = s->host->panels(s->host->self, cs_session_reports, s, &o->flat);
    o->begun = !all;
    o->known = all;
    double then = cs_clock();
    o->took += then - now;
    /* slow panels follow each other, with pictures between them */
    o->made = all ? then : 0;
    o->next = then + (all ? fmin(o->took / SHARE, LONGEST) : BETWEEN);
    o->took = all ? 0 : o->took;
    return true;
}

bool cs_own_is_current(const cs_own_panels *o, const cs_run *r)
{
    return !o->there || !r || (o->known && o->place == place_of(r));
}

double cs_own_wait(const cs_own_panels *o, const cs_run *r)
{
    double left = o->next - cs_clock();
    return cs_own_is_current(o, r) ? HUGE_VAL : fmax(left, 0.001);
}

void cs_own_put(const cs_own_panels *o, cs_flat *f)
{
    if (o->there)
        cs_flat_add(f, o->flat.base, o->flat.used);
}
