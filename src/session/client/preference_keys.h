/* Keys of the user's preferences for every run: a table (base/flat.h) that the
 * configuration file and the command line write and the screen reads. */
#pragma once

#define CS_WISH_THEME "theme"         /* a name of screen/canvas/themes.def */
#define CS_WISH_COLOUR "color"        /* never, 16, 256, true, auto */
#define CS_WISH_GLYPHS "glyphs"       /* ascii, block, braille, auto */
#define CS_WISH_MOUSE "mouse"         /* 0: left to the terminal */
#define CS_WISH_FRAMES "frames"       /* maximum frames per second */
#define CS_WISH_BANDWIDTH "bandwidth" /* maximum KiB per second */
#define CS_WISH_MOTION "motion"       /* full, reduced */
#define CS_WISH_LAYOUT "layout"       /* initial panels, or a layout's name */
#define CS_WISH_KEYBOARD "keyboard"   /* a name of screen/term/keyboards.h */
#define CS_WISH_DEFAULTS "defaults"
#define CS_WISH_SPEED                                                          \
    "defaults/speed" /* initial steps per second for a scenario without its own,
                        0: no limit */
#define CS_WISH_WORKERS "defaults/workers" /* threads */
#define CS_WISH_ERROR "error" /* why the file was not read, for the user */

/* Pairs, numbered from 0: a key and its command line; the name of a layout and
 * its panels. */
#define CS_WISH_KEYS "keys"
#define CS_WISH_LAYOUTS "layouts"
#define CS_WISH_NAME "%s/%zu/name"
#define CS_WISH_VALUE "%s/%zu/value"
