/* Writes the draws of files in any format as one arm, a temporary file per
 * chain: the header of CmdStan, then rows of doubles. */
#pragma once

#include "base/page.h"
#include "io/formats/formats.h"

typedef struct cs_converter cs_converter;

/* `path`[n] are all files that the user gave [borrowed]; `arm`, `folder` and
 * `groups` are [borrowed]. [own, cs_converter_close] */
cs_status cs_converter_open(cs_converter **out, const char *folder,
                            const char *arm, const char *const *path, size_t n,
                            const char *groups, cs_error *err);

/* Reads one file and writes its chains. Fails if its columns differ from those
 * of the earlier files. */
cs_status cs_converter_take(cs_converter *c, const char *path,
                            const cs_draw_format *format, cs_error *err);

/* Completes the files and appends the notes. Fails if a chain has no draws. */
cs_status cs_converter_end(cs_converter *c, cs_page *notes, cs_error *err);
void cs_converter_close(cs_converter *c); /* NULL is allowed */
