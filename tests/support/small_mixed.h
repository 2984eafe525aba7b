/* Small targets whose spaces have parts of several kinds. */
#pragma once

#include "target/target.h"

/* Two bits, a label with 3 values from 1, and an integer from 2 to 5: 48 states.
 * Site differences are computed by whole evaluations. */
extern const cs_target_type small_listed;
/* The same density with the hook `site`, and a cache that the hook `moved`
 * updates. */
extern const cs_target_type small_cached;
/* Two real means, then the labels (0 or 1) of two data. */
extern const cs_target_type small_labels;
