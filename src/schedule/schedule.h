/* A schedule: a pure function of the step number that gives a kernel
 * parameter its value. */
#ifndef CS_SCHEDULE_SCHEDULE_H
#define CS_SCHEDULE_SCHEDULE_H

#include "base/param.h"

#include <stdint.h>

enum { CS_SCHEDULE_VALUES = 8 };

typedef struct cs_schedule cs_schedule;

typedef struct cs_schedule_type {
    const char *name, *title, *ref, *help;
    const cs_param *params; /* numbers only */
    size_t n_params;
    unsigned flags; /* CS_SCHEDULE_MAIN_THREAD */
    /* out[n] = the values at steps first .. first+n-1. Pure. */
    void (*fill)(const cs_schedule *s, uint64_t first, size_t n, double *out);
    /* OPTIONAL: the number of steps after which it repeats, 0 = never. */
    double (*period)(const cs_schedule *s);
    void (*release)(cs_schedule *s); /* OPTIONAL: lets go of `self` */
} cs_schedule_type;

enum {
    CS_SCHEDULE_MAIN_THREAD = 1, /* fill only on the session's thread */
    CS_SCHEDULE_HIDDEN = 2
};

struct cs_schedule {
    const cs_schedule_type *type;
    double values[CS_SCHEDULE_VALUES];
    void *self;
};

/* The registered type called `name`, or NULL; number i, NULL at the end. */
const cs_schedule_type *cs_schedule_find(const char *name);
const cs_schedule_type *cs_schedule_at(size_t i);

/* A schedule of `type` from given values, checked against its rows. */
cs_status cs_schedule_init(cs_schedule *s, const cs_schedule_type *type,
                           const cs_value *given, size_t n_given,
                           cs_error *err);

/* A constant. */
cs_schedule cs_schedule_constant(double value);

#endif
