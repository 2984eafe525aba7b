/* Kernels that can move a part of a state, as members of a kernel that is made
 * of several kernels. */
#pragma once

#include "kernel/kernel.h"

/* Returns the reason why a kernel of this type cannot move a part of a state, as
 * the end of a sentence that begins with the name of the kernel; NULL: it can. A
 * member moves single chains by log p, its gradient or its differences, so that
 * it leaves the distribution of its part given the rest invariant. */
const char *cs_kernel_no_member(const cs_kernel_type *type);
