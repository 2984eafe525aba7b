#include "base/count.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

cs_number cs_count(double v)
{
    cs_number n = {{0}};
    if (!(fabs(v) < 1e15)) {
        if (isnan(v))
            snprintf(n.text, sizeof n.text, "-");
        else
            snprintf(n.text, sizeof n.text, "%.2g", v);
        return n;
    }
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%.0f", fabs(floor(v)));
    size_t used = 0;
    for (int i = 0; i < length && used + 2 < sizeof n.text; i++) {
        if (i && (length - i) % 3 == 0)
            n.text[used++] = ',';
        n.text[used++] = digits[i];
    }
    return n;
}

/* Inserts the comma of a number from 1000 to 9999. */
static void put_comma(char *text, size_t size)
{
    char *first = text + (*text == '-'), *point = strchr(text, '.');
    size_t whole = point ? (size_t)(point - first) : strlen(first);
    if (whole != 4 || strlen(text) + 1 >= size)
        return;
    memmove(first + 2, first + 1, strlen(first));
    first[1] = ',';
}

const char *cs_short(double v, char *text, size_t size)
{
    assert(size > 0);
    double m = fabs(v);
    static const char unit[] = " kMGT";
    if (!isfinite(v)) {
        snprintf(text, size, "%s", isnan(v) ? "-" : v > 0 ? "inf" : "-inf");
    } else if (m >= 1e15 || (m > 0 && m < 1e-3)) {
        snprintf(text, size, "%.2g", v);
    } else if (m >= 1e4) {
        int k = 0;
        double w = v;
        while (fabs(w) >= 999.5 && k < 4)
            w /= 1000, k++;
        snprintf(text, size, "%.3g%c", w, unit[k]);
    } else if (m == floor(m)) {
        snprintf(text, size, "%.0f", v);
        put_comma(text, size);
    } else {
        snprintf(text, size, m >= 100 ? "%.1f" : m >= 1 ? "%.2f" : "%.3g", v);
        put_comma(text, size);
    }
    return text;
}

cs_number cs_num(double v)
{
    cs_number n;
    cs_short(v, n.text, sizeof n.text);
    return n;
}
