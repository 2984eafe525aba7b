/* Keys of the user's preferences for all runs: a table (base/flat.h) that the
 * configuration file and the command line write and the screen reads. */
#pragma once

/* name of a theme in screen/canvas/themes.def */
#define CS_PREFERENCE_THEME "theme"
#define CS_PREFERENCE_COLOUR "color"  /* "never", "16", "256", "true", "auto" */
#define CS_PREFERENCE_GLYPHS "glyphs" /* "ascii", "block", "braille", "auto" */
#define CS_PREFERENCE_GRAPHICS "graphics" /* "auto", "on", "off" */
/* 0: the terminal itself handles the mouse */
#define CS_PREFERENCE_MOUSE "mouse"
#define CS_PREFERENCE_FRAMES "frames" /* maximum frames per second */
#define CS_PREFERENCE_BANDWIDTH                                                \
    "bandwidth"                       /* maximum KiB of output per second */
#define CS_PREFERENCE_MOTION "motion" /* "full", "reduced" */
#define CS_PREFERENCE_LAYOUT "layout" /* first panels, or a layout's name */
/* name of a keyboard (screen/term/keyboards.h) */
#define CS_PREFERENCE_KEYBOARD "keyboard"
#define CS_PREFERENCE_DEFAULTS "defaults"
/* initial speed in steps per second, unless the scenario defines a speed; 0: no
 * limit */
#define CS_PREFERENCE_SPEED "defaults/speed"
/* number of threads, unless the scenario defines this number */
#define CS_PREFERENCE_WORKERS "defaults/workers"
/* reason why the configuration file was not read */
#define CS_PREFERENCE_ERROR "error"

/* Under these keys are pairs, numbered from 0. CS_PREFERENCE_KEYS: the name of
 * a key, and the command line that the key runs. CS_PREFERENCE_LAYOUTS: the
 * name of a layout, and its panels. */
#define CS_PREFERENCE_KEYS "keys"
#define CS_PREFERENCE_LAYOUTS "layouts"
#define CS_PREFERENCE_NAME "%s/%zu/name"
#define CS_PREFERENCE_VALUE "%s/%zu/value"
