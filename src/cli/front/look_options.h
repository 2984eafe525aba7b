/* --theme, --color and --glyphs: options shared by all sub-commands that
 * display the screen. */
#pragma once

#include "cli/line/subcommand.h"
#include "race/shot.h"
#include "screen/canvas/colours.h"

enum { CS_LOOK_BYTES = 16 << 10 };

/* The user's preferences, as the screen reads them
 * (session/client/preference_keys.h). */
typedef struct cs_look {
    unsigned char memory[CS_LOOK_BYTES] __attribute__((aligned(8)));
    cs_flat table;       /* the preferences, in memory */
    cs_shot preferences; /* a view of the table */
} cs_look;

#define CS_LOOK_OPTIONS                                                        \
    {"theme", "NAME", "dark, light or contrast (dark)"},                       \
        {"color", "HOW", "never, 16, 256, true or auto (auto)"},               \
    {                                                                          \
        "glyphs", "WHICH", "ascii, block, braille or auto (auto)"              \
    }

cs_status cs_look_read(const cs_args *args, cs_look *out, cs_error *err);

/* Adds the preferences of the configuration file, if it exists; options on the
 * command line take precedence. If the file has an error, the screen reports it
 * and uses its defaults. Call after the session is forked, since this runs
 * Lua. */
void cs_look_configure(cs_look *look);

/* Reads a configuration file into `out` and checks every entry. */
cs_status cs_look_file(const char *path, cs_flat *out, cs_error *err);
