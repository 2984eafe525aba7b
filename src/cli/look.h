/* What --theme, --color and --glyphs say: options of every sub-command that
 * draws the screen. */
#pragma once

#include "cli/subcommand.h"
#include "figure/shot.h"
#include "screen/canvas/colours.h"

enum { CS_LOOK_BYTES = 16 << 10 };

/* What the user has chosen for every run, as the screen reads it
 * (session/wishes.h). */
typedef struct cs_look {
    unsigned char memory[CS_LOOK_BYTES] __attribute__((aligned(8)));
    cs_flat table;  /* in memory */
    cs_shot wishes; /* the table, to be read */
} cs_look;

#define CS_LOOK_OPTIONS                                                        \
    {"theme", "NAME", "dark, light or contrast (dark)"},                       \
        {"color", "HOW", "never, 16, 256, true or auto (auto)"},               \
    {                                                                          \
        "glyphs", "WHICH", "ascii, block, braille or auto (auto)"              \
    }

cs_status cs_look_read(const cs_args *args, cs_look *out, cs_error *err);

/* Adds what the configuration file says, where there is one; the options come
 * first. A fault in it is told by the screen, which then has its defaults.
 * Not before the session is forked: it runs Lua. */
void cs_look_configure(cs_look *look);

/* Reads a configuration file into `out` and checks every entry. */
cs_status cs_look_file(const char *path, cs_flat *out, cs_error *err);
