#include "base/text.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_BYTES = 63 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned cs_text_distance(const char *a, const char *b)
{
    unsigned row[3][NAME_MAX_BYTES + 1];
    size_t n = strnlen(a, NAME_MAX_BYTES), m = strnlen(b, NAME_MAX_BYTES);
    for (size_t j = 0; j <= m; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = row[i % 3], *up = row[(i + 2) % 3];
        unsigned *up2 = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned differ = a[i - 1] != b[j - 1];
            now[j] = least(up[j] + 1, now[j - 1] + 1);
            now[j] = least(now[j], up[j - 1] + differ);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], up2[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

const char *cs_text_nearer(const char *name, const char *best,
                           const char *other)
{
    unsigned most = (unsigned)(strlen(name) + 1) / 2 + 1;
    unsigned bar = best ? cs_text_distance(name, best) : most;
    return cs_text_distance(name, other) < bar ? other : best;
}

const char *cs_text_nearest(const char *name, const char *const *list)
{
    const char *best = NULL;
    for (size_t i = 0; list[i]; i++)
        best = cs_text_nearer(name, best, list[i]);
    return best;
}

size_t cs_utf8_decode(const char *s, size_t n, unsigned *code)
{
    const unsigned char *p = (const unsigned char *)s;
    if (n == 0)
        return 0;
    if (p[0] < 0x80) {
        *code = p[0];
        return 1;
    }
    size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    static const unsigned least_code[] = {0, 0, 0x80, 0x800, 0x10000};
    if (p[0] < 0xC2 || p[0] > 0xF4 || n < length)
        return 0;
    unsigned c = p[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3F);
    }
    if (c < least_code[length] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0;
    *code = c;
    return length;
}

size_t cs_utf8_encode(unsigned c, char *out)
{
    assert(c <= 0x10FFFF);
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    out[0] = (char)((0xF00u >> length & 0xF0) | c);
    return length;
}

static bool steers(unsigned c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
           (c >= 0x200B && c <= 0x200F) || c == 0x2060 || c == 0xFEFF ||
           c == 0x2028 || c == 0x2029;
}

/* Formats the character at s, which has at most n bytes, as it is displayed.
 * Writes the result to piece[*bytes]. Returns the character's length in s. */
static size_t show_one(const char *s, size_t n, char piece[20], size_t *bytes)
{
    unsigned c = 0;
    size_t length = cs_utf8_decode(s, n, &c);
    if (length && !steers(c)) {
        memcpy(piece, s, length);
        *bytes = length;
        return length;
    }
    length = length ? length : 1;
    *bytes = 0;
    for (size_t i = 0; i < length; i++)
        *bytes += (size_t)snprintf(piece + *bytes, 20 - *bytes, "\\x%02x",
                                   (unsigned char)s[i]);
    return length;
}

size_t cs_text_clean(const char *text, char *out, size_t size)
{
    assert(size > 0);
    size_t left = strlen(text), used = 0;
    while (left) {
        char piece[20] = " ";
        size_t bytes = 1, length = 1;
        if (*text != '\n' && *text != '\t')
            length = show_one(text, left, piece, &bytes);
        if (used + bytes + 1 > size)
            break;
        memcpy(out + used, piece, bytes);
        used += bytes;
        text += length;
        left -= length;
    }
    if (size)
        out[used] = 0;
    return used;
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

void cs_text_shorten(const char *text, char *out, size_t size)
{
    assert(size >= 8);
    size_t n = strlen(text), head = (size - 3) / 2, tail = size - 3 - head;
    if (n < size) {
        memcpy(out, text, n + 1);
        return;
    }
    while (head > 0 && !begins_character(text[head]))
        head--;
    while (tail > 0 && !begins_character(text[n - tail]))
        tail--;
    memcpy(out, text, head);
    memcpy(out + head, "..", 2);
    memcpy(out + head + 2, text + n - tail, tail + 1);
}

void cs_text_write(const char *text, size_t n, FILE *to)
{
    while (n) {
        char piece[20];
        size_t bytes = 1, length = 1;
        if (*text == '\n' || *text == '\t')
            piece[0] = *text;
        else
            length = show_one(text, n, piece, &bytes);
        fwrite(piece, 1, bytes, to);
        text += length;
        n -= length;
    }
}
