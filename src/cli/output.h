/* Where a table goes, and as what: --format and --output (-o). */
#pragma once

#include "base/page.h"
#include "cli/subcommand.h"

/* Names and endings of formats by number, NULL past the last. */
typedef const char *cs_output_name(size_t i);

/* Which format: that of --format, else of the file's ending, else the first.
 * *file: NULL is stdout. */
cs_status cs_output_choose(const cs_args *args, cs_output_name *name,
                           cs_output_name *suffix, size_t *format,
                           const char **file, cs_error *err);

/* Whether the file of a format may be written (files/output.h). NULL is stdout. */
cs_status cs_output_ready(const cs_args *args, const char *suffix,
                          const char *file, cs_error *err);

/* All of a page; where something is missing of it, that is the error. */
cs_status cs_output_put(const cs_page *p, const char *file, cs_error *err);
