#include "base/flat.h"

#include <stdio.h>
#include <string.h>

typedef struct key_end {
    char *at, *last; /* at: position of the next character; last: end of the
                      * buffer */
} key_end;

static void put(key_end *to, const char *text, size_t n)
{
    size_t capacity = (size_t)(to->last - to->at);
    n = n < capacity ? n : capacity;
    memcpy(to->at, text, n);
    to->at += n;
}

static void put_count(key_end *to, size_t v)
{
    char digits[24], *at = digits + sizeof digits;
    do
        *--at = (char)('0' + v % 10);
    while (v /= 10);
    put(to, at, (size_t)(digits + sizeof digits - at));
}

/* Returns true if the format has only the conversions %zu, %d and %s. */
static bool is_plain(const char *format)
{
    while ((format = strchr(format, '%'))) {
        format += 1 + (format[1] == 'z');
        if (!strchr("uds", *format) || !*format ||
            (format[-1] == 'z') != (*format == 'u'))
            return false;
    }
    return true;
}

void cs_flat_key(char key[CS_FLAT_KEY], const char *format, va_list args)
{
    key_end to = {key, key + CS_FLAT_KEY - 1};
    if (!is_plain(format)) {
        vsnprintf(key, CS_FLAT_KEY, format, args);
        return;
    }
    for (const char *from = format; *from;) {
        size_t n = strcspn(from, "%");
        put(&to, from, n);
        from += n;
        if (!*from)
            break;
        if (from[1] == 'z') {
            put_count(&to, va_arg(args, size_t));
        } else if (from[1] == 'd') {
            int v = va_arg(args, int);
            put(&to, "-", v < 0);
            put_count(&to, v < 0 ? (size_t) - (long long)v : (size_t)v);
        } else {
            const char *text = va_arg(args, const char *);
            put(&to, text, strlen(text));
        }
        from += 2 + (from[1] == 'z');
    }
    *to.at = 0;
}
