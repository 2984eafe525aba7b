/* Reads the input of diff: a run's folder, a recording of the screen or a
 * journal. */
#pragma once

#include "io/saved_summary.h"

#include <stdbool.h>

/* Reads a file. A recording (.cast) or journal (journal.txt) has settings and
 * changes but no arms; *journal is set for it. End with cs_saved_summary_free,
 * whatever is returned. */
cs_status cs_diff_read(const char *path, cs_saved_summary *s, bool *journal,
                       cs_error *err);
