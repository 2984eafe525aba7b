/* Keyboards on which brackets and braces are hard to reach, and the keys
 * that replace brackets and braces there. The position of a key matters more
 * than its letter: on qwertz, azerty and nordic keyboards the replacements
 * are the two keys to the right of the letters. */
#pragma once

#include <stddef.h>

enum { CS_KEYBOARD_KEYS = 5 };

typedef struct cs_keyboard {
    const char *name, *help;
    struct {
        const char *name; /* see key_names.h; NULL: past the last */
        const char *line; /* command line of the key */
    } key[CS_KEYBOARD_KEYS];
} cs_keyboard;

const cs_keyboard *cs_keyboard_at(size_t i);
/* Returns the keyboard with this name; NULL: unknown. */
const cs_keyboard *cs_keyboard_find(const char *name);
/* Returns the command line of a key on a keyboard. Returns NULL if the key has
 * none or the keyboard is NULL. */
const char *cs_keyboard_line(const cs_keyboard *keyboard, unsigned key);
