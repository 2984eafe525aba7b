#include "probe/predicted.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* KNOWN: capacity of the cache in states. WAYS: number of entries in which a
 * given state may be stored. A report on A arms with C chains per arm requests
 * up to 64 A C states. */
enum { KNOWN = 1 << 16, WAYS = 8 };

/* A cached state. `key` is the hash of the words of the state; 0: the entry is
 * empty. */
typedef struct known {
    uint64_t key;
    double accuracy;
} known;

struct cs_predicted {
    const cs_target *t; /* the classifier [borrowed] */
    uint64_t forgotten; /* number of entries that were overwritten */
    known known[KNOWN];
};

static double ask(const cs_target *t, const double *x)
{
    cs_held_out out;
    t->type->held_out(t, x, NULL, 1, NULL, 0, &out);
    return out.accuracy;
}

cs_predicted *cs_predicted_make(const cs_target *t)
{
    if (!t->type->held_out)
        return NULL;
    double *zero = cs_alloc(t->space.dim, sizeof *zero);
    cs_predicted *p = cs_alloc(1, sizeof *p);
    bool good = zero && p && !isnan(ask(t, zero));
    cs_free(zero);
    if (!good) {
        cs_free(p);
        return NULL;
    }
    p->t = t;
    return p;
}

/* Returns the hash of a state. The hash is 0 if x is not finite, and otherwise
 * never 0. */
static uint64_t key_of(const double *x, size_t dim)
{
    uint64_t key = dim, word;
    for (size_t i = 0; i < dim; i++) {
        if (!isfinite(x[i]))
            return 0;
        memcpy(&word, &x[i], sizeof word);
        key = cs_hash_word(key, word);
    }
    return key | 1;
}

/* Returns the entry with this key, or the entry in which a state with this key
 * should be stored. */
static known *place_of(cs_predicted *p, uint64_t key)
{
    known *empty = NULL;
    for (size_t i = 0; i < WAYS; i++) {
        known *place = &p->known[((key >> 1) + i) % KNOWN];
        if (place->key == key)
            return place;
        if (place->key == 0 && !empty)
            empty = place;
    }
    return empty ? empty
                 : &p->known[((key >> 1) + p->forgotten++ % WAYS) % KNOWN];
}

double cs_predicted_accuracy(cs_predicted *p, const double *x)
{
    uint64_t key = key_of(x, p->t->space.dim);
    if (!key)
        return (double)NAN;
    known *place = place_of(p, key);
    if (place->key != key)
        *place = (known){key, ask(p->t, x)};
    return place->accuracy;
}

void cs_predicted_free(cs_predicted *p)
{
    cs_free(p);
}
