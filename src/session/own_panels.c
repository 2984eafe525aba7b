/* The scenario's own panels. Their functions are called between steps, by the
 * host: for a snapshot where somebody looks, and where their curves have a
 * point. Each call has a time limit, and all together a share of the time. */
#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/views/view.h"
#include "session/commands/command.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { BYTES = 1 << 20 };
#define REST 0.5   /* seconds between two calls while the run goes on */
#define SHARE 0.05 /* of the time; and so many seconds at once: */
#define FREE 0.5
#define QUICK 0.1 /* seconds of a call */
#define LONGEST 2 /* seconds between two calls while the run rests */

/* Which state of the run it is. */
static uint64_t place_of(const cs_session *s)
{
    const cs_run *r = s->open.run;
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

void cs_own_opened(cs_session *s)
{
    cs_own_panels *o = &s->own;
    unsigned char *memory = o->flat.base;
    size_t capacity = 0;
    const cs_host *h = s->host;
    *o = (cs_own_panels){.since = cs_clock(), .sample = UINT64_MAX};
    if (!memory && h->panels) /* not zeroed: panels fill few of its pages */
        CS_EXTEND(memory, 0, capacity, BYTES);
    cs_flat_begin(&o->flat, memory, memory ? BYTES : 0);
    if (!memory || !h->sample)
        return;
    h->panels(h->self, nobody, NULL, &o->flat);
    o->there = o->flat.used > 0;
    if (!o->there)
        cs_own_close(s);
    else
        o->sample = h->sample(h->self, 0);
}

void cs_own_close(cs_session *s)
{
    cs_free(s->own.flat.base);
    s->own = (cs_own_panels){.sample = UINT64_MAX};
}

void cs_own_placed(cs_session *s)
{
    if (s->own.there)
        s->own.sample = s->host->sample(s->host->self, 0);
}

void cs_own_ask(cs_session *s)
{
    s->own.known = false;
    s->own.made = s->own.next = 0;
}

uint64_t cs_own_limit(const cs_session *s, uint64_t n)
{
    uint64_t now = cs_run_steps(s->open.run), due = s->own.sample;
    return due > now && due - now < n ? due - now : n;
}

/* How many points curves may have: as long as calls have had no more than their
 * share of the time, what there is room for; then few, and of slow ones none. */
static size_t room_for(const cs_own_panels *o, double now)
{
    enum { ALL = 1 << 10, FEW = 32 };
    bool paid = o->spent < FREE + SHARE * (now - o->since);
    return paid ? ALL : o->last < QUICK ? FEW : 0;
}

void cs_own_sample(cs_session *s)
{
    cs_own_panels *o = &s->own;
    double from = cs_clock();
    if (cs_run_steps(s->open.run) < o->sample)
        return;
    size_t room = room_for(o, from);
    o->sample = s->host->sample(s->host->self, room);
    if (room)
        o->last = cs_clock() - from;
    o->spent += cs_clock() - from;
}

bool cs_own_tend(cs_session *s)
{
    cs_own_panels *o = &s->own;
    double now = cs_clock();
    if (cs_own_is_current(s) || now < o->next ||
        (s->move.running && now < o->made + REST))
        return false;
    uint64_t place = place_of(s);
    cs_flat_begin(&o->flat, o->flat.base, o->flat.capacity);
    s->host->panels(s->host->self, cs_session_reports, s, &o->flat);
    o->place = place;
    o->known = true;
    o->made = cs_clock();
    o->next = o->made + fmin((o->made - now) / SHARE, LONGEST);
    return true;
}

bool cs_own_is_current(const cs_session *s)
{
    return !s->own.there || !s->open.run ||
           (s->own.known && s->own.place == place_of(s));
}

double cs_own_wait(const cs_session *s)
{
    double left = s->own.next - cs_clock();
    return cs_own_is_current(s) ? HUGE_VAL : fmax(left, 0.001);
}

void cs_own_put(const cs_session *s, cs_flat *f)
{
    if (s->own.there)
        cs_flat_add(f, s->own.flat.base, s->own.flat.used);
}

cs_status cs_command_key(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    if (!s->host->key)
        return cs_fail(err, CS_UNSUPPORTED, "there are no panels of its own");
    cs_status status = s->host->key(s->host->self, word[1], word[2], err);
    cs_own_ask(s);
    s->show.dirty = true;
    return status;
}
