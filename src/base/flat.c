#include "base/flat.h"

#include <assert.h>
#include <string.h>

/* Header of an entry, which is followed by the key and the value, each padded
 * with zeros to a multiple of 8 bytes. */
typedef struct head {
    uint32_t rows, cols;
    uint32_t bytes;        /* padded size of the value */
    uint16_t key, is_text; /* key: padded size of the key in bytes; is_text: 1
                            * for a string, 0 for an array */
} head;

void cs_flat_begin(cs_flat *f, void *memory, size_t capacity)
{
    assert((uintptr_t)memory % 8 == 0);
    *f = (cs_flat){.base = memory, .capacity = capacity};
}

/* A key, padded to `n` bytes. */
typedef struct key_text {
    char text[CS_FLAT_KEY];
    size_t n;
} key_text;

static void write_key(key_text *k, const char *format, va_list args)
{
    cs_flat_key(k->text, format, args);
    size_t length = strlen(k->text);
    k->n = length / 8 * 8 + 8;
    memset(k->text + length, 0, k->n - length);
}

static void *add(cs_flat *f, head h, const key_text *k)
{
    size_t before = sizeof h + k->n;
    if (h.bytes > f->capacity || f->used + before > f->capacity - h.bytes) {
        f->full = true;
        return NULL;
    }
    h.key = (uint16_t)k->n;
    memcpy(f->base + f->used, &h, sizeof h);
    memcpy(f->base + f->used + sizeof h, k->text, k->n);
    void *value = f->base + f->used + before;
    memset(value, 0, h.bytes);
    f->used += before + h.bytes;
    return value;
}

static double *array(cs_flat *f, size_t rows, size_t cols, const key_text *k)
{
    if (rows > UINT32_MAX || cols > UINT32_MAX ||
        (cols && rows > (UINT32_MAX / sizeof(double)) / cols)) {
        f->full = true;
        return NULL;
    }
    return add(f,
               (head){.rows = (uint32_t)rows,
                      .cols = (uint32_t)cols,
                      .bytes = (uint32_t)(rows * cols * sizeof(double))},
               k);
}

double *cs_flat_array(cs_flat *f, size_t rows, size_t cols, const char *key,
                      ...)
{
    assert(rows == 0 || cols <= SIZE_MAX / sizeof(double) / rows);
    key_text k;
    va_list args;
    va_start(args, key);
    write_key(&k, key, args);
    va_end(args);
    return array(f, rows, cols, &k);
}

void cs_flat_number(cs_flat *f, double number, const char *key, ...)
{
    key_text k;
    va_list args;
    va_start(args, key);
    write_key(&k, key, args);
    va_end(args);
    double *at = array(f, 1, 1, &k);
    if (at)
        *at = number;
}

static char *text(cs_flat *f, size_t n, const key_text *k)
{
    if (n > UINT32_MAX / 2) {
        f->full = true;
        return NULL;
    }
    return add(f, (head){.is_text = 1, .bytes = (uint32_t)(n / 8 + 1) * 8}, k);
}

char *cs_flat_room(cs_flat *f, size_t n, const char *key, ...)
{
    key_text k;
    va_list args;
    va_start(args, key);
    write_key(&k, key, args);
    va_end(args);
    return text(f, n, &k);
}

void cs_flat_text(cs_flat *f, const char *from, const char *key, ...)
{
    key_text k;
    va_list args;
    va_start(args, key);
    write_key(&k, key, args);
    va_end(args);
    char *to = text(f, strlen(from), &k);
    if (to)
        memcpy(to, from, strlen(from));
}

void cs_flat_add(cs_flat *f, const unsigned char *base, size_t used)
{
    if (used > f->capacity - f->used) {
        f->full = true;
        return;
    }
    if (used > 0) /* `base` may be null if nothing is used */
        memcpy(f->base + f->used, base, used);
    f->used += used;
}

bool cs_flat_next(const unsigned char *base, size_t used, size_t *at,
                  cs_flat_entry *entry)
{
    if (*at > used || used - *at < sizeof(head))
        return false;
    const head *h = (const head *)(const void *)(base + *at);
    const char *key = (const char *)(h + 1);
    uint32_t rows = h->rows, cols = h->cols, bytes = h->bytes, n = h->key;
    size_t left = used - *at - sizeof *h;
    uint64_t cells = (uint64_t)rows * cols; /* cannot overflow 64 bits */
    if (n > left || bytes > left - n || n % 8 || bytes % 8 || n > CS_FLAT_KEY ||
        !memchr(key, 0, n))
        return false;
    const void *value = key + n;
    bool is_text = h->is_text;
    if (is_text ? !memchr(value, 0, bytes) : cells != bytes / sizeof(double))
        return false;
    *entry = (cs_flat_entry){.key = key,
                             .rows = rows,
                             .cols = cols,
                             .data = is_text ? NULL : value,
                             .text = is_text ? value : NULL};
    *at += sizeof *h + n + bytes;
    return true;
}

/* Finds an entry. Entries with other keys are skipped without reading their
 * values. */
bool cs_flat_find(const unsigned char *base, size_t used, cs_flat_entry *entry,
                  const char *key, ...)
{
    key_text wanted;
    va_list args;
    va_start(args, key);
    write_key(&wanted, key, args);
    va_end(args);
    size_t at = 0;
    while (at <= used && used - at >= sizeof(head)) {
        const head *h = (const head *)(const void *)(base + at);
        size_t n = h->key, bytes = h->bytes;
        if (n % 8 || bytes % 8)
            break;
        if (n == wanted.n && used - at - sizeof *h >= n &&
            memcmp(h + 1, wanted.text, n) == 0)
            return cs_flat_next(base, used, &at, entry);
        at += sizeof *h + n + bytes;
    }
    return false;
}
