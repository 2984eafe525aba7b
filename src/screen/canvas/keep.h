/* A frame as it was seen, and files of it: `:keep`. */
#pragma once

#include "screen/canvas/canvas.h"

/* Begins as {0}. */
typedef struct cs_frame {
    cs_canvas canvas; /* [own] */
    cs_tier tier;     /* the colours it was seen in */
    cs_area panel;    /* the one with the focus; w = 0: it was not in view */
} cs_frame;

/* The frame becomes a copy of `c`, with `panel` an area of it. */
cs_status cs_frame_take(cs_frame *f, const cs_canvas *c, const cs_area *panel,
                        cs_tier tier, cs_error *err);
void cs_frame_fini(cs_frame *f);

/* Obeys "[panel] FILE [force]": writes the frame, or its panel alone, as what
 * the ending of FILE says. A file that is there is an error without `force`.
 * What was done, with the whole path, goes into said[size]. */
cs_status cs_keep(const cs_frame *f, const char *words, char *said, size_t size,
                  cs_error *err);

/* A name for it into out[size] that no file has in the current folder: that of
 * the scenario in `file` ("": none is open), the step, a number where it must
 * be, the ending. */
void cs_keep_name(const char *file, double step, const char *ending, char *out,
                  size_t size);

/* The whole path of a file that is there into out[size]; as it is where that
 * is not known. */
void cs_keep_path(const char *path, char *out, size_t size);
