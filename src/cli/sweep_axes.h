/* The parameters of a sweep and their values: --over NAME=VALUES. */
#ifndef CS_CLI_SWEEP_AXES_H
#define CS_CLI_SWEEP_AXES_H

#include "cli/subcommand.h"

enum { CS_SWEEP_NAME = 80, CS_SWEEP_VALUE = 40, CS_SWEEP_VALUES = 1000 };

typedef struct cs_sweep_axis {
    char name[CS_SWEEP_NAME];
    size_t n;
    char (*text)[CS_SWEEP_VALUE]; /* [n] as --set has them [own] */
    double *x;                    /* [n]; where one is a word their places, from
                                     1 [own] */
    bool numbers, log;
} cs_sweep_axis;

/* "arm.step=0.1..2:log:12", "chains=1,4": values, and ranges LOW..HIGH of so many
 * values, 10 unless given, evenly spaced or (log) by their logarithms. Of what
 * counts (chains, seed, steps, warmup, lengths of budgets) values are rounded, and
 * equal ones come once. */
cs_status cs_sweep_axis_read(cs_sweep_axis *out, const char *text,
                             cs_error *err);
void cs_sweep_axis_fini(cs_sweep_axis *a);

/* The arm that it is a parameter of, into arm[CS_SWEEP_NAME]; false: it is of the
 * run, or of the target. */
bool cs_sweep_axis_arm(const cs_sweep_axis *a, char arm[CS_SWEEP_NAME]);

#endif
