/* Fields of pixels: spins, images, bits. Two pixels stand in a cell, one above
 * the other, so that they are square; eight dots of braille where space is
 * scarce; a block of them is averaged where it is scarcer still. */
#pragma once

#include "screen/canvas/canvas.h"

typedef enum cs_palette {
    CS_PALETTE_TWO,     /* off and on */
    CS_PALETTE_CLASSES, /* a colour and a letter each */
    CS_PALETTE_GREY,    /* from low to high */
    CS_PALETTE_SIDES    /* on two sides of a middle */
} cs_palette;

/* Row by row; pixel i is level[i] - 1 of 0 .. most, beyond: no value. Several
 * layers stand side by side. */
typedef struct cs_pixels {
    const unsigned char *level; /* [n] [borrowed] */
    size_t n, rows, cols, layers;
    unsigned most;
    cs_palette palette;
} cs_pixels;

/* How large: columns and rows that a pixel takes, or a block of `shrink` x
 * `shrink` that one stands for, or dots. */
typedef struct cs_grain {
    int zoom, shrink;
    bool dots;
} cs_grain;

/* Grain number i, from the largest to the smallest; false past the last. Dots
 * only where they tell all: `two` levels, and braille. */
bool cs_grain_at(int i, bool two, cs_glyphs glyphs, cs_grain *out);
/* The cells that a field takes. */
void cs_grain_size(const cs_grain *g, const cs_pixels *p, int *w, int *h);

/* How a level is shown on its own: as a character in a role. */
cs_role cs_pixels_role(const cs_pixels *p, unsigned level, unsigned *code);

void cs_pixels_draw(const cs_area *a, const cs_pixels *p, const cs_grain *g);
