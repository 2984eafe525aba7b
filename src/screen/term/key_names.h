/* Keys as words: "a", "space", "ctrl-r", "f5". */
#pragma once

#define CS_KEY_NAMES                                                           \
    "enter esc tab backtab space lt backspace up down left right home end "    \
    "pgup pgdn shift-left shift-right shift-up shift-down f1 .. f12 "          \
    "ctrl-a .. ctrl-z"

/* The key of a name, 0: there is none. */
unsigned cs_key_read(const char *name);

/* The same of one that can be given another meaning: not what ends, stops and
 * repaints (^C, ^Z, ^L), nor esc. */
unsigned cs_key_to_bind(const char *name);
