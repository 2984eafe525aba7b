/* Screenshots: a copy of a frame as it was displayed, and files of it
 * (`:screenshot`). */
#pragma once

#include "screen/canvas/canvas.h"

/* Starts as {0}. */
typedef struct cs_frame {
    cs_canvas canvas; /* [own] */
    cs_tier tier;     /* the colours it was displayed in */
    cs_area panel;    /* the focused panel; w = 0: it was not visible */
} cs_frame;

/* Makes the frame a copy of `c`, with `panel` an area of it. */
cs_status cs_frame_take(cs_frame *f, const cs_canvas *c, const cs_area *panel,
                        cs_tier tier, cs_error *err);
void cs_frame_fini(cs_frame *f);

/* Runs "[panel] FILE [force]": writes the frame, or only its panel, in the
 * format of FILE's extension. An existing file is an error without `force`.
 * Writes a report with the absolute path to said[size]. */
cs_status cs_screenshot_write(const cs_frame *f, const char *words, char *said,
                              size_t size, cs_error *err);

/* Writes to out[size] a name that no file in the current folder has: the name
 * of the scenario in `file` ("": none is open), the step, a number if needed,
 * the extension. */
void cs_screenshot_name(const char *file, double step, const char *ending,
                        char *out, size_t size);

/* Writes the absolute path of an existing file to out[size]; if it cannot be
 * found, the path as it is. */
void cs_screenshot_path(const char *path, char *out, size_t size);
