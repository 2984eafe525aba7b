/* The effect of a command line that is being typed, before Enter. It is
 * computed only from the line and the snapshot, so that no key press waits for
 * the session. */
#pragma once

#include "race/shot.h"
#include "schedule/schedule.h"

/* Maximum number of points of a series. */
enum { CS_TYPED_SERIES = 256 };

typedef struct cs_typed_set {
    bool valid;        /* the change from `now` to `then` is allowed */
    bool number;       /* both values are numbers, not schedules */
    size_t arm, param; /* indices in the snapshot */
    cs_schedule now, then;
    bool knows_now; /* false: a function of the script computes the current
                     * value */
    double next;    /* next step, in the numbering that schedules use */
    char why[300];  /* reason why the line is not valid; "": none to report */
} cs_typed_set;

/* Reads a command line such as "set acs.step.max 9"; `look` is the displayed
 * arm. */
void cs_typed_set_read(const char *line, const cs_shot *s, size_t look,
                       cs_typed_set *out);

/* The values of both schedules at the same steps. For cyclic schedules, the
 * points go from the first to the last position of the longer cycle. For other
 * schedules, they start at the next step. */
typedef struct cs_typed_series {
    size_t n;
    double first, last; /* positions, or steps, of the first and last point */
    bool goes_round;
    /* Largest value among the steps of each point; NAN: not known. */
    double now[CS_TYPED_SERIES], then[CS_TYPED_SERIES];
} cs_typed_series;

void cs_typed_set_series(const cs_typed_set *set, cs_typed_series *out);

/* Writes a description of a schedule to out[size], such as "cosine, 900 to
 * 0.2 in 20 steps" or "linear, 0.3 at the next step". */
void cs_typed_set_tell(const cs_schedule *of, double next, char *out,
                       size_t size);

/* Returns the acceptance at a value, interpolated between the values measured
 * at value[n]. Outside the measured values it is NAN. `log`: interpolate on a
 * logarithmic scale. */
double cs_typed_acceptance(const double *value, const double *acceptance,
                           size_t n, bool log, double at);
