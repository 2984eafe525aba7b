/* Whether a result may be written where the user says (-o FILE, :save FILE).
 *
 * Nothing is in the way where nothing is, or an empty file; devices and pipes are
 * written through. A file is written over only where it is of the kind that is
 * written there, which its first bytes tell, is not one that was read for it, and
 * does not belong to a folder of draws. */
#pragma once

#include "base/status.h"

#include <stddef.h>

typedef enum cs_output_kind {
    CS_OUTPUT_PAGE,       /* HTML */
    CS_OUTPUT_SVG,        /* a picture */
    CS_OUTPUT_FRAME,      /* a picture of the screen as text */
    CS_OUTPUT_ANSI,       /* the same with colours */
    CS_OUTPUT_JSON,       /* what a sweep, a calibration, a replication found */
    CS_OUTPUT_MARKDOWN,   /* the same, to be read */
    CS_OUTPUT_TABLE,      /* the same as text */
    CS_OUTPUT_MODEL,      /* what was learned */
    CS_OUTPUT_RECORDING,  /* of a screen */
    CS_OUTPUT_CHECKPOINT, /* a saved run */
    CS_OUTPUT_DRAWS,      /* of a chain */
    CS_OUTPUT_SUMMARY,    /* of the run whose folder it is in */
    CS_OUTPUT_KINDS
} cs_output_kind;

/* The kind that a file's name tells by its ending; `other` where it tells none. */
cs_output_kind cs_output_of(const char *path, cs_output_kind other);

/* Before there is anything to write. read[n]: files that are read for it; NULL
 * stands for none. */
cs_status cs_output_allow(const char *path, cs_output_kind kind,
                          const char *const *read, size_t n, cs_error *err);
