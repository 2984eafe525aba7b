/* A schedule: a pure function of the step number that sets the value of a
 * kernel parameter. */
#pragma once

#include "base/page.h"
#include "base/param.h"

#include <stdbool.h>
#include <stdint.h>

/* CS_SCHEDULE_ROWS: maximum number of rows. CS_SCHEDULE_LIST: maximum length of
 * a list. */
enum { CS_SCHEDULE_ROWS = 8, CS_SCHEDULE_LIST = 128 };
enum { CS_SCHEDULE_VALUES = CS_SCHEDULE_ROWS + CS_SCHEDULE_LIST };

/* Flag of a row, in addition to the flags of base/param.h. A row with this flag
 * holds a value of the kernel parameter that the schedule sets. */
enum { CS_SCHEDULE_DRIVES = 1 << 8 };

typedef struct cs_schedule cs_schedule;

typedef struct cs_schedule_type {
    const char *name, *title, *ref, *help;
    const cs_param *params; /* numeric rows. The last row may be a list: its
                               value is then the length of the list, and the
                               numbers of the list are the values after it */
    size_t n_params;
    unsigned flags; /* 0 or CS_SCHEDULE_MAIN_THREAD */
    /* Fills out[n] with the values at steps first .. first+n-1. Pure. */
    void (*fill)(const cs_schedule *s, uint64_t first, size_t n, double *out);
    /* OPTIONAL. Returns the number of steps after which the schedule repeats;
     * 0: never. */
    double (*period)(const cs_schedule *s);
    void (*release)(cs_schedule *s); /* OPTIONAL. Frees `self`. */
    /* OPTIONAL. Writes the parts of the schedule's provenance that the values
     * do not cover, as one line that starts with `name` (data/parts.h). */
    void (*parts)(const cs_schedule *s, const char *name, cs_page *p);
} cs_schedule_type;

enum {
    CS_SCHEDULE_MAIN_THREAD = 1, /* call `fill` on the session's thread only */
    CS_SCHEDULE_HIDDEN = 2
};

struct cs_schedule {
    const cs_schedule_type *type;
    double values[CS_SCHEDULE_VALUES];
    void *self;
};

/* cs_schedule_find returns the registered type called `name`, or NULL.
 * cs_schedule_at returns type number i, or NULL at the end. */
const cs_schedule_type *cs_schedule_find(const char *name);
const cs_schedule_type *cs_schedule_at(size_t i);

/* Creates a schedule of `type` from given values, which are checked against its
 * rows. */
cs_status cs_schedule_init(cs_schedule *s, const cs_schedule_type *type,
                           const cs_value *given, size_t n_given,
                           cs_error *err);

/* Returns the row of a type that holds a list, or NULL if it has no list. */
const cs_param *cs_schedule_list(const cs_schedule_type *type);

/* Returns the number of values of a schedule: one per row, then the numbers of
 * a list. */
size_t cs_schedule_used(const cs_schedule *s);

/* Returns whether the values of a schedule agree with its rows. */
bool cs_schedule_sound(const cs_schedule *s);

/* Creates a cycle of n numbers; n is at most CS_SCHEDULE_LIST. */
cs_schedule cs_schedule_cycle(const double *value, size_t n);

/* Creates a constant schedule. */
cs_schedule cs_schedule_constant(double value);
