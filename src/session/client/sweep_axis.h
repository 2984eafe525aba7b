/* A swept parameter and its values, as NAME=VALUES in the option --over and the
 * command :sweep. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    CS_SWEEP_AXIS_NAME = 80,
    CS_SWEEP_AXIS_VALUE = 40,
    CS_SWEEP_AXIS_VALUES = 1000
};

typedef struct cs_sweep_axis {
    char name[CS_SWEEP_AXIS_NAME];
    size_t n;
    char (*text)[CS_SWEEP_AXIS_VALUE]; /* [n] values as passed to --set [own] */
    /* [n] the values as numbers; if one of the values is a word, the numbers 1
     * .. n instead [own] */
    double *x;
    bool numbers, log;
} cs_sweep_axis;

/* Parses "arm.step=0.1..2:log:12" or "chains=1,4". VALUES are single values and
 * ranges LOW..HIGH. A range has 10 values unless it gives their number. The
 * values are evenly spaced on a linear scale or, with `log`, on a logarithmic
 * scale. Values of integers (chains, seed, steps, warmup, lengths of budgets)
 * are rounded. Duplicates are removed. */
cs_status cs_sweep_axis_read(cs_sweep_axis *out, const char *text,
                             cs_error *err);
void cs_sweep_axis_fini(cs_sweep_axis *a);

/* Copies the name of the arm to which the parameter belongs to
 * arm[CS_SWEEP_AXIS_NAME]. Returns false for a parameter of the run or of
 * the target. */
bool cs_sweep_axis_arm(const cs_sweep_axis *a, char arm[CS_SWEEP_AXIS_NAME]);
