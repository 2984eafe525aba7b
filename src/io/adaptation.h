/* Writes the results of a warm-up as comments of a file of draws. */
#pragma once

#include "base/page.h"
#include "kernel/metric.h"

/* Writes the lines that CmdStan writes between the rows of a warm-up and the
 * draws: the step size, and the metric (NULL: the identity), if the kernel has
 * a step size or a metric. */
void cs_adaptation_put(cs_page *p, const cs_kernel *k, const cs_metric *metric);
