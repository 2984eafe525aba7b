/* Kernels that can move a part of a state, as members of a kernel that is made
 * of several kernels. */
#pragma once

#include "kernel/kernel.h"

/* Returns the reason why a kernel of this type cannot move a part of a state,
 * as the end of a sentence that begins with the name of the kernel; NULL: it
 * can. A member moves single chains by log p, its gradient or its differences,
 * so that it leaves the distribution of its part given the rest invariant. */
const char *cs_kernel_no_member(const cs_kernel_type *type);

/* Returns the length of the longest part of `name` that is the name of a
 * parameter of the kernel and ends at a dot or at the end; without such a part,
 * the length up to the first dot, or of the whole name if names of parameters
 * have dots. What follows, as in "mu.step.max", is a field of the parameter's
 * schedule. */
size_t cs_kernel_param_length(const cs_kernel_type *type, const char *name);
