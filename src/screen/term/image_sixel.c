/* Sixel graphics, by libsixel. */
#include "screen/term/image_bytes.h"

#include "base/memory.h"

#include <string.h>

bool cs_protocol_built(cs_protocol protocol)
{
    static const bool built[] = {[CS_PROTOCOL_NONE] = true,
                                 [CS_PROTOCOL_SIXEL] = CS_HAVE_SIXEL,
                                 [CS_PROTOCOL_KITTY] = CS_HAVE_ZLIB};
    return built[protocol];
}

#if CS_HAVE_SIXEL

#include <sixel.h>

typedef struct receiver {
    cs_byte_sink *sink;
    void *self;
} receiver;

static int receive(char *data, int size, void *self)
{
    const receiver *to = self;
    to->sink(to->self, data, (size_t)size);
    return 0;
}

/* Makes the palette of an image. Returns NULL if memory is short. */
static sixel_dither_t *make_palette(const cs_theme *t)
{
    unsigned char palette[CS_ROLE_COUNT * 3];
    sixel_dither_t *d;
    if (SIXEL_FAILED(sixel_dither_new(&d, CS_ROLE_COUNT, NULL)))
        return NULL;
    cs_image_palette(t, palette);
    sixel_dither_set_palette(d, palette);
    sixel_dither_set_pixelformat(d, SIXEL_PIXELFORMAT_PAL8);
    sixel_dither_set_transparent(d, CS_ROLE_NORMAL);
    return d;
}

bool cs_sixel_write(const cs_image *m, cs_byte_sink *sink, void *self)
{
    receiver to = {sink, self};
    sixel_output_t *output = NULL;
    size_t n = (size_t)m->w * (size_t)m->h;
    unsigned char *copy = cs_alloc(n, 1); /* libsixel may write to the pixels */
    sixel_dither_t *d = make_palette(m->theme);
    bool good = copy && d &&
                SIXEL_SUCCEEDED(sixel_output_new(&output, receive, &to, NULL));
    if (good) {
        /* libsixel's own introducer would fill transparent pixels; libsixel
         * then writes only its last character */
        sixel_output_set_skip_dcs_envelope(output, 1);
        sixel_output_set_encode_policy(output, SIXEL_ENCODEPOLICY_SIZE);
        memcpy(copy, m->role, n);
        sink(self, "\033P0;1;0", 7);
        good = SIXEL_SUCCEEDED(sixel_encode(copy, m->w, m->h, 8, d, output));
        sink(self, "\033\\", 2);
    }
    if (output)
        sixel_output_unref(output);
    if (d)
        sixel_dither_unref(d);
    cs_free(copy);
    return good;
}

#else

bool cs_sixel_write(const cs_image *m, cs_byte_sink *sink, void *self)
{
    (void)m, (void)sink, (void)self;
    return false;
}

#endif
