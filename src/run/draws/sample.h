/* Some chains of an arm. */
#pragma once

#include <stddef.h>

/* A sample of an arm's chains, possibly with repetition: a probe's figures for
 * such samples give their standard error (jackknife, bootstrap). Group g has
 * the chains g, g + groups, g + 2 groups ..., and their companions. */
enum { CS_RUN_GROUPS = 32 };
typedef struct cs_run_sample {
    size_t groups, n;
    size_t group[CS_RUN_GROUPS]; /* [n] */
} cs_run_sample;
