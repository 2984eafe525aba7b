/* What the line that is typed would set, before Enter: read from the line and the
 * snapshot alone, so that no key waits for it. */
#pragma once

#include "figure/shot.h"
#include "schedule/schedule.h"

/* Points of a course at most. */
enum { CS_TYPED_COURSE = 256 };

typedef struct cs_typed_set {
    bool valid;        /* `now` would become `then`, which is allowed */
    bool number;       /* ... a number: no schedule */
    size_t arm, param; /* of the snapshot */
    cs_schedule now, then;
    bool knows_now; /* false: it is a function of the script */
    double next;    /* the coming step, as schedules count */
    char why[300];  /* why it is not valid, "": nothing is to be said */
} cs_typed_set;

/* Of a command line, "set acs.step.max 9"; `look`: the arm that is looked at. */
void cs_typed_set_read(const char *line, const cs_shot *s, size_t look,
                       cs_typed_set *out);

/* Both courses at the same steps: what goes round from the first position to the
 * last of the longer cycle, what does not from the coming step on. */
typedef struct cs_typed_course {
    size_t n;
    double first, last; /* positions, or steps */
    bool goes_round;
    /* The largest of the steps of each point; NAN: not known. */
    double now[CS_TYPED_COURSE], then[CS_TYPED_COURSE];
} cs_typed_course;

void cs_typed_set_course(const cs_typed_set *set, cs_typed_course *out);

/* "cosine, 900 to 0.2 in 20 steps", "linear, 0.3 at the next step", into
 * out[size]. */
void cs_typed_set_tell(const cs_schedule *of, double next, char *out,
                       size_t size);

/* The acceptance at a value, between those that were measured at value[n]: NAN
 * beyond them. `log`: the values stand on a logarithmic scale. */
double cs_typed_acceptance(const double *value, const double *acceptance,
                           size_t n, bool log, double at);
