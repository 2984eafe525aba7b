/* Whether chains have the mean they should: a t-test over the chains, in rounds
 * of more and more steps. It ends as soon as nothing speaks against it, so that
 * what is right costs one round. */
#pragma once

#include "chain/block.h"

typedef struct mean_test {
    cs_block *block;
    /* Of lane l after a step; its mean in the long run. */
    double (*value)(const void *self, const cs_block *b, size_t l);
    const void *self;
    double want;
    size_t thin;  /* steps between values, so that they are all but
                     independent */
    size_t first; /* values a chain of the first round */
} mean_test;

/* False where p is below 1e-9 in a round, or below 1e-5 after the sixth. */
bool mean_test_holds(const mean_test *t);
