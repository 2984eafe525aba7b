/* Laws of kernels. Each returns whether it holds, so that a test can also
 * demand that it does NOT hold for a kernel with a planted fault. */
#ifndef TESTS_LAWS_H
#define TESTS_LAWS_H

#include "chain/block.h"
#include "support/matrix.h"

/* A kernel on a target, with values for its parameters. */
typedef struct setting {
    const cs_kernel_type *type;
    double value[4];
    const char *formula; /* the name for matrix_of */
} setting;

/* A block of `live` chains of the setting, all started at x. */
cs_block *open_block(const setting *s, cs_target *target, uint64_t seed,
                     size_t live, const double *x);
/* One step with the setting's own values. */
void one_step(const setting *s, cs_block *b);

/* What the real step does from each state, along trajectories, has the
 * frequencies of the independent matrix: chi-square a row, p > 1e-7 / rows. */
bool law_frequencies(const setting *s, const points *p);

/* Proposals are drawn from the kernel's own log_q, which sums to 1. */
bool law_proposals(const setting *s, const points *p);

/* Every recorded part of a step is what a fresh door and the kernel's log_q
 * say of the states before and after. */
bool law_record(const setting *s, cs_target *target, const double *start);

#endif
