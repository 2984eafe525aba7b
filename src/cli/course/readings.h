/* The hints and solutions that the user has read, in the state folder: one line
 * "EXERCISE hint N" or "EXERCISE solution" for each reading. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_reading {
    size_t hints;  /* hints that were read */
    bool solution; /* true: the solution was read */
} cs_reading;

/* Returns the readings of the exercise; none without a record. */
cs_reading cs_reading_of(const char *exercise);

/* Adds a line for the exercise: `what` is "hint N" or "solution". */
cs_status cs_reading_add(const char *exercise, const char *what, cs_error *err);
