#include "base/count.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

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
