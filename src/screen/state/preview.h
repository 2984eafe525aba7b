/* A small picture of the scenario that is chosen in the gallery: its first panel
 * after some steps. Another process makes it (chainscope shot), so that nothing
 * waits for it, and it is kept in the folder of the cache until the file is another. */
#pragma once

#include "screen/term/helper.h"

#include <stddef.h>

/* Columns and lines of a picture, and its text: lines of UTF-8. */
enum { CS_PREVIEW_WIDTH = 46, CS_PREVIEW_HEIGHT = 12 };
enum { CS_PREVIEW_BYTES = 8 << 10 };

/* Begins as {0}, but with maker CS_HELPER_NONE. */
typedef struct cs_preview {
    char file[1024]; /* whose picture is wanted, "": none */
    char kept[1200]; /* where it is or will be, "": not looked up yet */
    double since;    /* when it was wanted first */
    cs_helper maker;
    double made; /* since when it is made */
    bool lesson; /* its first panel is text: the next one is taken */
    bool done;   /* it is there, or there will be none */
} cs_preview;

/* Wants the picture of a file ("": of none) from now on, seconds of a steady
 * clock. A maker of another one is ended. */
void cs_preview_want(cs_preview *p, const char *file, double now);

/* Goes on with it. True: it has come, into text[CS_PREVIEW_BYTES]; "" where
 * there is none. *again: when this is to be called next, in seconds from now,
 * unless maker.pipe becomes readable before; -1: never. */
bool cs_preview_tend(cs_preview *p, double now, char *text, double *again);

/* Ends what is being made. */
void cs_preview_stop(cs_preview *p);
