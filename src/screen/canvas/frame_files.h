/* Screenshots: a copy of a frame as it was displayed, and files made from it
 * (`:screenshot`). */
#pragma once

#include "screen/canvas/canvas.h"

/* A copy of a displayed frame. Initialise it to {0}. */
typedef struct cs_frame {
    cs_canvas canvas; /* [own] */
    cs_tier tier;     /* number of colours of the display */
    cs_area panel;    /* the focused panel; w = 0: it was not visible */
} cs_frame;

/* Copies `c` into the frame; `panel` is an area of `c`. */
cs_status cs_frame_take(cs_frame *f, const cs_canvas *c, const cs_area *panel,
                        cs_tier tier, cs_error *err);
void cs_frame_fini(cs_frame *f);

/* Runs "[panel] FILE [force]": writes the frame, or only its panel, in the
 * format given by the extension of FILE. Without `force`, an existing file is
 * an error. Writes a report with the absolute path to said[size]. */
cs_status cs_screenshot_write(const cs_frame *f, const char *words, char *said,
                              size_t size, cs_error *err);

/* Writes to out[size] an unused file name in the current folder: the name of
 * the scenario in `file` ("": no scenario is open), the step, a number if
 * needed, and the extension. */
void cs_screenshot_name(const char *file, double step, const char *ending,
                        char *out, size_t size);

/* Writes the absolute path of an existing file to out[size]; if it cannot be
 * determined, writes the given path. */
void cs_screenshot_path(const char *path, char *out, size_t size);
