/* The results of a class: journals and recordings of lessons in a folder. */
#pragma once

#include "cli/line/subcommand.h"

/* Prints the results in the folder args->word[1] as CSV: a line per question, or
 * with --students a line per file and lesson. Returns the exit code. */
int cs_class_results(const cs_args *args);
