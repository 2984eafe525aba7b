/* Pictures in pixels, for terminals with graphics. A canvas may have a grid of
 * pixels besides its cells. A plot draws its characters first and then the same
 * numbers at the resolution of pixels. A cell with pixels keeps its character,
 * which terminals without graphics, screenshots and recordings show. Text that
 * is drawn later into the cell hides the pixels of the cell. */
#pragma once

#include "screen/canvas/canvas.h"

/* The most pixels of a canvas. */
enum { CS_RASTER_MOST = 1 << 24 };

/* Sets the size of a cell in pixels and removes all pictures. 0: only
 * characters are drawn, also if there are too many pixels or too little
 * memory. */
void cs_canvas_pixels(cs_canvas *c, int wide, int high);
/* Removes all pictures, or picture number i; their pixels become
 * transparent. */
void cs_canvas_drop_pictures(cs_canvas *c);
void cs_canvas_drop_picture(cs_canvas *c, size_t i);

/* The pixels of an area. */
typedef struct cs_raster {
    cs_area area;
    int wide, high; /* size of a cell in pixels */
    int w, h;       /* size of the area in pixels */
} cs_raster;

/* Starts to draw pixels in an area, which becomes a picture or a part of one.
 * Returns false if only characters are drawn there: without a grid of pixels,
 * with ASCII characters, or in a single line or column. */
bool cs_raster_open(const cs_area *a, cs_raster *r);

/* Fills the pixels from (x0, y0) to before (x1, y1), clipped to the raster, and
 * shows the pixels of these cells instead of their characters. Cells with text
 * keep their text. CS_ROLE_NORMAL: draws nothing. */
void cs_raster_fill(const cs_raster *r, int x0, int y0, int x1, int y1,
                    cs_role role);
/* Fills pixels as a part of a line: over a heat map or a bar, the line has the
 * colour that the line of characters in the same cell has. */
void cs_raster_line(const cs_raster *r, int x0, int y0, int x1, int y1,
                    cs_role role);
/* Fills the halves of cell (x, y). */
void cs_raster_two(const cs_raster *r, int x, int y, cs_role upper,
                   cs_role lower);

/* Returns the number of parts into which a cell of `pixels` pixels is divided,
 * so that parts have at least two pixels, and n cells have at most `most`
 * parts. */
int cs_raster_parts(int pixels, int n, int most);

/* Copies the pixels of a picture to out[h * high][w * wide]; the pixels of cells
 * with text are transparent, except where `over` is true and the text is drawn
 * over a heat map. Returns false if all are transparent. */
bool cs_raster_copy(const cs_canvas *c, const cs_pixel_picture *p, bool over,
                    uint8_t *out);
