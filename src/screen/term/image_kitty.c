/* Kitty's graphics protocol: a PNG image with a palette, in base64, in chunks
 * of 4096 bytes. */
#include "screen/term/image_bytes.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

void cs_image_palette(const cs_theme *t, unsigned char out[CS_ROLE_COUNT * 3])
{
    cs_style ink, ground;
    cs_theme_paper(t, &ink, &ground);
    for (int i = 0; i < CS_ROLE_COUNT; i++) {
        cs_style s = cs_theme_style(t, (cs_role)i, CS_TIER_TRUE);
        if (s.red < 0)
            s = ink;
        out[3 * i] = (unsigned char)s.red;
        out[3 * i + 1] = (unsigned char)s.green;
        out[3 * i + 2] = (unsigned char)s.blue;
    }
}

#if CS_HAVE_ZLIB

#include <zlib.h>

/* A PNG file in memory. */
typedef struct png {
    unsigned char *bytes; /* [own] */
    size_t used;
} png;

static void put_number(png *f, uint32_t v)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        f->bytes[f->used++] = (unsigned char)(v >> shift);
}

/* Adds a chunk of n bytes. If `data` is NULL, the bytes are in place already. */
static void put_chunk(png *f, const char *type, const unsigned char *data,
                      size_t n)
{
    put_number(f, (uint32_t)n);
    size_t from = f->used;
    memcpy(f->bytes + f->used, type, 4);
    if (data)
        memcpy(f->bytes + f->used + 4, data, n);
    f->used += 4 + n;
    put_number(f, (uint32_t)crc32(0, f->bytes + from, (uInt)(4 + n)));
}

/* Compresses the rows, each after a zero for PNG's filter "none", to the place
 * of the data of the next chunk. Returns their length; 0: failure. */
static size_t compress_rows(const cs_image *m, png *f, size_t capacity)
{
    size_t w = (size_t)m->w, n = (w + 1) * (size_t)m->h;
    unsigned char *rows = cs_alloc(n, 1);
    uLongf length = (uLongf)capacity;
    int result = Z_MEM_ERROR;
    for (size_t y = 0; rows && y < (size_t)m->h; y++)
        memcpy(rows + y * (w + 1) + 1, m->role + y * w, w);
    if (rows)
        result = compress2(f->bytes + f->used + 8, &length, rows, (uLong)n, 6);
    cs_free(rows);
    return result == Z_OK ? length : 0;
}

static bool make_png(const cs_image *m, png *f)
{
    static const unsigned char mark[] = "\211PNG\r\n\032\n", clear[1] = {0};
    enum { OTHER = 1024 }; /* bytes of all chunks but the pixels */
    unsigned char palette[CS_ROLE_COUNT * 3];
    size_t most = compressBound((uLong)((m->w + 1) * m->h));
    f->bytes = cs_alloc(most + OTHER, 1);
    if (!f->bytes)
        return false;
    memcpy(f->bytes, mark, 8);
    f->used = 8 + 8;
    /* the chunk IHDR: width, height, 8 bits, colours from a palette */
    put_number(f, (uint32_t)m->w);
    put_number(f, (uint32_t)m->h);
    memcpy(f->bytes + f->used, "\10\3\0\0\0", 5);
    f->used = 8;
    put_chunk(f, "IHDR", NULL, 13);
    cs_image_palette(m->theme, palette);
    put_chunk(f, "PLTE", palette, sizeof palette);
    put_chunk(f, "tRNS", clear, 1); /* the first colour is transparent */
    size_t n = compress_rows(m, f, most);
    if (n) {
        put_chunk(f, "IDAT", NULL, n);
        put_chunk(f, "IEND", NULL, 0);
    }
    return n > 0;
}

/* Encodes at most 3072 bytes. Returns the length of the text. */
static size_t to_base64(const unsigned char *bytes, size_t n, char *out)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst"
                                "uvwxyz0123456789+/";
    size_t used = 0;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)bytes[i] << 16;
        v |= i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0;
        v |= i + 2 < n ? bytes[i + 2] : 0;
        out[used++] = digit[v >> 18];
        out[used++] = digit[v >> 12 & 63];
        out[used++] = i + 1 < n ? digit[v >> 6 & 63] : '=';
        out[used++] = i + 2 < n ? digit[v & 63] : '=';
    }
    return used;
}

bool cs_kitty_write(const cs_image *m, unsigned id, int columns, int rows,
                    cs_byte_sink *sink, void *self)
{
    enum { CHUNK = 3072 };
    png f = {NULL, 0};
    bool good = make_png(m, &f);
    for (size_t at = 0; good && at < f.used; at += CHUNK) {
        char text[4096 + 1], head[128] = "\033_G";
        size_t n = f.used - at < CHUNK ? f.used - at : CHUNK;
        if (at == 0) /* transmit and display, quietly, without a motion */
            snprintf(head, sizeof head,
                     "\033_Ga=T,q=2,f=100,i=%u,p=1,c=%d,r=%d,C=1,z=-1,", id,
                     columns, rows);
        strcat(head, at + n < f.used ? "m=1;" : "m=0;");
        sink(self, head, strlen(head));
        sink(self, text, to_base64(f.bytes + at, n, text));
        sink(self, "\033\\", 2);
    }
    cs_free(f.bytes);
    return good;
}

#else

bool cs_kitty_write(const cs_image *m, unsigned id, int columns, int rows,
                    cs_byte_sink *sink, void *self)
{
    (void)m, (void)id, (void)columns, (void)rows, (void)sink, (void)self;
    return false;
}

#endif
