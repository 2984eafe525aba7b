/* Hidden judges: files that only the lecturer has. An exercise names its hidden
 * judge by the digest of the file. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the 64 hexadecimal digits of "sha256:DIGITS", or NULL if `name` does
 * not have this form. */
const char *cs_judge_digits(const char *name);

/* Checks that the folder can be listed. */
cs_status cs_judges_check(const char *folder, cs_error *err);

/* Finds the file in `folder` whose digest is `name`, "sha256:DIGITS", and
 * returns its text in *text [own, cs_free]. Fails with CS_INPUT if no file of
 * the folder has this digest. */
cs_status cs_judge_read(const char *folder, const char *name, char **text,
                        cs_error *err);
