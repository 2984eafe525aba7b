/* Text in large letters, for a projector: with a blank between letters, or as
 * pictures of 5 x 7 pixels in quadrants of cells; descenders have one pixel
 * more. */
#pragma once

#include "screen/canvas/canvas.h"

typedef enum cs_letters {
    CS_LETTERS_SPACED, /* 2 columns and 1 line each */
    CS_LETTERS_BLOCKS  /* 3 columns and 4 lines each */
} cs_letters;

/* Returns the number of lines that the text needs in the width of the area,
 * broken at blanks. Returns 0 if the text has a character that is not ASCII, or
 * if the canvas has no block characters. */
int cs_letters_height(const cs_area *a, const char *text, cs_letters size);

/* Prints the text from line y on, clipped to the area. Returns the number of
 * lines, like cs_letters_height. */
int cs_letters_print(const cs_area *a, int y, cs_role role, const char *text,
                     cs_letters size);
