/* What diff compares: a run's folder, a recording of the screen, a journal. */
#pragma once

#include "io/saved_summary.h"

#include <stdbool.h>

/* Of a recording (.cast) and of a journal (journal.txt) there are settings and
 * changes, no arms: *journal. End it with cs_saved_summary_free, whatever is
 * returned. */
cs_status cs_diff_read(const char *path, cs_saved_summary *s, bool *journal,
                       cs_error *err);
