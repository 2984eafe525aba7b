/* A small picture of the chosen scenario in the gallery: its first panel after
 * some steps. Another process (chainscope shot) makes the picture, so that the
 * screen does not wait. The picture is stored in the cache folder and used
 * until the scenario file changes. */
#pragma once

#include "screen/term/helper.h"

#include <stddef.h>

/* Columns and lines of a picture. The picture is stored as lines of UTF-8
 * text. */
enum { CS_PREVIEW_WIDTH = 46, CS_PREVIEW_HEIGHT = 12 };
enum { CS_PREVIEW_BYTES = 8 << 10 };

/* A requested picture. Initialise it to {0} with maker CS_HELPER_NONE. */
typedef struct cs_preview {
    char file[1024]; /* requested file; "": none */
    char kept[1200]; /* path of the picture; "": not looked up yet */
    double since;    /* time of the first request */
    cs_helper maker;
    double made; /* time when the process started */
    bool lesson; /* the first panel is text, so the next panel is drawn */
    bool done;   /* the picture exists, or cannot be made */
} cs_preview;

/* Requests the picture of a file ("": none) at time `now`, in seconds of a
 * steady clock. Ends a process that makes the picture of another file. */
void cs_preview_want(cs_preview *p, const char *file, double now);

/* Continues the work. Returns true when the picture is in
 * text[CS_PREVIEW_BYTES], which is "" if no picture can be made. *again:
 * seconds until the next call, unless maker.pipe becomes readable earlier; -1:
 * never. */
bool cs_preview_tend(cs_preview *p, double now, char *text, double *again);

/* Ends the process that makes a picture. */
void cs_preview_stop(cs_preview *p);
