/* Names of keys: "a", "space", "ctrl-r", "f5". */
#pragma once

#define CS_KEY_NAMES                                                           \
    "enter esc tab backtab space lt backspace up down left right home end "    \
    "pgup pgdn shift-left shift-right shift-up shift-down f1 .. f12 "          \
    "ctrl-a .. ctrl-z"

#include <stddef.h>

/* Returns the key with this name; 0: unknown. */
unsigned cs_key_read(const char *name);

/* Writes the name of an ASCII key, or of a key in CS_KEY_NAMES, to
 * out[size]. */
void cs_key_name(unsigned key, char *out, size_t size);

/* Returns the key with this name if the user may bind it to a command. This
 * excludes esc and the keys that end, stop and repaint (^C, ^Z, ^L). */
unsigned cs_key_to_bind(const char *name);
