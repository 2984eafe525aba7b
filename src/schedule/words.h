/* Schedules as a user types them. */
#pragma once

#include "schedule/schedule.h"

/* Whether the text can only mean a schedule: "cosine max=5 min=0.2", its name and
 * its fields, or a list in braces, "{ 5, 2, 1 }"; several words mean nothing else,
 * whatever the first is. */
bool cs_schedule_is_words(const char *text);

/* Reads such a text. Errors name the field, and what it may be. */
cs_status cs_schedule_from_words(cs_schedule *s, const char *text,
                                 cs_error *err);

/* *out: `now` with another value of one field, "max"; number 3 of a list is its
 * field "3", and all of it "values". */
cs_status cs_schedule_with(const cs_schedule *now, const char *field,
                           const char *text, cs_schedule *out, cs_error *err);

/* The row of such a field and its value; false: there is none. */
bool cs_schedule_field(const cs_schedule *s, const char *field,
                       const cs_param **row, double *value);
