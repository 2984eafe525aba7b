/* Orders many finite numbers by a radix sort of 64-bit words: 32 bits of a
 * rounded value, then the index. */
#include "base/memory.h"
#include "stat/moments.h"
#include "stat/sort.h"

#include <math.h>
#include <string.h>

/* The 32 bits have three digits. */
enum { DIGIT_BITS = 11, DIGITS = 3, VALUES = 1 << DIGIT_BITS, SAMPLE = 255 };

/* The rounded value of x is (float)((x - centre) * scale), which increases with
 * x. Few draws are rounded to the same number, whether the draws have a large
 * offset or heavy tails. */
typedef struct rounding {
    double centre, scale;
} rounding;

static rounding round_for(const double *x, size_t n)
{
    double some[SAMPLE];
    size_t m = n < SAMPLE ? n : SAMPLE;
    for (size_t i = 0; i < m; i++)
        some[i] = x[i * (n / m)];
    cs_sort(some, m);
    double spread = some[3 * m / 4] / 2 - some[m / 4] / 2;
    return (rounding){some[m / 2], spread > 1e-280 ? 1 / spread : 1};
}

/* Returns 32 bits that have the order of the rounded values. */
static uint32_t key_of(double x, const rounding *r)
{
    float value = (float)((x - r->centre) * r->scale) + 0.0F;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

static unsigned shift_of(unsigned digit)
{
    return 32 + digit * DIGIT_BITS;
}

static size_t digit_of(uint64_t word, unsigned shift)
{
    return word >> shift & (VALUES - 1);
}

/* Sorts by one digit, and keeps the order of equal digits. */
static void pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift,
                 size_t *count)
{
    size_t sum = 0;
    for (size_t v = 0; v < VALUES; v++) {
        size_t here = count[v];
        count[v] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[count[digit_of(from[i], shift)]++] = from[i];
}

/* Sorts word[n] into out[n]; overwrites word. */
static void sort_words(uint64_t *word, uint64_t *out, size_t n)
{
    size_t count[DIGITS][VALUES];
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < DIGITS; d++)
            count[d][digit_of(word[i], shift_of(d))]++;
    for (unsigned d = 0; d < DIGITS; d++) {
        pass(word, out, n, shift_of(d), count[d]);
        uint64_t *was = word;
        word = out;
        out = was;
    }
}

/* Sorts the values from `from` to `to`, which have the same rounded value. */
static bool repair(cs_sort_order *o, size_t from, size_t to)
{
    enum { FEW = 24 };
    if (to - from <= FEW) {
        for (size_t i = from + 1; i < to; i++) {
            double value = o->value[i];
            uint32_t at = o->at[i];
            size_t k = i;
            for (; k > from && o->value[k - 1] > value; k--) {
                o->value[k] = o->value[k - 1];
                o->at[k] = o->at[k - 1];
            }
            o->value[k] = value;
            o->at[k] = at;
        }
        return true;
    }
    cs_sort_place *place = cs_alloc(to - from, sizeof *place);
    for (size_t i = from; place && i < to; i++)
        place[i - from] = (cs_sort_place){o->value[i], o->at[i]};
    if (place)
        cs_sort_places(place, to - from);
    for (size_t i = from; place && i < to; i++) {
        o->value[i] = place[i - from].value;
        o->at[i] = (uint32_t)place[i - from].at;
    }
    cs_free(place);
    return place != NULL;
}

/* Sorts each run of values with the same rounded value, if it has values in the
 * wrong order. */
static bool repair_all(cs_sort_order *o, const uint64_t *word)
{
    for (size_t i = 1; i < o->n; i++) {
        if (!(o->value[i] < o->value[i - 1]))
            continue;
        size_t from = i - 1, to = i + 1;
        while (from > 0 && word[from - 1] >> 32 == word[i] >> 32)
            from--;
        while (to < o->n && word[to] >> 32 == word[i] >> 32)
            to++;
        if (!repair(o, from, to))
            return false;
        i = to - 1;
    }
    return true;
}

bool cs_sort_order_of(const double *x, cs_sort_order *o, uint64_t *scratch)
{
    size_t n = o->n;
    if (n == 0 || n > UINT32_MAX)
        return false;
    /* three digits: the sorted words are in `scratch` */
    uint64_t *word = (uint64_t *)o->value;
    const rounding r = round_for(x, n);
    for (size_t i = 0; i < n; i++)
        word[i] = (uint64_t)key_of(x[i], &r) << 32 | i;
    sort_words(word, scratch, n);
    for (size_t i = 0; i < n; i++) {
        o->at[i] = (uint32_t)scratch[i];
        memcpy(&o->value[i], &x[o->at[i]], sizeof *x);
    }
    return repair_all(o, scratch);
}
