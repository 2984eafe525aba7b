/* The keys of what a user has chosen for every run: a table (base/flat.h) that
 * the configuration file and the command line write and the screen reads. */
#pragma once

#define CS_WISH_THEME "theme"         /* a name of screen/canvas/themes.def */
#define CS_WISH_COLOUR "color"        /* never, 16, 256, true, auto */
#define CS_WISH_GLYPHS "glyphs"       /* ascii, block, braille, auto */
#define CS_WISH_MOUSE "mouse"         /* 0: it is left to the terminal */
#define CS_WISH_FRAMES "frames"       /* pictures a second at most */
#define CS_WISH_BANDWIDTH "bandwidth" /* KiB a second at most */
#define CS_WISH_MOTION "motion"       /* full, reduced */
#define CS_WISH_LAYOUT "layout" /* panels, or the name of a layout, at first */
#define CS_WISH_KEYBOARD "keyboard" /* a name of screen/term/keyboards.h */
#define CS_WISH_DEFAULTS "defaults"
#define CS_WISH_SPEED                                                          \
    "defaults/speed" /* of a scenario that does not say: steps
                                          a second, 0: no limit; */
#define CS_WISH_WORKERS "defaults/workers" /* threads */
#define CS_WISH_ERROR "error" /* why the file was not read, for the user */

/* Pairs, number 0 on: a key and the command line that it is; the name of a
 * layout and its panels. */
#define CS_WISH_KEYS "keys"
#define CS_WISH_LAYOUTS "layouts"
#define CS_WISH_NAME "%s/%zu/name"
#define CS_WISH_VALUE "%s/%zu/value"
