/* Decides whether a result may be written to a path given by the user (-o FILE,
 * :save FILE). A missing or empty file may be written; a device or a pipe may
 * be written, too. Any other existing file is overwritten only under three
 * conditions: its first bytes show the same kind of content, it was not an
 * input, and it does not belong to a folder of draws. */

#pragma once

#include "base/status.h"

#include <stddef.h>

typedef enum cs_output_kind {
    CS_OUTPUT_PAGE,       /* an HTML page */
    CS_OUTPUT_SVG,        /* an SVG picture */
    CS_OUTPUT_FRAME,      /* a picture of the screen as text */
    CS_OUTPUT_ANSI,       /* a picture of the screen with colours */
    CS_OUTPUT_JSON,       /* results of sweep, sbc or replicate as JSON */
    CS_OUTPUT_MARKDOWN,   /* results of sweep, sbc or replicate as Markdown */
    CS_OUTPUT_CSV,        /* results of sweep, sbc or replicate as CSV */
    CS_OUTPUT_TABLE,      /* results of sweep, sbc or replicate as text */
    CS_OUTPUT_MODEL,      /* a trained model */
    CS_OUTPUT_RECORDING,  /* a recording of the screen */
    CS_OUTPUT_CHECKPOINT, /* a saved run */
    CS_OUTPUT_DRAWS,      /* draws of a chain */
    CS_OUTPUT_SUMMARY,    /* summary of the run in its folder */
    CS_OUTPUT_KINDS
} cs_output_kind;

/* Returns the kind of a file according to the ending of its name, or `other` if
 * the ending is unknown. */
cs_output_kind cs_output_of(const char *path, cs_output_kind other);

/* Fails if `path` must not be written; call this function before writing.
 * read[n] are the input files; NULL entries are ignored. */
cs_status cs_output_allow(const char *path, cs_output_kind kind,
                          const char *const *read, size_t n, cs_error *err);
