/* The hints and solutions that the user has read, in the state folder: one line
 * "DIGEST NAME hint N" or "DIGEST NAME solution" for each reading. The digest of
 * the exercise's text identifies it: another exercise may have a file of the same
 * name, and a copy another name. */
#pragma once

#include "base/sha256.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_reading {
    size_t hints;  /* hints that were read */
    bool solution; /* true: the solution was read */
} cs_reading;

/* Computes the digest of the text of an exercise or a hand-in. */
cs_status cs_reading_digest(const char *file, char sha256[CS_SHA256_HEX],
                            cs_error *err);

/* Returns the readings of the exercise with this digest; none without a
 * record. */
cs_reading cs_reading_of(const char *digest);

/* Adds a line for the exercise: `what` is "hint N" or "solution"; `name` is only
 * for readers of the file. */
cs_status cs_reading_add(const char *digest, const char *name, const char *what,
                         cs_error *err);
