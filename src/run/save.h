/* Saving a run as bytes. */
#pragma once

#include "run/arms/spec.h"

/* Saves the whole run as bytes: versioned, checksummed, little-endian. *bytes
 * [own, cs_free]. Loading needs a run with the same fingerprint: target, arms,
 * seed, starts, probes. An error names a difference with both values, and the
 * log density of each saved state must be equal. Budget and workers may differ;
 * such changes are written to the journal. The run continues bit for bit, with
 * any number of workers and any block size. */
cs_status cs_run_save(cs_run *r, unsigned char **bytes, size_t *size,
                      cs_error *err);
cs_status cs_run_load(cs_run *r, const unsigned char *bytes, size_t size,
                      cs_error *err);

/* Does the same if files have every draw of the sink: draws that can be read
 * back from them (cs_run_recall) are not saved. */
cs_status cs_run_save_beside(cs_run *r, unsigned char **bytes, size_t *size,
                             cs_error *err);
