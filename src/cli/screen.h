/* Opens the screen for a sub-command. */
#pragma once

#include "cli/line/subcommand.h"

/* Opens args->word[0] if it is given, with the settings in `more` (see
 * cs_front_open), runs the command `first` (NULL: none) and shows the screen
 * until the user quits. Returns the exit code. */
int cs_screen_main(const cs_args *args, const char *const *more,
                   const char *first);

/* Opens args->word[0] like cs_screen_main, but without a screen: reads commands
 * as lines and prints sentences, in a pipe or a terminal. */
int cs_plain_main(const cs_args *args, const char *first);

#define CS_PLAIN_OPTIONS                                                       \
    {"plain", NULL, "no screen: read commands as lines and print sentences"},  \
    {                                                                          \
        "every", "SECONDS",                                                    \
            "with --plain, print the progress every SECONDS (never)"           \
    }
