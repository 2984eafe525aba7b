/* A parameter of a sweep and its values, as --over and :sweep have them:
 * NAME=VALUES. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_SWEPT_NAME = 80, CS_SWEPT_VALUE = 40, CS_SWEPT_VALUES = 1000 };

typedef struct cs_swept {
    char name[CS_SWEPT_NAME];
    size_t n;
    char (*text)[CS_SWEPT_VALUE]; /* [n] as --set has them [own] */
    double *x;                    /* [n]; where one is a word their places, from
                                     1 [own] */
    bool numbers, log;
} cs_swept;

/* "arm.step=0.1..2:log:12", "chains=1,4": values, and ranges LOW..HIGH of so many
 * values, 10 unless given, evenly spaced or (log) by their logarithms. Of what
 * counts (chains, seed, steps, warmup, lengths of budgets) values are rounded, and
 * equal ones come once. */
cs_status cs_swept_read(cs_swept *out, const char *text, cs_error *err);
void cs_swept_fini(cs_swept *a);

/* The arm that it is a parameter of, into arm[CS_SWEPT_NAME]; false: it is of the
 * run, or of the target. */
bool cs_swept_arm(const cs_swept *a, char arm[CS_SWEPT_NAME]);
