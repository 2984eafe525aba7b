/* Decides whether a result may be written to a path of the user (-o FILE, :save
 * FILE).
 * A missing or empty file may be written; devices and pipes are written
 * through. An existing file is overwritten only if its first bytes show the
 * same kind of content, it was not an input, and it does not belong to a folder
 * of draws. */

#pragma once

#include "base/status.h"

#include <stddef.h>

typedef enum cs_output_kind {
    CS_OUTPUT_PAGE,       /* HTML */
    CS_OUTPUT_SVG,        /* a picture */
    CS_OUTPUT_FRAME,      /* a picture of the screen as text */
    CS_OUTPUT_ANSI,       /* a picture of the screen with colours */
    CS_OUTPUT_JSON,       /* results of sweep, sbc or replicate as JSON */
    CS_OUTPUT_MARKDOWN,   /* the same as Markdown */
    CS_OUTPUT_CSV,        /* the same as CSV */
    CS_OUTPUT_TABLE,      /* the same as text */
    CS_OUTPUT_MODEL,      /* a trained model */
    CS_OUTPUT_RECORDING,  /* recording of the screen */
    CS_OUTPUT_CHECKPOINT, /* a saved run */
    CS_OUTPUT_DRAWS,      /* draws of a chain */
    CS_OUTPUT_SUMMARY,    /* summary of the run in its folder */
    CS_OUTPUT_KINDS
} cs_output_kind;

/* Returns the kind of a file from its name's ending; `other` if unknown. */
cs_output_kind cs_output_of(const char *path, cs_output_kind other);

/* Call before writing. read[n]: input files; NULL entries are ignored. */
cs_status cs_output_allow(const char *path, cs_output_kind kind,
                          const char *const *read, size_t n, cs_error *err);
