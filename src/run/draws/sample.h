/* A sample of the chains of an arm. */
#pragma once

#include <stddef.h>

/* A sample of groups of chains, possibly with repetition. The figures of such
 * samples give standard errors (jackknife, bootstrap). Group g has the chains
 * g, g + groups, g + 2 groups, ..., and the chains that move with them. */
enum { CS_RUN_GROUPS = 32 };
typedef struct cs_run_sample {
    size_t groups, n;
    size_t group[CS_RUN_GROUPS]; /* [n] numbers of the groups */
} cs_run_sample;
