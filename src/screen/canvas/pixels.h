/* Fields of pixels: spins, images, bits. A cell shows two pixels, one above the
 * other, so that they are square; with less room eight braille dots; with still
 * less a block of pixels is averaged. */
#pragma once

#include "screen/canvas/canvas.h"

typedef enum cs_palette {
    CS_PALETTE_TWO,     /* off and on */
    CS_PALETTE_CLASSES, /* a colour and a letter per class */
    CS_PALETTE_GREY,    /* from low to high */
    CS_PALETTE_SIDES    /* on both sides of a middle */
} cs_palette;

/* Pixels row by row; pixel i has value level[i] - 1 in 0 .. most, otherwise
 * none. Several layers are side by side. */
typedef struct cs_pixels {
    const unsigned char *level; /* [n] [borrowed] */
    size_t n, rows, cols, layers;
    unsigned most;
    cs_palette palette;
} cs_pixels;

/* The size of pixels: columns and rows per pixel, or blocks of `shrink` x
 * `shrink` pixels, or dots. */
typedef struct cs_grain {
    int zoom, shrink;
    bool dots;
} cs_grain;

/* Finds grain number i, from the largest to the smallest; false past the last.
 * Dots only where they show everything: `two` levels and braille. */
bool cs_grain_at(int i, bool two, cs_glyphs glyphs, cs_grain *out);
/* Finds the size of a field in cells. */
void cs_grain_size(const cs_grain *g, const cs_pixels *p, int *w, int *h);

/* Returns the role, and the character in *code, that show a level by itself. */
cs_role cs_pixels_role(const cs_pixels *p, unsigned level, unsigned *code);

void cs_pixels_draw(const cs_area *a, const cs_pixels *p, const cs_grain *g);
