/* The screen without a terminal: keys are given by the program, and the frame
 * that a user would see is a canvas. For tests and `chainscope shot`. */
#pragma once

#include "screen/app.h"

typedef struct cs_headless cs_headless;

/* Size, characters and colours of the simulated screen. */
typedef struct cs_headless_spec {
    int width, height;
    cs_glyphs glyphs;
    cs_tier tier;
    const cs_shot
        *preferences; /* preferences, see screen/state/preferences.h */
    bool gallery;     /* starts in the gallery */
} cs_headless_spec;

/* Creates the screen and waits until the opened run is paused. [own:
 * cs_headless_destroy] */
cs_status cs_headless_create(cs_headless **out, const cs_app_link *link,
                             const cs_editor *editor,
                             const cs_headless_spec *spec, cs_error *err);
void cs_headless_destroy(cs_headless *h);

/* Presses keys in sequence: characters, and names such as <enter> <esc>
 * <tab> <up>. After each key, waits until all requests are done and the run
 * is paused; if the run continues, waits for at most CS_HEADLESS_RUN seconds
 * of processor time. An unknown name gives CS_INPUT. The time of a recording
 * does not depend on the machine: each key takes a tenth of a second, and
 * <wait 5> five seconds. */
enum { CS_HEADLESS_RUN = 10 };
cs_status cs_headless_press(cs_headless *h, const char *keys, cs_error *err);

/* Presses the keys of each line of a file. Lines that start with : ; or / are
 * typed and entered; empty lines and lines that start with # are skipped. */
cs_status cs_headless_script(cs_headless *h, const char *path, cs_error *err);

/* Waits until the run is paused, or until it has run for `seconds`, and makes a
 * frame. [borrowed until the next call] */
cs_status cs_headless_frame(cs_headless *h, double seconds,
                            const cs_canvas **out, cs_error *err);

/* Makes a canvas of the inside of the focused panel, without its title and
 * without blank lines at its end. Shows the title in title[size]. [own:
 * cs_canvas_fini] */
cs_status cs_headless_panel(cs_headless *h, cs_canvas *out, char *title,
                            size_t size, cs_error *err);

/* Returns the newest snapshot. [borrowed until the next call] */
const cs_shot *cs_headless_shot(const cs_headless *h);

/* Writes the visible panels as words separated by blanks
 * (screen/panels/panel.h). */
void cs_headless_panels(const cs_headless *h, char *out, size_t size);
