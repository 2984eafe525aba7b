/* Images as bytes for a terminal: PNG in kitty's graphics protocol, or sixel
 * graphics. */
#pragma once

#include "screen/canvas/theme.h"

#include <stdint.h>

typedef enum cs_protocol {
    CS_PROTOCOL_NONE,
    CS_PROTOCOL_SIXEL,
    CS_PROTOCOL_KITTY
} cs_protocol;

/* An image whose pixels are roles of a theme; CS_ROLE_NORMAL is transparent. */
typedef struct cs_image {
    const uint8_t *role; /* [h][w] [borrowed] */
    int w, h;
    const cs_theme *theme;
} cs_image;

/* Receives bytes. */
typedef void cs_byte_sink(void *self, const char *bytes, size_t n);

/* Returns true if this build can write images in the protocol: kitty's needs
 * zlib, sixel needs libsixel. */
bool cs_protocol_built(cs_protocol protocol);

/* Writes the colours of all roles, red, green and blue. */
void cs_image_palette(const cs_theme *t, unsigned char out[CS_ROLE_COUNT * 3]);

/* Writes an image in kitty's protocol: image number `id`, under the text, over
 * `columns` x `rows` cells from the cursor, which does not move. Returns
 * false if memory is short; then nothing is written. */
bool cs_kitty_write(const cs_image *m, unsigned id, int columns, int rows,
                    cs_byte_sink *sink, void *self);

/* Writes an image in sixel graphics at the cursor; pixels that are transparent
 * do not change. Returns false if memory is short. */
bool cs_sixel_write(const cs_image *m, cs_byte_sink *sink, void *self);
