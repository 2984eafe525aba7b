#include "stat/sort.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Keys of 64 bits have six digits; below FEW values, comparisons are faster. */
enum { DIGIT_BITS = 11, DIGITS = 6, VALUES = 1 << DIGIT_BITS, FEW = 512 };

/* Returns an integer key; the keys have the order of the doubles. Both zeros
 * have the same key. */
static uint64_t key_of(double x)
{
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits;
    if (isnan(x))
        return UINT64_MAX;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static int by_value(const void *a, const void *b)
{
    const cs_sort_place *p = a, *q = b;
    uint64_t x = key_of(p->value), y = key_of(q->value);
    if (x != y)
        return x < y ? -1 : 1;
    return (p->at > q->at) - (p->at < q->at);
}

/* Counts the values of each digit, for all digits in one pass. */
static void count_digits(const cs_sort_place *place, size_t n,
                         size_t count[DIGITS][VALUES])
{
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(place[i].value);
        for (unsigned d = 0; d < DIGITS; d++)
            count[d][key >> d * DIGIT_BITS & (VALUES - 1)]++;
    }
}

/* Sorts by one digit and keeps the order of equal digits. Returns false, and
 * copies nothing, if all values have the same digit. */
static bool pass(const cs_sort_place *from, cs_sort_place *to, size_t n,
                 unsigned shift, size_t *count)
{
    if (count[key_of(from[0].value) >> shift & (VALUES - 1)] == n)
        return false;
    size_t sum = 0;
    for (size_t v = 0; v < VALUES; v++) {
        size_t here = count[v];
        count[v] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[count[key_of(from[i].value) >> shift & (VALUES - 1)]++] = from[i];
    return true;
}

void cs_sort_places(cs_sort_place *place, size_t n)
{
    size_t(*count)[VALUES] = n >= FEW ? cs_alloc(DIGITS, sizeof *count) : NULL;
    cs_sort_place *scratch = count ? cs_alloc(n, sizeof *scratch) : NULL;
    if (!scratch) {
        cs_free(count);
        if (n > 1)
            qsort(place, n, sizeof *place, by_value);
        return;
    }
    cs_sort_place *from = place, *to = scratch;
    count_digits(place, n, count);
    for (unsigned d = 0; d < DIGITS; d++) {
        if (!pass(from, to, n, d * DIGIT_BITS, count[d]))
            continue;
        cs_sort_place *was = from;
        from = to;
        to = was;
    }
    if (from != place)
        memcpy(place, from, n * sizeof *place);
    cs_free(scratch);
    cs_free(count);
}
