/* Keys of the user's preferences for all runs: a table (base/flat.h) that the
 * configuration file and the command line write and the screen reads. */
#pragma once

/* name of a theme in screen/canvas/themes.def */
#define CS_PREFERENCE_THEME "theme"
#define CS_PREFERENCE_COLOUR "color"  /* "never", "16", "256", "true", "auto" */
#define CS_PREFERENCE_GLYPHS "glyphs" /* "ascii", "block", "braille", "auto" */
#define CS_PREFERENCE_MOUSE "mouse"   /* 0: the mouse is left to the terminal */
#define CS_PREFERENCE_FRAMES "frames" /* maximum frames per second */
#define CS_PREFERENCE_BANDWIDTH                                                \
    "bandwidth"                       /* maximum KiB of output per second */
#define CS_PREFERENCE_MOTION "motion" /* "full", "reduced" */
#define CS_PREFERENCE_LAYOUT "layout" /* first panels, or a layout's name */
/* name of a keyboard (screen/term/keyboards.h) */
#define CS_PREFERENCE_KEYBOARD "keyboard"
#define CS_PREFERENCE_DEFAULTS "defaults"
/* initial steps per second if the scenario defines none; 0: no limit */
#define CS_PREFERENCE_SPEED "defaults/speed"
/* number of threads if the scenario defines none */
#define CS_PREFERENCE_WORKERS "defaults/workers"
/* reason why the configuration file was not read */
#define CS_PREFERENCE_ERROR "error"

/* Pairs of strings, numbered from 0: a key and the command line that it runs;
 * the name of a layout and the layout's panels. */
#define CS_PREFERENCE_KEYS "keys"
#define CS_PREFERENCE_LAYOUTS "layouts"
#define CS_PREFERENCE_NAME "%s/%zu/name"
#define CS_PREFERENCE_VALUE "%s/%zu/value"
