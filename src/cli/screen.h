/* The screen, for the sub-commands that open it. */
#pragma once

#include "cli/subcommand.h"

/* Opens args->word[0], if there is one, obeys the command `first` (NULL: none),
 * and shows the screen until it is left; returns the exit code. */
int cs_screen_main(const cs_args *args, const char *first);

/* The same without a screen: lines in, sentences out, in a pipe as in a terminal. */
int cs_plain_main(const cs_args *args, const char *first);

#define CS_PLAIN_OPTIONS                                                       \
    {"plain", NULL, "no screen: lines in, sentences out, in a pipe too"},      \
    {                                                                          \
        "every", "SECONDS",                                                    \
            "with --plain: how far the run is, so often (never)"               \
    }
