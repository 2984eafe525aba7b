/* Checks a lesson. */
#pragma once

#include "cli/line/subcommand.h"

#include <stdbool.h>
#include <stdint.h>

/* Goes through the lesson in the file `path`, with the settings of
 * `like` and this seed of its run. At each question gives an answer and goes to
 * the reveal; then returns to the question and repeats this with a wrong and a
 * right answer. Prints a line per lesson, and a line per fault: a step that
 * failed, a question that the run does not decide (fewer than three standard
 * errors between two answers), or a wrong mark. Returns false after a fault. */
bool cs_course_check(const cs_args *like, const char *path, uint64_t seed);
