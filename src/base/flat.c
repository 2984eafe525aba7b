#include "base/flat.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Before each value; `bytes` is the length of the value, padded to 8. */
typedef struct head {
    char key[CS_FLAT_KEY];
    uint32_t rows, cols;
    uint32_t is_text;
    uint32_t bytes;
} head;

void cs_flat_begin(cs_flat *f, void *memory, size_t capacity)
{
    assert((uintptr_t)memory % 8 == 0);
    *f = (cs_flat){.base = memory, .capacity = capacity};
}

static void *add(cs_flat *f, const head *h)
{
    if (h->bytes > f->capacity ||
        f->used + sizeof *h > f->capacity - h->bytes) {
        f->full = true;
        return NULL;
    }
    memcpy(f->base + f->used, h, sizeof *h);
    void *value = f->base + f->used + sizeof *h;
    memset(value, 0, h->bytes);
    f->used += sizeof *h + h->bytes;
    return value;
}

static void name(head *h, const char *key, va_list args)
{
    vsnprintf(h->key, sizeof h->key, key, args);
}

static double *array(cs_flat *f, size_t rows, size_t cols, head *h)
{
    if (rows > UINT32_MAX || cols > UINT32_MAX ||
        (cols && rows > (UINT32_MAX / sizeof(double)) / cols)) {
        f->full = true;
        return NULL;
    }
    h->rows = (uint32_t)rows;
    h->cols = (uint32_t)cols;
    h->bytes = (uint32_t)(rows * cols * sizeof(double));
    return add(f, h);
}

double *cs_flat_array(cs_flat *f, size_t rows, size_t cols, const char *key,
                      ...)
{
    assert(rows == 0 || cols <= SIZE_MAX / sizeof(double) / rows);
    head h = {.is_text = 0};
    va_list args;
    va_start(args, key);
    name(&h, key, args);
    va_end(args);
    return array(f, rows, cols, &h);
}

void cs_flat_number(cs_flat *f, double number, const char *key, ...)
{
    head h = {.is_text = 0};
    va_list args;
    va_start(args, key);
    name(&h, key, args);
    va_end(args);
    double *at = array(f, 1, 1, &h);
    if (at)
        *at = number;
}

static char *text(cs_flat *f, size_t n, head *h)
{
    if (n > UINT32_MAX / 2) {
        f->full = true;
        return NULL;
    }
    h->is_text = 1;
    h->bytes = (uint32_t)(n / 8 + 1) * 8;
    return add(f, h);
}

char *cs_flat_room(cs_flat *f, size_t n, const char *key, ...)
{
    head h = {.is_text = 1};
    va_list args;
    va_start(args, key);
    name(&h, key, args);
    va_end(args);
    return text(f, n, &h);
}

void cs_flat_text(cs_flat *f, const char *from, const char *key, ...)
{
    head h = {.is_text = 1};
    va_list args;
    va_start(args, key);
    name(&h, key, args);
    va_end(args);
    char *to = text(f, strlen(from), &h);
    if (to)
        memcpy(to, from, strlen(from));
}

void cs_flat_add(cs_flat *f, const unsigned char *base, size_t used)
{
    if (used > f->capacity - f->used) {
        f->full = true;
        return;
    }
    memcpy(f->base + f->used, base, used);
    f->used += used;
}

bool cs_flat_next(const unsigned char *base, size_t used, size_t *at,
                  cs_flat_entry *entry)
{
    if (*at > used || used - *at < sizeof(head))
        return false;
    const head *h = (const head *)(const void *)(base + *at);
    size_t left = used - *at - sizeof *h;
    uint64_t cells = (uint64_t)h->rows * h->cols; /* below 2^64 */
    if (h->bytes > left || h->bytes % 8 || !memchr(h->key, 0, sizeof h->key))
        return false;
    const void *value = h + 1;
    if (h->is_text ? !memchr(value, 0, h->bytes)
                   : cells != h->bytes / sizeof(double))
        return false;
    *entry = (cs_flat_entry){.key = h->key,
                             .rows = h->rows,
                             .cols = h->cols,
                             .data = h->is_text ? NULL : value,
                             .text = h->is_text ? value : NULL};
    *at += sizeof *h + h->bytes;
    return true;
}

/* A frame looks up hundreds of keys: the others are passed over by their size
 * alone. */
bool cs_flat_find(const unsigned char *base, size_t used, cs_flat_entry *entry,
                  const char *key, ...)
{
    char wanted[CS_FLAT_KEY];
    va_list args;
    va_start(args, key);
    vsnprintf(wanted, sizeof wanted, key, args);
    va_end(args);
    size_t at = 0, length = strlen(wanted) + 1;
    while (at <= used && used - at >= sizeof(head)) {
        const head *h = (const head *)(const void *)(base + at);
        if (memcmp(h->key, wanted, length) == 0)
            return cs_flat_next(base, used, &at, entry);
        if (h->bytes % 8)
            break;
        at += sizeof *h + h->bytes;
    }
    return false;
}
