/* Laws of targets. Each law returns true if it holds. Therefore a test can also
 * check that a law fails for a target with a planted fault. */
#pragma once

#include "target/eval.h"

#include <stdbool.h>

enum { TARGET_LANES = 32, TARGET_POINTS = 32 };

/* A target with an evaluator, and possible initial states. */
typedef struct room {
    cs_target *t;
    size_t dim;
    double *cache, *scratch, *x, *logp, *g, *points, *d;
    cs_eval e;
} room;

room room_enter(const cs_target_type *type, const cs_value *given,
                size_t n_given);
void room_leave(room *r);

/* Opens the evaluator for `live` points, starting with point `first`. The other
 * lanes repeat point `first`. */
void room_open(room *r, size_t first, size_t live, size_t lanes);

/* Returns a reproducible uniform number. The minimal generator of Park and
 * Miller (1988) suffices to spread points. */
double room_uniform(uint64_t *seed);

/* Prints what failed, unless faults_on_show is set. Returns false. */
bool broken(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern bool faults_on_show;

typedef struct target_law {
    const char *name; /* if `holds` is NULL, the name of a law of src/check */
    bool (*holds)(room *r);
} target_law;

bool target_law_holds(const target_law *law, room *r);

/* Laws of values, slopes and differences, and laws of declared exact values.
 * The last entry of each list has a NULL name. */
extern const target_law target_laws[], exact_laws[];
