/* Words that are files of draws of other programs. */
#pragma once

#include "cli/line/subcommand.h"

/* Calls the main function of the sub-command. Before that, if the words are
 * files of draws in other formats, converts them to a temporary folder, which
 * takes the place of the words. Returns the exit code. */
int cs_draws_main(cs_args *args);

/* Returns true for an error of a word or an option (exit code 2), and false for an
 * error at a place in a damaged file. */
bool cs_draws_misused(cs_status status, const cs_error *err);

/* Prints the notes of the readers of draws on stderr, each in a line that
 * starts with the name of the program. `notes` may be NULL. */
void cs_draw_notes_print(const char *notes);

/* The option with groups of netCDF files; add it to sub-commands that read
 * draws. */
#define CS_DRAWS_OPTION                                                        \
    {                                                                          \
        "groups", "NAME,...",                                                  \
            "further groups to read from netCDF: log_likelihood, "             \
            "posterior_predictive, predictions, log_prior, or all"             \
    }

/* A part of the help: the formats. */
#define CS_DRAWS_HELP                                                          \
    "Files of draws are CmdStan or rstan CSV, netCDF of ArviZ (PyMC, "         \
    "NumPyro), CODA (JAGS),\nHDF5 of emcee, CSV with a header, or lines of "   \
    "JSON. They are recognised by their\ncontent. Several files are the "      \
    "chains of one arm.\n"
