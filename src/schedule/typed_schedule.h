/* Parses schedules that a user types. */
#pragma once

#include "schedule/schedule.h"

/* Returns whether the string must be a schedule: a name with fields, such as
 * "cosine max=5 min=0.2", or a list in braces, such as "{ 5, 2, 1 }". A string
 * of several words is always a schedule. */
bool cs_schedule_is_words(const char *text);

/* Parses the text of a schedule. Errors name the field and its possible
 * values. */
cs_status cs_schedule_from_words(cs_schedule *s, const char *text,
                                 cs_error *err);

/* Copies the schedule `now` to *out with a new value of one field, such as
 * "max". Field "3" is entry 3 of a list, and field "values" is the whole
 * list. */
cs_status cs_schedule_with(const cs_schedule *now, const char *field,
                           const char *text, cs_schedule *out, cs_error *err);
