/* Some chains of an arm. */
#pragma once

#include <stddef.h>

/* Some of an arm's chains, some of them perhaps more than once: what a probe
 * says of such samples tells how sure it is (the jackknife, the bootstrap).
 * Group g has the chains g, g + groups, g + 2 groups ..., and all that belong
 * to them. */
enum { CS_RUN_GROUPS = 32 };
typedef struct cs_run_sample {
    size_t groups, n;
    size_t group[CS_RUN_GROUPS]; /* [n] */
} cs_run_sample;
