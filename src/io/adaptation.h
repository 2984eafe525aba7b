/* Writes the results of a warm-up as comments of a file of draws. */
#pragma once

#include "base/page.h"
#include "kernel/metric.h"

/* Writes the lines that CmdStan writes between the rows of a warm-up and the
 * draws. These lines contain the step size if the kernel has one, and the
 * metric if the kernel has one (NULL: the identity). */
void cs_adaptation_put(cs_page *p, const cs_kernel *k, const cs_metric *metric);
