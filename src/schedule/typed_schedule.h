/* Schedules as a user types them. */
#pragma once

#include "schedule/schedule.h"

/* Returns whether the text must be a schedule: a name and fields such as
 * "cosine max=5 min=0.2", or a list in braces, "{ 5, 2, 1 }". A text of several
 * words is always a schedule. */
bool cs_schedule_is_words(const char *text);

/* Parses such a text. Errors name the field and its possible values. */
cs_status cs_schedule_from_words(cs_schedule *s, const char *text,
                                 cs_error *err);

/* *Sets *out to `now` with another value of one field, such as "max"; entry 3
 * of a list is the field "3", and the whole list is "values". */
cs_status cs_schedule_with(const cs_schedule *now, const char *field,
                           const char *text, cs_schedule *out, cs_error *err);
