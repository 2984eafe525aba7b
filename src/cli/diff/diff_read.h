/* Reads the input of diff: a run's folder, a recording of the screen or a
 * journal. */
#pragma once

#include "io/saved_summary.h"

#include <stdbool.h>

/* Reads a file. A recording (.cast) or a journal (journal.txt) has settings and
 * changes but no arms; *journal is set to true for both. Call
 * cs_saved_summary_free afterwards, also after a failure. */
cs_status cs_diff_read(const char *path, cs_saved_summary *s, bool *journal,
                       cs_error *err);
