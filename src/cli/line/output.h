/* Chooses the format and the destination of a table: --format and --output
 * (-o). */
#pragma once

#include "base/page.h"
#include "cli/line/subcommand.h"

/* Returns the name or the file ending of format number i. Returns NULL past the
 * last format. */
typedef const char *cs_output_name(size_t i);

/* Chooses the format. This is the format that --format names. Without --format
 * it is the format that belongs to the ending of the output file, and otherwise
 * the first format. *file is the output file; NULL means stdout. */
cs_status cs_output_choose(const cs_args *args, cs_output_name *name,
                           cs_output_name *suffix, size_t *format,
                           const char **file, cs_error *err);

/* Checks that a file of this format may be written (files/overwrite.h). `file`
 * NULL means stdout. */
cs_status cs_output_ready(const cs_args *args, const char *suffix,
                          const char *file, cs_error *err);

/* Writes a whole page to `file` (NULL: stdout). Fails if the page is incomplete
 * because memory ran out. */
cs_status cs_output_put(const cs_page *p, const char *file, cs_error *err);
