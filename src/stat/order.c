/* Orders many finite numbers by a monotone function of the value, a key of at
 * most 22 bits: first by its high digit, then by its low digit within each part,
 * which fits in a cache. */
#include "base/memory.h"
#include "stat/moments.h"
#include "stat/sort.h"

#include <math.h>
#include <string.h>

enum {
    HIGH = 10,
    LOW = 12,
    PARTS = 1 << HIGH,
    VALUES = 1 << LOW,
    SAMPLE = 255
};

/* Number of keys per value that is aimed at: with more keys, fewer values have a
 * common key and must be compared. */
enum { KEYS = 4 };

/* The key of x increases with v / (1 + |v|), v = (x - centre) * scale. Its
 * values are about equally frequent if the draws have one mode, whether they
 * have a large offset or heavy tails. */
typedef struct rounding {
    double centre, scale;
    unsigned low; /* bits of the low digit */
} rounding;

static rounding round_for(const double *x, size_t n)
{
    double some[SAMPLE];
    size_t m = n < SAMPLE ? n : SAMPLE;
    for (size_t i = 0; i < m; i++)
        some[i] = x[i * (n / m)];
    cs_sort(some, m);
    double spread = some[3 * m / 4] / 2 - some[m / 4] / 2;
    unsigned low = 0;
    while (low < LOW && n >> low > PARTS / KEYS)
        low++;
    return (rounding){some[m / 2], spread > 1e-280 ? 1 / spread : 1, low};
}

/* Returns a key of HIGH + r->low bits, which has the order of the values. */
static inline uint32_t key_of(double x, const rounding *r)
{
    const double far = 1e300;
    double half = (double)(1U << (HIGH - 1 + r->low)) - 0.5;
    double v = (x - r->centre) * r->scale;
    v = v < far ? v : far;
    v = v > -far ? v : -far;
    return (uint32_t)(int32_t)((v / (1 + fabs(v)) + 1) * half);
}

/* A value, its index, and the low digit of its key. */
typedef struct record {
    double value;
    uint32_t at, digit;
} record;

/* Distributes the values by the high digit of their keys. Part p becomes
 * out[end[p - 1]] to out[end[p]]. key[n] is scratch memory. */
static void distribute(const double *x, size_t n, const rounding *r,
                       uint32_t *key, record *out, size_t *end)
{
    uint32_t mask = (1U << r->low) - 1;
    size_t sum = 0;
    for (size_t i = 0; i < n; i++)
        key[i] = key_of(x[i], r);
    memset(end, 0, PARTS * sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[key[i] >> r->low]++;
    for (size_t p = 0; p < PARTS; p++) {
        size_t here = end[p];
        end[p] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        out[end[key[i] >> r->low]++] =
            (record){x[i], (uint32_t)i, key[i] & mask};
}

/* Sorts the records of a part by their low digit into `o`, from `first` on. */
static void sort_digit(const record *part, size_t n, unsigned low, size_t first,
                       cs_sort_order *o)
{
    uint32_t next[VALUES], sum = (uint32_t)first;
    memset(next, 0, sizeof *next << low);
    for (size_t i = 0; i < n; i++)
        next[part[i].digit]++;
    for (size_t v = 0; v < (size_t)1 << low; v++) {
        uint32_t here = next[v];
        next[v] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t to = next[part[i].digit]++;
        o->value[to] = part[i].value;
        o->at[to] = part[i].at;
    }
}

/* Sorts the values from `from` to `to`, which have the same key: by their own
 * keys if they are at most half of the values, otherwise by all bits. */
static bool sort_part(cs_sort_order *o, size_t from, size_t to)
{
    size_t n = to - from;
    double *value = o->value + from;
    uint32_t *at = o->at + from;
    if (n > o->n / 2) {
        cs_sort_place *place = cs_alloc(n, sizeof *place);
        for (size_t i = 0; place && i < n; i++)
            place[i] = (cs_sort_place){value[i], at[i]};
        if (place)
            cs_sort_places(place, n);
        for (size_t i = 0; place && i < n; i++) {
            value[i] = place[i].value;
            at[i] = (uint32_t)place[i].at;
        }
        cs_free(place);
        return place != NULL;
    }
    double *x = cs_alloc(3 * n, sizeof *x);
    uint32_t *was = cs_alloc(n, sizeof *was);
    bool good = x && was;
    if (good) {
        cs_sort_order part = {value, at, n};
        memcpy(x, value, n * sizeof *x);
        memcpy(was, at, n * sizeof *was);
        good = cs_sort_order_of(x, &part, x + n);
        for (size_t i = 0; good && i < n; i++)
            at[i] = was[at[i]];
    }
    CS_FREE_ALL(x, was);
    return good;
}

/* Moves value i down to its place. Returns how far. */
static size_t insert(cs_sort_order *o, size_t i)
{
    double value = o->value[i];
    uint32_t at = o->at[i];
    size_t k = i;
    for (; k > 0 && o->value[k - 1] > value; k--) {
        o->value[k] = o->value[k - 1];
        o->at[k] = o->at[k - 1];
    }
    o->value[k] = value;
    o->at[k] = at;
    return i - k;
}

/* Sorts those of the values from `from` to `to` that have the same key and are
 * in the wrong order: few values by insertion. */
static bool repair(cs_sort_order *o, size_t from, size_t to, const rounding *r)
{
    enum { FEW = 24 };
    for (size_t i = from + 1; i < to; i++) {
        if (!(o->value[i] < o->value[i - 1]) || insert(o, i) <= FEW)
            continue;
        uint32_t key = key_of(o->value[i], r);
        size_t low = i, high = i + 1;
        while (low > from && key_of(o->value[low - 1], r) == key)
            low--;
        while (high < to && key_of(o->value[high], r) == key)
            high++;
        if (!sort_part(o, low, high))
            return false;
        i = high - 1;
    }
    return true;
}

bool cs_sort_order_of(const double *x, cs_sort_order *o, double *scratch)
{
    size_t end[PARTS], n = o->n;
    record *all = (record *)scratch;
    bool good = n > 0 && n <= UINT32_MAX;
    if (!good)
        return false;
    const rounding r = round_for(x, n);
    distribute(x, n, &r, o->at, all, end);
    for (size_t p = 0, from = 0; p < PARTS && good; from = end[p++])
        if (end[p] > from) {
            sort_digit(all + from, end[p] - from, r.low, from, o);
            good = repair(o, from, end[p], &r);
        }
    return good;
}
