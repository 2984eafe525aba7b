/* The screen, for the sub-commands that open it. */
#pragma once

#include "cli/line/subcommand.h"

/* Opens args->word[0] if given, runs the command `first` (NULL: none) and shows
 * the screen until the user quits. Returns the exit code. */
int cs_screen_main(const cs_args *args, const char *first);

/* Does the same without a screen: reads commands as lines and prints sentences,
 * in a pipe or a terminal. */
int cs_plain_main(const cs_args *args, const char *first);

#define CS_PLAIN_OPTIONS                                                       \
    {"plain", NULL, "no screen: read commands as lines and print sentences"},  \
    {                                                                          \
        "every", "SECONDS",                                                    \
            "with --plain, print the progress every SECONDS (never)"           \
    }
