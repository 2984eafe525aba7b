/* Saves and loads a run as bytes. */
#pragma once

#include "run/arms/spec.h"

/* Saves the whole run in *bytes [own, cs_free]: versioned, with a checksum,
 * little-endian. Loading needs a run with the same fingerprint (target, arms,
 * seed, starts, probes). If they differ, the error names the difference with
 * both values. Each saved state must also have the same log density in both
 * runs. Budget and workers may differ; such a difference is written to the
 * journal as a change. The loaded run continues bit for bit, with any number of
 * workers and any block size. */
cs_status cs_run_save(cs_run *r, unsigned char **bytes, size_t *size,
                      cs_error *err);
cs_status cs_run_load(cs_run *r, const unsigned char *bytes, size_t size,
                      cs_error *err);

/* Saves a run whose sink has written every draw to files. Draws that can be
 * read back from these files (cs_run_recall) are not saved. */
cs_status cs_run_save_beside(cs_run *r, unsigned char **bytes, size_t *size,
                             cs_error *err);
