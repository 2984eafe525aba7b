/* The screen without a terminal: keys are pressed, and what a user would see is
 * a canvas. A test or `chainscope shot` drives it. */
#pragma once

#include "screen/app.h"

typedef struct cs_headless cs_headless;

/* Width, height, characters and colours of the screen that there is none of. */
typedef struct cs_headless_spec {
    int width, height;
    cs_glyphs glyphs;
    cs_tier tier;
    const cs_shot *wishes; /* screen/state/wishes.h */
    bool gallery;          /* it begins there */
} cs_headless_spec;

/* Waits until what is open stands still. [own: cs_headless_destroy] */
cs_status cs_headless_create(cs_headless **out, const cs_app_link *link,
                             const cs_editor *editor,
                             const cs_headless_spec *spec, cs_error *err);
void cs_headless_destroy(cs_headless *h);

/* Presses keys one after another: characters, and <enter> <esc> <tab> <up> and
 * so on by their names. After each it waits until what was asked for is done
 * and the run stands still; where it runs on, for CS_HEADLESS_RUN seconds of its
 * processors. A name that is none is CS_INPUT. */
enum { CS_HEADLESS_RUN = 10 };
cs_status cs_headless_press(cs_headless *h, const char *keys, cs_error *err);

/* The same of each line of a file: lines that begin with : ; or / are typed
 * and entered, those that begin with # are left out, as are empty ones. */
cs_status cs_headless_script(cs_headless *h, const char *path, cs_error *err);

/* Waits until the run stands still, or has gone on for so long, and makes a frame
 * of it. [borrowed until the next call] */
cs_status cs_headless_frame(cs_headless *h, double seconds,
                            const cs_canvas **out, cs_error *err);

/* The panels that are shown, as words separated by blanks (screen/panels/panel.h). */
void cs_headless_panels(const cs_headless *h, char *out, size_t size);
