/* Grids of pixels: spins, images, bits. A cell shows two pixels, one above the
 * other, so that pixels are square. In less space, a cell shows eight braille
 * dots; in even less space, pixels are averaged over blocks. */
#pragma once

#include "screen/canvas/canvas.h"

typedef enum cs_palette {
    CS_PALETTE_TWO,     /* two colours: off and on */
    CS_PALETTE_CLASSES, /* a colour and a letter per class */
    CS_PALETTE_GREY,    /* from low to high */
    /* a diverging scale: two colours around a neutral middle */
    CS_PALETTE_SIDES
} cs_palette;

/* Pixels row by row. Pixel i has value level[i] - 1 in 0 .. most; level 0 is an
 * empty pixel. Several layers are drawn side by side. */
typedef struct cs_pixels {
    const unsigned char *level; /* [n] [borrowed] */
    size_t n, rows, cols, layers;
    unsigned most;
    cs_palette palette;
} cs_pixels;

/* The size of pixels. It is given as columns and rows per pixel, as blocks of
 * `shrink` x `shrink` pixels per cell, or as dots. */
typedef struct cs_grain {
    int zoom, shrink;
    bool dots;
} cs_grain;

/* Finds grain number i, from the largest to the smallest. After the last grain,
 * returns false. Dots are used only for `two` levels and with braille
 * characters, so that no detail is lost. */
bool cs_grain_at(int i, bool two, cs_glyphs glyphs, cs_grain *out);
/* Computes the size of a grid in cells. */
void cs_grain_size(const cs_grain *g, const cs_pixels *p, int *w, int *h);

/* Returns the role of a level that is displayed as a single character. Stores
 * the character in *code. */
cs_role cs_pixels_role(const cs_pixels *p, unsigned level, unsigned *code);

void cs_pixels_draw(const cs_area *a, const cs_pixels *p, const cs_grain *g);
