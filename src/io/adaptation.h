/* What a warm-up has found, as comments of a file of draws. */
#pragma once

#include "base/page.h"
#include "kernel/metric.h"

/* The lines that CmdStan writes between the rows of a warm-up and the draws: the
 * step, where the kernel has one, and the metric (NULL: the unit one), where it
 * may have one. */
void cs_adaptation_put(cs_page *p, const cs_kernel *k, const cs_metric *metric);
