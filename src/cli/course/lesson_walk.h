/* Goes through the lesson of a session without a screen. */
#pragma once

#include "session/client/client.h"

#include <stdbool.h>
#include <stddef.h>

/* Copies the value of course/KEY in the newest snapshot to out[size]; "" if it
 * is absent. Returns out. */
const char *cs_lesson_value(cs_client *c, const char *key, char *out,
                            size_t size);

/* Goes to the last step of the lesson without answers, so that every question
 * is revealed. Each `run` of a step is completed. Does not end the lesson, since
 * its points would then be stored. Fails if a step fails. */
cs_status cs_lesson_walk(cs_client *c, cs_error *err);
