/* A run as bytes. */
#pragma once

#include "run/arms/spec.h"

/* The whole run as bytes: versioned, checksummed, little-endian. *bytes [own,
 * cs_free]. Loading needs a run made of the same: target, arms, seed, starts,
 * probes. What differs is named with both values; the log density of each
 * saved state must be what it was. Budget and workers may be others: what
 * changes is written to the journal. It goes on bit for bit, with any number of
 * workers and any block size. */
cs_status cs_run_save(cs_run *r, unsigned char **bytes, size_t *size,
                      cs_error *err);
cs_status cs_run_load(cs_run *r, const unsigned char *bytes, size_t size,
                      cs_error *err);

/* The same beside files in which every draw of the sink stands: draws that can
 * be read back from there (cs_run_recall) are left to them. */
cs_status cs_run_save_beside(cs_run *r, unsigned char **bytes, size_t *size,
                             cs_error *err);
