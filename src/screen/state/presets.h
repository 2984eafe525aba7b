/* The built-in layouts. */
#pragma once

#include <stddef.h>

typedef struct cs_preset {
    const char *name;
    const char *panels; /* as words; NULL: the panels of the scenario */
} cs_preset;

/* Returns layout number i, in the order in which the key shows the layouts.
 * After the last layout, returns NULL. */
const cs_preset *cs_preset_at(size_t i);
const cs_preset *cs_preset_find(const char *name);
