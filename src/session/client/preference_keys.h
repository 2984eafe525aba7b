/* Keys of the user's preferences for all runs: a table (base/flat.h) that the
 * configuration file and the command line write and the screen reads. */
#pragma once

/* name of a theme in screen/canvas/themes.def */
#define CS_WISH_THEME "theme"
#define CS_WISH_COLOUR "color"        /* "never", "16", "256", "true", "auto" */
#define CS_WISH_GLYPHS "glyphs"       /* "ascii", "block", "braille", "auto" */
#define CS_WISH_MOUSE "mouse"         /* 0: the mouse is left to the terminal */
#define CS_WISH_FRAMES "frames"       /* maximum frames per second */
#define CS_WISH_BANDWIDTH "bandwidth" /* maximum KiB of output per second */
#define CS_WISH_MOTION "motion"       /* "full", "reduced" */
#define CS_WISH_LAYOUT "layout"       /* first panels, or a layout's name */
/* name of a keyboard (screen/term/keyboards.h) */
#define CS_WISH_KEYBOARD "keyboard"
#define CS_WISH_DEFAULTS "defaults"
/* initial steps per second if the scenario defines none; 0: no limit */
#define CS_WISH_SPEED "defaults/speed"
/* number of threads if the scenario defines none */
#define CS_WISH_WORKERS "defaults/workers"
/* reason why the configuration file was not read */
#define CS_WISH_ERROR "error"

/* Pairs of strings, numbered from 0: a key and the command line that it runs;
 * the name of a layout and the layout's panels. */
#define CS_WISH_KEYS "keys"
#define CS_WISH_LAYOUTS "layouts"
#define CS_WISH_NAME "%s/%zu/name"
#define CS_WISH_VALUE "%s/%zu/value"
