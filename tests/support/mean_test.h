/* Tests the expectation of a mean over chains by a t-test, in rounds of
 * increasing length. The test ends at the first round that shows no evidence
 * against the expectation. Therefore one round usually suffices for a correct
 * kernel. */
#pragma once

#include "chain/block.h"

typedef struct mean_test {
    cs_block *block;
    /* Returns the value of lane l after a step; `mean` is the expected
     * stationary mean. */
    double (*value)(const void *self, const cs_block *b, size_t l);
    const void *self;
    double want;
    size_t thin;  /* steps between values, to reduce correlation */
    size_t first; /* values per chain in the first round */
} mean_test;

/* Returns false if p is below 1e-9 in a round, or below 1e-5 after the sixth
 * round. */
bool mean_test_holds(const mean_test *t);
