#include "base/page.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 1024 };

static bool make_room(cs_page *p, size_t n)
{
    size_t capacity = p->capacity ? p->capacity : FIRST;
    while (capacity - p->used <= n)
        capacity *= 2;
    if (capacity == p->capacity)
        return true;
    char *bigger = cs_resize(p->text, p->capacity, capacity);
    if (bigger) {
        p->text = bigger;
        p->capacity = capacity;
    }
    p->full |= !bigger;
    return bigger != NULL;
}

void cs_page_put(cs_page *p, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0 && !p->full && make_room(p, (size_t)n)) {
        vsnprintf(p->text + p->used, p->capacity - p->used, format, again);
        p->used += (size_t)n;
    }
    va_end(again);
}

void cs_page_number(cs_page *p, double x)
{
    if (isfinite(x)) /* %.10g would round the largest doubles to infinity */
        cs_page_put(p, fabs(x) < 1.797e308 ? "%.10g" : "%.17g", x);
    else
        cs_page_put(p, "null");
}

void cs_page_exact(cs_page *p, double x)
{
    char text[32];
    int digits = 15;
    do
        snprintf(text, sizeof text, "%.*g", digits, x);
    while (strtod(text, NULL) != x && digits++ < 17);
    cs_page_put(p, "%s", text);
}

void cs_page_quoted(cs_page *p, const char *text)
{
    const char *from = text; /* start of those characters before `text` that
                              * need no escape */
    cs_page_put(p, "\"");
    for (size_t n; *text; text += n ? n : 1) {
        unsigned code = 0;
        n = cs_utf8_decode(text, 4, &code); /* stops at the terminating zero */
        if (n && code >= 32 && code != '"' && code != '\\')
            continue;
        cs_page_put(p, "%.*s", (int)(text - from), from);
        if (n && code >= 32)
            cs_page_put(p, "\\%c", (int)code);
        else
            cs_page_put(p, "\\u%04x", n ? code : 0xfffd);
        from = text + (n ? n : 1);
    }
    cs_page_put(p, "%s\"", from);
}
