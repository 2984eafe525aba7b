/* A small picture of the chosen scenario in the gallery: its first panel after
 * some steps. Another process (chainscope shot) makes it, so nothing waits for
 * it, and it stays in the cache folder until the file changes. */
#pragma once

#include "screen/term/helper.h"

#include <stddef.h>

/* Columns and lines of a picture; its text is lines of UTF-8. */
enum { CS_PREVIEW_WIDTH = 46, CS_PREVIEW_HEIGHT = 12 };
enum { CS_PREVIEW_BYTES = 8 << 10 };

/* Starts as {0}, but with maker CS_HELPER_NONE. */
typedef struct cs_preview {
    char file[1024]; /* file whose picture is wanted; "": none */
    char kept[1200]; /* path of the picture; "": not looked up yet */
    double since;    /* when it was first wanted */
    cs_helper maker;
    double made; /* when making it started */
    bool lesson; /* its first panel is text, so the next one is taken */
    bool done;   /* it exists, or it cannot be made */
} cs_preview;

/* Requests the picture of a file ("": none) from now on, in seconds of a steady
 * clock. Ends the process for another file. */
void cs_preview_want(cs_preview *p, const char *file, double now);

/* Continues. Returns true when the picture has arrived in
 * text[CS_PREVIEW_BYTES]; "" if there is none. *again: seconds until the next
 * call, unless maker.pipe becomes readable earlier; -1: never. */
bool cs_preview_tend(cs_preview *p, double now, char *text, double *again);

/* Ends the process that makes a picture. */
void cs_preview_stop(cs_preview *p);
