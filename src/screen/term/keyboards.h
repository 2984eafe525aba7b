/* Keyboards on which brackets and braces are hard to reach, and the keys that do
 * what they do. Where a key is matters more than its letter: on qwertz, azerty
 * and nordic these are the two on the right of the letters. */
#pragma once

#include <stddef.h>

enum { CS_KEYBOARD_KEYS = 5 };

typedef struct cs_keyboard {
    const char *name, *help;
    struct {
        const char *name; /* see key_names.h; NULL: past the last */
        const char *line; /* the command line that it is */
    } key[CS_KEYBOARD_KEYS];
} cs_keyboard;

const cs_keyboard *cs_keyboard_at(size_t i);
/* NULL: there is none of that name. */
const cs_keyboard *cs_keyboard_find(const char *name);
/* What a key means on it, NULL: nothing; of no keyboard (NULL) too. */
const char *cs_keyboard_line(const cs_keyboard *keyboard, unsigned key);
